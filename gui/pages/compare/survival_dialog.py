"""Survival over time: curves of groups and of one case, and chances at a time for page Decide."""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QPushButton, QWidget

from core.document.model import Document, Role
from core.document.studies.survival import (
    HorizonFileArguments,
    HorizonFileResult,
    SurvivalResult,
)
from core.document.wording import format_count, format_number, format_share
from core.presentation.chart import Chart
from core.questions.compare import Survival
from gui.pages.compare.study_dialog import StudyDialog
from gui.parts import NumberField, TextLabel
from gui.plots import ChartCard, CursorState
from gui.plots.spec import AxisSpec, ReadingLine, SeriesSpec
from gui.workspace import Workspace

_PREDICTED: tuple[float, ...] = ()  # one line through
_OBSERVED = (4.0, 3.0)


class SurvivalChart(ChartCard):
    """Shares without the event over time: each group as predicted and as observed, and one case."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: SurvivalResult | None = None
        super().__init__(parent, is_compact=True)

    def show_result(self, result: SurvivalResult | None) -> None:
        """Draw a result; the cursor starts at its horizon."""
        self._result = result
        self.refresh()
        if result is not None:
            self.set_cursor(result.horizon / float(result.times[-1]))

    def make_spec(self) -> Chart | None:
        result = self._result
        if result is None:
            return None
        series = []
        for number, group in enumerate(result.groups):
            series.append(
                SeriesSpec(
                    name=group.name,
                    series=number,
                    x=result.times,
                    y=group.predicted,
                    dash=_PREDICTED,
                )
            )
            series.append(
                SeriesSpec(
                    name=f"{group.name}, observed",
                    series=number,
                    x=result.times,
                    y=group.observed,
                    low=group.low,
                    high=group.high,
                    dash=_OBSERVED,
                )
            )
        if len(result.case):
            series.append(
                SeriesSpec(
                    name="this case",
                    series=len(result.groups),
                    x=result.times,
                    y=result.case,
                    is_chosen=True,
                    dash=_PREDICTED,
                )
            )
        return Chart(
            kind="survival_over_time",
            title="Without the event",
            subtitle="predicted as lines, observed dashed with 95 % bands",
            x_axis=AxisSpec(label="time", quantity="number", low=0.0, high=float(result.times[-1])),
            y_axis=AxisSpec(label="share", quantity="percent", low=0.0, high=1.0, last_tick=1.0),
            series=tuple(series),
            definition=(
                "Predicted: {origin}, averaged over the cases of a group. Observed: Kaplan and "
                "Meier."
            ).replace("{origin}", result.origin),
        )

    def make_state(self, depth: float) -> CursorState | None:
        result = self._result
        if result is None:
            return None
        place = round(depth * (len(result.times) - 1))
        lines = [
            self._reading(group.name, float(group.predicted[place]), number)
            for number, group in enumerate(result.groups)
        ]
        if len(result.case):
            value = float(result.case[place])
            lines.append(self._reading("this case", value, len(result.groups)))
        x = float(result.times[place])
        head = f"at {_short(x)}"
        return CursorState(x=x, head=head, note="", lines=tuple(lines))

    def _reading(self, name: str, share: float, series: int) -> ReadingLine:
        return ReadingLine(
            name=name,
            value=format_share(share),
            series=series,
            is_hidden=name in self.hidden,
            dash=_PREDICTED,
        )

    def depth_at(self, x: float, y: float) -> float | None:
        """Share of the longest time."""
        return None if self._result is None else x / float(self._result.times[-1])


class SurvivalDialog(StudyDialog):
    """Choose a model, groups, a case and a time; save the chances at that time."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            workspace,
            "Survival over time",
            (
                "How long cases stay without the event: as the model says, and as it was. Chances "
                "at one time can be saved beside the data and decided with on page Decide."
            ),
            parent,
        )
        self.resize(960, 700)
        document = workspace.document
        self._result: SurvivalResult | None = None
        names = models_over_time(document)
        self.model = self.add_choice("Model", [(name, name) for name in names])
        groups: list[tuple[str, object]] = [("thirds by predicted risk", None)]
        groups += [(name, name) for name in document.columns_of(Role.INPUT)]
        self.groups = self.add_choice("Groups", groups)
        rows = document.data.rows if document.data is not None else 1
        self.row = NumberField(1.0, minimum=1.0, maximum=float(rows), whole=True)
        self.horizon = NumberField(0.0, minimum=0.0, maximum=1e12)
        self._add_field("Case in row", self.row)
        self._add_field("Time", self.horizon)
        self.choices.addStretch(1)
        self.save = QPushButton("Save chances at this time…")
        self.save.setAutoDefault(False)
        self.save.clicked.connect(self._choose_file)
        self.buttons.addButton(self.save, QDialogButtonBox.ButtonRole.ActionRole)
        self.chart = SurvivalChart()
        self.chart.setMinimumHeight(300)
        self.chart.refused.connect(workspace.post)
        self.chart.cursor_requested.connect(self.chart.set_cursor)
        self.column.insertWidget(self.column.indexOf(self.table), self.chart, 3)
        for combo in (self.model, self.groups):
            combo.activated.connect(lambda _row: self.refresh())
        for field in (self.row, self.horizon):
            field.value_committed.connect(lambda _value: self.refresh())
        self.refresh()

    def _add_field(self, caption: str, field: NumberField) -> None:
        field.setAccessibleName(caption)
        field.setMaximumWidth(110)
        self.choices.addWidget(TextLabel(caption, "quiet"))
        self.choices.addWidget(field)

    def refresh(self) -> None:
        """Ask for the curves of what is chosen."""
        self.begin()
        self.save.setEnabled(False)
        has_model = self.model.count() > 0
        self.chart.setVisible(has_model)  # nothing but the sentence, where there is nothing to draw
        self.table.setVisible(has_model)
        for widget in (self.model, self.groups, self.row, self.horizon):
            widget.setEnabled(has_model)
        if not has_model:
            self.say("There is no model of a risk over time: train one on page Models.")
            return
        self.say("Being worked out…")
        question = Survival(
            model=str(self.model.currentData()),
            row=round(self.row.value()) - 1,
            horizon=self.horizon.value() or None,
            column=self.groups.currentData(),
        )
        self.put(question, self._take)

    def _take(self, result: SurvivalResult) -> None:
        self._result = result
        self.horizon.set_value(result.horizon)
        self.save.setEnabled(True)
        self.chart.show_result(result)
        time = _short(result.horizon)
        rows = [
            (
                group.name,
                format_count(group.cases),
                format_share(1.0 - group.at_horizon[0]),
                format_share(1.0 - group.at_horizon[1]),
            )
            for group in result.groups
        ]
        columns = (
            "Group",
            "Cases",
            f"Event by {time}, predicted",
            "observed",
        )
        self.show_rows(columns, rows, right=(1, 2, 3), wide=0)
        text = "By time {time} the event comes to this case with a chance of {chance}."
        text = text.replace("{time}", time).replace("{chance}", format_share(result.case_chance))
        figures = "At that time: Brier score {brier} (the same chance for all: {same}), AUC {auc}."
        for name, value in (
            ("{brier}", result.brier),
            ("{same}", result.brier_constant),
            ("{auc}", result.auc),
        ):
            figures = figures.replace(name, format_number(value, 3))
        self.say(text, (figures, *result.notes, result.rows.text))

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self, "Save the data with chances at this time", "", "CSV (*.csv)"
        )
        if path:
            self.save_to(path)

    def save_to(self, path: str) -> None:
        """Write the data with chance, outcome and weight at the time shown."""
        if self._result is None:
            return
        arguments = HorizonFileArguments(
            document=self.workspace.document,
            model=self._result.model,
            horizon=self._result.horizon,
            path=path,
        )
        self.stop_asking()
        title = "Saving chances"
        self.write("horizon_file", arguments, HorizonFileResult, title, self._saved)

    def _saved(self, result: HorizonFileResult) -> None:
        text = (
            "Saved. Open the file: {outcome} is its outcome, {chance} the chance of 1, "
            "{weight} the weight. {unknown} cases were lost from sight before that time or "
            "entered after it: the weights of the others make up for them."
        )
        for name in ("outcome", "chance", "weight"):
            text = text.replace(f"{{{name}}}", str(getattr(result, name)))
        self.say(text.replace("{unknown}", format_count(result.unknown)))


def _short(time: float) -> str:
    """A time to four digits, without empty decimals."""
    return f"{time:.4g}" if abs(time) < 1e4 else format_number(time, 0)


def models_over_time(document: Document) -> tuple[str, ...]:
    """Models trained here on times with an event."""
    return tuple(
        entry.name
        for entry in document.models
        if entry.trained is not None and entry.trained.event is not None
    )
