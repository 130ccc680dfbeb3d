"""How do scores of the user, a metric's or people's, come beside those of the set? What matched is said beside them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.readers import (
    FORMATS,
    UNNAMED,
    Choice,
    Choices,
    Format,
    unclear_columns,
)
from ui.evalset import sources, upload
from ui.evalset.sources import OpenSet
from ui.link import controls, link, own_data
from ui.work import downloads, upload_quota
from ui.work.reader_process import Addition, belong_together, join
from ui.work.reader_words import AS_IT_IS, STEP, on_page, steps_of
from ui.work.sizes import size_of
from ui.work.text import plain

EXAMPLE, LONGEST_EXAMPLE = "example.seg.score", 10_000_000
"""A file that shows how scores can be given, and the most letters that it may have."""

WANTED = "add_scores"
"""The link's key that opens the place for one's own scores above everything else."""

LINK = "added"
"""The link's key for the added files."""

MOST_NAMED = 6
"""Of so many metrics in one file the user can change the names."""

TOO_MUCH = (
    "With these scores the session would hold more than 256 MB. Remove them and others, then give the file again."
)

OF_SET = "systems", "segments"
"""The arguments of readers that the set answers with its names."""

AS_NAMED = "as the file says"
UNCHOSEN = "choose a column"
OF_METRIC, OF_PEOPLE = "a metric", "people"
"""Whose scores files may hold."""

MOST_ADDED = 100
"""Maximum number of files, or groups of files that belong together, that are added to a set: each has a box."""

TOO_MANY = (
    f"With these there would be more than {MOST_ADDED} files beside the set, so none of them was taken. "
    "Put the scores of several metrics into one table, a column for each, or remove some of the files above."
)

Note = tuple[type[tk.TiekitWarning], str]


_Given = tuple[int, list[tuple[str, bytes]], list[upload_quota.Kept]]
"""Files as they were chosen, with the number of the first and what counts each."""


