"""What do several figures show? Scores and thresholds as JSON takes them, names, and how kinds of pairs look."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.results import KIND_STYLE, Result
from tiekit.base.validation import SHOWN, FloatArray, check_epsilon, digest_of
from tiekit.core.coefficients import Coefficient
from tiekit.core.formula import SYMBOLS
from tiekit.core.pairs import KINDS
from tiekit.core.registry import COEFFICIENTS, get_coefficient
from tiekit.core.system_level import SYSTEM_LEVEL
from tiekit.figures.figures import MOST_SCORES
from tiekit.figures.rules import is_whole
from tiekit.readers import data_file
from tiekit.sets.arguments import read_metrics

MOST_WRITTEN = 12
"""Maximum number of scores that are written out where it is said what was shown."""


def line(scores: Sequence[float]) -> list[float | None]:
    """Return scores as JSON takes them, a missing one as null."""
    return [None if score != score else score for score in scores]


def numbers(scores: Sequence[float | None]) -> list[float]:
    """Return scores that the browser has sent, a missing one as NaN."""
    return [math.nan if score is None else float(score) for score in scores]


def check_shown(epsilon: float) -> float:
    """Check a threshold that is shown: finite, and what `check_epsilon` asks."""
    if math.isinf(check_epsilon(epsilon)):
        raise InputError(f"epsilon: must be finite to be shown, found {epsilon!r}")
    return float(epsilon)


def check_span(name: str, scores: Sequence[float]) -> None:
    """Refuse scores whose differences exceed float64: no axis can show them."""
    known = [float(score) for score in scores if score == score]
    if known and math.isinf(max(known) - min(known)):
        raise InputError(f"{name}: scores must differ by less than 1.8e308, found {min(known):g} and {max(known):g}")


def plain(value: Any) -> Any:
    """Return a value as JSON takes it: arrays and tuples as lists, and numbers of NumPy as Python's."""
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(one) for one in value]
    if is_whole(value):
        return int(value)
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else value


def read_matrices(human: ArrayLike, metrics: Mapping[str, ArrayLike]) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Check matrices of scores, systems × segments, that are small enough to be shown cell by cell."""
    h, scores = read_metrics(human, metrics)
    if h.ndim != 2 or h.size > MOST_SCORES:
        raise InputError(
            f"human: must be a matrix, systems × segments, of at most {MOST_SCORES} scores, found {h.shape}"
        )
    if not scores:
        raise InputError("metrics: there must be at least one, found 0")
    for name, one in scores.items():
        check_span(f"metrics[{name!r}]", one.ravel().tolist())
    return h, scores


def check_names(shape: Sequence[int], **names: Sequence[str]) -> None:
    """Refuse names that are not one for each row or column; no names at all are fine."""
    for (what, ours), size in zip(names.items(), shape, strict=True):
        if ours and len(ours) != size:
            raise InputError(f"{what}: there must be {size} names, found {len(ours)}")


def coefficient_of(entry: Coefficient) -> dict[str, Any]:
    """Return a coefficient's name and label, how it counts pairs, of each kind and in words, and its years at WMT."""
    effects = {kind: entry.effect(kind) for kind in KINDS} if entry.formula else None
    years = [str(first) if first == last else f"{first}–{last}" for first, last in entry.years]
    rule = read_story()["coefficients"].get(entry.name, "")
    return {"name": entry.name, "label": entry.label, "effects": effects, "rule": rule, "years": years}


@cache
def read_story() -> dict[str, Any]:
    """Return the texts of the lessons, as they stand in ``data/story.toml``."""
    return tomllib.loads(data_file("story.toml").read_text(encoding="utf-8"))


def short_name(name: str) -> str:
    """Return what a metric is called where there is little room: without the ending of MTME's files."""
    names: Mapping[str, str] = read_story()["names"]
    metric = name.removesuffix(NOISE_ENDING)
    return (names.get(metric) or re.sub(r"-(ref[A-Z]|src)$", "", metric)) + name[len(metric) :]


def display_names(names: Iterable[str]) -> dict[str, str]:
    """Return the short name of each metric of a set; what several would share stays in full.

    Pictures and tables show them; files and signatures have the names.
    """
    short = {name: short_name(name) for name in names}
    times = Counter(short.values())
    return {name: one if times[one] == 1 else name for name, one in short.items()}


