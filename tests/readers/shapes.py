"""The shapes in which people have the scores of one metric: files by name, or what is in memory.

All hold the same scores of the systems of `data` but its two references, and each says what it lacks.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from types import SimpleNamespace
from typing import Any

import numpy as np
import openpyxl
import pandas as pd

import tiekit as tk

SYSTEMS = ("Kite", "Moth", "Online-W", "Gnu")
SEGMENTS = tuple(str(number) for number in range(1, 7))
SCORES = np.round(np.random.default_rng(7).normal(size=(4, 6)), 4)
TEXTS = [[f"{system} says {segment * 'x'}" for segment in map(int, SEGMENTS)] for system in SYSTEMS]
SOURCES = [f"source {segment * 'y'}" for segment in map(int, SEGMENTS)]


def data() -> tk.EvalSet:
    """The set that the scores are put beside: six systems, of which two are references."""
    human = np.array([*SCORES.round(0), [1.0] * 6, [np.nan] * 6])
    systems = (*SYSTEMS, "refA", "refB")
    return tk.EvalSet("toy", "en-de", systems, SEGMENTS, {"mqm": human}, {}, gold="mqm", standard_reference="refA")


def _long() -> pd.DataFrame:
    rows = [(s, int(n), SCORES[i, j]) for i, s in enumerate(SYSTEMS) for j, n in enumerate(SEGMENTS)]
    return pd.DataFrame(rows, columns=["system", "segment", "mine"])


def _wide() -> pd.DataFrame:
    return _long().set_index(["segment", "system"])["mine"].unstack()  # noqa: PD010


def _with_mean(wide: pd.DataFrame) -> bytes:
    table = wide.T.add_prefix("seg")
    return str(table.assign(mean=table.mean(axis=1)).to_csv()).encode()


def _bytes(write: Any, *arguments: Any, **options: Any) -> bytes:
    stream = io.BytesIO()
    write(stream, *arguments, **options)
    return stream.getvalue()


def npy(array: Any) -> dict[str, bytes]:
    """A file of an array."""
    return {"mine.npy": _bytes(np.save, array)}


def npz(**arrays: Any) -> dict[str, bytes]:
    """A file of arrays by name."""
    return {"mine.npz": _bytes(lambda stream: np.savez_compressed(stream, **arrays))}


def workbook(*sheets: list[list[Any]]) -> bytes:
    """A workbook with these sheets."""
    book = openpyxl.Workbook()
    for at, rows in enumerate(sheets):
        sheet = book.active if at == 0 else book.create_sheet()
        for row in rows:
            sheet.append(row)
    return _bytes(book.save)


def archive(**files: bytes) -> bytes:
    """A zip archive of these files, by names with _ for the last dot."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(".".join(name.rsplit("_", 1)), content)
    return stream.getvalue()


def _rows(frame: pd.DataFrame) -> list[list[Any]]:
    return [list(map(str, frame.columns)), *frame.astype(object).to_numpy().tolist()]


