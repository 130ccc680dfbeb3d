"""One metric in every shape that people have: each gives the same scores, in Python, in a terminal and in the app."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers import shapes
from tiekit.cli.data import add_files
from ui.evalset import upload
from ui.leaderboard import newcomer
from ui.work.reader_process import Addition, look_ahead

FILES, IN_MEMORY = shapes.files(), shapes.in_memory()


@pytest.fixture(scope="module")
def data() -> tk.EvalSet:
    return shapes.data()


def check(joined: tk.EvalSet, *, of_people: bool = False) -> None:
    matrix = (joined.human if of_people else joined.metrics)["mine"]
    assert (joined.gold, "mine" in joined.metrics) == ("mqm", not of_people)
    np.testing.assert_array_equal(matrix[:4], shapes.SCORES)
    assert np.isnan(matrix[4:]).all()


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize("shape", FILES)
def test_files_in_python(shape, data, tmp_path):
    for name, content in FILES[shape].items():
        (tmp_path / name).write_bytes(content)
    paths = sorted(tmp_path.iterdir(), key=lambda path: list(FILES[shape]).index(path.name))
    check(data.with_scores(paths if len(paths) > 1 else paths[0], name="mine"))
    check(data.with_scores(FILES[shape], name="mine"))
    check(data.with_human(FILES[shape], name="mine"), of_people=True)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize("shape", FILES)
def test_files_in_a_terminal(shape, data, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, content in FILES[shape].items():
        (folder / name).write_bytes(content)
    files = list(folder.iterdir())
    path = files[0] if len(files) == 1 else folder
    check(add_files(data, "--add", [f"mine={path}"], {}))
    check(add_files(data, "--add-human", [f"mine={path}"], {}), of_people=True)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize("shape", IN_MEMORY)
def test_what_is_in_memory(shape, data):
    check(data.with_scores(IN_MEMORY[shape], name="mine"))
    check(data.with_metric("mine", IN_MEMORY[shape]))
    check(data.with_human(IN_MEMORY[shape], name="mine"), of_people=True)


UNCLEAR = {
    "a long table without a header": "put a line such as system,segment,score above",
    "a wide table without numbers of segments": "put a line such as system,segment,score above",
    "a wide table with prompts, in another order": "put a line such as system, segment, human",
}


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_systems_may_be_named_by_numbers(monkeypatch):
    monkeypatch.setattr(shapes, "SYSTEMS", ("0.1", "1", "1.5", "2"))
    wide = pd.DataFrame(shapes.SCORES.T, shapes.SEGMENTS, shapes.SYSTEMS).rename_axis("segment")
    check(shapes.data().with_scores({"temperatures.csv": wide.to_csv().encode()}, name="mine"))
    monkeypatch.setattr(shapes, "SYSTEMS", ("3", "1", "10", "2"))
    named, frame = shapes.data(), pd.DataFrame(shapes.SCORES.T)
    with pytest.raises(
        tk.InputError, match=r"its columns have no names but rows have; name them, such as by frame\.col"
    ):
        named.with_scores(frame.set_axis(shapes.SEGMENTS), name="mine")
    others = {"a set": tk.EvalSet.from_arrays({}, {"mine": shapes.SCORES})}
    others["rows that are counted"] = {"mine.csv": frame.set_axis(shapes.SYSTEMS, axis=1).to_csv().encode()}
    for shape, source in (shapes.files() | shapes.in_memory() | others).items():
        if shape in UNCLEAR:
            with pytest.raises((tk.InputError, tk.ReadError), match=UNCLEAR[shape]):
                named.with_scores(source, name="mine")
        else:
            check(named.with_scores(source, name="mine"))
            check(named.with_human(source, name="mine"), of_people=True)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize("shape", FILES)
def test_files_in_the_app(shape, data):
    [files] = newcomer.group_files(list(FILES[shape].items()), data.systems)
    entry = upload.format_of(files, object(), upload.RECOGNIZE, together=True)
    one = files if entry.several else dict([next(iter(files.items()))])
    known = entry.known_answers({"systems": data.systems, "segments": data.segments})
    _, (_, (_, scores), _) = look_ahead(entry.name, one, {}, known, Addition(data, files))
    check(data.with_scores(scores, name="mine"))
    check(data.with_human(scores, name="mine"), of_people=True)


def test_the_page_lists_every_shape():
    """Each cell of the table on docs/formats.md is one of the tests above."""
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| ([^|]+) \| (yes|–) \| (yes|–) \| (yes|–) \|$", page, re.MULTILINE)
    assert dict.fromkeys(FILES, ("yes",) * 3) | dict.fromkeys(IN_MEMORY, ("yes", "–", "–")) == {
        shape: tuple(cells) for shape, *cells in told
    }


def test_keys_named_like_human_scores_are_said_to_be_systems():
    scores = {"mqm": [1, 2, 3], "a": [0.1, 0.2, 0.3], "judge": [1, 2, 2]}
    with pytest.warns(tk.errors.RoleWarning, match=r"keys, 'mqm' among them, are taken for systems; .*DataFrame"):
        assert tk.read(scores).systems == ("mqm", "a", "judge")
