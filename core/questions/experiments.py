"""The questions of page Experiments."""

from __future__ import annotations

from core.document.experiments.results import (
    MADE_UP_SETS,
    SHRINKAGE,
    DataFacts,
    ExperimentChoices,
    ExperimentPair,
    ExperimentResult,
    IterationResult,
)
from core.document.experiments.spec import ExperimentSpec
from core.document.views import EVALUATION_EXPERIMENT, NOTHING, PROTOCOL
from core.questions.lanes import Lane
from core.questions.question import Question, given, question
from core.questions.suggestions import all_sets_or_one


@question(
    "experiments.run",
    title="Evaluation experiment",
    reads=EVALUATION_EXPERIMENT,
    work="core.assembly.experiments:run_document",
    view="core.presentation.experiments.views:runs",
    lane=Lane.TRAIN,
)
class RunExperiment(Question[ExperimentResult]):
    """How far a learned evaluation can be trusted: the runs of the project's experiment.

    Partial answers come as runs are done, and Stop keeps them. ``journal`` is a file that keeps
    every finished run; empty: one in the session's folder, so that an experiment goes on after the
    engine was lost.
    """

    journal: str = given("Journal", default="", help="a file that keeps finished runs")
    backend: str = given("Run in", default="threads", help="threads, processes or dask")
    address: str = given("Address", default="", help="of the scheduler of dask")


@question(
    "experiments.compared",
    title="Comparison of two experiments",
    reads=EVALUATION_EXPERIMENT,
    work="core.assembly.experiments:compare_experiments",
    view="core.presentation.experiments.views:comparison",
    lane=Lane.TRAIN,
    plugins=("distributions", "evaluation_systems"),
)
class CompareExperiments(Question[ExperimentPair]):
    """The runs of the project's experiment beside those of another one, by method and learner.

    Both are run: an experiment is known by its parts, and the same parts give the same runs.
    """

    other: ExperimentSpec = given("Other experiment", help="its parts")


@question(
    "experiments.check",
    title="Rows of the experiment",
    reads=EVALUATION_EXPERIMENT,
    work="core.assembly.experiments:check_experiment",
    view="core.presentation.experiments.views:check",
    lane=Lane.QUICK,
)
class CheckExperiment(Question[DataFacts]):
    """What was found in the rows of the project's experiment: they are read and checked only."""


@question(
    "experiments.choices",
    title="Parts of an experiment",
    reads=PROTOCOL,
    work="core.assembly.experiments:experiment_choices",
    lane=Lane.QUICK,
    plugins=("distributions", "evaluation_systems"),
)
class ExperimentParts(Question[ExperimentChoices]):
    """Which evaluation systems and learners the protocol can be run with here."""


@question(
    "experiments.iterations",
    title="Iterations of boosting",
    reads=NOTHING,
    work="core.assembly.experiments:study_iterations",
    view="core.presentation.experiments.iterations:iterations",
    lane=Lane.TRAIN,
)
class BoostingIterations(Question[IterationResult]):
    """How the best number of iterations follows from shrinkage, or which rule chooses it best.

    Studied on made-up data; partial answers come draw by draw, and Stop keeps them. ``rows`` train
    (shrinkage) or are there in all (choosing); ``rate`` is the shrinkage of "choosing".
    """

    study: str = given("Study", default=SHRINKAGE, help="shrinkage or choosing")
    sets: tuple[str, ...] = given("Made-up data", default=MADE_UP_SETS, options=all_sets_or_one)
    rows: int = given("Cases", default=1_000, lowest=100, highest=100_000, step=100.0)
    trees: int = given("Iterations", default=500, lowest=2, highest=10_000, step=100.0)
    draws: int = given("Draws of each", default=3, lowest=1, highest=100)
    rate: float = given("Shrinkage", default=0.03, lowest=0.001, highest=1.0, decimals=3, step=0.01)
    seed: int = given("Seed", default=1, at_least=0)