@dataclass(eq=False)
class AddedFiles:
    """Files that belong together, by name, and the state of the controls about them."""

    number: int
    files: Mapping[str, bytes]
    answers: dict[str, Any] = field(default_factory=dict)
    counted: list[upload_quota.Kept] = field(default_factory=list)
    made: dict[str, tuple[Any, Any, list[Note], upload_quota.Kept]] = field(default_factory=dict)
    joined: tuple[Any, tk.EvalSet, upload_quota.Kept] | None = None
    steps: dict[str, Choices] = field(default_factory=dict)
    is_stale: bool = False

    def ask(self, what: str, usual: Any, draw: Callable[..., Any], options: Sequence[str] | None = None) -> Any:
        """Draw a control with its key and return its value; a value that is no option any more is the usual one."""
        key, state = f"added {self.number} {what}", st.session_state
        held = state.get(key, self.answers.get(what, usual))
        if options is not None and not set(held if isinstance(held, list) else [held]) <= set(options):
            held = usual
        state[key] = held
        self.answers[what] = draw(key=key)
        return self.answers[what]

    def choose(self, what: str, label: str, options: Sequence[str], usual: str) -> str:
        """Let the user choose one of several options."""
        return str(self.ask(what, usual, partial(st.selectbox, label, options), options))

    @property
    def identity(self) -> tuple[str, int]:
        """What tells the files from others of the same names."""
        return "added", self.number

    @property
    def digest(self) -> str | None:
        """The digits by which a link names the scores; None until they are read."""
        return self.made["scores"][1][0][:12] if "scores" in self.made else None

    @property
    def label(self) -> str:
        """The names of the files, or of the first of many."""
        names = list(self.files)
        return ", ".join(names[:3]) + f" and {len(names) - 3} more" * (len(names) > 3)

    def choose_step(self) -> Choices:
        """Let the user take a step that a refusal of these files names; its arguments, none where none is taken."""
        if not self.steps:
            return {}
        return self.steps.get(self.choose("step", STEP, [AS_IT_IS, *self.steps], AS_IT_IS), {})

    def word(self, message: str, entry: Format, code: str) -> str:
        """Return a message in the words of the page, and offer its steps; the set is read by this code."""
        new = steps_of(message, entry)
        self.is_stale |= not new.keys() <= self.steps.keys()
        self.steps |= new
        return on_page(message, new, code)

    def offer_new_steps(self) -> None:
        """Draw the page again if there are steps that the control above does not offer."""
        if self.is_stale:
            self.is_stale = False
            st.rerun()

    def choices(self, entry: Format, data: tk.EvalSet, step: Choices) -> Choices:
        """Answer what the set knows, and let the user answer what else the format asks; human scores are left out."""
        answers = {**entry.known_answers({"systems": data.systems, "segments": tuple(data.segments)}), **step}
        files = self.files if entry.several else dict([next(iter(self.files.items()))])
        use, key, asked = Addition(data, self.files), partial(self.key, entry, data), []
        identity = *self.identity, data.digest, repr(step)
        for one in upload.questions(entry, files, identity, answers, use, key):
            options, what, usual = one.options, f"{entry.name} {one.argument}", use.usual(one)
            asked.append(one)
            if one.argument == "score_column":
                return {**answers, one.argument: self.column(what, one)}
            if one.argument == "human" or (not one.several and len(options) == 1):
                answers[one.argument] = usual
            elif one.several:
                chosen = self.ask(what, list(usual), partial(st.multiselect, one.label, options), options)
                answers[one.argument] = tuple(chosen) or one.usual
                if not chosen and (unclear := unclear_columns(one)):
                    raise tk.InputError(f"Choose the columns with the metric's scores; {unclear[0]} may be people's.")
            else:
                answers[one.argument] = self.choose(what, one.label, options, usual)
        return use.tell(asked, answers) or {}

    def column(self, what: str, one: Choice) -> str:
        """Let the user choose the column of scores in a file without a header; refuse the file until then."""
        chosen = self.choose(what, one.label, [UNCHOSEN, *one.options], UNCHOSEN)
        if chosen == UNCHOSEN:
            raise tk.InputError(one.needed)
        return chosen

    def key(self, entry: Format, data: tk.EvalSet, told: Choices) -> Hashable:
        """What tells the scores that are read for a set from others."""
        return *self.identity, entry.name, upload.digest_of(_without_names(told)), data.digest

    def make(self, what: str, key: Any, call: Callable[[], Any]) -> tuple[Any, list[Note]]:
        """Return what a call makes of the files, and its warnings: once for each key, in the process that reads."""
        if what not in self.made or self.made[what][0] != key:
            self.made[what] = key, *upload_quota.read(call, self.files, key)
        return self.made[what][1:3]

    def scores(
        self, entry: Format, answers: Choices, data: tk.EvalSet
    ) -> tuple[tk.EvalSet | tk.TiekitError, list[Note]]:
        """Read the files by the names of a set, or say why they fit none: once for each set, format and its answers."""
        key = self.key(entry, data, answers)
        (digest, scores), said = self.make("scores", key, Addition(data, self.files).reads(entry, self.files, answers))
        if not isinstance(scores, tk.TiekitError) and _bytes_held() > upload_quota.MOST_BYTES:
            scores = tk.InputError(TOO_MUCH)
            self.made["scores"] = key, (digest, scores), said, upload_quota.hold(0)
        return scores, said

    @property
    def held(self) -> int:
        """The bytes in memory of the files and their scores: as read, as joined, and in the set, which copies all."""
        read = self.made["scores"][1][1] if "scores" in self.made else None
        sets = [read, read, self.joined[1] if self.joined else None]
        held = [
            one
            for data in sets
            if isinstance(data, tk.EvalSet)
            for one in (*data.human.values(), *data.metrics.values())
        ]
        return sum(map(len, self.files.values())) + sum(matrix.nbytes for matrix in held)

    def are_of_people(self, scores: tk.EvalSet) -> bool:
        """Let the user say whose scores these are; usually people's where the files hold no metric."""
        usual = OF_PEOPLE if scores.human and not scores.metrics else OF_METRIC
        return self.choose("whose", "Whose scores are these?", [OF_METRIC, OF_PEOPLE], usual) == OF_PEOPLE

    def describe(self, scores: tk.EvalSet, data: tk.EvalSet, of_people: bool) -> dict[str, Any]:
        """Let the user name the scores, their only system and their direction; what the file says is left out."""
        found = list(scores.metrics) or [name for name in scores.human if name not in data.human]
        found, taken = (list(scores.human) or found, data.human) if of_people else (found, data.metrics)
        names, given = dict[str, str](), dict[str, Any]()
        for name in found[:MOST_NAMED]:
            usual = usual_name(name, self.files, {**taken, **dict.fromkeys(names.values())})
            label = "Name" if len(found) == 1 else f"Name of {plain(name)}"
            typed = self.ask(f"name {name}", usual, partial(st.text_input, label, max_chars=200))
            names[name] = typed.strip() or usual
        renamed = {old: new for old, new in names.items() if old != new}
        if renamed:
            given |= {"name": renamed[found[0]]} if len(found) == 1 else {"names": renamed}
        if len(scores.systems) == 1 and len(scores.segments) == len(data.segments):
            system = self.choose("system", "System whose scores these are", [AS_NAMED, *data.systems], AS_NAMED)
            given |= {"system": system} if system != AS_NAMED else {}
        if self.ask("lower", False, partial(st.toggle, "Lower is better")):
            given["lower_is_better"] = True
        return given

    def join(
        self, data: tk.EvalSet, scores: tk.EvalSet, given: Mapping[str, Any], of_people: bool
    ) -> tuple[tk.EvalSet, list[Note]]:
        """Put the scores beside those of the set, once for each set and what was said of them."""
        asked = upload.digest_of({"metrics": tuple(data.metrics), "people": of_people, **given})
        key = *self.identity, data.digest, asked, scores.digest, id(scores)
        fields, said = self.make("joined", key, partial(join, data, scores, given, of_people))
        if self.joined is None or self.joined[0] is not fields:
            both = {kind: {**getattr(data, kind), **fields[kind]} for kind in ("human", "metrics")}
            joined = replace(data, **fields | both)
            self.joined = fields, joined, upload_quota.hold(size_of(joined))
        return self.joined[1], said


