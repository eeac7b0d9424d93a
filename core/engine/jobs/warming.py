"""Small made-up runs that compile the kernels, or load them from the cache, before they are needed.

Kernels are compiled per argument types, not sizes: a few hundred cases reach all that a project of
millions will call.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from core import boosting, data
from core.data.bytescan import ByteScan
from core.decisions import (
    DecisionProblem,
    DecisionWorkspace,
    ModelScores,
    adjust_posteriors,
    analyse,
    decide_cases,
    interval_problem,
    predicted_scores,
    read_cursor,
    resample_differences,
)
from core.decisions.break_even import break_even
from core.decisions.changes import cell_change
from core.decisions.what_if import what_if
from core.decisions.winner_map import axis_of, winner_map
from core.document.experiment_spec import ExperimentSpec
from core.document.model import ChartMode, OldPriorKind
from core.document.results import RowsNote
from core.engine.jobs.evaluating import USUAL_METRICS
from core.evaluation import EvaluationProblem, MetricRequest, evaluate
from core.evaluation import ModelScores as EvaluatedScores
from core.experiments.protocols import made_up_rows, study_of
from core.experiments.runs import Bench
from core.extensions import Registry
from core.uplift.areas import area_of, influence
from core.uplift.choice import Prices, choose_depth, price_axis
from core.uplift.curves import VARIANTS, heights_at
from core.uplift.experiment import make_experiment
from core.uplift.ranking import UpliftRanking
from core.uplift.resampling import draw_curves
from payoff.types import CodeArray, FloatArray
from payoff.vocabulary import Task

ROWS = 300
_LEVELS = ("yes", "no")


def _cases() -> tuple[CodeArray, FloatArray]:
    """Made-up outcomes (n,) and chances (2, n)."""
    chance = (np.arange(ROWS) + 0.5) / ROWS
    outcome = np.where((np.arange(ROWS) * 7) % 10 < 10 * chance, 0, 1).astype(np.int32)
    return outcome, np.ascontiguousarray(np.vstack([chance, 1.0 - chance]))


def warm_data() -> None:
    """The table's own imports, and the looks at every byte of a text and every number."""
    data.from_data({"score": np.arange(4.0)})
    ByteScan(ord(","), ord('"')).feed(b'id,"name"\r\n1,"North"\r\n')


def warm_reading() -> None:
    """A text file of numbers, read as a project's data are."""
    with tempfile.TemporaryDirectory(prefix="payoff-warm-") as folder:
        path = Path(folder) / "numbers.csv"
        path.write_text("first,second\n" + "1.5,2\n-0.25,3\n" * 20, "utf-8")
        data.load(str(path))


def warm_totals() -> None:
    """The analysis of a plain matrix, corrected to priors: what page Decide shows first."""
    _analyse(_plain_problem(), (ChartMode.ACT_ON_BEST,))


def warm_cursor() -> None:
    """Exact values at a depth."""
    read_cursor(_analyse(_plain_problem(), (ChartMode.ACT_ON_BEST,)), 0.3)


def warm_metrics(registry: Registry) -> None:
    """The metric table and the charts, as they come before resamples."""
    _evaluate(registry, resamples=0)


def warm_intervals(registry: Registry) -> None:
    """Resampled intervals and bands."""
    _evaluate(registry, resamples=20)


def warm_differences() -> None:
    """Paired resamples of money."""
    workspace = _analyse(_plain_problem(), (ChartMode.ACT_ON_BEST,))
    resample_differences(workspace, resamples=20)


def warm_saving() -> None:
    """The results of every case."""
    decide_cases(_plain_problem(), _models()[0], with_posteriors=True)


def warm_modes() -> None:
    """The other ways to draw the profit chart."""
    workspace = _analyse(_plain_problem(), tuple(ChartMode))
    read_cursor(workspace, 0.3)


def warm_costs() -> None:
    """The same where a cost differs from case to case, and the results per case."""
    problem = _plain_problem({0: np.linspace(0.5, 1.5, ROWS)})
    workspace = _analyse(problem, tuple(ChartMode))
    read_cursor(workspace, 0.3)
    decide_cases(problem, _models()[0], with_posteriors=True)


def warm_trials() -> None:
    """What-if: the same numbers tried against themselves."""
    problem = _plain_problem()
    what_if(problem, problem, _models())


def warm_studies() -> None:
    """Break-even values, and a map of two cells where a cost differs from case to case."""
    problem = _plain_problem({0: np.linspace(0.5, 1.5, ROWS)})
    break_even(problem, _models(), changes=(cell_change(problem, 0, 0),))
    x, y = (axis_of(cell_change(problem, level, 0), 0.0, 1.0, 2) for level in (0, 1))
    winner_map(problem, _models(), x, y)


def warm_numbers() -> None:
    """The same for a number as the outcome, whose rows are knots."""
    values = np.linspace(-1.0, 60.0, ROWS)
    problem = interval_problem(
        knots=(0.0, 10.0, 50.0),
        decisions=("Act", "Wait"),
        cells=np.array([[-1.0, 0.0], [9.0, 0.0], [40.0, 0.0]]),
        actual=values,
        do_nothing="Wait",
    )
    models = (predicted_scores("first", values), predicted_scores("second", values[::-1].copy()))
    workspace = DecisionWorkspace()
    analyse(problem, models, workspace=workspace)
    read_cursor(workspace, 0.3)
    decide_cases(problem, models[0])


