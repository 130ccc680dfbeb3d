"""A test set is downloaded whole and into its place, or not at all; hostile archives write nothing."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.readers.download_server import TOP, Site, archive, score_files, serve, tgz
from tiekit.readers import download as module
from tiekit.readers.download import ARCHIVE_URL, CACHE, RECORD, Step, default_folder

ROOT = Path(__file__).parents[2]
BODY = archive(lines=20_000)
GOOD = list(score_files("toy").items())
INSIDE = f"{TOP}/toy/metric-scores/en-de"
EXPECTED = [
    "toy/.tiekit.json",
    "toy/human-scores/en-de.mqm.seg.score",
    "toy/metric-scores/en-de/chrF-refA.seg.score",
    "toy/sources/en-de.txt",
]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.lower().endswith("_proxy") or name in {"TIEKIT_DATA", "TIEKIT_ARCHIVE_URL"}:
            monkeypatch.delenv(name)


@pytest.fixture
def site() -> Iterator[Site]:
    with serve(Site(BODY)) as running:
        yield running


def files(folder: Path) -> list[str]:
    """Every file in a folder; none of the download's own may be left."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


class StopError(Exception):
    """What the app's Stop raises."""


def test_only_the_test_set_that_is_wanted_arrives(tmp_path: Path, site: Site) -> None:
    root = tk.download("toy", tmp_path / "new", url=site.url)
    assert root == tmp_path / "new"
    assert tk.list_mtme(root) == {"toy": ("en-de", "en-de_AT")}
    assert tk.read_mtme(root, "toy", "en-de").metrics["chrF-refA"].shape == (2, 20_000)
    assert [path.name for path in root.iterdir()] == ["toy"]


def test_what_is_there_needs_no_network(tmp_path: Path, site: Site) -> None:
    tk.download(["toy", "other"], tmp_path, url=site.url)
    nowhere = "http://127.0.0.1:9/toys.tgz"
    assert tk.download("toy", tmp_path, url=nowhere) == tmp_path
    assert tk.download("other", tmp_path, url=nowhere, language_pair="en-de") == tmp_path
    with pytest.raises(tk.DownloadError, match=r"127\.0\.0\.1:9/toys\.tgz: the connection failed"):
        tk.download("toy", tmp_path, url=nowhere, force=True)
    assert len(tk.list_mtme(tmp_path)) == 2


@pytest.mark.parametrize("record", [None, "[1", "[[]]"])
def test_a_folder_that_is_there_but_not_recorded_is_no_download(tmp_path: Path, site: Site, record: str | None) -> None:
    (tmp_path / "toy" / "human-scores").mkdir(parents=True)
    if record:
        (tmp_path / "toy" / RECORD).write_text(record)
    tk.download("toy", tmp_path, url=site.url)
    assert len(site.asked) == 1


def test_language_pairs_are_added_and_ones_own_files_stay(tmp_path: Path, site: Site) -> None:
    tk.download("toy", tmp_path, language_pair="en-de", url=site.url)
    assert tk.list_mtme(tmp_path) == {"toy": ("en-de",)}
    mine = tmp_path / "toy" / "metric-scores" / "en-de" / "mine.seg.score"
    mine.write_text("A 1\nB 2\n")
    tk.download("toy", tmp_path, language_pair=["en-de", "en-de_AT"], url=site.url)
    assert tk.list_mtme(tmp_path) == {"toy": ("en-de", "en-de_AT")}
    tk.download("toy", tmp_path, language_pair="en-de", url=site.url)
    assert len(site.asked) == 2
    tk.download("toy", tmp_path, url=site.url)
    tk.download("toy", tmp_path, url=site.url)
    assert len(site.asked) == 3
    tk.download("toy", tmp_path, url=site.url, force=True)
    assert mine.read_text() == "A 1\nB 2\n"


def test_a_kept_archive_serves_for_further_test_sets(tmp_path: Path, site: Site) -> None:
    tk.download("toy", tmp_path, url=site.url, keep=True)
    tk.download("other", tmp_path, url=site.url)
    assert set(tk.list_mtme(tmp_path)) == {"toy", "other"}
    [kept] = (tmp_path / CACHE).iterdir()
    assert kept.read_bytes() == BODY
    assert len(site.asked) == 1
    with serve(Site(archive(testsets=("third",)))) as elsewhere:
        tk.download("third", tmp_path, url=elsewhere.url)
    assert set(tk.list_mtme(tmp_path)) == {"toy", "other", "third"}


