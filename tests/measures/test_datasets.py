"""Data sets of an evaluation set, and what is none."""

import pytest

import tiekit as tk
from tests.measures.toys import SMALL, toy

# Some arrays here hold the standard reference on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.SelectionWarning")


@pytest.fixture(scope="module")
def data() -> tk.EvalSet:
    human, metrics = toy(n_systems=6, n_segments=8, n_metrics=6)
    return tk.EvalSet(
        "toy",
        "",
        ("A", "B", "C", "D", "refA", "odd"),
        tuple("12345678"),
        {"x": human, "y": -human},
        {f"{name}-refA": scores for name, scores in metrics.items()},
        standard_reference="refA",
        outliers=("odd",),
        gold="x",
    )


def test_an_evalset_is_a_data_set_for_each_human_score(data):
    found = tk.measures.datasets_of(data)
    chosen = data.select()
    assert chosen.systems == ("A", "B", "C", "D")
    for name, (human, metrics) in found.items():
        assert human.tolist() == chosen.human[name].tolist()
        assert {n: m.tolist() for n, m in metrics.items()} == {n: m.tolist() for n, m in chosen.metrics.items()}
    assert list(found) == ["x", "y"]
    human, metrics = tk.measures.datasets_of(data, "m1", human="y", exclude=())["y"]
    assert (human.shape, list(metrics)) == ((6, 8), ["m1-refA"])


ON_DATASETS = {
    "measure_agreement": tk.measures.measure_agreement,
    "discriminative_power": lambda *a, **k: tk.measures.discriminative_power(*a, **k, n_resamples=30).pvalues,
    "ranking_consistency": lambda *a, **k: tk.measures.ranking_consistency(*a, **k, n_splits=9).by_dataset,
}


@pytest.mark.parametrize("call", ON_DATASETS.values(), ids=ON_DATASETS)
def test_a_set_gives_what_its_data_sets_give_without_reference_and_outliers(data, call):
    chosen = data.select()
    by_hand = {name: (scores, dict(chosen.metrics)) for name, scores in chosen.human.items()}
    expected = call(by_hand, SMALL)
    assert call(data, SMALL).equals(expected)
    assert call(chosen, SMALL, exclude=()).equals(expected)
    metrics = {name: data.metrics[name] for name in ("m5-refA", "m0-refA", "m2-refA", "m3-refA")}
    some = call(data, SMALL, metrics=["m5", "m0", "m2", "m3"], human="x", exclude=())
    assert some.equals(call({"x": (data.human["x"], metrics)}, SMALL))
    assert not some.equals(call({"x": (by_hand["x"][0], {name: by_hand["x"][1][name] for name in metrics})}, SMALL))


def test_swaps_are_of_segments_unless_told_otherwise(data):
    once, same, other = (
        tk.measures.discriminative_power(data, SMALL, n_resamples=30, **asked)
        for asked in ({}, {"swap": "segments"}, {"swap": "both"})
    )
    assert once.swap == "segments"
    assert once.pvalues.equals(same.pvalues)
    assert not once.pvalues.equals(other.pvalues)


HUMAN, METRICS = toy()


@pytest.mark.parametrize(
    ("call", "arguments", "asked", "message"),
    [
        ("evaluate_measures", (HUMAN, {"m1": METRICS["m1"][:2]}), {}, r"metrics\['m1'\]: must have the shape of human"),
        ("evaluate_measures", (HUMAN[0], {"m1": METRICS["m1"][0]}), {}, "human: measures need a matrix"),
        ("evaluate_measures", (HUMAN, {}), {}, "metrics: there must be at least 1, found 0"),
        ("measure_agreement", ({"d": (HUMAN, {"m0": METRICS["m0"]})},), {}, "datasets: d: metrics: .* at least 2"),
        ("measure_agreement", ({"d": HUMAN},), {}, r"datasets: d: must be a tuple \(human, metrics\), found ndarray"),
        ("measure_agreement", ({"d": (HUMAN, METRICS)},), {"metrics": "m0"}, "metrics: .* but datasets is dict"),
        ("discriminative_power", ({},), {}, "datasets: must be an EvalSet, or a mapping"),
        ("discriminative_power", ({"d": (HUMAN, METRICS)},), {"swap": "pairs"}, "swap: "),
        ("ranking_consistency", ({"d": (HUMAN[:, :1], dict.fromkeys("ab", HUMAN[:, :1]))},), {}, "datasets: d: halves"),
        ("ranking_consistency", ({"d": (HUMAN, METRICS)},), {"n_splits": 0}, "n_splits: must be a whole number"),
        ("datasets_of", (HUMAN,), {}, "data: must be an EvalSet, found ndarray"),
    ],
)
def test_what_is_no_data_set_is_named(call, arguments, asked, message):
    with pytest.raises(tk.InputError, match=f"^{message}"):
        getattr(tk.measures, call)(*arguments, **asked)


def test_names_that_a_set_does_not_hold_are_refused(data):
    for call, asked, message in (
        (tk.measures.datasets_of, {"human": ["z"]}, "'z'; known: x, y"),
        (tk.measures.ranking_consistency, {"metrics": ["BLEU", "m1"]}, "'BLEU'"),
        (tk.measures.discriminative_power, {"exclude": "nobody"}, "system 'nobody'"),
    ):
        with pytest.raises(tk.InputError, match=f"^{next(iter(asked))}: there is no {message}"):
            call(data, **asked)
