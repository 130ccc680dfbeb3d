"""Which rows have files of votes? Those of one file, or of several that belong together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from tiekit.base.errors import InputError, ReadError, RoleWarning, quote, warn
from tiekit.readers import check_objects, each_object, read_columns, read_unpacked
from tiekit.votes.columns import COLUMNS, SCORES, usual_names

_NEEDED = frozenset(chain.from_iterable(COLUMNS.values()))

Source = str | Path | Mapping[str, bytes] | pd.DataFrame | Sequence[Mapping[str, Any]] | Sequence[str | Path]
Opened = tuple[str, Iterable[tuple[int, Any]], str]
_File = tuple[str, list[tuple[int, Any]], str]

_OF_PANDA = {"1": "model_a", "2": "model_b", "0": "tie", "tie": "tie", "garbage": "tie"}
_OF_AUTO_J = {"0": "model_a", "1": "model_b", "2": "tie"}
"""What PandaLM and auto-j write for the better answer."""


def files_of(source: Any, judge: str) -> list[Opened]:
    """The files of a source, each with its rows."""
    if isinstance(source, Mapping) and len(source) > 1:
        parts = [{name: content} for name, content in source.items()]
    elif isinstance(source, list | tuple) and source and all(isinstance(one, str | Path) for one in source):
        parts = list(source)
    else:
        parts = [source]
    return [_open(parts[0])] if len(parts) == 1 else _votes_of_files([*map(_open, parts)], judge)


def _open(source: Any) -> Opened:
    """How a source is called, its rows with their lines, and the digest of a file."""
    path, digest = "source", ""
    if isinstance(source, pd.DataFrame):
        found: Iterable[tuple[int, Any]] = enumerate(source.to_dict("records"), 1)
    elif isinstance(source, list | tuple):
        found = enumerate(source, 1)
    elif isinstance(source, str | Path | Mapping):
        file = read_unpacked(source, "file of votes", _NEEDED)
        path, digest = file.path, file.digest
        if file.is_json:
            check_objects(path, file.text)
            found = each_object(path, file.text)
        else:
            table = read_columns(file)
            cells = zip(*table.columns.values(), strict=True)
            found = zip(table.lines, (dict(zip(table.columns, row, strict=True)) for row in cells), strict=True)
    else:
        kinds = "a path, a mapping of one name to bytes, a DataFrame or a list of dicts"
        raise InputError(f"source: must be {kinds}, found {type(source).__name__}")
    return path, found, digest


def _votes_of_files(files: Sequence[Opened], judge: str) -> list[Opened]:
    """The rows of several files with the votes of each; those without models get them from the first file with models.

    Files of votes that name no judge are those of a judge each, called as the file.
    """
    parts = [(path, list(records), digest) for path, records, digest in files]
    first = [dict(records[0][1]) if records else {} for _, records, _ in parts]
    if any(not record.keys().isdisjoint({"cmp_key", "response 1"}) for record in first):
        return [_join(parts)]
    names = [usual_names(record) for record in first]
    whole = [
        fields.keys() >= {"item", "a", "b"} or _are_games(one.get("games"))
        for fields, one in zip(names, first, strict=True)
    ]
    if not any(whole):
        return [*parts[:1]]
    base, found = whole.index(True), list[Opened]()
    stems = [Path(path.removesuffix(".gz")).stem for path, *_ in parts]
    for place, (path, records, digest) in enumerate(parts):
        fields = names[place]
        if place == base and not all(whole) and "winner" not in fields and not fields.keys() >= {*SCORES}:
            continue
        rows = records if whole[place] else _with_models(parts[base], names[base], parts[place], fields)
        if "judge" not in fields and judge == "judge":
            who = stems[place] if stems.count(stems[place]) == 1 else path
            rows = [(line, {**record, "judge": who}) for line, record in rows]
        found.append((path, rows, digest))
    return found


_IDENTITY = "item", "turn", "a", "b"
"""What says which two answers a vote is about, as `PAIR` does."""


def _with_models(
    base: _File, usual: Mapping[str, Any], file: _File, fields: Mapping[str, Any]
) -> list[tuple[int, Any]]:
    """The rows of a file with the models, items and turns of another one that has the same ids, or as many rows."""
    (path, known, _), (other, records, _) = base, file
    item = {usual["item"], fields.get("item", usual["item"])}
    if len(item) > 1:
        problem = f"names its items in {fields['item']!r}, but {path} in {usual['item']!r}"
        raise ReadError(other, f"{problem}; give both columns one name")
    keys = [usual[field] for field in _IDENTITY if field in fields and usual.get(field) == fields[field]]
    keys += [name for name in ("idx",) if name in known[0][1] and name in records[0][1]]
    lacking = [usual[field] for field in _IDENTITY if field in usual and field not in fields]
    orders = [[tuple(text_of(record.get(key)) for key in keys) for _, record in some] for some in (known, records)]
    answers = [{name: record.get(name) for name in lacking} for _, record in known]
    if not keys or (orders[0] == orders[1] and len({*orders[0]}) < len(known)):
        if len(records) != len(known):
            problem = f"has {len(records):,} rows, but {path} has {len(known):,}"
            raise ReadError(other, f"{problem}; write {' and '.join(lacking)} into its rows")
        say = f"write {' and '.join(lacking)} into its rows if their order is another one"
        problem = f"its rows do not say which answers they are about; took those of {path} in their order"
        warn(f"{other}: {problem}; {say}", RoleWarning)
        return [(line, answer | record) for answer, (line, record) in zip(answers, records, strict=True)]
    about: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for key, answer in zip(orders[0], answers, strict=True):
        if answer not in (some := about.setdefault(key, [])):
            some.append(answer)
    for key, (line, _) in zip(orders[1], records, strict=True):
        if len(about.get(key, ())) != 1:
            said = " and ".join(f"{name} {quote(cell)}" for name, cell in zip(keys, key, strict=True))
            problem = f"has {said}, of which {path} has {'several rows' if key in about else 'no row'}"
            raise ReadError(other, f"{problem}; write {' and '.join(lacking)} into its rows", line=line)
    return [(line, about[key][0] | record) for key, (line, record) in zip(orders[1], records, strict=True)]


def _join(parts: Sequence[_File]) -> Opened:
    """The rows of files of PandaLM, or auto-j, of the same items beside each other."""
    path, first, _ = parts[0]
    for other, records, _ in parts[1:]:
        if len(records) != len(first):
            problem = f"has {len(records):,} rows, but {path} has {len(first):,}"
            raise ReadError(other, f"{problem}; give files of one test set")
    parts = [(path, _in_order(first, records), digest) for path, records, digest in parts]
    joined = []
    for rows in zip(*(records for _, records, _ in parts), strict=True):
        line, merged = rows[0][0], dict[str, Any]()
        for (other, _, _), (number, record) in zip(parts, rows, strict=True):
            more = {f"output {Path(other).stem}" if key == "output" else key: cell for key, cell in record.items()}
            for key, cell in more.items():
                if _DECIDES.fullmatch(str(key)) and merged.get(key, cell) != cell:
                    problem = f"has {key} {cell!r:.99} where {path} has {merged[key]!r:.99}"
                    say = "give both the same order" if key in _SAME else "rename one, as each is a judge"
                    raise ReadError(other, f"{problem}; {say}", line=number)
            merged |= more
        joined.append((line, merged))
    return path, joined, hashlib.sha256("".join(digest for *_, digest in parts).encode()).hexdigest()


_SAME = frozenset({"idx", "cmp_key", "response 1", "response 2"})
_DECIDES = re.compile(r"idx|cmp_key|response [12]|label|output .*|annotator\d+|\w+_result", re.ASCII)
"""Fields of PandaLM and auto-j that say what a vote is about, of which `_SAME` are alike in all files, or are votes."""


def _in_order(first: Sequence[tuple[int, Any]], records: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """The rows of a file in the order of the first one's, where both hold the same idx, each once."""
    if not all(isinstance(record, Mapping) and "idx" in record for _, record in [*first, *records]):
        return records
    by_idx = {str(row[1]["idx"]): row for row in records}
    order = [str(record["idx"]) for _, record in first]
    return [by_idx[one] for one in order] if {*order} == by_idx.keys() and len(by_idx) == len(records) else records


