"""Figures by group of cases: every metric, the totals and a curve by the values of a column."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.document.compare.chart_kinds import ChartKind, chart_kind, chart_task, kinds_with
from core.document.compare.metric_words import metric_interval, metric_value
from core.document.model import Role
from core.document.plugin_results import MetricInfo
from core.document.results import Chart
from core.document.studies.segments import Segment, SegmentsResult
from core.document.wording import format_count
from core.questions.compare import Segments
from gui.pages.compare.study_dialog import StudyDialog
from gui.plots import ChartCard, ChartLook, ChartSpec, CursorState
from gui.plots.further_looks import LOOKS, kind_of_face
from gui.plots.scales import ceil_to, nice_step
from gui.plots.spec import AxisSpec, BaselineSpec, ReadingLine, SeriesSpec, Side
from gui.plots.words import capitalised
from gui.workspace import Workspace
from payoff.vocabulary import CurveAxis

DRAWS = 500
SPLIT_KINDS = ("profit", "roi", "score_distribution", "threshold", "survival_groups")
_USUAL_LOOKS = {
    "roc": ("others found (false alarms)", "found"),
    "gains": ("cases by depth", "found"),
    "lift": ("cases by depth", "lift"),
    "calibration": ("predicted chance", "happened"),
}


class _Axes(NamedTuple):
    """Names of the axes, and whether x runs over values and y over shares."""

    x: str
    y: str
    is_value: bool
    is_share: bool


def _face_of(chart: Chart, look: ChartLook) -> tuple[ChartKind | None, _Axes]:
    """What a chart is called and what its axes are, a plugin's by what it says of itself."""
    known, face = chart_kind(chart.kind), chart.face
    if known is None and face is not None:
        is_value = face.x_unit != "percent"
        axes = _Axes(face.x_label, face.y_label, is_value, face.y_unit == "percent")
        return kind_of_face(chart.kind, face), axes
    words = _USUAL_LOOKS.get(chart.kind, ("", ""))
    if chart.kind in LOOKS:
        words = (LOOKS[chart.kind].x_words(look), LOOKS[chart.kind].y_words(look))
    is_value = known is not None and known.axis is CurveAxis.VALUE
    return known, _Axes(*words, is_value, chart.kind != "lift")


