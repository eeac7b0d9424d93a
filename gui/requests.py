"""What a page may ask of the engine, each with its callback, and the way messages take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.diagnostics import describe_exception
from core.document.history import History
from core.document.studies.looking import RowOrder, TryArguments
from core.engine.messages import (
    ApplyArguments,
    ColumnArguments,
    DistributionsArguments,
    JobOutcome,
    PluginsArguments,
    PreviewArguments,
    RowsArguments,
    SaveArguments,
)
from gui.jobs.terms import ALWAYS, Terms

if TYPE_CHECKING:
    from core.document.data.model import ReaderSettings
    from core.document.model import Document
    from core.document.plugin_results import PluginsResult
    from core.document.results import ApplyResult, SaveResult
    from core.document.training_results import ExplainResult
    from core.questions.explain import Explain
    from gui.jobs import JobQueue

OnResult = Callable[[object], None]
OnEnd = Callable[[JobOutcome], None]
OnError = Callable[[Exception], None]
FILE_ORDER = RowOrder()


class EngineRequests(QObject):
    """Requests about the present document. Results come back in the window's thread."""

    plugins_changed = Signal(object)  # PluginsResult
    message_posted = Signal(object)  # str, or an exception
    message_caused = Signal(str)  # the cause of the message just posted; empty = none that ends
    message_ended = Signal(str)  # a cause that has ended

    def __init__(self, jobs: JobQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.jobs = jobs
        self.history = History()
        self.plugins: PluginsResult | None = None

    @property
    def document(self) -> Document:
        """The document that requests are made of."""
        return self.history.document

    def post(self, message: Exception | str, about: str = "") -> None:
        """Show a message; an unexpected exception is logged and described.

        ``about`` names its cause: ``withdraw`` takes the message away when that has ended.
        """
        if isinstance(message, Exception):
            message = describe_exception(message)
        self.message_posted.emit(message)
        self.message_caused.emit(about)

    def withdraw(self, about: str) -> None:
        """The cause of a message has ended."""
        self.message_ended.emit(about)

    def _ask(
        self,
        kind: str,
        arguments: object,
        on_result: OnResult,
        on_end: OnEnd | None,
        terms: Terms = ALWAYS,
        on_error: OnError | None = None,
    ) -> int:
        """A quick question beside longer work; a refusal becomes a message, or goes in place."""
        return self.jobs.submit(
            kind,
            arguments,
            on_result=on_result,
            on_error=on_error or self.post,
            on_end=on_end,
            terms=terms,
        )

    # ------------------------------------------------------------ data

    def preview(
        self,
        path: str,
        reader: ReaderSettings,
        on_result: OnResult,
        on_error: Callable[..., None],
        terms: Terms = ALWAYS,
    ) -> int:
        """Read the first rows of a file."""
        arguments = PreviewArguments(path=path, reader=reader)
        return self.jobs.submit(
            "preview", arguments, on_result=on_result, on_error=on_error, terms=terms
        )

    def request_rows(
        self,
        start: int,
        count: int,
        on_result: OnResult,
        on_end: OnEnd | None = None,
        order: RowOrder = FILE_ORDER,
        terms: Terms = ALWAYS,
    ) -> int:
        """Fetch a page of the table; the outcome may be "cancelled" when a newer page won."""
        arguments = RowsArguments(document=self.document, start=start, count=count, order=order)
        return self._ask("rows", arguments, on_result, on_end, terms)

    def request_column(
        self,
        column: str,
        on_result: OnResult,
        on_end: OnEnd | None = None,
        terms: Terms = ALWAYS,
        on_error: OnError | None = None,
    ) -> int:
        """Fetch one column by target class."""
        arguments = ColumnArguments(document=self.document, column=column)
        return self._ask("column", arguments, on_result, on_end, terms, on_error)

    def request_outcome_gaps(
        self,
        document: Document,
        on_result: OnResult,
        on_end: OnEnd | None = None,
        kind: str = "outcome_gaps",
    ) -> int:
        """Ask how many rows of a document have no outcome though they should."""
        from core.document.studies.looking import OutcomeGapsArguments

        return self._ask(kind, OutcomeGapsArguments(document=document), on_result, on_end)

    def try_expression(
        self,
        text: str,
        on_result: OnResult,
        on_end: OnEnd | None = None,
        *,
        is_filter: bool = False,
        terms: Terms = ALWAYS,
    ) -> int:
        """Ask what an expression gives; a refusal is part of the answer."""
        return self._ask(
            "try_expression",
            TryArguments(document=self.document, text=text, is_filter=is_filter),
            on_result,
            on_end,
            terms,
        )

    def load_plugins(self, *, check_again: bool = False, check: str = "", title: str = "") -> int:
        """Ask the engine which plugins there are; look again at all of them, or at one."""

        def on_result(result: object) -> None:
            from core.document.plugin_results import PluginsResult

            if isinstance(result, PluginsResult):
                self.plugins = result
                self.plugins_changed.emit(result)

        arguments = PluginsArguments(check_again=check_again, check=check)
        if check_again and not title:
            title = self.tr("Checking plugins")
        return self.jobs.submit(
            "plugins", arguments, title=title, on_result=on_result, on_error=self.post
        )

    # ------------------------------------------------------------ models

    def request_distributions(
        self, on_result: OnResult, on_end: OnEnd | None = None, terms: Terms = ALWAYS
    ) -> int:
        """Ask which distributions fit the outcome and which columns can be inputs."""
        return self.jobs.submit(
            "distributions",
            DistributionsArguments(document=self.document),
            on_result=on_result,
            on_error=self.post,
            on_end=on_end,
            terms=terms,
        )

    def request_explanation(
        self,
        question: Explain,
        on_result: Callable[[ExplainResult], None],
        on_end: OnEnd | None = None,
        terms: Terms = ALWAYS,
        on_error: OnError | None = None,
    ) -> int:
        """Ask what a trained model uses and how its prediction depends on inputs."""
        return self.jobs.ask(
            self.document,
            question,
            on_result=on_result,
            on_error=on_error or self.post,
            on_end=on_end,
            terms=terms,
        )

    # ------------------------------------------------------------ decisions out

    def save_decisions(
        self, arguments: SaveArguments, on_saved: Callable[[SaveResult], None] | None = None
    ) -> int:
        """Write who gets which decision; a message says where it went."""

        def on_result(result: object) -> None:
            from core.document.results import SaveResult

            if not isinstance(result, SaveResult):
                return
            self.post(self.tr("Saved %s rows to %s") % (f"{result.rows:,}", result.path))
            if on_saved is not None:
                on_saved(result)

        return self.jobs.submit(
            "save_decisions",
            arguments,
            title=self.tr("Saving decisions"),
            on_result=on_result,
            on_error=self.post,
        )

    def apply_rule(
        self,
        arguments: ApplyArguments,
        on_applied: Callable[[ApplyResult], None] | None = None,
        on_error: Callable[[Exception], None] | None = None,
        terms: Terms = ALWAYS,
    ) -> int:
        """Apply the rule to another file."""

        def on_result(result: object) -> None:
            from core.document.results import ApplyResult

            if isinstance(result, ApplyResult) and on_applied is not None:
                on_applied(result)

        return self.jobs.submit(
            "apply",
            arguments,
            title=self.tr("Applying the rule to %s") % Path(arguments.path).name,
            on_result=on_result,
            on_error=on_error or self.post,
            terms=terms,
        )
