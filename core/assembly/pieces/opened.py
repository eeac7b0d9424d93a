"""Data that are read in pieces: opened once, with what a run over them needs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from core.assembly.context import AssemblyContext
from core.data import is_collection
from core.data.cancellation import listen_for_stop
from core.document.data.model import HELD_ROWS, ReaderSettings
from core.document.model import Document
from core.extensions.sending import plugin_of_module
from core.kernels.cluster import ClusterRunner
from core.kernels.task_runners import Runner, ThreadRunner, run_tasks_bounded
from core.scale.kept import KeptRunner, kept_budget, kept_folder
from core.scale.partitions import source_of_partitions
from core.scale.reading import OutcomeSummary, OutcomeTask, filter_columns, look_at_outcome
from core.scale.sources import (
    MemoryBudget,
    Source,
    memory_budget,
    open_source,
    read_batches,
    source_head,
    why_not_written,
    why_unseen,
)
from payoff.errors import PayoffError


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """A source with all that a run over it needs."""

    source: Source
    budget: MemoryBudget
    folder: Path
    runner: Runner
    context: AssemblyContext
    where: str = ""  # "on the cluster tcp://..."; empty: in this process

    def tell(self, fraction: float | None, stage: str, partial: object = None) -> None:
        """Say how far the run is, and where it runs; raises where it is to end."""
        words = f"{stage}, {self.where}" if self.where else stage
        self.context.progress(fraction, words, partial)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said of where the data were read, if not here."""
        return (f"The data were read {self.where}.",) if self.where else ()

    @property
    def is_small(self) -> bool:
        """Whether the rows are held as one table: by their number alone, not by the memory."""
        return self.source.rows <= HELD_ROWS

    def as_table(self) -> pa.Table:
        """All rows as one table."""
        return source_head(self.source, HELD_ROWS)

    def head(self, columns: tuple[str, ...]) -> pa.Table:
        """Some of the first rows."""
        task = self.source.tasks(HELD_ROWS)[0]
        table: pa.Table = next(read_batches(task, columns))[1]
        return table.slice(0, 1_000)

    def outcome(self, document: Document, most_levels: int) -> OutcomeSummary:
        """Levels of a document's outcome and their rows, and rows without one."""
        target = document.target
        assert target is not None
        columns = self.source.require((target.column, *filter_columns(document)))
        found = OutcomeSummary()
        tasks = (
            OutcomeTask(rows=task, document=document, columns=columns, most_levels=most_levels)
            for task in self.source.tasks(self.budget.batch_rows(self.runner.in_process, 1))
        )
        stop = self.context.should_stop
        for summary in run_tasks_bounded(self.runner, look_at_outcome, tasks, should_stop=stop):
            found.merge(summary)
        return found


def runner_of(cluster: Any, context: AssemblyContext, closing: ExitStack) -> Runner:
    """Where tasks run: threads of this process, which hear of Stop, where no cluster is named.

    Workers of a cluster are sent the plugins that their work needs.
    """
    if cluster is not None:
        find_sent = partial(plugin_of_module, lambda: context.registry)
        return closing.enter_context(ClusterRunner(cluster, find_sent))
    listen = partial(listen_for_stop, context.should_stop)
    return closing.enter_context(ThreadRunner(on_start=listen))


def open_rows(
    data: Any,
    columns: tuple[str, ...],
    folder: Path,
    runner: Runner,
    context: AssemblyContext,
    *,
    budget: MemoryBudget,
    reader: ReaderSettings,
) -> Source:
    """Open data of any kind that is read in pieces, where those who read them see them.

    Parameters
    ----------
    data : as of ``open_source``, or a Dask DataFrame, or a Source that is opened already
    folder : Path
        For what is written meanwhile.

    Raises
    ------
    PayoffError
        For data that cannot be opened; for a part, or the folder, that a worker of a cluster does
        not see, naming both.
    """
    if isinstance(runner, ClusterRunner):
        runner.check_files([os.fspath(folder)], why_not_written)
    stop = context.should_stop
    if isinstance(data, Source):
        source = data
    elif is_collection(data):
        source = source_of_partitions(
            data, columns, folder, runner, tell=context.progress, should_stop=stop
        )
    else:
        source = open_source(data, columns, folder, budget=budget, should_stop=stop, reader=reader)
    if isinstance(runner, ClusterRunner):
        runner.check_files(source.parts, why_unseen)
    return source


@contextmanager
def pieces_of(
    data: Any,
    columns: tuple[str, ...],
    reader: ReaderSettings,
    context: AssemblyContext,
    *,
    memory: float | str | None = None,
    scratch: str | None = None,
    cluster: Any = None,
    question: str = "",
) -> Iterator[Pieces]:
    """Open data that are read in pieces; what is written meanwhile goes when it is left.

    Parameters
    ----------
    data : as of ``open_rows``
    columns : names
        Those that are needed; of batches only they are kept.
    reader : ReaderSettings
        How delimited text is read.
    memory : bytes or text, optional
    scratch : path, optional
        A folder for what is written meanwhile.
    cluster : text or distributed.Client, optional
        Where tasks run: the address of a scheduler, "local", a client; left out: threads of this
        process.
    question : str
        What is asked, told apart from all else. With ``scratch`` and in this process a run that is
        killed or stopped leaves there what its tasks gave, and the next one goes on from it; empty:
        nothing is kept.

    Raises
    ------
    PayoffError
        For data that cannot be opened, a scratch folder that is not there, a cluster that does not
        answer, and a worker that is another program or does not see the files.
    """
    if scratch is not None and not os.path.isdir(scratch):
        raise PayoffError("There is no such folder.", where=f"scratch={scratch}")
    budget = memory_budget(memory)
    with ExitStack() as closing:
        kept: Path | None = None
        if question and scratch is not None and cluster is None:
            kept = closing.enter_context(kept_folder(Path(scratch), question))
        runner: Runner = runner_of(cluster, context, closing)
        if kept is not None:
            folder, runner = kept, KeptRunner(runner, kept)
            size = kept_budget(kept, budget.size)
            budget = budget if size == budget.size else memory_budget(size)
        else:
            made = tempfile.TemporaryDirectory(prefix="payoff-scale-", dir=scratch)
            folder = Path(closing.enter_context(made))
        source = open_rows(data, columns, folder, runner, context, budget=budget, reader=reader)
        yield Pieces(
            source=source,
            budget=budget,
            folder=folder,
            runner=runner,
            context=context,
            where=f"on the cluster {cluster}" if isinstance(cluster, str) else "",
        )


__all__ = ["Pieces", "open_rows", "pieces_of"]
