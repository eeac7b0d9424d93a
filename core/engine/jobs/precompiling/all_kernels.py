"""Small made-up runs that compile the kernels, or load them from the cache, before they are needed.

Kernels are compiled per argument types, not sizes: a few hundred cases reach all that a project of
millions will call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core import boosting
from core.decisions import (
    DecisionWorkspace,
    analyse,
    decide_cases,
    interval_problem,
    predicted_scores,
    read_cursor,
    resample_differences,
    total_cases,
)
from core.decisions.passes.cases import case_columns
from core.decisions.sensitivity.break_even import break_even
from core.decisions.sensitivity.changes import cell_change
from core.decisions.sensitivity.what_if import what_if
from core.decisions.sensitivity.winner_map import axis_of, winner_map
from core.document.experiments.spec import ExperimentSpec
from core.document.model import ChartMode
from core.engine.jobs.precompiling.first_totals import (
    LEVELS,
    ROWS,
    plain_problem,
    two_models,
    warm_analysis,
    warm_up_cases,
)
from core.engine.jobs.precompiling.plugin_engine import warm_intervals, warm_metrics
from core.experiments.protocols import made_up_rows, study_of
from core.experiments.runs import ExperimentRunner
from core.extensions import Registry
from core.uplift.choice import Prices, choose_depth, price_axis
from core.uplift.experiment import make_experiment
from core.uplift.ranked.areas import area_of, influence
from core.uplift.ranked.curves import VARIANTS, heights_at
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.resampling import draw_curves
from payoff.vocabulary import Task


def warm_differences() -> None:
    """Paired resamples of money."""
    workspace = warm_analysis(plain_problem(), (ChartMode.ACT_ON_BEST,))
    resample_differences(workspace, resamples=20)


def warm_saving() -> None:
    """The results of every case."""
    problem = plain_problem()
    cases = decide_cases(problem, two_models()[0], with_posteriors=True)
    total_cases(problem, cases)
    case_columns(problem, cases, "outcome")


def warm_modes() -> None:
    """The other ways to draw the profit chart."""
    workspace = warm_analysis(plain_problem(), tuple(ChartMode))
    read_cursor(workspace, 0.3)


def warm_costs() -> None:
    """The same where a cost differs from case to case, and the results per case."""
    problem = plain_problem({0: np.linspace(0.5, 1.5, ROWS)})
    workspace = warm_analysis(problem, tuple(ChartMode))
    read_cursor(workspace, 0.3)
    decide_cases(problem, two_models()[0], with_posteriors=True)


def warm_trials() -> None:
    """What-if: the same numbers tried against themselves."""
    problem = plain_problem()
    what_if(problem, problem, two_models())


def warm_studies() -> None:
    """Break-even values, and a map of two cells where a cost differs from case to case."""
    problem = plain_problem({0: np.linspace(0.5, 1.5, ROWS)})
    break_even(problem, two_models(), changes=(cell_change(problem, 0, 0),))
    x, y = (axis_of(cell_change(problem, level, 0), 0.0, 1.0, 2) for level in (0, 1))
    winner_map(problem, two_models(), x, y)


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


def warm_boosting(registry: Registry, precision: boosting.Precision) -> None:
    """A yes or no, and a number, trained on a number with gaps and on levels, judged and scored."""
    outcome, posteriors = warm_up_cases()
    number = posteriors[0].copy()
    number[::7] = np.nan
    columns = (
        boosting.InputColumn(name="number"),
        boosting.InputColumn(name="level", levels=("a", "b", "c")),
    )
    inputs = boosting.Inputs(columns, (number, np.arange(ROWS) % 3.0))
    settings = boosting.BoostSettings(n_trees=2, interaction_depth=3, precision=precision)
    for task, classes in ((Task.BINARY, LEVELS), (Task.REGRESSION, ())):
        cases = boosting.TrainingCases(
            inputs=inputs,
            outcome=np.asarray(outcome == 0, dtype=np.float64),
            n_train=ROWS - 100,
            n_classes=max(1, len(classes)),
        )
        model = boosting.fit(cases, registry.distribution(task), {}, settings, classes=classes)
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
    weighted = make_experiment(outcome, rows % 2 == 0, weight=(1 + rows % 3).astype(np.float64))
    draw_curves([UpliftRanking(weighted, (rows * 5 % 97).astype(np.float64))], nu=[0.0], draws=32)


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
        ExperimentRunner(study, settled, registry.system(settled.system)).run("gaussian", 0, 0)


def kernel_steps(registry: Callable[[], Registry]) -> tuple[Callable[[], object], ...]:
    """What comes after the first totals, in the order in which a user needs it."""
    return (
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
