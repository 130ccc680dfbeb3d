"""The bundled scores of WMT22 zh-en are the published ones, digit by digit, and hold no text."""

import gzip
import re
import runpy
import tomllib
import zlib
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk

DATA = Path(__file__).parents[2] / "data"
ROOT = DATA / "wmt22"
PACKED = sorted(ROOT.rglob("*.gz"))


@pytest.fixture(scope="module")
def original(real_data):
    return tk.read_mtme(real_data / "mt-metrics-eval-v2", "wmt22", "zh-en")


def test_what_there_is(wmt22_zh_en):
    assert len(PACKED) == 5 + 24 + 1 + 1 + 1
    assert {path.suffix for path in ROOT.rglob("*") if path.is_file()} == {".gz", ".md", ".csv", ".npz"}
    assert sum(path.stat().st_size for path in PACKED) < 7_200_000
    assert tk.list_mtme(DATA)["wmt22"] == ("zh-en",)
    assert list(wmt22_zh_en.human) == ["mqm", "wmt", "wmt-appraise", "wmt-appraise-z", "wmt-z"]
    assert (len(wmt22_zh_en.metrics), wmt22_zh_en.gold, wmt22_zh_en.default_exclude) == (24, "mqm", ("refA",))
    assert (len(wmt22_zh_en.systems), len(wmt22_zh_en.segments)) == (20, 1875)
    assert set(wmt22_zh_en.domains) == {"conversation", "ecommerce", "news", "social"}
    assert set(wmt22_zh_en.lengths.outputs) == set(wmt22_zh_en.systems)
    assert set(wmt22_zh_en.lengths.references) == {"refA", "refB"}


def test_the_wheel_carries_it_where_the_library_looks():
    project = tomllib.loads((DATA.parent / "pyproject.toml").read_text(encoding="utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert all((DATA.parent / source).exists() for source in carried)


def test_the_readme_names_every_system_metric_and_human_score(wmt22_zh_en):
    named = set(re.findall(r"`([\w.-]+)`", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {*wmt22_zh_en.systems, *wmt22_zh_en.metrics, *wmt22_zh_en.human} <= named


@pytest.mark.campaign
@pytest.mark.real
def test_the_program_writes_these_very_files(real_data, tmp_path):
    runpy.run_path(str(DATA / "make_sets.py"))["write_all"](real_data / "mt-metrics-eval-v2", tmp_path)
    made, there = sorted(tmp_path.rglob("*.gz")), [*PACKED, *sorted((DATA / "wmt23").rglob("*.gz"))]
    assert [path.relative_to(tmp_path) for path in made] == [path.relative_to(DATA) for path in there]
    for one, other in zip(made, there, strict=True):
        assert gzip.decompress(one.read_bytes()) == gzip.decompress(other.read_bytes()), other.name
    if "ng" not in zlib.ZLIB_RUNTIME_VERSION:  # zlib-ng compresses the same contents to other bytes
        assert [path.read_bytes() for path in made] == [path.read_bytes() for path in there]


def test_the_program_refuses_a_text(tmp_path):
    program = runpy.run_path(str(DATA / "make_sets.py"))
    with pytest.raises(SystemExit, match="more than names and numbers"):
        program["write"](tmp_path / "x.gz", b"A\t1\nA\ta sentence\n", program["SCORES"])


@pytest.mark.real
def test_lengths_do_what_texts_do(wmt22_zh_en, original):
    assert original.outputs
    assert wmt22_zh_en.lengths == original.lengths
    news = [data.select(domain="news") for data in (wmt22_zh_en, original)]
    assert news[0].lengths == news[1].lengths
    one, other = (tk.sentinels.probes(data) for data in (wmt22_zh_en, original))
    assert list(one) == list(other) == list(tk.sentinels.PROBES)
    for name in one:
        assert np.array_equal(one[name], other[name], equal_nan=True), name
    one, other = (tk.sentinels.length_bias(data, "COMET-22") for data in (wmt22_zh_en, original))
    assert one.points.equals(other.points)
    assert one.lines.equals(other.lines)
    assert one.perfect.equals(other.perfect)
