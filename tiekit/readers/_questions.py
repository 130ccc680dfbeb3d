"""What is a file format? How it is recognized, what it asks, and which arguments its reader gets."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tiekit.base.errors import InputError
from tiekit.base.names import as_names, did_you_mean, find_name, known_names, short
from tiekit.sets.evalset import EvalSet

Upload: TypeAlias = Mapping[str, bytes]
"""Contents of files by name; the files of a folder by their path in it."""

Choices: TypeAlias = dict[str, Any]
"""What the user chose, by argument of the reader: a name, or several names."""


@dataclass(frozen=True)
class Choice:
    """One question to a user who opens files.

    Attributes
    ----------
    argument : str
        The argument of the reader that gets the answer.
    label : str
        The question.
    options, usual : tuple of str
        The possible answers, and the default ones.
    key : str
        The name of the answer in a link.
    several : bool
        Whether more than one answer can be chosen.
    needed : str
        The message while nothing is chosen.
    beside : tuple of str
        What was left out and may be meant as well.
    guess : str
        What is guessed besides, in one line.
    """

    argument: str
    label: str
    options: tuple[str, ...]
    usual: tuple[str, ...]
    key: str
    several: bool = True
    needed: str = ""
    beside: tuple[str, ...] = ()
    guess: str = ""


Defaults: TypeAlias = Mapping[str, str | tuple[Any, ...] | Callable[[Choice], tuple[str, ...] | None] | None]
"""By argument, an answer, or a function that answers the question or leaves it; a tuple is given unasked."""


@dataclass(frozen=True)
class Format:
    """One format of files with scores.

    Attributes
    ----------
    name : str
        The name in code.
    label : str
        The name that a user chooses.
    upload : str
        The label of the upload.
    recognizes : function of a file's name and its first bytes
        Says whether the file may have this format.
    read : function of files (first) and choices (by name)
        Returns the `EvalSet`; a `ReadError` names file and line.
    several : bool or "directory"
        Whether several files are uploaded, or a folder.
    asks : function of files and the choices so far, optional
        Yields one `Choice` after the other; the answer to each is in the choices before the next one is asked. None:
        nothing has to be chosen.
    code : function of files and choices, optional
        Returns the Python expression that reads files with these names; None: a call of `tiekit.read`.
    opens : function of files, optional
        Returns what both ``asks`` and ``read`` take for them, so that what one has read the other need not read again.
    takes_tables : bool
        Whether it reads tables of other columns than it is recognized by, too, where it is asked for.
    """

    name: str
    label: str
    upload: str
    recognizes: Callable[[str, bytes], bool]
    read: Callable[..., EvalSet]
    several: bool | Literal["directory"] = False
    asks: Callable[[Upload, Choices], Iterator[Choice]] | None = None
    code: Callable[[Upload, Choices], str] | None = None
    opens: Callable[[Any], Any] | None = None
    takes_tables: bool = False

    def questions(self, files: Upload, answers: Choices) -> Iterator[Choice]:
        """What must be chosen, one question after another; each answer is in ``answers`` before the next one."""
        return self.asks(files, answers) if self.asks else iter(())

    def known_answers(self, likely: Defaults) -> Choices:
        """The likely answers that the reader gets without a question, such as the names of the set's systems."""
        known = inspect.signature(self.read).parameters
        return {name: one for name, one in likely.items() if isinstance(one, tuple) and name in known}

    def call(self, files: Upload, choices: Choices) -> str:
        """The Python expression that reads files with these names."""
        if self.code:
            return self.code(files, choices)
        names = list(files)
        source = repr(names[0]) if len(names) == 1 else f"{{name: open(name, 'rb').read() for name in {names!r}}}"
        return f"tk.read({', '.join([source, f'format={self.name!r}', *(f'{k}={v!r}' for k, v in choices.items())])})"


def choose(argument: str, wanted: str | None, options: Iterable[str], path: str) -> str:
    """The part of a file that is wanted, or the only one; where there are several, the message lists them."""
    names = tuple(dict.fromkeys(options))
    if wanted is not None:
        return find_name(argument, wanted, names)
    if len(names) > 1:
        several = f"{path} holds several, {known_names(names)}"
        raise InputError(f"{argument}: {several}; choose one, {argument}={short(names[0])!r}")
    return names[0]


def question(
    argument: str, label: str, options: Iterable[str], *, key: str | None = None, always: bool = False
) -> Iterator[Choice]:
    """Ask which part is meant, where there are several, or always; ``key`` is the name of the answer in a link."""
    names = tuple(dict.fromkeys(options))
    if always or len(names) > 1:
        yield Choice(argument, label, names, (), key or f"file_{argument}", several=False)


def check_text(argument: str, value: object) -> None:
    """Refuse a name that is no text."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{argument}: must be a name, found {value!r}")


_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def resolve_arguments(entry: Format, files: Any, chosen: Choices, likely: Defaults) -> Choices:
    """The arguments for the reader of a format: those chosen, else the likely ones that a question offers.

    Refused is what the reader has no argument for, and a question with several answers of which none is usual.
    """
    known = dict(list(inspect.signature(entry.read).parameters.items())[1:])
    _check_known(entry, chosen, known)
    needed = {name for name, one in known.items() if one.kind in _NAMED and one.default is inspect.Parameter.empty}
    if needed <= chosen.keys() and not (likely.keys() & known.keys()) - chosen.keys():
        return dict(chosen)
    answers = entry.known_answers(likely)
    given = answers | chosen
    for question in entry.questions(files, answers):
        name = question.argument
        answer, is_sure = _answer(question, chosen, likely.get(name), needed=name in needed)
        answers[name] = answer
        if name not in chosen and (is_sure or name in needed):
            given[name] = answer
    return given


def _check_known(entry: Format, chosen: Mapping[str, Any], known: Mapping[str, inspect.Parameter]) -> None:
    """Refuse an argument that the reader does not have."""
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in known.values()):
        return
    names = [name for name, one in known.items() if one.kind in _NAMED]
    for name in chosen:
        if name not in names:
            hint = did_you_mean(name, names) or f"its arguments: {', '.join(names) or 'none'}"
            raise InputError(f"{name}: the format {entry.name!r} ({entry.label}) has no such argument; {hint}")


def _answer(question: Choice, chosen: Mapping[str, Any], likely: object, *, needed: bool) -> tuple[Any, bool]:
    """The answer to a question, and whether the reader must be told although it could do without."""
    name, options = question.argument, question.options
    if name in chosen:
        return _check_answer(question, chosen[name]), False
    if callable(likely) and (found := likely(question)) is not None:
        return found, True
    if likely in options and len(options) > 1:
        return ((likely,) if question.several else likely), True
    if question.several:
        return question.usual, False
    if len(options) == 1 or question.usual:
        return (question.usual or options)[0], False
    if not options:
        raise InputError(f"{name}: there is nothing to choose from; {question.label}: none found")
    if needed:
        raise InputError(f"{name}: choose one, such as {name}={options[0]!r}; there are {known_names(options)}")
    return options[0], False


def _check_answer(question: Choice, answer: Any) -> Any:
    """The caller's answer; a single name must be one of the options."""
    if question.several:
        return tuple(as_names(answer, question.argument)) if answer is not None else question.usual
    if isinstance(answer, int) and not isinstance(answer, bool):
        answer = str(answer)  # the number of a column
    return find_name(question.argument, answer, question.options) if answer is not None else None
