"""What plugins register: frozen specs of the families.

Readers stand in ``payoff.readers``, evaluation systems in ``payoff.systems``.

Specs grow only by optional keyword fields. Two kinds of functions stand in them:

kernels
    marked with ``@payoff.kernel`` (plain numpy works too, slower). They receive their parameters
    as one float64 array in the order of ``parameters``, and write into given arrays.
plain functions
    ``combine``, ``compute``, ``check``, ``consequences`` ... receive the parameters as a mapping of
    names to floats.

Extra columns stand in a kernel's arguments right after ``parameters``, in the order in which
the spec names them; weight and offset are never among them: the host multiplies by weights and
adds offsets itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from payoff.curves import CurveAnswer, CurveAxes, CurveRanking
from payoff.facts import MatrixFacts, SpecFacts
from payoff.parameters import Parameters
from payoff.readers import TableReader
from payoff.sample import Sample
from payoff.systems import EvaluationSystem
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import (
    Aggregate,
    ClassAverage,
    DataColumn,
    Direction,
    Extra,
    Input,
    LeafKind,
    MetricForm,
    MetricOutput,
    NumberUnit,
    PlainWords,
    ResampleUnit,
    TargetDomain,
    Task,
    WeightMeaning,
)

Kernel: TypeAlias = Callable[..., None]
Blocks: TypeAlias = tuple[IntArray, IntArray]
Columns: TypeAlias = Mapping[str, FloatArray]
ReferenceValue: TypeAlias = float | Callable[[Sample, Parameters], float] | None


@dataclass(frozen=True, kw_only=True)
class LossDistribution(SpecFacts):
    """A loss that boosting can fit and that judges predictions as a deviance.

    Sizes: n cases, K scores per case (``n_scores``), P parameters. ``outcome`` is float64 (n,):
    the number, 0/1 with 1 for the event, or class numbers. ``score`` is float64 (K, n) on the link
    scale with offsets already added. Extra columns are float64 (n,); the extra "consequences" is
    float64 (n, classes, decisions): what each decision brings a case if it is of each class, in the
    sense of profit, costs of the case taken off, classes in order of their numbers.

    A loss whose cases depend on each other (risk sets, rankings) has ``arrange``; ``loss`` and
    ``negative_gradient`` are then kernels by group over its blocks and get the weights. Such
    kernels are marked ``takes_cases`` and get one ``BlockCases``; without that mark the arrays one
    by one, as contract 1.0 had it.

    Attributes
    ----------
    id, label, help, formula, reference : str
        Name in scripts; the user's words; one plain sentence; the formula; where it is from.
    target : TargetDomain
        Values it can be fitted to. The domain's own check always runs.
    loss : kernel, elementwise
        ``loss(outcome, score, parameters, *extras, out, start, stop)``: out (n,), the loss of each
        case; the deviance shown is the weighted mean.
        With ``arrange``, by group: ``loss(cases, out, factor, first_group, last_group)`` of
        ``BlockCases``: out and factor (n,); the deviance is
        sum(weight * factor * out) / sum(weight * factor).
    negative_gradient : kernel, elementwise
        ``negative_gradient(outcome, score, parameters, *extras, gradient, curvature, start,
        stop)``: both (K, n). gradient = ``gradient_factor`` times minus the slope of the loss;
        curvature is the divisor of a Newton step (1 where there is none).
        With ``arrange``, by group: ``negative_gradient(cases, gradient, curvature, first_group,
        last_group)``: gradient =
        ``gradient_factor`` times minus the slope of sum(weight * factor * out) at the case's
        score, per unit of the case's weight. A case of weight 0 (out of the bag) adds nothing to
        the others.
    initial_score : kernel, whole
        ``initial_score(outcome, weight, offset, parameters, *extras, out, stop_flag)``: weight
        (n,), offset (K, n), out (K,): the best constant score.
    response : kernel, elementwise
        ``response(score, parameters, out, start, stop)``: (K, n) scores to (K, n) predictions.
    link : kernel, elementwise
        ``link(prediction, parameters, out, start, stop)``: the inverse of ``response``.
    leaf_kind : LeafKind
        "newton": sum of weight x gradient over sum of weight x curvature (0 where that is 0);
        "location": the value that minimises the leaf's loss; "quantile": a weighted quantile of
        outcome less score at the level ``leaf_quantile``; "solver": its own rule.
    leaf_values : kernel, by group, or None for newton
        ``leaf_values(outcome, score, weight, gradient, curvature, parameters, *extras, output,
        rows, offsets, out, first_group, last_group)``: the cases of leaf g are
        ``rows[offsets[g]:offsets[g + 1]]``; out (leaves,) for output number ``output``.
        A solver that needs all leaves at once is marked "whole": ``leaf_values(outcome, score,
        weight, gradient, curvature, parameters, *extras, output, rows, offsets, block_rows,
        block_offsets, min_cases, out, stop_flag)``: leaves in order of their numbers, no blocks,
        the fewest cases of a leaf. With ``arrange``: ``leaf_values(cases, output, rows, offsets,
        ...)``, then as without.
    leaf_quantile : function
        ``leaf_quantile(parameters) -> float`` for the leaf kind "quantile".
    gradient_factor : float
        The stated factor between the negative gradient and the loss.
    saturated : kernel, elementwise, or None where it is zero
        ``saturated(outcome, parameters, out, start, stop)``: the loss of a perfect prediction; the
        deviance metric is the mean of loss less saturated.
    deviance : kernel, elementwise, or None
        ``deviance(outcome, prediction, parameters, out, start, stop)``: loss less saturated at a
        prediction (1, n) on the response scale, where a shorter formula than by the score is known.
    n_scores : int
        Scores per case; 0 = one per class.
    score_names : function or None
        ``score_names(parameters) -> tuple of str``: a name for each score of a number's loss that
        has several. Their number follows from the parameters; ``n_scores`` is that of the
        defaults.
    quantile_levels : function or None
        ``quantile_levels(parameters) -> tuple of float``: where the predictions are quantiles of
        the number, the share of cases below each, rising, between 0 and 1. Decisions can then
        average over the whole distribution.
    grown_scores : int
        How many of the scores get trees, from the first on; the others (cut points and the like)
        move by one number for all cases. 0 = all. Offsets are added to scores with trees.
    has_ordered_classes : bool
        Whether class numbers are ranks, so that the order of the levels matters.
    predicts_time : bool
        Of a survival loss: whether a higher prediction means a later event, not a sooner one.
    surviving : function or None
        Of a survival loss whose score says the whole distribution of the time:
        ``surviving(score, times, parameters) -> (n, m)``, plain numpy: the chance of each case to
        last beyond each time, for score (n,) and times (m,) from 0 on. None: chances over time
        follow from a baseline hazard, if they do at all.
    parameters : tuple of Parameter
    extras : tuple of Extra
        Further columns read; weight and offset say only that they are honoured.
    optional_extras : tuple of Extra
        Those of ``extras`` that may be absent: the host hands over zeros.
    arrange : function or None
        ``arrange(outcome, parameters, columns) -> (rows, offsets)``, both int64: the blocks of
        cases that depend on each other, asked once per fit; block b is
        ``rows[offsets[b]:offsets[b + 1]]`` in an order that suits the kernels; it may be empty
        or name a case more than once, and a kernel may read other blocks of ``rows``. ``columns``
        maps names of ``extras`` to their arrays. A host that arranges some of its cases only
        (those that train) adds to ``rows`` what leads to their places among all.
    is_weight_exact : bool
        Whether weight 2 equals the row twice under the default parameters (never for pairwise
        losses; for Cox with Breslow's ties but not with Efron's).
    is_shift_free : bool
        Whether one number added to every score changes neither loss nor gradient.
    response_low, response_high : float
        Range of predictions.
    is_response_open : bool
        Whether the ends of that range are impossible.
    check_target : function or None
        ``check_target(outcome)`` raises PayoffError for a value the domain allows but it does not.
    check_cases : function or None
        ``check_cases(outcome, weight, parameters, columns)`` raises PayoffError for cases that
        cannot be fitted together: no event, labels that do not suit the measure.
    gbm : LossDistribution or None
        The same distribution with the arithmetic of R's gbm where that differs, taken under
        ``gbm_compatible``; what it departs in is named by its expected failures.
    gbm_with_offset : LossDistribution or None
        The same for fits with an offset; None = as ``gbm``.
    asks : str
        The question that leads here: "a yes or no", "a count".
    plain : PlainWords or None
        The loss for people who know no statistics; None = its label and its help.
    usual_for : tuple of Task
        Where it is what to begin with; of several the one registered first, built-in ones before
        all others.
    judged_by : function or None
        ``judged_by(parameters) -> (metric's id, its parameters)``: the metric that says what the
        loss is trained for, where that is not its own deviance.
    gbm_improvement_factor : float
        What R's gbm multiplies out-of-bag improvements by; used under ``gbm_compatible``.
    expected_failures : tuple of (str, str)
        Names of conformance checks that fail for a good reason, each with the reason.
    deviance_expected_failures : tuple of (str, str)
        The same for the deviance metric that the distribution brings along.
    """

    target: TargetDomain
    loss: Kernel
    negative_gradient: Kernel
    initial_score: Kernel
    response: Kernel
    link: Kernel
    leaf_kind: LeafKind
    gradient_factor: float
    leaf_values: Kernel | None = None
    leaf_quantile: Callable[[Parameters], float] | None = None
    saturated: Kernel | None = None
    deviance: Kernel | None = None
    n_scores: int = 1
    score_names: Callable[[Parameters], tuple[str, ...]] | None = None
    quantile_levels: Callable[[Parameters], tuple[float, ...]] | None = None
    grown_scores: int = 0
    has_ordered_classes: bool = False
    predicts_time: bool = False
    surviving: Callable[[FloatArray, FloatArray, Parameters], FloatArray] | None = None
    extras: tuple[Extra, ...] = (Extra.WEIGHT, Extra.OFFSET)
    optional_extras: tuple[Extra, ...] = ()
    arrange: Callable[[FloatArray, Parameters, Columns], Blocks] | None = None
    is_weight_exact: bool = True
    is_shift_free: bool = False
    response_low: float = -math.inf
    response_high: float = math.inf
    is_response_open: bool = False
    check_target: Callable[[FloatArray], None] | None = None
    check_cases: Callable[[FloatArray, FloatArray, Parameters, Columns], None] | None = None
    gbm: LossDistribution | None = None
    gbm_with_offset: LossDistribution | None = None
    asks: str = ""
    plain: PlainWords | None = None
    usual_for: tuple[Task, ...] = ()
    judged_by: Callable[[Parameters], tuple[str, Parameters]] | None = None
    gbm_improvement_factor: float = 1.0
    expected_failures: tuple[tuple[str, str], ...] = ()
    deviance_expected_failures: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class EvaluationMetric(SpecFacts):
    """A number (or curve) that says how good predictions are.

    The host knows n cases with a weight each (priors and resamples change weights only). For
    classes ``outcome`` is int32 (n,), codes into the levels with the event first (code 0), and
    ``prediction`` float64 (classes, n), the posteriors in the same order. For numbers ``outcome``
    is float64 (n,) and ``prediction`` (columns, n). A metric with input "score" gets it as (1, n).

    Forms
    -----
    row_mean
        ``rows(outcome, prediction, parameters, *extras, contribution, factor, start, stop)``, an
        elementwise kernel; contribution and factor are (1, n). The metric is
        sum(weight * factor * contribution) / sum(weight * factor), NaN where the divisor is 0;
        with ``aggregate="total"`` that mean times the sum of the weights of all cases (held fixed
        over resamples).
    smooth
        The same kernel with contribution and factor (``n_means``, n) gives the row means; then
        ``combine(means, parameters)``, numpy, maps (n_means, draws) to (draws,).
    ranked
        ``ranked(events, others, parameters, out, start, stop)``, an elementwise kernel over draws:
        events and others are (draws, groups), the cumulative weight of the event and of all other
        cases at the end of each group of equal scores, highest score first; the last column holds
        the totals. Fill ``out[start:stop]``; NaN where undefined. A draw's value may not depend on
        the other draws of a call, nor on groups without weight. With more than two classes
        ``over_classes`` says which rankings are made.
        Of the task "uplift": ``ranked(sums, parameters, out, start, stop)``; sums is
        (4, draws, groups), with "propensity" among the inputs (10, draws, groups), rows as in
        ``UpliftSum``. The outcome is a number, the score the predicted effect.
    general
        ``compute(sample, parameters)`` returns a float, or (x, y) for a curve.

    Curves
    ------
    With ``output="curve"`` the metric is a chart of page Compare; ``axes`` says how it is drawn.
    Of form "ranked" it gives ``trace(ranking, parameters)``, plain numpy, which maps the shares of
    a CurveRanking to (x, y) or one CurveLine along the last axis: asked once for the cases and
    once for all resamples together. Of form "general" it gives ``compute``, which returns (x, y),
    or CurveLines; each resample calls it again. A ranked curve may have ``compute`` too, for
    outcomes that are numbers.

    Attributes
    ----------
    id, label, title, help, formula, reference : str
        ``title`` heads the column and may name parameters: "Lift, best {depth}".
    direction : Direction
    inputs : tuple of Input
        Of score, probability, predictions exactly one; the others as they are needed.
    tasks : tuple of Task
    form : MetricForm
    value_range : (float, float)
        Ends included; infinite where open.
    random_value, perfect_value : float, function or None
        The value of a model that knows nothing and of one that knows all; a function gets
        (sample, parameters); None where undefined.
    weights : WeightMeaning
    unit : ResampleUnit
    decimals : int
    number_unit : NumberUnit
    check : function or None
        ``check(sample, parameters)`` raises PayoffError where the metric is undefined for the data.
    prior_weighted : bool or None
        Whether cases are weighted to the priors and chances corrected to them. None: by form;
        row_mean and smooth metrics judge the fit at the class shares of the rows, others (and
        money) are weighted to the priors.
    remark : function or None
        General metrics only: ``remark(sample, parameters)`` returns what must be said beside the
        number ("4 lists without a hit are left out"), or "".
    interval : function or None
        Of unit "row", and not of a row_mean metric: ``interval(sample, parameters)`` returns
        (low, high, method), a 95 % interval of the value that needs no resamples of the cases and
        the name it is shown under, or None where it has none. Not asked with clusters, nor of a
        general metric with priors.
    axes : CurveAxes or None
        Of a curve: names and kinds of its axes, grey lines, notes.
    trace : function or None
        Of a ranked curve.
    is_maximum : bool
        Whether noise alone raises it: a maximum over cut-offs, a sum of sizes or squares of noise.
        Resamples show about half of that bias; intervals from them take off twice what they show.
    aliases : tuple of str
        Further names that scripts and projects may ask for it by.
    columns : tuple of DataColumn
        Of forms row_mean and smooth: columns of the data that it reads, an amount; the user chooses
        which. Each is one of ``extras``, after the inputs, float64 (n,) without gaps.
    usual_for : tuple of Task
        Where it stands in the metric table until the user chooses; columns in the order in which
        they are registered.
    area_slope : float or None
        Of a ranked metric that is the area under the ROC curve: A, times a slope, ending at 1:
        value = 1 - slope (1 - A); 1 for AUC, 2 for Gini. It gets DeLong's interval, without
        resamples, where its value is that to 1e-9.
    is_over_time : bool
        Of survival: whether it reads chances to last at many times, and not at its parameter
        ``time`` alone; a metric at times up to that, a curve at times of events.
    expected_failures : tuple of (str, str)
        Names of conformance checks that fail for a good reason, each with the reason.
    """

    reference: str
    direction: Direction
    inputs: tuple[Input, ...]
    tasks: tuple[Task, ...]
    form: MetricForm
    title: str = ""
    output: MetricOutput = MetricOutput.SCALAR
    value_range: tuple[float, float] = (-math.inf, math.inf)
    random_value: ReferenceValue = None
    perfect_value: ReferenceValue = None
    weights: WeightMeaning = WeightMeaning.CASE
    unit: ResampleUnit = ResampleUnit.ROW
    decimals: int = 3
    number_unit: NumberUnit = NumberUnit.PLAIN
    aggregate: Aggregate = Aggregate.MEAN
    over_classes: ClassAverage = ClassAverage.EVENT
    n_means: int = 1
    rows: Kernel | None = None
    combine: Callable[[FloatArray, Parameters], FloatArray] | None = None
    ranked: Kernel | None = None
    compute: Callable[..., float | CurveAnswer] | None = None
    check: Callable[[Sample, Parameters], None] | None = None
    prior_weighted: bool | None = None
    remark: Callable[[Sample, Parameters], str] | None = None
    interval: Callable[[Sample, Parameters], tuple[float, float, str] | None] | None = None
    axes: CurveAxes | None = None
    trace: Callable[[CurveRanking, Parameters], CurveAnswer] | None = None
    is_maximum: bool = False
    aliases: tuple[str, ...] = ()
    columns: tuple[DataColumn, ...] = ()
    usual_for: tuple[Task, ...] = ()
    area_slope: float | None = None
    is_over_time: bool = False
    expected_failures: tuple[tuple[str, str], ...] = ()


MatrixColumn = DataColumn
"""The name under which plugins of API 1.0 know it."""


@dataclass(frozen=True, kw_only=True)
class DecisionMatrix(MatrixFacts):
    """What each decision brings for each class, from numbers in the user's words.

    Sizes: T levels (the event first), D decisions, n cases.

    Attributes
    ----------
    id, label, help, formula, reference : str
    kind : ConsequenceKind
        profit: cells are money won; loss: money lost; revenue: money taken in, costs stand apart.
    decisions : tuple of str
        Names of the columns.
    consequences : function
        ``consequences(n_levels, parameters) -> float64 (T, D)``; with ``is_interval`` the rows are
        the knots of an interval target.
    acting : str
        The decision that counts as acting; depth runs by its expected advantage.
    do_nothing : str or None
        The decision that does nothing, if there is one.
    level_words : tuple of str
        Words for the event and for every other class.
    case_word : (str, str)
        One case, several cases.
    parameters : tuple of Parameter
    columns : tuple of DataColumn
        Columns of the data it may read.
    costs : function or None
        ``costs(n_cases, parameters, columns) -> float64 (D, n)``, the cost of each decision for
        each case; ``columns`` maps names of ``columns`` to float64 (n,) arrays that were found.
    amount : DataColumn or None
        The amount of each case (a loan, a transaction) that cells are shares of; its ``name`` is
        the column to begin with where the data have it, else the user chooses one.
    shares : function or None
        With ``amount``: ``shares(n_levels, parameters) -> float64 (T, D)``, what one unit of the
        amount adds to the cells: a case's cell is ``consequences`` + ``shares`` x its amount.
    is_plain : bool
        The user writes the cells; ``consequences`` gives only those to start from.
    is_linear : bool
        Whether the cells are linear in the parameters (checked).
    is_interval : bool
        Whether the rows are knots of an interval target.
    knots : tuple of float
        With ``is_interval``: the values that the rows stand for, rising; ``consequences`` is asked
        for as many rows. Between knots, and beyond the ends, consequences go on in straight lines.
        Empty = the user's knots.
    n_levels : int
        Rows it is made for; 0 = any number, the last word standing for all classes but the event.
    expected_failures : tuple of (str, str)
        Names of conformance checks that fail for a good reason, each with the reason.
    """

    consequences: Callable[[int, Parameters], FloatArray]
    costs: Callable[[int, Parameters, Mapping[str, FloatArray]], FloatArray] | None = None
    shares: Callable[[int, Parameters], FloatArray] | None = None
    expected_failures: tuple[tuple[str, str], ...] = ()


Spec: TypeAlias = (
    LossDistribution | EvaluationMetric | DecisionMatrix | TableReader | EvaluationSystem
)


def metric_title(
    metric: EvaluationMetric, parameters: Parameters, columns: Mapping[str, str] | None = None
) -> str:
    """Return the column title with parameters and chosen columns filled in: "Lift, best 2 %"."""
    words: dict[str, Any] = {item.name: item.name for item in metric.columns} | dict(columns or {})
    words |= {item.name: item.text(parameters[item.name]) for item in metric.parameters}
    return (metric.title or metric.label).format(**words)
