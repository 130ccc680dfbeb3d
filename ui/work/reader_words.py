"""How is what a reader says worded on a page? With its controls instead of arguments, and files instead of sets."""

from __future__ import annotations

import re
from collections.abc import Collection
from inspect import signature

from tiekit.readers import FORMATS, Choices, Format, say_how_to_take_out, say_of_code, steps_in
from ui.work.text import plain

STEP, AS_IT_IS = "How to read it", "as it is"
"""The label of the steps that messages name, and that of none of them."""

HERE = f"Steps can be chosen under **{STEP}**."
"""Where the steps of a message are."""

_ASKED = ("format", "human", "metrics", "name", "lower_is_better")
"""Arguments of readers that have controls of their own."""

_WORDS = {
    r"^source: ": "",  # it stands beside the file
    r"say otherwise with (?:human= and )?(?:metrics|human)=": "change it here if not",
    r"\bread (them|it) with tk\.votes\.read_votes": r"open \1 on the page LLM as a judge",
    r"\bread it with tk\.read_rankings": "open it on the page Judgments",
    r"name one by metrics= if it is the metric, or by human= if people gave it": "choose one if it holds scores",
    r"name the columns that do by human= and metrics=": "choose the columns that do",
    r"leave it out with metrics=": "leave it out here",
    r"pass (?:human|metrics)= with": "choose",
    r"\bpass (?=(?:human|metrics)=)": "choose ",
    r"\bpass lower_is_better=(?:'[^']*'|\"[^\"]*\"|True)": "say here that lower is better",
    r", or give labels numbers by labels=": "",
    r"give each a number, (higher is better): labels=\{.*?\}": r"write a number for each into the file, \1",
    r"add them with with_human": "choose people under Whose scores are these?",
    r"data\.select\(exclude=\[[^][]*\]\) leaves": "“Systems to leave out” leaves",
    r",? (?:such as )?segment=COLUMN": " “segment”",
    r"\bfor (segment|system)=(?=,)": r"as the column of \1s",
    r"\(segment=\)": "(in a column called segment)",
}
"""What messages say for Python, and what a page offers instead."""


_FORMAT = re.compile(rf"\b(pass )?format='({'|'.join(FORMATS)})'")


def on_page(message: str, steps: Collection[str] = (), code: str = "", where: str = HERE) -> str:
    """Return a message in the words of a page, as Markdown, and ``where`` its steps can be chosen.

    ``code`` is the Python that reads the set that the message may be about.
    """
    for pattern, words in _WORDS.items():
        message = re.sub(pattern, words, message)
    message = _FORMAT.sub(
        lambda found: f"{'choose ' * bool(found[1])}“{FORMATS[found[2]].label}” under Format", message
    )
    message = say_how_to_take_out(message)
    if steps:
        message = re.sub(rf"\bpass (?={'|'.join(map(re.escape, steps))})", "choose ", message)
    return plain(message + say_of_code(message, "upload", code)) + f". {where}" * bool(steps)


def steps_of(message: str, entry: Format) -> dict[str, Choices]:
    """Return the steps of a message that a reader of a format can be told, by their words."""
    return steps_in(message, {*signature(entry.read).parameters}.difference(_ASKED))
