"""A test set is downloaded whole, once, and into its place."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tiekit as tk
import tiekit.archive
from tests.archive.server import Site, archive, serve
from tiekit.archive import ARCHIVE_URL, Step, default_folder, disk, place
from tiekit.archive.place import WORK

ROOT = Path(__file__).parents[2]
BODY = archive(lines=20_000)


def files(folder: Path) -> list[str]:
    """Every file in a folder, but for those that tiekit works with."""
    found = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return sorted(name for name in found if not name.startswith(WORK))


def work(folder: Path) -> set[str]:
    return {path.name for path in (folder / WORK).iterdir()}


def test_only_the_test_set_that_is_wanted_arrives(tmp_path: Path) -> None:
    with serve(Site(BODY)) as site:
        root = tk.download("toy", tmp_path, url=site.url)
    assert root == tmp_path
    assert tk.list_mtme(root) == {"toy": ("en-de", "en-de_AT")}
    assert tk.read_mtme(root, "toy", "en-de").metrics["chrF-refA"].shape == (2, 20_000)
    assert {name.split("/")[0] for name in files(root)} == {"toy"}
    assert work(tmp_path) == {"lock", "sha256.json"}
    assert site.starts == [0]


def test_what_is_there_needs_no_network(tmp_path: Path) -> None:
    with serve(Site(BODY)) as site:
        tk.download(["toy", "other"], tmp_path, url=site.url)
    with disk.alone(tmp_path / WORK / "lock", disk.Teller(None)):  # nor does it wait
        assert tk.download("toy", tmp_path, url=site.url) == tmp_path
    assert tk.download("other", tmp_path, url=site.url, language_pair="en-de") == tmp_path
    with pytest.raises(tk.DownloadError, match="no connection"):
        tk.download("toy", tmp_path, url=site.url, force=True)
    with pytest.raises(tk.DownloadError, match="no connection"):
        tk.download("toy", tmp_path, url=site.url, sha256="0" * 64)
    assert len(tk.list_mtme(tmp_path)) == 2


def test_a_folder_that_was_there_before_is_not_taken_for_a_download(tmp_path: Path) -> None:
    (tmp_path / "toy" / "human-scores").mkdir(parents=True)
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, url=site.url)
    assert site.asked


def test_language_pairs_are_added_to_those_that_are_there(tmp_path: Path) -> None:
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, language_pair="en-de", url=site.url)
        assert tk.list_mtme(tmp_path) == {"toy": ("en-de",)}
        (tmp_path / "toy" / "metric-scores" / "en-de" / "mine.seg.score").write_text("A 1\nB 2\n")
        tk.download("toy", tmp_path, language_pair=["en-de", "en-de_AT"], url=site.url)
        assert tk.list_mtme(tmp_path) == {"toy": ("en-de", "en-de_AT")}
        tk.download("toy", tmp_path, language_pair="en-de", url=site.url)
        assert len(site.asked) == 2
        tk.download("toy", tmp_path, url=site.url)
        assert len(site.asked) == 3
    assert "toy/metric-scores/en-de/mine.seg.score" in files(tmp_path)
    assert work(tmp_path) == {"lock", "sha256.json"}


def test_a_kept_archive_serves_for_further_test_sets_and_stays(tmp_path: Path) -> None:
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, url=site.url, keep=True)
    assert (tmp_path / WORK / "toys.tgz").read_bytes() == BODY
    tk.download("other", tmp_path, url=site.url)
    assert set(tk.list_mtme(tmp_path)) == {"toy", "other"}
    assert (tmp_path / WORK / "toys.tgz").read_bytes() == BODY


def test_an_archive_from_another_address_is_not_used(tmp_path: Path) -> None:
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, url=site.url, keep=True)
    with serve(Site(archive(testsets=("third",)))) as other:
        tk.download("third", tmp_path, url=other.url)
    assert set(tk.list_mtme(tmp_path)) == {"toy", "third"}


def test_progress_tells_stages_and_bytes(tmp_path: Path) -> None:
    steps: list[Step] = []
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, url=site.url, progress=steps.append)
    assert list(dict.fromkeys(step.stage for step in steps)) == ["download", "check", "unpack"]
    for stage in ("download", "check", "unpack"):
        of_stage = [step for step in steps if step.stage == stage]
        assert [step.done for step in of_stage] == sorted(step.done for step in of_stage)
        assert (of_stage[-1].done, of_stage[-1].total, of_stage[-1].fraction) == (len(BODY), len(BODY), 1.0)
    assert Step("wait").fraction is None


class StopError(Exception):
    """What the app's Stop raises."""


