"""Views as the project file keeps them.

The document says what is on the report, in which order and under which words. What is shown there
are views: they are made of answers, carry the stamp of what they were made from, and are kept in
the project file so that a report can be read before anything has been worked out again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.document.files.codec import Plain, from_plain, to_plain
from core.document.model import Document, ReportItem
from core.presentation.making_views import by_question
from core.presentation.view import View
from payoff.types import AnyArray

DIGITS = 7  # significant ones, of the numbers that charts are drawn from


def pack_views(views: Iterable[View]) -> tuple[Plain, ...]:
    """Return views as plain values, for the project file."""
    kept = (
        replace(
            view, tables=tuple(table.as_texts() for table in view.tables), actions=(), by_row=()
        )
        for view in views
    )
    return tuple(to_plain(view, _numbers) for view in kept)


def unpack_views(plain: Plain) -> tuple[View, ...]:
    """Return the views of a project file; raises PayoffError naming what does not fit."""
    holder = from_plain(_Views, {"views": [_newest(entry) for entry in plain]}, _array)
    found: dict[str, View] = {}
    for view in holder.views:
        key = by_question(view.key)
        first = found.get(key, replace(view, key=key, charts=(), tables=()))
        charts, tables = (*first.charts, *view.charts), (*first.tables, *view.tables)
        found[key] = replace(first, charts=charts, tables=tables)
    return tuple(found.values())


def entries_by_question(document: Document) -> Document:
    """Return a project whose report names the answers of questions by their questions.

    Of entries that have become one the notes are kept.
    """
    found: dict[str, ReportItem] = {}
    for item in document.report:
        key = by_question(item.kind)
        first = found.get(key, replace(item, kind=key, note=""))
        note = "\n".join(text for text in (first.note, item.note) if text)
        found[key] = replace(first, note=note)
    report = tuple(found.values())
    return document if report == document.report else replace(document, report=report)


@dataclass(frozen=True, slots=True)
class _Views:
    views: tuple[View, ...]


def _newest(plain: Plain) -> Plain:
    """A view in today's form: before, it had one table and one chart, and lines."""
    if not isinstance(plain, Mapping) or "charts" in plain:
        return plain
    former: dict[str, Any] = dict(plain)
    for name in ("table", "chart"):
        found = former.pop(name, None)
        former[f"{name}s"] = [] if found is None else [found]
    former["sentences" if former.get("figure") else "notes"] = former.pop("lines", [])
    return former


def _numbers(values: AnyArray) -> Plain:
    """Numbers with as many digits as a drawing needs; NaN is null. Rows of rows stay so."""
    if values.ndim > 1:
        return [_numbers(row) for row in values]
    rounded = (float(f"{value:.{DIGITS}g}") for value in values.tolist())
    return [value if math.isfinite(value) else None for value in rounded]


def _array(plain: Plain) -> AnyArray:
    if not isinstance(plain, list):
        raise ValueError("the numbers of a chart are a list")
    import numpy as np

    if plain and isinstance(plain[0], list):
        return np.array([_array(row) for row in plain])
    return np.array([np.nan if value is None else float(value) for value in plain])
