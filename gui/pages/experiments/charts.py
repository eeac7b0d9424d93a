"""Loss distributions: a histogram per sampling method, and violins of all methods at one scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QWidget

from gui.pages.experiments.words import loss_words
from gui.plots.card import ChartCard
from gui.plots.spec import (
    AxisSpec,
    BarsSpec,
    BaselineSpec,
    Chart,
    CursorState,
    PointsSpec,
    ReadingLine,
    SeriesSpec,
)
from payoff.types import FloatArray

BINS = 24  # at most
HEADROOM = 1.32  # room above the bars for the names of two lines
_ROOM = 0.6  # share of the axis that a name with its number takes at the least size
_FAR = 2.2  # bounds within which the no-information loss is drawn to scale


@dataclass(frozen=True, slots=True, kw_only=True)
class LossGroup:
    """The losses of one sampling method (or method and learner), and the lines beside them."""

    name: str
    series: int
    losses: FloatArray
    bound: float  # the largest of a run; NaN where none is valid
    chance: float  # NaN: not drawn
    other: FloatArray | None = None  # of the experiment compared with

    @property
    def mean(self) -> float:
        """Mean of the losses; NaN without any."""
        return float(self.losses.mean()) if len(self.losses) else math.nan


class LossChart(ChartCard):
    """Base of both charts: no shared cursor, the pointer reads off a loss."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.definition = ""
        self.rows_text = ""
        self.axis_words = ""
        super().__init__(parent, is_compact=True)
        for name in ("pin", "expand"):
            self._buttons[name].hide()
        self.cursor_requested.connect(self.set_cursor)

    def depth_at(self, x: float, y: float) -> float | None:
        spec = self.view.spec
        if spec is None:
            return None
        return (x - spec.x_axis.low) / (spec.x_axis.high - spec.x_axis.low)

    def loss_at(self, depth: float) -> float:
        """The loss at a share of the x axis."""
        spec = self.view.spec
        assert spec is not None
        return spec.x_axis.low + depth * (spec.x_axis.high - spec.x_axis.low)


class HistogramChart(LossChart):
    """The losses of one method as bars, with the lines of mean, bound and no information."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._group: LossGroup | None = None
        super().__init__(parent)

    def show_group(self, group: LossGroup | None) -> None:
        """Show other losses; None empties the chart."""
        self._group = group
        self.refresh()

    @property
    def group(self) -> LossGroup | None:
        """The losses that the chart draws; None where it is empty."""
        return self._group

    def make_spec(self) -> Chart | None:
        group = self._group
        if group is None or not len(group.losses):
            return None
        right, is_far = x_end(group)
        edges = _edges(group)
        counts = np.histogram(group.losses, edges)[0].astype(np.float64)
        middle, width = (edges[1:] + edges[:-1]) / 2, float(edges[1] - edges[0])
        bars = [self._bars("runs", group.series, middle, counts, width)]
        if group.other is not None and len(group.other):
            others = np.histogram(group.other, edges)[0] * (len(group.losses) / len(group.other))
            bars.insert(0, self._bars("compared with", -1, middle, others, width))
        top = HEADROOM * max(3.0, *(float(entry.y.max()) for entry in bars))
        return Chart(
            kind=f"losses {group.name}",
            title=group.name,
            subtitle=f"mean {loss_words(group.mean)}, the full line",
            x_axis=AxisSpec(label=self.axis_words, quantity="number", low=0.0, high=right),
            y_axis=AxisSpec(label="runs", quantity="number", low=0.0, high=top),
            bars=tuple(bars),
            baselines=tuple(self._lines(group, right, top, is_far)),
            definition=self.definition,
            rows_text=self.rows_text,
            headroom=6,
            box_corner="top right",
        )

    def _bars(self, name: str, series: int, x: FloatArray, y: FloatArray, width: float) -> BarsSpec:
        return BarsSpec(name=name, series=series, x=x, y=y, offset=0.0, width=0.92 * width)

    def _lines(
        self, group: LossGroup, right: float, top: float, is_far: bool
    ) -> list[BaselineSpec]:
        """Each line ends below the name of the one to its right, so that no name is crossed."""
        lines = list(upright("", group.mean, right, top / HEADROOM, is_dashed=False))
        is_outer = math.isfinite(group.chance) and group.bound > group.chance
        if math.isfinite(group.bound):
            words = f"largest bound {loss_words(group.bound)}"
            height = top if is_outer else 0.88 * top
            lines += upright(words, group.bound, right, height, left=is_outer)
        if math.isfinite(group.chance):
            at = right if is_far else group.chance
            words = "no information"
            if at > _ROOM * right:
                words = f"{words} {loss_words(group.chance)}"
            height = 0.88 * top if is_outer else top
            lines += upright(f"{words} →" if is_far else words, at, right, height, left=True)
        return lines

    def make_state(self, depth: float) -> CursorState | None:
        group = self._group
        if group is None or self.view.spec is None:
            return None
        loss = self.loss_at(depth)
        share = float(np.mean(group.losses <= loss))
        line = ReadingLine(
            name="runs at or below",
            value=f"{100 * share:.0f} %",
            series=group.series,
            is_bar=True,
        )
        return CursorState(x=loss, head=loss_words(loss), note="", lines=(line,))


class ViolinChart(LossChart):
    """All methods below each other, every line to scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._groups: tuple[LossGroup, ...] = ()
        super().__init__(parent)

    def show_groups(self, groups: tuple[LossGroup, ...]) -> None:
        """Show other losses."""
        self._groups = tuple(group for group in groups if len(group.losses))
        self.refresh()

    def make_spec(self) -> Chart | None:
        groups = self._groups
        if not groups:
            return None
        highest = [float(group.losses.max()) for group in groups]
        highest += [v for group in groups for v in (group.bound, group.chance) if math.isfinite(v)]
        right = 1.12 * max(highest) or 1.0
        places = range(len(groups) - 1, -1, -1)  # the first method on top
        series, points, lines = [], [], []
        for place, group in zip(places, groups, strict=True):
            x, half = violin(group.losses)
            level = np.full(len(x), float(place))
            series.append(
                SeriesSpec(
                    name=group.name,
                    series=group.series,
                    x=x,
                    y=level,
                    low=level - half,
                    high=level + half,
                    is_chosen=True,
                    dash=(),
                )
            )
            spot = (np.array([group.mean]), np.array([float(place)]))
            points.append(
                PointsSpec(name=group.name, series=group.series, x=spot[0], y=spot[1], size=9.0)
            )
            lines += self._marks(group, place, right, is_last=place == 0)
        names = tuple(group.name for group in reversed(groups))
        return Chart(
            kind="violins of losses",
            title="How far were the evaluation models off?",
            subtitle="dot: mean; dashes: largest bound of a run, then no information",
            x_axis=AxisSpec(label=self.axis_words, quantity="number", low=0.0, high=right),
            y_axis=AxisSpec(
                label="", quantity="number", low=-0.6, high=len(groups) - 0.4, words=names
            ),
            series=tuple(series),
            points=tuple(points),
            baselines=tuple(lines),
            definition=self.definition,
            rows_text=self.rows_text,
            headroom=4,
            box_corner="top right",
        )

    def _marks(
        self, group: LossGroup, place: int, right: float, is_last: bool
    ) -> list[BaselineSpec]:
        marks: list[BaselineSpec] = []
        for words, value in (
            ("bound", group.bound),
            ("no information", group.chance),
        ):
            if math.isfinite(value):
                name = f"{words} {loss_words(value)}"
                left = value > 0.7 * right
                marks += upright(name, value, right, place + 0.42, left=left, foot=place - 0.42)
        return marks

    def make_state(self, depth: float) -> CursorState | None:
        if self.view.spec is None:
            return None
        loss = self.loss_at(depth)
        lines = tuple(
            ReadingLine(
                name=group.name,
                series=group.series,
                dash=(),
                value=f"{100 * float(np.mean(group.losses <= loss)):.0f} %",
            )
            for group in self._groups
        )
        note = "runs at or below"
        return CursorState(x=loss, head=loss_words(loss), note=note, lines=lines)


