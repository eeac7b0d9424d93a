"""The questions of page Uplift."""

from __future__ import annotations

from core.document.studies.data import OutcomeGaps
from core.document.studies.uplift import (
    ArmsResult,
    NextTestResult,
    RowOrderResult,
    SlicesResult,
    UpliftMetricsResult,
    UpliftResult,
    VarianceStudy,
)
from core.document.views import EXPERIMENT, EXPERIMENT_METRICS, NOTHING
from core.questions.asked import Unit
from core.questions.needs import DATA, TREATMENT
from core.questions.question import Question, given, question
from core.questions.suggestions import all_cases_or_by, unit_of_the_outcome, usual_slices


@question(
    "uplift.page",
    title="Measuring uplift",
    reads=EXPERIMENT,
    needs=(DATA, TREATMENT),
    work="core.assembly.uplift.page:work_out_uplift",
    view="core.presentation.uplift.cards:experiment_card",
    of_parts="core.assembly.pieces.uplift:work_out_parts",
)
class Uplift(Question[UpliftResult]):
    """What treating brings, the curves and areas of every ranking, and the checks before them.

    A partial answer with bands for one depth comes first; 0 draws skip the uniform bands.
    """

    draws: int = given("Draws", default=500, at_least=0)


@question(
    "uplift.slices",
    title="Slices",
    reads=EXPERIMENT,
    needs=(DATA, TREATMENT),
    work="core.assembly.uplift.rankings:slice_rankings",
    view="core.presentation.uplift.tabs:slices",
    of_parts="core.assembly.pieces.uplift:slice_parts",
)
class Slices(Question[SlicesResult]):
    """The effect in slices of every ranking, with its rank-weighted averages and their errors."""

    count: int = given("Slices", default=10, options=usual_slices)
    draws: int = given("Draws", default=500, at_least=0)


@question(
    "uplift.arms",
    title="Arms",
    reads=EXPERIMENT,
    needs=(DATA, TREATMENT),
    work="core.assembly.uplift.effects:compare_arms",
    view="core.presentation.uplift.tabs:arms",
)
class Arms(Question[ArmsResult]):
    """Every arm against the control arm on every outcome, all cases or one segment of them."""

    segment: str = given(
        "By", default="", help="a column whose levels are shown apart", options=all_cases_or_by
    )


@question(
    "uplift.row_order",
    title="Row order",
    reads=EXPERIMENT,
    needs=(DATA, TREATMENT),
    work="core.assembly.uplift.rankings:audit_rows",
    view="core.presentation.uplift.tabs:row_order",
)
class RowOrder(Question[RowOrderResult]):
    """Figures of tools that read rows one by one, over orders of the rows inside ties."""


@question(
    "uplift.next_test",
    title="The next test",
    reads=EXPERIMENT,
    needs=(DATA, TREATMENT),
    work="core.assembly.uplift.effects:plan_next_test",
    view="core.presentation.uplift.tabs:next_test",
    of_parts="core.assembly.pieces.uplift:plan_next_test_of_parts",
)
class NextTest(Question[NextTestResult]):
    """How many cases a test needs to find an effect, and what as many as now would find.

    ``effect`` is in units of the outcome a case; left out: half of what this experiment shows.
    """

    effect: float | None = given(
        "Effect to find", default=None, unit=unit_of_the_outcome, decimals=2, step=0.1
    )
    power: float = given("Power", default=0.8, unit=Unit.SHARE, lowest=0.5, highest=0.99, step=5.0)
    treated_share: float = given(
        "Share treated", default=0.5, unit=Unit.SHARE, lowest=0.01, highest=0.99, step=5.0
    )
    confidence: float = given(
        "Confidence", default=0.95, unit=Unit.SHARE, lowest=0.5, highest=0.99, step=5.0
    )


@question(
    "uplift.metrics",
    title="Uplift metrics",
    reads=EXPERIMENT_METRICS,
    needs=(DATA, TREATMENT),
    work="core.assembly.uplift.rankings:measure_uplift",
    view="core.presentation.uplift.tabs:metrics",
    plugins=("metrics",),
)
class UpliftMetrics(Question[UpliftMetricsResult]):
    """Every chosen metric of the task "uplift" of every ranking; 0 draws skip the intervals."""

    draws: int = given("Draws", default=500, at_least=0)


@question(
    "uplift.outcome_gaps",
    title="Rows without the experiment's outcome",
    reads=EXPERIMENT,
    needs=(DATA, TREATMENT),
    work="core.assembly.uplift.cases:own_outcome_gaps",
    of_parts="core.assembly.pieces.uplift:own_outcome_gaps_of_parts",
)
class ExperimentGaps(Question[OutcomeGaps]):
    """Rows of both arms without a value in an outcome that the experiment has of its own.

    What was said of such rows does not matter.
    """


@question(
    "uplift.variance",
    title="How the baseline takes noise away",
    reads=NOTHING,
    work="core.uplift.variance_study:study_variance",
    view="core.presentation.uplift.tabs:variance",
)
class BaselineVariance(Question[VarianceStudy]):
    """The variance of the area over baselines and base rates, in experiments that are made up.

    Figures 10 to 12 of Renaudin and Martin. ``knows_chance``: the chance of treatment is known;
    else the share of each experiment is taken, as is usual.
    """

    rows: int = given("Cases each", default=1_000, lowest=20, highest=1_000_000, step=100.0)
    repeats: int = given("Experiments", default=101, lowest=2, highest=10_000, step=50.0)
    treated_share: float = given(
        "Share treated", default=0.5, unit=Unit.SHARE, lowest=0.01, highest=0.99, step=10.0
    )
    knows_chance: bool = given("Chance of treatment is known", default=True)
    seed: int = given("Seed", default=20261, at_least=0)
