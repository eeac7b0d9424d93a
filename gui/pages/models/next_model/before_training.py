"""What is wrong with the next model's outcome and inputs, each with the button that mends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.document.model import Document, TrainedModel
from core.document.training_results import DistributionsResult, Mending, TrainingCheck
from gui.pages.models.words import find_distribution
from gui.widgets import Card, IconLabel, TextLabel, clear_layout
from gui.widgets.scrolled import scrolled

OTHER_OUTCOME = "Choose another outcome"
_HEAD, _LINE = 58, 44  # pixels
_MOST, _MOST_LOW = 4, 1  # lines; more are scrolled


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One line: what was found, and what its button says."""

    check: TrainingCheck
    button: str


def faults_of(
    draft: TrainedModel | None, result: DistributionsResult | None, document: Document
) -> tuple[Fault, ...]:
    """Return what was found of the inputs that a draft uses and of the outcome."""
    if draft is None or result is None or result.target != draft.target:
        return ()
    found = [check for check in result.checks if _concerns(check, draft)]
    found += _sparse_levels(draft, result, {check.column for check in found})
    return tuple(Fault(check=entry, button=_button(entry, result, document)) for entry in found)


def _concerns(check: TrainingCheck, draft: TrainedModel) -> bool:
    return check.mending is Mending.ROWS or check.column in draft.features


def _sparse_levels(
    draft: TrainedModel, result: DistributionsResult, described: set[str]
) -> list[TrainingCheck]:
    """Inputs with many levels for their rows, as columns to be left out."""
    return [
        TrainingCheck(
            code="sparse_levels", column=info.column, text=info.note, mending=Mending.INPUT
        )
        for info in result.inputs
        if info.note and info.column in draft.features and info.column not in described
    ]


def _button(check: TrainingCheck, result: DistributionsResult, document: Document) -> str:
    if check.mending is Mending.INPUT:
        return "Leave it out"
    if check.mending is Mending.OFFSET:
        loss = find_distribution(result, count_loss(result))
        return f"Take {loss.label} with this offset" if loss is not None else "Make it the offset"
    if check.expression:
        return "Leave them out"
    return "Use all rows" if document.split.where else OTHER_OUTCOME


def count_loss(result: DistributionsResult | None) -> str:
    """Return the loss that counts are usually learned with: the first that fits; else nothing."""
    infos = result.distributions if result is not None else ()
    return next((info.id for info in infos if info.fits and info.domain == "counts"), "")


class BeforeTraining(Card):
    """The faults of the next model; hidden where there are none."""

    mending_wanted = Signal(object)  # TrainingCheck

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Before it trains", parent=parent)
        self._faults: tuple[Fault, ...] = ()
        self._most = _MOST
        self.buttons: list[QPushButton] = []
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        self._lines = QVBoxLayout(holder)
        self._lines.setContentsMargins(0, 0, 8, 0)
        self._lines.setSpacing(6)
        self.body.addWidget(scrolled(holder), 1)
        self.hide()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is shown."""
        return self._faults

    def show_faults(self, faults: tuple[Fault, ...]) -> None:
        """Show what was found; nothing hides the card."""
        if faults != self._faults:
            self._faults = faults
            clear_layout(self._lines)
            self.buttons = [self._add(fault) for fault in faults]
            self._set_height()
        self.setVisible(bool(faults))

    def set_low(self, is_low: bool) -> None:
        """Take less room on a low page."""
        self._most = _MOST_LOW if is_low else _MOST
        self._set_height()

    def _set_height(self) -> None:
        self.setFixedHeight(_HEAD + _LINE * min(max(1, len(self._faults)), self._most))

    def _add(self, fault: Fault) -> QPushButton:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(IconLabel("warning", "loss", 16), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(TextLabel(fault.check.text, wraps=True), 1)
        button = QPushButton(fault.button)
        button.setProperty("small", "true")
        button.setAccessibleName(f"{fault.button}: {fault.check.column}")
        button.clicked.connect(self._asker(fault.check))
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._lines.addWidget(line)
        return button

    def _asker(self, check: TrainingCheck) -> Callable[[], None]:
        return lambda: self.mending_wanted.emit(check)
