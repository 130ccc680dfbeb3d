"""What holds for every command? Results on stdout, a line on stderr for each note, warning and error, exit codes."""

from __future__ import annotations

import ast
import errno
import io
import re
import shlex
import sys
import warnings
from collections.abc import Mapping
from inspect import signature
from typing import Any

import click

from tiekit.base.errors import InputError, TiekitError, TiekitWarning
from tiekit.base.results import __version__
from tiekit.cli.app import app, lab, story
from tiekit.cli.data import ADDING, SOURCE, convert, download
from tiekit.cli.evaluate import calibrate, compare, leaderboard, official, standing
from tiekit.cli.output import say
from tiekit.readers._told_steps import say_how_to_take_out, say_of_code


class Failure(click.ClickException):
    """One of tiekit's errors, in one line; the exit code is 1."""

    def show(self, file: Any = None) -> None:  # noqa: ARG002
        """Write the line to stderr."""
        say(self.message)


class Commands(click.Group):
    """Commands whose errors and warnings are lines on stderr."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that is asked for."""
        said: set[str] = set()

        def reword(message: object, *, blames: bool = False) -> str:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            if command is None:
                return str(message)
            added = bool(ctx.meta.get(ADDING)) or str(message).startswith("--add")
            return in_terminal(str(message), command, blames=blames, added=added)

        def show(message: Warning | str, *_: Any) -> None:
            once = str(message).partition(": falls where ")[0]  # adding a metric finds it, and ranking it again
            if once not in said:
                said.add(once)
                told = reword(message)
                say(f"warning: {told}{say_of_code(told, 'give', ctx.meta.get(SOURCE, ''))}")

        ctx.obj = reword
        with warnings.catch_warnings():
            warnings.simplefilter("always", TiekitWarning)
            warnings.showwarning = show  # type: ignore[assignment]  # it is called by position
            try:
                return super().invoke(ctx)
            except TiekitError as error:
                code = say_of_code(str(error), "give", ctx.meta.get(SOURCE, ""))
                raise Failure(reword(error, blames=isinstance(error, InputError)) + code) from error
            except OSError as error:
                if error.errno == errno.EPIPE:  # whoever reads has seen enough; click ends quietly
                    raise
                raise Failure(f"the result cannot be written ({error.strerror or error})") from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="tiekit %(version)s")
def tiekit() -> None:
    """Evaluate metrics of machine translation where scores tie.

    \b
    Examples:
      tiekit app
      tiekit leaderboard wmt22 --coefficients acc_eq*,tau_b --format markdown
      tiekit leaderboard scores.csv --human mqm --json | jq .
      tiekit compare wmt22 COMET-22 BLEU --coefficient acc_eq*

    A SOURCE is a file or a folder in any format that tiekit reads, "-" for a file on stdin, or the name of a set
    that comes with tiekit: wmt22, wmt23/zh-en, wmt23/he-en, wmt23/en-de, synthetic. Results go to stdout; notes,
    warnings and errors are lines on stderr. The exit code is 0 if all went well, 1 after an error, and 2 if a command
    is used wrongly.
    """


for command in (app, leaderboard, standing, compare, calibrate, lab, story, convert, download, official):
    tiekit.add_command(command)


