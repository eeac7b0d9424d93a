"""The chart of a training: deviance by tree on training, validation and out-of-bag cases."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.wording import format_count, format_number
from gui.plots.card import ChartCard
from gui.plots.spec import (
    AxisSpec,
    BaselineSpec,
    Chart,
    CursorState,
    ReadingLine,
    Ring,
    SeriesSpec,
)
from payoff.types import FloatArray

VALIDATION_DASH: tuple[float, ...] = ()
OOB_DASH = (4.0, 2.5)
TRAINING_DASH = (1.0, 1.6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Another model of the same loss, at its best tree."""

    name: str
    series: int
    deviance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What the chart shows of one training. Arrays have one entry per point, NaN = not known.

    ``out_of_bag`` is the deviance that the out-of-bag improvements add up to; ``best`` counts
    trees from 1, 0 = not known.
    """

    model: str
    series: int
    loss: str  # "Bernoulli deviance"
    wanted: int
    trees: FloatArray  # how many trees each point stands for
    training: FloatArray
    validation: FloatArray
    out_of_bag: FloatArray
    folds: FloatArray
    best: int = 0
    is_running: bool = False
    watched: str = "validation"  # the curve that chooses the best tree
    rival: Rival | None = None
    no_model: float = math.nan  # deviance of the best constant score
    subtitle: str = ""

    @property
    def done(self) -> int:
        """How many trees there are."""
        return int(self.trees[-1]) if len(self.trees) else 0

    def place_of(self, tree: int) -> int:
        """The point that is nearest to a number of trees."""
        return int(np.argmin(np.abs(self.trees - tree)))

    def curves(self) -> tuple[tuple[str, FloatArray, tuple[float, ...], bool], ...]:
        """Name, values, dash and greyness of the curves with any value."""
        every = (
            ("validation", self.validation, VALIDATION_DASH, False),
            ("folds", self.folds, VALIDATION_DASH, False),
            ("out of bag", self.out_of_bag, OOB_DASH, False),
            ("training", self.training, TRAINING_DASH, True),
        )
        return tuple(entry for entry in every if np.isfinite(entry[1]).any())

    def best_value(self) -> float:
        """The watched deviance at the best tree."""
        values = {name: curve for name, curve, _, _ in self.curves()}.get(self.watched)
        if values is None or not 1 <= self.best <= self.done:
            return math.nan
        return float(values[self.place_of(self.best)])


def deviance_words(value: float, reference: float) -> str:
    """A deviance with four digits that matter at the curve's size: 0.2965, 12.35, 1,204."""
    if not math.isfinite(value):
        return format_number(value)
    size = max(abs(value), abs(reference), 1e-12)
    decimals = min(8, max(0, 3 - math.floor(math.log10(size))))
    return format_number(value, decimals)


class LearningChart(ChartCard):
    """Is it still learning? The cursor reads the curves at a tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._learning: Learning | None = None
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

    # ------------------------------------------------------------ drawing

    def make_spec(self) -> Chart | None:
        learning = self._learning
        if learning is None or learning.done == 0:
            return None
        trees = learning.trees
        series = [
            SeriesSpec(
                name=name,
                series=learning.series,
                x=trees,
                y=values,
                dash=dash,
                is_quiet=is_quiet,
                is_chosen=name == learning.watched,
            )
            for name, values, dash, is_quiet in learning.curves()
        ]
        wanted = float(max(learning.wanted, 2))
        low, high = _range(learning)
        if learning.rival is not None:
            series.insert(0, _rival_line(learning.rival, wanted))
        question = "Is %s still learning?" if learning.is_running else "How %s learned"
        return Chart(
            kind="learning",
            title=question % learning.model,
            subtitle=learning.subtitle,
            x_axis=AxisSpec(label="trees", quantity="number", low=0.0, high=wanted),
            y_axis=AxisSpec(
                label=f"{learning.loss}, lower is better",
                quantity="number",
                low=low,
                high=high,
            ),
            series=tuple(series),
            baselines=self._marks(learning, wanted, low, high),
            definition=(
                "The loss after each tree. On training cases it falls on and on; on cases that did "
                "not train it turns where the model starts to learn accidents by heart. Out of "
                "bag: on the cases that a tree was not shown, as improvements added up. No model: "
                "every case gets the same best number."
            ),
            headroom=8,
        )

    def _marks(
        self, learning: Learning, wanted: float, low: float, high: float
    ) -> tuple[BaselineSpec, ...]:
        marks = []
        value = learning.best_value()
        if math.isfinite(value):
            at = float(learning.best)
            head = "best so far: tree %s" if learning.is_running else "best: tree %s"
            words = head % format_count(at)
            marks.append(
                BaselineSpec(
                    name=words,
                    x=np.array([at, at]),
                    y=np.array([low, high]),
                    label_at=at / wanted,
                    side="left" if at > 0.3 * wanted else "right",
                )
            )
        if math.isfinite(learning.no_model):
            level = np.full(2, learning.no_model)
            line = np.array([0.0, wanted])
            marks.append(
                BaselineSpec(name="no model", x=line, y=level, label_at=0.68, side="below")
            )
        rival = learning.rival
        if rival is not None:
            words = f"{rival.name} at its best: {deviance_words(rival.deviance, rival.deviance)}"
            marks.append(
                BaselineSpec(
                    name=words,
                    x=np.array([0.0, wanted]),
                    y=np.full(2, rival.deviance),
                    is_dashed=False,
                )
            )
        return tuple(marks)

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
                    value=deviance_words(value, _scale(learning)),
                    series=learning.series,
                    is_chosen=name == learning.watched,
                    is_hidden=name in self.hidden,
                    dash=dash,
                    is_quiet=is_quiet,
                )
            )
        value = learning.best_value()
        if math.isfinite(value) and learning.watched not in self.hidden:
            lines.append(
                ReadingLine(
                    name=f"best: tree {format_count(learning.best)}",
                    value=deviance_words(value, _scale(learning)),
                    series=None,
                )
            )
            rings.append(Ring(x=float(learning.best), y=value, series=learning.series, name="best"))
        if math.isfinite(learning.no_model):
            said = deviance_words(learning.no_model, _scale(learning))
            lines.append(ReadingLine(name="no model", value=said, series=None))
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


def _rival_line(rival: Rival, wanted: float) -> SeriesSpec:
    return SeriesSpec(
        name=rival.name,
        series=rival.series,
        x=np.array([0.0, wanted]),
        y=np.full(2, rival.deviance),
        dash=(),
    )


def _scale(learning: Learning) -> float:
    values = np.concatenate([values for _, values, _, _ in learning.curves()])
    return float(np.nanmax(np.abs(values)))


def _range(learning: Learning) -> tuple[float, float]:
    """All curves, the rival and the loss without a model, with a little room below."""
    curves = [values for _, values, _, _ in learning.curves()]
    if learning.rival is not None:
        curves.append(np.array([learning.rival.deviance]))
    if math.isfinite(learning.no_model):
        curves.append(np.array([learning.no_model]))
    values = np.concatenate(curves)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = (high - low) * 0.06 or max(abs(high), 1e-6) * 0.05
    return low - room, high
