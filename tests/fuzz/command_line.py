"""What is typed at a terminal? Arguments that nobody expects, and files of any content."""

from __future__ import annotations

import contextlib
import random
import tempfile
import unicodedata
from pathlib import Path

from click.testing import CliRunner

from tests.fuzz.case import Case, Said
from tests.fuzz.names import name
from tests.fuzz.readers import ORIGINALS
from tests.mutated import mutated
from tiekit.cli.main import tiekit

COMMANDS = ("leaderboard", "compare", "calibrate", "convert", "lab", "official")
OPTIONS = {
    "leaderboard": ("--metrics", "--grouping", "--coefficients", "--domain", "--own-cells", "--format", "--json"),
    "compare": ("--coefficient", "--grouping", "--swap", "--resamples", "--seed", "--alpha", "--correction", "--json"),
    "calibrate": ("--coefficient", "--grouping", "--format", "--json"),
    "convert": ("--to-testset", "--to-language-pair", "--overwrite"),
    "lab": ("--name", "--epsilon"),
    "official": ("--metrics", "--format"),
}
READING = ("--human", "--exclude", "--all-systems", "--language-pair", "--testset", "--read-as", "--choose", "--add")
MORE = ("--add-human", "--lower-is-better", "--decimals", "-q")
TEXTS = (
    *("item", "global", "tau_b", "acc_eq*", "BLEU", "mqm", "0", "1", "-1", "1e999", "9" * 400, "nan", "a=b", "=", ","),
    *("mqm=99", "csv", "json", "latex", "table", "toy", "en-de", "human=mqm", "lines=3", "", "true", "--", "-"),
)
CODES = (0, 1, 2)
SECONDS = 10.0
"""A command may load what it needs, test at most as many resamples as it is told, and read small files."""


def case(number: int) -> Case:
    """Return a command with its arguments and a file."""
    rng = random.Random(f"command line {number}")
    path, content = mutated(ORIGINALS, rng.randrange(10**9))
    path = _file_name(rng) if rng.random() < 0.2 else path
    command = rng.choice(COMMANDS)
    options: list[str] = []
    for option in rng.choices((*OPTIONS[command], *READING, *MORE), k=rng.choice([0, 1, 2, 4])):
        text = rng.choice(("1", "9", "0", "-1", "x", "1.5")) if option == "--resamples" else _text(rng)
        options += [option, text] if rng.random() < 0.9 else [option]
    more = [_text(rng) for _ in range(rng.choice([0, 0, 1, 2]))]
    return Case(
        f"tiekit {command} {path!r} {more} {options}"[:500],
        len(content),
        lambda: _run(command, path, content, more, options),
        SECONDS,
    )


def _text(rng: random.Random) -> str:
    text = rng.choice(TEXTS) if rng.random() < 0.7 else name(rng)
    return "".join(letter for letter in text.encode("utf-8", "replace").decode() if letter.isprintable())


def _file_name(rng: random.Random) -> str:
    """A name that a file can have."""
    last = Path(name(rng).encode("utf-8", "replace").decode().replace("\0", "")).name
    return last[:60] if last.strip(".") else "x"


def _run(command: str, path: str, content: bytes, more: list[str], options: list[str]) -> Said:
    runner = CliRunner()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("in").mkdir()
        source = Path("in", Path(path).name or "x")
        source.write_bytes(content)
        before = _files(folder)
        given = [] if command == "lab" else [str(source)]
        target = ["out"] if command == "convert" else []
        found = runner.invoke(tiekit, [command, *given, *target, *more, *options])
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            raise found.exception
        assert found.exit_code in CODES, found.exit_code
        assert before <= _files(folder), "a file of the user is gone"
    said = found.stderr.splitlines()
    shown = found.stderr + found.stdout
    for_people = found.stderr if {"--format", "--json"} & set(options) else shown
    control = {letter for letter in for_people if unicodedata.category(letter) == "Cc"} - set("\n")
    assert not control, f"control characters {control} reach the terminal"
    assert "Traceback" not in shown
    return [line for line in said if line.startswith("tiekit: ")]


def _files(folder: str) -> set[Path]:
    return {path for path in Path(folder, "in").rglob("*") if path.is_file()}
