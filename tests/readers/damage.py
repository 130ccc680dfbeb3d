"""How is a file of scores damaged? As people do it: other orders, signs, columns, codings and names."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import tiekit as tk

DATA = Path(__file__).parents[2] / "data"
Rows = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Metric:
    """A set, and the scores of a metric for all of its systems but the reference."""

    data: tk.EvalSet
    scores: np.ndarray
    systems: list[str]

    @property
    def size(self) -> int:
        return len(self.data.segments)

    @property
    def rows(self) -> list[tuple[str, float]]:
        """The lines of all systems, one system after another."""
        return [(name, score) for name, scores in zip(self.systems, self.scores, strict=True) for score in scores]

    @property
    def table(self) -> pd.DataFrame:
        """One row per system and segment."""
        names = [(name, place + 1) for name in self.systems for place in range(self.size)]
        return pd.DataFrame(names, columns=["system", "segment"]).assign(mine=self.scores.ravel())

    @property
    def comet(self) -> Rows:
        """COMET's JSON: one object per segment of each system, with its texts."""
        sources = self.data.sources
        return {
            f"{name}.txt": [
                {"src": sources[place], "mt": self.data.outputs[name][place], "COMET": score}
                for place, score in enumerate(scores)
            ]
            for name, scores in zip(self.systems, self.scores.tolist(), strict=True)
        }

    def truth(self) -> np.ndarray:
        """The scores in the rows of the set."""
        whole = np.full((len(self.data.systems), self.size), np.nan)
        whole[[self.data.systems.index(name) for name in self.systems]] = self.scores
        return whole


def metric_of(data: tk.EvalSet, base: str) -> Metric:
    """A metric of the set, with some noise, for all systems but the reference."""
    systems = [name for name in data.systems if name != "refA"]
    known = data.metrics[base][[data.systems.index(name) for name in systems]]
    noise = np.random.default_rng(7).normal(size=known.shape)
    return Metric(data, np.round(known + 0.1 * np.nanstd(known) * noise, 4), systems)


def with_names(data: tk.EvalSet) -> tk.EvalSet:
    """The synthetic set with names of systems as WMT has them: with dashes, underscores, and numbers."""
    ends = ["-MT", "_bestmbr", "-1.2B-B4", "", "-X"]
    names = {name: name if name == "refA" else name + ends[at % 5] for at, name in enumerate(data.systems)}
    outputs = {names[name]: texts for name, texts in data.outputs.items()}
    return replace(data, systems=tuple(names.values()), outputs=outputs, lengths=_lengths(data, names))


def _lengths(data: tk.EvalSet, names: dict[str, str]) -> Any:
    outputs = {names[name]: counts for name, counts in data.lengths.outputs.items()}
    return {"sources": data.lengths.sources, "references": data.lengths.references, "outputs": outputs}


def lines(rows: Sequence[object], *, end: str = "\n") -> bytes:
    return "".join(f"{row}{end}" for row in rows).encode()


def column(metric: Metric) -> list[float]:
    return metric.scores.ravel().tolist()


def with_line(token: str) -> Callable[[Metric], Any]:
    """One score per line, the eighth of which is another word."""
    return lambda metric: {"mine.txt": lines([*column(metric)[:7], token, *column(metric)[8:]])}


def blocks(order: Callable[[Metric], list[tuple[str, float]]]) -> Callable[[Metric], Any]:
    return lambda metric: {"mine.seg.score": lines([f"{name}\t{score}" for name, score in order(metric)])}


def one_column(change: Callable[[Metric], Sequence[object]], **how: Any) -> Callable[[Metric], Any]:
    return lambda metric: {"mine.txt": lines(change(metric), **how)}


def tsv(change: Callable[[pd.DataFrame], pd.DataFrame], coding: str = "utf-8", **how: Any) -> Callable[[Metric], Any]:
    return lambda metric: {"mine.tsv": change(metric.table).to_csv(sep="\t", index=False, **how).encode(coding)}


def headless(row: Callable[[int, float], str], head: str = "") -> Callable[[Metric], Any]:
    """A CSV of rows made of the number of the row and the score."""
    return lambda metric: {
        "mine.csv": head.encode() + lines([row(place, score) for place, score in enumerate(column(metric))])
    }


