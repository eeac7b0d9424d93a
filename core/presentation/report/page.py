"""A report as one HTML page: its frame, its style, its tables. No network, no script.

Pictures stand in the page itself, so that one file is the whole report.

The report as it is written: its head, and every entry under the user's words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.document.markup import NOTHING, Html, joined, page, tag
from core.document.model import Document
from core.presentation.charts.chart import Chart
from core.presentation.charts.reading import numbers_behind
from core.presentation.charts.svg import chart_svg
from core.presentation.report.entries import missing_entry
from core.presentation.view import Table, View
from core.questions.stamps import is_of_document

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1B1F24; background: #F7F8FA; margin: 0; }
main { max-width: 920px; margin: 0 auto; padding: 32px 24px; }
section { background: #FFF; border: 1px solid #DFE3E8; border-radius: 6px; padding: 16px 20px;
  margin: 16px 0; overflow-x: auto; }
h1 { font-size: 26px; margin: 0; } h2 { font-size: 17px; margin: 0 0 8px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { color: #5B6470; font-size: 13px; font-weight: 500; } th, td { padding: 5px 8px; }
td, th { border-bottom: 1px solid #DFE3E8; text-align: right; }
td:first-child, th:first-child, .left { text-align: left; }
.big { font-size: 32px; font-weight: 600; margin: 4px 0; }
.quiet, .own { color: #5B6470; font-size: 13px; } .stale { color: #B45309; font-size: 13px; }
.best { font-weight: 600; } svg, img { width: 100%; height: auto; } figure { margin: 8px 0; }
summary { color: #5B6470; font-size: 13px; cursor: pointer; }
.tick { font: 11px system-ui, sans-serif; fill: #5B6470; }
.name { font: 12px system-ui, sans-serif; } ul { padding-left: 20px; }
@media print { body { background: #FFF; } section { border: 0; padding: 0; break-inside: avoid; }
  details { display: none; } }
"""


def report_subtitle(document: Document) -> str:
    """Return the line below a report's title: its data, and where random numbers begin."""
    data = document.data
    if data is None:
        return ""
    name = data.path.replace("\\", "/").rsplit("/", 1)[-1]
    outcome = f", outcome {document.target.column}" if document.target is not None else ""
    where = f", where {document.split.where}" if document.split.where else ""
    return f"Data: {name}{where}{outcome}. Random numbers begin at {document.seed}."


def page_html(title: str, subtitle: str, body: Html) -> str:
    """A whole page around sections; title and subtitle are plain text."""
    return page((tag("title", title),), main_html(title, subtitle, body), STYLE)


def main_html(title: str, subtitle: str, body: Html) -> Html:
    """What a page shows: its title, the line below it, its sections."""
    described = tag("p", subtitle, kind="quiet") if subtitle else NOTHING
    return tag("main", tag("h1", title), described, body)


def section_html(
    view: View,
    *,
    title: str = "",
    note: str = "",
    warning: str = "",
    pictures: tuple[Html, ...] = (),
    foot: Html = NOTHING,
) -> Html:
    """One entry of a report, the same from the window and without it.

    Parameters
    ----------
    view : View
    title : str
        The user's own caption; left out = the view's title.
    note : str
        The user's words below it, line by line.
    warning : str
        Why its figures may be old, or flatter.
    pictures : tuple of Html
        Its charts, as they are drawn.
    foot : Html
        What comes last.
    """
    heading = title or view.title
    own = f"{view.title}, {view.subtitle}" if heading != view.title else view.subtitle
    parts = [tag("h2", heading)]
    if own.strip(", "):
        parts.append(tag("p", own.strip(", "), kind="own"))
    if warning:
        parts.append(tag("p", f"⚠ {warning}", kind="stale"))
    if view.figure:
        parts.append(tag("p", view.figure, kind="big"))
    parts += [tag("p", line) for line in (view.interval, *view.sentences) if line]
    parts += pictures
    parts += [table_html(table) for table in view.tables]
    if note.strip():
        parts.append(tag("p", joined(note.strip().split("\n"), tag("br"))))
    parts += [tag("p", line, kind="quiet") for line in view.notes]
    return tag("section", *parts, foot)


def table_html(shown: Table) -> Html:
    """A table; further lines of a cell are quiet."""
    table = shown.as_texts()
    right, strong = frozenset(table.right), frozenset(table.strong)
    head = (_cell("th", name, at in right) for at, name in enumerate(table.columns))
    rows = (
        tag(
            "tr",
            *(
                _cell("td", text, at in right, is_strong=(number, at) in strong)
                for at, text in enumerate(row)
            ),
        )
        for number, row in enumerate(table.texts())
    )
    title = tag("p", table.title, kind="quiet") if table.title else NOTHING
    return joined((title, tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows))))


def _cell(name: str, text: str, is_right: bool, *, is_strong: bool = False) -> Html:
    first, *additional = text.split("\n")
    kinds = " ".join(kind for kind, holds in (("left", not is_right), ("best", is_strong)) if holds)
    more = joined(joined((tag("br"), tag("span", line, kind="quiet"))) for line in additional)
    return tag(name, first, more, kind=kinds or None)


def chart_figure(chart: Chart) -> Html:
    """A chart as a page of HTML shows it, and the numbers behind it."""
    numbers = tag("details", tag("summary", "The numbers"), table_html(numbers_behind(chart)))
    return joined((tag("figure", chart_svg(chart)), numbers))


def stale_words(view: View) -> str:
    """Return what an entry says of itself that is not of the present document."""
    made = f"Made on {view.made_at[:10]}," if view.made_at else "Made"
    return f"{made} before the data or the settings were changed: the figures are of then."


def entry_html(
    view: View,
    *,
    title: str = "",
    note: str = "",
    warning: str = "",
    foot: Html = NOTHING,
    figure: Callable[[Chart], Html] = chart_figure,
) -> Html:
    """An entry with its charts drawn: the same bytes from every door; as ``section_html``.

    ``figure`` draws a chart where it is not drawn in the page itself: on paper.
    """
    pictures = tuple(figure(chart) for chart in view.charts)
    return section_html(view, title=title, note=note, warning=warning, pictures=pictures, foot=foot)


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
