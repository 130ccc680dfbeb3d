"""Which columns and words of a file of votes mean what, and how is a file with others passed?"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, combinations, islice
from operator import eq
from types import MappingProxyType
from typing import Any

import pandas as pd

from tiekit.base.names import ALIASES, plain_name, some_of
from tiekit.readers import MISSING

COLUMNS: dict[str, tuple[str, ...]] = {
    "item": (
        "question_id",
        "item",
        "item_id",
        "prompt_id",
        "segment",
        "id",
        "uid",
        "instruction",
        "prompt",
        "question",
    ),
    "score_a": ("score_a", "score_1"),
    "score_b": ("score_b", "score_2"),
    "a": ("model_a", "model_1", "generator_1", "system_a", "system_1"),
    "b": ("model_b", "model_2", "generator_2", "system_b", "system_2"),
    "winner": ("g1_winner", "winner", "vote", "preference"),
    "swapped": ("g2_winner",),
    "judge": ("judge", "annotator", "judge_model", "rater"),
    "turn": ("turn",),
}
"""Usual names of columns; the first one that is there counts. The two games of MT-bench are g1_winner and g2_winner."""

SCORES = "score_a", "score_b"

FLAGS = frozenset(
    f"{prefix}{word}"
    for prefix in ("", "is_", "was_", "order_", "position_", "positions_", "answers_")
    for word in ("swapped", "swap", "flipped", "flip", "reversed", "reverse", "switched", "inverted")
)
ORDERS = FLAGS | {
    f"{name}{end}"
    for name in ("order", "position", "shown_first", "first_shown", "answer_order", "presentation_order")
    for end in ("", "_a", "_of_a", "_model_a")
}
"""Names of columns that may say which answer was shown first; of `FLAGS`, those in rows where it was the second one."""

FIRST = frozenset({"first", "left", "order", "permutation"})
"""Words in the names of further columns that may say so, where winners are `SIDES`."""

EMPTY = frozenset(word.casefold() for word in MISSING)
ABSTENTIONS = EMPTY | {"error", "abstain"}
_NOUNS = "response", "answer", "assistant", "output", "option"
WORDS: dict[str, tuple[float, str]] = {
    **dict.fromkeys(ABSTENTIONS, (math.nan, "")),
    **dict.fromkeys((*COLUMNS["a"], *(f"{noun}_a" for noun in _NOUNS), *(f"{noun}_1" for noun in _NOUNS)), (1.0, "")),
    **dict.fromkeys((*COLUMNS["b"], *(f"{noun}_b" for noun in _NOUNS), *(f"{noun}_2" for noun in _NOUNS)), (-1.0, "")),
    **dict.fromkeys(("a", "left", "first", "a>b", "a>>b", "b<a", "b<<a"), (1.0, "")),
    **dict.fromkeys(("b", "right", "second", "b>a", "b>>a", "a<b", "a<<b"), (-1.0, "")),
    **dict.fromkeys(("tie", "draw", "c", "=", "equal", "same", "neither", "a=b", "b=a"), (0.0, "")),
    **dict.fromkeys(("tie (bothbad)", "both_bad", "bothbad"), (0.0, "both bad")),
    **dict.fromkeys(("tie (inconsistent)", "inconsistent"), (0.0, "inconsistent")),
}
"""What is said of a: whether it won, and the kind of a tie."""
SIDES = {word for word, (value, _) in WORDS.items() if abs(value) == 1}.difference(COLUMNS["a"], COLUMNS["b"])
"""Winners that may mean the answer that was shown first, or second; `PLACES` mean nothing else."""
PLACES = frozenset({"first", "second", "left", "right"})

_SENSES = {
    "model_a": "win wins won true gauche links izquierda sinistra premier erste primero primo",
    "model_b": "loss loses lose lost false droite rechts derecha destra deuxième zweite segundo secondo",
    "tie": "both ties draws drawn égal égalité gleich unentschieden empate pareggio undecided",
}
SENSES = {word: outcome for outcome, words in _SENSES.items() for word in words.split()}
"""What other words say in a column of winners, as a step tells; those of `WORDS` are read as they are."""


_BETTER = re.compile(
    r"(.+?)(?: (?:is|was))?(?: (?:slightly|somewhat|clearly|significantly|much|far|a (?:bit|little|lot)))* "
    r"(?:better|preferred|wins|won)"
)
_EVEN = re.compile(
    r"no (?:preference|difference|winner)|(?:(?:both|about|roughly|nearly|almost|are|is|the|equally) )+"
    r"(?:same|equal|equally|tied?|good|bad)"
)


def word_of(text: str) -> str:
    """A winner as `WORDS` writes it, without the brackets and quotation marks of a list with one text."""
    return text.casefold().strip("[]'\" ")


def _sense_of(text: str, own: Mapping[str, str] = MappingProxyType({})) -> str:
    """The winner that a text means: that of ``own`` words, such as names of sides; empty where it is not sure."""
    word = word_of(text)
    for key in (text.casefold(), plain_name(text)) if len(text) <= LONGEST_SENSE else ():
        if key in own:
            return own[key]
    if found := WORDS.get(word, WORDS.get(word.replace(" ", "_"))):
        return {1.0: "model_a", -1.0: "model_b", 0.0: "tie"}.get(found[0], "abstain")
    if word in SENSES or len(word) > LONGEST_SENSE:
        return SENSES.get(word, "")
    if better := _BETTER.fullmatch(word):
        return _sense_of(better[1], own)
    return "tie" if _EVEN.fullmatch(word) else ""


_UNSURE = dict.fromkeys(("true", "false"), "")


def _senses_in(name: object, sides: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """What words mean in a column of this name: yes is a win for the one side that ``is_a_better`` names.

    What is true is a step of its own, as are numbers; in a column that names no side, it need not be a win.
    """
    words = {*plain_name(str(name)).split("_")}
    one, two = (not words.isdisjoint(side) for side in ("a1", "b2"))
    if one == two or words.isdisjoint(_WON | {"wins", "win", "prefers"}):
        return {**_UNSURE, **sides}
    return {**_UNSURE, **dict(zip(("yes", "no"), _MODELS if one else _MODELS[::-1], strict=True)), **sides}


_VERDICT = re.compile(r"\[\[(.+?)\]\]")


def _has_verdicts(texts: Iterable[str]) -> bool:
    """Whether most texts end with a winner in double brackets, as MT-bench asks a judge to write it."""
    last = [found[-1] if (found := _VERDICT.findall(text)) else None for text in texts]
    return 2 * last.count(None) < len(last) and all(one is None or word_of(one) in WORDS for one in last)


MOST_ROWS = 1000
"""So many rows tell which columns hold the models, and the winners."""
MOST_COLUMNS = 100
"""In a table of more columns, none are looked for that hold models: all pairs of columns are compared."""
LONGEST_STEP = 1000
MOST_CODES = 3
LONGEST_SENSE = 100
"""A longer text is no word for a winner."""
_ROWS = "; give one row for each vote, with columns question_id, model_a, model_b and winner"
_SCORES = (
    "; this table holds scores of systems, not votes on two answers: pass it to tk.read, or give it to the page "
    "Leaderboard of the app"
)
_MODELS = COLUMNS["a"][0], COLUMNS["b"][0]
_WON = frozenset({"chosen", "winner", "won", "better", "preferred", "accepted"})
_TIED = frozenset({"tie", "tied", "ties", "draw", "drawn", "equal"})
_TRUE = {"true": True, "1": True, "1.0": True, "yes": True, "false": False, "0": False, "0.0": False, "no": False}


def usual_names(record: Mapping[Any, Any]) -> dict[str, Any]:
    """The names that a row has for the fields of `COLUMNS`."""
    by_name = {plain_name(str(name)): name for name in record}
    named = {field: next((name for name in names if name in by_name), None) for field, names in COLUMNS.items()}
    return {field: by_name[name] for field, name in named.items() if name is not None}


def say_how_to_rename(named: Mapping[str, Any], rows: Sequence[Mapping[Any, Any]]) -> str:
    """How rows are passed of which two columns hold the same models, in other rows; else, what a table of votes is."""
    every = {name: [str(row.get(name)) for row in rows] for name in rows[0]}
    columns = {*map(str, every)}
    if any(
        len(columns) > 2 and {*cells, str(name)} == columns and str(name) not in cells for name, cells in every.items()
    ):
        return f"; this is a matrix of models, which holds no votes{_ROWS}"
    if "a" not in named and (step := _say_how_to_divide(every, rows[0])):
        return f"; {step}"
    texts = {name: cells for name, cells in every.items() if name not in _some(named, "item", "judge", "turn")}
    both = _some(named, "a", "b")
    shared = (
        {(both[0], both[1]): (True, 1.0)}
        if len(both) == 2
        else {}
        if len(texts) > MOST_COLUMNS
        else {
            (a, b): (named.get("winner") not in (a, b), len({*texts[a]} & {*texts[b]}) / len({*texts[a], *texts[b]}))
            for a, b in combinations(texts, 2)
            if isinstance(rows[0][a], str)
            and not any(map(eq, texts[a], texts[b]))
            and not {*texts[a]}.isdisjoint(texts[b])
        }
    )
    if scored := _find_scores(named, texts):
        shared = {pair: found for pair, found in shared.items() if scored.isdisjoint(pair)}
    if not shared and (pair_of_roles := _find_baseline(texts)):
        shared = {pair_of_roles: (True, 1.0)}
    if not shared:
        return _SCORES if len(scored) > 1 else _say_how_to_pair(named, texts) or _ROWS
    pair = max(shared, key=lambda one: shared[one])
    names = dict(zip(pair, _MODELS, strict=True))
    rest = {name: cells for name, cells in texts.items() if name not in (*pair, named.get("winner"))}
    won = [name for name in pair if not _WON.isdisjoint(plain_name(str(name)).split("_"))]
    sides = {plain_name(str(name)): side for name, side in names.items()}
    winners = _find_winners(rest, [texts[name] for name in pair], sides)
    found = named.get("winner", winners[0] if len(winners) == 1 else None)
    said, step = "pass ", ""
    if len(won) == 1:
        said, step = f"if {won[0]} won each time, pass ", f".assign(winner={names[won[0]]!r})"
        if ties := [name for name in rest if not _TIED.isdisjoint(plain_name(str(name)).split("_"))]:
            meant = {}
            for text in dict.fromkeys(rest[ties[0]]):
                is_tie = _TRUE.get(word_of(text))
                meant[text.casefold()] = "…" if is_tie is None else "tie" if is_tie else names[won[0]]
            said = f"if {won[0]} won each time but where {ties[0]} says that nobody did, pass "
            step = f".assign(winner=FRAME[{ties[0]!r}].astype(str).str.casefold().map({meant}))"
    elif found is not None:
        if "winner" not in named:
            said, rest = f"if {found} says who won, pass ", {name: rest[name] for name in rest if name != found}
            names[found] = "winner"
        other = _find_others(found, texts[found], [texts[name] for name in pair], sides)
        step = f".replace({{{names.get(found, found)!r}: {other}}})" if other else ""
    items = [] if "item" in named else _find_items(rest, [texts[name] for name in pair])
    names = {name: new for name, new in names.items() if name != new} | dict.fromkeys(items, "item")
    item = ".assign(item=range(len(FRAME)))" * ("item" not in [*named, *names.values()])
    return f"; {said}FRAME{f'.rename(columns={names})' * bool(names)}{step}{item}"


def _find_others(
    name: Any, texts: Iterable[str], models: Iterable[list[str]], sides: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """The winners that words in a column mean, other than models and those of `WORDS`, which are read as they are."""
    own, known = _senses_in(name, sides), {*chain.from_iterable(models)}
    meant = {text: _sense_of(text, own) for text in dict.fromkeys(texts) if text not in known}
    return {
        text: winner
        for text, winner in meant.items()
        if word_of(text) not in ABSTENTIONS and WORDS.get(word_of(text)) != WORDS[winner]
    }


_BASELINE = re.compile(r"baseline(_model|_system)?|(base|reference)_(model|system)|opponent|competitor")


def _find_baseline(texts: Mapping[Any, list[str]]) -> tuple[Any, Any] | None:
    """The columns of a model and of the one it is compared with, if their names say so."""
    bases = [name for name in texts if _BASELINE.fullmatch(plain_name(str(name)))]
    models = [name for name in texts if plain_name(str(name)) in ALIASES["system"]]
    if len(bases) == len(models) == 1 and not any(map(eq, texts[models[0]], texts[bases[0]])):
        return models[0], bases[0]
    return None


def _find_scores(named: Mapping[str, Any], texts: Mapping[Any, Sequence[str]]) -> set[Any]:
    """The columns of numbers in rows for one system and item each; none where a pair of systems is named."""
    systems = [name for name in texts if plain_name(str(name)) in ALIASES["system"]]
    if len(systems) != 1 or "item" not in named or not {"a", "b"}.isdisjoint(named):
        return set()
    cells = {name: pd.to_numeric(pd.Series(texts[name]), errors="coerce") for name in texts if name not in systems}
    return {name for name, numbers in cells.items() if numbers.notna().mean() > 0.5}


def _say_how_to_pair(named: Mapping[str, Any], texts: Mapping[Any, list[str]]) -> str:
    """How rows with a rank or score of one system each become votes on all pairs of systems."""
    keys = _some(named, "item", "judge", "turn")
    systems = [name for name in texts if plain_name(str(name)) in ALIASES["system"]]
    numbers = [name for name, cells in texts.items() if all(map(_NUMBER.fullmatch, cells)) and name not in systems]
    if not systems and len(numbers) > 1 and keys and "item" in named:
        step = f"FRAME.melt({keys}, {numbers}, var_name='model', value_name='score')"
        return f"; if {some_of(numbers)} are systems with a rank or score each, pass {step}"
    if len(systems) != 1 or len(numbers) != 1 or "item" not in named:
        return ""
    [system], [score] = systems, numbers
    rows = f"FRAME[{[*keys, system, score]}].rename(columns={ {system: 'model', score: 'score'} })"
    pairs = f".pipe(lambda f: f.merge(f, on={keys}, suffixes=('_a', '_b'))).query('model_a < model_b')"
    lower = f"{rows}.assign(score=lambda f: -f['score']){pairs}"
    return f"; if the lower {score} wins, pass {lower}, and if the higher wins, {rows}{pairs}"


_PAIR_OF_MODELS = re.compile(r"((?:(?! vs\.? |_vs_|-vs-).)+)( vs\.? |_vs_|-vs-)((?:(?!\2).)+)", re.IGNORECASE)


def _say_how_to_divide(texts: Mapping[Any, Sequence[str]], record: Mapping[Any, Any]) -> str:
    """How a column whose cells name both models, or an object with a list of votes for each pair, gets two columns."""

    def find_mark(cells: Iterable[Any]) -> str:
        marks = {found[2] if (found := _PAIR_OF_MODELS.fullmatch(str(cell))) else "" for cell in cells}
        return marks.pop() if len(marks) == 1 else ""

    if all(isinstance(cell, list) for cell in record.values()) and (mark := find_mark(record)):
        pairs = f"for pair, rows in json.load(open(PATH)).items() for a, b in [pair.split({mark!r})] for row in rows"
        return f"pass [{{**row, 'model_a': a, 'model_b': b}} {pairs}]"
    wide = [name for name in record if find_mark([name])]
    if mark := find_mark(wide):
        rest = [name for name in record if name not in wide]
        part = f"f['pair'].str.split({mark!r}, regex=False).str"
        parts = f"model_a={part}[0], model_b={part}[1]"
        step = f"FRAME.melt({rest}, {wide}, var_name='pair', value_name='winner').dropna(subset=['winner'])"
        return f"if the cells say who won, pass {step}.pipe(lambda f: f.assign({parts}))"
    for name, cells in texts.items():
        if mark := find_mark(cells):
            part = f"FRAME[{name!r}].str.split({mark!r}, regex=False).str"
            return f"pass FRAME.assign(model_a={part}[0], model_b={part}[1])"
    return ""


def may_say_order(name: str, winners: Collection[str]) -> bool:
    """Whether a column, which does not hold winners, may say which answer was shown first: by its name, and by them."""
    plain = plain_name(name)
    return plain in ORDERS or not (PLACES if FIRST.isdisjoint(plain.split("_")) else SIDES).isdisjoint(winners)


def say_how_to_use_order(name: str, seen: Collection[str], pair: Sequence[str]) -> str:
    """What to say of a column that may tell which answer was shown first; empty where all were shown in one order.

    Of a column that names the answer shown first, that of ``pair`` was ``seen``.
    """
    found = [text for text in seen if text.casefold() not in EMPTY]
    true = [text for text in found if text.casefold().removesuffix(".0") not in ("false", "0", "no", "n", "f")]
    words = {*plain_name(name).split("_")}
    is_flag = plain_name(name) in FLAGS
    if not (true if is_flag else len(found) == 2):
        return ""
    a, b = pair
    if {*found} == {a, b}:
        first = a if words & {"second", "right", "last"} else b
        where = f"names that of {first}"
        rows = f"(FRAME[{name!r}].astype(str) == FRAME[{first!r}].astype(str)) | (FRAME[{name!r}] == {first!r})"
    else:
        if "first" in words and {"a", "1"} & words and all(word_of(text) in _TRUE for text in found):
            is_flag, true = True, [text for text in found if text not in true]
        rows = f"FRAME[{name!r}].astype(str).isin([{', '.join(map(repr, true)) if is_flag else '…'}])"
        where = f"is {' or '.join(true)}" if is_flag else f"is … ({' or '.join(found)})"
    sides = ", ".join(f"{one!r}: FRAME[{one!r}].mask({rows}, FRAME[{other!r}])" for one, other in ((a, b), (b, a)))
    return (
        f"{name} is not used: took the answer of {a} as shown first in every row; if that of {b} was shown first "
        f"where {name} {where}, and winners are places or names of models, pass FRAME.assign(**{{{sides}}})"
        f".drop(columns={name!r}); if {a} and {b} as winners mean the columns, pass FRAME.drop(columns={name!r})"
    )


BESIDE = re.compile(r".+_(winner|verdict|vote|preference|choice)|(winner|verdict|vote|preference|choice)_.+")
"""Names of columns that may hold the winners of another judge, beside the one that is read."""


def say_how_to_use_winners(name: str, used: str, seen: Collection[str], keys: Sequence[str]) -> str:
    """What to say of a column with winners beside the one that is ``used``; empty where its texts are none."""
    texts = [text for text in seen if text.casefold() not in EMPTY]
    if not texts or not all(map(_sense_of, texts)):
        return ""
    step = f"FRAME.melt({[*keys]}, {[used, name]}, 'judge', 'won').rename(columns={{'won': 'winner'}})"
    return f"{name} is not used, {used} says who won; if {name} has another judge's votes, pass {step}"


def _find_items(texts: Mapping[Any, list[str]], models: list[list[str]]) -> list[Any]:
    """The column that may name the items: of the most usual name; else the only one, or one that repeats over pairs."""
    usual = {name: plain_name(str(name)) for name in texts}
    if named := [name for name in texts if usual[name] in ALIASES["segment"]]:
        return [min(named, key=lambda name: ALIASES["segment"].index(usual[name]))]
    found = [
        name
        for name, cells in texts.items()
        if len(texts) == 1
        or (min(Counter(cells).values()) > 1 and len({*zip(cells, *models, strict=True)}) == len(cells))
    ]
    return found if len(found) == 1 else []


def _some(named: Mapping[str, Any], *fields: str) -> list[Any]:
    """The names of those fields that are there."""
    return [named[field] for field in fields if field in named]


def _find_winners(
    texts: Mapping[Any, list[str]], models: list[list[str]], sides: Mapping[str, str] = MappingProxyType({})
) -> list[Any]:
    """The columns each of whose texts is one of both models of its row, or means a winner."""
    return [
        name
        for name, cells in texts.items()
        for own in [_senses_in(name, sides)]
        if all(text in pair or _sense_of(text, own) for text, *pair in zip(cells, *models, strict=True))
        and not ABSTENTIONS.issuperset(map(word_of, cells))
    ]


def say_how_to_name_winners(record: Mapping[Any, Any], named: Mapping[str, Any], rows: Iterable[Any]) -> str:
    """How a table is passed whose winners stand in other columns, by all rows where one has numbers."""
    rows = (one for one in rows if isinstance(one, Mapping))
    first = [record, *islice(rows, MOST_ROWS)]
    keys = _some(named, "item", "a", "b", "turn")
    others = [name for name in record if name not in [*keys, *_some(named, "judge")]]
    texts = {name: [str(one.get(name)) for one in first] for name in (*others, *_some(named, "a", "b"))}
    models = [texts.pop(name) for name in _some(named, "a", "b")]
    said = {name: {*map(word_of, texts[name])} - ABSTENTIONS for name in others}
    numbers = [name for name, found in said.items() if found and all(map(_DIGITS.fullmatch, found))]
    numbers = numbers or [name for name, found in said.items() if found == {"true", "false"}]
    if counts := _say_how_to_count(numbers, texts, keys):
        return f"pass {counts}"
    if len(scored := find_scores_of_judges(numbers)) > 1:
        step = say_how_to_stack(keys, scored)
        return f"if {some_of([*scored])} are judges, and the higher score wins, pass {step}"
    winners = _find_winners(texts, models)
    if len(winners) > 1:  # two that name a side each are no judges
        winners = [name for name in winners if "yes" not in _senses_in(name)]
    if winners:
        other = dict[str, str]()
        for name in winners:
            other |= _find_others(name, texts[name], models)
        more = f".astype({{'winner': str}}).replace({{'winner': {other}}})" if other else ""
        if len(winners) == 1:
            return f"if {winners[0]} says who won, pass FRAME.rename(columns={{{winners[0]!r}: 'winner'}}){more}"
        step = f"FRAME.melt({keys}, {winners}, var_name='judge', value_name='winner'){more}"
        return f"if {', '.join(map(str, winners))} are judges, pass {step}"
    if verdict := next((name for name, cells in texts.items() if _has_verdicts(cells)), ""):
        return f"pass FRAME.assign(winner=FRAME[{verdict!r}].str.findall({_VERDICT.pattern!r}).str[-1])"
    codes = [name for name in numbers if len(said[name]) <= MOST_CODES and not _is_side(name)]
    step = f"pass FRAME.melt({keys}, {codes}, var_name='judge', value_name='winner')"
    judges = f"if {some_of(codes)} are judges, whose numbers say who won, {step}; " * (len(codes) > 1)
    if len(numbers) == 1:
        return _say_how_to_place(numbers[0], "winner", (one.get(numbers[0]) for one in chain(first, rows)))
    two = [(str(name), f"FRAME[{name!r}]") for name in numbers]
    lists = [name for name in others if _TWO_NUMBERS.fullmatch(str(record[name]).strip())]
    if len(lists) == 1 and len(two) != 2:
        cells = f"FRAME[{lists[0]!r}].astype(str).str.findall({_IN_LIST!r}).str"
        two = [(f"{lists[0]}[{at}]", f"{cells}[{at}].astype(float)") for at in range(2)]
    if len(two) == 2:
        (name_a, score_a), (name_b, score_b) = two
        step, lower = (f"FRAME.assign(score_a={sign}{score_a}, score_b={sign}{score_b})" for sign in ("", "-"))
        return f"{judges}if the higher of {name_a} and {name_b} wins, pass {step}, and if the lower wins, {lower}"
    return (
        judges.removesuffix("; ")
        or "write who won into a column winner: model_a, model_b, tie, or the name of one of both models"
    )


def find_scores_of_judges(names: Iterable[Any]) -> dict[str, list[Any]]:
    """The two columns with a judge's scores of both answers, by the judge that their names say, as in gpt4_score_a."""
    found = dict[str, dict[bool, Any]]()
    for name in names:
        words = plain_name(str(name)).split("_")
        sides = [word for word in words if word in ("a", "b", "1", "2")]
        who = "_".join(word for word in words if word not in sides and word not in _SCORED)
        if len(sides) == 1 and who and not _SCORED.isdisjoint(words):
            found.setdefault(who, {})[sides[0] in ("b", "2")] = name
    return {who: [two[False], two[True]] for who, two in found.items() if len(two) == 2}


