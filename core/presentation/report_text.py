"""The report as it is written: its head, and every entry under the user's words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.document.markup import Html, joined
from core.document.model import Document
from core.presentation.entries import missing_entry
from core.presentation.page import entry_html, page_html, report_subtitle, stale_words
from core.presentation.view import View
from core.questions.stamps import is_of_document


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


def report_text(
    document: Document,
    block_of: Callable[[str], View | None],
    why_not: Callable[[str], str] = lambda _kind: "",
) -> ReportText:
    """Return the report of a document as it stands; an entry that was never made says so.

    Parameters
    ----------
    document : Document
    block_of : callable
        Gives the view that an entry was last made of, by its key.
    why_not : callable
        Says why an entry could not be made, by its key.
    """
    entries = []
    for item in document.report:
        block, warning = block_of(item.kind), ""
        if block is None:
            block, warning = missing_entry(item.kind, why_not(item.kind))
        elif not is_of_document(block.stamp, item.kind, document):
            warning = stale_words(block)
        title = item.caption or block.title
        entries.append(ReportEntry(item.kind, title, item.note, block, warning))
    return ReportText(document.name, report_subtitle(document), tuple(entries))


def entries_html(text: ReportText) -> Html:
    """Return a section for each entry, in the report's order."""
    return joined(
        entry_html(entry.block, title=entry.title, note=entry.note, warning=entry.warning)
        for entry in text.entries
    )


def report_html(text: ReportText) -> str:
    """Return one HTML page with its pictures inside: no network, no script."""
    return page_html(text.title, text.subtitle, entries_html(text))
