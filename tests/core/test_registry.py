import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import tiekit as tk
from tests import reference
from tests.strategies import vectors
from tiekit.core.pairs import PairCounts

COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]
TABLED = [name for name, entry in tk.COEFFICIENTS.items() if entry.table]
NAN = float("nan")

counts = st.tuples(*[st.integers(0, 10**9)] * 5, st.integers(1, 10**5), st.integers(1, 10**5)).map(
    lambda c: PairCounts(*c)
)


def values(human, metric, epsilon=0.0):
    """Every coefficient of counts."""
    found = tk.count_pairs(human, metric, epsilon=epsilon)
    return {name: tk.COEFFICIENTS[name].value(found) for name in COUNTED}


def test_the_registry_has_the_ten_coefficients_in_order():
    assert " ".join(tk.COEFFICIENTS) == "pearson spearman tau_a tau_b tau_c tau_10 tau_13 tau_14 tau_eq acc_eq"


@pytest.mark.parametrize("name", COUNTED)
@given(pair=vectors(families=("few", "tenths", "integers")), epsilon=st.sampled_from([0.0, 0.1, 1.0]))
def test_values_equal_the_definition(name, pair, epsilon):
    found = tk.COEFFICIENTS[name].value(tk.count_pairs(*pair, epsilon=epsilon))
    expected = reference.coefficient(name, reference.counts(*pair, epsilon))
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", TABLED)
@given(found=counts)
def test_equation_4_agrees_with_the_formula(name, found):
    entry = tk.COEFFICIENTS[name]
    assert tk.core.evaluate_table(entry.table, found) == pytest.approx(entry.value(found), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", COUNTED)
@given(pair=vectors(families=("few", "tenths")))
def test_values_stay_in_range(name, pair):
    low, high = tk.COEFFICIENTS[name].range
    value = tk.COEFFICIENTS[name].value(tk.count_pairs(*pair))
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@given(vectors(families=("few", "tenths", "integers")))
def test_tau_b_and_tau_c_equal_scipy(pair):
    items = reference.scored(*pair)
    found = values(*pair)
    for name in ("tau_b", "tau_c"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            human, metric = [h for h, _ in items], [m for _, m in items]
            expected = stats.kendalltau(human, metric, variant=name[-1]).statistic if items else NAN
        assert found[name] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(vectors(families=("few", "tenths", "integers")))
def test_somers_d_equals_scipy_and_both_ways_make_tau_b(pair):
    items = np.array(reference.scored(*pair)).reshape(-1, 2).T
    human, metric = (side.tolist() for side in items)
    ours, back = (tk.correlate(*sides, "somers_d").value for sides in ((human, metric), (metric, human)))
    assert (ours == tk.correlate(human, metric, "tau_14").value) or math.isnan(ours)
    if len(set(human)) > 1 and len(set(metric)) > 1:  # SciPy has no value for a constant
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert ours == pytest.approx(stats.somersd(human, metric).statistic, abs=1e-12)
    tau_b = tk.correlate(human, metric, "tau_b").value
    if not math.isnan(tau_b):
        assert ours * back == pytest.approx(tau_b**2, abs=1e-12)


def test_gamma_is_goodman_and_kruskals():
    human, metric = [1, 2, 2, 3, 4, 4], [2, 1, 1, 3, 3, 5]  # C = 10, D = 2
    for name in ("gamma", "γ", "Goodman Kruskal", "tau_13"):
        assert tk.correlate(human, metric, name).value == (10 - 2) / (10 + 2)


def test_figure_2_of_deutsch_et_al():
    """Figure 2 as printed; its tau_c lacks Stuart's 2."""
    human = [0, 0, 0, 0, 1, 2]
    printed = {"tau_a": (0.47, 0.60), "tau_b": (0.78, 0.77), "tau_10": (0.78, 1.0), "tau_13": (0.78, 1.0)}
    printed |= {"tau_14": (0.78, 1.0), "tau_eq": (0.87, 0.20)}
    for column, metric in enumerate(([0, 0, 0, 0, 2, 1], [0, 1, 2, 3, 4, 5])):
        found = values(human, metric)
        assert {name: round(found[name], 2) for name in printed} == {n: pair[column] for n, pair in printed.items()}
        tau_c = tk.COEFFICIENTS["tau_c"]
        row = tk.count_pairs(human, metric).row
        assert round(float(tau_c.printed(row)), 2) == (0.29, 0.38)[column]
        assert tau_c.value(tk.count_pairs(human, metric)) == pytest.approx(2 * float(tau_c.printed(row)))


def test_appendix_f_of_perrella_et_al():
    found = values([5, 3, 5, 5], [0.6, 0.5, 0.4, 0.4])
    assert (round(found["tau_b"], 3), round(found["acc_eq"], 3)) == (-0.258, 0.333)


@pytest.mark.parametrize(
    ("human", "metric", "expected"),
    [  # peers.md 18.1, cases A to D: what mt-metrics-eval and exact arithmetic give
        ([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], (0.3, 0.316227766, 0.32, 1 / 3, 1 / 3, 1 / 3, 0.2, 0.6)),
        ([1, 2, 2, 3, 4], [7, 7, 7, 7, 7], (0, NAN, NAN, -1, NAN, 0, -0.8, 0.1)),
        ([7, 7, 7], [1, 2, 3], (0, NAN, NAN, NAN, NAN, NAN, -1, 0)),
        ([7, 7, 7], [1, 1, 1], (0, NAN, NAN, NAN, NAN, NAN, 1, 1)),
        (
            [1, 1, 1, 2, 2, 3, 4],
            [1, 1, 2, 2, 4, 3, 3],
            (11 / 21, 0.6288281, 0.5986395, 9 / 17, 11 / 15, 11 / 17, 7 / 21, 14 / 21),
        ),
        (
            [1, 1, 2, 2, 4, 3, 3],
            [1, 1, 1, 2, 2, 3, 4],
            (11 / 21, 0.6288281, 0.5986395, 8 / 18, 11 / 15, 11 / 18, 7 / 21, 14 / 21),
        ),
    ],
)
def test_published_cases(human, metric, expected):
    assert list(values(human, metric).values()) == pytest.approx(expected, abs=5e-8, nan_ok=True)


def test_published_cases_with_epsilon():
    """peers.md 18.1, cases A, D and H."""
    assert values([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], 2)["acc_eq"] == pytest.approx(0.4)
    x, y = [1, 1, 1, 2, 2, 3, 4], [1, 1, 2, 2, 4, 3, 3]
    assert tk.count_pairs(x, y, epsilon=1).row[:5].tolist() == [7, 0, 1, 10, 3]
    assert tk.count_pairs(y, x, epsilon=1).row[:5].tolist() == [7, 1, 0, 10, 3]
    assert values(x, y, 1)["tau_eq"] == values(y, x, 1)["tau_eq"] == pytest.approx(-1 / 21)
    assert values(x, y, 0.1) == values(x, y)
    assert tk.count_pairs([1, 2, 3, 4], [1, 2, 2.1, 3], epsilon=0.2).ties_metric == 1
    ties = tk.count_pairs([1, 2, 3, 4], [4, 2, 3, 5], epsilon=1)
    assert (ties.ties_metric, ties.concordant, ties.discordant) == (3, 2, 1)


def test_case_e_equals_scipy_exactly():
    human, metric = [7, 1, 2, 7, 4, 3, 2], [4, 1, 3, 6, 1, 5, 6]
    found = values(human, metric)
    for name in ("tau_b", "tau_c"):
        assert found[name] == pytest.approx(stats.kendalltau(human, metric, variant=name[-1]).statistic, rel=1e-15)


@pytest.mark.parametrize("name", COUNTED)
@given(found=counts)
def test_latex_with_numbers_is_the_same_formula(name, found):
    """Read the worked LaTeX back as arithmetic: it must give the value."""
    numbers = dict(zip(("C", "D", "T_h", "T_m", "T_hm", "n", "k"), map(str, found.row.tolist()), strict=True))
    entry = tk.COEFFICIENTS[name]
    try:
        expected = eval(_arithmetic(entry.formula.latex(numbers)), {"math": math})
    except ZeroDivisionError:
        expected = NAN
    assert entry.value(found) == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


def _arithmetic(tex):
    """LaTeX of a formula as Python."""
    text, i = "", 0
    while i < len(tex):
        if tex.startswith(r"\frac", i):
            top, i = _braces(tex, i + 5)
            bottom, i = _braces(tex, i)
            text += f"(({top})/({bottom}))"
        elif tex.startswith(r"\sqrt", i):
            inner, i = _braces(tex, i + 5)
            text += f"math.sqrt({inner})"
        elif tex[i] == "{":
            inner, i = _braces(tex, i)
            text += f"({inner})"
        else:
            text, i = text + tex[i], i + 1
    return text.replace(r"\cdot", "*").replace("^", "**")


def _braces(tex, start):
    """What stands in the braces that open at start, as Python, and where they end."""
    depth = 0
    for i in range(start, len(tex)):
        depth += {"{": 1, "}": -1}.get(tex[i], 0)
        if depth == 0:
            return _arithmetic(tex[start + 1 : i]), i + 1
    raise AssertionError(f"braces do not close: {tex}")


def test_latex_is_readable():
    assert tk.COEFFICIENTS["tau_b"].formula.latex() == (r"\frac{C - D}{\sqrt{(C + D + T_h) \cdot (C + D + T_m)}}")
    assert tk.COEFFICIENTS["acc_eq"].formula.latex({"T_{hm}": "6", "C": "8"}).startswith(r"\frac{8 + T_{hm}}")


@pytest.mark.parametrize(
    ("human", "metric", "reason"),
    [
        ([1], [1], "fewer than two items have both scores"),
        ([1, 1], [1, 2], "all human scores tie"),
        ([1, 2], [1, 1], "all metric scores tie"),
        ([1, 1], [1, 1], "all human scores tie and all metric scores tie"),
        ([1, 1, 2], [1, 2, 2], ""),
        ([1, 1, 2, 2], [1, 2, 1, 2], ""),
        ([1, 2], [2, 1], ""),
    ],
)
def test_reason_for_undefined(human, metric, reason):
    assert tk.core.why_undefined(tk.count_pairs(human, metric)) == reason


def test_reason_where_no_pair_is_ordered_by_both():
    found = tk.count_pairs([1, 1, 2], [1, 2, 1.5], epsilon=0.5)
    assert tk.core.why_undefined(found) == "no pair is ordered by both"
    assert math.isnan(tk.COEFFICIENTS["tau_13"].value(found))


@pytest.mark.parametrize(
    "table", [((1, 0), (0, 1)), ((1, 0, -1), (0, 0, 0), (-1, 0, 2)), ((1, 0, 0), (1, 0, 0), (0, 0, 1))]
)
def test_tables_that_are_none_are_refused(table):
    with pytest.raises(tk.InputError, match="table: must"):
        tk.core.evaluate_table(table, tk.count_pairs([1, 2], [1, 2]))


def test_values_of_many_groups_at_once():
    rows = np.array([tk.count_pairs([1, 2, 3], m).row for m in ([1, 2, 3], [3, 2, 1], [1, 1, 1])])
    assert tk.COEFFICIENTS["tau_a"].from_counts(rows).tolist() == [1, -1, 0]
