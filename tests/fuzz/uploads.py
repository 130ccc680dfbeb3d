"""What is uploaded to the app? Files of any name and content, and thousands of them."""

from __future__ import annotations

import random
from dataclasses import dataclass

import tiekit as tk
from tests.fuzz.case import Case, Said
from tests.fuzz.names import name
from tests.fuzz.readers import ORIGINALS
from tests.mutated import mutated
from ui.evalset import upload
from ui.evalset.sources import title
from ui.leaderboard import newcomer
from ui.work.text import plain

MANY = 10_000
TIMES_MANY = 0.02


@dataclass(frozen=True)
class File:
    """A file as the browser sends it."""

    name: str
    content: bytes

    def getvalue(self) -> bytes:
        """Return its contents."""
        return self.content


def case(number: int) -> Case:
    """Return one upload."""
    rng = random.Random(f"uploads {number}")
    if rng.random() < TIMES_MANY:
        content = rng.choice([b"", b"1\n", b"A\t1\n", b"\0"])
        files = [File(f"{place}{name(rng)}", content) for place in range(MANY)]
    else:
        files = [File(*mutated(ORIGINALS, rng.randrange(10**9))) for _ in range(rng.choice([1, 1, 2, 4]))]
        files = [File(name(rng), file.content) if rng.random() < 0.7 else file for file in files]
    size = sum(len(file.content) + len(file.name) for file in files)
    run = rng.choice([_open, _open, _beside])
    return Case(f"{run.__name__} {[file.name for file in files]!r:.300}", size, lambda: run(files))


def _open(files: list[File]) -> Said:
    """Open an evaluation set, as the page of every lesson does."""
    contents = upload.by_name(files)
    entry = upload.format_of(contents, object(), upload.RECOGNIZE)
    answers: dict[str, object] = {}
    for one in entry.questions(contents, answers):
        answers[one.argument] = one.usual if one.several else one.options[0]
    data = entry.read(contents, **answers)
    compile(entry.call(contents, answers), "<code>", "exec")
    return [f"{title(data)}.", *map(plain, data.notes)]


def _beside(files: list[File]) -> Said:
    """Put a metric beside those of the open set, as the Leaderboard does."""
    upload.check_number(len(files))
    data, said = tk.load_wmt22(), []
    for group in newcomer.group_files([(file.name, file.content) for file in files]):
        added = newcomer.AddedFiles(0, group)
        entry = upload.format_of(added.files, object(), upload.RECOGNIZE)
        answers: dict[str, object] = {}
        for one in entry.questions(added.files, answers):
            answers[one.argument] = one.usual if one.several else one.options[0]
        scores, _ = added.scores(entry, answers, data)
        names = list(scores.metrics)
        assert all(newcomer.usual_name(metric, added.files, data.metrics) for metric in names)
        joined, _ = added.join(data, scores, {}, of_people=False)
        said += [plain(added.label), *map(plain, joined.notes[len(data.notes) + len(scores.notes) :])]
    return list(dict.fromkeys(said))
