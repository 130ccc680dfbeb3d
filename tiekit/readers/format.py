"""What is a file format? How it is recognized, what the user must choose, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

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
        The name in code.
    label : str
        The name that a user chooses.
    upload : str
        The label of the upload.
    several : bool or "directory"
        Whether several files are uploaded, or a folder.
    recognizes : function of a file's name and its first bytes
        Says whether the file may have this format.
    read : function of files (first) and choices (by name)
        Returns the `EvalSet`; a `ReadError` names file and line.
    asks : function of files and the choices so far
        Yields one `Choice` after the other; the answer to each is in the choices before the next one is asked.
    code : function of files and choices
        Returns the Python expression that reads files with these names.
    """

    name: str
    label: str
    upload: str
    several: bool | Literal["directory"]
    recognizes: Callable[[str, bytes], bool]
    read: Callable[..., EvalSet]
    asks: Callable[[Upload, Choices], Iterator[Choice]]
    code: Callable[[Upload, Choices], str]