def say_how_to_stack(keys: Sequence[Any], judges: Mapping[str, Sequence[Any]]) -> str:
    """How the scores of several judges in one row become a row for each."""
    listed = [(who, *two) for who, two in judges.items()]
    row = f"FRAME[{[*keys]}].assign(judge=judge, score_a=FRAME[a], score_b=FRAME[b])"
    return f"pandas.concat([{row} for judge, a, b in {listed}])"


def say_how_to_use_scores(judges: Mapping[str, Sequence[Any]], used: str, keys: Sequence[str]) -> str:
    """What to say of scores of judges beside the winners that are ``used``."""
    names = [name for two in judges.values() for name in two]
    step = f"pandas.concat([FRAME.drop(columns={names}), {say_how_to_stack(keys, judges)}])"
    return f"{' and '.join(names)} are not used, {used} says who won; if they are of another judge, pass {step}"


_SCORED = frozenset({"score", "scores", "rating", "ratings", "grade", "points"})
_DIGITS = re.compile(r"[+-]?\d+(\.\d+)?")
_RATERS = re.compile(r"(judge|rater|annotator|human|expert|worker|assessor|evaluator)s?\d*")


def _is_side(name: Any) -> bool:
    """Whether a column's name is that of one of both answers, and of no rater."""
    words = plain_name(str(name)).split("_")
    is_named = any(word in ("1", "2") or abs(WORDS.get(word, (0.0,))[0]) == 1 for word in words)
    return is_named and not _RATERS.fullmatch(words[0])


