"""The engine in this process: scripts, headless runs and most tests run jobs through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.document.model import Document
from core.engine.context import JobContext, ProgressCall, Workbench
from core.engine.kinds import standard_handlers
from core.engine.messages import Ask
from core.engine.options import EngineOptions
from core.engine.protocol import HandlerSource
from core.engine.runner import run_job
from core.questions.question import Answer, Question
from payoff.errors import PayoffError, StoppedError

if TYPE_CHECKING:
    from core.data import LoadedTable
    from core.extensions import Registry


class LocalEngine:
    """Runs the engine's handlers here, one job at a time, third-party plugins included.

    Parameters
    ----------
    options : EngineOptions, optional
        Without a ``store_folder`` results are not kept on disk.
    handlers : callable, optional
        Gives the handlers by job kind.

    Examples
    --------
    >>> engine = LocalEngine()  # doctest: +SKIP
    >>> engine.ask(document, Totals())  # doctest: +SKIP
    """

    def __init__(
        self, options: EngineOptions | None = None, *, handlers: HandlerSource = standard_handlers
    ) -> None:
        self._handlers = handlers
        self.workbench = Workbench(options or EngineOptions())
        self._tables: list[LoadedTable] = []

    def run(
        self,
        kind: str,
        arguments: object,
        on_progress: ProgressCall | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Any:
        """Run one job and return its result.

        Parameters
        ----------
        kind : str
            A job kind of ``core.engine.messages``.
        arguments : object
            The record of that kind.
        on_progress : callable, optional
            Takes fraction (None = unknown), stage, partial result (or None).
        should_stop : callable, optional
            Asked between pieces of work; True ends the job with StoppedError.

        Raises
        ------
        PayoffError
            What the job refuses.
        StoppedError
            ``should_stop`` said so.
        """
        context = JobContext(self.workbench, on_progress=on_progress, should_stop=should_stop)
        try:
            return run_job(self._handlers(), kind, arguments, context)
        except (PayoffError, StoppedError):
            raise
        except Exception as reason:
            if context.stop[0]:
                raise StoppedError from reason
            raise

    def ask(
        self,
        document: Document,
        question: Question[Answer],
        on_progress: ProgressCall | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Answer:
        """Answer a question to a document; raises as ``run`` does."""
        asked = Ask.of(document, question)
        answer: Answer = self.run(question.facts.key, asked, on_progress, should_stop)
        return answer

    def add_table(self, table: LoadedTable) -> None:
        """Make a table known that a document refers to, for as long as this engine lives."""
        self._tables.append(self.workbench.tables.keep(table))

    @property
    def registry(self) -> Registry:
        """The plugins of this process."""
        return self.workbench.plugins.registry


__all__ = ["LocalEngine"]
