"""A report as one HTML page: its frame, its style, its tables. No network, no script.

Pictures come as addresses that hold them (``data:``), so that one file is the whole report.
"""

from __future__ import annotations

from html import escape

from core.document.report.blocks import ReportTable

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
.quiet { color: #5B6470; font-size: 13px; } .stale { color: #B45309; font-size: 13px; }
.best { font-weight: 600; } svg, img { width: 100%; height: auto; } figure { margin: 8px 0; }
summary { color: #5B6470; font-size: 13px; cursor: pointer; }
.tick { font: 11px system-ui, sans-serif; fill: #5B6470; }
.name { font: 12px system-ui, sans-serif; } ul { padding-left: 20px; }
@media print { body { background: #FFF; } section { border: 0; padding: 0; break-inside: avoid; }
  details { display: none; } }
"""


def page_html(title: str, subtitle: str, body: str) -> str:
    """A whole page around sections that are HTML already; title and subtitle are plain text."""
    said = f'<p class="quiet">{escape(subtitle)}</p>' if subtitle else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{said}{body}</main></body></html>\n"
    )


def table_html(table: ReportTable) -> str:
    """A table; further lines of a cell are quiet."""
    right, strong = frozenset(table.right), frozenset(table.strong)
    head = "".join(_cell("th", name, at in right) for at, name in enumerate(table.columns))
    rows = "".join(
        "<tr>"
        + "".join(
            _cell("td", text, at in right, is_strong=(number, at) in strong)
            for at, text in enumerate(row)
        )
        + "</tr>"
        for number, row in enumerate(table.rows)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(tag: str, text: str, is_right: bool, *, is_strong: bool = False) -> str:
    first, *further = text.split("\n")
    kinds = " ".join(kind for kind, holds in (("left", not is_right), ("best", is_strong)) if holds)
    mark = f' class="{kinds}"' if kinds else ""
    more = "".join(f'<br><span class="quiet">{escape(line)}</span>' for line in further)
    return f"<{tag}{mark}>{escape(first)}{more}</{tag}>"


def figure_html(address: str, words: str, numbers: ReportTable) -> str:
    """A picture, said in words for those who do not see it, and the numbers behind it."""
    return (
        f'<figure><img src="{escape(address)}" alt="{escape(words)}"></figure>'
        f"<details><summary>The numbers</summary>{table_html(numbers)}</details>"
    )
