"""The hold-out of the dialog that saves decisions: share, seed, what it costs and can show."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document
from core.document.studies.hold_out import HoldOutResult
from core.document.wording import format_money, format_share
from core.engine.messages import Ask
from core.questions.decide import HoldOutPlan
from gui.jobs.request import Request
from gui.parts import NumberField, TextLabel
from gui.workspace import Workspace
from payoff.counting import counted_of

PAUSE = 150  # ms without a change before the engine is asked
USUAL, MOST = 0.10, 0.9


class HoldOutRow(QWidget):
    """A box, a share and a seed; below them what the engine says of it.

    ``ask(share, seed)`` gives the question with model, cut and file as they are chosen now.
    """

    changed = Signal()

    def __init__(
        self,
        workspace: Workspace,
        ask: Callable[[float, int], Ask[HoldOutPlan]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._ask = ask
        self._request = Request(self, workspace, self._send, pause=PAUSE)
        self.box = QCheckBox("Keep a random share of the chosen out, to measure the effect")
        self.box.setToolTip(
            "They get the decision that does nothing and 1 in the column HOLDOUT_. Where only "
            "some decisions are written they stand in a file of their own, not in the list."
        )
        self.share_field = NumberField(
            USUAL, decimals=1, minimum=0.0, maximum=MOST, unit="%", factor=100.0
        )
        self.share_field.setAccessibleName("Share of the chosen to keep out")
        self.seed_field = NumberField(
            float(workspace.document.seed), whole=True, minimum=0, maximum=2**31 - 1
        )
        self.seed_field.setAccessibleName("Seed of the hold-out")
        self.note = TextLabel("", "note", wraps=True)
        self._build()
        self.box.toggled.connect(self._on_change)
        for field in (self.share_field, self.seed_field):
            field.value_changed.connect(self._on_change)
        self._on_change()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.box)
        row.addWidget(self.share_field)
        self.seed_words = TextLabel("seed", "quiet")
        row.addWidget(self.seed_words)
        row.addWidget(self.seed_field)
        row.addStretch(1)
        self.share_field.setFixedWidth(76)
        self.seed_field.setFixedWidth(84)
        column.addLayout(row)
        column.addWidget(self.note)

    @property
    def share(self) -> float:
        """The share to keep out; 0 while the box is off."""
        return self.share_field.value() if self.box.isChecked() else 0.0

    @property
    def seed(self) -> int:
        """The seed of the draw."""
        return round(self.seed_field.value())

    def refresh(self) -> None:
        """Model or cut changed: ask again."""
        if self.share > 0:
            self._request.renew_later()

    def _on_change(self, _value: object = None) -> None:
        is_on = self.box.isChecked()
        for widget in (self.share_field, self.seed_words, self.seed_field):
            widget.setEnabled(is_on)
        self.note.setVisible(is_on)
        if is_on:
            self.note.setText("Being worked out…")
            self._request.renew_later()
        self.changed.emit()

    def _send(self) -> None:
        if self.share <= 0:
            self.note.setText("")
            return
        asked = self._ask(self.share, self.seed)

        def on_result(result: HoldOutResult) -> None:
            if asked == self._ask(self.share, self.seed):  # else the next is under way
                self.note.setText(hold_out_words(asked.document, result))

        self._request.ask(
            asked.document,
            asked.question,
            on_result=on_result,
            on_error=lambda refusal: self.note.setText(str(refusal)),
        )


def hold_out_words(document: Document, result: HoldOutResult) -> str:
    """What a hold-out costs, and the smallest effect that it could show."""
    one, many = (f"chosen {word}" for word in document.case_word)
    text = counted_of(result.held, result.chosen, one, many, verbs="is/are") + " kept "
    is_loss = document.matrix is not None and document.matrix.kind is MatrixKind.LOSS
    what = "of expected loss not saved" if is_loss else "of expected profit forgone"
    text += f"out: {format_money(result.forgone, document.currency)} {what}. "
    target = document.target
    event = target.label(target.event) if target is not None else "event"
    if math.isnan(result.smallest_effect):
        return text + f"That is too few to show any effect on “{event}”."
    rate = format_share(result.event_rate)
    effect = format_number_of_points(result.smallest_effect)
    text += f"With {rate} “{event}” expected among the chosen, the smallest effect this could show "
    power, level = format_share(result.power, 0), format_share(result.significance, 0)
    return text + f"is {effect} (power {power}, two-sided {level})."


def format_number_of_points(difference: float) -> str:
    """A difference of shares: "1.24 percentage points"."""
    return f"{100 * difference:.2f} percentage points"
