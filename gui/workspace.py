"""The one state that every page watches: document, results, cursor, data and project file.

A page listens to the signals, shows what is there, and answers the user by ``execute`` with a
command (``gui.results``). Here files are opened, found again and saved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.document.commands import OpenData
from core.document.data.missing_outcomes import MissingOutcomes
from core.document.data.model import DataRef, ReaderSettings
from core.document.data.recipes import at_paths
from core.document.files.project import Headline, Project, open_project, save_project
from core.document.history import History
from core.document.model import Document
from core.document.studies.joining import MakeTableArguments
from core.engine.messages import JobOutcome, LoadArguments
from core.settings import RecentProject, SettingsStore
from gui.jobs.terms import Terms
from gui.report.keeper import ReportKeeper
from gui.results import DATA_MISSING, DocumentResults
from gui.starting_matrix import starting_matrix
from gui.table_changes import TableChanges
from gui.training import Trainings
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.data.results import TableSummary
    from core.document.files.shelf import ModelShelf
    from core.document.model import Document
    from gui.jobs import JobQueue


class Workspace(DocumentResults):
    """Document, results, data and project file of one window."""

    page_requested = Signal(str)
    explain_requested = Signal(str)  # show a model on page Explain
    project_changed = Signal()  # opened, saved, or the recent list is another
    data_missing = Signal(str)  # path of the data file that an opened project does not find

    def __init__(
        self,
        jobs: JobQueue,
        settings: SettingsStore | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(jobs, parent)
        self.settings = settings
        if settings is not None:
            self.history = History(Document(currency=settings.settings.currency))
        self.project_path: str | None = None
        self.saved_at: datetime | None = None
        self._opening = 0  # how often data or a project were to be opened: the last time counts
        self.trainings = Trainings(self)
        self.tables = TableChanges(self)
        self.report = ReportKeeper(self)

    # ------------------------------------------------------------ data

    def open_data(
        self,
        path: str,
        reader: ReaderSettings | None = None,
        *,
        on_end: Callable[[JobOutcome], None] | None = None,
    ) -> int:
        """Load a file and take it as the project's data; what was open stays if it fails."""

        def on_result(result: object) -> None:
            from core.document.data.results import TableSummary

            if isinstance(result, TableSummary):
                self._take_table(result)

        self._opening += 1
        wish = self._opening
        return self.jobs.submit(
            "load",
            LoadArguments(path=path, reader=reader or ReaderSettings()),
            title=self.tr("Loading %s") % Path(path).name,
            on_result=on_result,
            on_error=self.post,
            on_end=on_end,
            terms=Terms(self, lambda: wish == self._opening),
        )

    def _take_table(self, summary: TableSummary) -> None:
        self.summary = summary
        self._decide_key = self._evaluate_key = None
        before = self.document.data
        is_unnamed = self.document.name in ("Untitled", Path(before.path).stem if before else "")
        matrix = None
        if summary.target is not None:
            outcome = summary.target.column
            column = next((c for c in summary.columns if c.name == outcome), None)
            matrix = starting_matrix(summary.target, column)
        opened = OpenData(
            data=summary.data,
            roles=summary.roles,
            target=summary.target,
            split=summary.split,
            matrix=matrix,
            name=Path(summary.data.path).stem if is_unnamed else None,
            missing_outcomes=MissingOutcomes.ASK,
        )
        self._first_timer.start()
        self.summary_changed.emit(summary)
        self.execute(opened)
        for warning in summary.warnings:
            self.post(warning)
        if before is not None and before.path == summary.data.path:
            self.tables.make_again(before.recipe)
        self.page_requested.emit("data")

    def load_summary(self, data: DataRef) -> int:
        """Load the data of an opened project; its roles stay as they were saved."""
        wanted = self.document.data

        def on_result(result: object) -> None:
            from core.document.data.results import TableSummary

            if isinstance(result, TableSummary) and self.document.data == wanted:
                self._take_summary(result)

        arguments: LoadArguments | MakeTableArguments
        kind, arguments = "load", LoadArguments(path=data.path, reader=data.reader)
        if not data.recipe.is_empty:
            kind, arguments = "make_table", MakeTableArguments(data=data)

        def on_error(error: Exception) -> None:
            self.post(error)
            lost = _lost_further(data)
            if lost is not None:
                self.data_missing.emit(lost)

        return self.jobs.submit(
            kind,
            arguments,
            title=self.tr("Loading %s") % Path(data.path).name,
            on_result=on_result,
            on_error=on_error,
        )

    def _take_summary(self, summary: TableSummary) -> None:
        data = self.document.data
        self.withdraw(DATA_MISSING)
        if data is not None and summary.data.content_hash != data.content_hash:
            self.post(
                PayoffError(
                    self.tr("The data file has changed since the project was saved."),
                    where=summary.data.path,
                    why=self.tr("Its content is not the same."),
                    remedy=self.tr("All numbers are computed again from the file as it is now."),
                )
            )
        self.summary = summary
        self._decide_key = self._evaluate_key = None
        self.summary_changed.emit(summary)
        self._request_results()

    # ------------------------------------------------------------ project file

    def open_project(self, path: str) -> bool:
        """Open a project and load its data; a refusal is posted and what was open stays."""
        try:
            project = open_project(path)
            self._put_on_shelf(project)
        except PayoffError as refusal:
            self.post(refusal)
            return False
        self.project_path = path
        self.saved_at = _moment(project.headline.saved_at)
        self._remember(project.document, project.headline)
        self.take_project(project.document)
        self.report.take(project.report)
        return True

    def open_sample(self, path: str) -> bool:
        """Open a bundled project; saving asks where, so that the sample stays as it is."""
        try:
            project = open_project(path)
            self._put_on_shelf(project)
        except PayoffError as refusal:
            self.post(refusal)
            return False
        self.project_path = None
        self.saved_at = None
        self.take_project(_found(project.document, path))
        self.report.take(project.report)
        return True

    def _shelf_if_needed(self) -> ModelShelf | None:
        has_trained = any(entry.trained is not None for entry in self.document.models)
        return self.jobs.shelf if has_trained else None

    def _put_on_shelf(self, project: Project) -> None:
        """Give the engine the trained models of a project before it is asked for their scores."""
        shelf = self.jobs.shelf if project.models else None
        if shelf is not None:
            for content in project.models.values():
                shelf.put(content)

    def take_project(self, document: Document) -> None:
        """Show a document and load the data it names, wherever the file is found."""
        document = _found(document, self.project_path)
        self._opening += 1  # data that are being read are not for this project
        self.take_document(document)
        self.project_changed.emit()
        data = document.data
        if data is None:
            return
        if Path(data.path).is_file():
            self.load_summary(data)
        else:
            self.data_missing.emit(data.path)

    def find_data(self, path: str) -> None:
        """Take the data file of the project, or a further one that is lost, from another place."""
        data = self.document.data
        if data is None:
            return
        lost = _lost_further(data) if Path(data.path).is_file() else None
        if lost is None:
            found = replace(data, path=path)
        else:
            found = replace(data, recipe=at_paths(data.recipe, {lost: path}))
        self.history.reset(replace(self.document, data=found))
        self.document_changed.emit(self.document)
        self.load_summary(found)

    def save_project(self, path: str) -> bool:
        """Save the project atomically; on failure the old file is whole and the work stays."""
        headline = self.headline()
        try:
            shelf, blocks = self._shelf_if_needed(), self.report.blocks()
            written = save_project(path, self.document, headline, shelf, blocks)
        except PayoffError as refusal:
            self.post(refusal)
            return False
        self.history.mark_saved()
        self.project_path = str(written)
        self.saved_at = datetime.now(UTC)
        self._remember(self.document, headline)
        self.project_changed.emit()
        return True

    def headline(self) -> Headline:
        """What Home will show of the project as it is now."""
        from gui.headline import headline_of

        decisions = self.decisions if self.decisions_are_fresh else None
        return headline_of(self.document, decisions, self.cursor_depth, self.reading)

    def _remember(self, document: Document, headline: Headline) -> None:
        if self.settings is None or self.project_path is None:
            return
        entry = RecentProject(
            path=self.project_path,
            name=document.name,
            opened_at=datetime.now(UTC).isoformat(timespec="seconds"),
            currency=document.currency,
            case_words=document.case_word[1],
            headline=headline,
        )
        self.settings.change(self.settings.settings.with_recent(entry))


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _found(document: Document, project_path: str | None) -> Document:
    """The document with its data file found: as named, or beside the project by the same name."""
    data = document.data
    if data is None or project_path is None:
        return document
    folder = Path(project_path).resolve().parent
    further = {file.path: _beside(folder, file.path) for file in data.recipe.files}
    path = _beside(folder, data.path)
    return replace(document, data=replace(data, path=path, recipe=at_paths(data.recipe, further)))


def _lost_further(data: DataRef) -> str | None:
    """The first further file of the data that is not where it was."""
    paths = (file.path for file in data.recipe.files)
    return next((path for path in paths if not Path(path).is_file()), None)


def _beside(folder: Path, path: str) -> str:
    """A path as it stands, or in the project's folder by the same name where it is there."""
    found = (place for place in (folder / path, folder / Path(path).name) if place.is_file())
    return str(next(found, path))
