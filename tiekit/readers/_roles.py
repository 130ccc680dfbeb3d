"""Which columns of a table are human scores, which metrics, and which none of them?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, repeat
from operator import eq

import numpy as np

from tiekit.base.errors import ReadError, RoleWarning, quote, warn
from tiekit.base.names import ALIASES, count_different, is_reference, known_names, plain_name, some_of
from tiekit.base.validation import FloatArray
from tiekit.readers._answers import (
    UNCHANGED,
    find_answers,
    find_constants,
    find_idle,
    find_nested,
    find_unscored,
    is_another,
    is_called,
    is_expected,
    is_score,
    may_be_meant,
)
from tiekit.readers._columns import Table, Texts, names_among
from tiekit.readers._copies import ask_copies
from tiekit.readers._labels import FEWEST_COUNTED, PAIRS, Labels
from tiekit.readers._numbers import MISSING, describe_no_number, number_like
from tiekit.readers._odd_scores import ask_scale
from tiekit.readers._score_names import (
    PERHAPS,
    REMARKS,
    RUNS,
    STOPPED,
    WEAK,
    WHO,
    is_beside_scores,
    is_human,
    is_metric,
)
from tiekit.readers._scorers import Scorers
from tiekit.readers._systems import find_wide
from tiekit.readers._told_steps import where_frame
from tiekit.readers.facts import named_pair
from tiekit.sets.alignment import MIXED
from tiekit.sets.evalset import EvalSet
from tiekit.sets.scores import FloatMatrix

SIDES = (
    frozenset({"src_lang", "source_lang", "source_language"}),
    frozenset({"tgt_lang", "trg_lang", "target_lang", "target_language"}),
)
TESTSETS = frozenset({"testset", "test_set", "set_id", "set", "dataset", "data_set"})
"""Names of columns with one value for all rows of a set."""

MOST_LABELS, LONGEST_LABEL = 20, 40
"""More different texts, or longer ones in the mean, are no labels of a scale but, say, references."""

FEWEST_NUMBERS = 0.1
"""Among such texts so many of the cells must be numbers for these to be scores."""


def ask_grid(table: Table, labels: Labels, names: Sequence[str]) -> list[str]:
    """What to say of a table that names no systems, but whose columns each join one of several and one of scores."""
    for sign in "_/.:|-" if labels.system is None and len(names) > 3 else "":
        for cut in (str.rpartition, str.partition):
            parts = [cut(name, sign) for name in names]
            first, last = (dict.fromkeys(part[at] for part in parts) for at in (0, 2))
            if len(first) * len(last) == len(names) and min(len(first), len(last)) > 1 and "" not in {*first, *last}:
                joined = f"{known_names(first, most=3)} with {known_names(last, most=3)}"
                told = f"columns join names ({joined}): if some are systems, give a row for each system and segment"
                is_alone = {*names, *labels.all} == {*table.columns} and bool(labels.segment)
                levels = ["system", "score"][:: -1 if any(map(is_human, first)) else 1]
                split = f"columns.str.{'rsplit' if cut is str.rpartition else 'split'}({sign!r}, n=1, expand=True)"
                step = f"frame.set_index({[*labels.all]}).pipe(lambda wide: wide.set_axis(wide.{split}, axis=1))"
                step += f".rename_axis(columns={levels}){where_frame(table, '')}"
                return [told + f": in Python, pass {step}" * is_alone]
    return []


def ask_constants(table: Table, metrics: Sequence[str]) -> list[str]:
    """What to say of metrics that hold one number in many rows, beside others that do not."""
    many = metrics if len(table.lines) >= FEWEST_COUNTED else ()
    same = find_constants(table, [name for name in many if name in table.columns])
    return [f"{known_names(same)} {UNCHANGED}"] if 0 < len(same) < len(metrics) else []


def mixture(table: Table) -> list[str]:
    """What to say of columns such as that of the language pair where they hold several values."""
    columns = [name for name in table.columns if plain_name(name) in PAIRS | TESTSETS]
    numbers = {name: count_different(table.cells(name)) for name in columns}
    return [f"column {quote(name)} holds {number} {MIXED}" for name, number in numbers.items() if number > 1]


def only_value(table: Table, names: Set[str]) -> str:
    """The only value of a column of one of these names; empty where there is none."""
    found = chain.from_iterable(table.cells(name) for name in table.columns if plain_name(name) in names)
    first = next(found, "")
    return first if all(map(eq, found, repeat(first))) else ""


def only_pair(table: Table, texts: Iterable[str]) -> str:
    """The only language pair of a table: of a column with a usual name, of two for its sides, or of any other text."""
    if found := only_value(table, PAIRS) or named_pair("-".join(only_value(table, names) for names in SIDES)):
        return found
    likely = (name for name in texts if named_pair(table.cells(name)[0], whole=True))
    return next((found for name in likely if (found := only_value(table, {plain_name(name)}))), "")


VOTES = (
    "holds votes between two outputs (model_a, model_b), not scores; read them with tk.votes.read_votes, or give one "
    "row per system and segment, with scores"
)
BETTER = (
    "says which of two texts is better, without scores and systems; read DArr-seglevel.csv of the same year with "
    "tiekit.readers.read_darr"
)
_OF_PANDA, _BOTH = re.compile(r"annotator\d+|(gpt|pandalm)\w*_result"), "['testset-v1.json', PATH]"
RANKS = "ranks five systems in each line, without scores; read it with tk.read_rankings"

_NO_SCORES = {("model_a", "model_b"): VOTES, ("src", "pos", "neg"): BETTER, ("system1id", "system1rank"): RANKS}
"""What a table without scores is, by its columns."""


def refuse_votes(table: Table) -> None:
    """Refuse a table of votes between two outputs, or of ranks, and one with further lines of names."""
    if any('"ImportId"' in cell for column in table.columns.values() for cell in map(str, column[:2])):
        problem = "has names of columns in three lines, as Qualtrics writes them"
        raise ReadError(table.path, f"{problem}; pass pandas.read_csv(PATH, skiprows=[1, 2])", line=1)
    columns = {plain_name(name) for name in table.columns}
    if "idx" in columns and any(map(_OF_PANDA.fullmatch, columns)):
        problem = (
            f"holds votes of PandaLM, not scores; read them with tk.votes.read_votes, and with the test set, {_BOTH}"
        )
        raise ReadError(table.path, problem, line=1)
    for names, problem in _NO_SCORES.items():
        if columns.issuperset(names):
            raise ReadError(table.path, problem, line=1)


METRICX = frozenset({"label", "prediction"})
"""The scores in a table that MetricX evaluates: its predictions are better when lower."""

MAYBE_METRICX = "if MetricX wrote prediction, lower is better on it"

UNLIKE_SCORES = "named like no score"
"""Why columns of years, times or counts are left out."""

UNNAMED = "no column is named like them"
"""Why no column is taken for human scores."""

HOW = "say otherwise with {}metrics="


@dataclass(frozen=True)
class Roles:
    """Columns by role, those that look like scores and are none with the reason, and why human scores are a guess.

    ``untold`` are those left out that nobody can have meant.
    """

    human: tuple[str, ...]
    metrics: tuple[str, ...]
    left_out: Mapping[str, str]
    why: str = ""
    untold: Collection[str] = ()

    def sentence(self, more: Sequence[str] = (), *, is_metric_file: bool = False) -> str:
        """What was guessed and left out, in one line; empty where nothing was. A metric's file has no human scores."""
        left_out = {name: reason for name, reason in self.left_out.items() if name not in self.untold}
        if not self.why and not left_out and not more:
            return ""
        human, metrics = (known_names(names, most=8) if names else "no column" for names in (self.human, self.metrics))
        reasons: dict[str, list[str]] = {}
        for name, reason in left_out.items():
            reasons.setdefault(reason, []).append(name)
        left = [f"left out {known_names(names)} ({reason})" for reason, names in reasons.items()]
        why = f" ({self.why})" if self.why else ""
        people = "" if is_metric_file else f"{human} for human scores{why} and "
        how = HOW.format("" if is_metric_file else "human= and ")
        return "; ".join([f"took {people}{metrics} for metrics", *left, *more, how])


