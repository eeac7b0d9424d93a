"""The decision matrix as a table: classes down, decisions across, the user's words on both."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from core.document.decisions.commands import is_interval
from core.document.decisions.formulas import (
    Cells,
    ResolvedCells,
    amount_shares,
    formula_at,
    is_formula,
    line_text,
    tidy_formula,
    written_cells,
)
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import Document
from core.document.results import DecisionResult
from core.document.wording import MINUS, NBSP, format_number, small_decimals
from core.presentation.labels import LARGE
from gui.widgets.fields.entries import parse_entry, read_entry

AnyIndex = QModelIndex | QPersistentModelIndex
FORMULA_ROLE = Qt.ItemDataRole.UserRole + 2  # whether a cell follows a formula
SIGN_ROLE = Qt.ItemDataRole.UserRole + 1  # "gain", "loss", STALE or "" for a cell
STALE = "disabled"  # what it holds is of the matrix as it was


class MatrixTableModel(QAbstractTableModel):
    """Column 0 holds the words of the classes, the others one decision each.

    The model changes nothing itself: it says what was typed, and shows the document that follows.
    """

    cell_edited = Signal(str, str, float)  # level, decision, value
    formula_edited = Signal(str, str, str)  # level, decision, what was typed, with its =
    label_edited = Signal(str, str)  # level, word
    knot_moved = Signal(str, float)  # row, value
    entry_refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._matrix: MatrixSpec | None = None
        self._cells: Cells = ()
        self._shares: Cells = ()
        self._labels: tuple[str, ...] = ()
        self._currency = "€"
        self._corner = ""
        self._has_knots = False
        self._is_stale = False

    # ------------------------------------------------------------ what is shown

    def show_matrix(
        self, document: Document, result: DecisionResult | None, *, is_fresh: bool = True
    ) -> None:
        """Show a document's matrix; cells of a worded template come from the result.

        ``is_fresh``: whether that was worked out from this matrix; else they are grey, and no
        command is made of them.
        """
        matrix = document.matrix
        self._is_stale = not is_fresh and matrix is not None and not matrix.cells
        cells = resolved_cells(matrix, result)
        labels = tuple(
            document.target.label(level) if document.target else level
            for level in (matrix.levels if matrix else ())
        )
        same_shape = (
            matrix is not None
            and self._matrix is not None
            and matrix.decisions == self._matrix.decisions
            and len(matrix.levels) == len(self._matrix.levels)
        )
        if not same_shape:
            self.beginResetModel()
        self._matrix, self._cells, self._labels = matrix, cells, labels
        self._shares = resolved_shares(matrix, result)
        self._currency = document.currency
        self._has_knots = is_interval(document)
        self._corner = f"If the {document.case_word[0]}…"
        if self._has_knots and document.target is not None:
            self._corner = f"If {document.target.column} is…"
        if not same_shape:
            self.endResetModel()
            return
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def cells(self) -> Cells:
        """The numbers shown."""
        return self._cells

    def resolved(self) -> ResolvedCells:
        """The cells as commands take them: a template's that follow an amount as formulas."""
        if self._is_stale:
            return ()
        if not self._shares or self._matrix is None or self._matrix.cells:
            return self._cells
        return written_cells(self._cells, self._shares)

    def share(self, row: int, column: int) -> float:
        """What one unit of the case's amount adds to a cell; 0 where it does not follow it."""
        if row < len(self._shares) and 0 < column <= len(self._shares[row]):
            return self._shares[row][column - 1]
        return 0.0

    def matrix(self) -> MatrixSpec | None:
        """The matrix that the table edits; None where the document has none."""
        return self._matrix

    def labels(self) -> tuple[str, ...]:
        """The words of the classes."""
        return self._labels

    def knot_at(self, row: int) -> str | None:
        """The row of a number, or None where rows are classes."""
        if not self._has_knots or self._matrix is None or not 0 <= row < self.rowCount():
            return None
        return self._matrix.levels[row]

    def decision_at(self, column: int) -> str | None:
        """The decision of a column, or None for the words."""
        if self._matrix is None or not 0 < column <= len(self._matrix.decisions):
            return None
        return self._matrix.decisions[column - 1]

    def is_acting(self, column: int) -> bool:
        """Whether a column's decision counts as acting."""
        return self._matrix is not None and self.decision_at(column) == self._matrix.acting

    def is_do_nothing(self, column: int) -> bool:
        """Whether a column's decision is the one that does nothing."""
        decision = self.decision_at(column)
        return (
            decision is not None
            and self._matrix is not None
            and (decision == self._matrix.do_nothing)
        )

    # ------------------------------------------------------------ Qt's side

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() or self._matrix is None else len(self._matrix.levels)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() or self._matrix is None else len(self._matrix.decisions) + 1

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable

    def value(self, row: int, column: int) -> float | None:
        """The number of a cell, or None while it has not been worked out."""
        if row < len(self._cells) and 0 < column <= len(self._cells[row]):
            return self._cells[row][column - 1]
        return None

    def formula(self, row: int, column: int) -> str | None:
        """The formula of a cell, without its =; None for a plain number."""
        decision = self.decision_at(column)
        if self._matrix is None or decision is None:
            return None
        return formula_at(self._matrix, self._matrix.levels[row], decision)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self._matrix is None:
            return None
        if index.column() == 0:
            return self._label_data(index.row(), role)
        return self._cell_data(index.row(), index.column(), role)

    def _label_data(self, row: int, role: int) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._labels[row]
        if role == Qt.ItemDataRole.ToolTipRole and self._has_knots:
            return (
                "A value of the outcome. Between two rows amounts run in a straight line, which "
                "goes on beyond the outer rows. Double click to move the row to another value."
            )
        if role == Qt.ItemDataRole.ToolTipRole and self._matrix is not None:
            return (
                f"Class “{self._matrix.levels[row]}” of the data. Double click to give it "
                "another word."
            )
        return None

    def _cell_data(self, row: int, column: int, role: int) -> object:
        value = self.value(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if value is None:
            return None
        share = self.share(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_cell(value, share)
        if role in (Qt.ItemDataRole.EditRole, FORMULA_ROLE, Qt.ItemDataRole.ToolTipRole):
            formula = self.formula(row, column)
            if share and formula is None:  # of a template
                formula = line_text(value, share)
            return self._entry_data(shown_cell(value, share), value, formula, role)
        if role == SIGN_ROLE:
            return STALE if self._is_stale else self._sign(share or value)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._labels[row]}, {self.decision_at(column)}: {shown_cell(value, share)}"
        return None

    def _entry_data(self, shown: str, value: float, formula: str | None, role: int) -> object:
        """What was typed: a number, or a formula with its =."""
        if role == FORMULA_ROLE:
            return formula is not None
        if formula is None:
            return value if role == Qt.ItemDataRole.EditRole else None
        if role == Qt.ItemDataRole.EditRole:
            return f"={formula}"
        if "%" in shown and self._matrix is not None:
            return f"={formula}: {shown}, a share of {self._matrix.amount or ''}"
        return f"={formula}, which is {shown} now"

    def _sign(self, value: float) -> str:
        """Whether a number is good or bad; in a loss matrix a positive one is bad."""
        if value == 0 or self._matrix is None:
            return ""
        is_good = value < 0 if self._matrix.kind is MatrixKind.LOSS else value > 0
        return "gain" if is_good else "loss"

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or self._matrix is None:
            return None
        decision = self.decision_at(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == 0 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DisplayRole:
            return self._corner if decision is None else self._header(decision)
        if role == Qt.ItemDataRole.EditRole:
            return decision
        if role == Qt.ItemDataRole.ToolTipRole and decision is not None:
            words = ""
            if self.is_acting(section):
                words = "This decision counts as acting. "
            elif self.is_do_nothing(section):
                words = "This decision does nothing. "
            return words + "Double click to rename, right click for more."
        return None

    def _header(self, decision: str) -> str:
        return f"{decision}, {self._currency}" if self._currency else decision

    def setData(self, index: AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or self._matrix is None:
            return False
        level = self._matrix.levels[index.row()]
        if index.column() == 0:
            return self._set_label(level, str(value).strip())
        if isinstance(value, str) and is_formula(value):
            if tidy_formula(value) != self.formula(index.row(), index.column()):
                decision = self.decision_at(index.column()) or ""
                self.formula_edited.emit(level, decision, value)
            return True
        share = self._typed_share(index, value)
        if share is not None:
            self.formula_edited.emit(level, self.decision_at(index.column()) or "", share)
            return True
        number = self.read(value)
        if number is None:
            self.entry_refused.emit(self._refusal(index, str(value)))
            return False
        follows = self.share(index.row(), index.column()) != 0
        if follows or number != self.value(index.row(), index.column()):
            self.cell_edited.emit(level, self.decision_at(index.column()) or "", number)
        return True

    def takes(self, index: AnyIndex, text: str) -> bool:
        """Whether an entry is one that a cell may hold."""
        if index.column() == 0 or is_formula(text):
            return True
        return self._typed_share(index, text) is not None or self.read(text) is not None

    def _typed_share(self, index: AnyIndex, value: object) -> str | None:
        """-60 % in a cell that follows the amount of the case, as a formula; else None."""
        is_share = isinstance(value, str) and value.rstrip().endswith("%")
        if not is_share or not self.share(index.row(), index.column()):
            return None
        number = parse_entry(str(value), decimal=QLocale().decimalPoint(), unit="%")
        return None if number is None else f"={line_text(0.0, round(number / 100.0, 12))}"

    def _refusal(self, index: AnyIndex, text: str) -> str:
        """Why a cell does not take an entry, and what it holds."""
        found = self._entry(text)
        why = found if isinstance(found, str) else ""
        if "%" in text and self._matrix is not None:
            why += " " + (
                f"A share of “{self._matrix.amount}” is a formula: =-0.6*amount."
                if self._matrix.amount is not None
                else "Write what one case brings; a share needs a column of amounts."
            )
        elif any(sign.isalpha() or sign in "*/" for sign in text):
            why += " " + "A formula begins with =."
        row, column = index.row(), index.column()
        shown = self.data(self.index(row, column), Qt.ItemDataRole.DisplayRole)
        words = "“%s” is not taken (row “%s”, column “%s”). %s The cell stays at %s."
        return words % (text, self._labels[row], self.decision_at(column), why, shown)

    def _set_label(self, level: str, text: str) -> bool:
        """Another word for a class, or another value for a row of a number."""
        if not self._has_knots:
            self.label_edited.emit(level, text)
            return True
        number = self.read(text)
        if number is None:
            words = "“%s” is not a number. The row stays at %s."
            self.entry_refused.emit(words % (text, level))
            return False
        if number != float(level):
            self.knot_moved.emit(level, number)
        return True

    def read(self, value: object) -> float | None:
        """A typed value as a number, or None."""
        if isinstance(value, float | int):
            return float(value)
        found = self._entry(str(value))
        return None if isinstance(found, str) else found

    def _entry(self, text: str) -> float | str:
        return read_entry(text, decimal=QLocale().decimalPoint(), currency=self._currency)


def resolved_cells(matrix: MatrixSpec | None, result: DecisionResult | None) -> Cells:
    """The cells of a matrix; those of a worded template as the engine worked them out."""
    if matrix is None:
        return ()
    if matrix.cells:
        return matrix.cells
    rows = () if result is None else result.knots or result.levels
    if result is None or rows != matrix.levels or result.decisions != matrix.decisions:
        return ()
    return tuple(tuple(float(value) for value in row) for row in result.cells)


def resolved_shares(matrix: MatrixSpec | None, result: DecisionResult | None) -> Cells:
    """What one unit of the case's amount adds to each cell; empty where no cell follows one."""
    if matrix is None or matrix.amount is None:
        return ()
    if matrix.cells:
        return amount_shares(matrix)
    if result is None or result.shares is None or result.decisions != matrix.decisions:
        return ()
    if result.levels != matrix.levels:
        return ()
    return tuple(tuple(float(value) for value in row) for row in result.shares)


def shown_cell(value: float, share: float) -> str:
    """A cell as it stands in the table: +24.00; of a share of the amount −60 %, 8 % − 4."""
    if not share:
        return signed_amount(value)
    sign = MINUS if share < 0 else "" if value else "+"
    text = f"{sign}{abs(100.0 * share):.6g}{NBSP}%"
    if not value:
        return text
    size = format_number(abs(value), 0 if value == round(value) else 2)
    return f"{text}{NBSP}{MINUS if value < 0 else '+'}{NBSP}{size}"


def signed_amount(value: float) -> str:
    """A consequence with its sign: +24.00, −1.60, 0.00; −0.001 is no zero, +2,500,000 is whole."""
    is_large = abs(value) >= LARGE and value == round(value)
    text = format_number(value, 0 if is_large else small_decimals(value))
    return f"+{text}" if value > 0 and not text.startswith(MINUS) and text.strip("0.,") else text
