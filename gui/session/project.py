"""The project of one window: its document with the way back, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.diagnostics import describe_exception
from core.document.commands import Command
from core.document.history import History
from core.document.model import Document
from core.engine.messages import owner_of_data
from gui.session.request import NotFinishedError
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.data.model import DataRef
    from core.document.data.results import TableSummary
    from gui.session.job_queue import JobQueue

DATA_MISSING = "data missing"  # the cause of a message
STEP_REFUSED = (
    "step refused"  # the cause of a message that ends with the next change of the document
)


class Project(QObject):
    """Document, history, the summary of its data, and messages; what every request is made of."""

    document_changed = Signal(object)  # Document
    change_reported = Signal(object)  # Document before; all have heard of the present one
    left = Signal()  # another project begins: nothing that is about the former one goes on
    data_changed = Signal()  # another table: nothing on screen is of it yet
    data_wanted = Signal(object)  # DataRef: undo brought them back, their summary is not known
    summary_changed = Signal(object)  # TableSummary | None
    message_posted = Signal(object)  # str, or an exception
    message_caused = Signal(str)  # the cause of the message just posted; empty = none that ends
    message_ended = Signal(str)  # a cause that has ended

    def __init__(self, jobs: JobQueue, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self.jobs = jobs
        self.history = History(document)
        self.summary: TableSummary | None = None
        self.unread = ""  # why the data are not read; empty while they are, or may still be
        self.left.connect(jobs.leave_project)
        self.document_changed.connect(self._drop_former)  # first: later ones ask anew

    @property
    def document(self) -> Document:
        """The document as it is."""
        return self.history.document

    def _drop_former(self, document: Document) -> None:
        """Nobody waits for answers about data that are no longer open."""
        self.jobs.keep_to(owner_of_data(document))

    # ------------------------------------------------------------ messages

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

    # ------------------------------------------------------------ changes

    def execute(self, command: Command) -> bool:
        """Apply a command; a refusal is posted as a message and changes nothing."""
        before = self.document
        try:
            self.history.execute(command)
        except PayoffError as refusal:
            self.post(refusal, about=STEP_REFUSED)
            return False
        self._tell(before)
        return True

    def finish_editing(self) -> None:
        """Close the present undo step: a drag ended, a field was left."""
        self.history.finish_merging()

    def undo(self) -> None:
        """Go one step back."""
        before = self.document
        self.history.undo()
        self._tell(before)

    def redo(self) -> None:
        """Go one step forward."""
        before = self.document
        self.history.redo()
        self._tell(before)

    def _tell(self, before: Document) -> None:
        if self.document == before:
            return
        self.withdraw(STEP_REFUSED)
        if self.document.data != before.data:
            self._leave_data()
            self._follow_data()
        self.document_changed.emit(self.document)
        self.change_reported.emit(before)

    def _leave_data(self) -> None:
        """Take away everything that is said of other data."""
        self.withdraw(DATA_MISSING)
        self.unread = ""
        self.data_changed.emit()

    def _follow_data(self) -> None:
        """Undo can bring another file back: its summary is asked for again."""
        data = self.document.data
        if self.summary is not None and self.summary.data == data:
            return
        self.take_summary(None)
        if data is not None:
            self.data_wanted.emit(data)

    # ------------------------------------------------------------ another document

    def take_document(self, document: Document, *, is_saved: bool = True) -> None:
        """Start a new history from an opened document; results start empty."""
        self.left.emit()
        self.history.reset(document, is_saved=is_saved)
        self.summary = None
        self._leave_data()
        self.summary_changed.emit(None)
        self.document_changed.emit(self.document)
        self.change_reported.emit(self.document)

    def begin_document(self, document: Document) -> None:
        """Start a new history from a document that opened data are put into at once."""
        self.left.emit()
        self.history.reset(document)

    def mend_document(self, document: Document) -> None:
        """Put the document as its files were found in the place of the present one: no step."""
        self.history.reset(document, is_saved=not self.history.is_changed)
        self.document_changed.emit(self.document)

    def take_changed_data(self, data: DataRef) -> None:
        """The file of the data has another content than before: nothing on screen is of it."""
        if self.document.data is not None:
            self.history.take_changed_data(self.document.data, data)
        self._leave_data()
        self.document_changed.emit(self.document)

    def note_unread(self, why: str) -> None:
        """Say why the data of the document are not read; an empty text: they may be yet."""
        if why != self.unread:
            self.unread = why
            self.summary_changed.emit(self.summary)

    def take_summary(self, summary: TableSummary | None) -> None:
        """Take what the engine says of the data."""
        self.summary = summary
        self.unread = self.unread if summary is None else ""
        self.summary_changed.emit(summary)
