"""What the window and its pages work on: one project, what was worked out of it, and its files.

A page listens to the signals of these parts, shows what is there, and answers the user by
``project.execute`` with a command.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.document.files.guarded import file_name
from core.document.model import Document
from core.settings import SettingsStore, documents_folder, program_folder, state_folder
from gui.pages.report.keeper import ReportKeeper
from gui.session.files import ProjectFiles
from gui.session.influence import Influence
from gui.session.plugins import Plugins
from gui.session.project import Project
from gui.session.results import Results
from gui.session.table_changes import TableChanges
from gui.session.training import Trainings

if TYPE_CHECKING:
    from core.questions.fields import FormContext
    from gui.session.job_queue import JobQueue


class Session(QObject):
    """The parts of one window's work; each knows only those it is made of.

    Attributes
    ----------
    project : Project
        Document, history, the summary of the data, messages.
    results : Results
        Totals, metric table and resamples, the shared cursor and what is read at it.
    influence : Influence
        What trained models use.
    files : ProjectFiles
        Data and projects opened, found again, held and saved.
    tables, trainings, plugins, report
        Columns and rows that are added, models in training, plugins, the blocks of the report.
    """

    page_requested = Signal(object)  # PageId
    part_requested = Signal(object, str)  # PageId, and a tab or a study of it
    explain_requested = Signal(str)  # show a model on page Explain
    case_requested = Signal(int)  # show the case of a row there, counted from 0

    def __init__(
        self,
        jobs: JobQueue,
        settings: SettingsStore | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.jobs = jobs
        self.settings = settings
        currency = settings.settings.currency if settings is not None else Document().currency
        self.project = Project(jobs, Document(currency=currency), self)
        self.results = Results(self.project)
        self.influence = Influence(self.project)
        self.trainings = Trainings(self.project)
        self.tables = TableChanges(self.project)
        self.plugins = Plugins(self.project)
        self.report = ReportKeeper(self.project, self.results)
        self.files = ProjectFiles(
            self.project, self.results, self.tables, self.report, self.trainings, settings
        )
        for part in (self.tables, self.report, self.files):
            part.page_requested.connect(self.page_requested)

    @property
    def folder_to_read(self) -> str:
        """Where a file is looked for: where one was opened last."""
        last = self.settings.settings.last_folder if self.settings is not None else ""
        return last if last and Path(last).is_dir() else self.folder_to_write

    @property
    def folder_to_write(self) -> str:
        """Where a file is proposed: beside the project, else beside the data, never in the program
        nor among what it keeps."""
        if self.files.project_path:
            return str(Path(self.files.project_path).resolve().parent)
        data = self.project.document.data
        if data is None:
            return str(documents_folder())
        folder = Path(data.path).resolve().parent
        own = (program_folder(), state_folder().resolve())
        is_usable = not any(place in (folder, *folder.parents) for place in own)
        return str(folder if is_usable and os.access(folder, os.W_OK) else documents_folder())

    def name_to_write(self, words: str) -> str:
        """What a file is called at first that is made of the data: "mail_decisions"."""
        data = self.project.document.data
        return file_name(f"{Path(data.path).stem if data is not None else 'data'}_{words}")

    def form_context(self, document: Document | None = None, done: str = "") -> FormContext:
        """What forms know of the project, or of a document made from it."""
        from core.questions.fields import FormContext

        evaluation, plugins = self.results.evaluation, self.plugins.known
        return FormContext(
            document=document or self.project.document,
            summary=self.project.summary,
            totals=self.results.decisions,
            metrics=evaluation.metrics if evaluation is not None else (),
            curves=plugins.curves if plugins is not None else (),
            done=done or "acted on",
        )