_HOW_PEOPLE = "say otherwise with human="


def as_people(sentence: str) -> str:
    """The `Roles.sentence` in a text, of scores that are taken for human ones, as none are named like these."""
    text = sentence.replace(f"no column for human scores ({UNNAMED}) and ", "", 1)
    text = text.replace(" for metrics", " for human scores", 1)
    return text.replace(HOW.format("human= and "), _HOW_PEOPLE).replace(HOW.format(""), _HOW_PEOPLE)


_LEFT_OUT = re.compile(r"left out [^;(]+ \(holds texts such as [^;]*\)(?=;)")


def say_left_out(said: Iterable[tuple[object, str]]) -> str:
    """What may hold scores and was left out, by warnings with their kinds, for a message that names other columns."""
    found = [told[0] for _, sentence in said if (told := _LEFT_OUT.search(sentence))]
    return f"; {found[0]}" if found else ""


def assign_roles(
    numeric: Sequence[str],
    odd: Mapping[str, str],
    labels: Iterable[str],
    human: Sequence[str] | None,
    metrics: Sequence[str] | None,
) -> Roles:
    """Give every column of numbers a role: what the caller says, else what its name says.

    ``odd`` are columns of texts that look like mistyped numbers, with one of their cells; ``labels`` are usual names of
    labels, in lower case, that no score has.
    """
    taken = {*(human or ()), *(metrics or ())}
    usual = set(labels)
    left = {
        name: UNLIKE_SCORES
        for name, plain in zip(numeric, map(plain_name, numeric), strict=True)
        if name not in taken and not is_human(name) and (plain in usual or STOPPED.fullmatch(plain))
    }
    free = [name for name in numeric if name not in taken and name not in left]
    if any(not is_metric(name) and not WHO.fullmatch(plain_name(name)) for name in free):
        left |= {name: "named like persons" for name in free if WHO.fullmatch(plain_name(name))}
        free = [name for name in free if name not in left]
    people, why = (tuple(human), "") if human is not None else _people(free, alone=not metrics)
    if human is None or metrics is None:
        left |= {name: describe_no_number(cell) for name, cell in odd.items() if name not in taken}
    if metrics is not None:
        said = {name: reason for name, reason in left.items() if name in odd}
        return Roles(people, tuple(metrics), said, why)
    chosen = set(people)
    machines = tuple(name for name in free if name not in chosen and not is_human(name))
    unlike = [name for name in machines if not is_metric(name)]
    perhaps = [name for name in unlike if PERHAPS.fullmatch(plain_name(name))] if people else []
    if perhaps:
        why = "; ".join(filter(None, (why, f"{known_names(perhaps)} may be such, too, by the name")))
    return Roles(people, machines, left, why)


