"""Card "Extra cost per customer": none, an amount per decision, or a column per decision."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.document.data.results import TableSummary
from core.document.decisions.commands import SetCosts
from core.document.decisions.matrix_model import CostSpec
from core.document.model import Document, Role
from core.questions.fields import FieldKind, FormField
from core.questions.suggestions import choices_from
from gui.widgets import Card, HelpText
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.fields.form import Form

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
        self._columns: tuple[str, ...] = ()
        self.mode = ChoiceBox()
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
        self.form = Form(width=84, choice_width=180, elides=True)
        self.form.changed.connect(self._change)
        self.form.committed.connect(self.editing_finished)
        self.body.addWidget(self.form)

    # ------------------------------------------------------------ showing

    def show_document(self, document: Document, summary: TableSummary | None) -> None:
        """Show the costs of a document; the summary knows which columns hold numbers."""
        is_other = document.data != self._document.data
        self._document = document
        self._columns = cost_columns(document, summary)
        if self.header is not None:
            self.header.set_title(f"Extra cost per {document.case_word[0]}")
        self.mode.setCurrentIndex(self.mode.findData(mode_of(document)))
        self.mode.setEnabled(document.matrix is not None)
        fields = cost_fields(document, self._columns)
        self.form.show_fields(fields, at_once=is_other)
        self.form.setVisible(bool(fields))

    # ------------------------------------------------------------ what the user does

    def _on_mode(self, index: int) -> None:
        matrix = self._document.matrix
        mode = str(self.mode.itemData(index))
        if matrix is None or mode == mode_of(self._document):
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

    def _change(self, decision: str, described: float | str | None) -> None:
        """A decision's amount is another, or its column."""
        matrix = self._document.matrix
        if matrix is None or decision not in matrix.decisions:
            return
        is_column = mode_of(self._document) == COLUMN
        cost = CostSpec(column=described) if is_column else CostSpec(amount=described or 0.0)  # type: ignore[arg-type]  # as its field has it
        costs = list(matrix.costs or (CostSpec() for _entry in matrix.decisions))
        place = matrix.decisions.index(decision)
        costs[place] = replace(costs[place], amount=cost.amount, column=cost.column)
        self.command_requested.emit(SetCosts(costs=tuple(costs)))


def mode_of(document: Document) -> str:
    """Where the extra costs of a document come from."""
    costs = document.matrix.costs if document.matrix else ()
    if not costs:
        return NONE
    return COLUMN if any(cost.column for cost in costs) else AMOUNT


def cost_fields(document: Document, columns: tuple[str, ...]) -> tuple[FormField, ...]:
    """A field for each decision: its amount, or its column."""
    matrix, mode = document.matrix, mode_of(document)
    if matrix is None or mode == NONE:
        return ()
    named = (*columns, *(cost.column for cost in matrix.costs if cost.column))
    options = choices_from({None: "no extra cost"} | {name: name for name in named})
    amounts = [
        FormField(
            name=decision,
            label=f"{decision}, {document.currency}",
            spoken=f"Extra cost of “{decision}”",
            value=cost.amount,
            lowest=0.0,
            step=0.1,
        )
        for decision, cost in zip(matrix.decisions, matrix.costs, strict=False)
    ]
    if mode == AMOUNT:
        return tuple(amounts)
    return tuple(
        FormField(
            name=entry.name,
            label=entry.name,
            spoken=f"Column with the extra cost of “{entry.name}”",
            kind=FieldKind.CHOICE,
            value=cost.column,
            options=options,
        )
        for entry, cost in zip(amounts, matrix.costs, strict=False)
    )


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
