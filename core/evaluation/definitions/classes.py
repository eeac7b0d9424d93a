"""Figures as other tools define them, beside Payoff's, each difference with its cause."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.document.compare.chart_kinds import SAS_EM, SKLEARN, R
from core.document.studies.compare import DefinitionRow
from core.evaluation.cases import JudgedCases
from core.evaluation.definitions.numbers import rows_of_numbers
from core.evaluation.definitions.paired_figures import SAME, paired_figure
from core.evaluation.problem import JudgedScores
from core.evaluation.ranking import RankedSample
from payoff.counting import counted
from payoff.groups import equal_width_bins, quantile_bins
from payoff.places import ndcg_at
from payoff.types import FloatArray, IntArray

DEPTH = 0.1
SAS_BINS = 20


def definition_rows(cases: JudgedCases, convention: str) -> tuple[DefinitionRow, ...]:
    """Every figure that another tool names or computes in its own way.

    Parameters
    ----------
    cases : Cases
    convention : str
        "scikit-learn", "sas_em" or "r"; Payoff's own gives no rows.
    """
    rows: list[DefinitionRow] = []
    for model in cases.problem.models:
        if cases.has_classes:
            rows += _of_classes(cases, model, convention)
        elif cases.problem.kind == "ranking":
            rows += _of_lists(cases, model, convention)
        elif cases.problem.kind == "regression":
            rows += rows_of_numbers(cases, model, convention)
    order = list(dict.fromkeys(row.figure for row in rows))
    return tuple(sorted(rows, key=lambda row: order.index(row.figure)))


def _of_classes(
    cases: JudgedCases,
    model: JudgedScores,
    convention: str,
) -> Iterator[DefinitionRow]:
    ranking = cases.ranked(model)
    if convention == SKLEARN:
        yield from _sklearn(cases, model, ranking)
    elif convention == SAS_EM:
        yield from _sas(cases, model, ranking)
    elif convention == R:
        yield from _r(cases, model, ranking)


# ---------------------------------------------------------------- scikit-learn


def _sklearn(
    cases: JudgedCases,
    model: JudgedScores,
    ranking: RankedSample,
) -> Iterator[DefinitionRow]:
    area = ranking.summary().auc
    yield paired_figure("AUC", model.name, area, area, SAME, ("ties count half", "roc_auc_score"))
    precision = ranking.summary().average_precision
    yield paired_figure(
        "Average precision",
        model.name,
        precision,
        precision,
        SAME,
        ("area of steps", "average_precision_score"),
    )
    yield paired_figure(
        "Area under precision-recall",
        model.name,
        precision,
        trapezoid_area(ranking),
        "auc(recall, precision) joins the points by straight lines, which no cut-off reaches: it "
        "promises too much; Payoff adds up steps.",
        ("area of steps", "auc(recall, precision)"),
    )
    if model.has_chances:
        chance = np.ascontiguousarray(cases.fit_chances(model))
        yield paired_figure(
            "Log loss",
            model.name,
            log_loss(cases, chance, 0.0),
            log_loss(cases, chance, float(np.finfo(np.float64).eps)),
            "log_loss cuts chances off at the smallest number of their type (2.2e-16); a chance "
            "of 0 for what happened is infinite here.",
            ("no cut-off", "clipped at 2.2e-16"),
        )
        yield _calibration_error(cases, model, ranking)


def _calibration_error(
    cases: JudgedCases,
    model: JudgedScores,
    ranking: RankedSample,
) -> DefinitionRow:
    chance = np.ascontiguousarray(cases.chances(model)[0])
    is_event = (cases.codes == 0).astype(np.float64)
    depth = ranking.group_depth
    middle = 0.5 * (np.append(0.0, depth[:-1]) + depth) / depth[-1]
    sizes = np.diff(np.append(0, ranking.group_ends))
    ours: IntArray = np.empty(len(ranking), dtype=np.int64)
    ours[ranking.order] = np.repeat(np.minimum((middle * 10).astype(np.int64), 9), sizes)
    weight = cases.prior_weight
    return paired_figure(
        "Calibration error, 10 bins",
        model.name,
        calibration_error(ours, chance, is_event, weight),
        calibration_error(equal_width_bins(chance, 10), chance, is_event, weight),
        "calibration_curve(strategy='uniform') cuts the chances into bins of equal width, so most "
        "cases of a rare event fall into the first; Payoff makes groups of equal size.",
        ("10 groups of equal size", "10 bins of equal width"),
    )


def calibration_error(
    group: IntArray, chance: FloatArray, is_event: FloatArray, weight: FloatArray
) -> float:
    """Weighted mean distance of mean chance and observed share over groups."""
    number = int(group.max()) + 1
    miss = np.bincount(group, weights=weight * (chance - is_event), minlength=number)
    return float(np.abs(miss).sum() / weight.sum())


def trapezoid_area(ranking: RankedSample) -> float:
    """Area under precision by recall with straight lines, from recall 0 at precision 1."""
    recall = np.append(0.0, ranking.events / ranking.event_weight)
    precision = np.append(1.0, ranking.events / ranking.group_depth)
    return float(np.trapezoid(precision, recall))


def log_loss(cases: JudgedCases, chance: FloatArray, smallest: float) -> float:
    """Weighted mean of -log chance of what happened, chances cut off at ``smallest``."""
    happened = chance[cases.codes, np.arange(len(cases))]
    happened = np.clip(happened, smallest, 1.0 - smallest)
    weight = cases.weight if len(cases.weight) else None
    with np.errstate(divide="ignore"):
        return float(np.average(-np.log(happened), weights=weight))


# ---------------------------------------------------------------- SAS Enterprise Miner


def _sas(cases: JudgedCases, model: JudgedScores, ranking: RankedSample) -> Iterator[DefinitionRow]:
    summary = ranking.summary()
    share = ranking.event_weight / (ranking.event_weight + ranking.others_weight)
    found = float(np.interp(DEPTH, summary.depth, summary.class_share[0]))
    yield paired_figure(
        "Gain, best 10 %",
        model.name,
        100.0 * found,
        100.0 * (found / DEPTH - 1.0),
        "Two figures of one name: Payoff's gain is the share of events found; SAS EM's is 100 x "
        "(cumulative lift - 1), and what is found is its cumulative % captured response.",
        ("share of events found, %", "100 x (lift - 1)"),
        1,
    )
    yield paired_figure(
        "Lift, best 10 %",
        model.name,
        found / DEPTH,
        found / DEPTH,
        SAME,
        ("cumulative lift", "Cumulative Lift"),
        2,
    )
    yield paired_figure(
        "Response, best 10 %",
        model.name,
        100.0 * share * found / DEPTH,
        100.0 * share * found / DEPTH,
        SAME,
        ("share of events, %", "Cumulative % Response"),
        1,
    )
    bins = np.arange(SAS_BINS + 1) / SAS_BINS
    distance = summary.class_share[0] - _others(cases, summary.class_share)
    yield paired_figure(
        "KS",
        model.name,
        summary.ks,
        float(np.interp(bins, summary.depth, distance).max()),
        "The bin-based two-way KS looks at 20 bins of 5 % only and misses the highest point "
        "between them; Payoff looks at every score.",
        ("at every score", "Bin-Based Two-Way KS"),
    )
    yield paired_figure(
        "Gini",
        model.name,
        2.0 * summary.auc - 1.0,
        2.0 * summary.auc - 1.0,
        SAME,
        ("2 AUC - 1", "Gini Coefficient"),
    )
    if model.has_chances:
        yield from _sas_of_chances(cases, model)


def _others(cases: JudgedCases, class_share: FloatArray) -> FloatArray:
    weight = cases.class_weight[1:]
    return np.asarray(weight @ np.nan_to_num(class_share[1:]) / weight.sum())


def _sas_of_chances(cases: JudgedCases, model: JudgedScores) -> Iterator[DefinitionRow]:
    chance = np.ascontiguousarray(cases.fit_chances(model))
    is_class = cases.codes == np.arange(cases.class_count)[:, None]
    weight = cases.weight if len(cases.weight) else None
    square = float(np.average(((chance - is_class) ** 2).sum(axis=0), weights=weight))
    # Brier's score of two classes looks at the event alone; of several it adds up all classes.
    ours = square / 2.0 if cases.class_count == 2 else square
    yield paired_figure(
        "Squared error",
        model.name,
        ours,
        square / cases.class_count,
        "Average squared error divides by the number of classes; the Brier score of more than two "
        "classes adds them up.",
        ("Brier score", "Average Squared Error"),
    )
    wrong = float(np.average(chance.argmax(axis=0) != cases.codes, weights=weight))
    yield paired_figure(
        "Right decisions",
        model.name,
        1.0 - wrong,
        wrong,
        "SAS EM shows the share that is wrong, Payoff the share that is right.",
        ("accuracy", "Misclassification Rate"),
    )


# ---------------------------------------------------------------- R


def _r(cases: JudgedCases, model: JudgedScores, ranking: RankedSample) -> Iterator[DefinitionRow]:
    summary = ranking.summary()
    yield paired_figure(
        "AUC",
        model.name,
        summary.auc,
        max(summary.auc, 1.0 - summary.auc),
        "pROC::roc turns the direction round where the score ranks worse than chance "
        "(direction = 'auto'), so it never shows an AUC below a half.",
        ("higher score = event", "pROC::auc, direction auto"),
    )
    found = float(np.interp(DEPTH, summary.depth, summary.class_share[0]))
    yield paired_figure(
        "Lift, best 10 %",
        model.name,
        found / DEPTH,
        100.0 * found / DEPTH,
        "gains::gains prints the lift as an index: 100 = as at random.",
        ("times as many", "gains::gains, Cume Lift"),
        2,
    )
    yield paired_figure(
        "Area under precision-recall",
        model.name,
        summary.average_precision,
        interpolated_area(ranking),
        "PRROC::pr.curve integrates between the points along the curve that mixing two cut-offs "
        "gives (Davis & Goadrich 2006); Payoff adds up steps (average precision).",
        ("area of steps", "PRROC::pr.curve, auc.integral"),
    )
    if not model.has_chances:
        return
    chance = np.ascontiguousarray(cases.fit_chances(model))
    yield paired_figure(
        "Log loss",
        model.name,
        log_loss(cases, chance, 0.0),
        log_loss(cases, chance, 1e-15),
        "MLmetrics::LogLoss cuts chances off at 1e-15; a chance of 0 for what happened is infinite "
        "here.",
        ("no cut-off", "clipped at 1e-15"),
    )
    if cases.class_count == 2:
        as_sas, as_r = (
            hosmer_lemeshow(cases, chance[0], quantile_bins(chance[0], 10, kind)) for kind in (2, 7)
        )
        yield paired_figure(
            "Hosmer-Lemeshow, 10 groups",
            model.name,
            as_sas,
            as_r,
            "ResourceSelection::hoslem.test cuts at quantiles of type 7 (interpolated), SAS at "
            "type 2 (averaged): cases at the borders move, and with them the figure.",
            ("quantiles of type 2, as SAS", "quantiles of type 7"),
            3,
        )


def interpolated_area(ranking: RankedSample) -> float:
    """Area under precision by recall where points are joined as mixed cut-offs join them.

    Between two cut-offs events and others grow in proportion; precision is then a hyperbola, whose
    integral has a closed form (Davis & Goadrich 2006; Keilwagen, Grosse & Grau 2014).
    """
    found, alarms = np.append(0.0, ranking.events), np.append(0.0, ranking.others)
    step = np.diff(found)
    moves = step > 0
    start, end = found[:-1][moves], found[1:][moves]
    slope = np.diff(alarms)[moves] / step[moves]
    offset = alarms[:-1][moves] - slope * start
    rise = 1.0 + slope
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = np.log((rise * end + offset) / (rise * start + offset))
    logs = np.where(offset == 0.0, 0.0, logs)  # precision is constant: no term
    parts = (end - start) / rise - offset / rise**2 * logs
    return float(parts.sum() / ranking.event_weight)


def hosmer_lemeshow(cases: JudgedCases, chance: FloatArray, group: IntArray) -> float:
    """Hosmer and Lemeshow's statistic of groups of the event's chance, case weights counted."""
    weight = cases.weight if len(cases.weight) else np.ones(len(cases))
    number = int(group.max()) + 1

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=weight * values, minlength=number).astype(np.float64)

    whole, seen, expected = total(np.ones(len(chance))), total(cases.codes == 0), total(chance)
    spread = expected * (1.0 - expected / np.maximum(whole, 1e-300))
    usable = spread > 0
    return float((((seen - expected) ** 2)[usable] / spread[usable]).sum())


# ---------------------------------------------------------------- lists


def _of_lists(cases: JudgedCases, model: JudgedScores, convention: str) -> Iterator[DefinitionRow]:
    column = cases.problem.extras.get("group")
    if column is None or convention == SAS_EM:
        return
    grade = np.asarray(cases.outcome, dtype=np.float64)
    prediction = cases.fit_chances(model)[0]
    linear, steep, empty = [], [], 0
    for name in np.unique(column):
        rows = column == name
        most = int(rows.sum())
        found = ndcg_at(grade[rows], prediction[rows], most)
        if found is None:
            empty += 1
            continue
        linear.append(float(found[-1]))
        powers = ndcg_at(2.0 ** grade[rows] - 1.0, prediction[rows], most)
        steep.append(float(powers[-1]) if powers is not None else np.nan)
    if not linear:
        return
    ours = float(np.mean(linear))
    if convention == SKLEARN:
        yield paired_figure(
            "nDCG",
            model.name,
            ours,
            float(np.sum(linear) / (len(linear) + empty)),
            f"ndcg_score takes {counted(empty, 'list')} without a grade above 0 as 0, which "
            "Payoff leaves out.",
            ("lists without a grade left out", "ndcg_score"),
        )
    yield paired_figure(
        "nDCG, steep gains",
        model.name,
        ours,
        float(np.mean(steep)),
        "Two gains of one name: the grade itself (scikit-learn, R's gbm), or 2^grade - 1 "
        "(LightGBM, XGBoost), which favours the top grade.",
        ("gain = grade", "gain = 2^grade - 1"),
    )
