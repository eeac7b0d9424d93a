"""Experiments and studies of boosting.

What page Experiments asks: checking rows, and running with a journal that survives.

The lists of page Experiments: evaluation systems and learners that are here.

The two studies of boosting on page Experiments: from made-up data to an answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from contextlib import nullcontext as ours
from dataclasses import replace
from pathlib import Path

from core.assembly.context import AssemblyContext
from core.assembly.running import called
from core.boosting import BoostSettings, TrainingCases
from core.data import LoadedTable, file_stamp
from core.document.data.model import ReaderSettings
from core.document.experiments.results import (
    CHOOSING,
    SHRINKAGE,
    DataFacts,
    ExperimentChoices,
    ExperimentPair,
    ExperimentResult,
    IterationResult,
    LearnerChoice,
    SystemChoice,
)
from core.document.experiments.spec import LEARNER_LABELS, PROTOCOLS, ExperimentSpec
from core.document.files.guarded import note_read
from core.document.model import Document
from core.experiments.experiment import data_facts, run_experiment
from core.experiments.iterations import (
    MADE_UP,
    DataSet,
    ShouldStop,
    choosing_study,
    made_up_cases,
    shrinkage_study,
)
from core.experiments.learners import OUTSIDE, OWN_TREES, is_installed
from core.experiments.systems import systems_of
from core.extensions import PluginRecord, Registry
from core.questions.experiments import (
    BoostingIterations,
    CheckExperiment,
    CompareExperiments,
    ExperimentParts,
    RunExperiment,
)
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.facts import facts_of
from payoff.specs import LossDistribution, Spec
from payoff.systems import EvaluationSystem
from payoff.vocabulary import Extra, SystemNeed, TargetDomain


def named_experiment(document: Document) -> ExperimentSpec:
    """Return the parts of a document's experiment; the usual ones where nothing is said."""
    return document.experiment or ExperimentSpec()


def check_experiment(
    document: Document, question: CheckExperiment, context: AssemblyContext
) -> DataFacts:
    """Read the rows of an experiment and say what was found."""
    del question
    find_system = context.registry.system
    return data_facts(
        named_experiment(document), lambda path: read_table(path, context), find_system
    )


def run_document(
    document: Document, question: RunExperiment, context: AssemblyContext
) -> ExperimentResult:
    """Run a document's experiment; Stop keeps the runs that are done."""

    def tell(result: ExperimentResult) -> None:
        if not context.should_stop():
            context.progress(_share_done(result), _words_done(result), result)

    return _run(named_experiment(document), question, context, tell)


def compare_experiments(
    document: Document, question: CompareExperiments, context: AssemblyContext
) -> ExperimentPair:
    """Run a document's experiment and another one; one that was stopped is compared as it is."""
    found = []
    for place, spec in enumerate((named_experiment(document), question.other)):

        def tell(result: ExperimentResult, place: int = place) -> None:
            if not context.should_stop():
                context.progress((place + _share_done(result)) / 2, _words_done(result))

        found.append(_run(spec, RunExperiment(), context, tell))
    return ExperimentPair(here=found[0], there=found[1])


def _share_done(result: ExperimentResult) -> float:
    return result.done / result.wanted if result.wanted else 0.0


def _words_done(result: ExperimentResult) -> str:
    return counted_of(result.done, result.wanted, "model")


def _run(
    spec: ExperimentSpec,
    question: RunExperiment,
    context: AssemblyContext,
    tell: Callable[[ExperimentResult], None],
) -> ExperimentResult:
    """Run an experiment, third parties' parts under their own marks."""
    registry = context.registry
    foreign = foreign_parts(spec, registry)

    def journal(name: str) -> Path | None:
        if question.journal:
            return Path(question.journal)
        return None if context.journals is None else context.journals / f"{name}.runs"

    def around(kind: str, name: str) -> AbstractContextManager[None]:
        owner = foreign.get((kind, name))
        return context.marked(owner.plugin, f"experiment, {kind} {name}") if owner else ours()

    context.progress(None, "Reading rows")
    (kind, name), first = next(iter(foreign.items()), (("", ""), None))
    mark = called(context, first.plugin if first else "", f"experiment, {kind} {name}")
    with mark:
        return run_experiment(
            spec,
            lambda path: read_table(path, context),
            find_system=registry.system,
            find_distribution=registry.distribution,
            around=around if foreign else None,
            stamp=" ".join(sorted({owner.content for owner in foreign.values()})),
            journal=journal,
            on_result=tell,
            should_stop=context.should_stop,
            backend=question.backend,
            address=question.address,
        )


