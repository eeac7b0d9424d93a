"""Named parameters that formulas of the matrix use: asked for, or offered where one is missing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from core.document.decisions.formulas import AMOUNT, names_in, tidy_formula
from core.document.decisions.matrix_model import MatrixSpec
from core.document.decisions.numbers import SetFormula
from gui.shell.dialogs.ask_text import AskDialog, ask_name, ask_number
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
            self.setText(f"Add the parameter “{name}”…")
            self.show()

    def forget(self) -> None:
        """Take the offer back."""
        self._formula, self._name = None, ""
        self.hide()

    def ask(self) -> None:
        """Ask for the value of the missing parameter, then enter the formula."""
        if self._formula is not None:
            ask_value(self, self._name, self.add)

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
        names = names_in(tidy_formula(text))
    except PayoffError:
        return ""
    return next((name for name in names if name not in (*known, AMOUNT)), "")


def ask_parameter(parent: QWidget, take: Callable[[str, float], object]) -> AskDialog:
    """Ask for the name and then the value of a parameter; ``take`` is called with both."""
    words = "Its name, as formulas are to write it"
    return ask_name(
        parent,
        _title(),
        words,
        lambda name: QTimer.singleShot(
            0, parent, lambda: ask_value(parent, name, lambda value: take(name, value))
        ),
    )


def ask_value(parent: QWidget, name: str, take: Callable[[float], object]) -> AskDialog:
    """Ask for the value of a parameter; ``take`` is called with it."""
    words = f"Value of “{name}”"
    return ask_number(parent, _title(), words, take, LARGEST)


def _title() -> str:
    return "Add a parameter"