# ---------------------------------------------------------------- where things stand


def x_end(group: LossGroup) -> tuple[float, bool]:
    """The right end of a histogram, and whether the no-information loss lies beyond it.

    Losses far below it would else be pressed into a corner.
    """
    highest = float(group.losses.max())
    if group.other is not None and len(group.other):
        highest = max(highest, float(group.other.max()))
    near = max(highest, group.bound if math.isfinite(group.bound) else 0.0)
    if math.isfinite(group.chance) and group.chance <= _FAR * near:
        return 1.12 * max(near, group.chance), False
    return (1.35 * near or 1.0), math.isfinite(group.chance)


def _edges(group: LossGroup) -> FloatArray:
    """Edges of bars over the losses of both experiments."""
    values = group.losses if group.other is None else np.concatenate([group.losses, group.other])
    low, high = float(values.min()), float(values.max())
    if high <= low:
        low, high = low - 5e-4, high + 5e-4
    bins = min(BINS, max(6, round(2.0 * len(group.losses) ** 0.5)))
    edges: FloatArray = np.linspace(max(0.0, low), high, bins + 1)
    return edges


def upright(
    name: str,
    at: float,
    right: float,
    top: float,
    *,
    is_dashed: bool = True,
    left: bool = False,
    foot: float = 0.0,
) -> tuple[BaselineSpec, ...]:
    """An upright line, drawn once so that its dashes stay apart, and its name near the top."""
    ends = np.array([top, foot])
    line = BaselineSpec(name="", x=np.full(2, at), y=ends, is_dashed=is_dashed)
    label = BaselineSpec(
        name=name,
        x=np.array([at]),
        y=np.array([top]),
        label_at=at / right,
        side="left" if left or at > 0.62 * right else "right",
    )
    return (line, label) if name else (line,)


def violin(losses: FloatArray, points: int = 90) -> tuple[FloatArray, FloatArray]:
    """A smooth density of losses (x, half width up to 0.4) by Gaussian kernels."""
    spread = float(losses.std()) if len(losses) > 1 else 0.0
    width = max(1.06 * spread * len(losses) ** -0.2, 1e-4 * max(1e-3, float(losses.max())))
    x = np.linspace(losses.min() - 2.5 * width, losses.max() + 2.5 * width, points)
    x = np.maximum(x, 0.0)
    density = np.exp(-0.5 * ((x[:, None] - losses[None, :]) / width) ** 2).sum(axis=1)
    half: FloatArray = 0.4 * density / density.max()
    return x, half