def run() -> None:
    """Run a command of the shell."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal's encoding does not have
    elif sys.stdout is None and sys.argv[1:2] != ["app"]:
        say("the result cannot be written (the output is closed)")
        sys.exit(1)
    tiekit(prog_name="tiekit")


_ROUNDING = re.compile(r"data\.adjusted\(decimals=(\{[^{}]*\})\)")
_WHOLE = re.compile(r"data\.with_metric\((?:'.*'|\".*\"), np\.round\(data\.metrics\[.*\] \* (\d+)\)\)")
_NEGATING = re.compile(r"""data\.adjusted\((lower_is_better=(?:'[^']*'|"[^"]*"))\)""")
_SELECTING = re.compile(r"data\.select\((exclude=\[[^][]*\])\)")
_IN_CALL = re.compile(r"(?<!\bdata)\.\w+\($")
_NAMES = re.compile(r"or pass names=\{.*?: …\} instead of name=")
_ARGUMENT = re.compile(
    r"""(?<![\w.-])([a-z_]\w*)=(True\b|COLUMN\b|\(\)|'[^']*'|"[^"]*"|-?\d+\b|\{[^{}]*\}|\['[^][]*'\]|)(?![=\w])"""
)
_BLAMED = re.compile(r"^([a-z_]\w*): ")
_ADDS = {"with_human": "add_human", "with_scores": "add"}
"""Methods of a set, and the options of commands that do the same."""
_TARGETS = {"root": "folder"}
_ELSEWHERE = {"format": "--read-as", "metrics": "--choose metrics="}
_NOT_OF_ADDED = ("decimals", "lower_is_better", "name")
"""Arguments of readers that are no arguments of added files."""


def in_terminal(message: str, command: click.Command, *, blames: bool = False, added: bool = False) -> str:
    """Write a message with the options of a command.

    ``blames`` says that it begins with the argument at fault, and ``added`` that it is about a further file.
    """
    options = {str(one.name): one.opts[0] for one in command.params if isinstance(one, click.Option)}
    if "choose" in options:
        options |= {name: f"--choose {name}=" for name in _reader_arguments() if name not in options}
        options |= _ELSEWHERE
    if "choose_added" in options and added:
        of_reader = {"format", *_reader_arguments()}.difference(_NOT_OF_ADDED)
        options |= {name: f"--choose-added {name}=" for name in of_reader}
    message = _ROUNDING.sub(_say_how_to_round, message)
    message = say_how_to_take_out(message, ".to_csv('mine.csv', index=False)")
    message = _WHOLE.sub(_say_how_to_multiply, message)
    message = _SELECTING.sub(r"\1", _NEGATING.sub(r"\1", message))
    if added:
        message = message.replace("lower_is_better=True", f"lower_is_better={message.partition(':')[0]!r}")
    message = _NAMES.sub("or name the file alone, without NAME=", message)
    for method, name in _ADDS.items():
        message = re.sub(rf"(?<![.\w]){method}\b", options.get(name, method), message)
    message = _ARGUMENT.sub(lambda found: as_option(found, options), message).replace("\0", "=")
    return _BLAMED.sub(lambda found: name_parameter(found, command), message) if blames else message


def _say_how_to_round(found: re.Match[str]) -> str:
    """The options that round; their = are written last, as a human score may be named as an argument is."""
    decimals = ast.literal_eval(found[1])
    return " ".join(_option("--decimals", f"{name}={number}") for name, number in decimals.items()).replace("=", "\0")


def _say_how_to_multiply(found: re.Match[str]) -> str:
    """How scores in a file become whole numbers."""
    step = f"pandas.read_csv(FILE).assign(**{{COLUMN: lambda frame: (frame[COLUMN] * {found[1]}).round()}})"
    return f"{step}.to_csv('mine.csv', index=False), in Python, makes such of COLUMN"


def as_option(found: re.Match[str], options: Mapping[str, str]) -> str:
    """One argument and its value as an option; what is no argument of the command, as it is."""
    name, value = found[1], found[2].strip("'\"")
    if _IN_CALL.search(found.string[: found.start()]):  # of a step in Python, such as .reset_index(level=0)
        return found[0]
    if value.startswith(("{", "[")) and '"' not in value:
        value = value.replace("'", '"')  # which the shell's quotation marks leave as they are
    if name == "name" and value and "add" in options:
        return f"--add {shlex.quote(value + '=FILE')}"
    if (name, value) == ("exclude", "()") and "all_systems" in options:
        return "--all-systems"
    if (name, value) == ("cells", "own") and "cells" in options:
        return "--own-cells"
    if name == "exclude" and name in options and value.startswith("["):
        return " ".join(_option(options[name], one) for one in ast.literal_eval(found[2]))
    if name not in options or (value == "()" and not options[name].startswith("--choose")):
        return found[0]
    value = value.removeprefix("()")
    return _option(options[name], value)


def _option(flag: str, value: str) -> str:
    if flag.endswith("="):
        return flag + (value.lower() if value == "True" else shlex.quote(value) if value else "")
    return flag if value in ("", "True") else f"{flag} {shlex.quote(value)}"


def name_parameter(found: re.Match[str], command: click.Command) -> str:
    """The option or the argument of a command that a message begins with."""
    by_name = {one.name: one for one in command.params}
    one = by_name.get(found[1]) or by_name.get(_TARGETS.get(found[1], ""))
    if one is None:
        return found[0]
    if isinstance(one, click.Option):
        return f"{one.opts[0]}: "
    return f"{one.make_metavar(click.Context(command)).strip('[] …')}: "


def _reader_arguments() -> set[str]:
    """The arguments that the readers of all formats take beside the files."""
    from tiekit.readers.registry import FORMATS

    return {name for entry in FORMATS.values() for name in list(signature(entry.read).parameters)[1:]}
