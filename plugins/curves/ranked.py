"""Curves that a ranking gives: ROC, precision-recall, gains, lift, response, KS, Lorenz, cost."""

from __future__ import annotations

from typing import Any

import numpy as np

import payoff
from plugins.curves.numbers import lorenz_of_numbers
from plugins.curves.parts import CLASSES, WHOLE, curve_spec, grey, steady
from plugins.curves.ranked_lines import (
    concentration_note,
    gains_references,
    ks_note,
    lift_references,
    lorenz_references,
    precision_references,
    response_references,
    trace_cost,
    trace_gains,
    trace_ks,
    trace_lift,
    trace_lorenz,
    trace_precision_recall,
    trace_response,
    trace_roc,
)

_INPUTS = (payoff.Input.OUTCOME, payoff.Input.SCORE)
_FAWCETT = "Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27, 2006"
_GAINS = "Ling & Li, Data mining for direct marketing, KDD 1998"


def _by_depth(**words: Any) -> payoff.CurveAxes:
    return payoff.CurveAxes(
        x="{cases}, best first", axis=payoff.CurveAxis.DEPTH, x_ends=WHOLE, **words
    )


def _ranked_curve(
    name: str, label: str, axes: payoff.CurveAxes, **fields: Any
) -> payoff.EvaluationMetric:
    usual = {"tasks": CLASSES, "value_range": WHOLE}
    return curve_spec(
        name, label, axes, inputs=_INPUTS, form=payoff.MetricForm.RANKED, **{**usual, **fields}
    )


ROC = _ranked_curve(
    "roc",
    "ROC",
    payoff.CurveAxes(
        question="How well are the groups told apart?",
        x="false alarms",
        y="'{event}' found",
        axis=payoff.CurveAxis.SHARE,
        x_ends=WHOLE,
        y_ends=WHOLE,
        variant="ties on a line",
        references=steady(
            grey("random", WHOLE, WHOLE), grey("best possible", (0.0, 0.0, 1.0), (0.0, 1.0, 1.0))
        ),
    ),
    help=(
        "Sensitivity against false alarms. At each cut-off: the share of all '{event}' cases "
        "ranked above it (y) against the share of all others ranked above it (x). Cases of equal "
        "score are passed together, on a straight line. The area under it is the AUC."
    ),
    formula="x = others above the cut-off / others, y = events above it / events",
    reference=_FAWCETT,
    trace=trace_roc,
)

GAINS = _ranked_curve(
    "gains",
    "cumulative gains",
    _by_depth(
        question="How many are found by depth?",
        y="'{event}' found",
        y_ends=WHOLE,
        variant="captured response",
        references=gains_references,
    ),
    help=(
        "Share of all '{event}' cases among the share x of the cases that rank highest: y(x) ="
        " weight of '{event}' among the best / weight of all '{event}'. Cases of equal score are "
        "shared in proportion."
    ),
    formula="y(x) = events among the best share x / events",
    reference=_GAINS,
    trace=trace_gains,
)

LIFT = _ranked_curve(
    "lift",
    "cumulative lift",
    _by_depth(
        question="Times as many as at random",
        y="lift",
        y_unit=payoff.NumberUnit.PLAIN,
        variant="cumulative lift",
        references=lift_references,
    ),
    help=(
        "Cumulative lift: how many times as many '{event}' cases are among the best share x as in "
        "random cases, y(x) = share found / x."
    ),
    formula="y(x) = (events among the best share x / events) / x",
    reference=_GAINS,
    trace=trace_lift,
    value_range=(0.0, np.inf),
)

