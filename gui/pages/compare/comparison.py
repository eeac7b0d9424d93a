"""The foot of the metric table filled: the reference against another model, how to read bars."""

from __future__ import annotations

from PySide6.QtCore import QObject

from core.document.decisions.chosen_depth import chosen_for
from core.document.markup import NOTHING
from core.document.results import CursorReading, PairedDifference, ResampleResult
from core.presentation.decide.figures import at_depth, paired_at
from core.presentation.labels import Labels
from gui.pages.compare.footer import TableFooter
from gui.pages.compare.words import best_other, comparison_note, comparison_sentence
from gui.session.session import Session


def labels_of(session: Session) -> Labels:
    """What the figures of page Compare are called, for the class that is looked at."""
    results = session.results
    return Labels.of(session.project.document, results.decisions, level=results.level)


class Comparison(QObject):
    """Compares the reference model with the row that was clicked, else with the best other one."""

    def __init__(self, session: Session, footer: TableFooter) -> None:
        super().__init__(footer)
        self._session, self._footer = session, footer
        self._other: str | None = None  # the row that was clicked
        self._reading: CursorReading | None = None
        self._resampled_at: float | None = None  # the depth that resamples were seen to come at
        self._depth: float | None = None  # the depth that the money shown belongs to
        session.results.resamples_changed.connect(self._on_resamples_changed)

    def compare_with(self, model: str) -> None:
        """Compare another model with the reference."""
        self._other = model
        self._show()

    def show_reading(self, reading: CursorReading | None) -> None:
        """Show the comparison, with what was read at the cursor of the totals shown."""
        self._reading = reading
        self._show()

    def follow(self, depth: float) -> None:
        """The cursor has moved: money that belongs to another depth goes."""
        if self._depth not in (None, depth):
            self._show()

    def _on_resamples_changed(self, result: ResampleResult | None) -> None:
        self._resampled_at = self._session.results.cursor_depth if result is not None else None
        self._show()

    def _show(self) -> None:
        session, footer = self._session, self._footer
        evaluation, look = session.results.evaluation, labels_of(session)
        if evaluation is None:
            footer.set_texts(NOTHING, ())
            return
        names = [model.name for model in look.models]
        other = self._other if self._other in names and self._other != look.chosen else None
        other = other or best_other(evaluation, look.chosen)
        sentence, note = NOTHING, ""
        money = self._money_difference(look.chosen, other) if other is not None else None
        self._depth = session.results.cursor_depth if money is not None else None
        if other is not None:
            sentence = comparison_sentence(
                evaluation,
                look.chosen,
                other,
                money,
                look.currency,
                is_loss=look.is_loss,
                profit=self._profit_of(look.chosen),
                chosen_for=self._chosen_for(look.chosen, other),
            )
            note = comparison_note(evaluation, look.chosen, other)
        footer.set_texts(sentence, _legends(look), note)

    def _chosen_for(self, *models: str) -> str:
        """The model for which these rows chose the depth of the cursor: it looks better there."""
        decisions = self._session.results.decisions
        profits = decisions.models if decisions is not None else ()
        return chosen_for(profits, self._session.results.cursor_depth, models)

    def _profit_of(self, model: str) -> float:
        """What a model brings at the cursor; 0 where that is not known."""
        decisions, depth = self._session.results.decisions, self._session.results.cursor_depth
        found = [entry for entry in decisions.models if entry.model == model] if decisions else []
        return at_depth(found[0], depth, self._reading).profit if found else 0.0

    def _money_difference(self, first: str, second: str) -> PairedDifference | None:
        """The paired difference of profits where the cursor rests: resampled, else exact."""
        session = self._session
        depth, decisions = session.results.cursor_depth, session.results.decisions
        chosen, rest = session.results.chosen_profit(), session.project.document.cursor_depth
        if rest is None and chosen is not None:
            rest = chosen.resting_depth
        if depth != rest or decisions is None:
            return None  # on the move
        models = {entry.model: entry for entry in decisions.models}
        if first not in models or second not in models:
            return None
        own, other = (at_depth(models[name], depth, self._reading) for name in (first, second))
        return paired_at(
            own,
            other,
            self._reading,
            session.results.resamples,
            is_drawn_here=self._resampled_at == depth,
        )


def _legends(look: Labels) -> tuple[str, ...]:
    """How to read the table, the longest first; one model is neither the best nor like the best."""
    bars, short = f"Bars: 95 %, same {look.cases} drawn for every model", "Bars: 95 %"
    if len(look.models) < 2:
        return (short,)
    gap, best, tied = " " * 5, "bold = best", "≈ = not distinguishable from the best"
    return gap.join((bars, best, tied)), gap.join((short, best, tied)), tied