@pytest.mark.parametrize("raised", [StopError, KeyboardInterrupt, BrokenPipeError(32, "pipe")])
def test_a_download_that_is_stopped_keeps_its_part(tmp_path: Path, raised: type[BaseException] | BaseException) -> None:
    def stop(_: Step) -> None:
        raise raised

    with serve(Site(BODY)) as site:
        with pytest.raises(raised if isinstance(raised, type) else type(raised)):
            tk.download("toy", tmp_path, url=site.url, progress=stop)
        have = (tmp_path / WORK / "toys.tgz.part").stat().st_size
        assert have > 0
        assert files(tmp_path) == []
        tk.download("toy", tmp_path, url=site.url)
    assert site.asked[1]["Range"] == f"bytes={have}-"
    assert "toy" in tk.list_mtme(tmp_path)


def test_a_download_that_is_stopped_while_unpacking_needs_no_second_download(tmp_path: Path) -> None:
    def stop(step: Step) -> None:
        if step.stage == "unpack" and step.done > 0:
            raise StopError

    with serve(Site(BODY)) as site, pytest.raises(StopError):
        tk.download("toy", tmp_path, url=site.url, progress=stop)
    assert files(tmp_path) == []
    tk.download("toy", tmp_path, url=site.url)
    assert "toy" in tk.list_mtme(tmp_path)
    assert work(tmp_path) == {"lock", "sha256.json"}


def test_a_process_killed_between_two_moves_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, url=site.url)
        (tmp_path / "toy" / "mine.txt").write_text("mine")
        move = os.replace

        def killed(source: Path, target: Path) -> None:
            if target == tmp_path / "toy":
                raise KeyboardInterrupt
            move(source, target)

        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", killed)
            patch.setattr(shutil, "rmtree", lambda *_, **__: None)
            with pytest.raises(KeyboardInterrupt):
                tk.download("toy", tmp_path, url=site.url, force=True)
        assert not (tmp_path / "toy").exists()
        tk.download("other", tmp_path, url=site.url)
    assert set(tk.list_mtme(tmp_path)) == {"toy", "other"}
    assert (tmp_path / "toy" / "mine.txt").read_text() == "mine"


def test_the_digest_of_the_first_download_is_remembered(tmp_path: Path) -> None:
    changed = archive(lines=20_001)
    expected, found = (hashlib.sha256(body).hexdigest() for body in (BODY, changed))
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, url=site.url)
        assert json.loads((tmp_path / WORK / "sha256.json").read_text()) == {site.url: expected}
        site.body, site.etag = changed, '"two"'
        with pytest.raises(tk.DownloadError, match=f"expected {expected}, found {found}"):
            tk.download("other", tmp_path, url=site.url)
        assert set(tk.list_mtme(tmp_path)) == {"toy"}
        assert not (tmp_path / WORK / "toys.tgz").exists()
    tk.download("other", tmp_path, url=site.url, sha256=found.upper())  # what was put aside; no network
    assert tk.read_mtme(tmp_path, "other", "en-de").metrics["chrF-refA"].shape == (2, 20_001)
    assert work(tmp_path) == {"lock", "sha256.json"}
    assert json.loads((tmp_path / WORK / "sha256.json").read_text()) == {site.url: found}


def test_a_digest_of_one_s_own_is_checked(tmp_path: Path) -> None:
    with serve(Site(BODY)) as site:
        with pytest.raises(tk.DownloadError, match=f"expected {'0' * 64}, found"):
            tk.download("toy", tmp_path, url=site.url, sha256="0" * 64)
        assert files(tmp_path) == []
        tk.download("toy", tmp_path, url=site.url, sha256=hashlib.sha256(BODY).hexdigest())
    assert "toy" in tk.list_mtme(tmp_path)


def test_a_damaged_archive_is_deleted_and_its_digest_forgotten(tmp_path: Path) -> None:
    with serve(Site(BODY, cuts=[len(BODY) - 4], length=False)) as site:
        with pytest.raises(tk.DownloadError, match=r"ends too early.*call again"):
            tk.download("toy", tmp_path, url=site.url, keep=True)
        assert files(tmp_path) == []
        assert work(tmp_path) == {"lock"}
        tk.download("toy", tmp_path, url=site.url)
    assert "toy" in tk.list_mtme(tmp_path)