def _without_names(answers: Choices) -> Choices:
    """Answers without those that the set gives, which has many names."""
    return {name: answer for name, answer in answers.items() if name not in OF_SET}


def _bytes_held() -> int:
    """The bytes in memory of all that the session has added, beside whichever set."""
    return sum(one.held for of_set in st.session_state.get("added_files", {}).values() for one in of_set)


def group_files(given: Sequence[tuple[str, bytes]], systems: Sequence[str] = ()) -> list[dict[str, bytes]]:
    """Return the files that belong together, else each alone.

    All do if they are of one format that is several files, or if each is named after another one of the systems.
    """
    files = dict(given)
    with suppress(tk.ReadError):  # each by itself takes less to be recognized
        if 1 < len(files) == len(given) and upload.read_firsts(partial(belong_together, systems=systems), files):
            return [files]
    return [{name: content} for name, content in given]


def usual_name(metric: str, files: Mapping[str, bytes], taken: Mapping[str, object]) -> str:
    """Return a name that no metric has: the one in the file, else that of the file, else with a number."""
    stem = PurePath(next(iter(files)).removesuffix(".gz")).name.split(".")[0] * (len(files) == 1) or metric or "metric"
    first = stem if metric in UNNAMED else metric
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (first, stem, *numbered) if name not in taken)


def add_metrics(opened: OpenSet, place: AbstractContextManager[Any], notice: AbstractContextManager[Any]) -> OpenSet:
    """Let the user add metrics and human scores to the open set in ``place``; return the set with them.

    What is asked stands in a popover, unless the link has come for it.

    Files that the link names and that are not here are asked for in ``notice``.
    """
    scope = f"{opened.data.name} {opened.data.language_pair}"
    added: list[AddedFiles] = st.session_state.setdefault("added_files", {}).setdefault(scope, [])
    found, named = opened, own_data.files_of_link(LINK, scope)
    with place:
        box = (
            st.container(border=True)
            if is_wanted()
            else st.popover("Add scores", icon=":material/add:", width="content")
        )
    with box:
        _upload(scope, added, opened.data.systems)
        for one in added:
            with st.container(border=True):
                found = _add(one, opened.data, found, named)
        _say_where_texts_are(opened.data)
    own = [f"{one.digest} {one.label}" for one in added if one.digest is not None]
    missing = own_data.keep_files_in_link(LINK, own, scope)
    if missing:
        with notice:
            _ask_for(missing)
    new = tuple(name for name in found.data.metrics if name not in opened.data.metrics)
    before = st.session_state.get("added_before", ())
    _follow(before, new)
    st.session_state["added_before"] = new
    if bool(new) != bool(before):
        st.rerun()  # what stands above was drawn for the set without them, or with them
    return replace(found, added=new)


def is_wanted() -> bool:
    """Return whether the link has come to add scores."""
    return link.of_page().has_any([WANTED])


def places(above: Any, picture: Any) -> tuple[Any, Any]:
    """Return where scores are added, in the ``picture`` or ``above`` it if the link wants that, and how they stand."""
    return above if is_wanted() else picture.container(key="adding"), above.container()


def has_added() -> bool:
    """Return whether scores of the user stood beside those of the set in the run before."""
    return bool(st.session_state.get("added_before"))


