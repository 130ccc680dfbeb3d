"""Which arguments does a format's reader get? What the caller chose, and the answers that go without asking."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from tiekit.base.errors import InputError
from tiekit.base.names import as_names, did_you_mean, find_name, short
from tiekit.readers.format import Choice, Choices, Format

Likely: TypeAlias = Mapping[str, str | Callable[[Choice], tuple[str, ...] | None] | None]
"""By argument, an answer, or a function that answers the question or leaves it."""

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def arguments(entry: Format, files: Any, chosen: Mapping[str, Any], likely: Likely) -> Choices:
    """The arguments for the reader of a format.

    Parameters
    ----------
    entry : Format
    files : mapping of str to bytes, or the path of a folder
        What the reader gets.
    chosen : mapping
        What the caller chose, by argument.
    likely : mapping of str to str, or to function of a question
        Answers that are taken where a question offers them and the caller did not answer it.

    Raises
    ------
    InputError
        If the reader has no such argument, or a question has several answers and none is usual.
    """
    known = dict(list(inspect.signature(entry.read).parameters.items())[1:])
    _check_known(entry, chosen, known)
    needed = {name for name, one in known.items() if one.kind in _NAMED and one.default is inspect.Parameter.empty}
    if needed <= chosen.keys() and not (likely.keys() & known.keys()) - chosen.keys():
        return dict(chosen)
    answers: Choices = {}
    given: Choices = dict(chosen)
    for question in entry.asks(files, answers):
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
        return _checked(question, chosen[name]), False
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
        raise InputError(f"{name}: choose one, such as {name}={options[0]!r}; there are {_listed(options)}")
    return options[0], False


def _checked(question: Choice, answer: Any) -> Any:
    """The caller's answer; a single name must be one of the options."""
    if question.several:
        return tuple(as_names(answer, question.argument)) if answer is not None else question.usual
    if isinstance(answer, int) and not isinstance(answer, bool):
        answer = str(answer)  # the number of a column
    return find_name(question.argument, answer, question.options) if answer is not None else None


def _listed(options: Sequence[str], most: int = 60) -> str:
    """The options, or the first of very many."""
    more = f" and {len(options) - most} more" if len(options) > most else ""
    return f"{', '.join(map(short, options[:most]))}{more}"
