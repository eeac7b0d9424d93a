"""The two studies of boosting, runnable: progress and figures grow, Stop keeps what is done."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.document.studies.iterations import (
    SHRINKAGE,
    IterationResult,
    RuleOutcome,
    ShrinkageCurve,
)
from core.document.wording import format_count, format_number, format_share
from core.questions.experiments import BoostingIterations
from gui.jobs.request import NotFinishedError, Request
from gui.models.text_table import TextTableModel
from gui.pages.experiments.iteration_charts import RulesChart, ShrinkageChart
from gui.pages.experiments.words import study_title
from gui.parts import TextLabel
from gui.parts.dialog_buttons import entries_stand
from gui.parts.form import FormLook, QuestionForm
from gui.workspace import Workspace

FIELD = 96  # pixels of a number
_FIRST_PLACE = 0.55  # of the cursor, as a share of the axis


class IterationDialog(QDialog):
    """Runs one of the studies on made-up data; each draw that is done is shown at once."""

    def __init__(self, workspace: Workspace, study: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.study = study
        self.result_shown: IterationResult | None = None
        self._request = Request(self, workspace)
        is_shrinkage = study == SHRINKAGE
        self.setWindowTitle(study_title(study))
        self.resize(960, 680)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(TextLabel(_lead(study), "quiet", wraps=True))
        column.addLayout(self._controls())
        column.addLayout(self._progress())
        self.lines, self.rules = ShrinkageChart(), RulesChart()
        self._charts = QStackedWidget()
        for chart in (self.lines, self.rules):
            self._charts.addWidget(chart)
            chart.refused.connect(workspace.post)
            chart.set_empty(study_title(study), "Press Run.")
        self._charts.setCurrentWidget(self.lines if is_shrinkage else self.rules)
        column.addWidget(self._charts, 3)
        self.table_model = TextTableModel(self)
        self.table = QTableView()
        self.table.setModel(self.table_model)
        self.table.setAccessibleName(study_title(study))
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(26)
        column.addWidget(self.table, 2)

    # ------------------------------------------------------------ building

    def _controls(self) -> QHBoxLayout:
        rate = () if self.study == SHRINKAGE else ("rate",)
        names = ("sets", "rows", "trees", "draws", *rate)
        self.form = QuestionForm(BoostingIterations, names, FormLook.ABOVE, width=FIELD)
        self.form.show_for(self.workspace.form_context())
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
        self.shown = QComboBox()
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
        seed = self.workspace.document.seed
        question: BoostingIterations = self.form.question(study=self.study, seed=seed)
        self._show_running(is_running=True)
        self.state.setText("The first draw is made.")
        self._request.ask(
            self.workspace.document,
            question,
            title=study_title(self.study),
            on_result=self.show_result,
            on_partial=self.show_result,
            on_error=self._refuse,
            on_end=lambda _outcome: self._show_running(is_running=False),
        )

    def stop(self) -> None:
        """End the study; the draws that are done stay."""
        if self._request.is_under_way:
            self.stop_button.setEnabled(False)
            self._request.stop()

    def _refuse(self, refusal: Exception) -> None:
        if self.result_shown is None or not isinstance(refusal, NotFinishedError):
            self.state.setText(str(refusal))  # else it says how many draws were done

    def _show_running(self, *, is_running: bool) -> None:
        self.run_button.setEnabled(not is_running)
        self.stop_button.setEnabled(True)
        for widget in (self.bar, self.stop_button):
            widget.setVisible(is_running)

    # ------------------------------------------------------------ showing

    def show_result(self, result: IterationResult) -> None:
        """Show figures and table of the draws so far."""
        self.result_shown = result
        self.bar.setRange(0, result.wanted)
        self.bar.setValue(result.done)
        done = "{done} of {wanted} draws of data are done."
        done = done.replace("{done}", format_count(result.done))
        self.state.setText(done.replace("{wanted}", format_count(result.wanted)))
        names = list(dict.fromkeys(curve.data for curve in result.curves))
        if [self.shown.itemText(place) for place in range(self.shown.count())] != names:
            kept = self.shown.currentText()
            self.shown.clear()
            self.shown.addItems(names)
            self.shown.setCurrentIndex(max(0, self.shown.findText(kept)))
        self.shown.setVisible(len(names) > 1)
        self._show_figure()
        head, rows = shrinkage_rows(result.curves) if result.curves else rule_rows(result.rules)
        self.table_model.show(head, rows, right_aligned=tuple(range(1, len(head))))
        self.table.resizeColumnsToContents()

    def _show_figure(self) -> None:
        result = self.result_shown
        if result is None:
            return
        name = self.shown.currentText()
        self.lines.show_curves(tuple(curve for curve in result.curves if curve.data == name))
        self.rules.show_rules(result.rules)
        for chart in (self.lines, self.rules):
            if chart.cursor_depth is None:  # its read-out names the lines
                chart.set_cursor(_FIRST_PLACE)


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


def shrinkage_rows(
    curves: tuple[ShrinkageCurve, ...],
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A row for each data set and shrinkage: the best iteration and the deviance there."""
    head = (
        "Data",
        "Shrinkage",
        "Best iteration",
        "over draws",
        "Deviance there",
        "95 % limits",
    )
    rows: list[tuple[str, ...]] = []
    for curve in curves:
        last = len(curve.deviance)
        best = format_count(round(curve.best))
        if curve.best >= last:
            best = f"not yet at {format_count(last)}"
        limits = "–"
        if curve.draws > 1:
            limits = f"{format_number(curve.least_low, 4)} – {format_number(curve.least_high, 4)}"
        rows.append(
            (
                curve.data,
                f"{curve.shrinkage:g}",
                best,
                f"{format_count(curve.best_low)} – {format_count(curve.best_high)}",
                format_number(curve.least, 4),
                limits,
            )
        )
    return head, rows


def rule_rows(rules: tuple[RuleOutcome, ...]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A row for each rule: the median with its limits, the middle half, the iterations."""
    head = (
        "Rule",
        "Median share of the best",
        "95 % limits",
        "Middle half",
        "Mean iterations",
    )
    rows: list[tuple[str, ...]] = [
        (
            rule.method,
            format_share(rule.median),
            f"{format_share(rule.low)} – {format_share(rule.high)}",
            f"{format_share(rule.quarter)} – {format_share(rule.three_quarters)}",
            format_count(round(rule.trees)),
        )
        for rule in rules
    ]
    return head, rows
