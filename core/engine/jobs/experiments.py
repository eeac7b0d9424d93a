"""The jobs behind page Experiments: checking rows, and running with a journal that survives."""

from __future__ import annotations

import os
from pathlib import Path

from core.data import LoadedTable
from core.document.data_model import ReaderSettings
from core.document.experiments import (
    CheckExperimentArguments,
    DataFacts,
    ExperimentArguments,
    ExperimentResult,
)
from core.engine.context import JobContext
from core.engine.jobs.threads import fair_threads
from core.experiments.experiment import data_facts, run_experiment
from payoff.specs import LossDistribution

FOLDER = "experiments"


def check_experiment(arguments: CheckExperimentArguments, context: JobContext) -> DataFacts:
    """Read the rows of an experiment and say what was found."""
    return data_facts(arguments.spec, lambda path: read_table(path, context))


def run_experiment_job(arguments: ExperimentArguments, context: JobContext) -> ExperimentResult:
    """Run an experiment; Stop keeps the runs that are done."""

    def tell(result: ExperimentResult) -> None:
        if not context.should_stop():
            fraction = result.done / result.wanted if result.wanted else None
            context.progress(fraction, f"{result.done:,} of {result.wanted:,} models", result)

    def find(name: str) -> LossDistribution:
        return context.workbench.registry.distribution(name)

    def journal(name: str) -> Path | None:
        if arguments.journal:
            return Path(arguments.journal)
        folder = context.workbench.options.store_folder
        return Path(folder) / FOLDER / f"{name}.runs" if folder else None

    context.progress(None, "Reading rows")
    with fair_threads(context):
        return run_experiment(
            arguments.spec,
            lambda path: read_table(path, context),
            find_distribution=find,
            journal=journal,
            on_result=tell,
            should_stop=context.should_stop,
            backend=arguments.backend,
            address=arguments.address,
        )


def read_table(path: str, context: JobContext) -> LoadedTable:
    """A table by its path, from memory while the file is the same; data of a script by its name."""
    kept: LoadedTable | None = context.workbench.cache.get(("experiment table", path))
    if kept is not None:
        return kept
    where = os.path.abspath(path)
    state = os.stat(where) if os.path.exists(where) else None
    key = ("experiment table", where, state and (state.st_mtime_ns, state.st_size))

    def make() -> tuple[LoadedTable, int]:
        table = context.workbench.read(path, ReaderSettings(), context)
        return table, int(table.table.nbytes)

    table: LoadedTable = context.workbench.cache.get_or_make(key, make)
    return table