def _tsv(frame: pd.DataFrame, **options: Any) -> bytes:
    return str(frame.to_csv(sep="\t", **{"index": False, **options})).encode()


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def files() -> dict[str, dict[str, bytes]]:
    """The files of each shape, by what it is called in the documentation."""
    by_system = {system: row.tolist() for system, row in zip(SYSTEMS, SCORES, strict=True)}
    nested = {system: dict(zip(SEGMENTS, row, strict=True)) for system, row in by_system.items()}
    lines = "".join(f"{score}\n" for score in SCORES.ravel().tolist()).encode()
    blocks = "".join(f"{s}\t{score}\n" for s, row in by_system.items() for score in row).encode()
    comet = {
        f"out/{system}.txt": [
            {"src": source, "mt": text, "COMET": score} for source, text, score in zip(SOURCES, texts, row, strict=True)
        ]
        for system, texts, row in zip(SYSTEMS, TEXTS, by_system.values(), strict=True)
    }
    metricx = {
        f"{system}.jsonl": "".join(
            json.dumps({"source": source, "hypothesis": text, "prediction": -score}) + "\n"
            for source, text, score in zip(SOURCES, texts, row, strict=True)
        ).encode()
        for system, texts, row in zip(SYSTEMS, TEXTS, by_system.values(), strict=True)
    }
    submitted = "".join(
        f"mine\ten-de\ttoy\tnews\td\tsrc\t{system}\t{number}\t{score}\n"
        for system, row in by_system.items()
        for number, score in enumerate(row, start=1)
    ).encode()
    printed = "".join(
        f"out/{system}.txt\tSegment {at}\tscore: {score:.4f}\n"
        for at in range(6)
        for system, row in by_system.items()
        for score in [row[at]]
    ).encode()
    table, wide = _long(), _wide()
    each = table.rename(columns={"mine": "score"}).groupby("system")
    return {
        "one score per line, all systems": {"mine.txt": lines},
        "one score per line with a header": {"mine.csv": b"mine\n" + lines},
        "one score per line, a file a system": {
            f"{system}.txt": "".join(f"{score}\n" for score in row).encode() for system, row in by_system.items()
        },
        "a table with segments and scores, a file a system": {
            f"{system}.csv": str(one[["segment", "score"]].to_csv(index=False)).encode() for system, one in each
        },
        "a table with files and scores in any order, a file a system": {
            f"{system}.csv": str(
                one.sample(frac=1, random_state=3 + at)
                .assign(filename=lambda rows: rows["segment"].map("{}.wav".format))[["filename", "score"]]
                .to_csv(index=False)
            ).encode()
            for at, (system, one) in enumerate(each)
        },
        "lines SYSTEM SCORE (.seg.score)": {"mine.seg.score": blocks},
        "a submission to WMT's metrics task": {"mine_sub.seg.score": submitted},
        "a long table (CSV, TSV)": {"mine.tsv": _tsv(table)},
        "a long table without a header": {"mine.tsv": _tsv(table, header=False)},
        "a long table in another order": {"mine.csv": str(table[::-1].to_csv(index=False)).encode()},
        "a wide table, a column per system": {"mine.csv": str(wide.to_csv()).encode()},
        "a wide table without numbers of segments": {"mine.csv": str(wide.to_csv(index=False)).encode()},
        "a wide table with prompts, in another order": {
            "mine.csv": str(wide[::-1].rename("Rate text {}".format).rename_axis("prompt").to_csv()).encode()
        },
        "a wide table, a row per system": {"mine.csv": str(wide.T.to_csv()).encode()},
        "a wide table, a row per system, with columns seg1, seg2, … and a mean": {"mine.csv": _with_mean(wide)},
        "a wide table, a column per system, its first column without a name": {
            "mine.csv": str(wide.rename_axis(None).to_csv()).encode()
        },
        "a wide table without a name above the segments, in another order": {
            "mine.csv": str(wide.rename_axis(None)[::-1].to_csv()).encode()
        },
        "a wide table, a row per system without a name": {"mine.csv": str(wide.T.rename_axis(None).to_csv()).encode()},
        "comet-score --to_json": {"mine.json": _json(comet)},
        "what comet-score prints": {"mine.txt": printed},
        "MetricX, a file a system": metricx,
        "JSON of lists by system": {"mine.json": _json(by_system)},
        "JSON of scores by system and segment": {"mine.json": _json(nested)},
        "JSON of lists by metric and system": {"mine.json": _json({"mine": by_system})},
        "JSON of a list and its mean": {"mine.json": _json({"mean_score": 0.5, "scores": SCORES.ravel().tolist()})},
        "JSON of rows": {"mine.json": _json(table.to_dict("records"))},
        "JSON of rows with names in an object, the metric called score": {
            "mine.json": _json(
                [{"id": {"system": s, "segment": n}, "score": x} for s, n, x in table.to_numpy(object).tolist()]
            )
        },
        "JSON lines of rows": {"mine.jsonl": b"".join(_json(row) + b"\n" for row in table.to_dict("records"))},
        "JSON lines with system and segment in one name, in any order": {
            "mine.jsonl": b"".join(
                _json({"custom_id": f"{s}_{n}", "score": x}) + b"\n"
                for s, n, x in table.sample(frac=1, random_state=3).itertuples(index=False)
            )
        },
        "Excel, a long table": {"mine.xlsx": workbook(_rows(table))},
        "Excel, a table that begins in the third row": {
            "mine.xlsx": workbook([[], [], *_rows(table.reset_index(drop=True))], [])
        },
        "Excel, a wide table": {"mine.xlsx": workbook(_rows(wide.reset_index()), [])},
        "Parquet": {"mine.parquet": _bytes(lambda stream: table.to_parquet(stream))},
        "NumPy .npy": npy(SCORES),
        "NumPy .npy, segments × systems": npy(np.asfortranarray(SCORES.T)),
        "NumPy .npz by system": npz(**dict(zip(SYSTEMS, SCORES, strict=True))),
        "NumPy .npz by metric": npz(mine=SCORES),
        "NumPy .npz with the names of systems and segments": npz(
            scores=SCORES[::-1], systems=SYSTEMS[::-1], segments=SEGMENTS
        ),
        "a zip archive of one file": {"mine.zip": archive(mine_tsv=_tsv(table), **{"__MACOSX/mine_tsv": b"x"})},
        "a file packed by gzip": {"mine.tsv.gz": gzip.compress(_tsv(table))},
        "a file packed by bzip2": {"mine.tsv.bz2": bz2.compress(_tsv(table))},
        "a file packed by xz": {"mine.tsv.xz": lzma.compress(_tsv(table))},
    }