def test_progress_tells_stages_and_bytes(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "INTERVAL", 0.0)
    steps: list[Step] = []
    tk.download("toy", tmp_path, url=site.url, progress=steps.append)
    assert list(dict.fromkeys(step.stage for step in steps)) == ["download", "unpack"]
    for stage in ("download", "unpack"):
        of_stage = [step for step in steps if step.stage == stage]
        assert len(of_stage) > 2
        assert [step.done for step in of_stage] == sorted(step.done for step in of_stage)
        assert (of_stage[-1].done, of_stage[-1].total, of_stage[-1].fraction) == (len(BODY), len(BODY), 1.0)
    site.has_length = False
    tk.download("other", tmp_path, url=site.url, progress=steps.append)
    assert Step("download", 1).fraction is None
    assert str(Step("download", 2_000_000)) == "downloading: 2 MB"


@pytest.mark.parametrize("stage", ["download", "unpack"])
@pytest.mark.parametrize("raised", [StopError(), KeyboardInterrupt(), BrokenPipeError(32, "pipe"), ValueError("mine")])
def test_a_download_that_is_stopped_leaves_nothing(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch, stage: str, raised: BaseException
) -> None:
    monkeypatch.setattr(module, "INTERVAL", 0.0)

    def stop(step: Step) -> None:
        if step.stage == stage:
            raise raised

    with pytest.raises(type(raised)) as caught:
        tk.download("toy", tmp_path, url=site.url, progress=stop)
    assert caught.value is raised
    assert list(tmp_path.iterdir()) == []
    tk.download("toy", tmp_path, url=site.url)
    assert "toy" in tk.list_mtme(tmp_path)


