"""Which scores does the user type? The lines of the toy lab, epsilon, and the sentence that they make at the top."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any
from warnings import catch_warnings

import streamlit as st

import tiekit as tk
from tiekit.figures import epsilons, metric_of_epsilon
from ui.link import link
from ui.page import question
from ui.typed import lines
from ui.work import presets
from ui.work.presets import FIRST
from ui.work.text import count_noun, exact, plain, vector

SLOTS = 6
NUMBERS = [str(number) for number in range(1, SLOTS + 1)]
LINES = ["h", *(f"{kind}{number}" for number in NUMBERS for kind in ("m", "name"))]
SCORES = [key for key in LINES if not key.startswith("name")]


@dataclass(frozen=True)
class Toy:
    """What the lab shows: human scores, the metrics that match them with the numbers of their lines, the threshold.

    The threshold is of the chosen metric; the others tie equal scores alone.
    """

    human: list[float]
    metrics: dict[str, list[float]]
    slots: dict[str, int]
    epsilon: float
    chosen: str
    is_older: bool = False

    @property
    def epsilons(self) -> dict[str, float]:
        """The threshold of each metric."""
        return epsilons(self.metrics, self.epsilon, self.chosen)


def is_own() -> bool:
    """Return whether the page is opened for the visitor's own scores."""
    return link.of_page().text(question.OWN) == "true"


def open_lab() -> None:
    """Start with what the link holds, or with the first example, also where other scores were left for one's own."""
    valid = {"eps": link.is_number, "metrics": lambda text: text in NUMBERS}
    first, of_page, now = first_lines(), link.of_page(), st.session_state
    if is_own() and of_page.is_entered and not of_page.is_restored:
        now.update({key: value for key, value in first.items() if not of_page.has_any([key])})
        now.update(eps_of="", lab_pair="", lab_step="")
    del first["metrics"]  # the widget's own default
    link.of_page().fill("toy", first, valid)
    if st.session_state.pop("toy_synced", False):
        for key in {*first, "metrics"} & st.session_state.keys():
            st.session_state[key] = st.session_state[key]


def first_lines() -> dict[str, str]:
    """Return what the lines and ε hold when the page opens without a link."""
    preset = presets.presets()[FIRST]
    return _as_lines(preset) | {"eps": _epsilon_of(preset)}


def _as_lines(preset: Mapping[str, Any]) -> dict[str, str]:
    """An example as the values of the lab's lines, and their number."""
    values = {"h": vector(preset["human"]), "metrics": str(len(preset["metrics"]))}
    for slot, (name, scores) in enumerate(preset["metrics"].items(), 1):
        values |= {f"name{slot}": "" if name == f"m{slot}" else name, f"m{slot}": vector(scores)}
    return values


def _epsilon_of(preset: Mapping[str, Any]) -> str:
    return exact(preset.get("epsilon", 0))


def starts_open() -> bool:
    """Return whether the lines begin in sight: a link brought some that cannot be read, or are longer than any."""
    now = st.session_state
    if "toy_starts_open" not in now:
        texts = [link.of_page().value(key, "") for key in SCORES]
        now["toy_starts_open"] = any(_fails(text) for text in texts if text)
    return bool(now["toy_starts_open"])


def _fails(text: str) -> bool:
    try:
        tk.parse_vector(text[: lines.LONGEST_LINE])
    except tk.InputError:
        return True
    return len(text) > lines.LONGEST_LINE


def choose_example() -> None:
    """Let the user choose an example, which fills every line."""

    def begin(preset: Mapping[str, Any]) -> None:
        names = list(preset["metrics"])
        chosen = str(names.index(preset["epsilon_of"]) + 1) if "epsilon_of" in preset else ""
        st.session_state.update(eps=_epsilon_of(preset), eps_of=chosen, lab_pair="", lab_step="", toy_sync=True)
        link.of_page().forget("lab")

    lines.offer_examples("toy", LINES, presets.presets(), _as_lines, also=begin, unset={"metrics": "2"})


