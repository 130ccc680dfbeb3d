"""Which small matrices does the user type? The grouping page's examples, one line per system, kept in the link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import streamlit as st

from ui.link import link
from ui.page import papers
from ui.typed import lines
from ui.work import presets
from ui.work.text import count_noun, plain, vector

FILE = "grouping_presets.toml"
SYSTEMS, SEGMENTS = 5, 8
COUNTS = [str(number) for number in range(1, SYSTEMS + 1)]
NAMES = {"metric 1": "grp_name1", "metric 2": "grp_name2"}
LINES = [f"grp_{side}{system}" for side in "hab" for system in range(1, SYSTEMS + 1)]
RESERVED = ("human", "neither", "ahead", "grouping", "group", "pairs", "system")
"""Names that tables use for their other columns."""

Matrix: TypeAlias = tuple[tuple[float, ...], ...]
Row: TypeAlias = "list[float] | None"

TRY_THIS = (
    "- In *Difficulty or quality*, let `difficulty` tell two translations of a segment apart: change one of its "
    "scores. Which value does it then have by item?\n"
    "- Find human scores for which knowing the segment does not help. What must all segments have in common?\n"
    "- Find two metrics whose order changes between by system and system means.\n"
    "- In *Small groups weigh as much*, remove scores until `broad` wins by item."
    + papers.sources(
        papers.DEUTSCH.cite("Section 2.2 and Appendix A, Equations 1 to 3"),
        papers.PERRELLA.cite("Section 3"),
        papers.GAO.cite("Section 2"),
        also="Perrella and others find that without grouping and by system, a metric that sees only the source "
        "outranks strong ones; by segment it is at the bottom.",
        notebook="05_wmt22.ipynb",
    )
)
"""What to try, and the sources, in Markdown."""


@dataclass(frozen=True)
class ToyMatrices:
    """Human scores and those of two metrics, one row per system."""

    human: Matrix
    metrics: dict[str, Matrix]

    @property
    def shape(self) -> tuple[int, int]:
        """Systems and segments."""
        return len(self.human), len(self.human[0])

    @property
    def example(self) -> str | None:
        """The example with these scores; NaN counts as equal to NaN."""
        return next((name for name, preset in examples().items() if repr(of_preset(preset)) == repr(self)), None)

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """The names of systems and segments, those of the example where it has some; else they are numbered."""
        preset = examples().get(self.example or "", {})
        return tuple(
            preset.get(f"{what}s", [f"{what} {number}" for number in range(1, size + 1)])
            for what, size in zip(("system", "segment"), self.shape, strict=True)
        )


def examples() -> dict[str, dict[str, Any]]:
    """Return the examples by name."""
    return presets.presets(FILE)


def of_preset(preset: Mapping[str, Any]) -> ToyMatrices:
    """Return an example's scores."""
    first, second = preset["metrics"].items()
    return ToyMatrices(_matrix(preset["human"]), {name: _matrix(rows) for name, rows in (first, second)})


def _matrix(rows: list[list[float]]) -> Matrix:
    return tuple(tuple(float(score) for score in row) for row in rows)


def _as_state(preset: Mapping[str, Any]) -> dict[str, str]:
    """An example as the values of the page's lines; those of systems that it lacks are empty."""
    (name1, first), (name2, second) = preset["metrics"].items()
    names = {"grp_name1": name1, "grp_name2": name2}
    values = dict.fromkeys(LINES, "") | names | {"grp_systems": str(len(first))}
    for side, rows in zip("hab", (preset["human"], first, second), strict=True):
        values |= {f"grp_{side}{system}": vector(row) for system, row in enumerate(rows, 1)}
    return values


def open_page() -> None:
    """Start with what the link holds, or with the first example."""
    first = next(iter(examples().values()))
    defaults = _as_state(first) | {"grp_coefficient": first["coefficient"]}
    del defaults["grp_systems"]  # the widget's own default
    link.of_page().fill("grp", defaults, {"grp_systems": lambda text: text in COUNTS})


