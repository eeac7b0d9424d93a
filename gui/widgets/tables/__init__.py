"""Qt models: tables of text and the virtual table of the data."""

from gui.widgets.tables.text_table import TextTableModel

__all__ = ["TextTableModel"]
