"""Naming the true effect of each case, which only simulated data have."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from core.document.uplift.commands import SetTrueEffect
from gui.parts import TextLabel
from gui.parts.dialog_buttons import dialog_buttons
from gui.workspace import Workspace


class TruthDialog(QDialog):
    """One column of effects, or two of means with and without treatment."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.setWindowTitle("True effect")
        self.resize(460, 240)
        summary, spec = workspace.summary, workspace.document.uplift
        columns = summary.columns if summary is not None else ()
        numbers = [c.name for c in columns if c.kind in ("integer", "number", "boolean")]
        column = QVBoxLayout(self)
        said = (
            "Simulated data such as IHDP tell what treating would change for each case. PEHE is "
            "the mean squared error of a model's effects against it; Hill (2011) reports its root."
        )
        column.addWidget(TextLabel(said, "quiet", wraps=True))
        form = QFormLayout()
        self.effect = _choice("Not known", numbers, spec.true_effect)
        self.control = _choice("Nothing: it is the effect", numbers, spec.true_control)
        form.addRow("True effect, or mean if treated", self.effect)
        form.addRow("less the mean if not treated", self.control)
        column.addLayout(form)
        column.addStretch(1)
        buttons, _ok = dialog_buttons(self, "OK")
        column.addWidget(buttons)

    def accept(self) -> None:
        """Name the columns; a refusal leaves the dialog open."""
        command = SetTrueEffect(column=_chosen(self.effect), control=_chosen(self.control))
        if self.workspace.execute(command):
            super().accept()


def _choice(none: str, names: list[str], chosen: str | None) -> QComboBox:
    combo = QComboBox()
    combo.addItems([none, *names])
    combo.setCurrentIndex(names.index(chosen) + 1 if chosen in names else 0)
    return combo


def _chosen(combo: QComboBox) -> str | None:
    return combo.currentText() if combo.currentIndex() > 0 else None