@pytest.mark.parametrize(("argument", "pair"), [("testset", None), ("language_pair", "de-en")])
def test_an_archive_without_what_is_wanted_says_what_it_holds(tmp_path: Path, argument: str, pair: str | None) -> None:
    with serve(Site(BODY)) as site:
        with pytest.raises(tk.DownloadError, match=f"^{argument}: there is no .* (other, toy|en-de, en-de_AT)"):
            tk.download("third" if pair is None else "toy", tmp_path, url=site.url, language_pair=pair)
        assert files(tmp_path) == []
        tk.download("toy", tmp_path, url=site.url)
        assert len(site.asked) == 1


def test_no_room_is_noticed_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=len(BODY) - 1))
    with serve(Site(BODY)) as site, pytest.raises(tk.DownloadError, match="MB are free on this disk"):
        tk.download("toy", tmp_path, url=site.url)
    assert not {name for name in work(tmp_path) if name.startswith("toys.tgz.part")}


def test_no_room_for_the_files_keeps_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    free = iter([10**9])
    with serve(Site(BODY)) as site, monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=next(free, 1000)))
        with pytest.raises(tk.DownloadError, match=r"unpacking .* MB are free on this disk"):
            tk.download("toy", tmp_path, url=site.url)
    assert files(tmp_path) == []
    tk.download("toy", tmp_path, url=site.url)
    assert "toy" in tk.list_mtme(tmp_path)


@pytest.mark.parametrize("ending", [".part", "en-de.txt"])
def test_a_disk_that_is_full_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    normal = Path.open

    def opened(path: Path, mode: str = "r", *rest: object, **named: object) -> object:
        file = normal(path, mode, *rest, **named)
        if path.name.endswith(ending) and mode != "rb":
            written = file.write

            class Full:
                def __enter__(self) -> Full:
                    return self

                def __exit__(self, *_: object) -> None:
                    file.close()

                def write(self, data: bytes) -> None:
                    written(data[:1000])
                    raise OSError(28, "No space left on device")

            return Full()
        return file

    with serve(Site(BODY)) as site:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "open", opened)
            with pytest.raises(tk.DownloadError, match=r"no space is left.*call again"):
                tk.download("toy", tmp_path, url=site.url)
        assert files(tmp_path) == []
        tk.download("toy", tmp_path, url=site.url)
    assert site.asked[-1].get("Range") == ("bytes=1000-" if ending == ".part" else None)
    assert len(site.asked) == (2 if ending == ".part" else 1)
    assert "toy" in tk.list_mtme(tmp_path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a folder that may not be written")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(tk.DownloadError, match=r"cannot be used \(.*Permission"):
        tk.download("toy", tmp_path / "new", url="http://127.0.0.1:9/x.tgz")
    tmp_path.chmod(0o700)


def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(tk.DownloadError, match=r"file: cannot be used"):
        tk.download("toy", tmp_path / "file", url="http://127.0.0.1:9/x.tgz")


CALL = """
import sys, tiekit as tk
def tell(step):
    print(step.stage, flush=True)
print(tk.download(sys.argv[3], sys.argv[1], url=sys.argv[2], progress=tell), flush=True)
"""


class SlowSite(Site):
    """A server that takes a while."""

    def answer(self, handler: object) -> None:
        time.sleep(self.pause)
        super().answer(handler)

    pause = 1.0


def started(folder: Path, site: Site, testset: str = "toy") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CALL, str(folder), site.url, testset]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_two_processes_at_once_download_once(tmp_path: Path) -> None:
    with serve(SlowSite(BODY)) as site:
        both = [started(tmp_path, site) for _ in range(2)]
        outputs = [process.communicate(timeout=60) for process in both]
        assert [process.returncode for process in both] == [0, 0], outputs
        assert len(site.asked) == 1
    said = sorted(output[0].split()[:-1] for output in outputs)
    assert [stages[0] for stages in said] == ["download", "wait"]
    assert "toy" in tk.list_mtme(tmp_path)


@pytest.mark.campaign
def test_two_processes_with_two_test_sets_both_arrive(tmp_path: Path) -> None:
    with serve(SlowSite(BODY)) as site:
        both = [started(tmp_path, site, testset) for testset in ("toy", "other")]
        outputs = [process.communicate(timeout=60) for process in both]
        assert [process.returncode for process in both] == [0, 0], outputs
    assert set(tk.list_mtme(tmp_path)) == {"toy", "other"}


def test_the_lock_of_a_process_that_was_killed_stops_nobody(tmp_path: Path) -> None:
    with serve(SlowSite(BODY)) as site:
        site.pause = 60.0
        first = started(tmp_path, site)
        while not (tmp_path / WORK / "lock").exists() or disk_is_free(tmp_path):
            time.sleep(0.05)
        first.send_signal(signal.SIGKILL)
        first.communicate(timeout=60)
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, url=site.url)
    assert "toy" in tk.list_mtme(tmp_path)