def choose_example() -> None:
    """Let the user choose an example, which fills every line and sets the coefficient."""

    def bring_coefficient(preset: Mapping[str, Any]) -> None:
        st.session_state["grp_coefficient"] = preset["coefficient"]

    keys, usual = [*LINES, *NAMES.values()], _as_state(next(iter(examples().values())))
    lines.offer_examples("grp", keys, examples(), _as_state, also=bring_coefficient, unset=usual)


def score_lines() -> ToyMatrices:
    """Let the user type lines for the human and two metrics; return the last valid scores."""
    st.markdown(
        "One line per system, one score per segment; type `nan` for a missing score. "
        f"Up to {SEGMENTS} segments are shown."
    )
    rows, number = st.container(), st.container()
    with number:
        systems = _how_many()
    with rows:
        return _lines(systems)


def _how_many() -> int:
    """The number of systems; a system that is added starts as a copy of the last."""

    def fill() -> None:
        now = st.session_state
        link.of_page().forget("grp")
        for side in "hab":
            for system in range(2, int(now["grp_systems"] or 1) + 1):
                now[f"grp_{side}{system}"] = now.get(f"grp_{side}{system}") or now[f"grp_{side}{system - 1}"]

    usual = str(len(next(iter(examples().values()))["human"]))
    chosen = st.segmented_control(
        "Number of systems",
        COUNTS,
        default=usual,
        required=True,
        key="grp_systems",
        bind="query-params",
        on_change=fill,
    )
    return int(chosen or usual)


def _lines(systems: int) -> ToyMatrices:
    """The lines in three columns; the last valid scores that they held."""
    human_column, *columns = st.columns(3, gap="medium")
    with human_column:
        st.markdown("**human**")
        human: list[Row] = []
        for system in range(1, SYSTEMS + 1):
            human.append(_line("h", "human", system, human, systems))
    names = [str(link.of_page().value(key, "")).strip() or usual for usual, key in NAMES.items()]
    matrices: list[list[Row]] = []
    for place, column in enumerate(columns):
        with column:
            st.markdown(f"**{plain(names[place])}**")
            matrices.append([_line("ab"[place], names[place], n, human, systems) for n in range(1, SYSTEMS + 1)])
            is_named = _name(place, names)
    scores = None
    if is_named and not any(row is None for rows in (human, *matrices) for row in rows):
        fits = [_matrix([row for row in rows[:systems] if row]) for rows in (human, *matrices)]
        scores = ToyMatrices(fits[0], dict(zip(names, fits[1:], strict=True)))
    return lines.last_that_fits("grp", scores, of_preset(next(iter(examples().values()))))


def _name(place: int, names: list[str]) -> bool:
    """A metric's name, and whether it differs from those before it, with a message if not."""
    usual, key = list(NAMES.items())[place]
    first = link.of_page().usual(key)
    st.text_input(f"Name of {usual}", first, key=key, bind="query-params", max_chars=20, placeholder=usual)
    with st.container():
        if names[place] in (*RESERVED, *names[:place]):
            st.error(f"“{plain(names[place])}” is taken: this metric needs a name of its own.")
    return not any(name in (*RESERVED, *names[:at]) for at, name in enumerate(names[: place + 1]))


def _line(side: str, name: str, system: int, human: list[Row], systems: int) -> Row:
    """A system's scores, empty after the last system; None, with the reason under the line, if they are invalid."""
    key, who, is_used = f"grp_{side}{system}", f"{name}, system {system}", system <= systems
    text = lines.line(key, who, inside=f"system {system}", is_used=is_used)
    if not is_used:
        return []
    with st.container():
        scores = lines.read(text, who)
        first = human[0] if human else None
        model, owner = (first, "system 1") if side == "h" else (human[system - 1], "the human")
        if problem := _problem(scores, model, owner):
            st.error(f"{plain(who)}: {problem}.")
    return None if problem else scores


def _problem(scores: Row, model: Row, owner: str) -> str:
    """Why the number of scores is not that of the line they must match, where both could be read."""
    if scores is None:
        return ""
    given = count_noun(len(scores), "score")
    if not scores:
        return "no score yet"
    if len(scores) > SEGMENTS:
        return f"{given}; up to {SEGMENTS} segments are shown"
    return "" if not model or len(model) == len(scores) else f"{given}, and {owner} has {len(model)}"
