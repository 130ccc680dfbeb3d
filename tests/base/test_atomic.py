"""Whatever ends a program that writes, files and folders are the old or the new ones, never a mixture."""

import random
import signal
import subprocess
import sys
import time

import pytest

from tiekit.base import atomic
from tiekit.base.atomic import write_file, write_folder

WRITER = """
import itertools, pathlib, runpy, sys
write = runpy.run_path(sys.argv[1])["write_folder"]
folder = pathlib.Path(sys.argv[2])
for number in itertools.count():
    write(folder, {f"{part}/{file}.txt": f"{number}\\n" * 3000 for part in "ab" for file in range(8)})
    print(number, flush=True)
"""


def kill(folder, seed, number):
    """Kill a program that writes at a random moment, and return the different contents of the files that it leaves."""
    rng = random.Random(seed)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, atomic.__file__, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "0\n"
    time.sleep(rng.random() / 4)
    writer.send_signal(number)
    writer.communicate()
    left = folder if folder.exists() else folder.with_name(f".{folder.name}.old")
    files = list(left.rglob("*.txt"))
    assert len(files) == 16
    return {file.read_text() for file in files}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("runs", [5, pytest.param(100, marks=pytest.mark.campaign)])
def test_a_folder_is_the_old_or_the_new_one_when_its_writer_is_killed(tmp_path, runs):
    for seed in range(runs):
        kind = signal.SIGKILL if seed % 2 else signal.SIGTERM
        [content] = kill(tmp_path / f"set{seed}", seed, kind)
        assert len(set(content.split())) == 1
        assert len(content.split()) == 3000


def test_a_failure_leaves_the_old_file_and_nothing_beside(tmp_path):
    write_file(tmp_path / "a.txt", "old")
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "a.txt", "new \ud800")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.txt", "old")]


def test_other_files_of_a_folder_stay_and_an_old_one_is_put_back(tmp_path):
    folder = tmp_path / "set"
    write_folder(folder, {"a/x.txt": "1", "a/y.txt": "1"})
    folder.rename(tmp_path / ".set.old")
    with pytest.raises(UnicodeEncodeError):
        write_folder(folder, {"a/x.txt": "2", "a/y.txt": "\ud800"})
    assert (folder / "a/x.txt").read_text() == "1"
    write_folder(folder, {"a/x.txt": "3"})
    assert {file.name: file.read_text() for file in folder.rglob("*.txt")} == {"x.txt": "3", "y.txt": "1"}
    assert [path.name for path in tmp_path.iterdir()] == ["set"]