def _follow(before: tuple[str, ...], now: tuple[str, ...]) -> None:
    """Choose a new metric as the first of two; let choices follow where metrics were renamed."""
    if len(before) == len(now) and before != now:
        for key in ("shown_metrics", "lower"):
            controls.rename_options(key, dict(zip(before, now, strict=True)))
    if set(now) - set(before):
        st.session_state["first"] = now[-1]


def _upload(scope: str, added: list[AddedFiles], systems: Sequence[str]) -> None:
    """A field that hands its files on and is empty again."""
    key = f"added files {st.session_state.setdefault('added_number', 0)}"
    given: list[_Given] = st.session_state.setdefault("given_files", {}).setdefault(scope, [])

    def take() -> None:
        held = [file for file in st.session_state[key] or [] if hasattr(file, "name")]  # or the server has it no more
        chosen = [(file.name, file.getvalue()) for file in held]
        number = st.session_state["added_number"]  # a browser may change the field again before it is a new one
        st.session_state["added_number"] = number + max(len(chosen), 1)  # first: a run may end at any moment
        st.session_state["added_problem"] = ""
        try:
            if sum(len(content) for _, content in chosen) + _bytes_held() > upload_quota.MOST_BYTES:
                raise tk.InputError(upload_quota.WORDS)
            given.append((number, chosen, [upload_quota.hold(len(content)) for _, content in chosen]))
        except tk.InputError:
            st.session_state["added_problem"] = upload_quota.WORDS

    st.file_uploader(
        "Files with scores of your metric or of people, in any format",
        accept_multiple_files=True,
        key=key,
        on_change=take,
        max_upload_size=upload_quota.LARGEST,
    )
    upload_quota.warn_if_refused(key)
    while given:
        number, chosen, counted = given[0]
        groups = group_files(chosen, systems)
        del given[0]
        if len(added) + len(groups) > MOST_ADDED:
            st.session_state["added_problem"] = TOO_MANY
            continue
        shares = [counted] if len(groups) == 1 else [[one] for one in counted]
        both = enumerate(zip(groups, shares, strict=True), number)
        added.extend(AddedFiles(place, files, counted=share) for place, (files, share) in both)
    if problem := st.session_state.get("added_problem"):
        st.error(problem)
    st.caption("They stay in memory for this session and are never saved.")


def _add(one: AddedFiles, data: tk.EvalSet, before: OpenSet, named: Mapping[str, str]) -> OpenSet:
    """Show what was given and what matched; return the set with it, or the one before where it is refused.

    Systems and segments are those of ``data``, to which others of the user's scores may have been added ``before``.
    """
    head, away = st.columns([3, 1], vertical_alignment="center")
    head.markdown(f"**{plain(one.label)}**")
    away.button("Remove", key=f"added {one.number} remove", on_click=_remove, args=(one.number,), width="stretch")
    other, outcome, described, asked = (st.container() for _ in range(4))
    entry = FORMATS["table"]
    try:
        with asked:
            wanted = one.choose("format", "Format", upload.labels(), upload.RECOGNIZE)
            entry = upload.format_of(one.files, one.identity, wanted, together=True)
            answers = one.choices(entry, data, one.choose_step())
        scores, doubts = one.scores(entry, answers, data)
        outcome.markdown(upload.name_recognized_format(entry, wanted))
        _compare_with_link(one.label, one.digest, named, other)
        if isinstance(scores, tk.TiekitError):
            raise copy(scores)
        with described:
            of_people = one.are_of_people(scores)
            given = one.describe(scores, before.data, of_people)
        joined, said = one.join(before.data, scores, given, of_people)
    except tk.TiekitError as error:
        with outcome:
            if wanted == upload.RECOGNIZE and isinstance(upload.known_format(one.files, one.identity), tk.ReadError):
                _say_unknown(one, before)
            else:
                st.error(one.word(str(error), entry, before.code))
                one.offer_new_steps()
        return before
    with outcome:
        worded = [(kind, whole, one.word(whole, entry, before.code)) for kind, whole in [*doubts, *said]]
        _say(joined.notes[len(before.data.notes) + 1 :], worded)  # the first note says which format it is
        one.offer_new_steps()
        if of_people:
            new = ", ".join(name for name in joined.human if name not in before.data.human)
            st.markdown(f"Choose {plain(new)} under **Human score** to compare metrics with it.")
    named = {"format": entry.name} if wanted == entry.label else {}
    told = {**given, **named, **_without_names(answers)}
    code = _code(one, "with_human" if of_people else "with_scores", told)
    return replace(before, data=joined, code=f"{before.code}{code}")