def test_a_process_that_is_killed_stops_nobody(tmp_path: Path, site: Site) -> None:
    code = (
        "import os, sys, tiekit as tk\ntk.download('toy', sys.argv[1], url=sys.argv[2], progress=lambda _: os._exit(9))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path), site.url], cwd=ROOT, check=False)
    assert done.returncode == 9
    assert tk.list_mtme(tmp_path) == {}
    [left] = tmp_path.iterdir()
    tk.download("toy", tmp_path, url=site.url)
    assert list(tk.list_mtme(tmp_path)) == ["toy"]
    os.utime(left, (0, 0))
    tk.download("other", tmp_path, url=site.url)
    assert {path.name for path in tmp_path.iterdir()} == {"toy", "other"}


def test_a_full_disk_while_files_are_put_in_their_place_leaves_the_old_ones(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    tk.download("toy", tmp_path, url=site.url)
    own = [*tmp_path.rglob("*.score"), tmp_path / "toy" / "mine.txt"]
    for path in own:
        path.write_text("my own")
    there, moved, move = files(tmp_path), [], os.replace

    def refuse_the_third(source: Path, target: Path) -> None:
        moved.append(target)
        if len(moved) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        move(source, target)

    monkeypatch.setattr(os, "replace", refuse_the_third)
    with pytest.raises(tk.DownloadError, match="no space is left on this disk"):
        tk.download("toy", tmp_path, url=site.url, force=True)
    assert len(moved) == 3
    assert files(tmp_path) == there
    assert {path.read_text() for path in own} == {"my own"}
    tk.download("toy", tmp_path, url=site.url, force=True)
    assert files(tmp_path) == there
    assert [path.name for path in own if path.read_text() == "my own"] == ["mine.txt"]


@pytest.mark.parametrize(
    ("ordered", "said"),
    [
        ({"statuses": [404]}, "the server answered 404 Not Found"),
        ({"statuses": [503]}, "the server answered 503"),
        ({"cuts": [70_000]}, "the connection failed"),
        ({"statuses": [302], "headers": {"Location": "http://[::bad"}}, "it, or where it leads, is no address"),
        ({"cuts": [70_000], "has_length": False}, "is damaged"),
        ({"cuts": [len(BODY) - 4], "has_length": False}, "is damaged"),
    ],
)
def test_what_goes_wrong_names_the_address_and_what_to_do(
    tmp_path: Path, ordered: dict[str, object], said: str
) -> None:
    with serve(Site(BODY, **ordered)) as site:
        address = site.url.replace("//", "//me:secret@")
        with pytest.raises(tk.DownloadError, match=said) as caught:
            tk.download("toy", tmp_path, url=address, keep=True)
        assert str(caught.value).startswith(site.url)
        assert "all again" in str(caught.value)
        assert "secret" not in str(caught.value)
        assert files(tmp_path) == []
        tk.download("toy", tmp_path, url=address)
    assert "toy" in tk.list_mtme(tmp_path)


def test_a_page_instead_of_an_archive_is_said(tmp_path: Path) -> None:
    page = Site(b"<html>Log in here</html>", headers={"Content-Type": "text/html"})
    with serve(page) as site, pytest.raises(tk.DownloadError, match=r"none at all.*<h.*log in"):
        tk.download("toy", tmp_path, url=site.url)


def test_an_archive_that_is_sent_as_encoded_is_not_decoded(tmp_path: Path) -> None:
    with serve(Site(BODY, headers={"Content-Encoding": "gzip"})) as site:
        tk.download("toy", tmp_path, url=site.url, sha256=hashlib.sha256(BODY).hexdigest())
    assert "toy" in tk.list_mtme(tmp_path)


def test_a_redirect_away_from_https_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pooch

    answer = SimpleNamespace(url="http://127.0.0.1/x.tgz", raw=SimpleNamespace(headers={}), close=lambda: None)

    def retrieve(*_: object, downloader: pooch.HTTPDownloader, **__: object) -> None:
        downloader.kwargs["hooks"]["response"](answer)

    monkeypatch.setattr(pooch, "retrieve", retrieve)
    with pytest.raises(tk.DownloadError, match="leads to an address without encryption, http://127"):
        tk.download("toy", tmp_path, url="https://127.0.0.1/x.tgz")


def test_the_digest_is_checked_when_an_archive_comes_or_was_kept(tmp_path: Path, site: Site) -> None:
    right = hashlib.sha256(BODY).hexdigest()
    with pytest.raises(tk.DownloadError, match=f"another digest.*expected {'0' * 64} but got {right}"):
        tk.download("toy", tmp_path, url=site.url, sha256="0" * 64, keep=True)
    assert files(tmp_path) == []
    tk.download("toy", tmp_path, url=site.url, sha256=right.upper(), keep=True)
    [kept] = (tmp_path / CACHE).iterdir()
    kept.write_bytes(b"damaged")
    tk.download("other", tmp_path, url=site.url, sha256=right)
    assert len(site.asked) == 3
    assert "other" in tk.list_mtme(tmp_path)


@pytest.mark.parametrize(("argument", "pair"), [("testset", None), ("language_pair", "de-en")])
def test_an_archive_without_what_is_wanted_says_what_it_holds(
    tmp_path: Path, site: Site, argument: str, pair: str | None
) -> None:
    with pytest.raises(tk.DownloadError, match=f"^{argument}: there is no .* (other, toy|en-de, en-de_AT)"):
        tk.download("third" if pair is None else "toy", tmp_path, url=site.url, language_pair=pair)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_loses_nothing(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(tarfile, "copyfileobj", full)
        with pytest.raises(tk.DownloadError, match=r"no space is left.*call again") as caught:
            tk.download("toy", tmp_path, url=site.url)
    assert str(caught.value).startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, site: Site) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "toy").write_text("")
    with pytest.raises(tk.DownloadError, match=r"file: cannot be used"):
        tk.download("toy", tmp_path / "file", url=site.url)
    with pytest.raises(tk.DownloadError, match=r"cannot be used .*toy"):
        tk.download("toy", tmp_path, url=site.url)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"testset": "wmt32"}, "testset: there is no 'wmt32'; did you mean wmt2"),
        ({"testset": "wmt23", "language_pair": "en-fr"}, "language_pair: wmt23 has no 'en-fr'; it has "),
        ({"testset": "../wmt23"}, "testset: expected a plain name"),
        ({"testset": CACHE, "url": "http://127.0.0.1:9/"}, "testset: expected a plain name"),
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


