"""Named parameters that formulas of the matrix use: asked for, or offered where one is missing."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QInputDialog,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.decisions.formulas import AMOUNT, names_in, tidy
from core.document.decisions.matrix_model import MatrixSpec
from core.document.decisions.numbers import SetFormula
from gui.parts import NumberField, TextLabel
from payoff.errors import PayoffError

LARGEST = 1e12


class ParameterOffer(QPushButton):
    """Under the matrix: adds the parameter that a refused formula names, with one click."""

    parameter_given = Signal(str, float)
    formula_wanted = Signal(object)  # SetFormula: the one that was refused, to be entered again

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "link")
        self._formula: SetFormula | None = None
        self._name = ""
        self.clicked.connect(self.ask)
        self.hide()

    def offer(self, formula: SetFormula, matrix: MatrixSpec | None) -> None:
        """Show the button if only a parameter is missing, and the matrix may have its own."""
        self.forget()
        name = missing_name(formula.text, matrix)
        if name and matrix is not None and matrix.cells:
            self._formula, self._name = formula, name
            self.setText(self.tr("Add the parameter “%s”…") % name)
            self.show()

    def forget(self) -> None:
        """Take the offer back."""
        self._formula, self._name = None, ""
        self.hide()

    def ask(self) -> None:
        """Ask for the value of the missing parameter, then enter the formula."""
        value = ask_value(self, self._name) if self._formula is not None else None
        if value is not None:
            self.add(value)

    def add(self, value: float) -> None:
        """Add the missing parameter with a value, then enter the formula again."""
        formula, name = self._formula, self._name
        if formula is None:
            return
        self.parameter_given.emit(name, value)
        self.formula_wanted.emit(formula)


def missing_name(text: str, matrix: MatrixSpec | None) -> str:
    """The first name of a formula that is no parameter; empty where all are."""
    known = dict(matrix.parameters) if matrix is not None else {}
    try:
        names = names_in(tidy(text))
    except PayoffError:
        return ""
    return next((name for name in names if name not in (*known, AMOUNT)), "")


def ask_parameter(parent: QWidget) -> tuple[str, float] | None:
    """Ask for the name and the value of a parameter; None where the user turned away."""
    words = QCoreApplication.translate("ParameterOffer", "Its name, as formulas are to write it")
    name, is_given = QInputDialog.getText(parent, _title(), words)
    if not is_given or not name.strip():
        return None
    value = ask_value(parent, name)
    return None if value is None else (name, value)


def ask_value(parent: QWidget, name: str) -> float | None:
    """Ask for the value of a parameter; None where the user turned away."""
    words = QCoreApplication.translate("ParameterOffer", "Value of “%s”") % name
    prompt = QDialog(parent)
    prompt.setWindowTitle(_title())
    column = QVBoxLayout(prompt)
    field = NumberField(0.0, minimum=-LARGEST, maximum=LARGEST)
    field.setAccessibleName(words)
    buttons = QDialogButtonBox(
        QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
    )
    buttons.accepted.connect(prompt.accept)
    buttons.rejected.connect(prompt.reject)
    for widget in (TextLabel(words), field, buttons):
        column.addWidget(widget)
    field.setFocus()
    field.selectAll()
    is_given = prompt.exec() == QDialog.DialogCode.Accepted
    value = field.value()
    prompt.deleteLater()
    return value if is_given else None


def _title() -> str:
    return QCoreApplication.translate("ParameterOffer", "Add a parameter")
