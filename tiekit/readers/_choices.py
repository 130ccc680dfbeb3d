"""What must a user choose, where one file holds several sets? Questions for the app, and the call that reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from tiekit.base.errors import InputError
from tiekit.base.names import find_name, known_names
from tiekit.readers.format import Choice, Choices, Upload


def one_of(argument: str, wanted: str | None, found: Collection[str], path: str) -> str:
    """The name that is wanted, or the only one there is."""
    if wanted is not None:
        return find_name(argument, wanted, found)
    if len(found) > 1:
        raise InputError(
            f"{argument}: {path} holds several, {known_names(found)}; choose one, {argument}={next(iter(found))!r}"
        )
    return next(iter(found))


def check_text(argument: str, value: object) -> None:
    """Refuse a name that is no text."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{argument}: must be a name, found {value!r}")


def stem(path: str) -> str:
    """The name of a file without folders, ``.gz`` and its ending."""
    return Path(Path(path).name.removesuffix(".gz")).stem or path


def ask_nothing(files: Upload, chosen: Choices) -> Iterator[Choice]:  # noqa: ARG001
    """The files say all."""
    yield from ()


def ask_pair(pairs: Callable[[Mapping[str, bytes]], Collection[str]]) -> Callable[[Upload, Choices], Iterator[Choice]]:
    """Ask for the language pair, among those that a function finds."""

    def ask(files: Upload, chosen: Choices) -> Iterator[Choice]:  # noqa: ARG001
        yield Choice("language_pair", "Language pair", tuple(pairs(files)), (), "upload_pair", several=False)

    return ask


def call(format: str) -> Callable[[Upload, Choices], str]:
    """The call of `tiekit.read` for files of one format."""

    def code(files: Upload, chosen: Choices) -> str:
        names = list(files)
        given = repr(names[0]) if len(names) == 1 else f"{{name: open(name, 'rb').read() for name in {names!r}}}"
        return f"tk.read({', '.join([given, f'format={format!r}', *(f'{k}={v!r}' for k, v in chosen.items())])})"

    return code