def foreign_parts(spec: ExperimentSpec, registry: Registry) -> dict[tuple[str, str], PluginRecord]:
    """The third parties' plugins that an experiment calls, by ("system" or "learner", name)."""
    settled = spec.settled()
    parts: dict[tuple[str, str], Spec] = {
        ("system", entry.id): entry for entry in registry.systems() if entry.id == settled.system
    }
    losses = {entry.id: entry for entry in registry.distributions()}
    for learner in settled.learners:
        loss = losses.get(learner.partition(":")[2])
        if learner.startswith(OWN_TREES) and loss is not None:
            parts["learner", learner] = loss
    return {
        key: registry.owner(part) for key, part in parts.items() if registry.is_third_party(part)
    }


def read_table(path: str, context: AssemblyContext) -> LoadedTable:
    """A table by its path, from memory while the file is the same; data of a script by its name."""
    kept: LoadedTable | None = context.cache.get(("experiment table", path))
    if kept is not None:
        return kept
    where = os.path.abspath(path)
    note_read(where)
    state = file_stamp(where) if os.path.exists(where) else None
    key = ("experiment table", where, state)

    def make() -> tuple[LoadedTable, int]:
        table = context.tables.read(path, ReaderSettings(), context)
        return table, int(table.table.nbytes)

    table: LoadedTable = context.cache.get_or_make(key, make)
    return table


def experiment_choices(
    document: Document, question: ExperimentParts, context: AssemblyContext
) -> ExperimentChoices:
    """What fits a protocol; programs that are not installed are left out."""
    del question
    spec, registry = named_experiment(document), context.registry
    facts = spec.facts
    return ExperimentChoices(
        protocol=spec.protocol,
        systems=tuple(_system(entry, registry) for entry in systems_of(facts, registry.systems())),
        learners=(*_outside(), *_trees(spec.protocol, registry)),
    )


def _owner(spec: Spec, registry: Registry) -> str:
    """The name of the third party's plugin that a spec is from; empty for ours."""
    if not registry.is_third_party(spec):
        return ""
    record = registry.owner(spec)
    return record.manifest.name if record.manifest is not None else record.plugin


def _system(spec: EvaluationSystem, registry: Registry) -> SystemChoice:
    return facts_of(spec, SystemChoice, plugin=_owner(spec, registry))


def _outside() -> list[LearnerChoice]:
    """Other programs' trees, where they are installed."""
    return [
        LearnerChoice(
            learner=name, label=LEARNER_LABELS[name], help=f"{OUTSIDE[name]}, 100 trees, as it is."
        )
        for name in OUTSIDE
        if is_installed(name)
    ]


def _trees(protocol: str, registry: Registry) -> list[LearnerChoice]:
    """Boosted trees with every distribution that outcomes in 0 to 1 can be fitted with."""
    is_binary = SystemNeed.BINARY.value in PROTOCOLS[protocol].gives
    return [
        LearnerChoice(
            learner=f"{OWN_TREES}:{spec.id}",
            label=f"{LEARNER_LABELS[OWN_TREES]}, {spec.label}",
            help=spec.help,
            plugin=_owner(spec, registry),
        )
        for spec in registry.distributions()
        if _can_learn(spec, is_binary=is_binary)
    ]


def _can_learn(spec: LossDistribution, *, is_binary: bool) -> bool:
    """Whether a distribution takes such outcomes, gives one number, and needs no further column."""
    domains = {TargetDomain.REAL, TargetDomain.COUNTS}
    if is_binary:
        domains.add(TargetDomain.BINARY)
    needed = set(spec.extras) - {*spec.optional_extras, Extra.WEIGHT, Extra.OFFSET}
    return spec.target in domains and spec.n_scores == 1 and not needed


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
