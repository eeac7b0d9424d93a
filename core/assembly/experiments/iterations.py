"""The two studies of boosting on page Experiments: from made-up data to an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.assembly.context import AssemblyContext
from core.boosting import BoostSettings, TrainingCases
from core.document.experiments.results import CHOOSING, SHRINKAGE, IterationResult
from core.document.model import Document
from core.experiments.iteration_data import MADE_UP, made_up_cases
from core.experiments.iteration_draws import DataSet, ShouldStop, choosing_study, shrinkage_study
from core.extensions import Registry
from core.questions.experiments import BoostingIterations
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError

RATES = (0.3, 0.1, 0.03, 0.01, 0.003)
FEWEST_ROWS = 100


def study_iterations(
    document: Document, question: BoostingIterations, context: AssemblyContext
) -> IterationResult:
    """Run a study; each piece of work is told, and Stop keeps those that are done.

    Raises
    ------
    PayoffError
        For an unknown study or data set, or too little to study.
    """
    del document  # its data are not looked at
    check_iterations(question)
    last: IterationResult | None = None
    wanted = question.draws * len(question.sets)
    context.progress(0.0, f"1 of {counted(wanted, 'draw')} of data")
    for result in run_study(question, context.registry, context.should_stop):
        last = result
        if not context.should_stop() and result.done < wanted:
            words = f"{counted_of(result.done + 1, wanted, 'draw')} of data"
            context.progress(result.done / wanted, words, result)
    if last is None:
        context.check()  # stopped before anything was done
        raise PayoffError("Nothing was studied.")
    return last


def check_iterations(question: BoostingIterations) -> None:
    """Refuse an unknown study or data set, or too little to study."""
    if question.study not in (SHRINKAGE, CHOOSING):
        raise PayoffError(f"There is no study '{question.study}'.")
    if question.rows < FEWEST_ROWS or question.trees < 2 or question.draws < 1:
        raise PayoffError(
            "There is too little to study.", why="It takes 100 rows, 2 trees and 1 draw at least."
        )
    unknown = [name for name in question.sets if name not in MADE_UP]
    if unknown or not question.sets:
        what = f"There is no data set '{unknown[0]}'." if unknown else "No data set is chosen."
        raise PayoffError(what, why=f"There are: {', '.join(MADE_UP)}.")


def run_study(
    question: BoostingIterations, registry: Registry, should_stop: ShouldStop
) -> Iterator[IterationResult]:
    """What a study has found after each piece of its work."""
    sets = [_made_up(name, question, registry) for name in question.sets]
    settings = BoostSettings(
        n_trees=question.trees,
        shrinkage=question.rate,
        seed=question.seed,
        interaction_depth=3,
        min_cases_in_node=10,
        bag_fraction=0.5,
    )
    if question.study == SHRINKAGE:
        return shrinkage_study(sets, settings, RATES, question.draws, should_stop)
    return choosing_study(sets, settings, question.draws, should_stop)


def _made_up(name: str, question: BoostingIterations, registry: Registry) -> DataSet:
    """A made-up data set: a fresh one each draw, with as many cases again to judge shrinkage."""
    spec = registry.distribution(MADE_UP[name][0])
    rows, seed = question.rows, question.seed
    if question.study == CHOOSING:
        return DataSet(
            name=name, spec=spec, draw=lambda draw: made_up_cases(name, rows, seed + draw)
        )

    def halves(draw: int) -> TrainingCases:
        return replace(made_up_cases(name, 2 * rows, seed + draw), n_train=rows)

    return DataSet(name=name, spec=spec, draw=halves)
