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
from gui.parts import NumberField, TextLabel
from gui.workspace import Workspace

EVERY = (
    "hoeffding",
    "kl",
    "empirical_bernstein",
    "clopper_pearson",
    "prpl_eb",
    "betting",
    "wilson",
    "student_t",
    "bootstrap",
    "bca",
)


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
        has_levels = bool(workspace.document.target and workspace.document.target.levels)
        losses = [("squared (Brier)", "squared")]
        if has_levels:
            losses.append(("wrong class (0 or 1)", "zero_one"))
        self.loss = self.add_choice("Loss", losses)
        self.side = self.add_choice(
            "Limits",
            (("upper", Side.UPPER), ("upper and lower", Side.TWO)),
        )
        self.confidence = self.add_choice(
            "Confidence", (("95 %", 0.95), ("99 %", 0.99), ("90 %", 0.9))
        )
        self.methods = self.add_choice("Bounds", (("the usual ones", ()), ("all ten", EVERY)))
        clusters = [("each row is one case", "")]
        columns = workspace.summary.columns if workspace.summary is not None else ()
        clusters += [(column.name, column.name) for column in columns]
        self.cluster = self.add_choice("One loss per", clusters)
        self.largest = NumberField(math.nan, minimum=0.0, may_be_empty=True)
        self.largest.setPlaceholderText("largest loss")
        self.largest.setToolTip("Losses of a number have a bound only where they end")
        self.largest.setAccessibleName("Largest loss that is possible")
        self.largest.setFixedWidth(96)
        self.largest.setVisible(not has_levels)
        self.choices.addWidget(self.largest)
        self.margin = NumberField(math.nan, decimals=3, minimum=0.0, may_be_empty=True)
        self.margin.setPlaceholderText("margin wanted")
        self.margin.setToolTip("How many such cases would bring a limit so near the mean")
        self.margin.setAccessibleName("Margin that is wanted")
        self.margin.setFixedWidth(114)
        self.choices.addWidget(self.margin)
        self.choices.addStretch(1)
        self.conditions = TextLabel("", "note", wraps=True)
        self.column.insertWidget(self.column.indexOf(self.notes), self.conditions)
        for combo in (self.loss, self.side, self.confidence, self.methods, self.cluster):
            combo.activated.connect(self.refresh)
        self.largest.value_changed.connect(self.refresh)
        self.margin.value_changed.connect(self.refresh)
        self.refresh()

    def refresh(self, *_ignored: object) -> None:
        """Ask for the bounds."""
        self.begin()
        self.say("Being worked out…")
        largest, margin = self.largest.entered(), self.margin.entered()
        question = ErrorBounds(
            loss=str(self.loss.currentData()),
            side=Side(self.side.currentData()),
            confidence=float(self.confidence.currentData()),
            methods=tuple(self.methods.currentData()),
            cluster=str(self.cluster.currentData()),
            loss_range=(0.0, largest) if largest is not None and largest > 0 else None,
            margin=max(0.0, margin or 0.0),
        )
        self.put(question, self._take)

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
