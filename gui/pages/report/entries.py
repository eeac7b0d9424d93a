"""The report as it is written: its head, and every entry under the user's words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.document.model import Document
from core.presentation.entries import missing_entry
from core.presentation.page import report_subtitle, stale_words
from core.presentation.view import View
from gui.pages.report.keeper import ReportKeeper

_MONTHS = "January February March April May June July August September October November December"


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One view under the user's caption and note; ``warning`` says why it is stale."""

    kind: str
    title: str
    note: str
    block: View
    warning: str = ""


@dataclass(frozen=True, slots=True)
class ReportText:
    """Everything that is written: name of the project, a line about the data, the entries."""

    title: str
    subtitle: str
    entries: tuple[ReportEntry, ...]


def moment_words(moment: str) -> str:
    """A moment in local time: "21 November 2026, 12:40"; empty where none is given."""
    try:
        local = datetime.fromisoformat(moment).astimezone()
    except ValueError:
        return ""
    return f"{local.day} {_MONTHS.split()[local.month - 1]} {local:%Y, %H:%M}"


def report_text(document: Document, keeper: ReportKeeper) -> ReportText:
    """The report of a document as it stands; an entry that was never made says so."""
    entries = []
    for item in document.report:
        block, warning = keeper.block(item.kind), ""
        if block is None:
            block, warning = missing_entry(item.kind, keeper.why_not(item.kind))
        elif keeper.is_stale(item.kind):
            warning = stale_words(block)
        entries.append(
            ReportEntry(
                kind=item.kind,
                title=item.caption or block.title,
                note=item.note,
                block=block,
                warning=warning,
            )
        )
    return ReportText(
        title=document.name, subtitle=report_subtitle(document), entries=tuple(entries)
    )
