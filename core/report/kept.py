"""What stands on the report beside page Compare's grid: answered anew, or as it was kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from core.document.markup import NOTHING, Html, joined, tag
from core.document.model import Document
from core.document.report.commands import is_grid_entry, page_of
from core.presentation.labels import Labels
from core.presentation.page import entry_html
from core.presentation.showing import asked_of, part_of, show
from core.presentation.view import View
from core.questions.question import Question
from core.questions.stamps import page_stamp
from payoff.errors import PayoffError

_FRESH = "As the window made it on {day}; what it rests on is as it was then."
_STALE = (
    "Made on {day}, before the data or the settings were changed: open its page in the window to "
    "make it again."
)
_MISSING = "'{kind}' stands on the report, but the project keeps no figures of it: open its page."


def fresh_views(
    document: Document,
    kept: tuple[View, ...],
    ask: Callable[[Question[Any]], object],
    labels: Labels,
    filled: tuple[View, ...] = (),
) -> tuple[View, ...]:
    """Return the entries of the report, those of questions answered anew from the document.

    Parameters
    ----------
    document : Document
    kept : tuple of View
        As the project keeps them.
    ask : callable
        Answers a question; what it refuses stays as it was kept.
    labels : Labels
    filled : tuple of View
        Entries that were made of what is known, such as those for the committee.
    """
    by_key = {view.key: view for view in kept}
    answered = cache(ask)  # several entries may show one answer
    stamp = page_stamp("committee", document)
    by_key |= {view.key: replace(view, stamp=stamp) for view in filled}
    for item in document.report:
        question = asked_of(item.kind, by_key.get(item.kind))
        if question is None:
            continue
        try:
            view = show(question, answered(question), labels, part_of(item.kind))
        except PayoffError:
            continue
        stamp = page_stamp(page_of(item.kind), document)
        by_key[item.kind] = replace(view, key=item.kind, stamp=stamp)
    return tuple(by_key.values())


def kept_sections(document: Document, blocks: tuple[View, ...]) -> Html:
    """A section for each entry that is no chart of page Compare's grid, in the report's order."""
    by_key = {block.key: block for block in blocks}
    parts = []
    for item in document.report:
        if is_grid_entry(item.kind):
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


def _section(block: View, caption: str, note: str, *, is_fresh: bool) -> Html:
    if is_fresh and not block.made_at:  # answered for this page
        return entry_html(block, title=caption, note=note)
    day = block.made_at[:10] or "an earlier day"
    return entry_html(
        block,
        title=caption,
        note=note,
        warning="" if is_fresh else _STALE.format(day=day),
        foot=tag("p", _FRESH.format(day=day), kind="quiet") if is_fresh else NOTHING,
    )
