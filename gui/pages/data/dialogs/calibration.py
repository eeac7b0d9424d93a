"""Turn scores into chances: the direction asked, every way fitted and judged, one taken."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialogButtonBox,
    QGridLayout,
    QRadioButton,
    QWidget,
)

from core.document.commands import SetRole
from core.document.decisions.model_commands import SetCalibration
from core.document.decisions.words import probabilities_sentence
from core.document.model import CalibrationSpec, Document
from core.document.studies.compare import CalibrationResult
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import Cell, Table, View
from core.questions.compare import FitCalibration
from gui.charts.shown_chart import ShownChart
from gui.pages.report.parts import ReportPart, view_part
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import Rule, TextLabel, clear_layout
from gui.widgets.dialog import AnswerDialog, dialog_buttons, dialog_column
from gui.widgets.fields.form import FormLayout, QuestionForm
from gui.widgets.fields.segments import Segments
from gui.widgets.message_lines import MessageLines
from gui.widgets.notice import plain_sentences

MORE, LESS = "more", "less"


class ProbabilitiesDialog(AnswerDialog):
    """Fits at once, shows what each way would give, and takes the chosen one as one undo step."""

    def __init__(
        self, session: Session, model: str | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.result_shown: CalibrationResult | None = None
        self._view: View | None = None
        self._fitted = session.project.document  # what the ways were asked of
        self._request = Request(self, session.project)
        body = dialog_column(self, "Turn scores into chances", width=752, spacing=10)
        body.addLayout(self._make_settings(model))
        self.lead = TextLabel("", "quiet", wraps=True)
        body.addWidget(self.lead)
        body.addWidget(Rule())
        self.ways = QGridLayout()
        self.ways.setHorizontalSpacing(24)
        self.ways.setVerticalSpacing(6)
        self.ways.setColumnStretch(0, 1)
        body.addLayout(self.ways)
        self.notes = MessageLines()
        body.addWidget(self.notes)
        self.chart = ShownChart(least_height=240)
        self.chart.refused.connect(session.project.post)
        body.addWidget(self.chart, 1)
        body.addWidget(self._make_buttons())
        self._group = QButtonGroup(self)
        self._group.idToggled.connect(self._on_way)
        self._show_model()
        session.report.adopt(FitCalibration.facts.key, self)

    # ------------------------------------------------------------ the report

    def report_parts(self) -> tuple[ReportPart, ...]:
        """Return every way to chances, while they are of the model in view."""
        view = self._view if self.result_shown is not None else None
        return () if view is None else (view_part(view, [self.chart]),)

    def report_document(self) -> Document:
        """Return the document that the ways were fitted for."""
        return self._fitted

    # ------------------------------------------------------------ parts

    def _make_settings(self, model: str | None) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(3, 1)
        self.form = QuestionForm(
            FitCalibration, ("model", "folds", "bands"), FormLayout.LINE, width=64
        )
        if model:
            self.form.draft.say("model", model)
        self.form.show_for(self.session.form_context())
        self.form.requested_again.connect(self._show_model)
        self.direction = Segments(
            ((MORE, "more likely"), (LESS, "less likely")),
            name="What a higher score means",
        )
        self.direction_words = TextLabel("", "quiet")
        grid.addWidget(self.form, 0, 0, 1, 4)
        grid.addWidget(self.direction_words, 1, 0)
        grid.addWidget(self.direction, 1, 1, Qt.AlignmentFlag.AlignLeft)
        self.direction.chosen.connect(self._on_direction)
        return grid

    def _make_buttons(self) -> QDialogButtonBox:
        self.buttons, self.take_button = dialog_buttons(self, "Use these chances")
        return self.buttons

    # ------------------------------------------------------------ asking

    def chosen_model(self) -> str:
        """The model whose scores are to become chances."""
        return str(self._question().model)

    def _document(self) -> Document:
        return self.session.project.document

    def _show_model(self) -> None:
        document, model = self._document(), self.chosen_model()
        role = document.score_role(model)
        label = document.target.label(document.target.event) if document.target else ""
        self.direction_words.setText(f"A higher score: “{label}”")
        for widget in (self.direction, self.direction_words):
            widget.setVisible(role is not None)
        if role is not None:
            self.direction.choose(LESS if role.is_reversed else MORE)
        self._ask()

    def _on_direction(self, key: str) -> None:
        """The direction belongs to the column: turning it is a step of its own."""
        role = self._document().score_role(self.chosen_model())
        if role is not None and role.is_reversed != (key == LESS):
            turned = replace(role, is_reversed=key == LESS, is_guess=False, reason="chosen by you")
            self.session.project.execute(SetRole(assignment=turned))
            self._ask()

    def _question(self) -> FitCalibration:
        question: FitCalibration = self.form.question(seed=self._document().seed)
        return question

    def _ask(self) -> None:
        question = self._question()
        self.result_shown = None
        clear_layout(self.ways)  # of another model, or of other folds
        self.notes.clear()
        self.chart.show_chart(None)
        self.take_button.setEnabled(False)
        self.lead.setText("Fitting chances to the outcomes of the rows in use …")
        self._fitted = self._document()
        self._request.ask(
            self._fitted,
            question,
            on_result=lambda result: self._take_result(question, result),
            on_error=self._take_error,
        )

    def _take_error(self, error: Exception) -> None:
        self.lead.setText("")
        clear_layout(self.ways)
        self.chart.show_chart(None)
        self.notes.clear()
        self.notes.add_error(plain_sentences(error))

    def _take_result(self, question: FitCalibration, result: CalibrationResult) -> None:
        self.result_shown = result
        self._view = show(question, result, Labels.of(self._document()))
        self.lead.setText(" ".join(self._view.sentences))
        self._show_ways(result, self._view.tables[0])
        self.notes.clear()
        for text in self._view.notes:
            self.notes.add_warning(text)

    # ------------------------------------------------------------ showing

    def _show_ways(self, result: CalibrationResult, table: Table) -> None:
        clear_layout(self.ways)
        for button in self._group.buttons():
            self._group.removeButton(button)
        for column, text in enumerate(table.columns):
            self.ways.addWidget(TextLabel(text, "quiet"), 0, column)
        if result.options[0].spec is not None:
            self._add_way(1, -1, Cell(text="no chances: it only ranks"))
        for place, cells in enumerate(table.cells()):
            self._add_way(place + 2, place, *cells)
        button = self._group.button(self._present(result))
        if button is not None:
            button.setChecked(True)

    def _present(self, result: CalibrationResult) -> int:
        """The way that is in use; the best one where none is."""
        entry = self._document().model(self.chosen_model())
        probabilities = entry.calibration if entry is not None else None
        if probabilities is None:
            return result.best
        methods = [option.spec.method if option.spec else None for option in result.options]
        return methods.index(probabilities.method)

    def _add_way(self, row: int, key: int, way: Cell, *figures: Cell) -> None:
        """A way that can be chosen, with its figures behind it."""
        button = QRadioButton(way.text)
        button.setMinimumWidth(button.sizeHint().width() + 4)
        self._group.addButton(button, key)
        self.ways.addWidget(button, row, 0)
        for column, cell in enumerate(figures, start=1):
            role = "note" if cell.role == "quiet" else "strong" if cell.is_bold else "body"
            label = TextLabel(cell.text, role)
            label.setToolTip(cell.exact)
            self.ways.addWidget(label, row, column)

    def _on_way(self, key: int, is_on: bool) -> None:
        if is_on and self.result_shown is not None:
            assert self._view is not None
            shown = self._view.by_row[key] if key >= 0 else self._view
            self.chart.show_chart(shown.charts[0])
            self.take_button.setEnabled(True)

    # ------------------------------------------------------------ taking

    def chosen_spec(self) -> CalibrationSpec | None:
        """The fitted chances that are chosen; None for the scores as they stand."""
        key = self._group.checkedId()
        if self.result_shown is None or key < 0:
            return None
        return self.result_shown.options[key].spec

    def accept(self) -> None:
        model = self.chosen_model()
        if self.result_shown is None:
            return
        present = self._document().model(model)
        spec = self.chosen_spec()
        if present is not None and (present.calibration is not None or spec is not None):
            self.session.project.execute(SetCalibration(model=model, calibration=spec))
            now = self._document()
            changed = now.model(model)
            if changed is not None and changed.calibration is not None:
                self.session.project.post(
                    probabilities_sentence(changed, now.rows_used, now.data_hash)
                )
        super().accept()
