"""What do libraries return for a constant? ``python -m benchmarks.constants`` prints the table of docs/constants.md.

Libraries that are not installed are left out; all of them install without PyTorch.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

import tiekit as tk

HUMAN, SAME = [1.0, 3.0, 2.0, 5.0, 4.0, 2.0], [7.0] * 6
CASES = {"constant metric": (HUMAN, SAME), "constant human": (SAME, HUMAN), "both constant": (SAME, SAME)}
"""Six items; the scores that vary have one tie. Humans are the labels, the truth or x, and the metric is y."""


def _labels(scores: Any) -> Any:
    return np.asarray(scores, int)


def _good(scores: Any) -> Any:
    """Which translations are good, for functions that take two classes; all of them if they are equal."""
    return np.asarray(scores) >= 3


def _nltk(human: Any, metric: Any) -> object:
    spearman = import_module("nltk.metrics.spearman")
    ranks = [spearman.ranks_from_scores(sorted(enumerate(side), key=lambda one: -one[1])) for side in (human, metric)]
    return spearman.spearman_correlation(*(list(one) for one in ranks))


def _krippendorff(human: Any, metric: Any) -> object:
    return import_module("krippendorff").alpha([human, metric], level_of_measurement="interval")


def _polars(method: str) -> Callable[[Any, Any], object]:
    def call(human: Any, metric: Any) -> object:
        pl = import_module("polars")
        return pl.select(pl.corr(pl.Series(human), pl.Series(metric), method=method)).item()

    return call


def _pandas(method: str) -> Callable[[Any, Any], object]:
    return lambda human, metric: (
        import_module("pandas").Series(human).corr(import_module("pandas").Series(metric), method=method)
    )


def _of(
    module: str, name: str, *, take: Callable[[Any], Any] = np.asarray, **options: Any
) -> Callable[[Any, Any], Any]:
    return lambda human, metric: getattr(import_module(module), name)(take(human), take(metric), **options)


def _sklearn(name: str, truth: Callable[[Any], Any]) -> Callable[[Any, Any], object]:
    """A score of scikit-learn: the truth first, then the metric's scores as they are."""
    return lambda human, metric: getattr(import_module("sklearn.metrics"), name)(truth(human), np.asarray(metric))


def _ndcg(human: Any, metric: Any) -> object:
    return import_module("sklearn.metrics").ndcg_score([human], [metric])


def _tiekit(name: str) -> Callable[[Any, Any], object]:
    return lambda human, metric: tk.correlate(human, metric, name).value


FUNCTIONS: dict[tuple[str, str], Callable[[Any, Any], object]] = {
    ("numpy", "corrcoef"): lambda human, metric: np.corrcoef(human, metric)[0, 1],
    ("scipy", "pearsonr"): _of("scipy.stats", "pearsonr"),
    ("scipy", "spearmanr"): _of("scipy.stats", "spearmanr"),
    ("scipy", "kendalltau"): _of("scipy.stats", "kendalltau"),
    ("scipy", "kendalltau(variant='c')"): _of("scipy.stats", "kendalltau", variant="c"),
    ("scipy", "weightedtau"): _of("scipy.stats", "weightedtau"),
    ("scipy", "somersd"): _of("scipy.stats", "somersd"),
    ("scipy", "chatterjeexi"): _of("scipy.stats", "chatterjeexi"),
    ("scipy", "linregress(…).rvalue"): lambda human, metric: (
        import_module("scipy.stats").linregress(human, metric).rvalue
    ),
    ("pandas", "Series.corr"): _pandas("pearson"),
    ("pandas", "Series.corr(method='spearman')"): _pandas("spearman"),
    ("pandas", "Series.corr(method='kendall')"): _pandas("kendall"),
    ("polars", "corr"): _polars("pearson"),
    ("polars", "corr(method='spearman')"): _polars("spearman"),
    ("xarray", "corr"): lambda human, metric: import_module("xarray").corr(
        *(import_module("xarray").DataArray(side) for side in (human, metric))
    ),
    ("scikit-learn", "r2_score"): _sklearn("r2_score", np.asarray),
    ("scikit-learn", "matthews_corrcoef"): _of("sklearn.metrics", "matthews_corrcoef", take=_labels),
    ("scikit-learn", "cohen_kappa_score"): _of("sklearn.metrics", "cohen_kappa_score", take=_labels),
    ("scikit-learn", "cohen_kappa_score(weights='quadratic')"): _of(
        "sklearn.metrics", "cohen_kappa_score", take=_labels, weights="quadratic"
    ),
    ("scikit-learn", "roc_auc_score"): _sklearn("roc_auc_score", _good),
    ("scikit-learn", "average_precision_score"): _sklearn("average_precision_score", _good),
    ("scikit-learn", "ndcg_score"): _ndcg,
    ("pingouin", "corr"): lambda human, metric: import_module("pingouin").corr(human, metric)["r"].iloc[0],
    ("pingouin", "corr(method='kendall')"): lambda human, metric: (
        import_module("pingouin").corr(human, metric, method="kendall")["r"].iloc[0]
    ),
    ("hyper-corr", "pearsonr"): _of("hyper_corr", "pearsonr"),
    ("hyper-corr", "spearmanr"): _of("hyper_corr", "spearmanr"),
    ("hyper-corr", "kendalltau"): _of("hyper_corr", "kendalltau"),
    ("hyper-corr", "somersd"): _of("hyper_corr", "somersd"),
    ("krippendorff", "alpha(interval)"): _krippendorff,
    ("nltk", "spearman_correlation"): _nltk,
    ("nlpstats", "input_level('kendall')"): lambda human, metric: import_module(
        "nlpstats.correlations.correlations"
    ).input_level(np.array(human)[:, None], np.array(metric)[:, None], "kendall"),
    ("tiekit", "correlate('tau_b')"): _tiekit("tau_b"),
    ("tiekit", "correlate('tau_a')"): _tiekit("tau_a"),
    ("tiekit", "correlate('tau_10')"): _tiekit("tau_10"),
    ("tiekit", "correlate('tau_14')"): _tiekit("tau_14"),
    ("tiekit", "correlate('acc_eq')"): _tiekit("acc_eq"),
    ("tiekit", "correlate('pearson')"): _tiekit("pearson"),
}
"""What is called, by the distribution's name and the function's, on scores of the human and of the metric."""


def answer(call: Callable[[Any, Any], object], human: list[float], metric: list[float]) -> str:
    """Return what a call gives as the table writes it: a number, NaN or an exception, and the warning's class."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found: Any = call(human, metric)
        except Exception as error:
            return type(error).__name__
    found = getattr(found, "statistic", found)
    value = float("nan") if found is None else float(found[0] if isinstance(found, tuple) else found)
    text = "None" if found is None else "NaN" if value != value else f"{value:.3g}".replace("-", "−")
    kinds = dict.fromkeys(one.category.__name__ for one in caught)
    return ", ".join([text.removeprefix("−") if value == 0 else text, *(kind for kind in kinds)])


def rows() -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield distribution, version, function and its answers, of what is installed."""
    for (distribution, name), call in FUNCTIONS.items():
        try:
            installed = tk.__version__ if distribution == "tiekit" else version(distribution)
        except PackageNotFoundError:
            continue
        yield distribution, installed, name, [answer(call, *case) for case in CASES.values()]


def table() -> str:
    """Write the table of docs/constants.md."""
    lines = [f"| library | function | {' | '.join(CASES)} |", "|---|---|---|---|---|"]
    lines += [f"| {name} {number} | `{call}` | {' | '.join(cells)} |" for name, number, call, cells in rows()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
