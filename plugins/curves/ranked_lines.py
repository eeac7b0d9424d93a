"""The lines of curves that a ranking gives: ROC, precision-recall, gains, lift, response, KS ..."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

import payoff
from payoff.curves import CurveBasis, CurveLine, CurveRanking
from payoff.intervals import NORMAL_95, wilson_interval
from payoff.types import FloatArray, IntArray
from plugins.curves.numbers import lorenz_best
from plugins.curves.parts import WHOLE, grey, percent

_Points = tuple[FloatArray, FloatArray]

_COST_POINTS = 201
_BEST_POINTS = 101

# ---------------------------------------------------------------- ROC, gains, lift


def trace_roc(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points:
    """Events found against others passed."""
    del parameters
    return np.clip(ranking.others, 0.0, 1.0), ranking.found


def trace_gains(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points:
    """Share of events found by depth."""
    del parameters
    return ranking.depth, ranking.found


def gains_references(
    ranking: CurveRanking, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """A ranking at random, and one with all events first."""
    del lines, parameters
    return (
        grey("random", WHOLE, (0.0, 1.0)),
        grey("best possible", (0.0, ranking.event_share, 1.0), (0.0, 1.0, 1.0)),
    )


def trace_lift(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points:
    """Share of events found over depth, from the first depth above 0."""
    del parameters
    depth = ranking.depth[1:]
    return depth, ranking.found[..., 1:] / depth


def lift_references(
    ranking: CurveRanking, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """A ranking at random, and one with all events first."""
    del lines, parameters
    share = ranking.event_share
    best = np.append(0.0, np.linspace(share, 1.0, _BEST_POINTS))
    return (
        grey("random", WHOLE, (1.0, 1.0)),
        grey("best possible", best, 1.0 / np.maximum(best, share)),
    )


# ---------------------------------------------------------------- response, precision and recall


def trace_response(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points | CurveLine:
    """Share of events among the best; limits of a plain share where no priors weigh classes."""
    del parameters
    depth = ranking.depth[1:]
    rate = np.clip(ranking.event_share * ranking.found[..., 1:] / depth, 0.0, 1.0)
    if not np.isfinite(ranking.cases) or ranking.has_priors:
        return depth, rate
    low, high = wilson_interval(rate, np.maximum(depth * ranking.cases, 1.0))
    return CurveLine(x=depth, y=rate, low=low, high=high, method="Wilson intervals")


def response_references(
    ranking: CurveRanking, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """The share among all cases, and what a ranking with all events first gives."""
    del lines, parameters
    share = ranking.event_share
    best = np.append(0.0, np.linspace(max(share, 1e-6), 1.0, _BEST_POINTS))
    return (
        grey("random", WHOLE, (share, share)),
        grey("best possible", best, share / np.maximum(best, share)),
    )


def trace_precision_recall(
    ranking: CurveRanking, parameters: payoff.Parameters
) -> _Points | CurveLine:
    """Precision by recall at the common depths; its limits are those of the response."""
    response = trace_response(ranking, parameters)
    recall = ranking.found[..., 1:]
    if isinstance(response, CurveLine):
        return replace(response, x=recall)
    return recall, response[1]


def precision_references(
    ranking: CurveRanking, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """The precision of acting at random."""
    del lines, parameters
    return (grey("random", WHOLE, (ranking.event_share, ranking.event_share)),)


# ---------------------------------------------------------------- distance and spread


def trace_ks(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points:
    """Events found less others passed, by depth."""
    del parameters
    return ranking.depth, ranking.found - ranking.others


def ks_note(line: CurveLine, parameters: payoff.Parameters) -> str:
    """Where the two are furthest apart."""
    del parameters
    peak = int(np.argmax(line.y))
    return f"furthest apart at {percent(float(line.x[peak]))} ({line.y[peak]:.3f})."


def trace_lorenz(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points:
    """Share of events among the lowest cases."""
    del parameters
    return 1.0 - ranking.depth[::-1], 1.0 - ranking.found[..., ::-1]


def lorenz_references(
    basis: CurveBasis, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """Events (or amounts) spread evenly, and a ranking with all of them (the highest) on top."""
    del parameters
    if isinstance(basis, CurveRanking):
        best = grey("best possible", (0.0, 1.0 - basis.event_share, 1.0), (0.0, 0.0, 1.0))
    else:
        best = grey("best possible", lines[0].x, lorenz_best(basis, lines[0].x))
    return grey("even", WHOLE, WHOLE), best


def concentration_note(line: CurveLine, parameters: payoff.Parameters) -> str:
    """The Gini-like coefficient of the line."""
    del parameters
    return f"concentration {1.0 - 2.0 * float(np.trapezoid(line.y, line.x)):.3f}."


# ---------------------------------------------------------------- cost


def trace_cost(ranking: CurveRanking, parameters: payoff.Parameters) -> CurveLine:
    """The best cut-off's expected cost at every mix of shares and costs, one ranking at a time.

    Its limits are those of the cut-off that is best at each mix: at the lowest point of the
    envelope a small move of it changes nothing.
    """
    del parameters
    x: FloatArray = np.linspace(0.0, 1.0, _COST_POINTS)
    missed, alarms = 1.0 - ranking.found, np.clip(ranking.others, 0.0, 1.0)
    if missed.ndim == 2:
        rows = zip(missed, alarms, strict=True)
        return CurveLine(x=x, y=np.stack([_envelope(x, *row)[0] for row in rows]))
    value, best = _envelope(x, missed, alarms)
    if not np.isfinite(ranking.cases):
        return CurveLine(x=x, y=value)
    share, cases = float(ranking.event_share), ranking.cases
    spread = x**2 * missed[best] * (1.0 - missed[best]) / max(share * cases, 1.0)
    spread += (1.0 - x) ** 2 * alarms[best] * (1.0 - alarms[best]) / max((1 - share) * cases, 1.0)
    half = NORMAL_95 * np.sqrt(np.maximum(spread, 0.0))
    return CurveLine(x=x, y=value, low=np.maximum(value - half, 0.0), high=value + half)


def _envelope(x: FloatArray, missed: FloatArray, alarms: FloatArray) -> tuple[FloatArray, IntArray]:
    """Lowest cost at each mix, and the place of the cut-off that has it."""
    lines = np.outer(x, missed) + np.outer(1.0 - x, alarms)
    return lines.min(axis=1), lines.argmin(axis=1)
