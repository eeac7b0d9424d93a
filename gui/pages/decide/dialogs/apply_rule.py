"""Apply this rule to another file: look first, then save. No outcome is needed there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document
from core.document.results import ApplyResult
from core.document.studies.applying import ListResult
from core.document.wording import (
    format_count,
    format_money,
    format_number,
    format_share,
    format_threshold,
    join_words,
)
from core.engine.messages import ApplyArguments, Ask, SaveArguments
from core.presentation.labels import Labels
from core.presentation.showing import show
from core.presentation.table import Cell, Table
from core.questions.decide import ExpectList, HoldOutPlan
from gui.pages.data.dialogs.second_file import HowItIsRead, reader_of_new_cases
from gui.pages.decide.dialogs.hold_out_row import HoldOutRow
from gui.pages.decide.dialogs.save_decisions import CSV, PathRow
from gui.pages.decide.validity import invalid_of
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import IconLabel, Rule, TextField, TextLabel, clear_layout
from gui.widgets.dialog import AnswerDialog, dialog_column, entries_stand
from gui.widgets.fields.number_field import NumberField
from gui.widgets.notice import plain_sentences
from gui.widgets.tables.figure_table import FigureTable
from payoff.counting import counted

PREVIEW_ROWS = 8
_SIGNS = {"ok": ("check", "gain"), "warning": ("warning", "loss"), "error": ("cross", "error")}


class ApplyRuleDialog(AnswerDialog):
    """Choose a file, see that it fits and what would be decided, save the decisions."""

    def __init__(self, workspace: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.document: Document = workspace.project.document
        self.model = self.document.reference_model or ""
        self.applied: ApplyResult | None = None
        self._request = Request(self, workspace.project)
        self._looked_at = ""
        body = dialog_column(self, "Apply this rule to another file", width=640)
        body.addLayout(self._make_file())
        body.addLayout(self._make_list())
        self.checks = QVBoxLayout()
        self._shown_texts: list[str] = []
        self.checks.setSpacing(4)
        body.addLayout(self.checks)
        body.addWidget(self._make_outcome())
        body.addWidget(self._make_buttons())
        body.addStretch(1)
        self._show_state()

    # ------------------------------------------------------------ parts

    def _make_file(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        lead = "%s decides the cases of another file, with the same matrix and priors."
        column.addWidget(TextLabel(lead % self.model, wraps=True))
        row = QHBoxLayout()
        row.setSpacing(8)
        self.path = TextField()
        self.path.enter_is_own = True  # the file is looked at first
        self.path.setAccessibleName("File to decide")
        self.path.setPlaceholderText("File with the same columns; no outcome is needed")
        self.browse = QPushButton("Browse…")
        self.look_button = QPushButton("Look at it")
        self.how = HowItIsRead(self.workspace, self.look_at)
        row.addWidget(self.path, 1)
        row.addWidget(self.how)
        row.addWidget(self.browse)
        row.addWidget(self.look_button)
        column.addLayout(row)
        self.browse.clicked.connect(self._on_browse)
        self.look_button.clicked.connect(self.look)
        self.path.returnPressed.connect(self.look)
        self.path.textChanged.connect(self._on_path)
        return column

    def _make_list(self) -> QHBoxLayout:
        """No file yet: what so many cases like the evaluated ones are expected to bring."""
        row = QHBoxLayout()
        row.setSpacing(8)
        cases = self.document.case_word[1]
        row.addWidget(TextLabel("No file yet? A list of", "quiet"))
        self.list_size = NumberField(10_000, whole=True, minimum=1, step=1000)
        self.list_size.setFixedWidth(96)
        self.list_size.setAccessibleName("Size of the list")
        row.addWidget(self.list_size)
        row.addWidget(TextLabel(f"{cases} like these", "quiet"))
        self.expect_button = QPushButton("What to expect")
        self.expect_button.clicked.connect(self.expect)
        row.addWidget(self.expect_button)
        row.addStretch(1)
        return row

    def _make_outcome(self) -> QWidget:
        self.outcome = QWidget()
        column = QVBoxLayout(self.outcome)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(Rule())
        self.totals = QGridLayout()
        self.totals.setHorizontalSpacing(24)
        self.totals.setVerticalSpacing(2)
        column.addLayout(self.totals)
        self.preview = FigureTable("First rows with their decisions")
        column.addWidget(self.preview)
        column.addWidget(Rule())
        column.addWidget(TextLabel("Save the decisions", "strong"))
        self.file = PathRow("")
        self.file.path_changed.connect(lambda _path: self._show_state())
        column.addWidget(self.file)
        self.chances = QCheckBox("with the chances as used (P_)")
        column.addWidget(self.chances)
        self.hold_out = HoldOutRow(self.workspace, self._hold_out_question)
        column.addWidget(self.hold_out)
        self.note = TextLabel("", "note", wraps=True)
        column.addWidget(self.note)
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

    # ------------------------------------------------------------ looking

    def look_arguments(self) -> ApplyArguments:
        """The job that only looks."""
        path = self.path.text().strip()
        return ApplyArguments(
            document=self.document,
            model=self.model,
            path=path,
            reader=reader_of_new_cases(self.workspace, path),
        )

    def save_arguments(self) -> ApplyArguments:
        """The job that writes the decisions as well."""
        columns = ("D", "EP", "P") if self.chances.isChecked() else ("D", "EP")
        plan = self.hold_out.plan
        looked = self.look_arguments()
        return ApplyArguments(
            document=looked.document,
            model=looked.model,
            path=looked.path,
            reader=looked.reader,
            save=SaveArguments(
                document=self.document,
                model=self.model,
                path=self.file.text(),
                columns=columns,
                hold_out=plan.share if plan is not None else 0.0,
                hold_out_seed=plan.seed if plan is not None else None,
            ),
        )

    def _hold_out_question(self, plan: HoldOutPlan) -> Ask[HoldOutPlan]:
        looked = self.look_arguments()
        question = replace(plan, model=looked.model, path=looked.path, reader=looked.reader)
        return Ask.of(looked.document, question)

    def look_at(self, path: str) -> None:
        """Look at a file."""
        self.path.setText(path)
        self.look()

    def look(self) -> None:
        """Check the file and show what would be decided; the window goes on meanwhile."""
        path = self.path.text().strip()
        if not path or self._request.is_under_way:
            return
        self.applied = None
        self._looked_at = path
        self.how.show_for(path)
        self._clear_checks()
        self._add_check("clock", "quiet", f"Reading {Path(path).name} …")
        self._apply(self._request, self.look_arguments(), self._take_result, self._take_error)
        self._show_state()

    def _is_of_these_data(self) -> bool:
        return self.workspace.project.document.data == self.document.data

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

    def list_question(self) -> ExpectList:
        """What scales the evaluated rows to the list."""
        return ExpectList(model=self.model, cases=round(self.list_size.value()))

    def expect(self) -> None:
        """Show what a list of the size is expected to bring; nothing is saved."""
        if self._request.is_under_way or not entries_stand(self):
            return
        self.applied = None
        self._clear_checks()
        self._request.ask(
            self.document,
            self.list_question(),
            on_result=self._take_list,
            on_error=self._take_error,
        )
        self._show_state()

    def _take_list(self, result: ListResult) -> None:
        labels = Labels.of(self.document, self.workspace.results.decisions)
        view = show(self.list_question(), result, labels)
        for text in view.sentences:
            self._add_check("info", "quiet", text)
        for text in view.notes:
            self._add_check("warning", "loss", text)
        self._show_state()
        QTimer.singleShot(0, self._fit)

    def _take_result(self, result: ApplyResult) -> None:
        self._clear_checks()
        if self.path.text().strip() != self._looked_at:  # another file is named by now
            self._show_state()
            return
        self.applied = result
        for text in self._check_texts(result):
            self._add_check("check", "gain", text)
        for line in result.checks:
            name, role = _SIGNS.get(line.state, ("info", "quiet"))
            self._add_check(name, role, line.text, line.detail)
        for text in result.warnings:
            self._add_check("warning", "loss", text)
        self._show_totals(result)
        self._show_preview(result)
        self.hold_out.refresh()
        path = Path(self._looked_at)
        if not self.file.text():
            self.file.set_text(str(path.with_name(f"{path.stem}_decisions{CSV}")))
        self._show_state()
        QTimer.singleShot(0, self._fit)  # once the rows have been laid out

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            width = max(self.width(), self.sizeHint().width())
            self.resize(width, layout.totalHeightForWidth(width))

    def _take_error(self, error: Exception) -> None:
        self.applied = None
        self._clear_checks()
        self._add_check("cross", "error", plain_sentences(error))
        self._show_state()

    def _check_texts(self, result: ApplyResult) -> list[str]:
        """What was checked, in words: columns, classes, rows."""
        document = self.document
        trained = document.trained_model(self.model)
        columns = [*(trained.features if trained else document.score_columns(self.model))]
        predicted = document.prediction_column(self.model)
        columns += [predicted] if predicted is not None else []
        columns += self._costs()
        levels = document.target.levels if document.target else ()
        words = [document.target.label(level) if document.target else level for level in levels]
        texts = [
            f"All columns that the rule reads are there: {join_words(columns)}.",
            counted(result.rows, *document.case_word) + ".",
        ]
        if words:
            texts.insert(1, f"Classes as in this project: {join_words(words)}.")
        if result.realised_total is not None:
            texts.append("The outcome is known there too.")
        return texts

    def _costs(self) -> list[str]:
        matrix = self.document.matrix
        if matrix is None:
            return []
        amounts = [matrix.amount] if matrix.amount is not None else []
        return [cost.column for cost in matrix.costs if cost.column] + amounts

    def _add_check(self, name: str, role: str, text: str, detail: str = "") -> None:
        line = QWidget()
        line.setToolTip(detail)
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(IconLabel(name, role, 16), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(TextLabel(text, wraps=True), 1)
        self.checks.addWidget(line)
        self._shown_texts.append(text)

    def _clear_checks(self) -> None:
        clear_layout(self.checks)
        self._shown_texts.clear()

    def check_texts(self) -> list[str]:
        """The lines of the check list as they are shown."""
        return list(self._shown_texts)

    # ------------------------------------------------------------ showing

    def total_words(self) -> list[tuple[str, str]]:
        """Captions and amounts; a total without an outcome is named as expected."""
        result = self.applied
        if result is None:
            return []
        currency = self.document.currency
        matrix = self.document.matrix
        is_loss = matrix is not None and matrix.kind is MatrixKind.LOSS
        sign = -1.0 if is_loss else 1.0
        amount = "loss" if is_loss else "profit"
        rows = [
            (
                f"Expected total {amount}, from the chances",
                format_money(sign * result.expected_total, currency),
            )
        ]
        if result.realised_total is not None:
            rows.append(
                (
                    f"Realised total {amount}, from the outcome",
                    format_money(sign * result.realised_total, currency),
                )
            )
        cases = max(1, sum(count for _decision, count in result.counts))
        for decision, count in result.counts:
            rows.append((decision, f"{format_count(count)} ({format_share(count / cases)})"))
        return rows

    def _show_totals(self, result: ApplyResult) -> None:
        clear_layout(self.totals)
        for place, (caption, text) in enumerate(self.total_words()):
            self.totals.addWidget(TextLabel(caption, "quiet"), place, 0)
            role = "strong" if place == 0 else "body"
            value = TextLabel(text, role)
            self.totals.addWidget(value, place, 1, Qt.AlignmentFlag.AlignRight)
        self.totals.setColumnStretch(2, 1)

    def _show_preview(self, result: ApplyResult) -> None:
        rows = tuple(
            tuple(
                Cell(text=preview_text(name, text), is_left=column == 0, exact=text)
                for column, (name, text) in enumerate(
                    zip(result.preview_columns, line, strict=True)
                )
            )
            for line in result.preview.rows[:PREVIEW_ROWS]
        )
        self.preview.show_content(Table(columns=result.preview_columns, rows=rows))
        self.preview.setFixedHeight(self.preview.content_height() + 12)
        self.preview.setVisible(bool(rows))

    def _on_browse(self) -> None:
        start = str(Path(self.document.data.path).parent) if self.document.data else ""
        chosen, _kind = QFileDialog.getOpenFileName(
            self, "File to decide", start, "Data (*.csv *.txt *.tsv *.parquet)"
        )
        if chosen:
            self.path.setText(chosen)
            self.look()

    def _on_path(self) -> None:
        if self.applied is not None and self.path.text().strip() != self._looked_at:
            self.applied = None
            self._clear_checks()
        self._show_state()

    def _show_state(self) -> None:
        is_ready = self.applied is not None
        self.outcome.setVisible(is_ready)
        is_free = not self._request.is_under_way
        self.look_button.setEnabled(bool(self.path.text().strip()) and is_free)
        self.expect_button.setEnabled(is_free)
        problem = self._problem()
        self.save_button.setEnabled(is_ready and not problem)
        self.save_button.setToolTip(problem)
        replaced = "The file that stands there will be replaced."
        text = problem if is_ready else ""
        if is_ready and not problem and self.file.replaces():
            text = replaced
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _problem(self) -> str:
        wrong = invalid_of(self.workspace.results.decisions, self.model)
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
        if self._problem():
            self._show_state()
            return
        workspace, words = self.workspace, "Saved %s to %s"

        def on_saved(result: ApplyResult) -> None:
            if result.saved is not None:  # said wherever the user is by then
                workspace.project.post(
                    words % (counted(result.saved.rows, "row"), result.saved.path)
                )
            if self._request.is_there:
                self.accept()

        def on_error(refusal: Exception) -> None:
            if self._request.is_there:
                self._take_error(refusal)
            else:
                workspace.project.post(refusal)

        writing = Request(workspace, workspace.project)  # it goes on where the dialog is closed
        self._apply(writing, self.save_arguments(), on_saved, on_error)
        self.save_button.setEnabled(False)


def preview_text(column: str, text: str) -> str:
    """A cell of the preview for reading: chances as shares, expected amounts with two decimals."""
    try:
        number = float(text)
    except ValueError:
        return text
    if column.startswith("P_"):
        return format_threshold(number)
    return format_number(number) if column.startswith(("EP_", "EL_")) else text
