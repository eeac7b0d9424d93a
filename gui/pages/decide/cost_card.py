"""Card "Extra cost per customer": none, an amount per decision, or a column per decision."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

from core.document.data.results import TableSummary
from core.document.decisions.commands import SetCosts
from core.document.decisions.matrix_model import CostSpec
from core.document.model import Document, Role
from gui.parts import (
    Card,
    ElidedLabel,
    HelpText,
    NumberField,
    TextLabel,
    after_typing,
    clear_layout,
    keeping_focus,
)

NONE, AMOUNT, COLUMN = "none", "amount", "column"
_NUMBERS = ("integer", "number")


class CostCard(Card):
    """What a decision costs beyond the matrix, the same for all cases or read from the data."""

    command_requested = Signal(object)
    editing_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "Extra cost per case",
            help_text=HelpText(
                title="Extra cost",
                text=(
                    "Taken off what a decision brings, for each case that gets it. A column gives "
                    "each case a cost of its own; a case without one is left undecided."
                ),
                formula="Q(i, t, d) = matrix(t, d) − cost(i, d)",
                reference="SAS Enterprise Miner, Decisions",
            ),
            parent=parent,
        )
        self._document = Document()
        self._newest: tuple[Document, TableSummary | None]
        self._columns: tuple[str, ...] = ()
        self._shape: tuple[object, ...] = ()
        self.amounts: dict[str, NumberField] = {}
        self.columns: dict[str, QComboBox] = {}
        self.mode = QComboBox()
        self.mode.setAccessibleName("Where extra costs come from")
        self.mode.setFixedWidth(124)
        for key, words in (
            (NONE, "None"),
            (AMOUNT, "Amount"),
            (COLUMN, "Column"),
        ):
            self.mode.addItem(words, key)
        self.mode.activated.connect(self._on_mode)
        self.add_header_widget(self.mode)
        self.area = QWidget()
        self.grid = QGridLayout(self.area)
        self.grid.setContentsMargins(4, 0, 0, 0)
        self.grid.setVerticalSpacing(4)
        self.grid.setColumnStretch(0, 1)
        self.body.addWidget(self.area)

    # ------------------------------------------------------------ showing

    def show_document(self, document: Document, summary: TableSummary | None) -> None:
        """Show the costs of a document; the summary knows which columns hold numbers."""
        is_other = document.data != self._document.data
        self._document, self._newest = document, (document, summary)
        self._columns = cost_columns(document, summary)
        if self.header is not None:
            self.header.set_title(f"Extra cost per {document.case_word[0]}")
        mode = self._mode_of(document)
        self.mode.setCurrentIndex(self.mode.findData(mode))
        matrix = document.matrix
        self.mode.setEnabled(matrix is not None)
        decisions = matrix.decisions if matrix else ()
        shape = (mode, decisions, self._columns, document.currency)
        if shape != self._shape:
            if not is_other and after_typing(self, lambda: self.show_document(*self._newest)):
                return
            self._shape = shape
            with keeping_focus(self):
                self._build(mode, decisions)
        self.area.setVisible(mode != NONE and bool(decisions))
        for decision, cost in zip(decisions, matrix.costs if matrix else (), strict=False):
            if decision in self.amounts:
                self.amounts[decision].set_value(cost.amount)
            if decision in self.columns:
                box = self.columns[decision]
                box.setCurrentIndex(max(0, box.findData(cost.column)))

    @staticmethod
    def _mode_of(document: Document) -> str:
        costs = document.matrix.costs if document.matrix else ()
        if not costs:
            return NONE
        return COLUMN if any(cost.column for cost in costs) else AMOUNT

    def _build(self, mode: str, decisions: tuple[str, ...]) -> None:
        clear_layout(self.grid)
        self.amounts, self.columns = {}, {}
        for row, decision in enumerate(decisions if mode != NONE else ()):
            self.grid.addWidget(ElidedLabel(decision), row, 0)
            if mode == AMOUNT:
                self.grid.addWidget(TextLabel(self._document.currency, "quiet"), row, 1)
                self.grid.addWidget(self._amount(decision), row, 2)
            else:
                self.grid.addWidget(self._column(decision), row, 1, 1, 2)

    def _amount(self, decision: str) -> NumberField:
        field = NumberField(0.0, minimum=0.0, step=0.1)
        field.setFixedWidth(84)
        field.setAccessibleName(f"Extra cost of “{decision}”")
        field.value_changed.connect(lambda value: self._change(decision, CostSpec(amount=value)))
        field.value_committed.connect(lambda _value: self.editing_finished.emit())
        self.amounts[decision] = field
        return field

    def _column(self, decision: str) -> QComboBox:
        box = QComboBox()
        box.setFixedWidth(180)
        box.setAccessibleName(f"Column with the extra cost of “{decision}”")
        box.addItem("no extra cost", None)
        for column in self._columns:
            box.addItem(column, column)
        box.activated.connect(
            lambda index: self._change(decision, CostSpec(column=box.itemData(index)))
        )
        self.columns[decision] = box
        return box

    # ------------------------------------------------------------ what the user does

    def _on_mode(self, index: int) -> None:
        matrix = self._document.matrix
        mode = str(self.mode.itemData(index))
        if matrix is None or mode == self._mode_of(self._document):
            return
        self.command_requested.emit(SetCosts(costs=self._first_costs(mode)))
        self.editing_finished.emit()

    def _first_costs(self, mode: str) -> tuple[CostSpec, ...]:
        """Costs to begin with: the first cost column is that of acting."""
        matrix = self._document.matrix
        if matrix is None or mode == NONE:
            return ()
        if mode == AMOUNT:
            return tuple(CostSpec() for _decision in matrix.decisions)
        column = self._columns[0] if self._columns else None
        return tuple(
            CostSpec(column=column if decision == matrix.acting else None)
            for decision in matrix.decisions
        )

    def _change(self, decision: str, cost: CostSpec) -> None:
        matrix = self._document.matrix
        if matrix is None or decision not in matrix.decisions:
            return
        costs = list(matrix.costs or (CostSpec() for _entry in matrix.decisions))
        place = matrix.decisions.index(decision)
        costs[place] = replace(costs[place], amount=cost.amount, column=cost.column)
        self.command_requested.emit(SetCosts(costs=tuple(costs)))


def cost_columns(document: Document, summary: TableSummary | None) -> tuple[str, ...]:
    """Columns that may hold a cost: those with the role first, then other numbers."""
    named = document.columns_of(Role.COST)
    kinds = {entry.name: entry.kind for entry in summary.columns} if summary else {}
    others = tuple(
        entry.column
        for entry in document.roles
        if entry.role in (Role.INPUT, Role.IGNORED)
        and kinds.get(entry.column, "number") in _NUMBERS
    )
    return (*named, *others)