PRECISION_RECALL = _ranked_curve(
    "precision_recall",
    "precision-recall",
    payoff.CurveAxes(
        question="How many of the found are right?",
        x="'{event}' found (recall)",
        y="'{event}' among those above",
        axis=payoff.CurveAxis.SHARE,
        x_ends=WHOLE,
        y_ends=WHOLE,
        variant="ties shared",
        references=precision_references,
    ),
    help=(
        "At each cut-off: the share of the cases above it that are '{event}' (precision, y) "
        "against the share of all '{event}' cases that are above it (recall, x). Average precision"
        " is the area of its steps."
    ),
    formula="x = events above the cut-off / events, y = events above it / cases above it",
    reference="Davis & Goadrich, Precision-recall and ROC curves, ICML 2006",
    trace=trace_precision_recall,
)

RESPONSE = _ranked_curve(
    "response",
    "cumulative response",
    _by_depth(
        question="How many of the best respond?",
        y="share of '{event}'",
        variant="cumulative response",
        references=response_references,
    ),
    help=(
        "Share of '{event}' cases among the best share x of the cases (cumulative response): y(x) "
        "= share found x share of '{event}' / x."
    ),
    formula="y(x) = events among the best share x / cases among them",
    reference=_GAINS,
    trace=trace_response,
)

KS_CURVE = _ranked_curve(
    "ks",
    "Kolmogorov-Smirnov",
    _by_depth(
        question="Where are the groups furthest apart?",
        y="'{event}' less others",
        variant="found less false alarms",
        references=steady(grey("random", WHOLE, (0.0, 0.0))),
        note=ks_note,
    ),
    help=(
        "Share of all '{event}' cases less share of all others among the best share x of the "
        "cases. Its highest point is the Kolmogorov-Smirnov statistic."
    ),
    formula="y(x) = events among the best share x / events - others among them / others",
    reference="Conover, Practical Nonparametric Statistics, 1999, 6.3",
    trace=trace_ks,
    value_range=(-1.0, 1.0),
)

LORENZ = _ranked_curve(
    "lorenz",
    "Lorenz, lowest first",
    payoff.CurveAxes(
        question="How unevenly are the events spread?",
        x="{cases}, lowest first",
        y="share of '{event}'",
        axis=payoff.CurveAxis.LOWEST,
        x_ends=WHOLE,
        y_ends=WHOLE,
        variant="lowest first",
        references=lorenz_references,
        note=concentration_note,
    ),
    help=(
        "Cases lowest first: the share of '{event}' (y) that the lowest share x of the cases "
        "holds. The further below the diagonal, the more unevenly it is spread."
    ),
    formula="y(x) = events (or sum of outcomes) among the lowest share x / all",
    reference="Lorenz, Methods of measuring the concentration of wealth, 1905",
    trace=trace_lorenz,
    compute=lorenz_of_numbers,
    tasks=(*CLASSES, payoff.Task.REGRESSION),
)

COST = _ranked_curve(
    "cost",
    "cost curves",
    payoff.CurveAxes(
        question="What do errors cost, whatever they cost?",
        x="weight of missing an event",
        y="expected cost",
        axis=payoff.CurveAxis.VALUE,
        x_unit=payoff.NumberUnit.PLAIN,
        y_unit=payoff.NumberUnit.PLAIN,
        x_ends=WHOLE,
        y_ends=(0.0, 0.5),
        variant="lower envelope",
        references=steady(grey("all or none", (0.0, 0.5, 1.0), (0.0, 0.5, 0.0))),
    ),
    help=(
        "Cost curve (Drummond & Holte 2006): expected cost of the best cut-off (y, as a share of "
        "the worst) at every mix of shares and costs (x = share of '{event}' x cost of missing one"
        " / the same plus share of others x cost of a false alarm). Below the grey triangle the "
        "model beats acting on all and on none. Bands: pointwise 95 % at that cut-off; its choice "
        "on these rows flatters a little."
    ),
    formula="y(x) = lowest of x missed(c) + (1 - x) alarms(c) over cut-offs c",
    reference="Drummond & Holte, Cost curves, Machine Learning 65, 2006",
    trace=trace_cost,
    value_range=(0.0, 0.5),
)

RANKED_CURVES = (ROC, GAINS, LIFT, PRECISION_RECALL, RESPONSE, KS_CURVE, LORENZ, COST)