def names_of_result(result: Result, *arguments: str) -> list[str]:
    """Return what the metrics of a result are called: their names in its set, or those of the arguments."""
    names = [str(result._names.get(argument, argument.removeprefix("metric_"))) for argument in arguments]
    return [*display_names(names).values()] if len({*names}) == len(names) else names


def is_coefficient(name: str) -> bool:
    """Return whether a name is that of a coefficient, with or without a star."""
    return name.removesuffix("*") in {*SYSTEM_LEVEL, *COEFFICIENTS}


@cache
def kinds() -> list[dict[str, str]]:
    """Return how a pair of each kind looks and what it is called."""
    return [
        {
            "kind": kind,
            "color": color,
            "on": "#FFFFFF" if kind == "concordant" else "#000000",
            "glyph": glyph,
            "label": label,
            "symbol": symbol,
        }
        for (kind, (color, glyph, label)), symbol in zip(KIND_STYLE.items(), SYMBOLS, strict=False)
    ]


def origin_of_scores(human: Sequence[float], metrics: Mapping[str, Sequence[float]]) -> str:
    """Return which scores a picture shows: themselves where they are few, else how many and their digest."""
    lines = [("human", human), *metrics.items()]
    if len(human) > MOST_WRITTEN:
        digest = digest_of(np.array([scores for _, scores in lines]))
        return f"{len(human)} scores of the human and of {', '.join(metrics)}, digest {digest[:SHOWN]}."
    written = [f"{name}: {' '.join(f'{score:g}' for score in scores)}" for name, scores in lines]
    return " · ".join(written) + "."


def origin_of_matrices(human: FloatArray, metrics: Mapping[str, FloatArray]) -> str:
    """Return which scores a picture shows: how many, and their digest."""
    number, digest = np.isfinite(human).sum(), digest_of(human, *metrics.values())
    return f"{number:,} human scores and {', '.join(metrics)}, digest {digest[:SHOWN]}."


NOISE_ENDING = " + noise"
"""What follows a metric's name in the name of its sentinel."""

FIRST_SHARE = 0.08
"""The share of human ties that is shown first."""


def values_of(found: pd.DataFrame) -> pd.DataFrame:
    """Return what `tiekit.sentinels.tie_shares` found as metric × share."""
    return pd.DataFrame({share: rows.set_index("metric")["value"] for share, rows in found.groupby("share")})


def data_of_shares(
    found: pd.DataFrame,
    kinds: Mapping[str, str],
    preferred: Iterable[str],
    coefficient: str,
    own: float,
    chosen: str,
    share: float | None,
) -> dict[str, Any]:
    """Return what both figures show.

    ``kinds`` are "discrete", "sentinel" or "continuous" by the name of each shown metric; a sentinel has the name of
    its metric with `NOISE_ENDING`. ``own`` is the human's own share of ties, of what ``found.attrs["share_of"]`` says:
    of all pairs, or of the mean. The metric ``chosen`` stands out; if it is not shown, of the ``preferred`` ones the
    best at the human's own share, or the best of all. The ``share`` at which metrics are ranked is first 8 %.
    """
    values = values_of(found)
    rows: dict[str, list[float]] = values.T.to_dict("list")  # type: ignore[assignment]
    if chosen not in kinds:
        at = int(np.abs(values.columns.to_numpy(float) - own).argmin())
        chosen = str(values.loc[[*preferred] or [*kinds]].iloc[:, at].fillna(-2.0).idxmax())
    labels = display_names(kinds)
    return {
        "label": get_coefficient(coefficient).label + "*",
        "shares": [float(one) for one in values.columns],
        "own": own,
        "share_of": found.attrs.get("share_of", "pairs"),
        "metrics": [
            {
                "name": name,
                "short": labels[name],
                "kind": kind,
                "of": name.removesuffix(NOISE_ENDING) if kind == "sentinel" else name,
                "values": line(rows[name]),
            }
            for name, kind in kinds.items()
        ],
        "chosen": chosen.removesuffix(NOISE_ENDING),
        "share": FIRST_SHARE if share is None else share,
    }
