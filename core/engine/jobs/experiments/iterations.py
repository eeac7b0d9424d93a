"""The job behind the two studies of boosting on page Experiments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.assembly.threads import fair_threads
from core.boosting import BoostSettings, Cases
from core.document.studies.iterations import (
    CHOOSING,
    SHRINKAGE,
    IterationArguments,
    IterationResult,
)
from core.engine.context import JobContext
from core.experiments.iteration_data import MADE_UP, made_up_cases
from core.experiments.iteration_draws import DataSet, ShouldStop, choosing_study, shrinkage_study
from core.extensions import Registry
from payoff.errors import PayoffError

RATES = (0.3, 0.1, 0.03, 0.01, 0.003)
FEWEST_ROWS = 100


def study_iterations(arguments: IterationArguments, context: JobContext) -> IterationResult:
    """Run a study; each piece of work is told, and Stop keeps those that are done.

    Raises
    ------
    PayoffError
        For an unknown study or data set, or too little to study.
    """
    check_iterations(arguments)
    last: IterationResult | None = None
    wanted = arguments.draws * len(arguments.sets)
    context.progress(0.0, f"1 of {wanted:,} draws of data")
    with fair_threads(context):
        for result in run_study(arguments, context.registry, context.should_stop):
            last = result
            if not context.should_stop() and result.done < wanted:
                words = f"{result.done + 1:,} of {wanted:,} draws of data"
                context.progress(result.done / wanted, words, result)
    if last is None:
        context.check()  # stopped before anything was done
        raise PayoffError("Nothing was studied.")
    return last


def check_iterations(arguments: IterationArguments) -> None:
    """Refuse an unknown study or data set, or too little to study."""
    if arguments.study not in (SHRINKAGE, CHOOSING):
        raise PayoffError(f"There is no study '{arguments.study}'.")
    if arguments.rows < FEWEST_ROWS or arguments.trees < 2 or arguments.draws < 1:
        raise PayoffError(
            "There is too little to study.", why="It takes 100 rows, 2 trees and 1 draw at least."
        )
    unknown = [name for name in arguments.sets if name not in MADE_UP]
    if unknown or not arguments.sets:
        what = f"There is no data set '{unknown[0]}'." if unknown else "No data set is chosen."
        raise PayoffError(what, why=f"There are: {', '.join(MADE_UP)}.")


def run_study(
    arguments: IterationArguments, registry: Registry, should_stop: ShouldStop
) -> Iterator[IterationResult]:
    """What a study has found after each piece of its work."""
    sets = [_made_up(name, arguments, registry) for name in arguments.sets]
    settings = BoostSettings(
        n_trees=arguments.trees,
        shrinkage=arguments.rate,
        seed=arguments.seed,
        interaction_depth=3,
        min_cases_in_node=10,
        bag_fraction=0.5,
    )
    if arguments.study == SHRINKAGE:
        return shrinkage_study(sets, settings, RATES, arguments.draws, should_stop)
    return choosing_study(sets, settings, arguments.draws, should_stop)


def _made_up(name: str, arguments: IterationArguments, registry: Registry) -> DataSet:
    """A made-up data set: a fresh one each draw, with as many cases again to judge shrinkage."""
    spec = registry.distribution(MADE_UP[name][0])
    rows, seed = arguments.rows, arguments.seed
    if arguments.study == CHOOSING:
        return DataSet(
            name=name, spec=spec, draw=lambda draw: made_up_cases(name, rows, seed + draw)
        )

    def halves(draw: int) -> Cases:
        return replace(made_up_cases(name, 2 * rows, seed + draw), n_train=rows)

    return DataSet(name=name, spec=spec, draw=halves)