class SegmentChart(ChartCard):
    """One chart of one model with a line per group."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: SegmentsResult | None = None
        self._look: ChartLook | None = None
        super().__init__(parent, is_compact=True)

    def show_result(self, result: SegmentsResult | None, look: ChartLook) -> None:
        """Draw the curves of a result."""
        self._result, self._look = result, look
        self.refresh()
        self.set_cursor(0.0)

    def make_spec(self) -> ChartSpec | None:
        result, look = self._result, self._look
        if result is None or look is None or result.chart is None:
            return None
        chart = result.chart
        known, axes = _face_of(chart, look)
        if known is None:
            return None
        curves = [curve for curve in chart.curves if curve.model]
        series = tuple(
            SeriesSpec(
                name=curve.name,
                series=place,
                x=curve.x,
                y=curve.y,
                low=curve.low,
                high=curve.high,
            )
            for place, curve in enumerate(curves)
        )
        top = max((float(np.nanquantile(entry.y, 0.99)) for entry in series), default=1.0)
        low = min((float(np.nanmin(entry.y)) for entry in series), default=0.0)
        is_share = axes.is_share and top <= 1.0 and low >= 0.0
        ends = [float(entry.x[-1]) for entry in series]
        right = max(ends, default=1.0)
        is_value = axes.is_value
        is_falling = sum(float(entry.y[0] - entry.y[-1]) for entry in series) > 0
        side: Side = "right" if chart.face is None or chart_kind(chart.kind) else "above"
        return ChartSpec(
            kind=chart.kind,
            title=known.title,
            subtitle=f"{known.subtitle} by {result.column}, {result.model}",
            x_axis=AxisSpec(
                label=axes.x,
                quantity="number" if is_value else "percent",
                low=0.0 if not is_value else min(float(entry.x[0]) for entry in series),
                high=right if is_value else min(1.0, ceil_to(right, 0.1)),
            ),
            y_axis=AxisSpec(
                label=axes.y,
                quantity="percent" if is_share else "number",
                low=min(0.0, low) if is_share or low < 0 else 0.0 if low < 0.5 * top else low,
                high=ceil_to(top, nice_step(top - min(0.0, low), 5, is_percent=is_share)),
                last_tick=1.0 if is_share else None,
            ),
            series=series,
            baselines=tuple(
                BaselineSpec(
                    name=c.name, x=c.x, y=c.y, label_at=0.6, side=side, needs_room=side == "above"
                )
                for c in chart.curves
                if not c.model
            ),
            definition=chart.definition,
            variant=chart.variant,
            rows_text=result.rows.text,
            headroom=6,
            box_corner="top right" if is_falling else "bottom right",
        )

    def make_state(self, depth: float) -> CursorState | None:
        spec = self.view.spec
        if spec is None or self._result is None:
            return None
        lines = tuple(
            ReadingLine(
                name=entry.name, value="", series=entry.series, is_hidden=entry.name in self.hidden
            )
            for entry in spec.series
        )
        return CursorState(x=None, head=self._result.column, note="", lines=lines)

    def depth_at(self, x: float, y: float) -> float | None:
        return None


class SegmentsDialog(StudyDialog):
    """Choose a column: the table has a row per group, the chart a line."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            workspace,
            "By group of cases",
            (
                "Every figure in each group of a column. A group's interval is its own; the more "
                "groups, the more of them look unlike the whole by chance."
            ),
            parent,
        )
        self.resize(980, 640)
        document = workspace.document
        self.by = self.add_choice("By", [(name, name) for name in self._columns()])
        metrics = workspace.evaluation.metrics if workspace.evaluation is not None else ()
        self.figure = self.add_choice("Figure", [(info.title, info.metric) for info in metrics])
        if document.matrix is not None and document.target and document.target.levels:
            for words, key in (
                ("Total profit by the rule", "total_profit"),
                ("Average profit by the rule", "average_profit"),
            ):
                if self.figure.findData(key) < 0:
                    self.figure.addItem(words, key)
        curves = workspace.plugins.curves if workspace.plugins is not None else ()
        split = {*SPLIT_KINDS, *(entry.curve for entry in curves if entry.is_split)}
        kinds = [e for e in kinds_with(chart_task(document), curves) if e.kind not in split]
        self.kind = self.add_choice("Chart", [(entry.subtitle, entry.kind) for entry in kinds])
        self.choices.addStretch(1)
        self.chart = SegmentChart()
        self.chart.setMinimumHeight(240)
        self.chart.refused.connect(workspace.post)
        row = QHBoxLayout()
        row.addWidget(self.chart, 1)
        self.column.insertLayout(self.column.indexOf(self.table) + 1, row, 1)
        self._result: SegmentsResult | None = None
        self.by.activated.connect(self.refresh)
        self.kind.activated.connect(self.refresh)
        self.figure.activated.connect(self._show)
        self.refresh()

    def _columns(self) -> list[str]:
        """Columns that can make groups: inputs first, no scores and no outcome."""
        document = self.workspace.document
        names = document.data.columns if document.data is not None else ()
        left = (Role.TARGET, Role.POSTERIOR, Role.SCORE, Role.PREDICTION, Role.ID)
        found = []
        for name in names:
            role = document.role_of(name)
            if role is None or role.role not in left:
                found.append(name)

        def is_late(name: str) -> bool:
            role = document.role_of(name)
            return role is None or role.role is not Role.INPUT

        return sorted(found, key=is_late)

    def refresh(self) -> None:
        """Ask for the groups of the column chosen."""
        self.begin()
        column = self.by.currentData()
        if column is None:
            self.say("The data have no column that could make groups.")
            return
        self.say("Being worked out…")
        question = Segments(
            column=str(column),
            chart=str(self.kind.currentData() or ""),
            resamples=DRAWS,
        )
        self.put(question, self._take)

    def _take(self, result: SegmentsResult) -> None:
        self._result = result
        self._show()

    def _show(self) -> None:
        result = self._result
        if result is None:
            return
        key = self.figure.currentData()
        info = next((entry for entry in result.metrics if entry.metric == key), None)
        workspace = self.workspace
        look = ChartLook.from_document(workspace.document, workspace.level, workspace.decisions)
        self.chart.show_result(result, look)
        if info is None:
            self.say("This figure is not there for these rows.", result.warnings)
            self.show_rows((), ())
            return
        models = [entry.name for entry in workspace.document.models]
        rows = [self._row(result, info, models, segment) for segment in result.segments]
        whole = Segment(name="", rows=result.rows.rows, events=0)
        rows.append(self._row(result, info, models, whole))
        event = capitalised(look.event)
        columns = (result.column, capitalised(look.cases), event, *models, "")
        self.show_rows(columns, rows, right=range(1, 3 + len(models)), wide=3 + len(models))
        self.say(
            f"{info.title} by {result.column}, 95 % intervals.",
            (*result.warnings, result.rows.text),
        )

    def _row(
        self, result: SegmentsResult, info: MetricInfo, models: list[str], segment: Segment
    ) -> tuple[str, ...]:
        cells = [segment.name or "all", format_count(segment.rows)]
        cells.append(format_count(segment.events) if segment.name and segment.events else "")
        for model in models:
            estimate = result.cell(segment.name, model, info.metric)
            if estimate is None or not math.isfinite(estimate.value):
                cells.append("–")
                continue
            text = metric_value(info, estimate.value)
            if math.isfinite(estimate.low) and math.isfinite(estimate.high):
                text += f"  ({metric_interval(info, estimate.low, estimate.high)})"
            cells.append(text)
        return (*cells, segment.note)
