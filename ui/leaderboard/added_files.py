"""Which files did the user put beside the set, and what did he say of them? Kept while the page changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.errors import collect_warnings
from tiekit.readers import Choice, Choices, Format, recognize
from ui.work.text import plain

UNNAMED = ("", "score", "scores", "metric")
"""Names that readers give to a metric whose file does not name it."""

MOST_NAMED = 6
"""Of so many metrics in one file the user can change the names."""

AS_NAMED = "as the file says"
UNCHOSEN = "choose a column"

Note = tuple[type[tk.TiekitWarning], str]


@dataclass(eq=False)
class AddedFiles:
    """Files that belong together, by name, and the state of the controls about them."""

    number: int
    files: Mapping[str, bytes]
    answers: dict[str, Any] = field(default_factory=dict)
    read: tuple[Any, tk.EvalSet, list[Note]] | None = None
    joined: tuple[Any, tk.EvalSet, list[Note]] | None = None

    def ask(self, what: str, usual: Any, draw: Callable[[str], Any], options: Sequence[str] | None = None) -> Any:
        """Draw a control by its key and return its value; a value that is no option any more is the usual one."""
        key, state = f"added {self.number} {what}", st.session_state
        held = state.get(key, self.answers.get(what, usual))
        if options is not None and not set(held if isinstance(held, list) else [held]) <= set(options):
            held = usual
        state[key] = held
        self.answers[what] = draw(key)
        return self.answers[what]

    def choose(self, what: str, label: str, options: Sequence[str], usual: str) -> str:
        """Let the user choose one of several options."""
        return str(self.ask(what, usual, lambda key: st.selectbox(label, options, key=key), options))

    @property
    def label(self) -> str:
        """The names of the files, or of the first of many."""
        names = list(self.files)
        return ", ".join(names[:3]) + f" and {len(names) - 3} more" * (len(names) > 3)

    def choices(self, entry: Format, data: tk.EvalSet) -> Choices:
        """Let the user answer what the format asks and the set does not; human scores are left out."""
        likely = {data.language_pair, data.name, data.standard_reference}
        answers: Choices = {}
        for one in entry.questions(self.files, answers):
            options, what = one.options, f"{entry.name} {one.argument}"
            if one.argument == "score_column":
                return {one.argument: self.column(what, one)}
            if one.argument == "human":
                answers["human"] = () if set(one.usual) == set(options) else one.usual
            elif one.several:
                chosen = self.ask(what, list(one.usual), partial(_choose_several, one), options)
                answers[one.argument] = tuple(chosen) or one.usual
            else:
                usual = next((name for name in options if name in likely), options[0])
                answers[one.argument] = usual if len(options) == 1 else self.choose(what, one.label, options, usual)
        return answers

    def column(self, what: str, one: Choice) -> str:
        """Let the user choose the column of scores in a file without a header; refuse the file until then."""
        chosen = self.choose(what, one.label, [UNCHOSEN, *one.options], UNCHOSEN)
        if chosen == UNCHOSEN:
            raise tk.InputError(one.needed)
        return chosen

    def scores(self, entry: Format, answers: Choices) -> tuple[tk.EvalSet, list[Note]]:
        """Read the files, once for each format and its answers."""
        key = entry.name, repr(answers)
        if self.read is None or self.read[0] != key:
            with collect_warnings() as said:
                self.read = key, tk.read(self.files, format=entry.name, **answers), said
        return self.read[1:]

    def describe(self, scores: tk.EvalSet, data: tk.EvalSet) -> dict[str, Any]:
        """Let the user name the metrics, their only system and their direction; what the file says is left out."""
        found = list(scores.metrics) or [name for name in scores.human if name not in data.human]
        names, given = dict[str, str](), dict[str, Any]()
        for name in found[:MOST_NAMED]:
            usual = usual_name(name, self.files, {**data.metrics, **dict.fromkeys(names.values())})
            label = "Name" if len(found) == 1 else f"Name of {plain(name)}"
            typed = self.ask(f"name {name}", usual, partial(_type_name, label))
            names[name] = typed.strip() or usual
        renamed = {old: new for old, new in names.items() if old != new}
        if renamed:
            given |= {"name": renamed[found[0]]} if len(found) == 1 else {"names": renamed}
        if len(scores.systems) == 1 and len(scores.segments) == len(data.segments):
            system = self.choose("system", "System whose scores these are", [AS_NAMED, *data.systems], AS_NAMED)
            given |= {"system": system} if system != AS_NAMED else {}
        if self.ask("lower", False, lambda key: st.toggle("Lower is better", key=key)):
            given["lower_is_better"] = True
        return given

    def join(self, data: tk.EvalSet, scores: tk.EvalSet, given: Mapping[str, Any]) -> tuple[tk.EvalSet, list[Note]]:
        """Put the scores beside those of the set, once for each set and what was said of them."""
        key = data.digest, tuple(data.metrics), scores.digest, repr(given), id(scores)
        if self.joined is None or self.joined[0] != key:
            with collect_warnings() as said:
                self.joined = key, data.with_scores(scores, **given), said
        return self.joined[1:]


def _choose_several(one: Choice, key: str) -> list[str]:
    return st.multiselect(one.label, one.options, key=key)


def _type_name(label: str, key: str) -> str:
    return st.text_input(label, key=key)


def group_files(given: Sequence[tuple[str, bytes]]) -> list[dict[str, bytes]]:
    """Return the files that belong together: all if they are of one format that is several files, else each alone."""
    files = dict(given)
    entry = recognize(files)
    if len(files) == len(given) and entry is not None and entry.several:
        return [files]
    return [{name: content} for name, content in given]


def usual_name(metric: str, files: Mapping[str, bytes], taken: Mapping[str, object]) -> str:
    """Return a name that no metric has: the one in the file, else that of the file, else with a number."""
    stem = PurePath(next(iter(files)).removesuffix(".gz")).name.split(".")[0] or metric or "metric"
    first = stem if metric in UNNAMED else metric
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (first, stem, *numbered) if name not in taken)
