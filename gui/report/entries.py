"""The report as it is written: its head, and every entry under the user's words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.document.model import Document
from core.presentation.view import View
from gui.report.keeper import ReportKeeper

_MONTHS = "January February March April May June July August September October November December"


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One block under the user's caption and note; ``warning`` says why it is stale."""

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
    """The report of a document as it stands; entries that were never made are left out."""
    entries = []
    for item in document.report:
        block = keeper.block(item.kind)
        if block is None:
            continue
        warning = ""
        if keeper.is_stale(item.kind):
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
    return ReportText(title=document.name, subtitle=_data_words(document), entries=tuple(entries))


def stale_words(block: View) -> str:
    """What a stale entry says of itself."""
    made = moment_words(block.made_at)
    return (
        f"Made on {made}, before the data or the settings were changed: the figures are of then."
        if made
        else "Made before the data or the settings were changed: the figures are of then."
    )


def _data_words(document: Document) -> str:
    data = document.data
    if data is None:
        return ""
    name = data.path.replace("\\", "/").rsplit("/", 1)[-1]
    outcome = f", outcome {document.target.column}" if document.target is not None else ""
    where = f", where {document.split.where}" if document.split.where else ""
    return f"Data: {name}{where}{outcome}. Random numbers begin at {document.seed}."
