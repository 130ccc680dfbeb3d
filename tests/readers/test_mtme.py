"""The layout of mt-metrics-eval: written, read back equal; which metrics are read; names, facts and the real files."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tiekit.errors import InputError, ReadError
from tiekit.readers import facts, list_mtme, read_mtme, read_score_files
from tiekit.readers.facts import data_file, primary_metrics

NAMES = st.text("abcXYZ019._", min_size=1, max_size=6).filter(lambda name: not name.startswith("."))
SCORES = st.one_of(st.just(float("nan")), st.floats(allow_nan=False, allow_infinity=False))


def score_file(systems, matrix):
    """A block of lines a system."""
    lines = [
        f"{name}\t{score!r}".replace("nan", "None")
        for name, row in zip(systems, matrix.tolist(), strict=True)
        for score in row
    ]
    return ("\n".join(lines) + "\n").encode()


@st.composite
def scored(draw):
    """Systems, a human matrix and two metric matrices, NaN where missing."""
    systems = draw(st.lists(NAMES.map(lambda name: "s" + name.replace("nan", "")), min_size=1, max_size=4, unique=True))
    shape = len(systems), draw(st.integers(2, 5))
    human, first, second = (draw(arrays(np.float64, shape, elements=SCORES)) for _ in range(3))
    first[0, 0], second[-1, -1] = draw(st.tuples(st.floats(-9, 9), st.floats(-9, 9)))
    return systems, [human, first, second]


@given(scored(), st.randoms(use_true_random=False))
def test_what_is_written_is_read(data, random):
    systems, (human, first, second) = data
    order = random.sample(range(len(systems)), len(systems))
    files = {
        "toy/human-scores/en-de.mqm.seg.score": score_file(systems, human),
        "toy/human-scores/en-de.mqm.sys.score": b"other levels are passed over",
        "toy/metric-scores/en-de/BLEU-refA.seg.score": score_file(systems, first),
        "toy/metric-scores/en-de/X-src.seg.score": score_file([systems[i] for i in order], second[order]),
    }
    read = read_mtme(files, "toy", "en-de")
    assert read.systems == tuple(systems)
    np.testing.assert_array_equal(read.human["mqm"], human)
    np.testing.assert_array_equal(read.metrics["BLEU-refA"], first)
    np.testing.assert_array_equal(read.metrics["X-src"], second)
    shuffled = dict(random.sample(list(files.items()), len(files)))
    again = read_mtme({f"some/folder/{path}": data for path, data in shuffled.items()}, "toy", "en-de")
    assert (again.systems, again.digest) == (read.systems, read.digest)


FILES = {
    "set/human-scores/en-de.mqm.seg.score": b"B -1\nB -2\nrefA None\nrefA 0\n",
    "set/human-scores/en-de.wmt-appraise-z.seg.score": b"A 1\nA 2\n",
    "set/human-scores/en-fr.mqm.seg.score": b"A 1\n",
    "set/metric-scores/en-de/BLEU-refA.seg.score": b"A 10\nA 20\nB 30\nB 40\n",
    "set/metric-scores/en-de/COMET-22-src.seg.score": b"refA 5\nrefA 6\nB 3\nB 4\nA 1\nA 2\n",
    "set/documents/en-de.docs": b"news\tdoc1\nsocial doc2\n",
    "set/sources/en-de.txt": "eins\u2028a\nzwei\n".encode(),
    "set/references/en-de.refA.jsonl": b'{"target": "one"}\n{"target": "t\\u00f6"}\n',
    "set/system-outputs/en-de/A.txt": b"one\n\n",
    "set/system-outputs/en-de/B.jsonl": b'{"hypothesis": "un"}\n{"hypothesis": "deux", "x": 1}\n',
    "set/system-outputs/en-de/refA.txt": b"one\r\ntwo\r\n",
}


@pytest.fixture
def folder(tmp_path):
    for path, data in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    (tmp_path / "set/metric-scores/en-de/._BLEU-refA.seg.score").write_bytes(b"\0")
    return tmp_path


def test_everything_is_read_alike_from_a_folder_and_an_upload(folder):
    sets = [read_mtme(folder, "set", "en-de"), read_mtme(str(folder), "set", "en-de"), read_mtme(FILES, "set", "en-de")]
    sets.append(read_mtme({f"up\\{path}".replace("/", "\\"): data for path, data in FILES.items()}, "set", "en-de"))
    for data in sets:
        assert data.systems == ("A", "B", "refA")
        assert data.segments == ("1", "2")
        np.testing.assert_array_equal(data.human["mqm"], [[np.nan, np.nan], [-1, -2], [np.nan, 0]])
        np.testing.assert_array_equal(data.human["wmt-appraise-z"], [[1, 2], [np.nan] * 2, [np.nan] * 2])
        np.testing.assert_array_equal(data.metrics["BLEU-refA"], [[10, 20], [30, 40], [np.nan, np.nan]])
        np.testing.assert_array_equal(data.metrics["COMET-22-src"], [[1, 2], [3, 4], [5, 6]])
        assert (data.domains, data.documents) == (("news", "social"), ("doc1", "doc2"))
        assert data.sources == ("eins\u2028a", "zwei")
        assert data.references == {"refA": ("one", "tö")}
        assert data.outputs == {"A": ("one", ""), "B": ("un", "deux"), "refA": ("one", "two")}
        assert (data.standard_reference, data.outliers, data.gold) == ("refA", (), "mqm")
        assert data.digest == sets[0].digest


def test_the_digest_knows_every_byte_and_name():
    digests = {read_mtme(FILES, "set", "en-de").digest}
    for path in FILES:
        if "en-fr" not in path:
            digests.add(read_mtme(FILES | {path: FILES[path][:-1] + b"\r\n"}, "set", "en-de").digest)
    renamed = {path.replace("COMET-22", "COMET-23"): data for path, data in FILES.items()}
    digests.add(read_mtme(renamed, "set", "en-de").digest)
    assert len(digests) == len(FILES) + 1
    orders = [("BLEU-refA", "COMET-22-src"), ("COMET-22-src", "BLEU-refA")]
    assert {read_mtme(FILES, "set", "en-de", metrics=names).digest for names in orders} <= digests


def test_what_there_is(folder):
    more = FILES | {"v2/set/human-scores/cs-en.mqm.seg.score": b"", "set/metric-scores/cs-en/X.seg.score": b""}
    assert list_mtme(more) == {"set": ("cs-en", "en-de")}
    assert list_mtme(folder) == {"set": ("en-de",)}
    with pytest.raises(ReadError, match=r"no test set 'wmt99'; found: set \(en-de\)"):
        read_mtme(folder, "wmt99", "en-de")
    with pytest.raises(ReadError, match="set has human scores of 'en-fr', but no metric scores; expected set/metric"):
        read_mtme(FILES, "set", "en-fr")
    with pytest.raises(ReadError, match="no such folder"):
        read_mtme(folder / "nowhere", "set", "en-de")


@pytest.mark.parametrize("name", ["..", "../set", "a/b", "", "/etc", "."])
def test_nothing_above_the_folder_is_read(folder, name):
    with pytest.raises(InputError, match="testset: expected a plain name"):
        read_mtme(folder / "set", name, "en-de")
    with pytest.raises(InputError, match="language_pair: expected a plain name"):
        read_mtme(folder, "set", name)


def test_only_the_scores_asked_for():
    data = read_mtme(FILES, "set", "en-de", human="wmt-appraise-z", metrics=["BLEU-refA"])
    assert (list(data.human), list(data.metrics), data.gold) == (["wmt-appraise-z"], ["BLEU-refA"], "wmt-appraise-z")
    with pytest.raises(InputError, match="metrics: there is no 'chrF'; known: BLEU-refA, COMET-22-src"):
        read_mtme(FILES, "set", "en-de", metrics="chrF")


def test_direction_and_decimals():
    data = read_mtme(FILES, "set", "en-de", lower_is_better="BLEU-refA", decimals=-1)
    np.testing.assert_array_equal(data.metrics["BLEU-refA"][:2], [[-10, -20], [-30, -40]])
    np.testing.assert_array_equal(data.metrics["COMET-22-src"][2], [0, 10])


@pytest.mark.parametrize(
    ("metrics", "standard"),
    [
        (("X-refA", "Y-src"), "refA"),
        (("X-refA", "Y-refB"), None),
        (("X-refA.refB",), None),
        (("X-src",), None),
        (("X-refC",), None),
        (("refA", "X-22"), None),
    ],
)
def test_the_standard_reference_of_an_unknown_set(metrics, standard):
    scores = b"A 1\nA 1\nrefA 2\nrefA 2\nrefB 3\nrefB 3\n"
    files = {"set/human-scores/en-de.da.seg.score": scores}
    files |= {f"set/metric-scores/en-de/{name}.seg.score": scores for name in metrics}
    assert read_mtme(files, "set", "en-de").standard_reference == standard


def test_a_reference_that_is_no_system_is_not_standard():
    files = {"s/human-scores/en-de.da.seg.score": b"A 1\n", "s/metric-scores/en-de/X-refC.seg.score": b"A 1\n"}
    data = read_mtme(files | {"s/references/en-de.refC.txt": b"x\n"}, "s", "en-de")
    assert (data.standard_reference, data.references) == (None, {"refC": ("x",)})


@pytest.mark.parametrize("name", ["X-refA.refB", "X-all"])
def test_a_metric_may_lack_the_references_in_its_name(name):
    scores = b"A 1\nA 1\nrefA 2\nrefA 2\nrefB 3\nrefB 3\n"
    files = {
        "a.seg.score": scores,
        "Y-refA.seg.score": scores,
        "Z-refB.seg.score": scores,
        f"{name}.seg.score": b"A 1\nA 1\n",
    }
    data = read_score_files(files, human="a.seg.score", strict=True)
    np.testing.assert_array_equal(data.metrics[name], [[1, 1], [np.nan] * 2, [np.nan] * 2])
    assert data.notes == ()


def test_facts_of_known_sets():
    files = {"wmt22/human-scores/en-de.mqm.seg.score": b"A 1\n", "wmt22/metric-scores/en-de/X-src.seg.score": b"A 1\n"}
    data = read_mtme(files, "wmt22", "en-de")
    assert (data.standard_reference, data.outliers, data.gold) == ("refA", ("M2M100_1.2B-B4",), "mqm")
    other = {path.replace("mqm", "esa"): content for path, content in files.items()}
    assert read_mtme(other, "wmt22", "en-de").gold == "esa"
    assert facts.testset_facts("wmt22", "xx-yy") is None
    for names, argument in ((([], None), "name"), (("wmt22", None), "language_pair")):
        with pytest.raises(InputError, match=f"{argument}: must be a name, found"):
            facts.testset_facts(*names)


def test_score_files_alone():
    files = {
        "zh-en.mqm.seg.score": b"A 1\nA 2\nB 3\nB None\n",
        "COMET-22-refA.seg.score": b"B 3\nB 4\nA 1\nA 2\n",
        "up/BLEU.seg.score": b"A 5\nA 6\nB 7\nB 8\n",
        "zh-en.docs": b"news d1\nnews d2\n",
    }
    data = read_score_files(files, human="zh-en.mqm.seg.score", lower_is_better="mqm")
    assert (data.language_pair, data.systems, data.documents) == ("zh-en", ("A", "B"), ("d1", "d2"))
    assert (list(data.human), list(data.metrics), data.gold) == (["mqm"], ["BLEU", "COMET-22-refA"], "mqm")
    np.testing.assert_array_equal(data.human["mqm"], [[-1, -2], [-3, np.nan]])
    assert read_score_files(files, human="up/BLEU.seg.score").metrics.keys() == {"COMET-22-refA", "zh-en.mqm"}
    with pytest.raises(InputError, match=r"human: there is no 'mqm'; known: .*zh-en\.mqm\.seg\.score"):
        read_score_files(files, human="mqm")
    people = read_score_files(files, human=[path for path in files if path.endswith("score")])
    assert (len(people.human), people.metrics) == (3, {})
    with pytest.raises(ReadError, match=r"zh-en\.docs: is no score file; add files NAME\.seg\.score"):
        read_score_files({"zh-en.docs": b"news d1\n"}, human=())


def test_json_that_holds_no_text_names_its_line():
    path = "set/system-outputs/en-de/B.jsonl"
    for line in ("{}", "[1]", "no json", json.dumps({"hypothesis": 3})):
        with pytest.raises(ReadError, match=r"B\.jsonl, line 2: expected \{\"hypothesis\": \"...\"\}, found"):
            read_mtme(FILES | {path: b'{"hypothesis": ""}\n' + line.encode()}, "set", "en-de")


@pytest.mark.real
def test_wmt22_zh_en(real_data):
    root = real_data / "mt-metrics-eval-v2"
    assert list_mtme(root) == {"wmt22": ("zh-en",), "wmt23": ("en-de", "he-en", "zh-en")}
    data = read_mtme(root, "wmt22", "zh-en")
    assert len(data.systems) == 20
    assert {"refA", "refB"} < set(data.systems)
    assert len(data.segments) == len(data.sources) == 1875
    assert len(set(data.documents)) == 256
    assert set(data.domains) == {"conversation", "ecommerce", "news", "social"}
    assert set(data.human) == {"mqm", "wmt", "wmt-z", "wmt-appraise", "wmt-appraise-z"}
    assert np.isnan(data.human["mqm"]).sum() == 7500
    assert (len(data.metrics), data.notes) == (24, ())
    assert len(read_mtme(root, "wmt22", "zh-en", human="mqm", primary=True).metrics) == 21
    assert (data.standard_reference, data.default_exclude, data.gold) == ("refA", ("refA",), "mqm")
    assert np.isnan(data.metrics["BLEU-refA"][data.systems.index("refA")]).all()
    assert not np.isnan(data.select().metrics["BLEU-refA"]).any()
    assert data.metrics["COMET-22-refA"][data.systems.index("Online-A"), 0] == 0.9743016807067661


SCORES_REF = b"A 1\nA 2\nrefA 3\nrefA 4\nrefB 5\nrefB 6\n"
NAMES_REF = ("chrF-refA", "chrF-refB", "COMET-22-refA", "X-refA.refB", "Y-all", "Z-src", "COMETKiwi-src")


def files(testset="wmt22", pair="en-de", names=NAMES_REF, human=("mqm",)):
    found = {f"{testset}/human-scores/{pair}.{name}.seg.score": SCORES_REF for name in human}
    found |= {f"{testset}/metric-scores/{pair}/{name}.seg.score": SCORES_REF for name in names}
    return found | {f"{testset}/references/{pair}.{name}.txt": b"x\ny\n" for name in ("refA", "refB")}


def test_variants_of_other_references_are_read_on_request():
    data = read_mtme(files(), "wmt22", "en-de")
    assert set(data.metrics) == {"chrF-refA", "COMET-22-refA", "Z-src", "COMETKiwi-src"}
    assert data.standard_reference == "refA"
    [note] = data.notes
    assert note == (
        "3 metrics of other references than refA are not read: X-refA.refB, Y-all, chrF-refB "
        '(references="all" reads them)'
    )
    every = read_mtme(files(), "wmt22", "en-de", references="all")
    assert (set(every.metrics), every.notes, every.standard_reference) == (set(NAMES_REF), (), "refA")
    other = read_mtme(files(), "wmt22", "en-de", references="refB")
    assert set(other.metrics) == {"chrF-refB", "Z-src", "COMETKiwi-src"}
    assert (other.standard_reference, other.default_exclude) == ("refB", ("refB",))
    both = read_mtme(files(), "wmt22", "en-de", references=["refA", "refB"])
    assert (set(both.metrics), both.standard_reference) == (set(NAMES_REF), "refA")


def test_a_metric_that_is_named_is_read():
    named = read_mtme(files(), "wmt22", "en-de", metrics=["chrF-refB", "Y-all", "comet-22"])
    assert list(named.metrics) == ["chrF-refB", "Y-all", "COMET-22-refA"]
    assert list(read_mtme(files(), "wmt22", "en-de", metrics="chrF").metrics) == ["chrF-refA"]
    assert list(read_mtme(files(), "wmt22", "en-de", metrics="chrF", references="refB").metrics) == ["chrF-refB"]
    with pytest.raises(InputError, match="'chrF' may be chrF-refA or chrF-refB"):
        read_mtme(files(), "wmt22", "en-de", metrics="chrF", references="all")


def test_a_set_whose_standard_reference_is_not_known():
    data = read_mtme(files("toy"), "toy", "en-de")
    assert (set(data.metrics), data.standard_reference) == (set(NAMES_REF), None)
    assert data.notes == ("the standard reference is not known, so metrics of all references are read: refA, refB",)
    assert read_mtme(files("toy"), "toy", "en-de", references="refA").standard_reference == "refA"


def test_references_that_fit_nothing():
    with pytest.raises(InputError, match=r"references: there is no reference 'refZ'; known: refA, refB"):
        read_mtme(files(), "wmt22", "en-de", references="refZ")
    with pytest.raises(InputError, match=r"no metric uses refA alone, found chrF-refB; pass references=\"all\""):
        read_mtme(files(names=["chrF-refB"]), "wmt22", "en-de")
    for value in (5, None, (), [3]):
        with pytest.raises(InputError, match="references: must be"):
            read_mtme(files(), "wmt22", "en-de", references=value)


def test_primary_metrics():
    data = read_mtme(files(names=(*NAMES_REF, "UniTE-src-src", "UniTE-ref-refA")), "wmt22", "en-de", primary=True)
    assert set(data.metrics) == {"chrF-refA", "COMET-22-refA", "COMETKiwi-src", "UniTE-src-src"}
    assert data.notes[1] == "2 metrics that are not primary are not read: UniTE-ref-refA, Z-src"
    assert "Z-src" in read_mtme(files(), "wmt22", "en-de", primary=True, metrics=["Z-src"]).metrics
    with pytest.raises(InputError, match="primary: the primary metrics of toy en-de are not known"):
        read_mtme(files("toy"), "toy", "en-de", primary=True)
    with pytest.raises(InputError, match="has none of its primary metrics; found Z-src"):
        read_mtme(files(names=["Z-src"]), "wmt22", "en-de", primary=True)


def test_the_table_of_primary_metrics():
    table = json.loads(data_file("wmt_primary_metrics.json").read_bytes())["testsets"]
    numbers = {name: len(primary_metrics(name, "zh-en") or ()) for name in table}
    assert numbers == {
        "wmt21.flores": 16,
        "wmt21.news": 18,
        "wmt21.tedtalks": 18,
        "wmt22": 22,
        "wmt23": 32,
        "wmt23.sent": 32,
        "wmt24": 26,
        "wmt24pp": 9,
        "wmt25": 20,
    }
    assert primary_metrics("wmt21.news", "xx-yy") is None
    assert primary_metrics("wmt20", "zh-en") is None


def test_pairs_with_regions_and_golds_of_several_people():
    golds = ("esa-human1", "esa-human2", "esa-merged")
    given = files("wmt25", "en-sr_Cyrl_RS", human=golds)
    assert list_mtme(given) == {"wmt25": ("en-sr_Cyrl_RS",)}
    data = read_mtme(given, "wmt25", "en-sr_Cyrl_RS")
    assert (set(data.human), data.gold, data.standard_reference) == (set(golds), "esa-human1", "refA")
    assert read_mtme(files("toy", human=golds), "toy", "en-de", references="all").gold == "esa-human1"
    assert facts.testset_facts("wmt25", "en-ko_KR").gold == "mqm"
    assert facts.testset_facts("wmt24pp", "en-de_DE").standard_reference == "posteditB"
    assert facts.testset_facts("wmt24pp", "en-ar_EG").gold is None


def test_a_set_without_human_scores_says_so():
    given = {f"wmt24pp/metric-scores/en-ar_EG/{name}-posteditA.seg.score": SCORES_REF for name in ("BLEU", "XCOMET")}
    message = r"wmt24pp has metric scores, but no human scores of any language pair; put them into wmt24pp/human-scores"
    with pytest.raises(ReadError, match=message):
        read_mtme(given, "wmt24pp", "en-ar_EG")
    assert list_mtme(given) == {}
    with pytest.raises(ReadError, match="but no human scores of 'en-ar_EG'"):
        read_mtme(given | {"wmt24pp/human-scores/en-de.mqm.seg.score": SCORES_REF}, "wmt24pp", "en-ar_EG")


def test_what_the_bundled_set_does_not_have():
    root = Path(__file__).parents[2] / "data"
    with pytest.raises(ReadError, match=r"no files \*\.sys\.score; read these with level='segment'"):
        read_mtme(root, "wmt22", "zh-en", level="system")
    with pytest.raises(InputError, match="primary: must be True or False, found 'yes'"):
        read_mtme(root, "wmt22", "zh-en", primary="yes")
