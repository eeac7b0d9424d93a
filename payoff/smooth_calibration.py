"""A smooth calibration curve: what happened against what was predicted, with a band.

The outcome is regressed on a natural cubic spline of the prediction: logistic for chances,
log-linear for counts, least squares for numbers. This is what ``calibrate.plot`` of R's gbm draws
(6 degrees of freedom, inner knots at equal shares of the cases); where the curve leaves the
diagonal, predictions are too low or too high.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from payoff.errors import PayoffError
from payoff.intervals import NORMAL_95
from payoff.types import FloatArray

DEGREES = 6
POINTS = 200
MOST_ROWS, CELLS = 20_000, 4_000
MOST_HALVINGS = 20
MOST_STEPS = 60
LARGEST_LINK = 30.0


class Family(StrEnum):
    """What the outcome follows around its mean."""

    BERNOULLI = "bernoulli"
    POISSON = "poisson"
    GAUSSIAN = "gaussian"


class Band(StrEnum):
    """How the band is made.

    LINK: 95 % on the link scale, carried over, so that it keeps the outcome's range. GBM: twice
    the standard error on the outcome's scale, cut off at its range, as ``calibrate.plot`` does.
    """

    LINK = "link"
    GBM = "gbm"


@dataclass(frozen=True, slots=True, eq=False)
class SmoothCalibration:
    """Points of the curve, float64 of one length.

    Attributes
    ----------
    predicted : equally spaced from the lowest to the highest prediction
    observed : smoothed mean of the outcome there
    low, high : pointwise limits
    """

    predicted: FloatArray
    observed: FloatArray
    low: FloatArray
    high: FloatArray


def calibration_curve(
    predicted: FloatArray,
    outcome: FloatArray,
    weight: FloatArray | None = None,
    *,
    family: Family = Family.BERNOULLI,
    degrees: int = DEGREES,
    points: int = POINTS,
    band: Band = Band.LINK,
) -> SmoothCalibration:
    """Smooth the outcome over the prediction.

    Parameters
    ----------
    predicted, outcome : float64 (n,)
        The outcome is 0 or 1, a count, or a number, as the family has it.
    weight : float64 (n,), optional
        Case weights. Standard errors are then robust: a row is one case whatever its weight.
    degrees : int
        Degrees of freedom of the spline besides the constant; fewer where predictions have fewer
        different values.
    points : int
    band : Band

    Raises
    ------
    PayoffError
        If all predictions are alike, the outcome does not suit the family, or it never varies.
    """
    if degrees < 1 or points < 2:
        raise PayoffError("A calibration curve needs at least 1 degree of freedom and 2 points.")
    if weight is not None:
        kept = weight > 0.0
        predicted, outcome, weight = predicted[kept], outcome[kept], weight[kept]
    _check(predicted, outcome, family)
    low, high = float(predicted.min()), float(predicted.max())
    knots = _inner_knots(predicted, degrees)
    design = spline_columns(predicted, knots, low, high)
    return _drawn(_fit(design, outcome, weight, family), knots, (low, high), points, family, band)


def cell_calibration_curve(
    probability: FloatArray, is_event: FloatArray, weight: FloatArray | None = None
) -> SmoothCalibration:
    """The logistic curve of many cases, for a screen: fitted to cells of neighbouring chances.

    Up to ``MOST_ROWS`` cases it is ``calibration_curve``. Beyond, the cases of some thousand
    cells count as one chance with a share of events, which moves the curve by less than a pixel.
    A cell counts as its effective number of cases (Kish), so weights widen the band.
    """
    if len(probability) <= MOST_ROWS:
        return calibration_curve(probability, is_event, weight)
    _check(probability, is_event, Family.BERNOULLI)
    mass = np.ones(len(probability)) if weight is None else weight
    low, high = float(probability.min()), float(probability.max())
    knots = _inner_knots(probability, DEGREES)
    even = np.quantile(probability, np.arange(1, CELLS) / CELLS)
    wide = np.linspace(low, high, CELLS)[1:-1]  # narrow cells where few chances lie, too
    edges = np.unique(np.concatenate([even, wide]))
    cell = np.searchsorted(edges, probability, side="left")
    whole = np.bincount(cell, weights=mass)
    used = whole > 0

    def mean(values: FloatArray) -> FloatArray:
        """Weighted mean of each cell that is used."""
        total = np.bincount(cell, weights=mass * values)
        return np.asarray(total[used] / whole[used], dtype=np.float64)

    counts = (whole**2 / np.maximum(np.bincount(cell, weights=mass * mass), 1e-300))[used]
    counts = whole[used] * (counts.sum() / whole.sum())
    design = spline_columns(np.clip(mean(probability), low, high), knots, low, high)
    share = np.clip(mean(is_event), 0.0, 1.0)
    fitted = _fit(design, share, None, Family.BERNOULLI, counts=counts)
    return _drawn(fitted, knots, (low, high), POINTS, Family.BERNOULLI, Band.LINK)


def _drawn(
    fitted: tuple[FloatArray, FloatArray],
    knots: FloatArray,
    ends: tuple[float, float],
    points: int,
    family: Family,
    band: Band,
) -> SmoothCalibration:
    """Points of a fitted curve with its band."""
    beta, covariance = fitted
    low, high = ends
    grid = np.linspace(low, high, points)
    columns = spline_columns(grid, knots, low, high)
    link = columns @ beta
    variance = np.einsum("ij,jk,ik->i", columns, covariance, columns)
    error = np.sqrt(np.maximum(variance, 0.0))
    return SmoothCalibration(grid, _mean(link, family), *_limits(link, error, family, band))


def _check(predicted: FloatArray, outcome: FloatArray, family: Family) -> None:
    for values, word in ((predicted, "prediction"), (outcome, "outcome")):
        wrong = ~np.isfinite(values)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise PayoffError(f"A {word} is missing or infinite.", where=f"row {row + 1}")
    if len(predicted) == 0 or predicted.min() == predicted.max():
        raise PayoffError(
            "There is no calibration curve of one prediction only.",
            why="All cases have the same prediction." if len(predicted) else "There are no cases.",
        )
    wrong = np.zeros(len(outcome), dtype=bool)
    if family == Family.BERNOULLI:
        wrong = (outcome != 0.0) & (outcome != 1.0)
    elif family == Family.POISSON:
        wrong = outcome < 0.0
    if wrong.any():
        row = int(np.argmax(wrong))
        words = "0 or 1" if family == Family.BERNOULLI else "0 or more"
        raise PayoffError(
            f"The outcome {outcome[row]:g} is none of the family '{family}'.",
            where=f"row {row + 1}",
            why=f"It must be {words}.",
        )
    if family != Family.GAUSSIAN and outcome.min() == outcome.max():
        raise PayoffError(
            f"The outcome is always {outcome[0]:g}.", why="A calibration curve needs both."
        )


def _inner_knots(predicted: FloatArray, degrees: int) -> FloatArray:
    """Knots at equal shares of the cases, different ones strictly inside the range only."""
    distinct = len(np.unique(predicted))
    wanted = min(degrees, distinct - 1)
    knots = np.unique(np.quantile(predicted, np.arange(1, wanted) / wanted))
    inner: FloatArray = knots[(knots > predicted.min()) & (knots < predicted.max())]
    return inner


def spline_columns(values: FloatArray, knots: FloatArray, low: float, high: float) -> FloatArray:
    """The basis of natural cubic splines (n, inner knots + 2): a constant, a line, bends.

    Cubic between the knots and straight outside ``low`` and ``high`` (Hastie, Tibshirani &
    Friedman, The Elements of Statistical Learning, 5.2.1).
    """
    scale = high - low
    x = (values - low) / scale
    places = np.concatenate([[0.0], (knots - low) / scale, [1.0]])
    cubes = np.maximum(x[:, None] - places, 0.0) ** 3
    slopes = (cubes[:, :-1] - cubes[:, -1:]) / (1.0 - places[:-1])
    hessians = slopes[:, :-1] - slopes[:, -1:]
    return np.column_stack([np.ones_like(x), x, hessians])


def _mean(link: FloatArray, family: Family) -> FloatArray:
    if family == Family.GAUSSIAN:
        return link
    inside = np.clip(link, -LARGEST_LINK, LARGEST_LINK)
    powers: FloatArray = np.exp(inside)
    return powers if family == Family.POISSON else powers / (1.0 + powers)


def _variance(mean: FloatArray, family: Family) -> FloatArray:
    """Variance of the outcome at a mean, which is also the slope of the mean over the link."""
    if family == Family.BERNOULLI:
        return mean * (1.0 - mean)
    return mean if family == Family.POISSON else np.ones_like(mean)


def _fit(
    design: FloatArray,
    outcome: FloatArray,
    weight: FloatArray | None,
    family: Family,
    *,
    counts: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Coefficients by iterated weighted least squares, and their covariance.

    ``counts``: cases that a row stands for, its outcome being their mean; instead of weights.
    """
    mass = np.ones(len(outcome)) if weight is None else weight * (len(weight) / weight.sum())
    mass = mass if counts is None else counts
    average = float(np.average(outcome, weights=mass))
    start = average if family == Family.GAUSSIAN else np.log(max(average, 1e-12))
    if family == Family.BERNOULLI:
        start -= np.log1p(-min(average, 1.0 - 1e-12))
    link = np.full(len(outcome), start)
    beta: FloatArray = np.zeros(design.shape[1])
    for _ in range(MOST_STEPS):
        mean = _mean(link, family)
        slope = np.maximum(_variance(mean, family), 1e-12)
        working = link + (outcome - mean) / slope
        root = np.sqrt(mass * slope)
        earlier = beta
        solved = np.linalg.lstsq(design * root[:, None], working * root, rcond=None)[0]
        beta = solved.astype(np.float64)
        if family == Family.GAUSSIAN:
            link = design @ beta
        else:
            link, share = _shortened(link, design @ beta, outcome, mass, family)
            if share < 1.0:
                beta = np.linalg.lstsq(design, link, rcond=None)[0].astype(np.float64)
        if np.allclose(beta, earlier, rtol=1e-10, atol=1e-12):
            break
    mean = _mean(link, family)
    slope = np.maximum(_variance(mean, family), 1e-12)
    information = design.T @ (design * (mass * slope)[:, None])
    bread = np.linalg.pinv(information, hermitian=True).astype(np.float64)
    left = outcome - mean
    if weight is not None:
        meat = design * (mass * left)[:, None]
        return beta, bread @ (meat.T @ meat) @ bread
    spread = 1.0
    if family == Family.GAUSSIAN:
        spread = float(left @ left) / max(1, len(left) - design.shape[1])
    return beta, bread * spread


