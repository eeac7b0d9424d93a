"""What a model's decisions may be read from, and the controls that choose it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QWidget

from core.document.data.results import ColumnSummary
from core.document.decisions.matrix_model import DecisionBasis, quantile_level
from core.document.decisions.model_commands import SetBasis
from core.document.model import Document, Role
from gui.widgets import TextLabel
from gui.widgets.fields.choice_box import ChoiceBox

MOST_LEAVES = 1000
NONE, COLUMNS, OWN_QUANTILES, OWN_LEAVES, LEAF = "none", "columns", "quantiles", "leaves", "leaf "

_WORDS = {
    NONE: "Each case's own score only",
    COLUMNS: "Predicted quantiles in columns",
    OWN_QUANTILES: "The quantiles it predicts itself",
    OWN_LEAVES: "The leaves of its own tree",
    LEAF: "Leaves named in column %s",
}


def quantile_columns(columns: tuple[ColumnSummary, ...], document: Document) -> tuple[str, ...]:
    """Columns that may hold a quantile of the outcome."""
    left = (Role.TARGET, Role.ID, Role.WEIGHT, Role.ROW_USE)
    return tuple(
        column.name
        for column in columns
        if column.kind in ("integer", "number") and not _has_role(document, column.name, left)
    )


def guessed_quantiles(
    columns: tuple[ColumnSummary, ...], document: Document
) -> tuple[tuple[float, str], ...]:
    """The quantiles that columns' names speak of, rising; one column for each level."""
    found: dict[float, str] = {}
    for name in quantile_columns(columns, document):
        level = quantile_level(name)
        if level is not None and level not in found:
            found[level] = name
    return tuple(sorted(found.items()))


def leaf_columns(columns: tuple[ColumnSummary, ...], document: Document) -> tuple[str, ...]:
    """Columns that may name a leaf: neither scores nor roles, and few enough values."""
    free = (Role.INPUT, Role.IGNORED)
    return tuple(
        column.name
        for column in columns
        if column.kind in ("integer", "text", "boolean")
        and 2 <= column.distinct <= MOST_LEAVES
        and ((role := document.role_of(column.name)) is None or role.role in free)
    )


def _has_role(document: Document, column: str, roles: tuple[Role, ...]) -> bool:
    entry = document.role_of(column)
    return entry is not None and entry.role in roles


class BasisChoice(QWidget):
    """One row: what is averaged over, whether that decides, and by what."""

    chosen = Signal(object)  # SetBasis
    columns_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = ChoiceBox()
        self.source.setAccessibleName("What decisions are averaged over")
        self.columns = QPushButton("Columns…")
        self.use = QCheckBox("Decide by the average")
        self.honest = QCheckBox("of outcomes")
        self.honest.setToolTip(
            "Average what the leaf's outcomes brought in place of what its chances promise"
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 4, 0, 0)
        row.setSpacing(10)
        row.addWidget(TextLabel("Average over", "quiet"))
        for widget in (self.source, self.columns, self.use, self.honest):
            row.addWidget(widget)
        row.addStretch(1)
        for small in (self.source, self.columns):
            small.setProperty("small", True)
        self._document = Document()
        self._columns: tuple[ColumnSummary, ...] = ()
        self._basis: DecisionBasis | None = None
        self._with_quantiles: set[str] = set()  # models that predict quantiles themselves
        self.source.activated.connect(self._on_source)
        self.columns.clicked.connect(self.columns_wanted)
        self.use.clicked.connect(lambda is_on: self._change(is_used=is_on))
        self.honest.clicked.connect(lambda is_on: self._change(is_honest=is_on))

    @property
    def model(self) -> str:
        """The model that is spoken of: the reference."""
        return self._document.reference_model or ""

    def show_document(self, document: Document, columns: tuple[ColumnSummary, ...]) -> None:
        """Offer what the reference model and the columns allow."""
        self._document, self._columns = document, columns
        entry = document.model(self.model)
        basis = entry.basis if entry is not None else None
        if basis is None and self.model in self._with_quantiles:
            basis = DecisionBasis(has_own_quantiles=True)  # as it decides unless told otherwise
        self._basis = basis
        self.source.clear()
        for key in self._sources():
            words = _WORDS[LEAF]
            words = words % key.removeprefix(LEAF) if key.startswith(LEAF) else _WORDS[key]
            self.source.addItem(words, key)
        self.source.setCurrentIndex(max(0, self.source.findData(_key_of(basis))))
        self.columns.setVisible(_key_of(basis) == COLUMNS)
        self.use.setVisible(basis is not None)
        self.use.setChecked(basis is not None and basis.is_used)
        self.honest.setVisible(basis is not None and basis.has_leaves)
        self.honest.setChecked(basis is not None and basis.is_honest)

    def add_quantiles_of(self, model: str) -> None:
        """Learn that a model predicts quantiles itself."""
        self._with_quantiles.add(model)
        self.show_document(self._document, self._columns)

    def _sources(self) -> list[str]:
        """Keys of what may be chosen; what is chosen already is among them."""
        document = self._document
        trained = document.trained_model(self.model)
        found = [OWN_QUANTILES if self.model in self._with_quantiles else NONE]
        if document.target is not None and not document.target.levels:
            found.append(COLUMNS)
        if trained is not None and trained.trees_used == 1:
            found.append(OWN_LEAVES)
        found += [LEAF + name for name in leaf_columns(self._columns, document)]
        present = _key_of(self._basis)
        return found if present in found else [*found, present]

    def _on_source(self, _place: int) -> None:
        key = str(self.source.currentData())
        if key == COLUMNS:
            guessed = guessed_quantiles(self._columns, self._document)
            if len(guessed) < 2:
                self.columns_wanted.emit()
                return
            basis: DecisionBasis | None = DecisionBasis(quantiles=guessed)
        elif key == NONE:
            basis = None
        elif key.startswith(LEAF):
            basis = DecisionBasis(leaf=key.removeprefix(LEAF))
        else:
            is_leaf = key == OWN_LEAVES
            basis = DecisionBasis(has_own_leaves=is_leaf, has_own_quantiles=not is_leaf)
        self.chosen.emit(SetBasis(model=self.model, basis=basis))

    def _change(self, *, is_used: bool | None = None, is_honest: bool | None = None) -> None:
        basis = self._basis
        if basis is None:
            return
        changed = replace(
            basis,
            is_used=basis.is_used if is_used is None else is_used,
            is_honest=basis.is_honest if is_honest is None else is_honest,
        )
        self.chosen.emit(SetBasis(model=self.model, basis=changed))


def _key_of(basis: DecisionBasis | None) -> str:
    if basis is None:
        return NONE
    if basis.quantiles:
        return COLUMNS
    if basis.has_own_quantiles:
        return OWN_QUANTILES
    return OWN_LEAVES if basis.leaf is None else LEAF + basis.leaf
