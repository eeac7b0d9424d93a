"""List of kinds and templates of a decision matrix; those that do not fit the outcome say why."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QWidget

from core.document.decisions.formulas import PLAIN_TEMPLATES
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document
from gui.widgets.fields.choice_box import ChoiceBox
from payoff.facts import MatrixFacts

WIDTH, LEAST_WIDTH = 124, 84  # what the title beside it leaves
_KEY = Qt.ItemDataRole.UserRole
_TIP = Qt.ItemDataRole.ToolTipRole


class TemplateChoice(ChoiceBox):
    """How the numbers of the matrix are meant: profit, loss, revenue, or a worded template."""

    plain_chosen = Signal(object)  # MatrixKind
    template_chosen = Signal(object)  # MatrixFacts

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("How the numbers are meant")
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(WIDTH)
        self._document = Document()
        self._templates: tuple[MatrixFacts, ...] = ()
        self.activated.connect(self._on_activated)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, super().sizeHint().height())

    def show_templates(self, document: Document, templates: tuple[MatrixFacts, ...]) -> None:
        """List what a document's matrix can follow, with what it follows chosen."""
        self._document, self._templates = document, templates
        matrix = document.matrix
        self.blockSignals(True)
        self.clear()
        for key, words, reason in self._entries():
            self.addItem(words, key)
            if reason:
                self._disable(self.count() - 1, reason)
        self.setCurrentIndex(max(0, self.findData(matrix.template if matrix else "")))
        self._show_help()
        self.blockSignals(False)
        self.setEnabled(matrix is not None)

    def template(self) -> MatrixFacts | None:
        """The template that the matrix follows; None for a plain matrix."""
        matrix = self._document.matrix
        return None if matrix is None else self._named(matrix.template)

    def _named(self, key: str) -> MatrixFacts | None:
        return next((info for info in self._templates if info.id == key), None)

    def _entries(self) -> list[tuple[str, str, str]]:
        """Id, words and, where it cannot be chosen, the reason."""
        matrix, target = self._document.matrix, self._document.target
        is_number = target is not None and target.kind == "interval"
        classes = 0 if is_number or matrix is None else len(matrix.levels)
        plain_words = {
            MatrixKind.PROFIT: "Profit",
            MatrixKind.LOSS: "Loss",
            MatrixKind.REVENUE: "Revenue with costs",
        }
        entries = [(PLAIN_TEMPLATES[kind], words, "") for kind, words in plain_words.items()]
        known = {key for key, _words, _reason in entries}
        for info in self._templates:
            if info.id not in known:
                entries.append((info.id, info.label, info.misfit(classes)))
        if matrix is not None and matrix.template not in {key for key, *_rest in entries}:
            entries.append((matrix.template, matrix.template.rsplit(".", 1)[-1], ""))
        return entries

    def _disable(self, row: int, reason: str) -> None:
        model = self.model()
        item = model.item(row) if isinstance(model, QStandardItemModel) else None
        if isinstance(item, QStandardItem):
            item.setEnabled(False)
            item.setToolTip(reason)

    def _show_help(self) -> None:
        """The list as wide as its words; what the chosen template is for as a tool tip."""
        view = self.view()
        spacing = view.spacing() if isinstance(view, QListView) else 0
        view.setMinimumWidth(view.sizeHintForColumn(0) + 2 * spacing + 24)
        info = self.template()
        parts = (info.label, info.help, info.formula, info.reference) if info else ()
        self.setToolTip("\n".join(part for part in parts if part))
        for row in range(self.count()):
            entry = self._named(str(self.itemData(row, _KEY)))
            if entry is not None and self.itemData(row, _TIP) is None:
                self.setItemData(row, entry.help, _TIP)

    def _on_activated(self, index: int) -> None:
        key = str(self.itemData(index, _KEY))
        matrix = self._document.matrix
        if matrix is None or key == matrix.template:
            return
        kind = next((kind for kind, name in PLAIN_TEMPLATES.items() if name == key), None)
        info = self._named(key)
        if kind is not None:
            self.plain_chosen.emit(kind)
        elif info is not None:
            self.template_chosen.emit(info)
