"""What a chart shows, as plain records: one spec for the screen, paper, the table, the report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from payoff.types import FloatArray

Quantity = Literal["percent", "money", "number"]
Side = Literal["above", "below", "left", "right"]
Corner = Literal["top right", "bottom right", "top left", "beside cursor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisSpec:
    """One axis. ``first_word`` and ``last_word`` stand at its ends, no tick after ``last_tick``."""

    label: str
    quantity: Quantity
    low: float
    high: float
    first_word: str = ""
    last_word: str = ""
    last_tick: float | None = None
    currency: str = ""
    words: tuple[str, ...] = ()  # names of the places 0, 1, 2 ... instead of numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSpec:
    """One model's line with its band. ``series`` fixes colour and dash on every page."""

    name: str
    series: int
    x: FloatArray
    y: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    is_chosen: bool = False
    dash: tuple[float, ...] | None = None  # instead of the model's own, where it has many lines
    is_quiet: bool = False  # grey instead of the model's colour


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineSpec:
    """A thin grey line, its name at ``label_at`` (share of the x axis) on a ``side`` of it."""

    name: str
    x: FloatArray
    y: FloatArray
    is_dashed: bool = True
    label_at: float = 1.0
    side: Side = "above"
    needs_room: bool = False  # below without room: leave the name out rather than put it above


@dataclass(frozen=True, slots=True, kw_only=True)
class BarsSpec:
    """One group's bars: ``offset`` and ``width`` in units of x; ``series`` -1 is quiet grey."""

    name: str
    series: int
    x: FloatArray
    y: FloatArray
    offset: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsSpec:
    """Some thousands of points of one group, no more; ``series`` -1 is quiet grey."""

    name: str
    series: int
    x: FloatArray
    y: FloatArray
    size: float = 3.5  # pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSpec:
    """Everything that a chart draws besides its cursor."""

    kind: str
    title: str
    subtitle: str
    x_axis: AxisSpec
    y_axis: AxisSpec
    series: tuple[SeriesSpec, ...] = ()
    baselines: tuple[BaselineSpec, ...] = ()
    bars: tuple[BarsSpec, ...] = ()
    points: tuple[PointsSpec, ...] = ()
    definition: str = ""
    variant: str = ""
    rows_text: str = ""
    notes: tuple[str, ...] = ()  # the engine's plain verdicts
    headroom: int = 18  # pixels above the highest value, for the cursor's flag
    box_corner: Corner = "top right"
    rug: FloatArray | None = None  # where the cases lie, as short strokes on the foot line
    hidden: frozenset[str] = field(default_factory=frozenset)  # names switched off in the legend

    def visible_series(self) -> tuple[SeriesSpec, ...]:
        """The lines that the legend has not switched off, the chosen one last (on top)."""
        shown = [entry for entry in self.series if entry.name not in self.hidden]
        return tuple(sorted(shown, key=lambda entry: entry.is_chosen))

    def visible_bars(self) -> tuple[BarsSpec, ...]:
        """The bars that the legend has not switched off."""
        return tuple(entry for entry in self.bars if entry.name not in self.hidden)

    def visible_points(self) -> tuple[PointsSpec, ...]:
        """The points that the legend has not switched off."""
        return tuple(entry for entry in self.points if entry.name not in self.hidden)
