"""Radcliffe's six criteria, one of them read at the cursor."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.presentation.view import View
from gui.widgets import Card, HelpText
from gui.widgets.tables.figure_table import ResultTable


class CriteriaCard(Card):
    """The table of the criteria, a column per model, the best in bold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "Six criteria",
            "best in bold",
            help_text=HelpText(
                title="Radcliffe's six criteria",
                text=(
                    "An uplift model is good where its area is above chance on rows it has not "
                    "seen, uplift falls from tenth to tenth, the curve has a high peak, much is "
                    "gained at the cut-off, training rows and these rows agree, and predictions "
                    "are spread widely."
                ),
                reference="Radcliffe and Surry 2011",
            ),
            parent=parent,
        )
        self.table = ResultTable("Six criteria", wraps=True, scrolls=True)
        self.body.addWidget(self.table, 1)

    def show_view(self, view: View) -> None:
        """Show the criteria of every model."""
        self.table.show_content(view.tables[0])