def score_lines() -> Toy:
    """Let the user type a line for the human and for each metric, and epsilon below them.

    Messages and lines have containers that always exist, so that nothing moves or loses focus when one appears.
    Where no line is valid, the last valid scores are shown.
    """
    text = lines.line("h", "Human scores h, one per translation")
    with st.container():
        human = lines.read(text, "h")
        if human is None:
            human = st.session_state.get("toy_human", presets.presets()[FIRST]["human"])
            st.info(f"The results still use h = {vector(human)}.")
    typed, threshold = st.container(), st.container()
    number = st.segmented_control(
        "Number of metrics", NUMBERS, default="2", required=True, key="metrics", bind="query-params"
    )
    metrics: dict[str, list[float]] = {}
    slots: dict[str, int] = {}
    is_older = False
    with typed:
        for slot in range(1, int(number or 2) + 1):
            name, text = _metric_line(slot)
            with st.container():
                scores = _fitting(slot, name, text, {"h", *metrics}, len(human))
            if scores is not None:
                metrics[name], slots[name] = scores, slot
        with st.container():
            kept = lines.last_valid("toy", (human, metrics, slots))
            if not metrics and kept[1]:
                human, metrics, slots = kept
                is_older = True
                st.info("Until a metric has as many scores as h, the picture and all results show older scores.")
    st.session_state["toy_human"] = human
    lines.keep_valid("toy", (human, metrics, slots))
    with threshold:
        chosen = metric_of_line(slots, st.session_state["eps_of"]) if metrics else ""
        return Toy(human, metrics, slots, _epsilon(metrics.get(chosen, [])), chosen, is_older)


def metric_of_line(slots: Mapping[str, int], line: str) -> str:
    """Return the metric that ε is of: the one in a line, or the usual one where that shows none."""
    return next((name for name, slot in slots.items() if str(slot) == line), metric_of_epsilon(slots))


def append_item(score: float) -> None:
    """Add one score to every line, if all of them can be read and are not full."""
    keys = ("h", *(f"m{slot}" for slot in range(1, int(st.session_state["metrics"] or 2) + 1)))
    try:
        found = {key: tk.parse_vector(st.session_state[key]) for key in keys}
    except tk.InputError:
        return
    if all(len(scores) < lines.MAX_ITEMS for scores in found.values()):
        st.session_state.update({key: vector([*scores, score]) for key, scores in found.items()})


def _metric_line(slot: int) -> tuple[str, str]:
    """A metric's name and scores as typed."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            f"Metric {slot}",
            link.of_page().usual(f"name{slot}"),
            key=f"name{slot}",
            bind="query-params",
            max_chars=40,
            width=130,
            placeholder=f"m{slot}",
        )
        text = lines.line(f"m{slot}", f"Scores of metric {slot}")
        st.button("Remove", key=f"remove{slot}", on_click=_remove, args=(slot,), help=f"Remove metric {slot}")
    return _names()[slot - 1], text


def _names() -> list[str]:
    """The metrics' names: as typed, or m1, m2, … with the next number that is free."""
    given = [str(st.session_state.get(f"name{slot}") or "").strip() for slot in range(1, SLOTS + 1)]
    names: list[str] = []
    for slot, name in enumerate(given, 1):
        names.append(name or next(f"m{n}" for n in count(slot) if f"m{n}" not in names))
    return names


def _remove(slot: int) -> None:
    values, names, last = st.session_state, _names(), int(st.session_state["metrics"] or 2)
    for at in range(slot, last):
        values[f"m{at}"], values[f"name{at}"] = values[f"m{at + 1}"], names[at]
    values[f"m{last}"] = values[f"name{last}"] = ""
    values["metrics"] = str(max(1, last - 1))
    chosen = int(values["eps_of"] or 0)
    values["eps_of"] = "" if chosen == slot else str(chosen - 1) if chosen > slot else values["eps_of"]


def _fitting(slot: int, name: str, text: str, taken: set[str], size: int) -> list[float] | None:
    """A metric's scores; None, with the reason under its line, if they are invalid."""
    if name in taken:
        st.error(f"Metric {slot} needs another name: “{plain(name)}” is taken.")
        return None
    return lines.read_as_many(text, name, size, "Until then the picture leaves it out, or shows older scores.")