_TWO_NUMBERS = re.compile(r"[\[(]\s*[-+]?\d[-+.e\d]*\s*,\s*[-+]?\d[-+.e\d]*\s*[\])]")
_IN_LIST = r"[-+]?\d[-+.e\d]*"


def _say_how_to_count(numbers: Iterable[Any], texts: Mapping[Any, list[str]], keys: Sequence[Any]) -> str:
    """How three columns, of who won or of how many voted for either model and for a tie, become winners."""
    named = dict(zip((*_MODELS, "tie"), ({"a", "1"}, {"b", "2"}, _TIED), strict=True))
    found = [(name, {*plain_name(str(name)).split("_")}) for name in numbers]
    sides = {name: side for name, words in found for side, one in named.items() if words & one}
    if sorted(sides.values()) != sorted(named):
        return ""
    counts = pd.DataFrame({name: pd.to_numeric(pd.Series(texts[name]), errors="coerce") for name in sides}).fillna(0)
    columns = [*sides]
    if counts.sum(axis=1).max() <= 1:
        won = f"FRAME[{columns}].idxmax(axis=1).where(FRAME[{columns}].any(axis=1))"
        return f"FRAME.assign(winner={won}.replace({sides}))"
    step = f"FRAME.melt({[*keys]}, {columns}, var_name='winner', value_name='votes').replace({{'winner': {sides}}})"
    return f"{step}.pipe(lambda f: f.loc[f.index.repeat(f['votes'].fillna(0).astype(int))])"