def _shortened(
    link: FloatArray,
    wanted: FloatArray,
    outcome: FloatArray,
    mass: FloatArray,
    family: Family,
) -> tuple[FloatArray, float]:
    """A step from one link towards another, halved until it lowers the deviance, and its share.

    Chances of a rare event are crowded at one end, where a whole step can overshoot without end.
    """
    before = _misfit(link, outcome, mass, family)
    share = 1.0
    for _ in range(MOST_HALVINGS):
        tried = np.clip(link + share * (wanted - link), -LARGEST_LINK, LARGEST_LINK)
        if _misfit(tried, outcome, mass, family) <= before + 1e-12 * abs(before):
            return tried, share
        share *= 0.5
    return link, 0.0


def _misfit(link: FloatArray, outcome: FloatArray, mass: FloatArray, family: Family) -> float:
    """Minus the logarithm of the likelihood, up to a constant."""
    if family == Family.POISSON:
        return float(mass @ (np.exp(np.minimum(link, LARGEST_LINK)) - outcome * link))
    return float(mass @ (np.logaddexp(0.0, link) - outcome * link))


def _limits(
    link: FloatArray, error: FloatArray, family: Family, band: Band
) -> tuple[FloatArray, FloatArray]:
    if band == Band.LINK:
        return _mean(link - NORMAL_95 * error, family), _mean(link + NORMAL_95 * error, family)
    mean = _mean(link, family)
    reach: FloatArray = 2.0 * error * _variance(mean, family)
    least = -np.inf if family == Family.GAUSSIAN else 0.0
    most = 1.0 if family == Family.BERNOULLI else np.inf
    return np.maximum(mean - reach, least), np.minimum(mean + reach, most)