def _epsilon(scores: list[float]) -> float:
    """The threshold as typed or dragged, lowered to a difference of the chosen metric; between two no pair changes."""
    text = st.text_input(
        "ε (exact value)",
        link.of_page().usual("eps", "0"),
        key="eps",
        bind="query-params",
        max_chars=40,
        live="50ms",
        help="Scores of the metric that is chosen on the line of ε count as tied if they differ by at most ε. "
        "Calibration has one ε for each metric, so the other metrics tie equal scores alone.",
    )
    with st.container():
        if not link.is_number(text):
            st.error(f"ε must be a number of at least 0, found “{plain(text[:80])}”.")
            text = st.session_state.get("eps_used", "0")
    st.session_state["eps_used"] = text
    found = {0.0}
    if scores:
        found |= set(tk.classify_pairs(scores, scores)["metric_difference"].abs())
    return max(value for value in found if value <= float(text))


def sync_link() -> None:
    """Rerun after values were set for lines that did not exist before; only then do they reach the link."""
    if st.session_state.pop("toy_sync", False):
        st.session_state["toy_synced"] = True
        st.rerun()


OWN = "Your scores: type or paste them, one per translation."
"""The lead for the visitor's own scores."""

GENERAL = "Change a score and watch every coefficient: the variants of Kendall's τ differ in how they treat **ties**."


def lead() -> str:
    """Return the lead of the page as Markdown, computed from the scores that it is about to show, at ε = 0.

    It stays while ε is dragged, and so does the picture below it. It is empty for the scores of the page's question.
    """
    if is_own():
        return OWN
    first = presets.presets()[FIRST]
    try:
        human, metrics = _scores()
        if (human, metrics) == (first["human"], first["metrics"]):
            return ""
        with catch_warnings(action="ignore", category=tk.NearTieWarning):  # the drawer says it
            counts = {name: tk.count_pairs(human, scores) for name, scores in metrics.items()}
    except (tk.InputError, ValueError):
        return GENERAL
    if len(counts) == 1:
        [(name, found)] = counts.items()
        right = found.concordant + found.ties_both
        return (
            f"**{plain(name)}** orders or ties {right} of {count_noun(found.total, 'pair')} as the human does. "
            "Change a score: which coefficients notice?"
        )
    if len(counts) == 2:
        told = " ".join(f"**{plain(name)}** {_differs(found)}." for name, found in counts.items())
        name = list(counts)[1]
        return f"{told} How many coefficients prefer {plain(name)}?"
    told = "; ".join(f"**{plain(name)}** {_differs(found)}" for name, found in counts.items())
    return f"{told}. Which coefficients agree on the best?"


def are_usual() -> bool:
    """Return whether the metrics have the names that the page asks about; so too while a line cannot be read."""
    try:
        return list(_scores()[1]) == list(presets.presets()[FIRST]["metrics"])
    except (tk.InputError, ValueError):
        return True


def _differs(found: tk.PairCounts) -> str:
    """How a metric differs from the human, without saying what is worse: pairs that it swaps, and its ties."""
    swaps = {0: "none", 1: "one pair"}.get(found.discordant, f"{found.discordant} pairs")
    words, ties = f"swaps {swaps}", found.ties_metric + found.ties_both
    if found.ties_human:
        words += f"{', but' if not found.discordant else ' and'} "
        words += "never ties" if not ties else f"orders {count_noun(found.ties_human, 'pair')} that the human ties"
    if found.ties_metric:
        words += f", and ties {count_noun(found.ties_metric, 'pair')} that the human orders"
    return words


def _scores() -> tuple[list[float], dict[str, list[float]]]:
    """The lines as typed, or as the link or the first example fills them."""
    usual = first_lines()

    def text(key: str) -> str:
        return str(link.of_page().early_value(key, usual.get(key, "")) or "")

    human = tk.parse_vector(text("h"))
    slots = range(1, NUMBERS.index(text("metrics")) + 2)
    names = {text(f"name{slot}").strip() or f"m{slot}": slot for slot in slots}
    return human, {name: tk.parse_vector(text(f"m{slot}")) for name, slot in names.items()}