def _plain_problem(cost_columns: dict[int, FloatArray] | None = None) -> DecisionProblem:
    return DecisionProblem(
        levels=_LEVELS,
        decisions=("Act", "Wait"),
        cells=np.array([[8.0, 0.0], [-2.0, 0.0]]),
        outcome=_cases()[0],
        priors=np.array([0.2, 0.8]),
        cost_columns=cost_columns or {},
        do_nothing="Wait",
    )


def _models() -> tuple[ModelScores, ...]:
    posteriors = _cases()[1]
    return (
        ModelScores(
            name="corrected",
            posteriors=posteriors,
            old_kind=OldPriorKind.TRAINED_AT,
            old_priors=np.array([0.5, 0.5]),
        ),
        ModelScores(name="plain", posteriors=posteriors, old_kind=OldPriorKind.CORRECTED),
    )


def _analyse(problem: DecisionProblem, modes: tuple[ChartMode, ...]) -> DecisionWorkspace:
    workspace = DecisionWorkspace()
    for mode in modes:
        analyse(problem, _models(), workspace=workspace, chart_mode=mode)
    return workspace


def _evaluate(registry: Registry, *, resamples: int) -> None:
    outcome, posteriors = _cases()
    posteriors = adjust_posteriors(posteriors, np.array([0.2, 0.8]), np.array([0.5, 0.5]))
    served = {spec.id: spec for spec in registry.metrics()}
    names = USUAL_METRICS[Task.BINARY]
    evaluate(
        EvaluationProblem(
            kind="binary",
            models=(
                EvaluatedScores(name="first", posteriors=posteriors),
                EvaluatedScores(name="second", posteriors=posteriors[:, ::-1].copy()),
            ),
            metrics=tuple(MetricRequest(spec=served[name]) for name in names if name in served),
            rows=RowsNote(use="all", text="", rows=ROWS),
            levels=_LEVELS,
            outcome=outcome,
            resamples=resamples,
        )
    )


def warm_boosting(registry: Registry, precision: boosting.Precision) -> None:
    """A yes or no trained on a number with gaps and on levels, judged and scored."""
    outcome, posteriors = _cases()
    number = posteriors[0].copy()
    number[::7] = np.nan
    columns = (
        boosting.InputColumn(name="number"),
        boosting.InputColumn(name="level", levels=("a", "b", "c")),
    )
    inputs = boosting.Inputs(columns, (number, np.arange(ROWS) % 3.0))
    cases = boosting.Cases(
        inputs=inputs,
        outcome=np.asarray(outcome == 0, dtype=np.float64),
        n_train=ROWS - 100,
        n_classes=len(_LEVELS),
    )
    settings = boosting.BoostSettings(n_trees=2, interaction_depth=3, precision=precision)
    loss = registry.distribution("bernoulli")
    model = boosting.fit(cases, loss, {}, settings, classes=_LEVELS)
    model.response(inputs)


def warm_uplift() -> None:
    """Curves, areas, best depth and bands of a small experiment."""
    rows = np.arange(ROWS)
    outcome = (rows * 7 % 10 < 4).astype(np.float64)
    experiment = make_experiment(outcome, rows % 2 == 0)
    for made in (experiment, experiment.with_outcome(outcome * 1.5 + 0.25)):
        ranking = UpliftRanking(made, (rows * 5 % 97).astype(np.float64))
        for variant in VARIANTS:
            area_of(ranking, variant)
        influence(ranking, "qini_joint_absolute")
        influence(ranking, "qini_separate_absolute")
        heights_at(ranking, "qini_joint_absolute", np.linspace(0.0, 1.0, 3))
        choose_depth(ranking, Prices(contact=0.1))
        price_axis([ranking], Prices(), np.linspace(0.0, 1.0, 3))
        draw_curves([ranking], nu=[0.0], draws=32)


def warm_experiments(registry: Registry) -> None:
    """One run of an experiment with its bounds, and one of trading."""
    for spec in (
        ExperimentSpec(protocol="sepsis", synthetic_rows=60, learners=("logistic", "logistic_mse")),
        ExperimentSpec(protocol="stock_timing", synthetic_rows=20, system="trading"),
    ):
        settled = replace(spec.settled(), systems=1, splits=1, samplers=("gaussian",))
        if settled.protocol == "stock_timing":
            settled = replace(settled, learners=("linear",))
        study = study_of(made_up_rows(settled), settled)
        Bench(study, settled, registry.system(settled.system)).run("gaussian", 0, 0)


def warm_up_steps(registry: Callable[[], Registry]) -> tuple[Callable[[], object], ...]:
    """Small runs that compile, or load from the cache, in the order in which a user needs them."""
    return (
        warm_data,
        warm_totals,
        warm_cursor,
        lambda: warm_metrics(registry()),
        lambda: warm_intervals(registry()),
        warm_differences,
        warm_saving,
        warm_modes,
        warm_costs,
        warm_trials,
        warm_studies,
        warm_numbers,
        warm_uplift,
        lambda: warm_boosting(registry(), boosting.Precision.EXACT),
        lambda: warm_boosting(registry(), boosting.Precision.HISTOGRAM),
        lambda: warm_experiments(registry()),
    )


def plugin_engine_steps(registry: Callable[[], Registry]) -> tuple[Callable[[], object], ...]:
    """What the engine for plugins needs before it reads data and fills a table of metrics."""
    found: list[Registry] = []
    return (
        lambda: found.append(registry()),
        warm_data,
        warm_reading,
        lambda: warm_metrics(found[0]),
        lambda: warm_intervals(found[0]),
    )
