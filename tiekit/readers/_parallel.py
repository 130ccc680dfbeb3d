"""What do lists beside each other in a record say: scores, and whose these are?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tiekit.base.names import ALIASES, plain_name
from tiekit.readers._numbers import number_like
from tiekit.readers._score_names import MEASURES, PERSONS, SCORE, is_beside_scores, is_named_human

_RATED = re.compile(
    r"(.*_)?(ratings?|votes?|annotations?|annotators?|raters?|labels?|likert|opinions?|stars|grades?|judge?ments?)"
)
"""Names of lists that hold a score of each rater."""

Path = tuple[str | None, ...]
"""Keys from a record to what it holds; None stands for each element of a list."""


def as_keys(path: Iterable[Any]) -> str:
    """Names as Python takes them out of objects."""
    return "".join(f"[{key!r}]" for key in path)


def is_number(value: Any) -> bool:
    """Whether a value is a number, and neither true nor false."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


LABELS = ("system", "segment")


class _Lists:
    """The lists of a record: those of scores, and those beside them that say whose these are."""

    def __init__(self, found: Iterable[tuple[Path, Any]]) -> None:
        fields = dict(found)
        self.all = {path: some for path, some in fields.items() if isinstance(some, list) and some}
        named = {path: kind_of_list(path[-1]) for path in self.all}
        scores = [path for path, some in self.all.items() if _are_scores(some) and not named[path]]
        self.scores = [path for path in scores if not is_beside_scores(str(path[-1]))] or scores
        if not self.scores:  # lists of objects with scores
            inside = [path for path, some in self.all.items() if all(isinstance(one, Mapping) for one in some)]
            self.scores = [
                path for path in inside if not any(kind_of_list(key) in LABELS for key in self.all[path][0])
            ][:1]
        self.best = max(self.scores, key=self._merit, default=())
        self.size = len(self.all.get(self.best, ()))
        self.group = self.best[:-1] if _is_group(self.best, [*fields], self.scores) else ()
        same = [path for path, some in self.all.items() if len(some) == self.size]
        self.beside = {path: named[path] for path in same if path not in self.scores}
        self.columns = [path for path in same if path in self.scores]
        self.apart = [
            path for path, some in self.all.items() if named[path] in LABELS and len(some) not in (1, self.size)
        ]

    def _merit(self, path: Path) -> tuple[bool, int]:
        return is_score(path[-1]) or _is_rated(path), len(self.all[path])


def say_how_to_zip(
    found: Iterable[tuple[Path, Any]], labels: Mapping[str, Path | None], more: Iterable[str], records: str
) -> str:
    """What to pass instead of records whose lists, or objects of lists, hold scores of several systems or segments.

    It is a row for each score, with what stands in its place in the lists of the same length, its name in the object,
    and the fields of ``more``. Where lists that name systems or segments have another length, only what is known is
    said. Empty where nothing names the elements, unless each list is that of the raters of a row.
    """
    lists = _Lists(found)
    known = {kind for kind, path in labels.items() if path}
    names = known | {*lists.beside.values()}
    if not lists.scores or not {*LABELS} & names:
        return ""
    if any(kind_of_list(path[-1]) not in names for path in lists.apart):
        return _say_what_is_known(labels, {path: len(lists.all[path]) for path in [*lists.apart, lists.best]}, records)
    of_group = ("system" if "system" not in names else "metric") if lists.group else ""
    is_counted = bool(lists.group) and names == {"system"}
    are_several = bool(lists.beside) or len(lists.columns) > 1
    is_zipped = any(lists.beside.values()) or (are_several and not lists.group and not known >= {*LABELS})
    is_object = isinstance(lists.all[lists.best][0], Mapping)
    is_no_score = is_object or (is_beside_scores(str(lists.best[-1])) and not _is_rated(lists.best))
    if not is_zipped and (is_no_score or not {*LABELS} <= {*names, of_group, "segment" if is_counted else ""}):
        return ""
    cells = {
        kind if kind not in lists.beside.values() else f"row {path[-1]}": f"row{as_keys(path)}"
        for kind, path in labels.items()
        if path
    }
    cells |= {name: f"row.get({name!r})" for name in more if name not in cells}
    loops, values = f"for row in {records}", {path: f"row{as_keys(path)}" for path in lists.columns}
    if lists.group:
        loops, values = f"{loops} for name, some in row{as_keys(lists.group)}.items()", {lists.best: "some"}
        cells[of_group] = "name"
    if is_counted and not is_zipped:
        loops, values = f"{loops} for at, one in enumerate(some, 1)", {lists.best: "one"}
        cells["segment"] = "at"
    if is_zipped:
        zipped = {path: f"row{as_keys(path)}" for path in lists.beside} | values
        elements = {path: f"part{at}" for at, path in enumerate(zipped, 1)}
        loops += f" for {', '.join(elements.values())} in zip({', '.join(zipped.values())}, strict=True)"
        for path in lists.beside:
            name = _singular(path[-1])
            cells[name if name not in cells else ".".join(map(str, path))] = elements[path]
        values = {path: elements[path] for path in values}
    told = [f"{name!r}: {value}" for name, value in cells.items()]
    for path, value in values.items():
        first = lists.all[path][0] if is_zipped or is_counted else lists.all[path]
        name = "score" if len(values) == 1 and not is_object else str(path[-1])
        is_mean = _is_rated(path) or len(values) > 1 or of_group == "metric"
        told.append(
            _say_cell(name, value, str((lists.group or path)[-1]), is_mean=is_mean, is_list=isinstance(first, list))
        )
    return f"[{{{', '.join(told)}}} {loops}]"


