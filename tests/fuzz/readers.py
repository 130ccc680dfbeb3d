"""Which files does `tiekit` read? Mutated samples, alone, several and grown to megabytes, and what asks about them."""

from __future__ import annotations

import random
from pathlib import Path

import tiekit as tk
from tests.fuzz.case import MB, Case
from tests.fuzz.names import name
from tests.mutated import mutated, samples
from tiekit.readers import FORMATS, list_mtme, preview_table, read_darr

SAMPLES = Path(__file__).parents[1] / "readers" / "samples"
ORIGINALS = [
    *samples(SAMPLES),
    ("pairs.tsv", b"1\t.5\n2\t.7\n"),
    ("en-de.mqm.seg.score", b"".join(b"S%d\t%d.25\n" % (i // 5, i) for i in range(20))),
    (
        "mine.csv",
        b"system,segment,doc,mqm,BLEU\n" + b"".join(b"S%d,%d,d,%d,1\n" % (i % 3, i // 3, i) for i in range(30)),
    ),
]
GROWN = 0.03
"""So many of the files are grown to megabytes."""


def case(number: int) -> Case:
    """Return a file, or several, and one way to read them."""
    rng = random.Random(f"readers {number}")
    if rng.random() < GROWN:
        files = dict([_grown(rng)])
    else:
        files = dict(mutated(ORIGINALS, rng.randrange(10**9)) for _ in range(rng.choice([1, 1, 1, 2, 5])))
    if rng.random() < 0.2:
        files = {name(rng): content for content in files.values()}
    read, how = rng.choice([*[(_read, "read")] * 6, *_WAYS])
    return Case(f"{how} of {list(files)!r:.200}", sum(map(len, files.values())), lambda: read(rng, files))


def _grown(rng: random.Random) -> tuple[str, bytes]:
    """A file whose lines, or some of whose bytes, are there thousands of times."""
    path, content = rng.choice(ORIGINALS)
    size = rng.choice([1, 1, 3]) * MB
    head, _, body = content.partition(b"\n")
    whole = (head + b"\n" + (body or head) * (size // max(len(body or head), 1)))[:size]
    start = rng.randrange(len(whole))
    return path, whole[:start] + rng.choice([b"", b"\0", b'"', b"\xff", b",", b"x"]) + whole[start:]


def _read(_: random.Random, files: dict[str, bytes]) -> None:
    data = tk.read(files)
    assert data.notes
    repr(data)
    data._repr_html_()


def _read_as(rng: random.Random, files: dict[str, bytes]) -> None:
    entry = rng.choice(list(FORMATS.values()))
    answers: dict[str, object] = {}
    for one in entry.questions(files, answers):
        answers[one.argument] = one.usual if one.several else rng.choice(one.options)
    entry.read(files, **answers)
    compile(entry.call(files, answers), "<code>", "exec")


def _ask(_: random.Random, files: dict[str, bytes]) -> None:
    preview_table(dict(list(files.items())[:1]))


def _rankings(_: random.Random, files: dict[str, bytes]) -> None:
    tk.read_rankings(dict(list(files.items())[:1]))


def _darr(_: random.Random, files: dict[str, bytes]) -> None:
    read_darr(dict(list(files.items())[:1]))


def _listed(_: random.Random, files: dict[str, bytes]) -> None:
    list_mtme(files)


_WAYS = (
    (_read_as, "a format's reader"),
    (_ask, "preview"),
    (_rankings, "rankings"),
    (_darr, "DArr"),
    (_listed, "list"),
)
