"""Curves that a ranking gives: ROC, precision-recall, gains, lift, response, KS, Lorenz, cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

import payoff
from payoff.curves import NORMAL_95, CurveAnswer, CurveLine, CurveRanking, wilson_interval
from payoff.types import FloatArray, IntArray

_Points = tuple[FloatArray, FloatArray]

_COST_POINTS = 201
_BEST_POINTS = 101
_CLASSES = (payoff.Task.BINARY, payoff.Task.MULTICLASS)
_INPUTS = (payoff.Input.OUTCOME, payoff.Input.SCORE)
_FAWCETT = "Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27, 2006"
_GAINS = "Ling & Li, Data mining for direct marketing, KDD 1998"


def _grey(name: str, x: Sequence[float] | FloatArray, y: Sequence[float] | FloatArray) -> CurveLine:
    return CurveLine(
        name=name, x=np.asarray(x, dtype=np.float64), y=np.asarray(y, dtype=np.float64)
    )


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f}\N{NO-BREAK SPACE}%"


# ---------------------------------------------------------------- ROC, gains, lift


def trace_roc(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points:
    """Events found against others passed."""
    del parameters
    return np.clip(ranking.others, 0.0, 1.0), ranking.found


def roc_references(
    ranking: CurveRanking, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """A ranking at random, and one without a mistake."""
    del ranking, lines, parameters
    return (
        _grey("random", (0.0, 1.0), (0.0, 1.0)),
        _grey("best possible", (0.0, 0.0, 1.0), (0.0, 1.0, 1.0)),
    )


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
        _grey("random", (0.0, 1.0), (0.0, 1.0)),
        _grey("best possible", (0.0, ranking.event_share, 1.0), (0.0, 1.0, 1.0)),
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
        _grey("random", (0.0, 1.0), (1.0, 1.0)),
        _grey("best possible", best, 1.0 / np.maximum(best, share)),
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
        _grey("random", (0.0, 1.0), (share, share)),
        _grey("best possible", best, share / np.maximum(best, share)),
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
    return (_grey("random", (0.0, 1.0), (ranking.event_share, ranking.event_share)),)


# ---------------------------------------------------------------- distance and spread


def trace_ks(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points:
    """Events found less others passed, by depth."""
    del parameters
    return ranking.depth, ranking.found - ranking.others


def ks_references(
    ranking: CurveRanking, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """A ranking at random keeps the two together."""
    del ranking, lines, parameters
    return (_grey("random", (0.0, 1.0), (0.0, 0.0)),)


def ks_note(line: CurveLine, parameters: payoff.Parameters) -> str:
    """Where the two are furthest apart."""
    del parameters
    peak = int(np.argmax(line.y))
    return f"furthest apart at {_percent(float(line.x[peak]))} ({line.y[peak]:.3f})."


def trace_lorenz(ranking: CurveRanking, parameters: payoff.Parameters) -> _Points:
    """Share of events among the lowest cases."""
    del parameters
    return 1.0 - ranking.depth[::-1], 1.0 - ranking.found[..., ::-1]


def lorenz_references(
    ranking: CurveRanking, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """Events spread evenly, and a ranking with all of them on top."""
    del lines, parameters
    return (
        _grey("even", (0.0, 1.0), (0.0, 1.0)),
        _grey("best possible", (0.0, 1.0 - ranking.event_share, 1.0), (0.0, 0.0, 1.0)),
    )


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


def cost_references(
    ranking: CurveRanking, lines: Sequence[CurveLine], parameters: payoff.Parameters
) -> tuple[CurveLine, ...]:
    """Acting on all or on none, whichever is cheaper."""
    del ranking, lines, parameters
    return (_grey("all or none", (0.0, 0.5, 1.0), (0.0, 0.5, 0.0)),)


# ---------------------------------------------------------------- specs


def _ranked_curve(
    name: str,
    label: str,
    help_text: str,
    formula: str,
    reference: str,
    trace: Callable[[CurveRanking, payoff.Parameters], CurveAnswer],
    axes: payoff.CurveAxes,
    value_range: tuple[float, float] = (0.0, 1.0),
) -> payoff.EvaluationMetric:
    return payoff.EvaluationMetric(
        id=name,
        label=label,
        title=axes.question,
        help=help_text,
        formula=formula,
        reference=reference,
        direction=payoff.Direction.NONE,
        inputs=_INPUTS,
        tasks=_CLASSES,
        form=payoff.MetricForm.RANKED,
        output=payoff.MetricOutput.CURVE,
        value_range=value_range,
        trace=trace,
        axes=axes,
    )


ROC = _ranked_curve(
    "roc",
    "ROC",
    "Sensitivity against false alarms. At each cut-off: the share of all '{event}' cases ranked "
    "above it (y) against the share of all others ranked above it (x). Cases of equal score are "
    "passed together, on a straight line. The area under it is the AUC.",
    "x = others above the cut-off / others, y = events above it / events",
    _FAWCETT,
    trace_roc,
    payoff.CurveAxes(
        question="How well are the groups told apart?",
        x="false alarms",
        y="'{event}' found",
        axis=payoff.CurveAxis.SHARE,
        x_ends=(0.0, 1.0),
        y_ends=(0.0, 1.0),
        variant="ties on a line",
        references=roc_references,
    ),
)

GAINS = _ranked_curve(
    "gains",
    "cumulative gains",
    "Share of all '{event}' cases found when the best share x of the cases is acted on: "
    "y(x) = weight of '{event}' among the best / weight of all '{event}'. Cases of equal score are "
    "shared in proportion.",
    "y(x) = events among the best share x / events",
    _GAINS,
    trace_gains,
    payoff.CurveAxes(
        question="How many are found by depth?",
        x="{cases}, best first",
        y="'{event}' found",
        axis=payoff.CurveAxis.DEPTH,
        x_ends=(0.0, 1.0),
        y_ends=(0.0, 1.0),
        variant="captured response",
        references=gains_references,
    ),
)

LIFT = _ranked_curve(
    "lift",
    "cumulative lift",
    "Cumulative lift: how many times as many '{event}' cases are among the best share x as in "
    "random cases, y(x) = share found / x.",
    "y(x) = (events among the best share x / events) / x",
    _GAINS,
    trace_lift,
    payoff.CurveAxes(
        question="Times as many as at random",
        x="{cases}, best first",
        y="lift",
        axis=payoff.CurveAxis.DEPTH,
        x_ends=(0.0, 1.0),
        y_unit=payoff.NumberUnit.PLAIN,
        variant="cumulative lift",
        references=lift_references,
    ),
    (0.0, np.inf),
)

PRECISION_RECALL = _ranked_curve(
    "precision_recall",
    "precision-recall",
    "At each cut-off: the share of the cases above it that are '{event}' (precision, y) against "
    "the share of all '{event}' cases that are above it (recall, x). Average precision is the "
    "area of its steps.",
    "x = events above the cut-off / events, y = events above it / cases above it",
    "Davis & Goadrich, The relationship between precision-recall and ROC curves, ICML 2006",
    trace_precision_recall,
    payoff.CurveAxes(
        question="How many of the found are right?",
        x="'{event}' found (recall)",
        y="'{event}' among those acted on",
        axis=payoff.CurveAxis.SHARE,
        x_ends=(0.0, 1.0),
        y_ends=(0.0, 1.0),
        variant="ties shared",
        references=precision_references,
    ),
)

RESPONSE = _ranked_curve(
    "response",
    "cumulative response",
    "Share of '{event}' cases among the best share x of the cases (cumulative response): "
    "y(x) = share found x share of '{event}' / x.",
    "y(x) = events among the best share x / cases among them",
    _GAINS,
    trace_response,
    payoff.CurveAxes(
        question="How many of the best respond?",
        x="{cases}, best first",
        y="share of '{event}'",
        axis=payoff.CurveAxis.DEPTH,
        x_ends=(0.0, 1.0),
        variant="cumulative response",
        references=response_references,
    ),
)

KS_CURVE = _ranked_curve(
    "ks",
    "Kolmogorov-Smirnov",
    "Share of all '{event}' cases less share of all others among the best share x of the cases. "
    "Its highest point is the Kolmogorov-Smirnov statistic.",
    "y(x) = events among the best share x / events - others among them / others",
    "Conover, Practical Nonparametric Statistics, 1999, 6.3",
    trace_ks,
    payoff.CurveAxes(
        question="Where are the groups furthest apart?",
        x="{cases}, best first",
        y="'{event}' less others",
        axis=payoff.CurveAxis.DEPTH,
        x_ends=(0.0, 1.0),
        variant="found less false alarms",
        references=ks_references,
        note=ks_note,
    ),
    (-1.0, 1.0),
)

LORENZ = _ranked_curve(
    "lorenz",
    "Lorenz, lowest first",
    "Cases lowest chance first: share of all '{event}' cases (y) among the lowest share x of the "
    "cases. The further below the diagonal, the more unevenly they are spread.",
    "y(x) = events among the lowest share x / events",
    "Lorenz, Methods of measuring the concentration of wealth, 1905",
    trace_lorenz,
    payoff.CurveAxes(
        question="How unevenly are the events spread?",
        x="{cases}, lowest first",
        y="share of '{event}'",
        axis=payoff.CurveAxis.LOWEST,
        x_ends=(0.0, 1.0),
        y_ends=(0.0, 1.0),
        variant="lowest chances first",
        references=lorenz_references,
        note=concentration_note,
    ),
)

COST = _ranked_curve(
    "cost",
    "cost curves",
    "Cost curve (Drummond & Holte 2006): expected cost of the best cut-off (y, as a share of the "
    "worst) at every mix of shares and costs (x = share of '{event}' x cost of missing one / the "
    "same plus share of others x cost of a false alarm). Below the grey triangle the model beats "
    "acting on all and on none. Bands: pointwise 95 % at that cut-off; its choice on these rows "
    "flatters a little.",
    "y(x) = lowest of x missed(c) + (1 - x) alarms(c) over cut-offs c",
    "Drummond & Holte, Cost curves, Machine Learning 65, 2006",
    trace_cost,
    payoff.CurveAxes(
        question="What do errors cost, whatever they cost?",
        x="weight of missing an event",
        y="expected cost",
        axis=payoff.CurveAxis.VALUE,
        x_unit=payoff.NumberUnit.PLAIN,
        y_unit=payoff.NumberUnit.PLAIN,
        x_ends=(0.0, 1.0),
        y_ends=(0.0, 0.5),
        variant="lower envelope",
        references=cost_references,
    ),
    (0.0, 0.5),
)

RANKED_CURVES = (ROC, GAINS, LIFT, PRECISION_RECALL, RESPONSE, KS_CURVE, LORENZ, COST)