def _people(names: Sequence[str], *, alone: bool) -> tuple[tuple[str, ...], str]:
    """The columns of human scores, and why they are a guess; ``alone`` where metrics are among the names too."""
    strong = tuple(name for name in names if is_human(name))
    if strong:
        return strong, ""
    unknown = [name for name in names if not is_metric(name)]
    for pattern in WEAK:
        found = tuple(name for name in unknown if pattern.fullmatch(plain_name(name)))
        if found:
            is_clear = len(found) == len(unknown) and pattern is not WEAK[2] and len(names) > len(found)
            return found, "" if is_clear else "the name that is most like that of human scores"
    if not unknown or (alone and len(names) == 1):
        return (), UNNAMED if unknown else ""
    return (unknown[0],), "the first column of numbers; none is named like human scores"


_USUAL = frozenset(alias for aliases in ALIASES.values() for alias in aliases)


def choose_columns(
    table: Table, scorers: Scorers, human: str | Iterable[str] | None, metrics: str | Iterable[str] | None
) -> dict[str, tuple[str, ...]]:
    """The columns and scorers that the caller names as human scores and as metrics, where he does.

    The column of the scores of scorers stands for all of them, as one score of several scorers would be their mean.
    """
    known, asked = [*table.columns, *scorers.names], {"human": human, "metrics": metrics}
    found = {key: names_among(key, names, known) for key, names in asked.items() if names is not None}
    of = dict.fromkeys(scorers.columns[1:], scorers.names)
    return {
        key: (*dict.fromkeys(one for name in names for one in of.get(name, (name,))),) for key, names in found.items()
    }


