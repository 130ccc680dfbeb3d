"""How does a message of the library read in a terminal? Options stand in it instead of arguments of Python."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from inspect import signature

import click

_CALL = re.compile(r"data\.adjusted\(decimals=\{(?:'([^']*)'|\"([^\"]*)\"): (-?\d+)\}\)")
_ARGUMENT = re.compile(r"""(?<![\w.-])([a-z_]\w*)=(True\b|\(\)|'[^']*'|"[^"]*"|-?\d+\b|)(?![=\w])""")
_BLAMED = re.compile(r"^([a-z_]\w*): ")
_TARGETS = {"root": "folder"}
_ELSEWHERE = {"format": "--read-as", "metrics": "--choose metrics="}


def in_terminal(message: str, command: click.Command, *, blames: bool = False) -> str:
    """Write a message with the options of a command; ``blames`` says that it begins with the argument at fault."""
    options = {str(one.name): one.opts[0] for one in command.params if isinstance(one, click.Option)}
    if "choose" in options:
        options |= {name: f"--choose {name}=" for name in _reader_arguments() if name not in options}
        options |= _ELSEWHERE
    message = _CALL.sub(lambda found: _option("--decimals", f"{found[1] or found[2]}={found[3]}"), message)
    message = _ARGUMENT.sub(lambda found: _written(found, options), message)
    return _BLAMED.sub(lambda found: _blamed(found, command), message) if blames else message


def _written(found: re.Match[str], options: Mapping[str, str]) -> str:
    """One argument and its value as an option; what is no argument of the command, as it is."""
    name, value = found[1], found[2].strip("'\"")
    if name == "name" and value and "add" in options:
        return f"--add {shlex.quote(value + '=FILE')}"
    if (name, value) == ("exclude", "()") and "all_systems" in options:
        return "--all-systems"
    if (name, value) == ("cells", "own") and "cells" in options:
        return "--own-cells"
    if name not in options or value == "()":
        return found[0]
    return _option(options[name], value)


def _option(flag: str, value: str) -> str:
    if flag.endswith("="):
        return flag + (value.lower() if value == "True" else shlex.quote(value) if value else "")
    return flag if value in ("", "True") else f"{flag} {shlex.quote(value)}"


def _blamed(found: re.Match[str], command: click.Command) -> str:
    """The option or the argument of a command that a message begins with."""
    by_name = {one.name: one for one in command.params}
    one = by_name.get(found[1]) or by_name.get(_TARGETS.get(found[1], ""))
    if one is None:
        return found[0]
    return f"{one.opts[0] if isinstance(one, click.Option) else one.make_metavar(click.Context(command))}: "


def _reader_arguments() -> set[str]:
    """The arguments that the readers of all formats take beside the files."""
    from tiekit.readers.registry import FORMATS

    return {name for entry in FORMATS.values() for name in list(signature(entry.read).parameters)[1:]}
