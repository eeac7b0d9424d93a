"""Figures as other tools define them: classes and predicted numbers, beside Payoff's.

One figure by two definitions, and the cause where they differ.

Figures of predicted numbers as other tools define them, beside Payoff's.

Figures as other tools define them, beside Payoff's, each difference with its cause.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from core.document.compare.chart_kinds import SAS_EM, SKLEARN, R
from core.document.studies.compare import DefinitionRow
from core.evaluation.cases import JudgedCases
from core.evaluation.problem import JudgedScores
from core.evaluation.ranked.ranking import RankedSample
from payoff.counting import counted
from payoff.groups import equal_width_bins, quantile_bins
from payoff.places import ndcg_at
from payoff.types import FloatArray, IntArray

SAME = "the same"


def paired_figure(
    figure: str,
    model: str,
    ours: float,
    theirs: float,
    cause: str,
    words: tuple[str, str],
    decimals: int = 4,
) -> DefinitionRow:
    """The row of a figure; values within 1e-9 are the same, whatever the cause given.

    Parameters
    ----------
    words : (str, str)
        Payoff's name and rule, and the tool's.
    """
    is_same = math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    return DefinitionRow(
        figure=figure,
        model=model,
        ours=ours,
        theirs=theirs,
        decimals=decimals,
        cause=SAME if is_same else cause,
        ours_words=words[0],
        theirs_words=words[1],
    )


_MAD_FACTOR = 1.4826  # R's constant of mad(): a standard deviation of normal misses
_LEVEL = 0.9


class NumberFigures:
    """Sums of one model's misses that the rows of every tool are made of.

    Parameters
    ----------
    cases : Cases
        Of a number as the outcome.
    model : ModelScores
    """

    def __init__(self, cases: JudgedCases, model: JudgedScores) -> None:
        self.name = model.name
        self.outcome = np.asarray(cases.outcome, dtype=np.float64)
        self.predicted = np.asarray(cases.fitted_probabilities(model)[0], dtype=np.float64)
        self.miss = self.outcome - self.predicted
        self.is_weighted = len(cases.weight) > 0
        self.weight = cases.weight if self.is_weighted else np.ones(len(cases))
        self.whole = float(self.weight.sum())

    def mean(self, values: FloatArray) -> float:
        """Weighted mean of (n,) values."""
        return float(values @ self.weight) / self.whole

    def spread(self, values: FloatArray) -> float:
        """Weighted variance of (n,) values, divided by the whole weight."""
        return self.mean((values - self.mean(values)) ** 2)

    def r_squared(self) -> float:
        """1 less the squared misses over those of the mean of these rows; NaN without spread."""
        return self._one_less(self.mean(self.miss**2))

    def explained(self) -> float:
        """1 less the variance of the misses over that of the outcome; NaN without spread."""
        return self._one_less(self.spread(self.miss))

    def _one_less(self, above: float) -> float:
        below = self.spread(self.outcome)
        return 1.0 - above / below if below > 0.0 else float("nan")

    def squared_correlation(self) -> float:
        """Square of Pearson's correlation of outcome and prediction; NaN without spread."""
        pulls = [values - self.mean(values) for values in (self.outcome, self.predicted)]
        below = self.spread(self.outcome) * self.spread(self.predicted)
        return self.mean(pulls[0] * pulls[1]) ** 2 / below if below > 0.0 else float("nan")

    def deviances(self) -> Iterator[tuple[str, float]]:
        """Mean Poisson and gamma deviance, where the values have one."""
        y, mu = self.outcome, self.predicted
        if not (mu > 0.0).all() or not (y >= 0.0).all():
            return
        logs = np.log(np.where(y > 0.0, y, mu) / mu)
        yield "Poisson deviance", self.mean(2.0 * (y * logs - (y - mu)))
        if (y > 0.0).all():
            yield "Gamma deviance", self.mean(2.0 * (y / mu - 1.0 - logs))


def rows_of_numbers(
    cases: JudgedCases,
    model: JudgedScores,
    convention: str,
) -> Iterator[DefinitionRow]:
    """Every figure of predicted numbers that a tool names or computes in its own way.

    Parameters
    ----------
    convention : str
        "scikit-learn", "sas_em" or "r".
    """
    figures = NumberFigures(cases, model)
    if not figures.whole > 0.0:
        return
    if convention == SKLEARN:
        yield from _sklearn_numbers(figures)
    elif convention == SAS_EM:
        yield from _sas_numbers(figures)
    elif convention == R:
        yield from _r_numbers(figures)


