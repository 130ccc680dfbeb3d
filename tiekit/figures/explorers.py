"""Which figures does a notebook call by name, whose state is all that they have? And which one opens a result?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import singledispatch
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import traitlets
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.names import as_names, find_name, split_names
from tiekit.core.calibration import Calibration, calibrate_scores
from tiekit.core.correlation import Correlation, correlate
from tiekit.core.grouping import row_means
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.ties import add_noise, is_discrete
from tiekit.figures.arguments import Given, Metrics, Segment, check_one_list, read_given
from tiekit.figures.calibration_explorer.widget import CalibrationExplorer
from tiekit.figures.figure import Picture, Scope
from tiekit.figures.figures import FIGURES, GROUPINGS, MOST_SCORES
from tiekit.figures.json_values import NOISE_ENDING, names_of_result
from tiekit.figures.lab.widget import TieLab
from tiekit.figures.notebook import Moving, Widget
from tiekit.figures.rerank import MOST_RANKED
from tiekit.figures.swap_explorer.widget import SwapExplorer
from tiekit.humans import HumanRanking, rank_humans
from tiekit.measures.evaluate import evaluate_measures
from tiekit.ranking import Leaderboard, leaderboard
from tiekit.sentinels.shares import tie_shares
from tiekit.sets.arguments import Exclude, Human
from tiekit.sets.evalset import EvalSet
from tiekit.significance.permutation import PermutationTest
from tiekit.votes.votes import Votes

MOST_ROWS, MOST_COLUMNS = 6, 8
"""Maximum number of systems and segments of a set whose groups are shown."""

MOST_LINES = 12
"""Maximum number of metrics of a set at each share of human ties."""


class Shown(Widget):
    """Base of a figure that is made of what the function ``picture`` in its folder makes of scores or results."""

    def __init__(self, *args: Any, scope: Scope | None = None) -> None:
        found: Picture = import_module(f"tiekit.figures.{self.FIGURE.name}").picture(*args)
        self._origin, keys = found.origin, self.FIGURE.keys
        self._fixed = {key: value for key, value in found.data.items() if key not in keys}
        super().__init__(self._fixed, scope or found.scope, **{key: found.data[key] for key in keys})

    def _title_and_origin(self) -> tuple[str, str]:
        return self.FIGURE.title, self._origin


class Podium(Shown):
    """One threshold decides which of two made-up metrics is better.

    Parameters
    ----------
    epsilon : int
        The threshold at first, from 0 to 20.
    *scores
        None: the six translations are made up. `TieLab` shows scores of your own.

    Attributes
    ----------
    epsilon : int
        The threshold at present.

    Raises
    ------
    InputError
        ``epsilon`` is none of these, or there are scores.

    Examples
    --------
    >>> podium = Podium()
    >>> podium.epsilon = 6
    """

    FIGURE = FIGURES["podium"]

    epsilon = Moving(0).tag(sync=True)

    def __init__(self, epsilon: int = 0, *scores: object) -> None:
        if scores:
            raise InputError("epsilon: is all that Podium takes; TieLab(human, metrics) shows scores of your own")
        super().__init__(epsilon)


class GroupingExplorer(Shown):
    """A matrix of scores, four ways to group its cells, and which of two metrics wins by each.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (systems, segments)
        An evaluation set, or human scores, higher is better; NaN or None is a missing score. At most 200 scores are
        shown: of a set the first six systems, and the first eight segments or those of ``segment``.
    metrics : names in the set, or scores of that shape: a mapping, or two matrices
        Two metrics; the first two by default and of more.
    coefficient : str
        A coefficient of counts, such as ``"acc_eq"``.
    systems, segments : sequence of str
        Names of the rows and columns of arrays; by default a frame's labels, or numbers.
    segment : str, int or sequence of these, optional
        The segments that are shown, by name, or by place from 0 where names are no numbers.
    cells : {"common", "own"} or None
        Which cells are compared, as for `tiekit.leaderboard`: those that every metric has scored, or each metric's own.
    human, exclude
        As for `tiekit.correlate`.

    Attributes
    ----------
    grouping : {"global", "item", "system", "system_means"}
        The grouping at present.
    cell : list of two int, or None
        The chosen cell: system and segment, the first being 0.
    values : dict of str to dict of str to float
        By each grouping the coefficient of each metric.

    Raises
    ------
    InputError
        The scores are no matrices of one shape, there are not two metrics, or a name is unknown.

    Warns
    -----
    CoverageWarning
        Cells are left out because a metric has not scored them.
    LeftOutWarning
        Not all systems, segments or metrics are shown.

    Examples
    --------
    >>> human = [[0, -5, -1], [-1, -5, -2]]
    >>> explorer = GroupingExplorer(human, {"a": [[3, 2, 2], [1, 1, 1]], "b": [[3, 1, 2], [3, 1, 2]]})
    >>> explorer.grouping
    'global'
    >>> explorer.grouping = "item"
    >>> explorer.values["system"]
    {'a': 0.3333333333333333, 'b': 1.0}
    """

    FIGURE = FIGURES["grouping"]

    grouping = Moving("global").tag(sync=True)
    cell = Moving(None).tag(sync=True)
    values = traitlets.Dict(read_only=True)

    def __init__(
        self,
        data: Human = None,
        metrics: Metrics = None,
        coefficient: str = "acc_eq",
        *,
        systems: Sequence[str] = (),
        segments: Sequence[str] = (),
        segment: Segment = None,
        cells: str | None = None,
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
    ) -> None:
        check_one_list(data, coefficient, "coefficient")
        given = read_given(data, metrics, human, exclude, segment)
        if given.human.ndim == 2 and isinstance(data, EvalSet):
            given = given.fit(2, MOST_ROWS, MOST_COLUMNS if segment is None else MOST_SCORES // MOST_ROWS)
        elif given.human.ndim == 2:
            rows = min(given.human.shape[0], MOST_SCORES)
            given = given.fit(2, rows, MOST_SCORES // max(1, rows))
        given.say("GroupingExplorer")
        given = given.on_cells(cells)
        named = isinstance(data, EvalSet) or isinstance(human if data is None else data, pd.DataFrame)
        names = (given.systems, given.segments) if named else ((), ())
        shown = (given.human, given.metrics, coefficient, systems or names[0], segments or names[1])
        super().__init__(*shown, given.aside.tolist(), scope=given.scope())
        for by in GROUPINGS:
            found = {name: correlate(given.human, one, coefficient, grouping=by) for name, one in given.metrics.items()}
            self.set_trait("values", {**self.values, by: {name: one.value for name, one in found.items()}})


class RankExplorer(Shown):
    """The rank of each metric from coefficient to coefficient.

    Parameters
    ----------
    data : EvalSet, Leaderboard, or array_like of shape (n,) or (systems, segments)
        An evaluation set, human scores, what `tiekit.leaderboard` returned, or another table with columns ``rank(…)``,
        such as that of `tiekit.identical.repair`.
    metrics : names in the set, or scores of the shape of the human ones: a mapping, a DataFrame, one metric or several
        By default all of the set; of a leaderboard the names of rows.
    columns : sequence of str, optional
        Coefficients in the order of the columns, such as ``["tau_b", "acc_eq*"]``; by default all of the leaderboard.
    human, exclude, cells
        As for `tiekit.leaderboard`.

    Attributes
    ----------
    metric : str or None
        The chosen metric.

    Raises
    ------
    InputError
        A coefficient or a metric is unknown.

    Examples
    --------
    >>> explorer = RankExplorer([1, 2, 2, 3], {"a": [1, 1, 2, 3], "b": [1, 3, 2, 4]}, columns=["tau_b", "acc_eq"])
    >>> explorer.metric = "a"
    """

    FIGURE = FIGURES["bump"]

    metric = Moving(None).tag(sync=True)

    def __init__(
        self,
        data: Human | Leaderboard = None,
        metrics: Metrics = None,
        *,
        columns: Sequence[str] | None = None,
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
        cells: str | None = None,
    ) -> None:
        scope = None
        if isinstance(data, Leaderboard) or (isinstance(data, pd.DataFrame) and metrics is None):
            wanted: Any = metrics
            board = data if metrics is None else data.loc[list(wanted)]
        else:
            given = read_given(data, metrics, human, exclude)
            made, asked = _as_set(given, data, metrics, human, exclude)
            board = leaderboard(made, coefficients=columns, cells=cells, **asked)
            scope = given._replace(cells=cells).scope("item", board=True)
        super().__init__(board, columns, scope=scope)


class TieShareExplorer(Shown):
    """Metrics at each share of human ties, and discrete metrics beside themselves with noise.

    Parameters
    ----------
    data : EvalSet, DataFrame of `tiekit.sentinels.tie_shares`, or array_like of shape (n,) or (systems, segments)
        An evaluation set, human scores, or shares that were computed; in these ``"m + noise"`` is the sentinel of
        ``"m"``.
    metrics : names in the set, or scores of the shape of the human ones: a mapping, a DataFrame, one metric or several
        The first twelve are shown; discrete ones (at most 30 distinct scores, which repeat) with their
        sentinels.
    coefficient : str
        The coefficient that is calibrated.
    human, exclude, cells
        As for `tiekit.leaderboard`.

    Attributes
    ----------
    chosen : str
        The metric that stands out, with its sentinel.
    share : float
        The share of human ties at which metrics are ranked, from 0 to 1.

    Raises
    ------
    InputError
        As for `tiekit.sentinels.tie_shares`; the human's own share is not among the shares.

    Warns
    -----
    LeftOutWarning
        Not all metrics are shown.

    Examples
    --------
    >>> explorer = TieShareExplorer([0, 0, 1, 1, 2], {"a": [0, 1, 1, 1, 2], "b": [0.1, 0.3, 0.2, 0.4, 0.6]})
    >>> explorer.share = 0.5
    """

    FIGURE = FIGURES["tie_shares"]

    chosen = Moving("").tag(sync=True)
    share = Moving(0.0).tag(sync=True)

    def __init__(
        self,
        data: Human | pd.DataFrame = None,
        metrics: Metrics = None,
        coefficient: str = "acc_eq",
        *,
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
        cells: str | None = None,
    ) -> None:
        scope = None
        if isinstance(data, pd.DataFrame) and metrics is None:
            found = data
        else:
            given = read_given(data, metrics, human, exclude).fit(MOST_LINES).say("TieShareExplorer")
            rng = np.random.default_rng(0)
            noisy = {
                name + NOISE_ENDING: add_noise(scores, 0.01, rng)[0]
                for name, scores in given.metrics.items()
                if not name.endswith(NOISE_ENDING) and is_discrete(scores)
            }
            found = tie_shares(given.human, {**given.metrics, **noisy}, coefficient, cells=cells)
            scope = given._replace(cells=cells).scope("item")
        super().__init__(found, coefficient, scope=scope)


class RankingGame(Shown):
    """Translations to rank by hand, the majorities of judges, who may contradict each other, and the cap.

    Parameters
    ----------
    judges : EvalSet, or mapping of str to sequence of float
        Ranks by judge: 1 is the best, equal ranks are ties, NaN is not ranked. Of an evaluation set, each human score
        is a judge of the first six systems on one segment.
    metric : sequence of float, or name in the set
        Scores of two to six translations, the first order.
    coefficient : str
        A coefficient that has a cap: ``"tau_10"``, ``"tau_13"`` or ``"tau_14"``.
    names : sequence of str
        What the translations are called; by default A, B, C …, or the set's systems.
    segment : str or int, optional
        The segment of the set, by name, or by place from 0 where names are no numbers; by default the first whose
        human scores differ.
    exclude
        As for `tiekit.correlate`.

    Attributes
    ----------
    metric : list of float
        The scores that stand for the present ranking.

    Raises
    ------
    InputError
        The translations are too many, or a judge does not rank each of them.

    Examples
    --------
    >>> game = RankingGame({"x": [1, 3, 2], "y": [2, 1, 3]}, [3, 1, 2])
    >>> game.metric = [1, 2, 3]
    """

    FIGURE = FIGURES["rerank"]

    metric = Moving([]).tag(sync=True)

    def __init__(
        self,
        judges: EvalSet | Mapping[str, Sequence[float]],
        metric: str | Sequence[float],
        coefficient: str = "tau_14",
        names: Sequence[str] = (),
        *,
        segment: str | int | None = None,
        exclude: Exclude = None,
    ) -> None:
        scope = None
        if isinstance(judges, EvalSet):
            first = judges.gold or next(iter(judges.human), None)  # all human scores are judges
            given = read_given(judges, metric, first, exclude).one_segment(segment)
            column = judges.segments.index(given.segments[0])
            given = given.fit(1, MOST_RANKED).say("RankingGame")
            rows = [judges.systems.index(name) for name in given.systems]
            scores = {name: one[rows, column] for name, one in judges.human.items()}
            judges = {
                name: pd.Series(one).rank(ascending=False, method="min").to_list() for name, one in scores.items()
            }
            [(ordering, chosen)] = given.metrics.items()
            part = ", ".join([*filter(None, [given.scope().part.partition(";")[0]]), f"first ordered by {ordering}"])
            metric, names, scope = chosen.tolist(), names or given.systems, Scope(part, given.source)
        super().__init__(judges, metric, coefficient, names, scope=scope)


class MeasureAgreement(Shown):
    """Which measures rank metrics alike, by τ_b, and the rankings of two of them.

    Parameters
    ----------
    data : EvalSet, DataFrame of `tiekit.measures.evaluate_measures`, or array_like of shape (systems, segments)
        An evaluation set, human scores, or values that were computed, metrics × measures.
    metrics : names in the set, or scores of that shape: a mapping, one metric or several
        Two metrics or more; by default all of the set.
    measures : str or iterable of str, optional
        Two measures or more, such as ``"item/acc_eq*"``; by default the twelve of Gao et al. (2024).
    human, exclude, cells
        As for `tiekit.leaderboard`.

    Attributes
    ----------
    chosen : list of two str
        The measures whose rankings are shown, at first the two that agree least.

    Raises
    ------
    InputError
        As for `tiekit.measures.evaluate_measures`; there are fewer than two metrics or measures.

    References
    ----------
    Gao et al. (2025), doi:10.18653/v1/2025.naacl-long.111.

    Examples
    --------
    >>> human = [[0, -5, -1], [-1, -5, -2]]
    >>> metrics = {"a": [[3, 2, 2], [1, 1, 1]], "b": [[3, 1, 2], [3, 1, 2]]}
    >>> MeasureAgreement(human, metrics, ["global/pearson", "global/tau_b"]).chosen
    ['global/pearson', 'global/tau_b']
    """

    FIGURE = FIGURES["agreement"]

    chosen = Moving([]).tag(sync=True)

    def __init__(
        self,
        data: Human | pd.DataFrame = None,
        metrics: Metrics = None,
        measures: str | Iterable[str] | None = None,
        *,
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
        cells: str | None = None,
    ) -> None:
        scope = None
        if isinstance(data, pd.DataFrame) and metrics is None:
            values = data
        else:
            given = read_given(data, metrics, human, exclude)
            options = {} if measures is None else {"measures": measures}
            values = evaluate_measures(given.human, given.metrics, cells=cells, **options)  # type: ignore[arg-type]
            for key, names in (("metrics", values.index), ("measures", values.columns)):
                if len(names) < 2:
                    raise InputError(f"{key}: must be two or more, found {', '.join(map(str, names))}")
            scope = given._replace(cells=cells).scope()
        super().__init__(values, scope=scope)


class HumanRows(Shown):
    """Human scores and metrics, all judged by one human score on the same cells, with intervals.

    Parameters
    ----------
    data : EvalSet, `tiekit.humans.HumanRanking`, or sequence of these rankings
        An evaluation set with two human scores or more, or rankings that were computed: one for each human score that
        judges and each measure.
    metrics : str or iterable of str, optional
        Names of metrics of the set; by default all.
    measures : str or iterable of str
        Measures by which a set is judged, such as ``"item/acc_eq*"``.
    humans : str or iterable of str, optional
        The human scores that judge, and are judged; by default all of the set.
    exclude
        As for `tiekit.correlate`.
    n_resamples : int
        Number of resamples of the intervals; 0 for none.

    Attributes
    ----------
    judge, measure : str
        The human score that judges, and the measure.
    row : str
        The row that stands out; an empty text for the best human score.

    Raises
    ------
    InputError
        As for `tiekit.humans.rank_humans`.

    References
    ----------
    Proietti et al. (2025), arXiv 2506.19571.

    Examples
    --------
    >>> human = {"mqm": [[0, -5, -1], [-1, -5, -2]], "da": [[90, 20, 70], [80, 30, 60]]}
    >>> data = EvalSet.from_arrays(human, {"m": [[3, 2, 2], [1, 1, 1]]})
    >>> HumanRows(data, n_resamples=0).judge
    'mqm'
    """

    FIGURE = FIGURES["human_rows"]

    judge = Moving("").tag(sync=True)
    measure = Moving("").tag(sync=True)
    row = Moving("").tag(sync=True)

    def __init__(
        self,
        data: EvalSet | HumanRanking | Sequence[HumanRanking],
        metrics: str | Iterable[str] | None = None,
        measures: str | Iterable[str] = "item/acc_eq*",
        *,
        humans: str | Iterable[str] | None = None,
        exclude: Exclude = None,
        n_resamples: int = 199,
    ) -> None:
        rankings = [data] if isinstance(data, HumanRanking) else data
        if isinstance(rankings, EvalSet):
            names = as_names(humans, "humans") if humans is not None else [*rankings.human]
            judging = [find_name("humans", name, rankings.human) for name in names]
            settings = {"metrics": metrics, "exclude": exclude, "n_resamples": n_resamples}
            rankings = [
                rank_humans(rankings, one, measure, humans=[other for other in judging if other != one], **settings)  # type: ignore[arg-type]
                for one in judging
                for measure in split_names(measures, "measures")
            ]
        if (
            not isinstance(rankings, Sequence)
            or not rankings
            or not all(isinstance(one, HumanRanking) for one in rankings)
        ):
            raise InputError(
                "data: must be an EvalSet or what rank_humans returned; of arrays, a set is "
                "tk.EvalSet.from_arrays({'a': scores, 'b': scores}, metrics) with the human scores by name"
            )
        super().__init__(rankings)


class JudgeVotes(Shown):
    """One or two judges of pairs of answers beside people, at any threshold below which a judge's preference is a tie.

    Parameters
    ----------
    human : Votes
        Votes of people, as `tiekit.votes.read_votes` reads them.
    judges : Votes, or mapping of str to Votes
        Votes of one judge or of two, by name.
    threshold : float or sequence of float
        The threshold at first, one for all judges or one each.
    name : str
        What the people are called.

    Attributes
    ----------
    threshold : float or list of float
        The threshold at present, of all judges or of each.

    Raises
    ------
    InputError
        There is not one judge or two, or they have no votes in common with people.

    Examples
    --------
    >>> import tiekit as tk
    >>> votes = tk.votes.read_votes(tk.examples().path["votes"])
    >>> figure = JudgeVotes(votes.by("person"), {"Atlas": votes.by("Atlas")})
    >>> figure.threshold = 1.0
    """

    FIGURE = FIGURES["judge_votes"]

    threshold = Moving(0.0).tag(sync=True)

    def __init__(
        self,
        human: Votes,
        judges: Votes | Mapping[str, Votes],
        threshold: float | Sequence[float] = 0.0,
        *,
        name: str = "people",
    ) -> None:
        named: Mapping[Any, Any] = judges if isinstance(judges, Mapping) else {"judge": judges}
        if not 1 <= len(named) <= 2 or not all(isinstance(votes, Votes) for votes in (human, *named.values())):
            found = ", ".join(type(one).__name__ for one in (human, *named.values()))
            raise InputError(
                "judges: must be the votes of one judge or of two, after those of people, as tk.votes.read_votes reads "
                f"them; found {found}"
            )
        super().__init__(named, human, name, threshold)


def _as_set(
    given: Given, data: Human, metrics: Metrics, human: str | ArrayLike | None, exclude: Exclude
) -> tuple[EvalSet, dict[str, Any]]:
    """Return a set, and what else `tiekit.leaderboard` is asked with: arrays become a set of their own."""
    if isinstance(data, EvalSet):
        return data, {"metrics": metrics, "human": human, "exclude": exclude}
    names = {"systems": given.systems, "segments": given.segments} if given.human.ndim == 2 else {}
    made = EvalSet.from_arrays(given.human, given.metrics, **names)  # type: ignore[arg-type]
    return made, {} if given.human.ndim == 2 else {"grouping": "global"}


@singledispatch
def explore(result: object, **_: Any) -> Widget:
    """Open a result as a figure that moves."""
    raise InputError(f"there is no figure of a {type(result).__name__}")


@explore.register
def _(result: Correlation, **options: Any) -> Widget:
    """Its curve over ε; of a vector, of means and of coefficients that have no ε, the lab, which knows no texts."""
    human, metric = result.scores
    [name] = names_of_result(result, "metric")
    entry = COEFFICIENTS.get(result.coefficient.removesuffix("*"))
    if result.grouping == "system_means":
        cells = ~np.isnan(human) & ~np.isnan(metric)
        human, metric = row_means(human, cells), row_means(metric, cells)
    elif entry is not None and entry.takes_epsilon and (human.ndim == 2 or result.labels is not None):
        by, texts = None if human.ndim == 1 else result.grouping, (result.labels, result.tie_human)
        found = calibrate_scores(human, metric, entry.name, by, "absolute", None, None, result.average, *texts)
        return CalibrationExplorer(found, **{"epsilon": result.epsilon, "name": name, **options})
    return TieLab(human.ravel(), {name: metric.ravel()}, **{"epsilon": result.epsilon, **options})


EXPLORERS: dict[type, Callable[..., Widget]] = {
    Calibration: CalibrationExplorer,
    PermutationTest: SwapExplorer,
    Leaderboard: RankExplorer,
    HumanRanking: HumanRows,
    EvalSet: TieLab,
}
"""The figure of each other result, which takes it first."""

for kind, explorer in EXPLORERS.items():
    explore.register(kind, explorer)
