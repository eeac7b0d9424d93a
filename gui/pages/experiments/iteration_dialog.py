"""The two studies of boosting, runnable: progress and figures grow, Stop keeps what is done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.experiments.results import SHRINKAGE, IterationResult
from core.presentation.experiments.iterations import study_title
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.experiments import BoostingIterations
from gui.charts.shown_chart import ShownChart
from gui.session.request import NotFinishedError, Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import AnswerDialog, entries_stand
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.fields.form import FormLayout, QuestionForm
from gui.widgets.tables.figure_table import ResultTable

FIELD = 96  # pixels of a number
_FIRST_PLACE = 0.55  # of the cursor, as a share of the axis


class IterationDialog(AnswerDialog):
    """Runs one of the studies on made-up data; each draw that is done is shown at once."""

    answered = Signal(object)  # View: the study is at its end, or was stopped

    def __init__(self, session: Session, study: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.study = study
        self.view: View | None = None  # of the draws so far
        self._request = Request(self, session.project)
        self.setWindowTitle(study_title(study))
        self.resize(960, 680)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(TextLabel(_lead(study), "quiet", wraps=True))
        column.addLayout(self._controls())
        column.addLayout(self._progress())
        self.chart = ShownChart()
        self.chart.refused.connect(session.project.post)
        self.chart.enlarge_requested.connect(self._toggle_large)
        self.chart.set_empty(study_title(study), "Press Run.")
        column.addWidget(self.chart, 3)
        self.table = ResultTable(study_title(study), scrolls=True)
        column.addWidget(self.table, 2)

    def _toggle_large(self) -> None:
        """Give the chart the room of the table, or take it back."""
        self.chart.set_large(not self.chart.is_large)
        self.table.setVisible(not self.chart.is_large)

    # ------------------------------------------------------------ building

    def _controls(self) -> QHBoxLayout:
        rate = () if self.study == SHRINKAGE else ("rate",)
        names = ("sets", "rows", "trees", "draws", *rate)
        self.form = QuestionForm(BoostingIterations, names, FormLayout.ABOVE, width=FIELD)
        self.form.show_for(self.session.form_context())
        self.run_button = QPushButton("Run")
        self.run_button.setProperty("kind", "primary")
        self.run_button.clicked.connect(self.run)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.form)
        row.addWidget(self.run_button, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        return row

    def _progress(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        self.shown = ChoiceBox()
        self.shown.setAccessibleName("Data set in the figure")
        self.shown.activated.connect(lambda _place: self._show_figure())
        self.shown.hide()
        self.state = TextLabel("", "quiet")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setMaximumWidth(180)
        self.bar.setAccessibleName("Draws that are done")
        self.stop_button = QPushButton("Stop")
        self.stop_button.setProperty("kind", "danger")
        self.stop_button.clicked.connect(self.stop)
        for widget in (self.bar, self.stop_button):
            widget.hide()
        row.addWidget(self.shown)
        row.addWidget(self.state)
        row.addStretch(1)
        row.addWidget(self.bar)
        row.addWidget(self.stop_button)
        return row

    # ------------------------------------------------------------ running

    def run(self, _checked: bool = False) -> None:
        """Ask the engine for the study."""
        if not entries_stand(self):
            return
        seed = self.session.project.document.seed
        question: BoostingIterations = self.form.question(study=self.study, seed=seed)
        self._show_running(is_running=True)
        self.state.setText("The first draw is made.")
        self._request.ask(
            self.session.project.document,
            question,
            title=study_title(self.study),
            on_result=lambda answer: self._end(question, answer),
            on_partial=lambda answer: self.show_result(question, answer),
            on_error=self._refuse,
            on_end=lambda _outcome: self._show_running(is_running=False),
        )

    def stop(self) -> None:
        """End the study; the draws that are done stay."""
        if self._request.is_under_way:
            self.stop_button.setEnabled(False)
            self._request.stop()

    def _refuse(self, refusal: Exception) -> None:
        if self.view is None or not isinstance(refusal, NotFinishedError):
            self.state.setText(str(refusal))  # else it says how many draws were done

    def _show_running(self, *, is_running: bool) -> None:
        self.run_button.setEnabled(not is_running)
        self.stop_button.setEnabled(True)
        for widget in (self.bar, self.stop_button):
            widget.setVisible(is_running)

    # ------------------------------------------------------------ showing

    def _end(self, question: BoostingIterations, result: IterationResult) -> None:
        self.show_result(question, result)
        self.answered.emit(self.view)

    def show_result(self, question: BoostingIterations, result: IterationResult) -> None:
        """Show figures and table of the draws so far."""
        self.view = view = show(question, result, Labels.of(self.session.project.document))
        self.bar.setRange(0, result.wanted)
        self.bar.setValue(result.done)
        self.state.setText(" ".join(view.sentences))
        names = [chart.title for chart in view.charts]
        if [self.shown.itemText(place) for place in range(self.shown.count())] != names:
            kept = self.shown.currentText()
            self.shown.clear()
            self.shown.addItems(names)
            self.shown.setCurrentIndex(max(0, self.shown.findText(kept)))
        self.shown.setVisible(len(names) > 1)
        self._show_figure()
        self.table.show_content(view.tables[0])

    def _show_figure(self) -> None:
        place = self.shown.currentIndex()
        if self.view is None or place < 0:
            return
        self.chart.show_chart(self.view.charts[place])
        if self.chart.cursor_depth is None:  # its read-out names the lines
            self.chart.set_cursor(_FIRST_PLACE)


def _lead(study: str) -> str:
    if study == SHRINKAGE:
        return (
            "Trees are grown at five shrinkages on made-up data; as many fresh cases judge after "
            "each iteration. Small steps end lower and take about as many times more trees."
        )
    return (
        "40 % of the cases only judge. From the others each rule learns and chooses its number of "
        "iterations: a test set of 33 % or 20 %, the out-of-bag estimate, or five folds."
    )
