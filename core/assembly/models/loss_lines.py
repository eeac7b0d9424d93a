"""The small picture of a distribution: what a case costs by its score."""

from __future__ import annotations

import numpy as np

from core.document.model import TargetSpec
from core.document.training_results import LossLine
from payoff.parameters import parameter_array, resolve_parameters
from payoff.specs import LossDistribution
from payoff.types import FloatArray
from payoff.vocabulary import Extra, TargetDomain

POINTS = 81
REACH = 4.0  # scores from -4 to 4: chances from 2 % to 98 %
_HOST = (Extra.WEIGHT, Extra.OFFSET)
_OUTCOMES = {
    TargetDomain.REAL: (0.0,),
    TargetDomain.COUNTS: (0.0, 3.0),
    TargetDomain.POSITIVE: (0.3, 3.0),
}


def loss_lines(spec: LossDistribution, target: TargetSpec) -> tuple[LossLine, ...]:
    """A line per outcome, at the parameters' defaults; none where cases depend on each other.

    A number has one line, over the error; a plugin whose kernel fails here has no picture (its
    conformance is checked elsewhere).
    """
    if spec.arrange is not None or any(extra not in _HOST for extra in spec.extras):
        return ()
    score = np.linspace(-REACH, REACH, POINTS)
    lines = []
    for words, outcome in _outcomes(spec, target):
        y = _losses(spec, outcome, score)
        if y is None:
            return ()
        lines.append(LossLine(words=words, x=score, y=y))
    return tuple(lines)


def _outcomes(spec: LossDistribution, target: TargetSpec) -> tuple[tuple[str, float], ...]:
    """What the lines stand for, in words, and the outcome that the loss gets."""
    if spec.target is TargetDomain.BINARY:
        if len(target.levels) != 2:
            return (("yes", 1.0), ("no", 0.0))
        return tuple(zip(map(target.label, target.levels), (1.0, 0.0), strict=True))
    if spec.target is TargetDomain.CLASSES:
        return (("this class", 0.0), ("another", 1.0))
    return tuple((f"{value:g}", value) for value in _OUTCOMES.get(spec.target, ()))


def _losses(spec: LossDistribution, outcome: float, score: FloatArray) -> FloatArray | None:
    """The loss at each score; with several scores per case the first moves and the rest are 0.

    Several quantiles move together.
    """
    scores = np.zeros((spec.n_scores or 2, POINTS))
    scores[: None if spec.quantile_levels is not None else 1] = score
    parameters = parameter_array(spec.parameters, resolve_parameters(spec.parameters, {}))
    out = np.full(POINTS, np.nan)
    try:
        with np.errstate(all="ignore"):
            spec.loss(np.full(POINTS, outcome), scores, parameters, out, 0, POINTS)
    except Exception:  # a plugin's kernel may raise anything; the page does without its picture
        return None
    return out if np.isfinite(out).all() else None
