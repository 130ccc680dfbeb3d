"""A file or a folder that is written is the old one or the new one at any moment, never a mixture."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import tiekit as tk
from tests.sets.killed import held
from tiekit.base import atomic
from tiekit.base.atomic import is_unfinished, replace_folder, write_file
from tiekit.cli.main import tiekit
from tiekit.widgets import TieLab

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL, no fork and no limits")

AT_EVERY_MOMENT = """
import errno, os, signal, sys
import tiekit as tk
from tiekit.base import atomic
from tiekit.base.atomic import write_file

what, how, root, steps = sys.argv[1:]
def toy(value, metrics):
    return tk.EvalSet("toy", "en-de", ("A", "B"), ("1", "2"), {"mqm": [[value, 1], [0, 0]]},
                      {name: [[value, 2], [3, 4]] for name in metrics})
def write(value):
    if what == "file":
        return write_file(f"{root}/lab.html", str(value) * 100_000)
    tk.write_mtme(toy(value, "abcdef"), root, overwrite=True)
if what == "folder":
    tk.write_mtme(toy(0, "abcdefgh"), root)
write(1)
if steps == "two":
    atomic._exchange_at_once = lambda *_: False

def happen():
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    raise KeyboardInterrupt if how == "interrupt" else OSError(errno.ENOSPC, "No space left on device")

for moment in range(1000):
    child = os.fork()
    if not child:
        seen = 0
        def hook(event, arguments):
            global seen
            if any(root in os.fsdecode(one) for one in arguments if isinstance(one, str | bytes | os.PathLike)):
                seen += 1
                if seen == moment + 1:
                    happen()
        sys.addaudithook(hook)
        try:
            write(moment + 2)
        except (OSError, tk.InputError):
            os._exit(3)
        except KeyboardInterrupt:
            os._exit(4)
        os._exit(0 if seen <= moment else 5)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(moment, code, flush=True)
    sys.stdin.readline()
    if code == 0:
        break