def find_roles(
    table: Table,
    labels: Labels,
    scorers: Scorers,
    chosen: Mapping[str, Sequence[str]],
    wanted: Collection[str] = (),
    systems: Collection[str] = (),
    segments: Collection[str] = (),
) -> tuple[Roles, tuple[str, ...], list[str]]:
    """The roles of columns and scorers, those with numbers, and the columns of texts that are no labels.

    ``wanted`` are names that the scores will have. Where most ``systems`` are columns, these are the scores.
    """
    names = {*systems, *segments}
    is_free = labels.system is None and not chosen.get("human") and "metrics" not in chosen
    wide = find_wide(table, systems) if is_free else set()
    chosen = {**chosen, "human": ()} if wide else chosen
    used = {*labels.all, *scorers.columns}
    free = [column for column in table.columns if column not in used]
    named = [*free, *scorers.names]
    by_row = set(scorers.names)
    numeric = tuple(column for column in named if column in by_row or _is_scores(table, column))
    scored = set(numeric)
    texts = [column for column in free if column not in scored]
    unusual = [column for column in texts if plain_name(column) not in _USUAL]
    odd = {column: cell for column in unusual if (cell := table.find_mistyped(column))}
    if table.kept and not chosen:
        return _kept_roles(table.kept, numeric, odd), numeric, texts
    clear = [name for name in numeric if is_called(name, wanted) and name not in by_row]
    idle = find_idle(table, clear[0], numeric) if clear and "metrics" not in chosen else {}
    likely = [name for name in numeric if name not in idle and name not in wide]
    roles = assign_roles(likely, odd, _USUAL, chosen.get("human"), chosen.get("metrics"))
    if wide:
        roles = replace(roles, metrics=tuple(name for name in numeric if name in wide or name in roles.metrics))
    if "metrics" in chosen:
        return roles, numeric, texts
    is_clear = "human" in chosen and any(is_called(name, wanted) or name in names for name in roles.metrics)
    is_known = is_clear or any(is_expected(name, wanted) for name in roles.metrics)
    is_sure = is_known or chosen.get("human") != ()
    likely = [name for name in unusual if name not in {*roles.left_out, *names}]
    no_score = idle | find_unscored(table, likely, is_sure=is_sure)
    keys, nested = [name for name in (labels.system, *labels.segment) if name], dict[str, str]()
    if not any(is_called(name, wanted) for name in roles.metrics):
        nested = find_nested(table, keys, [name for name in texts if name not in {*roles.left_out, *no_score, *names}])
    no_score |= {column: f"holds texts such as {quote(text[:60])}" for column, text in nested.items()}
    beside = [name for name in roles.metrics if name not in by_row and is_beside_scores(name)]
    runs = [name for name in beside if RUNS.fullmatch(plain_name(name))]
    same = [name for name in find_constants(table, beside) if name not in runs]
    if systems or len([*runs, *same]) == len(roles.metrics):  # beside a set, one of several is chosen
        runs, same = [], []
    if not is_known or roles.why:
        likely = [name for name in likely if name not in no_score]
        is_doubtful = any(is_another(name, wanted) for name in roles.metrics)
        answers = find_answers(table, keys, likely, wanted, is_doubtful=is_doubtful)
        no_score |= {column: f"holds texts such as {quote(text[:60])}" for column, text in answers.items()}
        by_column = [name for name in roles.metrics if answers and not is_known and name not in by_row]
        same += [name for name in find_constants(table, by_column) if name not in same]
    no_score |= dict.fromkeys(same, UNCHANGED) | dict.fromkeys(runs, UNLIKE_SCORES)
    roles = replace(roles, metrics=tuple(name for name in roles.metrics if name not in no_score))
    left_out = {**roles.left_out, **no_score}
    is_alone = chosen.get("human") == () and len(roles.metrics) == 1 and is_score(roles.metrics[0], wanted)
    likely = [name for name in left_out if is_clear or (is_alone and left_out[name] == UNLIKE_SCORES)]
    untold = [name for name in likely if not may_be_meant(name, wanted)]
    return replace(roles, left_out=left_out, untold=untold), numeric, texts


def _kept_roles(kept: Mapping[str, Sequence[str]], numeric: Sequence[str], odd: Mapping[str, str]) -> Roles:
    """The roles that columns had in the set that a frame was made of, and those of new columns by their names."""
    human, metrics = (tuple(name for name in kept.get(key, ()) if name in numeric) for key in ("human", "metrics"))
    new = [name for name in numeric if name not in {*human, *metrics}]
    people = tuple(filter(is_human, new))
    found = assign_roles(new, odd, _USUAL, people, None)
    why = f"{known_names(people)} by name, the others as in the set that the frame was made of" if people else ""
    return Roles((*human, *people), (*metrics, *found.metrics), found.left_out, why)


