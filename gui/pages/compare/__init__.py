"""Page Compare: the metric table and six charts of the same models on one cursor."""

from gui.pages.compare.widget import ComparePage, ComparePresenter

__all__ = ["ComparePage", "ComparePresenter"]