MOST_WORDS = 12
"""Maximum number of unknown words for winners that a step lists."""

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?|true|false", re.ASCII | re.IGNORECASE)


def say_how_to_write_winners(name: str, unknown: Sequence[str], models: Iterable[str], known: Collection[float]) -> str:
    """How a table is passed whose column of winners holds unknown words; empty where there are too many of them."""
    if all(map(math.isnan, known)) and all(map(_NUMBER.fullmatch, unknown)):
        return f"; {_say_how_to_place(name, 'winner' if plain_name(name) == 'preference' else name, unknown)}"
    if _has_verdicts(unknown):
        last = f"FRAME[{name!r}].str.findall({_VERDICT.pattern!r}).str[-1].fillna(FRAME[{name!r}])"
        return f"; pass FRAME.assign(**{{{name!r}: {last}}})"
    folded = {model.casefold(): model for model in models}
    meant = {text: _sense_of(text, folded) for text in unknown}
    said = ", ".join(f"{text!r} means {word}" for text, word in meant.items() if word and text.casefold() not in folded)
    step = (f"if {said}, " if said else "") + _say_how_to_replace(name, name, meant)
    return f"; {step}" if len(step) <= LONGEST_STEP and len(unknown) <= MOST_WORDS else ""


def _say_how_to_replace(name: str, column: str, meant: Mapping[str, str]) -> str:
    """How the words of one column are written as winners into another; what has no sense is left to be filled in.

    Until somebody does so, the step is no Python.
    """
    values = ", ".join(f"{text!r}: {repr(word) if word else '…'}" for text, word in meant.items())
    fill = "" if all(meant.values()) else "write 'model_a', 'model_b', 'tie' or 'abstain' for each …, and "
    return f"{fill}pass FRAME.assign(**{{{column!r}: FRAME[{name!r}].astype(str).replace({{{values}}})}})"


