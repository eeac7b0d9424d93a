"""Page Data: what was read, what each column is for, which rows count."""

from gui.pages.data.widget import DataPage

__all__ = ["DataPage"]
