"""Which scores does a command work on? A source and how it is read; what is written and what is downloaded."""

from __future__ import annotations

import ast
import functools
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

import tiekit as tk
from tiekit.base.errors import DirectionWarning, InputError
from tiekit.base.validation import MOST_DECIMALS
from tiekit.cli.output import say
from tiekit.core.coefficients import AVERAGES
from tiekit.readers._questions import Choice, Defaults
from tiekit.readers._roles import ask_about
from tiekit.readers.data_sets import SETS, load
from tiekit.readers.read import read_likely
from tiekit.sets.cells import CELLS
from tiekit.sets.evalset import EvalSet
from tiekit.sets.writers import write_mtme

STDIN = "-"
ADDING = "tiekit adding"
"""While a further file is read, the context of a command knows it, so that warnings name the options of such files."""

SOURCE = "tiekit source"
"""Under this name the context of a command holds the Python that reads its source."""


def _names(ctx: click.Context, param: click.Parameter, values: Iterable[str]) -> tuple[str, ...]:  # noqa: ARG001
    """Several names: the option may be repeated, and names may stand behind commas."""
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


def names_option(*flags: str, help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option of several names."""
    return click.option(*flags, multiple=True, callback=_names, metavar="NAME,…", help=help)


def _pairs(ctx: click.Context, param: click.Parameter, values: Iterable[str]) -> dict[str, Any]:  # noqa: ARG001
    """Arguments of a reader, by name."""
    found: dict[str, Any] = {}
    for value in values:
        name, sign, answer = value.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"expected NAME=VALUE, found {value!r}")
        literal: Any = {"true": True, "false": False, "": ()}.get(answer.lower(), answer)
        if answer.startswith(("{", "[")):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                literal = ast.literal_eval(answer)
        found[name.replace("-", "_")] = literal
    return found


def _decimals(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> int | dict[str, int] | None:
    """A number for all scores, or one for each name."""
    kind: click.ParamType[Any] = click.IntRange(-MOST_DECIMALS, MOST_DECIMALS)
    found = {}
    for value in values:
        name, sign, number = value.rpartition("=")
        found[name] = int(kind.convert(value if sign and not name else number, option, context))
    if "" in found and len(values) > 1:
        raise click.BadParameter("expected one number for all scores, or NAME=NUMBER for each name")
    return found.get("", found or None)


READING = (
    click.option("--language-pair", metavar="PAIR", help="Such as zh-en, where the source has several."),
    click.option("--testset", metavar="NAME", help="Such as wmt23, where the source has several."),
    click.option("--read-as", metavar="FORMAT", help="The format, where it is not recognized (docs/formats.md)."),
    click.option("--choose", multiple=True, callback=_pairs, metavar="NAME=VALUE", help="An argument of the reader."),
    names_option("--lower-is-better", help="Scores to negate, so that higher is better."),
    click.option(
        "--decimals",
        multiple=True,
        callback=_decimals,
        metavar="[NAME=]N",
        help="Round all scores, or those of a name, to this many decimals.",
    ),
    click.option(
        "--add",
        multiple=True,
        metavar="[NAME=]FILE",
        help="Add the metric in this file, aligned by the names of systems and segments; without NAME it is called as "
        "its column, or as the file where that is called score, value or the like.",
    ),
    click.option(
        "--add-human",
        multiple=True,
        metavar="[NAME=]FILE",
        help="Add the human scores in this file, in the same way; --human NAME compares with them.",
    ),
    click.option(
        "--choose-added",
        multiple=True,
        callback=_pairs,
        metavar="NAME=VALUE",
        help="An argument of the reader of added files, such as score_column=2; metrics= is for files of --add and "
        "human= for those of --add-human, where there are both.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="No notes and warnings on stderr."),
)
COMPARING = (
    click.option("--human", metavar="NAME", help="The human score; by default the gold score, or the only one."),
    names_option("--exclude", help="Systems to leave out, instead of the standard reference and the known outliers."),
    click.option("--all-systems", is_flag=True, help="Leave out no system."),
)

_WHICH_CELLS = (
    click.option("--own-cells", "cells", flag_value="own", help="Compare each metric on all that it has scored."),
    click.option(
        "--cells",
        type=click.Choice(CELLS),
        help="common: what all metrics have scored (the default, but a metric that has scored less than half stands "
        "below the others); own: --own-cells.",
    ),
    click.option("--common-cells", is_flag=True, hidden=True),
)


@dataclass(frozen=True)
class Opened:
    """The scores of a source, which human score counts, and which systems are left out."""

    data: EvalSet
    human: str | None = None
    exclude: tuple[str, ...] | None = None
    added: tuple[str, ...] = ()
    """Names of the metrics of further files."""


def reads(*, compares: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command a source and the options that say how it is read; the command gets it `Opened`, first."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def with_source(source: str, quiet: bool, **options: Any) -> None:
            with warnings.catch_warnings():
                if quiet:
                    warnings.simplefilter("ignore")
                if is_score_file(options.get("metric")):
                    options["add"] += (options["metric"],)
                opened = _open(source, options)
                _refuse_files(options.get("metrics") or (), opened)
                for note in () if quiet else opened.data.notes:
                    say(f"note: {click.get_current_context().obj(note)}")
                command(opened, **options)

        with_options: Callable[..., None] = with_source
        for option in reversed((*(COMPARING if compares else ()), *READING)):
            with_options = option(with_options)
        return click.argument("source", metavar="SOURCE", shell_complete=_complete_source)(with_options)

    return add


def _complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The sets that come along; where none begins so, the shell's files."""
    sets = [f"{testset}/{pair}" for testset, pairs in SETS.items() for pair in pairs]
    found = [CompletionItem(name) for name in (*SETS, *sets) if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


def complete_metric(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Metrics of a set that comes along, else the shell's files."""
    source = str(ctx.params.get("source"))
    names = load(source if source != "wmt23" else "wmt23/zh-en").metrics if is_bundled(source) else ()
    found = [CompletionItem(name) for name in names if name.lower().startswith(incomplete.lower())]
    return found or [CompletionItem(incomplete, type="file")]


choose_average = click.option(
    "--average",
    type=click.Choice(list(AVERAGES)),
    default="groups",
    show_default=True,
    help="Average over groups, or pool the pairs of all groups, as WMT did with tau_10 from 2017 to 2020.",
)
"""The option that says how one value is made of several groups."""


def choose_cells(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say on which cells metrics are compared; the command gets ``cells``."""

    @functools.wraps(command)
    def with_cells(*arguments: Any, common_cells: bool, **options: Any) -> None:
        if common_cells:
            say("warning: --common-cells is now --cells common")
            if options["cells"] == "own":
                raise click.UsageError("--common-cells and --own-cells contradict each other.")
            options["cells"] = "common"
        command(*arguments, **options)

    with_options: Callable[..., None] = with_cells
    for option in reversed(_WHICH_CELLS):
        with_options = option(with_options)
    return with_options


def _open(source: str, options: dict[str, Any]) -> Opened:
    """Read what the options say, and take these out of them."""
    human, choices, of_added = options.pop("human", None), options.pop("choose"), options.pop("choose_added")
    exclude, everybody = options.pop("exclude", ()), options.pop("all_systems", False)
    if exclude and everybody:
        raise click.UsageError("--exclude and --all-systems contradict each other.")
    for name in ("language_pair", "testset"):
        if (answer := options.pop(name)) is not None:
            choices[name] = answer
    read_as = options.pop("read_as")
    is_whole = is_bundled(source) and read_as is None and choices.keys() <= {"language_pair"}
    told = {**choices, "format": read_as} if read_as else choices
    given = ", ".join(["PATH" if source == STDIN else repr(source), *(f"{key}={one!r}" for key, one in told.items())])
    click.get_current_context().meta[SOURCE] = f"tk.{'load' if is_whole else 'read'}({given})"
    if is_whole:
        data = load(source, choices.get("language_pair"))
    else:
        names = {Path(one.partition("=")[0]).name.partition(".")[0] for one in options["add_human"]}
        own_human = None if human in names else human

        def find_several(question: Choice) -> tuple[str, ...] | None:
            several = tuple(name for name in str(human).split(",") if name in question.options)
            return several if len(several) > 1 and question.several else None

        likely: Defaults = {"human": find_several if "," in str(human) else own_human}
        content = sys.stdin.buffer.read() if source == STDIN else source
        data = ask_about(read_likely(content, read_as, choices, likely))
    own = set(data.metrics)
    lower, decimals = options.pop("lower_is_better"), options.pop("decimals")
    files = options.pop("add_human"), options.pop("add")
    for argument, added, other in (("--add-human", files[0], "metrics"), ("--add", files[1], "human")):
        chosen = {name: value for name, value in of_added.items() if name != other or not all(files)}
        data = add_files(data, argument, added, chosen, lower)
    done = {one.partition("=")[0] for some in files for one in some if not Path(one).exists()}
    data = data.adjusted(lower_is_better=[name for name in lower if name not in done], decimals=decimals)
    is_file = human is not None and human not in data.human and human.endswith((".score", ".score.gz"))
    added = tuple(name for name in data.metrics if name not in own)
    return Opened(data, None if is_file else human, () if everybody else exclude or None, added)


_ENDINGS = (
    ".bz2",
    ".csv",
    ".gz",
    ".json",
    ".jsonl",
    ".npy",
    ".npz",
    ".parquet",
    ".score",
    ".tsv",
    ".txt",
    ".xlsx",
    ".xz",
    ".zip",
)


def is_score_file(metric: str | None) -> bool:
    """Whether a metric is named by its file, FILE or NAME=FILE, be it there or not, or by a folder, NAME=FOLDER."""
    called = str(metric or "")
    path = called.partition("=")[2]
    return called.lower().endswith(_ENDINGS) or Path(called).is_file() or bool(path and Path(path).exists())


def _refuse_files(metrics: Iterable[str], opened: Opened) -> None:
    """Name the option that adds a file where one is named among the metrics of a set."""
    for metric in metrics:
        name, _, path = (metric if "=" in metric else f"{Path(metric).name.partition('.')[0]}={metric}").partition("=")
        if is_score_file(metric) and metric not in opened.data.metrics and Path(path).exists():
            kind = "file" if Path(path).is_file() else "folder"
            step = f"add it by --add {shlex.quote(f'{name}={path}')} and name {shlex.quote(name)} instead"
            raise InputError(f"metrics: {metric} is a {kind}, no metric of the set; {step}")


def is_bundled(source: str) -> bool:
    """Whether a set that comes along is meant, such as ``wmt23/zh-en``: no file or folder has that name."""
    return source.partition("/")[0] in SETS and not Path(source).exists()


def add_files(
    data: EvalSet, flag: str, added: Iterable[str], choices: dict[str, Any], lower: Iterable[str] = ()
) -> EvalSet:
    """The set with the scores of further files: of metrics (--add) or of people (--add-human)."""
    context = click.get_current_context(silent=True)
    said = {} if context is None else context.meta
    for one in added:
        add = data.with_human if flag == "--add-human" else data.with_scores
        name, sign, path = one.partition("=")
        named = bool(sign) and not Path(one).exists()
        if named and not (name and path):
            raise InputError(f"{flag}: expected FILE or NAME=FILE, found {one!r}")
        down = {"lower_is_better": True} if named and name in lower else {}
        with warnings.catch_warnings():
            if lower:
                warnings.simplefilter("ignore", DirectionWarning)
            said[ADDING] = True
            try:
                data = add(path if named else one, name=name if named else None, **{**down, **choices})
            except InputError as error:
                raise InputError(f"{flag} {one}: {str(error).removeprefix('source: ')}") from error
        said[ADDING] = False
    return data


@click.command()
@reads(compares=False)
@click.argument("folder", metavar="TARGET_FOLDER", type=click.Path(file_okay=False, path_type=Path))
@click.option("--to-testset", metavar="NAME", help="Name of the test set's folder; by default as in the source.")
@click.option("--to-language-pair", metavar="PAIR", help="Language pair in the files; by default as in the source.")
@click.option("--overwrite", is_flag=True, help="Replace files that are there.")
def convert(
    opened: Opened, folder: Path, to_testset: str | None, to_language_pair: str | None, overwrite: bool
) -> None:
    """Write the scores of any source in the layout of mt-metrics-eval, below TARGET_FOLDER.

    Every digit of the scores is kept; which score is gold, the outliers and the standard reference are not, except of
    test sets that tiekit knows. The folder of the test set is printed.

    \b
    Examples:
      tiekit convert data.csv v2 --to-testset mine --to-language-pair en-de
      tiekit convert comet.json v2 --to-testset wmt23 --to-language-pair en-de
    """
    written = write_mtme(opened.data, folder, testset=to_testset, language_pair=to_language_pair, overwrite=overwrite)
    click.echo(str(written))


@click.command()
@click.argument("testsets", nargs=-1, required=True, metavar="TESTSET…")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the test sets go.")
@names_option("--language-pair", help="Unpack only these language pairs, such as en-de.")
@click.option("--url", help="Address of another archive in the same layout.")
@click.option("--sha256", help="The digest that the archive must have.")
@click.option("--keep", is_flag=True, help="Keep the archive, so that further test sets need no download.")
@click.option("--force", is_flag=True, help="Unpack again what is there.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say how far the download is.")
def download(testsets: tuple[str, ...], language_pair: tuple[str, ...], quiet: bool, **options: Any) -> None:
    """Download test sets from the public archive of mt-metrics-eval (about 900 MB).

    A download that is interrupted leaves nothing behind. The folder that holds the test sets is printed.

    \b
    Examples:
      tiekit download wmt23 --language-pair en-de
      tiekit leaderboard "$(tiekit download wmt23)" --testset wmt23 --language-pair en-de
    """
    show = False if quiet else None if sys.stderr.isatty() else _Stages()
    folder = tk.download(testsets, language_pair=language_pair or None, progress=show, **options)
    click.echo(str(folder))


class _Stages:
    """Writes one line to stderr for each stage: for logs, which have no bar."""

    def __init__(self) -> None:
        self.stage = ""

    def __call__(self, step: Any) -> None:
        if step.stage != self.stage:
            say(str(step))
        self.stage = step.stage