"""


def at_every_moment(what: str, how: str, root: Path, steps: str = "one"):
    """Write again and again, what happens happening a step later each time; yields the codes of the exits."""
    command = [sys.executable, "-c", AT_EVERY_MOMENT, what, how, str(root), steps]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield tuple(map(int, line.split()))
            process.stdin.write("\n")
            process.stdin.flush()
    assert process.returncode == 0


def numbers(root: Path) -> set[str]:
    """The numbers that tell which turn has written the files there."""
    files = {name: content.split() for name, content in held(root).items()}
    assert len(files) == 9, sorted(files)
    assert all(len(words) == 8 for words in files.values())
    changed = {name: words for name, words in files.items() if not name.endswith(("g.seg.score", "h.seg.score"))}
    assert len(changed) == 7
    return {words[1].decode() for words in changed.values()}


@pytest.mark.parametrize(
    "how", ["kill", *(pytest.param(how, marks=pytest.mark.campaign) for how in ("interrupt", "full disk"))]
)
def test_a_folder_is_old_or_new_at_every_moment(tmp_path, how):
    before, moments = "1.0", 0
    for moments, _ in at_every_moment("folder", how, tmp_path):
        [found] = numbers(tmp_path)
        assert found in {before, f"{moments + 2}.0"}
        assert tk.list_mtme(tmp_path) == {"toy": ("en-de",)}
        assert len(tk.read_mtme(tmp_path, "toy", "en-de").metrics) == 8
        assert [name for name in os.listdir(tmp_path) if not is_unfinished(name)] == ["toy"]
        before = found
    assert moments > 30
    assert os.listdir(tmp_path) == ["toy"]


def test_a_text_that_cannot_be_encoded_leaves_the_old_one(tmp_path):
    write_file(tmp_path / "a.txt", "old")
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "a.txt", "new \ud800")
    assert held(tmp_path) == {"a.txt": b"old"}


@pytest.mark.parametrize("how", ["kill", "interrupt", "full disk"])
def test_a_file_is_old_or_new_at_every_moment(tmp_path, how):
    before = moments = 1
    for moments, _ in at_every_moment("file", how, tmp_path):
        text = (tmp_path / "lab.html").read_text()
        found = text[: len(text) // 100_000]
        assert text == found * 100_000
        assert int(found) in {before, moments + 2}
        before = int(found)
    assert moments >= 3
    assert os.listdir(tmp_path) == ["lab.html"]


@pytest.mark.campaign
def test_where_folders_cannot_be_exchanged_at_once_the_next_run_puts_the_old_one_back(tmp_path):
    before = "1.0"
    for moment, _ in at_every_moment("folder", "kill", tmp_path, "two"):
        if (tmp_path / "toy").exists():
            [before] = numbers(tmp_path)
        else:  # killed between two renames
            [kept] = tmp_path.glob(".toy.before-*")
            assert kept.is_dir()
            with pytest.raises(tk.ReadError, match="there is no test set 'toy'"):
                tk.read_mtme(tmp_path, "toy", "en-de")
            toy = tk.EvalSet("toy", "en-de", ("A", "B"), ("1", "2"), {"mqm": [[7, 7], [7, 7]]}, {})
            with pytest.raises(tk.InputError, match=r"toy/human-scores/en-de\.mqm\.seg\.score is there already"):
                tk.write_mtme(toy, tmp_path)
            [found] = numbers(tmp_path)
            assert found == before
            assert moment
    assert os.listdir(tmp_path) == ["toy"]


def wide(value: float) -> tk.EvalSet:
    """A set of which one file is larger than others."""
    systems, segments = tuple("ABCDE"), tuple(map(str, range(1, 5_001)))
    scores = np.full((5, 5_000), value)
    return tk.EvalSet("wide", "en-de", systems, segments, {"mqm": scores}, {"m": scores, "n": scores / 7 + 0.1})


@pytest.mark.campaign
def test_a_limit_on_the_size_of_files_leaves_the_old_ones(tmp_path):
    tk.write_mtme(wide(0), tmp_path / "v2")
    before = held(tmp_path)
    write_file(tmp_path / "lab.html", "old")
    code = (
        "import resource, sys, tiekit as tk\n"
        "from tests.base.test_atomic import wide\n"
        "from tiekit.base.atomic import write_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (160_000, 160_000))\n"
        "try: write_file(f'{sys.argv[1]}/lab.html', 'x' * 200_000)\n"
        "except OSError as error: print(error.strerror)\n"
        "tk.write_mtme(wide(1), f'{sys.argv[1]}/v2', overwrite=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == f"{os.strerror(errno.EFBIG)}\n"
    assert "cannot be written ([Errno 27] File too large); choose another folder" in done.stderr.splitlines()[-1]
    assert held(tmp_path) == {**before, "lab.html": b"old"}
    assert sorted(os.listdir(tmp_path)) == ["lab.html", "v2"]


def test_what_was_not_finished_is_not_read(tmp_path):
    folder = tk.write_mtme(wide(0), tmp_path / "v2")
    left = folder.rename(tmp_path / "v2" / ".wide.writing-0123abcd")
    assert tk.list_mtme(tmp_path / "v2") == {}
    said = "was never finished: whoever wrote it was stopped. Write it again, or delete it"
    file = next(left.glob("metric-scores/*/*"))
    for read in (
        lambda: tk.read(left),
        lambda: tk.read(file),
        lambda: tk.read([file, next(left.glob("human-scores/*"))]),
        lambda: tk.read(str(left / "human-scores")),
        lambda: tk.list_mtme(left),
        lambda: tk.read_mtme(left, "wide", "en-de"),
    ):
        with pytest.raises(tk.ReadError, match=said):
            read()
    with pytest.raises(tk.ReadError):
        tk.read(tmp_path / "v2")


def test_the_next_run_deletes_what_one_that_was_killed_left_and_nothing_else(tmp_path):
    leftovers = [".lab.html.writing-0123abcd", ".toy.writing-0123abcd"]
    others = [".lab.html", ".lab.html.writing-me", ".other.html.writing-0123abcd", "lab.html.writing-0123abcd"]
    for name in (leftovers[0], *others):
        (tmp_path / name).write_text("x")
    (tmp_path / leftovers[1]).mkdir()
    write_file(tmp_path / "lab.html", "new")
    with replace_folder(tmp_path / "toy") as fresh:
        write_file(fresh / "b", "new")
    assert sorted(os.listdir(tmp_path)) == sorted([*others, "lab.html", "toy"])


def test_a_file_is_as_if_it_had_been_written_in_place(tmp_path):
    write_file(tmp_path / "new", "a\nb é\n")
    (tmp_path / "usual").write_text("")
    assert (tmp_path / "new").read_bytes() == "a\nb é\n".encode()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    (tmp_path / "usual").chmod(0o640)
    write_file(tmp_path / "usual", "x")
    assert (tmp_path / "usual").stat().st_mode & 0o777 == 0o640
    (tmp_path / "link").symlink_to("usual")
    write_file(tmp_path / "link", "through the link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "usual").read_text() == "through the link"
    write_file(tmp_path / ("é" * 120), "a long name")
    write_file("/dev/null", "x")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(IsADirectoryError):
        write_file(tmp_path, "x")
    with pytest.raises(FileNotFoundError) as error:
        write_file(tmp_path / "no" / "x", "x")
    assert error.value.filename == str(tmp_path / "no" / "x")


def test_a_pipe_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=write_file, args=(tmp_path / "pipe", "x"))
    writer.start()
    assert (tmp_path / "pipe").read_text() == "x"
    writer.join()


def test_links_and_rights_of_a_folder_stay(tmp_path):
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "real" / "inner" / "file").write_text("old")
    (tmp_path / "real" / "link").symlink_to("inner/file")
    (tmp_path / "real" / "inner").chmod(0o750)
    (tmp_path / "toy").symlink_to("real")
    kept = (tmp_path / "real" / "inner" / "file").open()
    with replace_folder(tmp_path / "toy") as fresh:
        write_file(fresh / "inner" / "file", "new")
        assert (tmp_path / "toy" / "link").read_text() == "old"
    assert kept.read() == "old"
    kept.close()
    assert (tmp_path / "toy").is_symlink()
    assert (tmp_path / "real" / "link").is_symlink()
    assert (tmp_path / "toy" / "link").read_text() == "new"
    assert (tmp_path / "real" / "inner").stat().st_mode & 0o777 == 0o750
    assert sorted(os.listdir(tmp_path)) == ["real", "toy"]


def test_where_files_cannot_be_linked_they_are_copied(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EPERM, "no links here")

    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "file").write_text("old")
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(atomic, "fcntl", None)  # as on Windows
    with replace_folder(tmp_path / "toy") as fresh:
        write_file(fresh / "more", "new")
    assert held(tmp_path / "toy") == {"file": b"old", "more": b"new"}


def test_several_writers_of_one_folder_wait_for_each_other(tmp_path):
    def add(name: str) -> None:
        with replace_folder(tmp_path / "toy") as fresh:
            write_file(fresh / name, "x")

    threads = [threading.Thread(target=add, args=(str(number),)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(held(tmp_path / "toy")) == 20


def test_a_page_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    TieLab([0, 1], {"m": [1, 2]}).to_html(tmp_path / "lab.html")
    before = held(tmp_path)

    def refuse(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space left"):
        TieLab([0, 1], {"m": [3, 4]}).to_html(tmp_path / "lab.html")
    said = CliRunner().invoke(tiekit, ["lab", "0 1", "3 4", "-o", str(tmp_path / "lab.html")])
    assert (said.exit_code, said.output.count("No space left")) == (1, 1)
    with pytest.raises(tk.InputError, match=r"cannot be written \(\[Errno 28\] No space left"):
        tk.write_mtme(wide(0), tmp_path / "v2")
    (tmp_path / "v2").rmdir()
    assert held(tmp_path) == before
    assert os.listdir(tmp_path) == ["lab.html"]


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    monkeypatch.setattr(atomic.os, "access", lambda place, mode: (place, mode) != (path, os.W_OK))
    with pytest.raises(PermissionError, match=r"kept\.txt"):
        atomic.write_file(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