def _say_cell(name: str, value: str, of: str, *, is_mean: bool, is_list: bool) -> str:
    """The cells of a score, or of a list of scores, of one system and segment."""
    if not is_list:
        return f"{name!r}: {value}"
    if is_mean:
        return f"{name!r}: pandas.Series({value}, dtype=float).mean()"
    return f"**{{f'{of} {{at}}': each for at, each in enumerate({value}, 1)}}"


def say_step(step: str) -> str:
    """A step for scores in lists, with what it makes of several scores of one cell."""
    told = ""
    if ".mean()" in step:
        told = ", as those of several raters, of which the step takes means"
    elif "enumerate(" in step and "'segment': at" not in step:
        told = ", of which the step makes a column for each place"
    return f"its scores are in lists of its records{told}; in Python, pass {step}"


def _say_what_is_known(labels: Mapping[str, Path | None], sizes: Mapping[Path, int], records: str) -> str:
    """A row for each score, in general, where it is not sure which elements of lists belong together."""
    cells = [f"{kind!r}: " + (f"row{as_keys(path)}" if path else kind.upper()) for kind, path in labels.items()]
    told = ", ".join(f"{'.'.join(map(str, path))} has {size}" for path, size in sizes.items())
    each = f"a list with {{{', '.join(cells)}, 'score': SCORE}} for each score of each row in {records}"
    return f"{each}; the lists of the first row have different numbers of elements: {told}"


def _are_scores(some: Sequence[Any]) -> bool:
    """Whether a list holds numbers, or lists of such, some of which may be missing."""
    parts = [part for one in some for part in (one if isinstance(one, list) else [one]) if part is not None]
    return bool(parts) and all(is_number(one) or (isinstance(one, str) and number_like(one.strip())) for one in parts)


def _singular(name: Any) -> str:
    """The name of a list that says what elements are, such as ids, for one of these; any other as it is."""
    plain = plain_name(str(name))
    known = {*ALIASES["system"], *ALIASES["segment"], *ALIASES["document"]}
    for one in (plain, plain.removesuffix("s")):
        if one in known or PERSONS.fullmatch(one) or MEASURES.fullmatch(one):
            return one
    return str(name)


def kind_of_list(name: Any) -> str:
    """What a list names by its name, such as ids or models: systems, segments, documents, persons, metrics; or none."""
    one = plain_name(_singular(name))
    kinds = [kind for kind in (*LABELS, "document") if one in ALIASES[kind]]
    kinds += ["rater"] * bool(PERSONS.fullmatch(one)) + ["metric"] * bool(MEASURES.fullmatch(one))
    return kinds[0] if kinds else ""


def _is_group(best: Path, paths: Sequence[Path], scores: Sequence[Path]) -> bool:
    """Whether all that an object holds are lists of scores, by names that are none of scores."""
    inside = [path for path in paths if path[: len(best) - 1] == best[:-1]]
    return (
        len(best) > 1 and all(path in scores and len(path) == len(best) for path in inside) and not is_score(best[-1])
    )


def _is_rated(path: Path) -> bool:
    """Whether lists are named as those of a score of each rater."""
    return any(_RATED.fullmatch(plain_name(str(key))) or is_named_human(str(key)) for key in path)


def is_score(key: Any) -> bool:
    """Whether a field is named like scores."""
    return SCORE.fullmatch(plain_name(str(key))) is not None or is_named_human(str(key))
