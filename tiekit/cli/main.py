"""What holds for every command? Results on stdout, one line on stderr for each note, warning and error, exit codes."""

from __future__ import annotations

import io
import sys
import warnings
from typing import Any

import click

from tiekit.base.errors import InputError, TiekitError, TiekitWarning
from tiekit.base.results import __version__
from tiekit.cli.app import app
from tiekit.cli.calibrate import calibrate
from tiekit.cli.compare import compare
from tiekit.cli.convert import convert
from tiekit.cli.download import download
from tiekit.cli.lab import lab
from tiekit.cli.leaderboard import leaderboard
from tiekit.cli.official import official
from tiekit.cli.output import say
from tiekit.cli.wording import in_terminal


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

        def worded(message: object, *, blames: bool = False) -> str:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            return str(message) if command is None else in_terminal(str(message), command, blames=blames)

        def show(message: Warning | str, *_: Any) -> None:
            if str(message) not in said:
                said.add(str(message))
                say(f"warning: {worded(message)}")

        with warnings.catch_warnings():
            warnings.simplefilter("always", TiekitWarning)
            warnings.showwarning = show  # type: ignore[assignment]  # it is called by position
            try:
                return super().invoke(ctx)
            except TiekitError as error:
                raise Failure(worded(error, blames=isinstance(error, InputError))) from error


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

    A SOURCE is a file or a folder in any format that tiekit reads, "-" for a file on stdin, or "wmt22" for the set that
    comes with tiekit. Results go to stdout; notes, warnings and errors are lines on stderr. The exit code is 0 if all
    went well, 1 after an error, and 2 if a command is used wrongly.
    """


for command in (app, leaderboard, compare, calibrate, lab, convert, download, official):
    tiekit.add_command(command)


def run() -> None:
    """Run a command of the shell."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal's encoding does not have
    tiekit(prog_name="tiekit")
