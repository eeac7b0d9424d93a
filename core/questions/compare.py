"""The questions of page Compare."""

from __future__ import annotations

from core.document.data.model import RowUse
from core.document.experiments.error_bounds import BoundsResult, Side
from core.document.results import EvaluationResult
from core.document.studies.chances import ChancesResult
from core.document.studies.definitions import DefinitionsResult
from core.document.studies.power import LEVEL, POWER, PowerResult
from core.document.studies.segments import GROUPS, SegmentsResult
from core.document.studies.shift import ShiftResult, ShiftSide
from core.document.studies.survival import SurvivalResult
from core.document.views import EVALUATED, JUDGED, MEASURED, MODELS
from core.questions.lanes import Lane
from core.questions.needs import DATA, MODEL, OUTCOME, TWO_MODELS
from core.questions.question import Question, Unit, given, question


@question(
    "compare.models",
    title="Comparing models",
    reads=EVALUATED,
    needs=(DATA, MODEL),
    work="core.assembly.compare.evaluating:evaluate_models",
    lane=Lane.BACKGROUND,
    is_stored=True,
    kernels=35,
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
    "compare.shift",
    title="Shift of scores and inputs",
    reads=MODELS,
    needs=(DATA, OUTCOME),
    work="core.assembly.compare.shifting:compare_populations",
)
class Shift(Question[ShiftResult]):
    """Whether two sets of rows are alike: scores and inputs, by the population stability index."""

    then: ShiftSide = given("Then", help="rows of the project by their use, or another file")
    now: ShiftSide = given("Now", help="rows of the project by their use, or another file")


@question(
    "compare.segments",
    title="By column",
    reads=MEASURED,
    needs=(DATA, MODEL),
    work="core.assembly.compare.segments:judge_segments",
)
class Segments(Question[SegmentsResult]):
    """Every metric in each group of a column, with intervals.

    The levels of the column are the groups; a number with many values is cut into groups of equal
    size. ``chart``: a kind to draw by group for the chosen model.
    """

    column: str = given("Column", is_subject=True)
    groups: int = given("Groups of a number", default=GROUPS, at_least=1)
    chart: str = given("Chart", default="")
    resamples: int = given("Resamples", default=1000, at_least=0)


@question(
    "compare.power",
    title="Smallest detectable difference",
    reads=MEASURED,
    needs=(DATA, TWO_MODELS),
    work="core.assembly.compare.power:weigh_pairs",
    plugins=("metrics",),
)
class DetectableDifference(Question[PowerResult]):
    """The smallest difference between two models that these cases could show, in every figure.

    Figures are total and average profit by the rule, and the chosen metrics. ``difference`` is one
    to plan for, in the unit of ``metric`` (a percentage as a share), or, with none named, of the
    first figure: total profit where there is a matrix. How many cases would show it is counted at
    the same difference per case.
    """

    model: str | None = given("Model", default=None, help="left out: every pair of models")
    metric: str = given("Figure", default="", help="left out: money and the chosen metrics")
    difference: float | None = given("Difference", default=None, help="left out: the observed one")
    level: float = given("Level", default=LEVEL, unit=Unit.SHARE)
    power: float = given("Power", default=POWER, unit=Unit.SHARE)
    resamples: int = given("Resamples", default=1000, at_least=0)


@question(
    "compare.definitions",
    title="Definitions",
    reads=JUDGED,
    needs=(DATA, MODEL),
    work="core.assembly.compare.defining:compare_definitions",
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
)
class Survival(Question[SurvivalResult]):
    """Shares without the event over time, as a model predicts them and as they were observed.

    ``row`` is the number of a case in the file, from 0; ``horizon`` left out: the median time of
    the events; ``column`` left out: thirds by predicted risk.
    """

    model: str = given("Model", is_subject=True)
    row: int | None = given("Case", default=None)
    horizon: float | None = given("At the time", default=None)
    column: str | None = given("Groups", default=None)


@question(
    "compare.chances",
    title="Chances from scores",
    reads=MODELS,
    needs=(DATA, MODEL),
    work="core.assembly.compare.chances:compare_chances",
)
class FitChances(Question[ChancesResult]):
    """What every way to turn a model's scores into chances would give, judged by folds."""

    model: str = given("Model", is_subject=True)
    folds: int = given("Folds", default=5)
    seed: int = given("Seed", default=20261, at_least=0)
    bands: int = given("Bands", default=10, at_least=1)
    rows: RowUse | None = given("Rows of the fit", default=None, help="left out: the rows used")


@question(
    "compare.bounds",
    title="Error bounds",
    reads=MODELS,
    needs=(DATA, MODEL),
    work="core.assembly.compare.bounds:bound_models",
)
class ErrorBounds(Question[BoundsResult]):
    """How large the expected loss of every model can be, given the losses on these rows.

    ``loss``: "squared" (the Brier score of chances) or "zero_one". ``methods`` left out: the usual
    ones for the losses at hand. ``cluster`` names a column: one loss per value of it.
    """

    loss: str = given("Loss", default="squared")
    methods: tuple[str, ...] = given("Methods", default=())
    side: Side = given("Side", default=Side.UPPER)
    confidence: float = given("Confidence", default=0.95, unit=Unit.SHARE)
    chosen_among: int = given("Chosen among", default=0, help="0: the project's models", at_least=0)
    cluster: str = given("One loss per value of", default="")
    loss_range: tuple[float, float] | None = given("Range of a number's loss", default=None)
    margin: float = given("Margin", default=0.0, help="for which the cases needed are counted")
