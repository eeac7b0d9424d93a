"""What page Models shows of a training: the loss by tree on cases of each kind."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.document.wording import format_count, format_number
from core.presentation.chart import AxisSpec, BaselineSpec, Chart, SeriesSpec
from core.presentation.view import View
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

    def size(self) -> float:
        """The largest value of its curves."""
        values = np.concatenate([values for _, values, _, _ in self.curves()])
        return float(np.nanmax(np.abs(values)))

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


def learned(learning: Learning) -> View:
    """How a model learned, as an entry of the report; of a training with trees."""
    chart = learning_chart(learning)
    return View(
        key=f"models/learning {learning.model}",
        title=chart.title,
        subtitle=chart.subtitle,
        charts=(chart,),
        notes=(chart.definition,),
    )


def learning_chart(learning: Learning) -> Chart:
    """Is it still learning? The curves of a training with trees."""
    series = [
        SeriesSpec(
            name=name,
            series=learning.series,
            x=learning.trees,
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
            label=f"{learning.loss}, lower is better", quantity="number", low=low, high=high
        ),
        series=tuple(series),
        baselines=(
            *_best_mark(learning, wanted, low, high),
            *_no_model_mark(learning, wanted),
            *_rival_mark(learning, wanted),
        ),
        definition=(
            "The loss after each tree. On training cases it falls on and on; on cases that did "
            "not train it turns where the model starts to learn accidents by heart. Out of "
            "bag: on the cases that a tree was not shown, as improvements added up. No model: "
            "every case gets the same best number."
        ),
        headroom=8,
    )


def _best_mark(
    learning: Learning, wanted: float, low: float, high: float
) -> tuple[BaselineSpec, ...]:
    """A line at the best tree, where one is known."""
    if not math.isfinite(learning.best_value()):
        return ()
    at = float(learning.best)
    head = "best so far: tree %s" if learning.is_running else "best: tree %s"
    mark = BaselineSpec(
        name=head % format_count(at),
        x=np.array([at, at]),
        y=np.array([low, high]),
        label_at=at / wanted,
        side="left" if at > 0.3 * wanted else "right",
    )
    return (mark,)


def _no_model_mark(learning: Learning, wanted: float) -> tuple[BaselineSpec, ...]:
    """The loss that every case with the same best number would have."""
    if not math.isfinite(learning.no_model):
        return ()
    level = np.full(2, learning.no_model)
    line = np.array([0.0, wanted])
    return (BaselineSpec(name="no model", x=line, y=level, label_at=0.68, side="below"),)


def _rival_mark(learning: Learning, wanted: float) -> tuple[BaselineSpec, ...]:
    """A line at the other model's best, where there is one."""
    rival = learning.rival
    if rival is None:
        return ()
    words = f"{rival.name} at its best: {deviance_words(rival.deviance, rival.deviance)}"
    line = BaselineSpec(
        name=words, x=np.array([0.0, wanted]), y=np.full(2, rival.deviance), is_dashed=False
    )
    return (line,)


def _rival_line(rival: Rival, wanted: float) -> SeriesSpec:
    return SeriesSpec(
        name=rival.name,
        series=rival.series,
        x=np.array([0.0, wanted]),
        y=np.full(2, rival.deviance),
        dash=(),
    )


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