def test_the_environment_names_folder_and_address(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIEKIT_DATA", str(tmp_path / "here"))
    monkeypatch.setenv("TIEKIT_ARCHIVE_URL", site.url)
    assert tk.download("toy") == tmp_path / "here"
    assert "toy" in tk.list_mtme(tmp_path / "here")
    monkeypatch.delenv("TIEKIT_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert default_folder().name == "mt-metrics-eval-v2"
    assert sys.platform != "linux" or default_folder().parent == tmp_path / "cache" / "tiekit"
    assert ARCHIVE_URL.startswith("https://")


def test_importing_tiekit_loads_no_http_client() -> None:
    code = "import sys, tiekit\nprint({'pooch', 'requests', 'urllib3', 'http.client'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


# -------------------------------------------------------------------------------------------------- hostile archives


def unpacked(folder: Path, body: bytes, **options: object) -> list[str]:
    """The files that a downloaded archive becomes; nothing may be beside the folder, nor a link inside."""
    with serve(Site(body)) as site:
        try:
            tk.download("toy", folder / "in", url=site.url, force=True, **options)
        finally:
            assert {path.name for path in folder.iterdir()} == {"in"}
            assert all(path.is_dir() or not path.is_symlink() for path in (folder / "in").rglob("*"))
            found = files(folder / "in")
    return found


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    described = tarfile.TarInfo(name)
    described.type, described.linkname = kind, target
    return described


def sized(name: str, size: int) -> bytes:
    """A header that says how long a file is."""
    described = tarfile.TarInfo(name)
    described.size = size
    return described.tobuf()


@pytest.mark.parametrize("before", [f"{TOP}/", "", "./", f"./{TOP}/", "another-top/"])
def test_test_sets_are_found_at_the_top_or_in_one_folder(tmp_path: Path, before: str) -> None:
    moved = [(name.replace(f"{TOP}/", before), content) for name, content in GOOD]
    assert unpacked(tmp_path, tgz(moved)) == EXPECTED
    for name, content in GOOD:
        assert (tmp_path / "in" / name.removeprefix(f"{TOP}/")).read_bytes() == content


def test_a_language_pair_is_no_beginning_of_another_one(tmp_path: Path) -> None:
    assert unpacked(tmp_path, archive(), language_pair="en-de") == EXPECTED


def test_folders_hidden_files_and_other_sets_are_passed_over(tmp_path: Path) -> None:
    more = [
        (special(f"{TOP}/toy", tarfile.DIRTYPE), b""),
        (f"{TOP}/toy/README.md", b"about"),
        (f"{INSIDE}/._chrF-refA.seg.score", b"\0"),
        *score_files("toyish").items(),
        (special(f"{TOP}/other/x/en-de.link", tarfile.SYMTYPE, "/etc/passwd"), b""),
    ]
    assert unpacked(tmp_path, tgz([*more, *GOOD])) == EXPECTED


@pytest.mark.parametrize(
    "name",
    [
        "toy/../../../out.seg.score",
        f"{INSIDE}/../../../../../out.seg.score",
        f"{TOP}/toy/../../../../out",
        f"{INSIDE}/\x07out.seg.score",
        f"{INSIDE}/{'a/' * 3_000}out.seg.score",
    ],
)
def test_a_name_that_leads_outside_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(tk.DownloadError, match="hostile"):
        unpacked(tmp_path, tgz([(name, b"A 1\n"), *GOOD]))
    assert files(tmp_path) == []


@pytest.mark.parametrize("name", ["../out.seg.score", "/tmp/tiekit-out.seg.score", f"{TOP}/other/../../../out"])
def test_what_is_of_no_wanted_test_set_is_never_written(tmp_path: Path, name: str) -> None:
    assert unpacked(tmp_path, tgz([(name, b"A 1\n"), *GOOD])) == EXPECTED
    assert not Path("/tmp/tiekit-out.seg.score").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
@pytest.mark.parametrize("target", ["/etc/passwd", "../../../../../out", EXPECTED[1]])
def test_links_are_left_out_and_said(tmp_path: Path, kind: bytes, target: str) -> None:
    with pytest.warns(tk.LeftOutWarning, match=r"never unpacked; 1 .*link\.seg\.score"):
        found = unpacked(tmp_path, tgz([(special(f"{INSIDE}/link.seg.score", kind, target), b""), *GOOD]))
    assert found == EXPECTED


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    through = special(f"{TOP}/toy/metric-scores/en-fr", tarfile.SYMTYPE, str(tmp_path))
    inside = f"{TOP}/toy/metric-scores/en-fr/BLEU-refA.seg.score"
    with pytest.warns(tk.LeftOutWarning):
        found = unpacked(tmp_path, tgz([(through, b""), (inside, b"A 1\n"), *GOOD]))
    assert "toy/metric-scores/en-fr/BLEU-refA.seg.score" in found


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    with pytest.raises(tk.DownloadError, match="special file"):
        unpacked(tmp_path, tgz([(special(f"{INSIDE}/x.seg.score", kind), b""), *GOOD]))


def huge_sparse() -> bytes:
    described = tarfile.TarInfo(f"{INSIDE}/x.seg.score")
    described.pax_headers = {"GNU.sparse.map": "0,1", "GNU.sparse.size": str(10**15)}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        described.size = 1
        tar.addfile(described, io.BytesIO(b"x"))
    return packed.getvalue()


def huge_description(kind: bytes) -> bytes:
    described = special("x", kind)
    described.size = 200 * 2**20
    return gzip.compress(described.tobuf() + bytes(2**20))


@pytest.mark.parametrize(
    "body",
    [
        gzip.compress(sized(f"{INSIDE}/x.seg.score", module.MAX_WANTED + 1)),
        gzip.compress(sized("elsewhere", module.MAX_BYTES + 1)),
        huge_sparse(),
        *map(huge_description, (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME)),
    ],
)
def test_bombs_are_refused_before_they_are_read(tmp_path: Path, body: bytes) -> None:
    with pytest.raises(tk.DownloadError, match="more than"):
        unpacked(tmp_path, body)
    assert files(tmp_path) == []


def test_bombs_are_bounded_in_sum_and_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WANTED", 100_000)
    with pytest.raises(tk.DownloadError, match="of these test sets"):
        unpacked(tmp_path, tgz([(f"{INSIDE}/{n}.seg.score", bytes(30_000)) for n in range(9)]))
    with pytest.raises(tk.DownloadError, match=r"more than 0 MB follow its last file"):
        unpacked(tmp_path, gzip.compress(gzip.decompress(tgz(GOOD)) + bytes(200_000)))
    monkeypatch.setattr(module, "MAX_MEMBERS", 10)
    with pytest.raises(tk.DownloadError, match="more than 10 files"):
        unpacked(tmp_path, tgz([*GOOD, *((f"{TOP}/other/x/{n}", b"") for n in range(20))]))
    monkeypatch.setattr(module, "MAX_PACKED", 100)
    with pytest.raises(tk.DownloadError, match="has more than 0 MB, the limit"):
        unpacked(tmp_path, tgz(GOOD))


WHOLE = gzip.decompress(tgz(GOOD))


@pytest.mark.parametrize("tar", [bytes(sized("x", 5))[:300], b"no archive".ljust(2048, b"."), bytes(10_240), b""])
def test_headers_that_are_not_headers_end_in_one_error(tmp_path: Path, tar: bytes) -> None:
    with pytest.raises(tk.DownloadError):
        unpacked(tmp_path, gzip.compress(tar))


def damage(body: bytes, cut: int, flips: list[tuple[int, int]]) -> bytes:
    found = bytearray(body[: len(body) - cut])
    for at, by in flips:
        found[at % len(found)] ^= by
    return bytes(found)


FLIPS = st.lists(st.tuples(st.integers(0, 10_000), st.integers(1, 255)), max_size=5)


@given(cut=st.integers(0, 40), flips=FLIPS, is_packed=st.booleans())
def test_a_damaged_archive_is_refused_or_what_it_was(
    tmp_path_factory: pytest.TempPathFactory, cut: int, flips: list[tuple[int, int]], is_packed: bool
) -> None:
    """The checksum of gzip is read to its end; a tar that was meddled with writes nothing outside."""
    folder = tmp_path_factory.mktemp("damaged")
    body = damage(tgz(GOOD), cut, flips) if is_packed else gzip.compress(damage(WHOLE, cut, flips), 1)
    (folder / "a.tgz").write_bytes(body)
    meter = module._Meter(lambda _: None)
    try:
        with module._archive_errors("http://127.0.0.1/", folder / "a.tgz", meter):
            module._unpack(folder / "a.tgz", folder / "in", ["toy"], None, meter)
    except (tk.DownloadError, tk.LeftOutWarning):
        pass
    else:
        if is_packed:
            for name, content in GOOD:
                assert (folder / "in" / name.removeprefix(f"{TOP}/")).read_bytes() == content
    assert {path.name for path in folder.iterdir()} <= {"a.tgz", "in"}
    assert all(path.relative_to(folder / "in").parts[0] == "toy" for path in (folder / "in").rglob("*"))
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    "last",
    ["C:evil.py", "x:stream", "AUX", "con.txt", "nul .score", "COM1.seg.score", "name.", "name ", "a\\..\\b"],
)
def test_a_name_that_means_another_place_on_windows_is_refused(last):
    with pytest.raises(tarfile.ReadError, match="is not the name of a file on every system"):
        module._place(f"toy/human-scores/en-de.x/{last}", ["toy"], defaultdict(set))


@pytest.mark.parametrize("last", ["BLEU-refA.score", "Consul.txt", "comet 22.seg.score", "auxiliary", "com10.score"])
def test_a_name_that_is_taken_lies_below_the_folder_on_windows(last):
    place = module._place(f"toy/human-scores/en-de.x/{last}", ["toy"], defaultdict(set))
    folder = PureWindowsPath("D:/sets")
    assert (folder / place).is_relative_to(folder)
    assert (folder / place).name == last
