"""What exact sums say of a metric: values with intervals, paired differences, what is drawn.

Charts of rankings that were read in pieces, with bands from the draws of them.
"""

from __future__ import annotations

import numpy as np

from core.document.data.limits import limit_words
from core.document.results import ChartData, Estimate, ModelDepths
from core.evaluation.binding import BoundMetric
from core.evaluation.cases import JudgedCases
from core.evaluation.charts.plugin_curves import BandDraws, PluginCurves
from core.evaluation.charts.usual import ChartMaker
from core.evaluation.columns import Column
from core.evaluation.host import MetricsHost
from core.evaluation.problem import USUAL_OF_CLASSES, JudgedScores
from core.evaluation.ranked.ranking import DEPTH_GRID, RankingSummary
from core.evaluation.ranked.rankings import ModelRankings
from core.inference.intervals import clopper_pearson, normal_estimate
from core.kernels.sorting import scores_of_keys
from core.scale.evaluation.means import ExactMeans
from core.scale.evaluation.passes import SecondSummary
from core.scale.exact_sums import exact_value, nearest_double
from core.scale.ranked.ranking import StreamedRanking
from payoff.sample import Sample
from payoff.types import FloatArray
from payoff.vocabulary import Aggregate, MetricForm

NO_CHART = limit_words("charts")
_MONEY = "profit"  # drawn of the decisions


class StreamedCharts:
    """Charts of two classes and what the cursor reads of them, as those of a table in memory.

    Parameters
    ----------
    host : MetricsHost
        Its problem names the curves that are wanted.
    rankings : list of StreamedRanking
        By the event, one a model.
    draws : int
        Most that will come.
    """

    def __init__(self, host: MetricsHost, rankings: list[StreamedRanking], draws: int) -> None:
        rows = len(host.cases)
        host.rankings = [
            ModelRankings(
                summary=RankingSummary(
                    auc=ranking.area,
                    average_precision=ranking.average_precision,
                    ks=ranking.ks,
                    depth=DEPTH_GRID,
                    class_share=ranking.side_shares(),
                    cases=DEPTH_GRID * rows,
                    threshold=scores_of_keys(ranking.depth_keys),
                ),
                levels=[],
                area=None,
                values={},
            )
            for ranking in rankings
        ]
        self._maker = ChartMaker(host.cases, host.rankings, PluginCurves(host))
        self._bands = [BandDraws(host.cases.class_count, draws) for _ in rankings]

    def add_draws(
        self, model: int, first: int, events: FloatArray, others: FloatArray, classes: FloatArray
    ) -> None:
        """Take in draws of a model's ranking, as ``cumulate`` gives them."""
        self._bands[model].add(first, events, others, classes)

    def use_draws(self) -> None:
        """Draw bands from now on."""
        self._maker.use_bands(self._bands)

    def charts(self) -> tuple[ChartData, ...]:
        """Those that are made of a ranking; of the others that are wanted, why they are not."""
        drawn = self._maker.charts()
        wanted = dict.fromkeys((*USUAL_OF_CLASSES, *self._maker.cases.problem.charts))
        lacking = [kind for kind in wanted if kind not in (_MONEY, *(c.kind for c in drawn))]
        return (
            *drawn,
            *(ChartData(kind=k, curves=(), definition="", notes=(NO_CHART,)) for k in lacking),
        )

    def depths(self) -> tuple[ModelDepths, ...]:
        """What the shared cursor reads, model by model."""
        return self._maker.depths()


def check_metric_of_model(metric: BoundMetric, cases: JudgedCases, model: JudgedScores) -> None:
    """Refuse what a metric cannot judge of a model: chances of a score that has none."""
    metric.check_kind(cases, model)
    if metric.spec.form == MetricForm.RANKED and metric.spec.check is not None:
        metric.refuse_sample(_class_sample(cases))


def _class_sample(cases: JudgedCases) -> Sample:
    """A weighted case of each class: what checks of ranked metrics see of classes."""
    there = np.flatnonzero(cases.class_rows)
    shares = cases.class_frequency / cases.total_weight
    prediction = np.tile(shares[:, np.newaxis], (1, len(there)))
    return Sample(
        there.astype(np.int32),
        prediction[0],
        prediction=prediction,
        weight=cases.class_frequency[there],
        labels=cases.levels,
        class_order=cases.problem.class_order,
    )


def mean_estimate(metric: BoundMetric, means: ExactMeans, model: int, value: float) -> Estimate:
    """A share with its exact binomial interval, a mean with the normal one of its variance."""
    if means.is_share(model) and metric.spec.aggregate != Aggregate.TOTAL:
        above, below = means.total(model), means.total(means.width + model)
        low, high = clopper_pearson(nearest_double(above), nearest_double(below))
        return Estimate(value=value, low=low, high=high, method="exact binomial")
    return normal_estimate(
        value, means.variance(model), method="exact variance", bounds=metric.spec.value_range
    )


def keep_mean_differences(column: Column, means: ExactMeans) -> None:
    """Note the variance of every paired difference, and McNemar's table where it is exact."""
    usable = [place for place, cell in enumerate(column.cells) if cell.is_usable]
    for position, first in enumerate(usable):
        for second in usable[position + 1 :]:
            variance = means.variance(first, second)
            table = means.table(first, second)
            column.difference_variance[first, second] = variance
            column.difference_variance[second, first] = variance
            column.difference_method = "exact variance"
            if table is not None:
                column.tables[first, second] = table
                column.tables[second, first] = table.turned()


def columns_to_draw(means: ExactMeans, model: int) -> list[int]:
    """Columns of a model that draws add up: numerators, and divisors where they are not all 1."""
    width = means.metric.means
    own = list(range(model * width, (model + 1) * width))
    has_units = not means.sums.marks[model, 3]
    return own if has_units else [*own, *(means.width + column for column in own)]


def gap_variance(found: SecondSummary, place: int, sides: tuple[int, int]) -> float:
    """DeLong's variance of a difference of areas, from differences of places by side."""
    if min(sides) < 2:
        return float("nan")
    variance = exact_value(found.gaps[place, 0, 0]) * 0
    for side, size in enumerate(sides):
        whole, squares = (exact_value(found.gaps[place, side, power]) for power in (0, 1))
        variance += max(squares - whole**2 / size, variance * 0) / (size * (size - 1))
    return nearest_double(variance)


__all__ = [
    "check_metric_of_model",
    "columns_to_draw",
    "gap_variance",
    "keep_mean_differences",
    "mean_estimate",
]
