"""Commands of page Report: what is on it, in which order, under which words.

An entry is known by its ``kind``: a chart of page Compare's grid by its kind of chart, the metric
table by ``METRIC_TABLE``, both with the class behind it where it is not the event, everything else
by ``page/part``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from core.document.commands import Command
from core.document.compare.chart_kinds import chart_kind, chart_task, charts_shown
from core.document.model import Document, ReportItem
from payoff.counting import counted
from payoff.errors import PayoffError

METRIC_TABLE = "metrics"
"""The kind of a report item that stands for the metric table."""

COMMITTEE = tuple(
    f"committee/{part}"
    for part in ("question", "data", "decision", "money", "certainty", "checked", "open")
)
"""The entries that a committee wants, in order: they belong to no page and fill themselves."""

BOARD = "committee/board"
"""All of that on one page, for who reads no second one."""

TEMPLATES = {"committee": COMMITTEE, "board": (BOARD,)}
"""What can be put on the report as a whole, by name."""


def is_grid_entry(kind: str) -> bool:
    """Whether an entry is the metric table, or a chart of page Compare's grid."""
    return "/" not in kind.partition(" ")[0]


def page_of(kind: str) -> str:
    """The page that an entry of the report comes from."""
    return "compare" if is_grid_entry(kind) else kind.partition("/")[0]


def with_report_charts(document: Document) -> Document:
    """Return the document with every chart of the report among those that are worked out."""
    shown = charts_shown(document.charts, chart_task(document))
    names = (item.kind.partition(" ")[0] for item in document.report if is_grid_entry(item.kind))
    wanted = dict.fromkeys(name for name in names if name != METRIC_TABLE)
    missing = tuple(name for name in wanted if name not in shown)
    return replace(document, charts=(*shown, *missing)) if missing else document


def block_place(document: Document, kind: str) -> int:
    """Where an entry stands on the report, from 0; raises PayoffError where it does not."""
    kinds = [item.kind for item in document.report]
    if kind not in kinds:
        raise PayoffError(f"'{kind}' is not on the report.")
    return kinds.index(kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOnReport(Command):
    """Put a chart, a table or a total at the end of the report."""

    label: ClassVar[str] = "Add to report"
    kind: str
    note: str = ""

    def apply(self, document: Document) -> Document:
        name, _, level = self.kind.partition(" ")  # which of several classes is the event
        is_chart = chart_kind(name) is not None or name.isidentifier()  # of a plugin's curve
        levels = document.target.levels if document.target is not None else ()
        is_there = is_chart and (not level or level in levels)
        if is_grid_entry(self.kind) and not is_there:
            raise PayoffError(f"There is no chart '{self.kind}'.")
        kept = tuple(item for item in document.report if item.kind != self.kind)
        return replace(document, report=(*kept, ReportItem(kind=self.kind, note=self.note)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PutAllOnReport(Command):
    """Put several things at the end of the report; what is there stays where it is."""

    label: ClassVar[str] = "Add to report"
    kinds: tuple[str, ...]

    def apply(self, document: Document) -> Document:
        there = {item.kind for item in document.report}
        for kind in self.kinds:
            if kind not in there:
                document = PutOnReport(kind=kind).apply(document)
        return document


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOffReport(Command):
    """Take a chart, a table or a total off the report."""

    label: ClassVar[str] = "Take off the report"
    kind: str

    def apply(self, document: Document) -> Document:
        kept = tuple(item for item in document.report if item.kind != self.kind)
        return replace(document, report=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveOnReport(Command):
    """Move an entry of the report to another place, counted from 0."""

    label: ClassVar[str] = "Move on the report"
    kind: str
    place: int

    def apply(self, document: Document) -> Document:
        items = list(document.report)
        moved = items.pop(block_place(document, self.kind))
        if not 0 <= self.place <= len(items):
            raise PayoffError(
                f"The report has {counted(len(items) + 1, 'entry', 'entries')}: no place "
                f"{self.place}."
            )
        items.insert(self.place, moved)
        return replace(document, report=tuple(items))


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOnReport(Command):
    """The user's own caption and note of an entry; an empty caption is the entry's own title."""

    label: ClassVar[str] = "Edit the report"
    kind: str
    caption: str = ""
    note: str = ""

    @property
    def merge_key(self) -> str | None:
        return f"report {self.kind}"

    def apply(self, document: Document) -> Document:
        items = list(document.report)
        place = block_place(document, self.kind)
        items[place] = replace(items[place], caption=self.caption, note=self.note)
        return replace(document, report=tuple(items))
