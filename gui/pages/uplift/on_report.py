"""What page Uplift offers for the report: cards of its answer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from core.presentation.making_views import entry_key, part_of
from core.presentation.uplift.cards import CRITERIA, CURVE, GAIN, VALIDITY, VARIANTS, CardName
from core.questions.uplift import Uplift
from gui.charts.card import ChartCard
from gui.pages.report.parts import AnswerViews, ReportPart

_KEY = entry_key(Uplift)
_TITLES = {
    VALIDITY: "Is the experiment valid?",
    CURVE: "Gain by depth",
    GAIN: "Net gain",
    VARIANTS: "One ranking in every definition",
    CRITERIA: "Six criteria",
}


def card_parts(
    views: AnswerViews,
    model: str,
    options: tuple[str, ...],
    on_report: Iterable[str],
    chart: ChartCard,
) -> list[ReportPart]:
    """Return the cards of a ranking, and those of others that are on the report.

    Parameters
    ----------
    views : AnswerViews
        Of the answer to ``Uplift``.
    model : str
        The ranking in front; empty where there is none.
    options : tuple of str
        How the curve is drawn.
    on_report : iterable of str
        Keys of the report's entries.
    chart : ChartCard
        Shows by its button whether the curve with these options is there.
    """
    names = [CardName(card=VALIDITY)]
    if model:
        names += [
            CardName(card=CURVE, options=options, model=model),
            *(CardName(card=card, model=model) for card in (GAIN, VARIANTS, CRITERIA)),
        ]
    shown = [str(name) for name in names]
    kept = [part_of(kind) for kind in on_report if kind.partition(" ")[0] == _KEY]
    return [
        ReportPart(
            key=f"{_KEY} {part}".rstrip(),
            title=_title_of(CardName.read(part)),
            answered=partial(views.view_or_none, part),
            charts=(chart,) if part in shown and CardName.read(part).card == CURVE else (),
        )
        for part in dict.fromkeys((*shown, *kept))
    ]


def _title_of(name: CardName) -> str:
    """What a card is called where it can be put on the report."""
    known = _TITLES.get(name.card, "All of the experiment")
    return f"{known}, {name.model}" if name.model else known