def as_rows(path: str, line: int, record: Any, judge: str) -> list[Any]:
    """The votes of a row of PandaLM or auto-j, one for each judge, or of Arena-Hard; any other row as it is."""
    if not isinstance(record, Mapping):
        return [record]
    panda = [name for name in record if re.fullmatch(r"annotator\d+|\w+_result", str(name))]
    if panda and "idx" in record:
        if "cmp_key" not in record:
            problem = "has no cmp_key, so the models are not known"
            raise ReadError(path, f"{problem}; give the test set too: read_votes(['testset-v1.json', …])", line=line)
        first, mark, second = str(record["cmp_key"]).partition("_")
        if not mark or "_" in second:
            raise ReadError(path, f"found the cmp_key {quote(record['cmp_key'])}; expected MODEL_MODEL", line=line)
        item, words = record["idx"], _OF_PANDA
        judges = {name: str(name).removesuffix("_result") for name in panda}
    elif record.keys() >= {"response 1", "response 2"}:
        item, first, second, words = line, "response 1", "response 2", _OF_AUTO_J
        outputs = [name for name in record if str(name).partition(" ")[0] == "output"]
        judges = {name: str(name).partition(" ")[2] or judge for name in outputs}
        judges |= {"label": "human"} if "label" in record else {}
    elif "model" in record and _are_games(record.get("games")):
        models = str(record.get("baseline") or "baseline"), record["model"]
        sides = [dict(zip(("model_a", "model_b"), each, strict=True)) for each in (models, models[::-1])]
        rest = {name: cell for name, cell in record.items() if name not in ("model", "baseline", "games")}
        return [{**rest, **side, "winner": game["score"]} for side, game in zip(sides, record["games"], strict=False)]
    else:
        return [record]
    pair = {"item": item, "model_a": first, "model_b": second}
    try:
        return [pair | {"winner": _word(words, record[name]), "judge": who} for name, who in judges.items()]
    except KeyError as unknown:
        problem = f"found {quote(unknown.args[0])} for a winner; expected {', '.join(words)}"
        raise ReadError(path, problem, line=line) from None


def _are_games(found: object) -> bool:
    """Whether Arena-Hard wrote a list of one or two games, the second in the other order."""
    return (
        isinstance(found, list) and 0 < len(found) < 3 and all(isinstance(x, Mapping) and "score" in x for x in found)
    )


def _word(words: Mapping[str, str], found: object) -> str:
    """The winner that a number stands for; nothing stands for an abstention."""
    return "abstain" if found is None else words[str(found).strip().casefold().removesuffix(".0")]


def text_of(cell: Any) -> str:
    """A cell as text; a list of texts, such as MT-bench's judges, is joined."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, list | tuple):
        return ":".join(map(str, cell)).strip()
    return "" if cell is None or cell != cell else str(cell).strip()
