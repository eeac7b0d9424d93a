"""What other pages put on the report, as the window last made it and the project keeps it."""

from __future__ import annotations

import numpy as np

from core.document.chart_spec import AxisSpec, ChartSpec
from core.document.markup import NOTHING, Html, joined, tag
from core.document.model import Document
from core.document.report.blocks import ReportBlock
from core.document.report.commands import COMPARE, page_of
from core.document.report.page import section_html
from core.document.wording import format_number, format_share, format_short
from core.questions.stamps import page_stamp
from core.report.svg import Axis, SvgLine, line_chart

_FRESH = "As the window made it on {day}; what it rests on is as it was then."
_STALE = (
    "Made on {day}, before the data or the settings were changed: open its page in the window to "
    "make it again."
)
_MISSING = "'{kind}' stands on the report, but the project keeps no figures of it: open its page."


def kept_sections(document: Document, blocks: tuple[ReportBlock, ...]) -> Html:
    """A section for each entry of a page other than Compare, in the order of the report."""
    by_key = {block.key: block for block in blocks}
    parts = []
    for item in document.report:
        if page_of(item.kind) == COMPARE:
            continue
        block = by_key.get(item.kind)
        if block is None:
            text = _MISSING.format(kind=item.kind)
            parts.append(tag("section", tag("p", text, kind="stale")))
        else:
            is_fresh = block.stamp == page_stamp(page_of(item.kind), document)
            is_fresh = is_fresh and bool(block.stamp)
            parts.append(_section(block, item.caption, item.note, is_fresh=is_fresh))
    return joined(parts)


def _section(block: ReportBlock, caption: str, note: str, *, is_fresh: bool) -> Html:
    day = block.made_at[:10] or "an earlier day"
    return section_html(
        block,
        title=caption,
        note=note,
        warning="" if is_fresh else _STALE.format(day=day),
        picture=NOTHING if block.chart is None else _picture(block.chart),
        foot=tag("p", _FRESH.format(day=day), kind="quiet") if is_fresh else NOTHING,
    )


def _picture(spec: ChartSpec) -> Html:
    """Lines and grey lines of a chart; bars and clouds of points are left to the window."""
    lines = [
        SvgLine(name=s.name, x=s.x, y=s.y, low=s.low, high=s.high, series=max(s.series, 0))
        for s in spec.series
    ]
    lines += [SvgLine(name=b.name, x=b.x, y=b.y) for b in spec.baselines]
    known = tuple(line for line in lines if len(line.x) and np.isfinite(line.y).any())
    if not known:
        return tag("p", "Its picture has no lines: see it in the window.", kind="quiet")
    return line_chart(spec.title, known, _axis(spec.x_axis), _axis(spec.y_axis))


def _axis(axis: AxisSpec) -> Axis:
    words = {
        "percent": lambda value: format_share(value, 0),
        "money": format_short,
        "number": lambda value: format_number(value, 0 if abs(value) >= 100 else 2),
    }
    return Axis(label=axis.label, text=words[axis.quantity], low=axis.low, high=axis.high)