def disk_is_free(folder: Path) -> bool:
    """Whether nobody holds the lock."""

    def stop(_: Step) -> None:
        raise StopError

    try:
        with disk.alone(folder / WORK / "lock", disk.Teller(stop)):
            return True
    except StopError:
        return False


def test_a_second_call_in_the_same_process_can_be_stopped_while_it_waits(tmp_path: Path) -> None:
    (tmp_path / WORK).mkdir()
    with disk.alone(tmp_path / WORK / "lock", disk.Teller(None)):
        assert not disk_is_free(tmp_path)
    assert disk_is_free(tmp_path)


def test_a_damaged_record_counts_as_none(tmp_path: Path) -> None:
    with serve(Site(BODY)) as site:
        tk.download("toy", tmp_path, url=site.url)
        (tmp_path / "toy" / place.RECORD).write_text("[1")
        (tmp_path / WORK / "sha256.json").write_text("[1]")
        tk.download("toy", tmp_path, url=site.url)
        assert len(site.asked) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"testset": "wmt32"}, "testset: there is no 'wmt32'; did you mean wmt2"),
        ({"testset": "wmt23", "language_pair": "en-fr"}, "language_pair: wmt23 has no 'en-fr'; it has "),
        ({"testset": "../wmt23"}, "testset: expected a plain name"),
        ({"testset": WORK, "url": "http://127.0.0.1:9/"}, "testset: expected a plain name"),
        ({"testset": 23}, "testset: must be a name"),
        ({"testset": [23]}, "testset: expected a plain name"),
        ({"testset": []}, "testset: must name at least one"),
        ({"testset": "wmt23", "language_pair": []}, "language_pair: must name at least one"),
        ({"testset": "wmt23", "language_pair": "/"}, "language_pair: expected a plain name"),
        ({"testset": "wmt23", "sha256": "abc"}, "sha256: must be 64 hexadecimal digits"),
        ({"testset": "wmt23", "sha256": 5}, "sha256: must be 64 hexadecimal digits"),
        ({"testset": "wmt23", "folder": 5}, "folder: must be a path"),
        ({"testset": "wmt23", "url": "file:///etc/passwd"}, "url: must be an address"),
        ({"testset": "wmt23", "url": "http://["}, "url: must be an address"),
        ({"testset": "wmt23", "url": 5}, "url: must be an address"),
    ],
)
def test_arguments_are_checked_before_anything_happens(
    tmp_path: Path, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(tk.InputError) as caught:
        tk.download(**{"folder": tmp_path, **arguments})
    assert str(caught.value).startswith(message)
    assert list(tmp_path.iterdir()) == []


def test_the_environment_names_folder_and_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIEKIT_DATA", str(tmp_path / "here"))
    with serve(Site(BODY)) as site:
        monkeypatch.setenv("TIEKIT_ARCHIVE_URL", site.url)
        assert tk.download("toy") == tmp_path / "here"
    assert "toy" in tk.list_mtme(tmp_path / "here")


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"HOME": "/h"}, "/h/.cache"),
        ("linux", {"HOME": "/h", "XDG_CACHE_HOME": "/x"}, "/x"),
        ("linux", {"HOME": "/h", "XDG_CACHE_HOME": "relative"}, "/h/.cache"),
        ("darwin", {"HOME": "/h", "XDG_CACHE_HOME": "/x"}, "/h/Library/Caches"),
        ("win32", {"HOME": "/h", "LOCALAPPDATA": "/l"}, "/l"),
    ],
)
def test_the_default_folder_is_in_the_cache_of_the_user(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert default_folder() == Path(expected) / "tiekit" / "mt-metrics-eval-v2"


def test_the_test_sets_of_the_public_archive_are_known() -> None:
    assert "zh-en" in tiekit.archive.testsets()["wmt22"]
    assert ARCHIVE_URL.startswith("https://")


def test_importing_tiekit_loads_no_http_client() -> None:
    code = "import sys, tiekit\nprint({'requests', 'urllib3', 'http.client'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
