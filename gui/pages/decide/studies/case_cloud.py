"""Chance against the case's own break-even: whoever lies above the line is worth acting on."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.studies.cases import CaseCloud
from core.document.wording import format_share
from core.presentation.labels import Labels
from gui.plots.own_chart import OwnChart
from gui.plots.spec import AxisSpec, BaselineSpec, Chart, CursorState, PointsSpec, ReadingLine
from payoff.counting import counted_of
from payoff.types import FloatArray


class CaseCloudChart(OwnChart):
    """A point per case drawn; the diagonal is where acting begins to pay."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._cloud: CaseCloud | None = None
        self._words: Labels | None = None
        self._series = 0
        super().__init__(parent)

    def show_cloud(self, cloud: CaseCloud, words: Labels, series: int) -> None:
        """Show other cases; without own break-evens the reason."""
        self._cloud, self._words, self._series = cloud, words, series
        self.refresh()
        self.set_empty("Which cases are worth acting on?", cloud.reason)
        self.go_to(None if cloud.reason else min(cloud.mean_break_even, 1.0))

    def wait(self, words: str) -> None:
        """Show a sentence in place of cases: they are being worked out, or were refused."""
        self._cloud = None
        self.refresh()
        self.set_empty("Which cases are worth acting on?", words)

    def make_spec(self) -> Chart | None:
        cloud, words = self._cloud, self._words
        if cloud is None or words is None or not len(cloud.chance):
            return None
        left, right = _start_of(cloud.break_even), _end_of(cloud.break_even)
        top = max(_end_of(cloud.chance), right)
        event = cloud.is_event
        return Chart(
            kind="case_cloud",
            title="Which cases are worth acting on?",
            subtitle=f"{counted_of(len(cloud.chance), cloud.cases, words.case, words.cases)} drawn",
            x_axis=AxisSpec(
                label="the case's own break-even chance",
                quantity="percent",
                low=left,
                high=right,
            ),
            y_axis=AxisSpec(label="chance by the model", quantity="percent", low=0.0, high=top),
            baselines=(
                BaselineSpec(
                    name="acting begins to pay",
                    x=np.array([left, right]),
                    y=np.array([left, right]),
                    label_at=0.2,
                    side="above",
                ),
            ),
            points=(
                PointsSpec(
                    name="others",
                    series=-1,
                    x=cloud.break_even[~event],
                    y=cloud.chance[~event],
                ),
                PointsSpec(
                    name="events",
                    series=self._series,
                    x=cloud.break_even[event],
                    y=cloud.chance[event],
                    size=4.5,
                ),
            ),
            definition=(
                "Costs or amounts differ from case to case, so each has a chance of its own at "
                "which acting begins to pay. Acting pays for the points %s the diagonal."
            )
            % ("above" if cloud.acts_above else "below"),
            headroom=8,
            box_corner="top right",
        )

    def value_words(self, name: str, value: float) -> str:
        return format_share(value)

    def place_words(self, x: float) -> tuple[str, str]:
        return f"break-even {format_share(x)}", ""

    def make_state(self, depth: float) -> CursorState | None:
        state = super().make_state(depth)
        if state is None or self.view.spec is None:
            return state
        lines = tuple(
            ReadingLine(
                name=entry.name,
                value="",
                series=entry.series,
                is_bar=True,
                is_hidden=entry.name in self.hidden,
            )
            for entry in self.view.spec.points
        )
        return CursorState(x=state.x, head=state.head, note=state.note, lines=lines)


def _start_of(values: FloatArray) -> float:
    """The start of an axis of chances: 0 unless all values lie far from it."""
    low, high = float(values.min()), float(values.max())
    return 0.0 if low < 0.5 * high else max(0.0, low - 0.2 * (high - low))


def _end_of(values: FloatArray) -> float:
    """The end of an axis of chances: a little beyond the largest, at most all."""
    return min(1.0, max(0.01, 1.05 * float(values.max())))