def labeled(row: Callable[[str, int, float], str], head: str = "") -> Callable[[Metric], Any]:
    """A CSV of rows made of system, segment and score."""
    return lambda metric: {
        "mine.csv": head.encode()
        + lines([row(one.system, one.segment, one.mine) for one in metric.table.itertuples(index=False)])
    }


def comet(change: Callable[[Rows], Rows]) -> Callable[[Metric], Any]:
    return lambda metric: {"mine.json": json.dumps(change(metric.comet), ensure_ascii=False).encode()}


def all_systems(change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Callable[[Metric], Any]:
    return comet(lambda rows: {name: change(list(found)) for name, found in rows.items()})


def long(
    change: Callable[[Rows], Rows] = dict,
    edit: Callable[[pd.DataFrame], pd.DataFrame] = pd.DataFrame.copy,
    file: str = "mine.csv",
) -> Callable[[Metric], Any]:
    """A table of the same objects, whose segments are numbered anew in each system."""

    def make(metric: Metric) -> Any:
        parts = {name.removesuffix(".txt"): pd.DataFrame(found) for name, found in change(metric.comet).items()}
        whole = pd.concat(parts, names=["system", "segment"]).reset_index()
        table = edit(whole.assign(segment=whole["segment"] + 1).rename(columns={"COMET": "mine"}))
        if file.endswith(".jsonl"):
            return {file: lines([json.dumps(row, ensure_ascii=False) for row in table.to_dict("records")])}
        return {file: table.to_csv(index=False).encode()} if file else table

    return make


def without(*columns: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.drop(columns=list(columns))


def all_texts(change: Callable[[str], str]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.assign(src=table["src"].map(change), mt=table["mt"].map(change))


def spaced(text: str) -> str:
    """A text in other case with a sign behind it."""
    return f"{text.upper()} ."


def shuffled(items: list[Any]) -> list[Any]:
    return [items[place] for place in np.random.default_rng(1).permutation(len(items))]


def exchanged(rows: Rows) -> Rows:
    first, second, *_ = rows
    return {**rows, first: rows[second], second: rows[first]}


def texts_changed(share: float) -> Callable[[Metric], Any]:
    """The texts of some segments are others, everywhere in the file."""

    def change(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        step = max(round(1 / share), 1)
        return [
            {**one, "src": f"{place} other {one['src']}", "mt": f"{place} other {one['mt']}"}
            if (place % step == 0 if share < 0.5 else place % 5 < 4)
            else one
            for place, one in enumerate(found)
        ]

    return all_systems(change)


def resaved(text: str) -> str:
    """A text as another program saves it: decomposed, with spaces at the end."""
    return unicodedata.normalize("NFD", text) + "  "


def metricx(rows: list[dict[str, Any]], **more: Any) -> bytes:
    made = [{"source": one["src"], "hypothesis": one["mt"], "prediction": -one["COMET"], **more} for one in rows]
    return lines([json.dumps(one, ensure_ascii=False) for one in made])


def metricx_files(change: Callable[[int, list[Any]], list[Any]]) -> Callable[[Metric], Any]:
    """One file per system."""
    return lambda metric: {
        f"{name.removesuffix('.txt')}.jsonl": metricx(change(place, found))
        for place, (name, found) in enumerate(metric.comet.items())
    }


def metricx_one(change: Callable[[int, list[Any]], list[Any]]) -> Callable[[Metric], Any]:
    """One file of all systems, with their names but without numbers of segments."""
    return lambda metric: {
        "mine.jsonl": b"".join(
            metricx(change(place, found), system_id=name.removesuffix(".txt"))
            for place, (name, found) in enumerate(metric.comet.items())
        )
    }


def submission(testset: str, *, other: bool) -> Callable[[Metric], Any]:
    """What participants of WMT hand in, of the set's languages or of the other direction."""

    def make(metric: Metric) -> dict[str, bytes]:
        pair = metric.data.language_pair
        pair = "-".join(pair.split("-")[::-1]) if other else pair
        rows = metric.table.itertuples(index=False)
        cells = f"mine\t{pair}\t{testset}\tnews\tdoc\trefA"
        return {"mine.seg.score": lines([f"{cells}\t{one.system}\t{one.segment}\t{one.mine}" for one in rows])}

    return make


def keep(metric: Metric) -> Any:
    return metric.rows
