"""What is a file format? What it recognizes, what it has to be told, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tiekit.evalset import EvalSet

Upload: TypeAlias = Mapping[str, bytes]
"""Files by name; those of a folder with their path in it."""

Choices: TypeAlias = dict[str, Any]
"""What was chosen, by the argument of the reader: a name, or several."""


@dataclass(frozen=True)
class Choice:
    """What somebody who opens files is asked.

    Attributes
    ----------
    argument : str
        Of the reader.
    label : str
        The question.
    options, usual : tuple of str
        What can be chosen, and what is unless something else is.
    key : str
        In a link.
    several : bool
        Whether more than one can be chosen.
    needed : str
        What to say where none is chosen.
    """

    argument: str
    label: str
    options: tuple[str, ...]
    usual: tuple[str, ...]
    key: str
    several: bool = True
    needed: str = ""


@dataclass(frozen=True)
class Format:
    """One format of files with scores.

    Attributes
    ----------
    name : str
        In code.
    label : str
        As one chooses among formats.
    upload : str
        What is uploaded.
    several : bool or "directory"
        Whether it is more than one file, or a folder.
    recognizes : function of a file's name and its first bytes
        Whether the file may be of this format.
    read : function of files (first) and choices (by name)
        A `ReadError` names file and line.
    asks : function of files and the choices so far
        Gives one `Choice` after the other; the answer to each is among the choices before the next.
    code : function of files and choices
        The Python that reads the files, as far as their names tell.
    """

    name: str
    label: str
    upload: str
    several: bool | Literal["directory"]
    recognizes: Callable[[str, bytes], bool]
    read: Callable[..., EvalSet]
    asks: Callable[[Upload, Choices], Iterator[Choice]]
    code: Callable[[Upload, Choices], str]
