"""Which part of a file is read? Several language pairs or references may be in one; the user chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tiekit.base.errors import InputError
from tiekit.base.names import find_name, known_names
from tiekit.readers._cells import Cells
from tiekit.readers.format import Choice, Choices, Upload


def choose(path: str, argument: str, wanted: str | None, found: Iterable[str]) -> str:
    """The part that is wanted, or the only one; where there are several, the message lists them."""
    names = tuple(dict.fromkeys(found))
    if wanted is not None:
        return find_name(argument, wanted, names)
    if len(names) > 1:
        raise InputError(f"{argument}: {path} holds several, so say which: {known_names(names)}")
    return names[0]


def question(argument: str, label: str, found: Iterable[str], *, usual: tuple[str, ...] = ()) -> Iterator[Choice]:
    """Ask which part is meant, where there are several."""
    names = tuple(dict.fromkeys(found))
    if len(names) > 1:
        yield Choice(argument, label, names, usual, f"file_{argument}", several=False)


def no_questions(files: Upload, chosen: Choices) -> Iterator[Choice]:  # noqa: ARG001
    """Nothing has to be chosen."""
    yield from ()


def read_code(name: str) -> Callable[[Upload, Choices], str]:
    """What writes the call of `tiekit.read` for one format."""

    def code(files: Upload, chosen: Choices) -> str:
        choices = "".join(f", {argument}={value!r}" for argument, value in chosen.items())
        return f"tk.read({next(iter(files))!r}, format={name!r}{choices})"

    return code


def whole_outputs(cells: Cells, texts: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """The texts of every system; of none where a cell has no row, or several."""
    if not (cells.raters == 1).all():
        return {}
    outputs = [[""] * len(cells.segments) for _ in cells.systems]
    for row, column, text in zip(cells.rows.tolist(), cells.columns.tolist(), texts, strict=True):
        outputs[row][column] = text
    return {system: tuple(output) for system, output in zip(cells.systems, outputs, strict=True)}
