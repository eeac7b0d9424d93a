"""The document, its messages, and the work on it that several pages ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.diagnostics import describe_exception
from core.document.history import History
from core.engine.messages import (
    PluginsArguments,
    SaveArguments,
)
from gui.session.request import NotFinishedError, Request

if TYPE_CHECKING:
    from core.document.data.results import TableSummary
    from core.document.model import Document
    from core.document.plugin_results import PluginsResult
    from core.document.results import SaveResult
    from gui.session import JobQueue


class EngineRequests(QObject):
    """Requests about the present document. Results come back in the window's thread."""

    document_changed = Signal(object)  # Document
    summary_changed = Signal(object)  # TableSummary | None
    plugins_changed = Signal(object)  # PluginsResult
    message_posted = Signal(object)  # str, or an exception
    message_caused = Signal(str)  # the cause of the message just posted; empty = none that ends
    message_ended = Signal(str)  # a cause that has ended

    def __init__(self, jobs: JobQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.jobs = jobs
        self.history = History()
        self.summary: TableSummary | None = None
        self.plugins: PluginsResult | None = None

    @property
    def document(self) -> Document:
        """The document that requests are made of."""
        return self.history.document

    def post(self, message: Exception | str, about: str = "") -> None:
        """Show a message; an unexpected exception is logged and described.

        ``about`` names its cause: ``withdraw`` takes the message away when that has ended. That a
        person stopped something is no message.
        """
        if isinstance(message, NotFinishedError):
            return
        if isinstance(message, Exception):
            message = describe_exception(message)
        self.message_posted.emit(message)
        self.message_caused.emit(about)

    def withdraw(self, about: str) -> None:
        """The cause of a message has ended."""
        self.message_ended.emit(about)

    def load_plugins(self, *, check_again: bool = False, check: str = "", title: str = "") -> int:
        """Ask the engine which plugins there are; look again at all of them, or at one."""
        from core.document.plugin_results import PluginsResult

        def on_result(result: PluginsResult) -> None:
            self.plugins = result
            self.plugins_changed.emit(result)

        arguments = PluginsArguments(check_again=check_again, check=check)
        if check_again and not title:
            title = "Checking plugins"
        return Request(self, self).run(
            "plugins", arguments, PluginsResult, title=title, on_result=on_result
        )

    # ------------------------------------------------------------ decisions out

    def save_decisions(
        self, arguments: SaveArguments, on_saved: Callable[[SaveResult], None] | None = None
    ) -> int:
        """Write who gets which decision; a message says where it went."""
        from core.document.results import SaveResult
        from core.presentation.decide_lists import saved_words

        def on_result(result: SaveResult) -> None:
            self.post(saved_words(result))
            if on_saved is not None:
                on_saved(result)

        return Request(self, self).run(
            "save_decisions",
            arguments,
            SaveResult,
            title="Saving decisions",
            on_result=on_result,
        )
