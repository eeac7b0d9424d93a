"""The questions of page Compare."""

from __future__ import annotations

from core.document.data.model import RowUse
from core.document.experiments.results import BoundsResult, Side
from core.document.results import EvaluationResult
from core.document.studies.compare import (
    GROUPS,
    LEVEL,
    POWER,
    CalibrationResult,
    DefinitionsResult,
    PowerResult,
    RowSetsResult,
    SegmentsResult,
    ShiftResult,
    ShiftSide,
    SurvivalResult,
)
from core.document.views import (
    CORRECTED,
    EVALUATED,
    JUDGED,
    MEASURED,
    MEASURED_ANYWHERE,
    MODELS,
)
from core.questions.asked import Unit
from core.questions.lanes import Lane
from core.questions.needs import CLASSES, DATA, MODEL, OUTCOME, TWO_MODELS
from core.questions.question import Question, given, question
from core.questions.suggestions import (
    all_models,
    charts_by_group,
    columns_that_group,
    compared_figures,
    each_row_or_a_column,
    every_pair_or_one,
    figures_by_group,
    first_row,
    first_use_of_rows,
    from_nothing,
    is_number_outcome,
    limits_offered,
    losses_of_the_outcome,
    models_over_time,
    range_from_nothing,
    second_use_of_rows,
    thirds_or_an_input,
    unit_of_the_figure,
    uses_of_rows,
    usual_bounds_or_all,
    usual_confidences,
    usual_model,
)


@question(
    "compare.models",
    title="Comparing models",
    reads=EVALUATED,
    needs=(DATA, MODEL),
    work="core.assembly.compare.evaluating:evaluate_models",
    lane=Lane.BACKGROUND,
    is_stored=True,
    kernels=35,
    of_parts="core.assembly.pieces.compare:evaluate_parts",
    parts_lane=Lane.TRAIN,  # beside the totals: its first curves come long before these
)
class CompareModels(Question[EvaluationResult]):
    """Every model on every chosen metric, with intervals, paired differences and charts.

    A partial answer without resampled intervals comes first. ``level``: of several classes the one
    that counts as the event. ``columns``: role and column of event, entry, strata or group;
    ``predicts``: "risk" where predictions of a survival time rise as the event comes sooner;
    ``further``: model, role and column, such as "quantile 0.1".
    """

    level: str | None = given("Class", default=None)
    resamples: int = given("Resamples", default=1000, at_least=0)
    columns: tuple[tuple[str, str], ...] = given("Columns of the outcome", default=())
    predicts: str = given("Predictions are a", default="time")
    further: tuple[tuple[str, str, str], ...] = given("Further columns", default=())


@question(
    "compare.rows",
    title="Two sets of rows side by side",
    reads=MEASURED_ANYWHERE,
    needs=(DATA, MODEL),
    work="core.assembly.compare.evaluating:judge_row_sets",
    view="core.presentation.compare.rows:two_sets_of_rows",
    kernels=35,
)
class RowSets(Question[RowSetsResult]):
    """Every figure of the same models on two sets of rows, with the gap between them.

    The rows differ, so nothing is paired: a gap beyond both intervals is a sign of a model that
    knows its training rows by heart. ``level``: of several classes the one that is the event.
    """

    first: RowUse = given("Rows", options=uses_of_rows, suggest=first_use_of_rows)
    second: RowUse = given("beside", options=uses_of_rows, suggest=second_use_of_rows)
    level: str | None = given("Class", default=None)
    resamples: int = given("Resamples", default=200, at_least=0)


@question(
    "compare.shift",
    title="Shift of scores and inputs",
    reads=MODELS,
    needs=(DATA, OUTCOME),
    work="core.assembly.compare.rows:compare_populations",
    view="core.presentation.compare.rows:population_shift",
)
class Shift(Question[ShiftResult]):
    """Whether two sets of rows are alike: scores and inputs, by the population stability index."""

    then: ShiftSide = given("Then", help="rows of the project by their use, or another file")
    now: ShiftSide = given("Now", help="rows of the project by their use, or another file")
    column: str = given(
        "Score or input that is drawn",
        default="",
        help="a model, or a column; left out: the one that has shifted most",
    )


@question(
    "compare.segments",
    title="By column",
    reads=MEASURED,
    needs=(DATA, MODEL),
    work="core.assembly.compare.rows:judge_segments",
    view="core.presentation.compare.rows:compared_groups",
)
class Segments(Question[SegmentsResult]):
    """Every metric in each group of a column, with intervals.

    The levels of the column are the groups; a number with many values is cut into groups of equal
    size. ``metric``: the figure that is shown; all of them are answered. ``chart``: a kind to draw
    by group for the chosen model.
    """

    column: str = given("By column", is_subject=True, options=columns_that_group)
    groups: int = given("Groups of a number", default=GROUPS, at_least=1)
    metric: str = given(
        "Figure", default="", options=figures_by_group, help="left out: the first of the table"
    )
    chart: str = given("Chart", default="", options=charts_by_group)
    resamples: int = given("Resamples", default=1000, at_least=0)


