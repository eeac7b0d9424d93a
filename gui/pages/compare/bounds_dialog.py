"""How large a model's expected loss may be on new cases: limits with what they take for granted."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from core.document.experiments.error_bounds import (
    BoundsResult,
    ConditionState,
    ErrorBound,
    ModelBounds,
    Side,
)
from core.document.wording import format_count, format_number, format_share
from core.questions.compare import ErrorBounds
from gui.pages.compare.study_dialog import StudyDialog
from gui.parts import TextLabel
from gui.workspace import Workspace


class BoundsDialog(StudyDialog):
    """Limits of every model's expected loss on the rows that are compared."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            workspace,
            "How sure is the loss?",
            (
                "The mean loss of these rows is one draw; the expected loss of new cases lies "
                "below the limit in the stated share of such draws. A limit that is valid holds "
                "whatever the losses follow, an approximate one nearly so for many cases."
            ),
            parent,
        )
        self.resize(1020, 600)
        names = ("loss", "side", "confidence", "methods", "cluster", "loss_range", "margin")
        self.form = self.add_form(ErrorBounds, names)
        self.conditions = TextLabel("", "note", wraps=True)
        self.column.insertWidget(self.column.indexOf(self.notes), self.conditions)
        self.refresh()

    def refresh(self) -> None:
        """Ask for the bounds."""
        self.begin()
        self.say("Being worked out…")
        self.put(self.form.question(), self._take)

    def _take(self, result: BoundsResult) -> None:
        rows = [row for model in result.models for row in self._rows_of(model)]
        columns = (
            "Model",
            "Bound",
            "Losses",
            "Mean loss",
            "Limit",
            "Margin",
            "Cases needed",
            "Holds",
        )
        self.show_rows(columns, rows, right=(2, 3, 4, 5, 6), wide=7)
        self.say(result.rows_text, result.warnings)
        self.conditions.setText(self._condition_words(result))

    def _rows_of(self, model: ModelBounds) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [
            (
                model.model,
                bound.label,
                format_count(bound.n),
                _loss(bound.mean),
                self._limit(bound),
                _loss(bound.margin),
                format_count(bound.needed) if bound.needed else "—",
                self._holds(bound),
            )
            for bound in model.bounds
        ]
        if model.refusal and not rows:
            return [
                (
                    model.model,
                    "",
                    format_count(model.n),
                    _loss(model.mean),
                    "",
                    "",
                    "",
                    model.refusal,
                )
            ]
        return rows

    def _limit(self, bound: ErrorBound) -> str:
        if bound.side is Side.TWO:
            return f"{_loss(bound.low)} to {_loss(bound.high)}"
        return _loss(bound.high if bound.side is Side.UPPER else bound.low)

    def _holds(self, bound: ErrorBound) -> str:
        share = format_share(bound.confidence, 0)
        if bound.is_vacuous:
            return "says no more than the range of the loss"
        if bound.is_valid:
            return f"valid, {share}"
        return f"approximate, {share}"

    def _condition_words(self, result: BoundsResult) -> str:
        """Every condition once, with how far it is known to hold."""
        marks = {
            ConditionState.MET: "✓",
            ConditionState.ASSUMED: "taken for granted:",
            ConditionState.BROKEN: "⚠",
        }
        found = {
            f"{marks[condition.state]} {condition.text}": None
            for model in result.models
            for bound in model.bounds
            for condition in bound.conditions
        }
        return "\n".join(found)


def _loss(value: float) -> str:
    return format_number(value, 4) if math.isfinite(value) else "—"
