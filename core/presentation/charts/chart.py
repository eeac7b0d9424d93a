"""What a chart shows, as plain records: one for the screen, paper, the table, the report."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from payoff.types import FloatArray, IntArray

Quantity = Literal["percent", "money", "number"]
Side = Literal["above", "below", "left", "right"]
Corner = Literal["top right", "bottom right", "top left", "bottom left", "beside cursor"]


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
    counts: tuple[str, str] | None = None  # what a number of it counts: ("letter", "letters")
    template: str = "{}"  # of a place on it in words: "best {}"


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
    needs_margin: bool = False  # below without room: leave the name out rather than put it above


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
class AsideSpec:
    """What is read at a place of the x axis and is not drawn.

    It is a curve, whose value stands in ``words`` as {}; or ``texts``, one for each ``x``, ready as
    they are, and the cursor stands at these places alone (where one is empty nothing is read). Its
    ``name`` is that of a line that is drawn, which then says this, or of a line of its own among
    those read. Without one it stands behind the place, texts in its stead.
    """

    x: FloatArray
    y: FloatArray | None = None
    words: str = "{}"
    currency: str = ""
    has_sign: bool = False
    quantity: Quantity = "money"
    name: str = ""
    series: int | None = None  # whose sample stands before the name
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionsSpec:
    """Who wins where on an even grid over both axes. Arrays are (y, x) and rise along both.

    ``region`` and ``second`` count ``names``; ``series`` is that of a model, or ``CONSTANT`` for
    one of the grey rules. ``value`` is what the winner brings there, ``margin`` what the second
    brings less. ``now`` is the present point.
    """

    numbers: tuple[str, str]  # what the axes are called in a sentence
    names: tuple[str, ...]
    series: tuple[int, ...]
    region: IntArray
    second: IntArray
    value: FloatArray
    margin: FloatArray
    now: tuple[float, float]
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadesSpec:
    """A value for each pair of places, as shades of one colour. ``values`` are (y, x).

    ``x`` and ``y`` are the places themselves; where the axis has words they are its places.
    ``line`` is drawn over them: a value of the x axis for each ``y``.
    """

    values: FloatArray
    x: FloatArray
    y: FloatArray
    series: int
    quantity: Quantity
    rug_x: FloatArray | None = None
    rug_y: FloatArray | None = None
    line: FloatArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSpec:
    """One line of a waterfall: a bar from ``start`` to ``end``, or a place where they agree.

    ``role`` is its colour, by what the step means: up is not always a gain.
    """

    name: str
    start: float
    end: float
    words: str
    is_total: bool = False
    role: str = "accent"


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSpec:
    """One field of a table of tiles: a group, its number, and what is to be said of it."""

    name: str
    figure: str
    note: str = ""
    exact: str = ""


CONSTANT = -1
"""The series of a region in which no model wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Everything that a chart draws besides its cursor.

    Lines, bars and points stand over numbers and may be mixed; ``regions`` or ``shades`` fill the
    whole area of both axes; ``steps`` stand below each other, ``tiles`` side by side, and need no
    axes.
    """

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
    regions: RegionsSpec | None = None
    shades: ShadesSpec | None = None
    steps: tuple[StepSpec, ...] = ()
    tiles: tuple[TileSpec, ...] = ()  # row by row, below ``tile_heads``
    tile_heads: tuple[str, ...] = ()
    asides: tuple[AsideSpec, ...] = ()
    rests_at: float | None = None  # where the cursor stands at first, on the x axis

    @property
    def fills_area(self) -> bool:
        """Whether colours fill the whole area between the axes."""
        return self.regions is not None or self.shades is not None

    @property
    def stops(self) -> FloatArray | None:
        """The places at which the cursor stands alone; None where it may stand anywhere."""
        return next((aside.x for aside in self.asides if aside.texts), None)

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


def with_provenance(chart: Chart, provenance: str) -> Chart:
    """Return a chart with its note of fitted chances: "points: isotonic, cross-fitted"."""
    if not provenance:
        return chart
    parts = (part for part in (provenance, chart.subtitle) if part)  # the end is cut first
    described = f"Chances fitted to scores: {provenance}."
    return replace(
        chart, subtitle="; ".join(parts), definition=f"{chart.definition} {described}".strip()
    )
