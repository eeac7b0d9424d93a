"""Data that scripts read in pieces: opened once, with what a run over them needs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from core.document.data.expressions import column_names
from core.document.data.model import DataRef
from core.document.model import Role, RoleAssignment, TargetSpec
from core.engine.context import JobContext, ProgressCall
from core.kernels.cluster import ClusterRunner
from core.kernels.task_runners import Runner, ThreadRunner, run_tasks_bounded
from core.scale.reading import OutcomeSummary, OutcomeTask, look_at_outcome
from core.scale.sources import (
    MemoryBudget,
    Source,
    is_streamed,
    memory_budget,
    open_source,
    read_batches,
    why_not_written,
    why_unseen,
)
from core.script.session import document_of_roles, engine, reporting_reader
from payoff.errors import PayoffError

HELD_ROWS = 262_144
"""Data of at most so many rows are held as one table, whatever they came in."""

_watching: ContextVar[ProgressCall | None] = ContextVar("payoff_watching", default=None)


def current_watcher() -> ProgressCall | None:
    """Who is told how far work in pieces is."""
    return _watching.get()


@contextmanager
def watched_by(progress: ProgressCall) -> Iterator[None]:
    """Tell how far work inside is, where its data are read in pieces."""
    before = _watching.set(progress)
    try:
        yield
    finally:
        _watching.reset(before)


def is_in_pieces(data: Any, memory: float | str | None, cluster: Any = None) -> bool:
    """Whether data are read in pieces: with a memory or a cluster, and wherever only so."""
    return memory is not None or cluster is not None or is_streamed(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """A source with all that a run over it needs."""

    source: Source
    budget: MemoryBudget
    folder: Path
    runner: Runner
    context: JobContext

    @property
    def is_small(self) -> bool:
        """Whether the rows are held as one table: by their number alone, not by the memory."""
        return self.source.rows <= HELD_ROWS

    def as_table(self) -> pa.Table:
        """All rows as one table."""
        names = tuple(name for name, _ in self.source.kinds)
        tasks = self.source.tasks(HELD_ROWS)
        found = [table for task in tasks for _, table in read_batches(task, names)]
        return pa.concat_tables(found, promote_options="permissive")

    def head(self, columns: tuple[str, ...]) -> pa.Table:
        """Some of the first rows."""
        task = self.source.tasks(HELD_ROWS)[0]
        table: pa.Table = next(read_batches(task, columns))[1]
        return table.slice(0, 1_000)

    def outcome(
        self, column: str, condition: str | None, missing_outcomes: str, most_levels: int
    ) -> OutcomeSummary:
        """Levels of an outcome and their rows, and rows without one."""
        filters = column_names(condition) if condition else ()
        columns = self.source.require((column, *filters))
        plain = document_of_roles(
            DataRef(path=self.source.name),
            TargetSpec(column=column, kind="interval"),
            (RoleAssignment(column=column, role=Role.TARGET),),
            condition,
            missing_outcomes,
        )
        found = OutcomeSummary()
        tasks = (
            OutcomeTask(rows=task, document=plain, columns=columns, most_levels=most_levels)
            for task in self.source.tasks(self.budget.batch_rows(self.runner.in_process, 1))
        )
        stop = self.context.should_stop
        for summary in run_tasks_bounded(self.runner, look_at_outcome, tasks, should_stop=stop):
            found.merge(summary)
        return found


def runner_of(cluster: Any) -> ThreadRunner | ClusterRunner:
    """Where tasks run: threads of this process where no cluster is named."""
    return ThreadRunner() if cluster is None else ClusterRunner(cluster)


def check_seen(runner: Runner, source: Source, folder: Path) -> None:
    """Refuse where a worker of a cluster does not see a part, or the folder for what is written.

    Raises
    ------
    PayoffError
        Naming the file and the worker.
    """
    if isinstance(runner, ClusterRunner):
        runner.check_files(source.parts, why_unseen)
        runner.check_files([os.fspath(folder)], why_not_written)


@contextmanager
def opened_pieces(
    data: Any,
    columns: tuple[str, ...],
    *,
    memory: float | str | None = None,
    scratch: str | None = None,
    cluster: Any = None,
) -> Iterator[Pieces]:
    """Open data that are read in pieces; what is written meanwhile goes when it is left.

    Parameters
    ----------
    columns : names
        Those that are needed; of batches only they are kept.
    cluster : text or distributed.Client, optional
        Where tasks run: the address of a scheduler, "local", a client; left out: threads of this
        process.

    Raises
    ------
    PayoffError
        For data that cannot be opened, a scratch folder that is not there, a cluster that does not
        answer, and a worker that is another program or does not see the files.
    """
    if scratch is not None and not os.path.isdir(scratch):
        raise PayoffError("There is no such folder.", where=f"scratch={scratch}")
    budget = memory_budget(memory)
    context = JobContext(engine().workbench, on_progress=current_watcher())
    with (
        tempfile.TemporaryDirectory(prefix="payoff-scale-", dir=scratch) as name,
        runner_of(cluster) as runner,
    ):
        source = open_source(
            data,
            columns,
            Path(name),
            budget=budget,
            should_stop=context.should_stop,
            reader=reporting_reader(),
        )
        check_seen(runner, source, Path(name))
        yield Pieces(
            source=source, budget=budget, folder=Path(name), runner=runner, context=context
        )


__all__ = [
    "HELD_ROWS",
    "Pieces",
    "check_seen",
    "current_watcher",
    "is_in_pieces",
    "opened_pieces",
    "runner_of",
    "watched_by",
]