def _same(
    figures: NumberFigures, figure: str, value: float, words: tuple[str, str]
) -> DefinitionRow:
    return paired_figure(figure, figures.name, value, value, SAME, words)


def _sklearn_numbers(figures: NumberFigures) -> Iterator[DefinitionRow]:
    square = figures.mean(figures.miss**2)
    yield _same(figures, "MSE", square, ("mean square", "mean_squared_error"))
    yield _same(figures, "RMSE", square**0.5, ("root of the MSE", "root_mean_squared_error"))
    size = np.abs(figures.miss)
    yield _same(figures, "MAE", figures.mean(size), ("mean size", "mean_absolute_error"))
    yield _same(figures, "R²", figures.r_squared(), ("out of sample", "r2_score"))
    explained = figures.explained()
    yield paired_figure(
        "R² and explained variance",
        figures.name,
        figures.r_squared(),
        explained,
        "Two figures that are taken for one: explained_variance_score forgives a miss that is the "
        "same for all cases (a bias), R² does not.",
        ("R²", "explained_variance_score"),
    )
    for name, value in figures.deviances():
        theirs = f"mean_{name.lower().replace(' ', '_')}"
        yield _same(figures, name, value, ("mean per case", theirs))
    yield from _quantile(figures, "numpy.quantile")


def _sas_numbers(figures: NumberFigures) -> Iterator[DefinitionRow]:
    square = figures.mean(figures.miss**2)
    yield _same(figures, "MSE", square, ("mean square", "_ASE_, Average Squared Error"))
    yield _same(
        figures, "RMSE", square**0.5, ("root of the MSE", "_RASE_, Root Average Squared Error")
    )
    yield paired_figure(
        "Squared misses",
        figures.name,
        square,
        square * figures.whole,
        "_SSE_ adds up the cases, the MSE is their mean. SAS EM's own _MSE_ divides by the cases "
        "less the parameters fitted, for training rows only.",
        ("MSE", "_SSE_, Sum of Squared Errors"),
    )
    yield from _deviance_sums(figures, "PROC GENMOD, Deviance")
    yield from _quantile(figures, "")


def _r_numbers(figures: NumberFigures) -> Iterator[DefinitionRow]:
    square = figures.mean(figures.miss**2)
    yield _same(figures, "RMSE", square**0.5, ("root of the MSE", "caret::RMSE"))
    yield paired_figure(
        "R²",
        figures.name,
        figures.r_squared(),
        figures.squared_correlation(),
        "caret::R2 squares the correlation: predictions that are all too high, or on another "
        "scale, lose nothing by it. Payoff's R² compares the misses with those of the mean.",
        ("1 - misses ÷ misses of the mean", "caret::R2, formula 'corr'"),
    )
    yield _same(
        figures,
        "Explained variance",
        figures.explained(),
        ("1 - variance of misses ÷ of outcome", "1 - var(y - f) / var(y)"),
    )
    yield from _deviance_sums(figures, "deviance() of a glm")
    if not figures.is_weighted:
        centred = np.abs(figures.miss - np.median(figures.miss))
        yield paired_figure(
            "Median size of a miss",
            figures.name,
            float(np.median(np.abs(figures.miss))),
            _MAD_FACTOR * float(np.median(centred)),
            "mad() measures from the median miss, not from 0, and multiplies by 1.4826 so that it "
            "estimates the standard deviation of normal misses.",
            ("median absolute error", "mad(y - f)"),
        )
    yield from _quantile(figures, "quantile()")


def _deviance_sums(figures: NumberFigures, theirs: str) -> Iterator[DefinitionRow]:
    for name, value in figures.deviances():
        yield paired_figure(
            name,
            figures.name,
            value,
            value * figures.whole,
            "There the deviance is the sum over the cases, here their mean: a sum grows with the "
            "number of cases, so that files of different size cannot be compared by it.",
            ("mean per case", f"{theirs}, a sum"),
        )