@question(
    "compare.power",
    title="Smallest detectable difference",
    reads=MEASURED,
    needs=(DATA, TWO_MODELS),
    work="core.assembly.compare.power:weigh_pairs",
    view="core.presentation.compare.models:detectable_difference",
    plugins=("metrics",),
)
class DetectableDifference(Question[PowerResult]):
    """The smallest difference between two models that these cases could show, in every figure.

    Figures are total and average profit (of a matrix of losses: loss) by the rule, and the chosen
    metrics. ``difference`` is one to plan for, in the unit of ``metric`` (a percentage as a share),
    or, with none named, of the first figure: the total where there is a matrix. How many cases
    would show it is counted at the same difference per case.
    """

    metric: str = given(
        "Figure",
        default="",
        options=compared_figures,
        help="left out: money and the chosen metrics",
    )
    model: str | None = given(
        "Models",
        default=None,
        options=every_pair_or_one,
        help="those with one of them; left out: every pair",
    )
    level: float = given(
        "False alarms",
        default=LEVEL,
        unit=Unit.SHARE,
        lowest=0.001,
        highest=0.5,
        help="how often a test finds a difference where there is none: its level, two-sided",
    )
    power: float = given(
        "Power",
        default=POWER,
        unit=Unit.SHARE,
        lowest=0.5,
        highest=0.999,
        help="how often a test finds a difference that is there",
    )
    difference: float | None = given(
        "To find",
        default=None,
        unit=unit_of_the_figure,
        lowest=0.0,
        decimals=0,
        empty="as observed",
        follows=("metric",),
        help="a difference to plan for",
    )
    resamples: int = given("Resamples", default=1000, at_least=0)


@question(
    "compare.definitions",
    title="Definitions",
    reads=JUDGED,
    needs=(DATA, MODEL),
    work="core.assembly.compare.figures:compare_definitions",
    view="core.presentation.compare.figures:other_definitions",
)
class Definitions(Question[DefinitionsResult]):
    """Figures as another tool defines them, with the cause of every difference."""

    convention: str = given("Tool", help="scikit-learn, sas_em or r")
    level: str | None = given("Class", default=None)


@question(
    "compare.survival",
    title="Survival over time",
    reads=MODELS,
    needs=(DATA, MODEL),
    work="core.assembly.compare.survival:survival_curves",
    view="core.presentation.compare.figures:survival_over_time",
)
class Survival(Question[SurvivalResult]):
    """Shares without the event over time, as a model predicts them and as they were observed.

    ``row`` is the number of a case in the file, from 0; ``horizon`` left out: the median time of
    the events; ``column`` left out: thirds by predicted risk.
    """

    model: str = given("Model", is_subject=True, options=models_over_time)
    column: str | None = given("Groups", default=None, options=thirds_or_an_input)
    row: int | None = given(
        "Case in row",
        default=None,
        at_least=0,
        lowest=1,
        suggest=first_row,
        made=from_nothing,
        help="counted from 0 in a script, from 1 in the window",
    )
    horizon: float | None = given("Time", default=None, lowest=0.0, empty="median")


@question(
    "compare.chances",
    title="Chances from scores",
    reads=MODELS,
    needs=(DATA, MODEL, CLASSES),
    work="core.assembly.compare.figures:compare_probabilities",
    view="core.presentation.compare.figures:ways_to_probabilities",
)
class FitCalibration(Question[CalibrationResult]):
    """What every way to turn a model's scores into chances would give, judged by folds."""

    model: str = given("Model", is_subject=True, options=all_models, suggest=usual_model)
    folds: int = given("Folds", default=5, lowest=2, highest=20)
    bands: int = given("Bands, at most", default=10, at_least=1, lowest=2, highest=100)
    seed: int = given("Seed", default=20261, at_least=0)
    rows: RowUse | None = given("Rows of the fit", default=None, help="left out: the rows used")


@question(
    "compare.bounds",
    title="Error bounds",
    reads=CORRECTED,
    needs=(DATA, MODEL),
    work="core.assembly.compare.figures:bound_models",
    view="core.presentation.compare.figures:loss_limits",
)
class ErrorBounds(Question[BoundsResult]):
    """How large the expected loss of every model can be, given the losses on these rows.

    ``loss``: "squared" (the Brier score of chances) or "zero_one". ``methods`` left out: the usual
    ones for the losses at hand. ``cluster`` names a column: one loss per value of it.
    """

    loss: str = given("Loss", default="squared", options=losses_of_the_outcome)
    side: Side = given("Limits", default=Side.UPPER, options=limits_offered)
    confidence: float = given(
        "Confidence", default=0.95, unit=Unit.SHARE, options=usual_confidences
    )
    methods: tuple[str, ...] = given("Bounds", default=(), options=usual_bounds_or_all)
    cluster: str = given("One loss per", default="", options=each_row_or_a_column)
    loss_range: tuple[float, float] | None = given(
        "Largest loss",
        default=None,
        lowest=0.0,
        number=True,
        made=range_from_nothing,
        offered=is_number_outcome,
        empty="not known",
        help="losses of a number have a bound only where they end: the lowest and the largest",
    )
    margin: float = given(
        "Margin",
        default=0.0,
        lowest=0.0,
        decimals=3,
        empty="any",
        help="how many such cases would bring a limit so near the mean is counted",
    )
    chosen_among: int = given("Chosen among", default=0, help="0: the project's models", at_least=0)