def _say_how_to_place(name: str, column: str, cells: Iterable[Any]) -> str:
    """How numbers become winners: those on one side of the middle of their scale, whichever that is.

    The middle is .5 of numbers from 0 to 1, as of Elo's ratings, 0 where some are below it, and that of scales from 1
    to 2, 5, 7 or 9. Of other scales it is not known, and three whole numbers from 0 or 1 on may be any codes.
    """
    texts = pd.Series([*cells], dtype=object).dropna().astype(str)
    found = pd.to_numeric(texts.replace({"True": "1", "False": "0"}), errors="coerce").dropna()
    low, high = found.min(), found.max()
    if {*found} in ({0, 1, 2}, {1, 2, 3}):
        return _say_how_to_replace(name, column, dict.fromkeys(sorted({*texts}), ""))
    scale, fill, middle = "", "", "0"
    if low >= 0 and high <= 1:
        middle = ".5"
    elif low == 1 and high in (2, 5, 7, 9):
        scale, middle = f"the scale of {name} is 1 to {high:g} and it", f"{(1 + high) / 2:g}"
    elif low >= 0:
        middle, fill = "(LOWEST + HIGHEST) / 2", "write the ends of the scale for LOWEST and HIGHEST and "
    step, reverse = (
        f"FRAME.assign(**{{{column!r}: FRAME[{name!r}].astype(float).map(lambda n: {a!r} if n > {middle} else {b!r} "
        f"if n < {middle} else 'tie', na_action='ignore')}})"
        for a, b in (_MODELS, _MODELS[::-1])
    )
    said = f"if {scale or name} is above {middle} where model_a wins and below it where model_b wins, {fill}pass {step}"
    return f"{said}, and if it is the other way round, {reverse}"