def in_memory() -> dict[str, Any]:
    """What is in memory in each shape."""
    table, wide = _long(), _wide()
    full = np.full((6, 6), np.nan)
    full[:4] = SCORES
    by_system = {system: row.tolist() for system, row in zip(SYSTEMS, SCORES, strict=True)}
    return {
        "DataFrame, long": table,
        "DataFrame of polars": SimpleNamespace(to_pandas=lambda: table, shape=(6, 6)),
        "array with names of columns": table.to_records(index=False),
        "DataFrame, segments × systems": wide,
        "DataFrame, segments × systems, with a column of segments": wide[::-1]
        .reset_index()
        .set_axis([4, 1, 2, 0, 3, 5]),
        "DataFrame, systems × segments": wide.T,
        "Series with system and segment in its index": table.set_index(["system", "segment"])["mine"],
        "list of dicts": table.to_dict("records"),
        "dict of columns": {name: table[name].tolist() for name in table},
        "dict of lists by system": by_system,
        "dict of arrays by system": dict(zip(SYSTEMS, SCORES, strict=True)),
        "dict of Series by system": {system: wide[system].sort_values() for system in SYSTEMS},
        "dict by system and segment": {
            s: dict(zip(map(int, SEGMENTS), row, strict=True)) for s, row in by_system.items()
        },
        "dict by pairs of system and segment": {(s, int(n)): x for s, n, x in table.itertuples(index=False)},
        "dict by segment and system": {int(n): {s: by_system[s][at] for s in SYSTEMS} for at, n in enumerate(SEGMENTS)},
        "dict by names of system and segment": {f"{s}/{n}": x for s, n, x in table.itertuples(index=False)},
        "dict by system of a list and its mean": {s: {"scores": x, "mean": np.mean(x)} for s, x in by_system.items()},
        "dict of a DataFrame by system": {s: one[["segment", "mine"]] for s, one in table.groupby("system")},
        "dict by metric and system": {"mine": by_system},
        "dict of a matrix by metric": {"mine": SCORES},
        "dict of a DataFrame by metric": {"mine": wide.T},
        "DataFrame without labels": pd.DataFrame(SCORES),
        "array, systems without references": SCORES,
        "array, all systems": full,
        "array, segments × systems": SCORES.T,
        "list of lists": SCORES.tolist(),
        "flat list": SCORES.ravel().tolist(),
        "flat array": SCORES.ravel(),
        "bytes by name": {"mine.tsv": _tsv(table)},
    }
