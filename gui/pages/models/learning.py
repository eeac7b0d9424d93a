"""The chart of a training: deviance by tree on training, validation and out-of-bag cases."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from core.document.wording import format_count
from core.presentation.learning import Learning, deviance_words, learned
from core.presentation.view import View
from gui.charts.card import ChartCard
from gui.charts.spec import Chart, CursorState, ReadingLine, Ring


class LearningChart(ChartCard):
    """Is it still learning? The cursor reads the curves at a tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._learning: Learning | None = None
        self.entry: View | None = None  # what is shown, as the report has it
        self._reads_tree = False
        super().__init__(parent, is_compact=True)
        self._buttons["pin"].hide()
        self._buttons["expand"].hide()
        self.cursor_requested.connect(self._on_cursor)
        self.best_requested.connect(self._leave_cursor)

    def show_learning(self, learning: Learning | None) -> None:
        """Show another training, or more trees of this one."""
        before = self._learning
        is_other = learning is None or before is None or before.model != learning.model
        self._learning = learning
        self.entry = learned(learning) if learning is not None and learning.done else None
        if is_other:
            self._reads_tree = False
        if learning is not None and not self._reads_tree:
            self._depth = learning.done / max(1, learning.wanted)
        self.refresh()

    @property
    def learning(self) -> Learning | None:
        """The learning curves that the chart draws; None where it is empty."""
        return self._learning

    def _on_cursor(self, depth: float) -> None:
        self._reads_tree = True
        self.set_cursor(depth)

    def _leave_cursor(self) -> None:
        self._reads_tree = False
        if self._learning is not None:
            self.set_cursor(self._learning.done / max(1, self._learning.wanted))

    def make_spec(self) -> Chart | None:
        return None if self.entry is None else self.entry.charts[0]

    # ------------------------------------------------------------ the cursor

    def make_state(self, depth: float) -> CursorState | None:
        learning = self._learning
        if learning is None or learning.done == 0:
            return None
        tree = self._tree_at(learning, depth)
        place = learning.place_of(tree)
        lines, rings = [], []
        for name, values, dash, is_quiet in learning.curves():
            value = float(values[place])
            lines.append(
                ReadingLine(
                    name=name,
                    value=deviance_words(value, learning.size()),
                    series=learning.series,
                    is_chosen=name == learning.watched,
                    is_hidden=name in self.hidden,
                    dash=dash,
                    is_quiet=is_quiet,
                )
            )
        if math.isfinite(learning.no_model):
            said = deviance_words(learning.no_model, learning.size())
            lines.append(ReadingLine(name="no model", value=said, series=None))
        value = learning.best_value()
        if math.isfinite(value) and learning.watched not in self.hidden:
            lines.append(
                ReadingLine(
                    name=f"best: tree {format_count(learning.best)}",
                    value=deviance_words(value, learning.size()),
                    series=None,
                )
            )
            rings.append(Ring(x=float(learning.best), y=value, series=learning.series, name="best"))
        return CursorState(
            x=float(tree) if self._reads_tree else None,
            head=f"tree {format_count(tree)}",
            note="",
            lines=tuple(lines),
            rings=tuple(rings),
        )

    def depth_at(self, x: float, y: float) -> float | None:
        learning = self._learning
        if learning is None:
            return None
        return min(max(x, 1.0), float(learning.done)) / max(1, learning.wanted)

    def cases_in_all(self) -> float:
        return float(self._learning.wanted) if self._learning is not None else 100.0

    @staticmethod
    def _tree_at(learning: Learning, depth: float) -> int:
        return min(learning.done, max(1, round(depth * learning.wanted)))
