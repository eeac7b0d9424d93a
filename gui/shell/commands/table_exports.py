"""Any table of the window as a file: CSV, Parquet or Excel, written by the engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QTableView, QWidget

from core.document.files.guarded import file_name
from core.document.studies.data import (
    EXPORT_KINDS,
    ExportCellsArguments,
    ExportDataArguments,
    TableExported,
)
from gui.session.request import Request, answered_at
from gui.session.session import Session
from gui.shell.commands.copy_python import copy_as_python
from gui.theme import icon
from gui.widgets.file_dialog import file_dialog
from gui.widgets.tables.cells import Texts, has_numbers, numbers_of, with_every_digit
from gui.widgets.tables.copying import ExportEvent, copy_table
from payoff.counting import counted


class TableExports(QObject):
    """Asks for a file and has the engine write a table to it."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window

    def export_data(self) -> None:
        """Ask where to write the data."""
        document = self._session.project.document
        if document.data is not None:
            name = Path(document.data.path).stem
            self._ask(name, self._write_data)

    def offer_menu(self, event: QContextMenuEvent) -> bool:
        """Show the menu of what is under the pointer: a table, or an answer; False for others."""
        place = QApplication.widgetAt(event.globalPos())
        menu = self._menu_at(place) if place is not None else None
        if menu is None:
            return False
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())
        event.accept()
        return True

    def _menu_at(self, place: QWidget) -> QMenu | None:
        view = _table_at(place)
        if view is not None and view.model() is not None and view.model().columnCount():
            return self.menu_of(view)
        if answered_at(place) is None:
            return None
        menu = QMenu(place)
        self._add_copying(menu, place)
        return menu

    def menu_of(self, view: QTableView) -> QMenu:
        """The menu of a table: copy or export it, or copy the script that asks for its answer."""
        from core.document.scripts.script import ANSWERS
        from gui.widgets.tables.rows_model import RowsModel

        menu = QMenu(view)
        if not isinstance(view.model(), RowsModel):  # what stands there is a part of the data
            menu.addAction(icon("copy"), "Copy table", lambda: copy_table(view, whole=True))
            if has_numbers(view):
                menu.addAction(
                    icon("copy"),
                    "Copy as shown",
                    lambda: copy_table(view, whole=True, as_shown=True),
                )
        menu.addAction(icon("export"), "Export table…", lambda: self.export_view(view))
        is_of_page = self._page() in ANSWERS and view.window() is self._window
        if is_of_page or answered_at(view) is not None:
            self._add_copying(menu, view)
        return menu

    def _page(self) -> str:
        return getattr(self._window, "current_page", "")

    def _add_copying(self, menu: QMenu, place: QWidget) -> None:
        """Offer the script; of a place that shows one question's answer it asks that question."""
        page, question = self._page(), answered_at(place)
        menu.addAction(
            icon("copy"),
            "Copy as Python",
            lambda: copy_as_python(self._session, page, question),
        )

    def export_view(self, view: QTableView) -> None:
        """Ask where to write a table of the window; the data table is written whole."""
        from gui.widgets.tables.cases_model import CasesModel
        from gui.widgets.tables.rows_model import RowsModel

        if isinstance(view.model(), RowsModel):
            self.export_data()
            return
        name, model = view.accessibleName() or "table", view.model()
        if isinstance(model, CasesModel):
            self._ask(
                name,
                lambda path: model.fetch_all(
                    lambda names, rows: self._write_cells(path, with_every_digit(names, rows))
                ),
            )
            return
        cells = numbers_of(view)
        self._ask(name, lambda path: self._write_cells(path, cells))

    def export_cells(self, event: ExportEvent) -> None:
        """Write what a place of the window wants written; ask where to if it does not say."""
        if event.path:
            self._write_cells(event.path, event.cells)
        else:
            self._ask(event.title, partial(self._write_cells, cells=event.cells))
        event.accept()

    # ------------------------------------------------------------ writing

    def _ask(self, name: str, write: Callable[[str], object]) -> None:
        kinds = [f"{words} (*{ending})" for ending, words in EXPORT_KINDS]
        file_dialog(
            self._window,
            "Export table",
            self._session.folder_to_write,
            write,
            kinds=kinds,
            saves_as=file_name(name),
        ).open()

    def _write_data(self, path: str) -> None:
        arguments = ExportDataArguments(document=self._session.project.document, path=path)
        self._submit("export_data", arguments, path)

    def _write_cells(self, path: str, cells: Texts) -> None:
        columns, rows = cells
        document = self._session.project.document
        arguments = ExportCellsArguments(columns=columns, rows=rows, path=path, document=document)
        self._submit("export_cells", arguments, path)

    def _submit(self, kind: str, arguments: object, path: str) -> None:
        def on_result(result: TableExported) -> None:
            sizes = counted(result.rows, "row"), counted(result.columns, "column")
            self._session.project.post("{} written: {}, {}.".format(Path(path).name, *sizes))

        Request(self, self._session.project).run(
            kind,
            arguments,
            TableExported,
            title=f"Writing {Path(path).name}",
            on_result=on_result,
        )


def _table_at(widget: QWidget | None) -> QTableView | None:
    """The table that a widget is or belongs to."""
    while widget is not None and not isinstance(widget, QTableView):
        widget = widget.parentWidget()
    return widget
