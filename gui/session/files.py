"""The files of a project: data and projects opened, found again, held and saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.document.commands import OpenData
from core.document.data.commands import ReplaceData
from core.document.data.model import (
    DataChangedError,
    DataRef,
    MissingOutcomes,
    ReaderSettings,
)
from core.document.data.opening import target_by_name
from core.document.decisions.starting_matrix import assumed_lending, starting_matrix
from core.document.files import project as finding
from core.document.files.atomic import file_identity
from core.document.files.guarded import note_open
from core.document.files.project import (
    Headline,
    Origin,
    ProjectFile,
    SavedProject,
    read_project,
    save_project,
)
from core.document.model import Document, Role
from core.document.studies.data import MakeTableArguments
from core.document.uplift.model import names_effect
from core.document.wording import join_words
from core.engine.kinds import find_kind
from core.engine.messages import JobOutcome, LoadArguments, SaveArguments
from core.questions.needs import predicts_no_amount
from core.settings import RecentProject, SettingsStore
from gui.session.project import DATA_MISSING
from gui.session.request import Request
from gui.shell.page_list import PageId
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.data.results import TableSummary
    from core.document.files.locks import Holder
    from core.document.files.model_store import ModelStore
    from core.document.results import SaveResult
    from gui.pages.report.keeper import ReportKeeper
    from gui.session.project import Project
    from gui.session.results import Results
    from gui.session.table_changes import TableChanges
from gui.session.training import TRAINING, Trainings

SAVING = "saving"  # the cause of a message
WORTH_KEEPING = 60.0  # seconds of work: what took less is done again as easily as it is asked about


class Taking(StrEnum):
    """What a file that has been loaded is for."""

    NEW = "new"  # begins a new project
    REPLACE = "replace"  # takes the place of the project's data
    AGAIN = "again"  # is the project's data, read in another way


class ProjectFiles(QObject):
    """Opens data and projects, finds what has moved, and saves."""

    page_requested = Signal(object)  # PageId
    project_changed = Signal()  # opened, saved, or the recent list is another
    data_missing = Signal(str)  # path of the data file that an opened project does not find
    data_unread = Signal(object, object)  # DataRef, and why: those of the project that is open
    work_settled = Signal()  # the work is saved, or was thrown away

    def __init__(
        self,
        project: Project,
        results: Results,
        tables: TableChanges,
        report: ReportKeeper,
        trainings: Trainings,
        settings: SettingsStore | None,
    ) -> None:
        super().__init__(project)
        self._project, self._results = project, results
        self._tables, self._report, self._settings = tables, report, settings
        self._trainings = trainings
        self.project_path: str | None = None
        self.asks_about_unsaved: Callable[[Callable[[], None], tuple[str, ...]], None] | None = None
        self.told_by_pages: dict[str, Callable[[], str]] = {}  # a kind's loss in words, or nothing
        self._file: ProjectFile | None = None
        self.saved_at: datetime | None = None
        self._opening = Request(self, project)  # of data or a project: the last one counts
        self._reading = Request(self, project)  # of the data of the project that is open
        project.document_changed.connect(self._note_files)
        project.data_wanted.connect(self.load_summary)
        project.left.connect(self._reading.cancel)
        project.jobs.job_ended.connect(self._read_changed)

    def _note_files(self, document: Document) -> None:
        """The files that are open are not written over by what this window exports."""
        note_open(finding.paths_of_data(document))

    # ------------------------------------------------------------ unsaved work

    def when_saved(self, action: Callable[[], None], *, is_end: bool = False) -> None:
        """Do something that ends the present project; the window asks first about unsaved work.

        ``is_end``: the window itself ends.
        """
        losses = self.losses(is_end=is_end)
        if self.asks_about_unsaved is None or not (self.has_changes or losses):
            action()
        else:
            self.asks_about_unsaved(action, losses)

    @property
    def has_project(self) -> bool:
        """Whether there is something to be saved: data, or an experiment on made-up rows."""
        document = self._project.document
        return document.data is not None or document.experiment is not None

    @property
    def first_page(self) -> PageId:
        """Where an opened project is shown first: decisions, as far as it has models for them."""
        document = self._project.document
        if document.data is None:
            return PageId.EXPERIMENTS
        if document.outcome_models:
            return PageId.COMPARE if predicts_no_amount(document) else PageId.DECIDE
        return PageId.UPLIFT if document.models else self._page_of_data(document)

    @property
    def has_changes(self) -> bool:
        """Whether the project holds what its file does not."""
        return self._project.history.is_changed and self.has_project

    def losses(self, *, is_end: bool) -> tuple[str, ...]:
        """What the file of the project cannot hold and would be lost with it, a sentence each."""
        described = []
        if self._trainings.running:
            names = join_words([entry.name for entry in self._trainings.running])
            described.append(f"What {names} has learned so far is lost.")
        open_jobs = self._project.jobs.open_entries()
        if is_end:  # files that are being written for another project are finished
            writing = [entry.title for entry in open_jobs if find_kind(entry.kind).writes]
            described += [f"{title} has not ended: it writes no file." for title in writing]
        in_own_words = (TRAINING, *self.told_by_pages)
        for entry in open_jobs:
            is_told = entry.kind in in_own_words or find_kind(entry.kind).writes
            if entry.is_of_project and not is_told and entry.seconds_so_far > WORTH_KEEPING:
                described.append(f"“{entry.title}” has not ended: what it has found is lost.")
        return (*described, *(words for tell in self.told_by_pages.values() if (words := tell())))

    def throw_away(self) -> None:
        """The user does not want the unsaved work: its copies may go."""
        self.work_settled.emit()

    # ------------------------------------------------------------ data

    def open_data(
        self,
        path: str,
        reader: ReaderSettings | None = None,
        *,
        taking: Taking | None = None,
        asks: bool = False,
        on_end: Callable[[JobOutcome], None] | None = None,
    ) -> int:
        """Load a file and begin a new project with it; what was open stays if it fails.

        ``taking``: left out, a file that is open already is read again. ``asks``: unsaved work is
        asked about once the file has been read; work that was done meanwhile always is.
        """
        from core.document.data.results import TableSummary

        requested = self._project.document
        if taking is None:
            is_open = requested.data is not None and file_identity(
                requested.data.path
            ) == file_identity(path)
            taking = Taking.AGAIN if is_open else Taking.NEW
        chosen = taking

        def on_result(result: TableSummary) -> None:
            if chosen is not Taking.NEW:
                self._take_table(result, chosen)
            elif asks or self._project.document != requested:
                self.when_saved(lambda: self._begin_with(result))
            else:
                self._begin_with(result)

        return self._opening.run(
            "load",
            LoadArguments(path=path, reader=reader or ReaderSettings()),
            TableSummary,
            title=f"Loading {Path(path).name}",
            on_result=on_result,
            on_end=on_end,
        )

    def _begin_with(self, summary: TableSummary) -> None:
        """A new, unnamed project of a file: nothing that was said of another one is left."""
        self._let_go()
        self._project.begin_document(self._new_document(summary.currency))
        self._take_table(summary, Taking.NEW)
        self._report.take(())
        self.project_changed.emit()

    def new_project(self) -> None:
        """Begin anew, with nothing open."""
        self._let_go()
        self.take_project(self._new_document())
        self._report.take(())

    def _new_document(self, currency: str = "") -> Document:
        """An empty project: with the currency of its file, else with the one chosen last."""
        if currency:
            return Document(currency=currency)
        store = self._settings
        return Document(currency=store.settings.currency) if store is not None else Document()

    def _take_table(self, summary: TableSummary, taking: Taking) -> None:
        before = self._project.document.data
        is_replaced = taking is Taking.REPLACE
        target = summary.target
        if is_replaced:
            levels = {c.name: tuple(level for level, _ in c.levels) for c in summary.columns}
            target = target_by_name(self._project.document.target, target, levels)
        matrix = None
        if target is not None:
            matrix = starting_matrix(target, summary.columns)
        known = ("Untitled", Path(before.path).stem if before else "")
        is_unnamed = self._project.document.name in known
        command = ReplaceData if is_replaced else OpenData
        opened = command(
            data=summary.data,
            roles=summary.roles,
            target=target,
            split=summary.split,
            matrix=matrix,
            name=Path(summary.data.path).stem if is_unnamed else None,
            missing_outcomes=MissingOutcomes.ASK,
        )
        self._results.take_summary(summary, is_first=True)
        self._project.execute(opened)
        page = self._page_of_data(self._project.document)
        for warning in summary.warnings if page is not PageId.DATA else ():
            self._project.post(warning)  # page Data says them itself
        if taking is Taking.AGAIN and before is not None:
            self._tables.make_again(before.recipe)
        self.page_requested.emit(page)

    @staticmethod
    def _page_of_data(document: Document) -> PageId:
        """Where a file is shown first: the page that answers it, else that of the data."""
        if document.models and assumed_lending(document.matrix, document.target):
            return PageId.DECIDE
        effects = (e for e in document.roles if e.role is Role.SCORE and names_effect(e.column))
        if document.target and document.column_of(Role.TREATMENT) and next(effects, None):
            return PageId.UPLIFT
        return PageId.DATA

    def load_summary(self, data: DataRef) -> int:
        """Load the data of an opened project; its roles stay as they were saved."""
        from core.document.data.results import TableSummary

        wanted = self._project.document.data
        arguments: LoadArguments | MakeTableArguments
        kind, arguments = "load", LoadArguments(path=data.path, reader=data.reader)
        if not data.recipe.is_empty:
            kind, arguments = "make_table", MakeTableArguments(data=data)

        def on_error(error: Exception) -> None:
            self._project.post(error)
            lost = finding.missing_additional_file(data)
            if lost is not None:
                self.data_missing.emit(lost)
            else:
                self.data_unread.emit(data, error)
            self._project.note_unread(str(error))

        self._project.withdraw(DATA_MISSING)
        self._project.note_unread("")
        return self._reading.run(
            kind,
            arguments,
            TableSummary,
            title=f"Loading {Path(data.path).name}",
            on_result=self._take_summary,
            on_error=on_error,
            is_wanted=lambda: self._project.document.data == wanted,
        )

    def _take_summary(self, summary: TableSummary) -> None:
        data = self._project.document.data
        self._project.withdraw(DATA_MISSING)
        if data is not None and summary.data.content_hash != data.content_hash:
            self._project.take_changed_data(summary.data)
            since = "the project was saved" if self.project_path else "it was opened"
            self._project.post(
                PayoffError(
                    f"The data file has changed since {since}.",
                    where=summary.data.path,
                    why="Its content is not the same.",
                    remedy="All numbers are computed again from the file as it is now.",
                )
            )
        self._results.take_summary(summary)

    def _read_changed(self, outcome: JobOutcome) -> None:
        """A job has found another content in the file than was opened: it is read anew, once."""
        data = self._project.document.data
        is_changed = isinstance(outcome.error, DataChangedError)
        if is_changed and data is not None and not self._reading.is_under_way:
            self.load_summary(data)

    # ------------------------------------------------------------ project file

    def holder_of(self, path: str) -> Holder | None:
        """Who else works on a project; None where nobody does."""
        if self._file is not None and self._file.is_held and self._file.leads_to(path):
            return None
        file = ProjectFile(path)
        holder = file.take()
        file.release()
        return holder

    @property
    def origin(self) -> Origin | None:
        """The project file that the work belongs to; None where it has none."""
        return None if self._file is None else self._file.origin

    @property
    def is_read_only(self) -> bool:
        """Whether the project's file is another window's to write."""
        return self._file is not None and not self._file.is_held

    def refresh_hold(self) -> None:
        """Say now and then that the project is open here, for disks that know no locks."""
        if self._file is not None:
            self._file.refresh()

    def _let_go(self) -> None:
        """The project's file is no more ours: what comes has none, or another."""
        self._opening.cancel()
        self.project_path = None
        self.saved_at = None
        if self._file is not None:
            self._file.release()
        self._file = None

    def close_project(self) -> None:
        """Let others write the project's file: the window ends."""
        if self._file is not None:
            self._file.release()

    def open_project(self, path: str, *, as_copy: bool = False) -> bool:
        """Open a project and load its data; a refusal is posted and what was open stays.

        Where another window holds the file, it is opened to be read; ``as_copy`` opens its content
        as a project without a file.
        """
        own = self._file if self._file is not None and self._file.leads_to(path) else None
        file = own or ProjectFile(path)
        try:
            holder = None if as_copy else file.take()  # first: it is read as nobody changes it
            project = read_project(path)
            self._put_in_store(project)
        except PayoffError as refusal:
            if own is None:
                file.release()
            self._project.post(refusal)
            return False
        if as_copy:
            return self._open_copy(project, path)
        file.clean()
        file.note_content(project.digest)
        if own is None:
            self._let_go()
        self._opening.cancel()
        self._file = file
        self.project_path = path
        self.saved_at = _moment(project.headline.saved_at)
        self._remember(project.document, project.headline)
        self.take_project(project.document)
        self._take_report(project)
        self._tell_holder(holder)
        return True

    def _tell_holder(self, holder: Holder | None) -> None:
        """Say that the project's file is another window's to write."""
        if holder is not None and self.project_path is not None:
            where = f"It is open in {holder.words}."
            hint = "Changes can be saved under another name."
            self._project.post(f"{Path(self.project_path).name}: read-only. {where} {hint}")

    def _take_report(self, project: SavedProject) -> None:
        """Show the report as it was kept; one that cannot be read leaves the rest as it is."""
        from core.presentation.report.keeping import unpack_views

        try:
            self._report.take(unpack_views(project.report))
        except PayoffError as refusal:
            self._report.take(())
            self._project.post(refusal)

    def _open_copy(self, project: SavedProject, path: str) -> bool:
        """Show what a project file holds, as a project without a file."""
        self._let_go()
        self.take_project(finding.found_beside(project.document, path))
        self._take_report(project)
        return True

    def recover(self, project: SavedProject) -> None:
        """Go on with work that was not saved: it stays unsaved until it is, where it belongs.

        What others wrote to its project file since then is not written over unasked.
        """
        self._let_go()
        holder = None
        if project.origin is not None:
            self.project_path = project.origin.path
            self._file = ProjectFile(self.project_path, project.origin.digest)
            holder = self._file.take()
        self.take_project(project.document, is_saved=False)
        self._take_report(project)
        self._tell_holder(holder)

    def open_sample(self, path: str) -> bool:
        """Open a bundled project; saving asks where, so that the sample stays as it is."""
        try:
            project = read_project(path)
            self._put_in_store(project)
        except PayoffError as refusal:
            self._project.post(refusal)
            return False
        return self._open_copy(project, path)

    def _store_if_needed(self) -> ModelStore | None:
        has_trained = any(entry.trained is not None for entry in self._project.document.models)
        return self._project.jobs.model_store if has_trained else None

    def _put_in_store(self, project: SavedProject) -> None:
        """Give the engine the trained models of a project before it is asked for their scores."""
        model_store = self._project.jobs.model_store if project.models else None
        if model_store is not None:
            for content in project.models.values():
                model_store.put(content)

    def take_project(self, document: Document, *, is_saved: bool = True) -> None:
        """Show a document and load the data it names, wherever the file is found."""
        document = finding.found_beside(document, self.project_path)
        if document.report:  # else nothing of it is imported before the window has painted
            from core.presentation.report.keeping import entries_by_question

            document = entries_by_question(document)
        self._opening.cancel()  # data that are being read are not for this project
        self._project.take_document(document, is_saved=is_saved)
        self.project_changed.emit()
        data = document.data
        if data is None:
            return
        if Path(data.path).exists():
            self.load_summary(data)
        else:
            self.data_missing.emit(data.path)
            self._project.note_unread("Their file is not where it was.")

    def find_data(self, path: str) -> None:
        """Take the data file of the project, or a further one that is lost, from another place."""
        data = self._project.document.data
        if data is None:
            return
        found = finding.with_lost_at(data, path)
        self._project.mend_document(replace(self._project.document, data=found))
        self.load_summary(found)

    def save_project(self, path: str) -> bool:
        """Save the project atomically; on failure the old file is whole and the work stays."""
        try:
            self.write_project(path)
        except PayoffError as refusal:
            self._project.post(refusal, SAVING)
            return False
        return True

    def write_project(self, path: str, *, overwrites: bool = False) -> None:
        """Save the project; what others did to its file is not lost, unless ``overwrites``.

        Raises
        ------
        PayoffError
            As ``core.document.files.project.save_project``.
        """
        headline, document = self.headline(), self._project.document
        own = self._file if self._file is not None and self._file.leads_to(path) else None
        file = own or ProjectFile(path)
        model_store, kept = self._store_if_needed(), self._report.packed()
        written = save_project(
            path, document, headline, model_store, kept, file, overwrites=overwrites
        )
        if self._file is not None and self._file is not file:
            self._file.release()
        self._file = file
        self._project.history.mark_saved()
        self.project_path = str(written)
        self.saved_at = datetime.now(UTC)
        self._remember(document, headline)
        self._project.withdraw(SAVING)
        self.work_settled.emit()
        self.project_changed.emit()

    # ------------------------------------------------------------ what is taken out of it

    def save_decisions(self, arguments: SaveArguments) -> int:
        """Write who gets which decision; a message says where it went."""
        from core.document.results import SaveResult
        from core.presentation.decide.lists import saved_words

        def on_result(result: SaveResult) -> None:
            self._project.post(saved_words(result))

        return Request(self, self._project).run(
            "save_decisions",
            arguments,
            SaveResult,
            title="Saving decisions",
            on_result=on_result,
        )

    def headline(self) -> Headline:
        """What Home will show of the project as it is now."""
        from gui.session.headline import headline_of

        results = self._results
        decisions = results.decisions if results.decisions_are_fresh else None
        document = self._project.document
        return headline_of(document, decisions, results.cursor_depth, results.reading)

    def _remember(self, document: Document, headline: Headline) -> None:
        if self._settings is None or self.project_path is None:
            return
        entry = RecentProject(
            path=self.project_path,
            name=document.name,
            opened_at=datetime.now(UTC).isoformat(timespec="seconds"),
            currency=document.currency,
            case_word=document.case_word[0],
            case_words=document.case_word[1],
            headline=headline,
        )
        self._settings.change(self._settings.settings.with_recent(entry))


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
