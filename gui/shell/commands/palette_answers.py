"""What the palette answers by itself: the project's figures, and what a pasted number is."""

from __future__ import annotations

from functools import partial

from gui.pages.home.cards import amount_words
from gui.shell.commands import Frame
from gui.shell.commands.palette import PaletteEntry
from gui.shell.page_list import PAGES, PageId
from gui.theme import icon

MOST_MATCHES = 12


def answers(frame: Frame) -> list[PaletteEntry]:
    """What the project says now, before anything is typed: its money, then its first metric."""
    from core.document.wording import format_money_interval, format_share
    from core.presentation.known_figures import leading_figure
    from gui.session.headline import headline_of

    session = frame.session
    results, document = session.results, session.project.document
    found = []
    if results.decisions is not None and results.decisions_are_fresh:
        head = headline_of(document, results.decisions, results.cursor_depth, results.reading)
        amount = amount_words(head, document.currency)
        if amount and head.depth is not None:
            words = f"Best {format_share(head.depth)} with {head.best_model}: {amount}"
            if head.low is not None and head.high is not None:
                ends = (-head.high, -head.low) if head.is_loss else (head.low, head.high)
                words += f" ({format_money_interval(*ends)})"
            found.append(_entry(frame, words, PageId.DECIDE))
    if results.evaluation is not None and results.evaluation_is_fresh:
        leading = leading_figure(results.evaluation)
        if leading is not None:
            found.append(_entry(frame, f"{leading.name}: {leading.shown}", PageId.COMPARE))
    return found


def figures_like(frame: Frame, typed: str) -> list[PaletteEntry]:
    """The figures known by now that a typed or pasted number may be; none for what is no number."""
    from core.presentation.known_figures import (
        decision_figures,
        matching,
        metric_figures,
        readings,
    )
    from core.presentation.labels import Labels

    if not readings(typed):
        return []
    results = frame.session.results
    known = list(frame.known_figures())
    if results.decisions is not None and results.decisions_are_fresh:
        labels = Labels.of(frame.session.project.document, results.decisions)
        known += decision_figures(results.decisions, labels)
    if results.evaluation is not None and results.evaluation_is_fresh:
        known += metric_figures(results.evaluation)
    return [
        _entry(frame, f"{figure.name}: {figure.shown}", PageId(figure.place))
        for figure in matching(typed, tuple(known))[:MOST_MATCHES]
    ]


def no_figure_words(typed: str) -> str:
    """What is said of a number that no figure of the project reads as; empty for other texts."""
    from core.presentation.known_figures import readings

    if not readings(typed):
        return ""
    return (
        f"No figure shown so far reads {typed.strip()}: it may be of other rows or another "
        "definition. “Definitions of other tools” on page Compare lists those of scikit-learn, SAS "
        "EM and R; page Uplift those of uplift libraries."
    )


def _entry(frame: Frame, words: str, page: PageId) -> PaletteEntry:
    entry = next(known for known in PAGES if known.key is page)
    return PaletteEntry(
        words, f"on {entry.title}", partial(frame.show_page, page), icon(entry.icon)
    )