def _say_unknown(one: AddedFiles, opened: OpenSet) -> None:
    """Say in plain words that a file cannot be read and what one must look like, with an example of this set."""
    data = opened.data
    st.error(
        f"We cannot read {plain(one.label)}. It needs one line per translation: the system, a tab, and the score, the "
        f"{len(data.segments):,} segments of the first system first. If it is of another format, choose it above."
    )
    told = str(upload.known_format(one.files, one.identity))
    if "is in no known format" not in told:
        st.markdown(on_page(told, code=opened.code))
    systems, segments = data.systems, len(data.segments)

    def example() -> str:
        return "".join(f"{system}\t0.5\n" * segments for system in systems)

    if segments * sum(len(system) + len("\t0.5\n") for system in systems) <= LONGEST_EXAMPLE:
        downloads.offer("Example file", example, EXAMPLE, "text/plain", key=f"added {one.number} example")


def _compare_with_link(
    name: str, digest: str | None, named: Mapping[str, str], place: AbstractContextManager[Any]
) -> None:
    """Say in a place that a file is another one than the file of this name that the link was made with."""
    wanted = [one for one, of in named.items() if of == name]
    if wanted and digest not in named:
        with place:
            st.warning(
                f"This is another {plain(name)} than the link was made with: digest {digest} here, "
                f"{' and '.join(wanted)} there. What the page shows is of the file given here."
            )


def _say(notes: tuple[str, ...], doubts: list[tuple[type[tk.TiekitWarning], str, str]]) -> None:
    """Say what matched and what did not, and what was guessed, each once; warnings come with their words for a page."""
    st.success(plain(notes[-1]))
    warned = {text.partition(": ")[2] for category, text, _ in doubts if category is not tk.LeftOutWarning}
    for text in notes[:-1]:
        if text.partition(": ")[2] not in warned:
            st.markdown(plain(text))
    for category, text, words in {one[2].partition(": ")[2]: one for one in doubts}.values():
        if category is tk.DirectionWarning:
            st.warning(f"{plain(text.split('; if ')[0])}. If lower is better on it, switch on **Lower is better**.")
        elif category is not tk.LeftOutWarning or text.removeprefix("source: ") not in notes:
            st.warning(words)


def _code(one: AddedFiles, method: str, given: Mapping[str, Any]) -> str:
    """The call that adds the same scores."""
    names = list(one.files)
    source = repr(names[0] if len(names) == 1 else names)
    return f".{method}({', '.join([source, *(f'{name}={value!r}' for name, value in given.items())])})"


def _remove(number: int) -> None:
    """Forget files by their number: what a button is given stays in memory as long as the session."""
    for added in st.session_state["added_files"].values():
        for one in [one for one in added if one.number == number]:
            added.remove(one)
            if one.digest is not None:
                own_data.ask_no_more(LINK, one.digest)


def _ask_for(missing: list[tuple[str, str]]) -> None:
    """Ask for the files of the link; choices in it that may be theirs are not called damaged."""
    for key in ("shown_metrics", "lower", "first", "second", "ranks"):
        link.of_page().check(key, lambda _: [])
    files = ", ".join(f"**{plain(name)}** (digest {digest})" for digest, name in missing)
    asked, declined = st.columns([6, 1], vertical_alignment="center")
    again = "the same file" if len(missing) == 1 else "the same files"
    asked.info(f"This link was made with {files}. Upload {again} under **Add scores**.")
    declined.button(
        "Continue without", key="without_added", on_click=own_data.ask_no_more, args=(LINK,), width="stretch"
    )


def _say_where_texts_are(data: tk.EvalSet) -> None:
    with st.expander("What must the file look like, and where are the texts?"):
        st.markdown(
            "A file names systems and segments, or it has **one score per line in the order systems × segments**: "
            f"first all {len(data.segments):,} segments of the first system, then all of the next. The systems in "
            f"their order: {plain(', '.join(data.systems))}. One file per system works, too, named after the system."
            "\n\n"
            f"The texts of {sources.title(data)}, if it is one of WMT's test sets, are in the public "
            "[archive of mt-metrics-eval](https://data.statmt.org/wmt26/mt-metrics-eval-v2.tgz) (912 MB), in the "
            "folder of the test set: `sources`, `references` and `system-outputs`. In Python, "
            f'`tk.download("{data.name}")` fetches them.'
        )
