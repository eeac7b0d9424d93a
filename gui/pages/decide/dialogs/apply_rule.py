"""Apply this rule to another file: look first, then save. No outcome is needed there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.model import Document
from core.document.results import ApplyResult
from core.document.studies.decision_files import ListResult
from core.engine.messages import ApplyArguments, Ask, SaveArguments
from core.presentation.decide.lists import applied, applied_lines, saved_words
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.questions.decide import ExpectList, HoldOutPlan
from core.questions.fields import FormField
from gui.charts.view_widget import SIGNS, ViewWidget
from gui.pages.data.dialogs.second_file import HowItIsRead, reader_of_new_cases
from gui.pages.decide.dialogs.hold_out_row import HoldOutRow
from gui.pages.decide.dialogs.path_row import CSV, PathRow, TableToWrite
from gui.pages.decide.dialogs.saving_fields import column_fields, default_request, ticked
from gui.pages.decide.validity import invalid_of
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import Rule, TextLabel
from gui.widgets.dialog import FittedDialog, dialog_column, entries_stand
from gui.widgets.fields.form import Form, FormLayout, QuestionForm
from gui.widgets.message_lines import MessageLines
from gui.widgets.notice import plain_sentences

QUIET = ("info", "quiet")


class ApplyRuleDialog(FittedDialog):
    """Choose a file, see that it fits and what would be decided, save the decisions."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.document: Document = session.project.document
        self.asked = default_request(self.document)
        self.applied: ApplyResult | None = None
        self._request = Request(self, session.project)
        self._looked_at = ""
        body = dialog_column(self, "Apply this rule to another file", width=640)
        lead = f"{self.model} decides the cases of another file, with the same matrix and priors."
        body.addWidget(TextLabel(lead, wraps=True))
        body.addLayout(self._make_source())
        body.addLayout(self._make_list())
        self.checks = MessageLines()
        body.addWidget(self.checks)
        body.addWidget(self._make_outcome())
        body.addWidget(self._make_buttons())
        body.addStretch(1)
        self._show_state()

    @property
    def model(self) -> str:
        """Whose rule it is."""
        return self.asked.model

    # ------------------------------------------------------------ parts

    def _make_source(self) -> QHBoxLayout:
        self.how = HowItIsRead(self.session, self.look_at)
        self.preview_button = QPushButton("Look at it")
        self.preview_button.clicked.connect(self.look)
        self.source = PathRow("File to decide", self._ask_for_file, (self.how,))
        self.path = self.source.path
        self.path.enter_is_own = True  # the file is looked at first
        self.path.setPlaceholderText("File with the same columns; no outcome is needed")
        self.path.returnPressed.connect(self.look)
        self.source.path_changed.connect(lambda _path: self._on_path())
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.source, 1)
        row.addWidget(self.preview_button)
        return row

    def _make_list(self) -> QHBoxLayout:
        """No file yet: what so many cases like the evaluated ones are expected to bring."""
        row = QHBoxLayout()
        row.setSpacing(8)
        self.list_form = QuestionForm(ExpectList, ("cases",), FormLayout.LINE)
        self.list_form.show_for(self.session.form_context())
        self.expect_button = QPushButton("What to expect")
        self.expect_button.clicked.connect(self.expect)
        row.addWidget(TextLabel("No file yet?", "quiet"))
        row.addWidget(self.list_form)
        row.addWidget(self.expect_button)
        row.addStretch(1)
        return row

    def _make_outcome(self) -> QWidget:
        self.outcome = QWidget()
        column = QVBoxLayout(self.outcome)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.panel = ViewWidget("left", 0, is_whole=True)
        self.file = TableToWrite()
        self.file.path_changed.connect(lambda _path: self._show_state())
        self.form = Form()
        self.form.changed.connect(self._on_tick)
        self.form.show_fields(self._fields())
        self.hold_out = HoldOutRow(self.session, self._hold_out_question)
        saving = TextLabel("Save the decisions", "strong")
        for widget in (Rule(), self.panel, Rule(), saving, self.file, self.form, self.hold_out):
            column.addWidget(widget)
        return self.outcome

    def _make_buttons(self) -> QDialogButtonBox:
        self.buttons = QDialogButtonBox()
        self.save_button = QPushButton("Save decisions")
        self.save_button.setProperty("kind", "primary")
        self.buttons.addButton(self.save_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.save_button.clicked.connect(self.save)
        self.buttons.rejected.connect(self.reject)
        return self.buttons

    # ------------------------------------------------------------ what is asked for

    def preview_arguments(self, save: SaveArguments | None = None) -> ApplyArguments:
        """The job that looks, and writes the decisions where ``save`` says how."""
        path = self.source.text()
        reader = reader_of_new_cases(self.session, path)
        return ApplyArguments(
            document=self.document, model=self.model, path=path, reader=reader, save=save
        )

    def save_arguments(self) -> ApplyArguments:
        """The job that writes the decisions as well: all of them, by the rule."""
        plan = self.hold_out.plan
        save = replace(
            self.asked,
            path=self.file.text(),
            decisions=(),
            keep_columns=(),
            use_cursor=False,
            hold_out=plan.share if plan is not None else 0.0,
            hold_out_seed=plan.seed if plan is not None else None,
        )
        return self.preview_arguments(save)

    def list_question(self) -> ExpectList:
        """What scales the evaluated rows to the list."""
        question: ExpectList = self.list_form.question(model=self.model)
        return question

    def _hold_out_question(self, plan: HoldOutPlan) -> Ask[HoldOutPlan]:
        looked = self.preview_arguments()
        question = replace(plan, model=looked.model, path=looked.path, reader=looked.reader)
        return Ask.of(looked.document, question)

    def _fields(self) -> tuple[FormField, ...]:
        return tuple(field for field in column_fields(self.asked) if field.name == "P")

    def _on_tick(self, name: str, is_on: bool) -> None:
        self.asked = ticked(self.asked, "columns", name, is_on)
        self.form.show_fields(self._fields())

    # ------------------------------------------------------------ looking

    def look_at(self, path: str) -> None:
        """Look at a file."""
        self.path.setText(path)
        self.look()

    def look(self) -> None:
        """Check the file and show what would be decided; the window goes on meanwhile."""
        path = self.source.text()
        if not path or self._request.is_under_way:
            return
        self._forget()
        self._looked_at = path
        self.how.show_for(path)
        self.checks.add("clock", "quiet", f"Reading {Path(path).name} …")
        self._apply(self._request, self.preview_arguments(), self._take_result, self._take_error)
        self._show_state()

    def _apply(
        self,
        request: Request,
        arguments: ApplyArguments,
        on_result: Callable[[ApplyResult], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        request.run(
            "apply",
            arguments,
            ApplyResult,
            title=f"Applying the rule to {Path(arguments.path).name}",
            on_result=on_result,
            on_error=on_error,
            is_wanted=None if arguments.save is not None else self._is_of_these_data,
        )

    def _is_of_these_data(self) -> bool:
        return self.session.project.document.data == self.document.data

    def expect(self) -> None:
        """Show what a list of the size is expected to bring; nothing is saved."""
        if self._request.is_under_way or not entries_stand(self):
            return
        self._forget()
        question = self.list_question()

        def on_result(result: ListResult) -> None:
            self._forget()
            view = show(question, result, self._labels())
            for text in view.sentences:
                self.checks.add_info(text)
            for text in view.notes:
                self.checks.add_warning(text)
            self._show_state()
            QTimer.singleShot(0, self, self._fit)

        self._request.ask(self.document, question, on_result=on_result, on_error=self._take_error)
        self._show_state()

    def _take_result(self, result: ApplyResult) -> None:
        self._forget()
        path = Path(self._looked_at)
        if self.source.text() != self._looked_at:  # another file is named by now
            self._show_state()
            return
        self.applied = result
        for line in applied_lines(result, self.document, self.model):
            self.checks.add(*SIGNS.get(line.state, QUIET), line.text, line.detail)
        self.panel.show_view(applied(result, self._labels()))
        self.hold_out.refresh()
        if not self.file.text():
            self.file.set_text(str(path.with_name(f"{path.stem}_decisions{CSV}")))
        self._show_state()
        self.fit()

    def _take_error(self, error: Exception) -> None:
        self._forget()
        self.checks.add_error(plain_sentences(error))
        self._show_state()

    def _forget(self) -> None:
        """What was said of another file, or of none."""
        self.applied = None
        self.checks.clear()

    # ------------------------------------------------------------ showing

    def _labels(self) -> Labels:
        return Labels.of(self.document, self.session.results.decisions)

    def _ask_for_file(self, parent: QWidget, start: str) -> str:
        data = self.document.data
        folder = start or (str(Path(data.path).parent) if data else self.session.folder_to_read)
        kinds = "Data (*.csv *.txt *.tsv *.parquet)"
        chosen = QFileDialog.getOpenFileName(parent, "File to decide", folder, kinds)[0]
        if chosen:
            self.look_at(chosen)
        return chosen

    def _on_path(self) -> None:
        if self.applied is not None and self.source.text() != self._looked_at:
            self._forget()
        self._show_state()

    def _show_state(self) -> None:
        is_ready, is_free = self.applied is not None, not self._request.is_under_way
        problem = self.problem()
        self.outcome.setVisible(is_ready)
        self.preview_button.setEnabled(bool(self.source.text()) and is_free)
        self.expect_button.setEnabled(is_free)
        self.save_button.setEnabled(is_ready and not problem)
        self.save_button.setToolTip(problem)
        self.file.show_problem(problem)

    def problem(self) -> str:
        """Why nothing can be saved yet, or an empty text."""
        wrong = invalid_of(self.session.results.decisions, self.model)
        if wrong is not None:
            return wrong.reason
        if self.applied is None:
            return "Choose a file and look at it first."
        if self.file.text() and Path(self.file.text()) == Path(self._looked_at):
            return "The decisions cannot replace the file they are made from."
        return self.file.problem()

    # ------------------------------------------------------------ saving

    def save(self) -> None:
        """Write the decisions; a message says where they went, or the reason stands here."""
        if not entries_stand(self):
            return
        if self.problem():
            self._show_state()
            return
        session = self.session

        def on_saved(result: ApplyResult) -> None:
            if result.saved is not None:  # said wherever the user is by then
                session.project.post(saved_words(result.saved))
            if self._request.is_there:
                self.accept()

        def on_error(refusal: Exception) -> None:
            if self._request.is_there:
                self._take_error(refusal)
            else:
                session.project.post(refusal)

        writing = Request(session, session.project)  # it goes on where the dialog is closed
        self._apply(writing, self.save_arguments(), on_saved, on_error)
        self.save_button.setEnabled(False)
