"""The chart of a training: deviance by tree on training, validation and out-of-bag cases."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.document.wording import format_count
from core.presentation.labels import Labels
from core.presentation.models.learning import Learning, deviance_words, learning_chart
from core.presentation.view import View
from gui.charts.card import ChartCard
from gui.charts.spec import Chart, CursorState, ReadingLine, Ring


class LearningChart(ChartCard):
    """Is it still learning? The cursor reads the curves at a tree.

    Of a finished model it is the number of trees in use: dragging it chooses another one.

    Signals
    -------
    tree_read(int)
        The cursor is over another number of trees.
    tree_chosen(int)
        It was let go there, on a finished model.
    """

    tree_read = Signal(int)
    tree_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._learning: Learning | None = None
        self._labels = Labels()
        self.entry: View | None = None  # what the report has of it, where it is finished
        self._reads_tree = False
        super().__init__(parent, is_compact=True)
        self._buttons["pin"].hide()
        self.cursor_requested.connect(self._on_cursor)
        self.cursor_released.connect(self._choose)
        self.best_requested.connect(self._leave_cursor)

    def show_learning(
        self, learning: Learning | None, entry: View | None = None, labels: Labels | None = None
    ) -> None:
        """Show another training, more trees of this one, or another number of them in use."""
        before = self._learning
        is_other = learning is None or before is None or before.model != learning.model
        self._learning, self.entry = learning, entry
        self._labels = labels or Labels()
        if is_other or (learning is not None and not learning.is_running):
            self._reads_tree = False
        if learning is not None and not self._reads_tree:
            self._depth = self._resting_depth(learning)
        self.refresh()

    @staticmethod
    def _resting_depth(learning: Learning) -> float:
        """Where the cursor is while nobody moves it: at the trees in use, or the last one."""
        return (learning.used or learning.done) / max(1, learning.wanted)

    @property
    def learning(self) -> Learning | None:
        """The learning curves that the chart draws; None where it is empty."""
        return self._learning

    def _on_cursor(self, depth: float) -> None:
        self._reads_tree = True
        self.set_cursor(depth)
        if self._learning is not None:
            self.tree_read.emit(self._tree_at(self._learning, depth))

    def _choose(self) -> None:
        """Take the tree under the cursor as the number in use."""
        learning, depth = self._learning, self.cursor_depth
        if learning is None or learning.is_running or depth is None or not self._reads_tree:
            return
        tree = self._tree_at(learning, depth)
        if tree != learning.used:
            self.tree_chosen.emit(tree)

    def _leave_cursor(self) -> None:
        self._reads_tree = False
        if self._learning is not None:
            self.set_cursor(self._resting_depth(self._learning))

    def make_spec(self) -> Chart | None:
        learning = self._learning
        if learning is None or not learning.done or not learning.curves():
            return None
        return learning_chart(learning)

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
            described = deviance_words(learning.no_model, learning.size())
            lines.append(ReadingLine(name=learning.no_model_words(), value=described, series=None))
        worth = learning.profit_at(tree)
        if math.isfinite(worth):
            name, described = (
                f"{self._labels.amount}, {learning.rows_text}",
                self._labels.money(worth),
            )
            lines.append(ReadingLine(name=name, value=described, series=None))
        value = learning.best_value()
        if math.isfinite(value) and learning.watched not in self.hidden:
            lines.append(
                ReadingLine(
                    name=f"{learning.mark}: tree {format_count(learning.best)}",
                    value=deviance_words(value, learning.size()),
                    series=None,
                )
            )
            rings.append(Ring(x=float(learning.best), y=value, series=learning.series, name="best"))
        return CursorState(
            x=float(tree) if self._reads_tree or learning.used else None,
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
        tree = min(learning.done, max(1, round(depth * learning.wanted)))
        return tree if tree == learning.used else learning.tried(tree)
