"""What page Experiments asks: checking rows, and running with a journal that survives."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextlib import nullcontext as ours
from pathlib import Path

from core.assembly.context import AssemblyContext
from core.assembly.plugin_calls import called
from core.data import LoadedTable, file_stamp
from core.document.data.model import ReaderSettings
from core.document.experiments.results import DataFacts, ExperimentPair, ExperimentResult
from core.document.experiments.spec import ExperimentSpec
from core.document.files.guarded import note_read
from core.document.model import Document
from core.experiments.experiment import data_facts, run_experiment
from core.experiments.learners import OWN_TREES
from core.extensions import PluginRecord, Registry
from core.questions.experiments import CheckExperiment, CompareExperiments, RunExperiment
from payoff.counting import counted_of
from payoff.specs import Spec


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
    third_party = third_party_parts(spec, registry)

    def journal(name: str) -> Path | None:
        if question.journal:
            return Path(question.journal)
        return None if context.journals is None else context.journals / f"{name}.runs"

    def around(kind: str, name: str) -> AbstractContextManager[None]:
        owner = third_party.get((kind, name))
        return context.marked(owner.plugin, f"experiment, {kind} {name}") if owner else ours()

    context.progress(None, "Reading rows")
    (kind, name), first = next(iter(third_party.items()), (("", ""), None))
    mark = called(context, first.plugin if first else "", f"experiment, {kind} {name}")
    with mark:
        return run_experiment(
            spec,
            lambda path: read_table(path, context),
            find_system=registry.system,
            find_distribution=registry.distribution,
            around=around if third_party else None,
            stamp=" ".join(sorted({owner.content for owner in third_party.values()})),
            journal=journal,
            on_result=tell,
            should_stop=context.should_stop,
            backend=question.backend,
            address=question.address,
        )


def third_party_parts(
    spec: ExperimentSpec, registry: Registry
) -> dict[tuple[str, str], PluginRecord]:
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
