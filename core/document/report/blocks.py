"""What stands on the report: charts, tables and totals as they were when they were made.

The document says what is on the report, in which order and under which words. What is shown there
are blocks: they are made of results, carry the stamp of what they were made from, and are kept in
the project file so that a report can be read before anything has been worked out again.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass

from core.document.chart_spec import ChartSpec
from core.document.files.codec import Plain, from_plain, to_plain
from payoff.types import AnyArray

DIGITS = 7  # significant ones, of the numbers that charts are drawn from


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """Texts in columns; numbers stand at the right of theirs. ``strong`` are (row, column)."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    strong: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportBlock:
    """One entry as it was made.

    ``figure`` is the one big number of a total, ``lines`` are sentences below it or below a chart:
    its interval, its definition, its rows.
    """

    key: str
    title: str
    subtitle: str = ""
    figure: str = ""
    lines: tuple[str, ...] = ()
    table: ReportTable | None = None
    chart: ChartSpec | None = None
    stamp: str = ""  # of what it was made from
    made_at: str = ""  # ISO 8601, UTC


def stamp_of(value: object) -> str:
    """A short mark of plain records: the same for the same content."""
    text = json.dumps(to_plain(value), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def pack_blocks(blocks: Iterable[ReportBlock]) -> Plain:
    """Blocks as plain values, for the project file."""
    return to_plain(tuple(blocks), _numbers)


def unpack_blocks(plain: Plain) -> tuple[ReportBlock, ...]:
    """Blocks of a project file; raises PayoffError naming what does not fit."""
    holder = from_plain(_Blocks, {"blocks": plain}, _array)
    return holder.blocks


@dataclass(frozen=True, slots=True)
class _Blocks:
    blocks: tuple[ReportBlock, ...]


def _numbers(values: AnyArray) -> Plain:
    """Numbers with as many digits as a drawing needs; NaN is null."""
    rounded = (float(f"{value:.{DIGITS}g}") for value in values.tolist())
    return [value if math.isfinite(value) else None for value in rounded]


def _array(plain: Plain) -> AnyArray:
    if not isinstance(plain, list):
        raise ValueError("the numbers of a chart are a list")
    import numpy as np

    return np.array([np.nan if value is None else float(value) for value in plain])
