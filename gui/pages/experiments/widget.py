"""Page Experiments: parts at the left, what has run at the right; files of experiments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from core.document.experiments.files import SUFFIX
from core.document.experiments.results import CHOOSING, SHRINKAGE, ExperimentResult
from core.document.experiments.spec import PROTOCOLS
from core.document.model import Document
from core.presentation.experiments.iterations import study_title
from core.presentation.experiments.views import experiment_title
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.questions.experiments import CheckExperiment
from gui.pages.experiments.own_models import OwnModelsCard
from gui.pages.experiments.parts_card import PartsCard, help_of_page
from gui.pages.experiments.presenter import ExperimentsPresenter
from gui.pages.experiments.results import ExperimentResults
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme, icon
from gui.widgets import HelpButton, Segments
from gui.widgets.dialog import entries_stand
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.file_dialog import file_dialog

if TYPE_CHECKING:
    from gui.pages.experiments.iteration_dialog import IterationDialog

_EXPERIMENTS = (f"Experiments (*{SUFFIX})",)


class ExperimentsPage(Page):
    """Shows what the presenter knows of the parts; the results show what has run."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Experiments", parent)
        self.setAccessibleName(self.header.title.text())
        self.presenter = ExperimentsPresenter(session, self)
        self.presenter.is_looked_at = self.isVisible
        self._build_header()
        self.own = OwnModelsCard(session)
        self.body.addWidget(self.own)
        row = QHBoxLayout()
        row.setSpacing(current_theme().sizes.gap)
        self.parts = PartsCard()
        row.addWidget(self.parts)
        self.results = ExperimentResults(self.presenter)
        row.addWidget(self.results, 1)
        self.body.addLayout(row, 1)
        self._connect()
        session.project.document_changed.connect(self.in_front(self.presenter.refresh))
        self.presenter.refresh()

    def on_shown(self) -> None:
        self.presenter.refresh()
        self.own.refresh()

    def show_part(self, part: str) -> None:
        self.open_study(part)

    def report_parts(self) -> tuple[ReportPart, ...]:
        studies = self.presenter.studies
        parts = (
            ReportPart(key=view.key, title=view.title, answered=partial(studies.get, view.key))
            for view in studies.values()
        )
        return (*self.results.report_parts(), *parts)

    def report_document(self) -> Document | None:
        return self.presenter.ran_document()

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.protocol = ChoiceBox()
        for facts in PROTOCOLS.values():
            self.protocol.addItem(facts.label, facts.id)
        self.header.add_left(self.protocol, "Protocol")
        self.mode = Segments(
            [("default", "Default"), ("paper", "As the paper")],
            name="How ambiguous points of the source are read",
        )
        self.header.left.addWidget(self.mode)
        self.header.left.addWidget(HelpButton(help_of_page()))
        self.compare = QPushButton("Compare with")
        self.compare.setIcon(icon("compare"))
        self.compare_menu = QMenu(self.compare)
        self.compare.setMenu(self.compare_menu)
        self.studies = QPushButton("Studies")
        self.studies.setToolTip("Studies of boosting on made-up data, run here")
        studies = QMenu(self.studies)
        for study in (SHRINKAGE, CHOOSING):
            words = study_title(study)
            studies.addAction(f"{words}…", partial(self.open_study, study))
        self.studies.setMenu(studies)
        self.export = QPushButton("Export")
        self.export.setIcon(icon("export"))
        self.header.add_right(self.join_report(PageId.EXPERIMENTS))
        self.header.add_right(self.studies)
        self.header.add_right(self.compare)
        self.header.add_right(self.export)

    def _connect(self) -> None:
        presenter = self.presenter
        presenter.parts_changed.connect(self._show_parts)
        presenter.facts_changed.connect(self._show_facts)
        presenter.changed.connect(self._show_run)
        self.protocol.activated.connect(
            lambda _place: presenter.take_protocol(str(self.protocol.currentData()))
        )
        self.mode.chosen.connect(lambda mode: presenter.take(replace(presenter.spec, mode=mode)))
        self.parts.spec_changed.connect(presenter.take)
        self.parts.file_wanted.connect(self._choose_file)
        self.parts.run.clicked.connect(self._run)
        self.export.clicked.connect(self._choose_export)
        self.compare_menu.aboutToShow.connect(self._fill_compare)

    # ------------------------------------------------------------ showing

    def _show_parts(self) -> None:
        spec = self.presenter.spec
        self.protocol.setCurrentIndex(self.protocol.findData(spec.protocol))
        self.mode.choose(spec.mode)
        self.parts.show_spec(spec, self.presenter.choices)

    def _show_facts(self) -> None:
        facts, refusal = self.presenter.facts, self.presenter.facts_refusal
        if refusal:
            self.parts.show_refusal(refusal)
        else:
            self.parts.show_facts(show(CheckExperiment(), facts, Labels()) if facts else None)

    def _show_run(self) -> None:
        """Say what the button does: all of it, or the rest."""
        seen, result = self.presenter, self.presenter.result
        self.parts.run.setEnabled(not seen.is_running)
        self.parts.run.setText(seen.run_word)
        self.export.setEnabled(result is not None and result.done > 0)
        is_rest = seen.can_go_on
        left = result.wanted - result.done if is_rest and result is not None else seen.spec.fits
        self.parts.show_fits(left, is_rest=is_rest)

    # ------------------------------------------------------------ what the user does

    def _run(self) -> None:
        if entries_stand(self):
            self.presenter.run()

    def open_study(self, study: str) -> IterationDialog:
        """Open a study of boosting in a window of its own, beside the page."""
        from gui.pages.experiments.iteration_dialog import IterationDialog

        dialog = IterationDialog(self.session, study, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.answered.connect(self.presenter.keep_study)
        dialog.show()
        return dialog

    def _choose_file(self) -> None:
        """Ask for the rows' file."""
        take = self.presenter.take_file
        file_dialog(
            self,
            "Rows of the experiment",
            self.session.folder_to_read,
            take,
            kinds=["All files (*)"],
        ).open()

    def _choose_saved(self) -> None:
        """Ask for an experiment that was exported."""
        title, take = "Compare with a saved experiment", self.presenter.compare_with_file
        file_dialog(self, title, self.session.folder_to_read, take, kinds=_EXPERIMENTS).open()

    def _choose_export(self) -> None:
        """Ask where to write the runs and the whole experiment."""
        name = f"{self.presenter.spec.protocol}{SUFFIX}"
        title, take = "Export the experiment", self.presenter.export
        file_dialog(
            self, title, self.session.folder_to_write, take, kinds=_EXPERIMENTS, saves_as=name
        ).open()

    def _fill_compare(self) -> None:
        menu, seen = self.compare_menu, self.presenter
        menu.clear()
        for entry in reversed(seen.finished):
            if seen.result is None or entry.spec != seen.result.spec:
                menu.addAction(experiment_title(entry.spec), self._comparing_with(entry))
        menu.addAction("A saved experiment…", self._choose_saved)
        if seen.other is not None:
            menu.addAction("Nothing", lambda: seen.compare_with(None))

    def _comparing_with(self, other: ExperimentResult) -> Callable[[], None]:
        return lambda: self.presenter.compare_with(other)