def _is_scores(table: Table, column: str) -> bool:
    """Whether a column holds scores: numbers, or what a column of human scores holds instead of them."""
    if table.is_scores(column):
        return True
    if not is_human(column) or REMARKS.fullmatch(plain_name(column)):
        return False
    scored = Texts(cell for cell in table.cells(column) if cell not in MISSING)
    labels = {cell for cell in scored if not number_like(cell) and 2 * sum(map(str.isdigit, cell)) < len(cell)}
    if len(labels) > MOST_LABELS or sum(map(len, labels)) > LONGEST_LABEL * len(labels):
        return sum(map(number_like, scored)) > FEWEST_NUMBERS * len(scored)
    return count_different(scored) <= max(2, len(table.lines) / 2) or any(map(number_like, scored))


FEWEST_EQUAL, FEWEST_DIFFERENT = 20, 3
"""Fewer scores of a metric, or fewer different ones, may be those of people by chance, as on a short scale."""

ROUNDED, PART = 1e-3, 1_000
"""A line through scores is exact where none lies off it by more than this share of their spread, as by rounding; a part
of so many scores says first whether there may be one."""


def ask_equal(metrics: Mapping[str, FloatMatrix], human: Mapping[str, FloatMatrix]) -> None:
    """Ask whether a metric has the scores that people gave, all of them, or these on another scale."""
    for name, matrix in metrics.items():
        for people, one in human.items():
            known = ~(np.isnan(matrix) | np.isnan(one))
            if known.sum() >= FEWEST_EQUAL and (relation := _say_relation(matrix[known], one[known])):
                told = f"the metric {quote(name)} {relation[0]} the human score {quote(people)}{relation[1]} in all"
                told = f"{told} {known.sum():,} cells that have both"
                warn(f"{told}; if columns or names were exchanged, give its own scores", RoleWarning)


def _say_relation(scores: FloatArray, people: FloatArray) -> tuple[str, str] | tuple[()]:
    """What scores are of those of people if they say no more, before their name and after it; empty elsewhere."""
    if (scores == people).all():
        return ("equals", "") if np.ptp(scores) > 0 else ()
    if not _line(scores[:PART], people[:PART]) or not (line := _line(scores, people)):
        return ()
    slope, start = (f"{part:.4g}" for part in line)
    return "is", f" times {slope}" + f" {'minus' if line[1] < 0 else 'plus'} {start.lstrip('-')}" * bool(line[1])


def _line(scores: FloatArray, people: FloatArray) -> tuple[float, float] | tuple[()]:
    """The slope and the start of the line on which all scores lie over those of people; empty where they do not."""
    sizes = float(np.abs(scores).max()), float(np.abs(people).max())
    if not all(sizes):
        return ()
    up, along = scores / sizes[0], people / sizes[1]
    from_mean = along - along.mean()
    if not (length := float(from_mean @ from_mean)):
        return ()
    slope = float(from_mean @ up) / length
    start = float(up.mean() - slope * along.mean())
    if np.abs(up - slope * along - start).max() > ROUNDED * np.ptp(up) or np.unique(people).size < FEWEST_DIFFERENT:
        return ()
    return slope * (sizes[0] / sizes[1]), start * sizes[0] if abs(start) > ROUNDED else 0.0


def ask_references(data: EvalSet) -> None:
    """Ask whether systems called like references are to be compared with human scores, if no references are known."""
    if data.human and data.standard_reference is None and not data.references:
        found = [name for name in data.systems if is_reference(name) and name not in data.default_exclude]
        if 0 < len(found) < len(data.systems):
            is_one = len(found) == 1
            told = f"{some_of(found)} {'is' if is_one else 'are'} compared as {'a system' if is_one else 'systems'}"
            left = f"data.select(exclude={found}) leaves {'it' if is_one else 'them'} out"
            warn(f"{told}; if people made {'it' if is_one else 'them'}, {left}", RoleWarning)


def ask_about(data: EvalSet) -> EvalSet:
    """Return a set that has been read; ask about scores and systems that are odd."""
    ask_scale(data, {"human": data.human, "metrics": data.metrics})
    ask_equal(data.metrics, data.human)
    ask_copies(data)
    ask_references(data)
    return data