def _quantile(figures: NumberFigures, theirs: str) -> Iterator[DefinitionRow]:
    """The 90 % quantile of the sizes of misses; types are compared where no case is weighted."""
    if figures.is_weighted:
        return
    size = np.abs(figures.miss)
    ours = float(np.quantile(size, _LEVEL, method="averaged_inverted_cdf"))
    figure = "Size of a miss, 90 % quantile"
    if not theirs:
        yield _same(figures, figure, ours, ("type 2, averaged", "PCTLDEF=5, averaged"))
        return
    yield paired_figure(
        figure,
        figures.name,
        ours,
        float(np.quantile(size, _LEVEL)),
        f"{theirs} draws a line between neighbours by default (type 7); Payoff, as SAS, takes the "
        "case at the level, or the mean of two (type 2).",
        ("type 2, averaged", f"{theirs}, type 7"),
    )


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
    if model.has_probabilities:
        probability = np.ascontiguousarray(cases.fitted_probabilities(model))
        yield paired_figure(
            "Log loss",
            model.name,
            log_loss(cases, probability, 0.0),
            log_loss(cases, probability, float(np.finfo(np.float64).eps)),
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
    probability = np.ascontiguousarray(cases.probabilities(model)[0])
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
        calibration_error(ours, probability, is_event, weight),
        calibration_error(equal_width_bins(probability, 10), probability, is_event, weight),
        "calibration_curve(strategy='uniform') cuts the chances into bins of equal width, so most "
        "cases of a rare event fall into the first; Payoff makes groups of equal size.",
        ("10 groups of equal size", "10 bins of equal width"),
    )


def calibration_error(
    group: IntArray, probability: FloatArray, is_event: FloatArray, weight: FloatArray
) -> float:
    """Weighted mean distance of mean chance and observed share over groups."""
    number = int(group.max()) + 1
    miss = np.bincount(group, weights=weight * (probability - is_event), minlength=number)
    return float(np.abs(miss).sum() / weight.sum())


def trapezoid_area(ranking: RankedSample) -> float:
    """Area under precision by recall with straight lines, from recall 0 at precision 1."""
    recall = np.append(0.0, ranking.events / ranking.event_weight)
    precision = np.append(1.0, ranking.events / ranking.group_depth)
    return float(np.trapezoid(precision, recall))


def log_loss(cases: JudgedCases, probability: FloatArray, smallest: float) -> float:
    """Weighted mean of -log chance of what happened, chances cut off at ``smallest``."""
    happened = probability[cases.codes, np.arange(len(cases))]
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
    if model.has_probabilities:
        yield from _sas_of_probabilities(cases, model)


def _others(cases: JudgedCases, class_share: FloatArray) -> FloatArray:
    weight = cases.class_weight[1:]
    return np.asarray(weight @ np.nan_to_num(class_share[1:]) / weight.sum())


def _sas_of_probabilities(cases: JudgedCases, model: JudgedScores) -> Iterator[DefinitionRow]:
    probability = np.ascontiguousarray(cases.fitted_probabilities(model))
    is_class = cases.codes == np.arange(cases.class_count)[:, None]
    weight = cases.weight if len(cases.weight) else None
    square = float(np.average(((probability - is_class) ** 2).sum(axis=0), weights=weight))
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
    wrong = float(np.average(probability.argmax(axis=0) != cases.codes, weights=weight))
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
    if not model.has_probabilities:
        return
    probability = np.ascontiguousarray(cases.fitted_probabilities(model))
    yield paired_figure(
        "Log loss",
        model.name,
        log_loss(cases, probability, 0.0),
        log_loss(cases, probability, 1e-15),
        "MLmetrics::LogLoss cuts chances off at 1e-15; a chance of 0 for what happened is infinite "
        "here.",
        ("no cut-off", "clipped at 1e-15"),
    )
    if cases.class_count == 2:
        as_sas, as_r = (
            hosmer_lemeshow(cases, probability[0], quantile_bins(probability[0], 10, kind))
            for kind in (2, 7)
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


def hosmer_lemeshow(cases: JudgedCases, probability: FloatArray, group: IntArray) -> float:
    """Hosmer and Lemeshow's statistic of groups of the event's chance, case weights counted."""
    weight = cases.weight if len(cases.weight) else np.ones(len(cases))
    number = int(group.max()) + 1

    def total(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=weight * values, minlength=number).astype(np.float64)

    whole, seen, expected = (
        total(np.ones(len(probability))),
        total(cases.codes == 0),
        total(probability),
    )
    spread = expected * (1.0 - expected / np.maximum(whole, 1e-300))
    usable = spread > 0
    return float((((seen - expected) ** 2)[usable] / spread[usable]).sum())


# ---------------------------------------------------------------- lists


def _of_lists(cases: JudgedCases, model: JudgedScores, convention: str) -> Iterator[DefinitionRow]:
    column = cases.problem.extras.get("group")
    if column is None or convention == SAS_EM:
        return
    grade = np.asarray(cases.outcome, dtype=np.float64)
    prediction = cases.fitted_probabilities(model)[0]
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
