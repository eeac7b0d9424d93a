"""What page Uplift offers for the report: cards of its answer, and the answers of its tabs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from core.document.model import Document
from core.document.studies.uplift import UpliftResult
from core.presentation.labels import Labels
from core.presentation.showing import entry_key, part_of, show
from core.presentation.uplift import CRITERIA, CURVE, GAIN, VALIDITY, VARIANTS, CardName
from core.presentation.view import View
from core.questions.uplift import Uplift
from gui.plots.card import ChartCard
from gui.report.parts import ReportPart
from payoff.errors import PayoffError

_KEY = entry_key(Uplift)
_TITLES = {
    VALIDITY: "Is the experiment valid?",
    CURVE: "Gain by depth",
    GAIN: "Net gain",
    VARIANTS: "One ranking in every definition",
    CRITERIA: "Six criteria",
}


class AnswerCards:
    """The views of one answer of the page, each made once: the report knows a chart by its object.

    Parameters
    ----------
    answer : UpliftResult
    document : Document
        Whose words are used.
    """

    def __init__(self, answer: UpliftResult, document: Document) -> None:
        self.answer = answer
        self.labels = Labels.of(document)
        self._made: dict[str, View] = {}

    def view(self, name: CardName) -> View:
        """Return a card; raises PayoffError where its ranking is gone."""
        part = str(name)
        if part not in self._made:
            self._made[part] = show(Uplift(), self.answer, self.labels, part)
        return self._made[part]

    def parts(
        self, model: str, options: tuple[str, ...], on_report: Iterable[str], chart: ChartCard
    ) -> list[ReportPart]:
        """Return the cards of a ranking, and those of others that are on the report.

        ``chart`` shows by its button whether the curve with these options is there.
        """
        names = [CardName(card=VALIDITY)]
        if self.answer.models:
            names += [
                CardName(card=CURVE, options=options, model=model),
                *(CardName(card=card, model=model) for card in (GAIN, VARIANTS, CRITERIA)),
            ]
        shown = {f"{_KEY} {name}": name for name in names}
        kept = (kind for kind in on_report if kind.partition(" ")[0] == _KEY)
        found = {**shown, **{kind: CardName.read(part_of(kind)) for kind in kept}}
        return [
            ReportPart(
                key=key,
                title=", ".join(filter(None, (_TITLES.get(name.card, "Uplift"), name.model))),
                make=partial(self._made_or_none, name),
                chart=chart if key in shown and name.card == CURVE else None,
            )
            for key, name in found.items()
        ]

    def _made_or_none(self, name: CardName) -> View | None:
        try:
            return self.view(name)
        except PayoffError:  # its ranking is gone: the entry stays as it was made
            return None
