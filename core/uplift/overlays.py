"""What page Uplift lays over the curves: lines none can pass, rows of another use, the truth.

Lines that no ranking passes: the best one by what happened, and the best one where none lose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.document.data.model import RowUse
from core.document.studies.uplift import (
    OtherRows,
    ReferenceCurve,
    UpliftModelResult,
    UpliftResult,
)
from core.evaluation.ranked.ranking import DEPTH_GRID
from core.uplift.experiment import Experiment
from core.uplift.page_figures import area_estimates, criteria_of, curve_corners
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.segments import pehe
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceLine:
    """Corners of a line: share of the cases, and extra units for all cases at hand, (k,)."""

    depth: FloatArray
    height: FloatArray


def perfect_line(experiment: Experiment) -> ReferenceLine | None:
    """The highest generalised curve that any order of these very cases has.

    Treated cases with the outcome first, control cases with it last: scikit-uplift's perfect Qini
    curve with negative effects, times N / |T|. It reads the outcome, so no model reaches it.

    Returns
    -------
    ReferenceLine or None
        None for outcomes other than 0 and 1, and where cases have chances of their own.
    """
    found = _shares(experiment)
    if found is None:
        return None
    rate_t, rate_c = found
    total, (t, c) = experiment.total, experiment.sizes
    depth = np.array([0.0, rate_t * t, total - rate_c * c, total]) / total
    height = total * np.array([0.0, rate_t, rate_t, rate_t - rate_c])
    return ReferenceLine(depth, height)


def maximal_line(experiment: Experiment) -> ReferenceLine | None:
    """The highest curve to be expected if the treatment puts nobody off.

    Those whom it moves are then as large a share of the cases as the effect of all; found first,
    each brings one unit, and the others none. It is scikit-uplift's perfect Qini curve with
    ``negative_effect=False``, on depths of both arms.

    Returns
    -------
    ReferenceLine or None
        None as ``perfect_line``, and where the effect of all is below 0.
    """
    found = _shares(experiment)
    if found is None or found[0] < found[1]:
        return None
    effect = found[0] - found[1]
    total = experiment.total
    return ReferenceLine(np.array([0.0, effect, 1.0]), total * np.array([0.0, effect, effect]))


def _shares(experiment: Experiment) -> tuple[float, float] | None:
    """Share with the outcome of the treated and of the control cases."""
    if not experiment.is_binary or experiment.has_propensity:
        return None
    weight, inside = experiment.frequency, experiment.treated > 0
    with_it = weight * experiment.outcome
    t, c = experiment.sizes
    return float(with_it[inside].sum()) / t, float(with_it[~inside].sum()) / c


# What rows of a use are laid beside: training rows beside held-out ones, and the other way round.
_BESIDE = {
    RowUse.TEST: (RowUse.TRAIN,),
    RowUse.VALIDATION: (RowUse.TRAIN,),
    RowUse.TRAIN: (RowUse.TEST, RowUse.VALIDATION),
}


def reference_curves(experiment: Experiment) -> tuple[ReferenceCurve, ...]:
    """The perfect and the maximal line, where they are defined."""
    lines = (("perfect", perfect_line(experiment)), ("maximal", maximal_line(experiment)))
    return tuple(
        ReferenceCurve(key=key, depth=line.depth, incremental=line.height)
        for key, line in lines
        if line is not None
    )


def with_other_rows(
    result: UpliftResult,
    rankings: Mapping[str, UpliftRanking],
    use: RowUse,
    rankings_of: Callable[[RowUse], Mapping[str, UpliftRanking]],
) -> UpliftResult:
    """The result with every model's curve on rows of another use, where there are such rows.

    Parameters
    ----------
    use : RowUse
        What the rows of ``rankings`` are for.
    rankings_of : callable
        The rankings on rows of another use; raises ``PayoffError`` where there are none.
    """
    for other in _BESIDE.get(use, ()):
        try:
            found = rankings_of(other)
        except PayoffError:
            continue  # no such rows, or an arm is missing among them
        models = [
            _beside(model, rankings[model.model], found.get(model.model), other)
            for model in result.models
        ]
        return replace(result, models=tuple(models))
    return result


def _beside(
    model: UpliftModelResult, ranking: UpliftRanking, other: UpliftRanking | None, use: RowUse
) -> UpliftModelResult:
    """One model with its curve on the other rows, and how far the two agree by tenths."""
    if other is None:
        return model
    depth, heights = curve_corners(other, model.nu)
    scale = ranking.experiment.total / other.experiment.total
    agreement = criteria_of(ranking, nu=model.nu, training=other).agreement
    return replace(
        model,
        criteria=replace(model.criteria, agreement=agreement),
        other=OtherRows(
            use=use.value,
            cases=other.experiment.total,
            depth=DEPTH_GRID,
            incremental=np.interp(DEPTH_GRID, depth, heights) * scale,
            minus_random=area_estimates(other, model.nu)[1],
        ),
    )


def with_truth(
    result: UpliftResult, rankings: Mapping[str, UpliftRanking], truth: FloatArray | None
) -> UpliftResult:
    """The result with the error of every model against the true effects, (n,), NaN = not known."""
    if truth is None:
        return result
    known = np.isfinite(truth)
    models = []
    frequency = next(iter(rankings.values())).experiment.frequency if rankings else None
    weight = None if frequency is None else frequency[known]
    for model in result.models:
        square, root = pehe(rankings[model.model].score[known], truth[known], weight)
        models.append(replace(model, pehe=square, pehe_root=root))
    warnings = result.warnings
    if not known.all():
        unknown = counted(float(np.sum(~known)), "row", "rows")
        described = f"The true effect is not known in {unknown}: left out of PEHE."
        warnings = (*warnings, described)
    mean = float(np.average(truth[known], weights=weight))
    return replace(result, models=tuple(models), true_effect=mean, warnings=warnings)
