"""What page Uplift shows of its experiment: is it valid, what does treating bring, whom to treat.

One answer has several cards; ``Labels.part`` says which one is shown (``CardName``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.document.studies.uplift import (
    UpliftModelResult,
    UpliftResult,
)
from core.presentation.labels import Labels
from core.presentation.uplift.criteria import criteria
from core.presentation.uplift.curve import curve
from core.presentation.uplift.gain import gain
from core.presentation.uplift.validity import validity
from core.presentation.uplift.variants import variants
from core.presentation.uplift.words import UpliftWords
from core.presentation.view import View
from payoff.errors import PayoffError

VALIDITY, CURVE, GAIN, VARIANTS, CRITERIA = "validity", "curve", "gain", "variants", "criteria"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardName:
    """Which card is shown, how, and of which ranking: "curve+whole two models"."""

    card: str = ""
    options: tuple[str, ...] = ()
    model: str = ""

    @classmethod
    def read(cls, part: str) -> CardName:
        """Return it from the part of a report's key."""
        name, _, model = part.partition(" ")
        card, *options = name.split("+")
        return cls(card=card, options=tuple(options), model=model)

    def __str__(self) -> str:
        return f"{'+'.join((self.card, *self.options))} {self.model}".rstrip()


def experiment_card(answer: UpliftResult, labels: Labels) -> View:
    """The card that ``labels.part`` names; left out: all of them, of one ranking."""
    name = CardName.read(labels.part)
    words = UpliftWords.of(answer, labels)
    if name.card == VALIDITY or not (answer.models or name.card):
        return validity(answer, words)
    model = ranking_of(answer, name.model or labels.chosen, is_named=bool(name.model))
    depth = model.choice.depth if labels.depth is None else labels.depth
    cards: dict[str, Callable[[], View]] = {
        CURVE: lambda: curve(answer, model, words, name.options),
        GAIN: lambda: gain(answer, model, words),
        VARIANTS: lambda: variants(model, words),
        CRITERIA: lambda: criteria(answer, model, words, depth),
    }
    if name.card in cards:
        return cards[name.card]()
    return _in_one(validity(answer, words), *(card() for card in cards.values()))


def ranking_of(answer: UpliftResult, name: str, *, is_named: bool = False) -> UpliftModelResult:
    """Return a ranking by its name; the first where none is named and there is none of that name.

    Raises
    ------
    PayoffError
        Where there is no ranking, or none of the name that is named.
    """
    found = next((model for model in answer.models if model.model == name), None)
    if found is None and (is_named or not answer.models):
        raise PayoffError("No such ranking is in the experiment.", where=name)
    return found or answer.models[0]


def _in_one(first: View, *others: View) -> View:
    """All cards in one: the verdict, the figure, and all that is said, drawn and listed."""
    views = (first, *others)
    figured = next(view for view in others if view.figure)
    return replace(
        first,
        figure=figured.figure,
        interval=figured.interval,
        sentences=tuple(line for view in views for line in view.sentences),
        tables=tuple(table for view in views for table in view.tables),
        charts=tuple(chart for view in views for chart in view.charts),
        notes=tuple(line for view in views for line in view.notes),
    )
