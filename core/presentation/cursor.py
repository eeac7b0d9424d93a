"""Where the cursor stands in a chart, and what is read there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLine:
    """One entry of a read-out: sample, name and value; ``series`` -1 is grey, None no sample."""

    name: str
    value: str
    series: int | None
    is_chosen: bool = False
    is_bar: bool = False
    is_hidden: bool = False
    dash: tuple[float, ...] | None = None
    is_quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A mark where the cursor meets a curve."""

    x: float
    y: float
    series: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorState:
    """Where the cursor stands in one chart and what is read there.

    ``x`` None: the chart's x is neither depth nor threshold, only rings are shown. ``head`` and
    ``note`` are the first line of flag or box.
    """

    x: float | None
    head: str
    note: str
    lines: tuple[ReadingLine, ...]
    rings: tuple[Ring, ...] = ()
    pin: float | None = None
    pin_rings: tuple[Ring, ...] = ()

    def as_text(self) -> str:
        """The read-out as one sentence, for screen readers and tool tips."""
        parts = [part for part in (self.head, self.note) if part]
        values = [f"{line.name} {line.value}".strip() for line in self.lines if not line.is_hidden]
        return ", ".join([*parts, *values])
