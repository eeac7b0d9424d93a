"""Cells of a plain table that can be typed into, by the rule of all fields."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.widgets.fields.text_field import TextField


class EntryDelegate(QStyledItemDelegate):
    """Opens a ``TextField`` over a cell: Qt's own editor would be rewritten under the keyboard."""

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        field = TextField(parent=parent)
        field.setProperty("inCell", True)
        field.setFrame(False)
        return field

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        if isinstance(editor, TextField):
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole) or ""))
