"""The table of rows: sorted by a double click, with columns that stay in sight."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMenu, QTableView, QWidget

from core.document.data.results import TableSummary
from core.document.model import Document
from gui.pages.data.header import ColumnHeader
from gui.pages.data.words import ROLE_WORDS
from gui.theme import current_theme
from gui.widgets import Rule
from gui.widgets.tables.rows_model import RowsModel


class RowsView(QTableView):
    """Rows of the data in an order that changes no number."""

    column_chosen = Signal(str)
    take_away_wanted = Signal(str)
    column_toggled = Signal(str)
    role_wanted = Signal(str, object)  # column, Role

    def __init__(self, model: RowsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self._summary: TableSummary | None = None
        self._document: Document | None = None
        self._frozen: tuple[str, ...] = ()
        self.setModel(model)
        self.columns = ColumnHeader(self)
        _settle(self, self.columns)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().setMinimumWidth(64)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self.verticalHeader().setDefaultAlignment(right)
        self.verticalHeader().geometriesChanged.connect(self._place_frozen)
        self.columns.sectionClicked.connect(self._on_section)
        self._connect_roles(self.columns)
        self.columns.sectionDoubleClicked.connect(self._sort_next)
        self.columns.sectionResized.connect(self._follow_width)
        self.columns.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.columns.customContextMenuRequested.connect(self._menu_of_header)
        self.selectionModel().currentChanged.connect(self._on_cell)
        self.pinned = _FrozenColumns(self)
        model.modelReset.connect(lambda: QTimer.singleShot(0, self, self._apply_frozen))

    # ------------------------------------------------------------ showing

    def show_columns(
        self, summary: TableSummary | None, document: Document, chosen: tuple[str, ...]
    ) -> None:
        """Show what is known of each column."""
        self._summary, self._document = summary, document
        order = self._rows.order
        for header in (self.columns, self.pinned.columns):
            header.show(summary, document, chosen)
            header.show_order(order.sort, is_falling=order.is_falling)

    @property
    def frozen(self) -> tuple[str, ...]:
        """The columns that stay in sight."""
        return self._frozen

    def freeze(self, names: tuple[str, ...]) -> None:
        """Keep columns at the left, in sight while the others move."""
        self._frozen = names
        self._apply_frozen()

    def _apply_frozen(self) -> None:
        names = self.column_names()
        self._frozen = tuple(name for name in self._frozen if name in names)
        header = self.columns
        for place in range(len(names)):  # back to the file's own order
            if header.visualIndex(place) != place:
                header.moveSection(header.visualIndex(place), place)
        for place, name in enumerate(self._frozen):
            header.moveSection(header.visualIndex(names.index(name)), place)
        self.pinned.show_sections([names.index(name) for name in self._frozen], len(names))
        self._place_frozen()

    def _place_frozen(self) -> None:
        self.pinned.follow()

    def _follow_width(self, section: int, _before: int, width: int) -> None:
        self.pinned.setColumnWidth(section, width)
        self._place_frozen()

    def column_names(self) -> list[str]:
        """The columns in the order of the file."""
        summary = self._summary
        return [column.name for column in summary.columns] if summary is not None else []

    # ------------------------------------------------------------ order

    def _sort_next(self, section: int) -> None:
        """Rising, falling, then the file's own order again."""
        name, order = self.column_names()[section], self._rows.order
        if order.sort != name:
            self.sort_by(name)
        elif not order.is_falling:
            self.sort_by(name, is_falling=True)
        else:
            self.sort_by("")

    def sort_by(self, name: str, *, is_falling: bool = False) -> None:
        """Sort the rows by a column; an empty name is the file's own order."""
        self._rows.set_order(replace(self._rows.order, sort=name, is_falling=is_falling))
        for header in (self.columns, self.pinned.columns):
            header.show_order(name, is_falling=is_falling)

    # ------------------------------------------------------------ choosing and menus

    def _on_section(self, section: int) -> None:
        names = self.column_names()
        if section < len(names):
            self.column_chosen.emit(names[section])

    def _on_cell(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self._on_section(current.column())

    def _menu_of_header(self, place: QPoint) -> None:
        section = self.columns.logicalIndexAt(place)
        if section >= 0:
            self.open_menu(self.column_names()[section], self.columns.mapToGlobal(place))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        current = self.currentIndex()
        names = self.column_names()
        if current.isValid() and current.column() < len(names):
            place = self.visualRect(current).bottomLeft()
            self.open_menu(names[current.column()], self.viewport().mapToGlobal(place))

    def open_menu(self, name: str, place: QPoint) -> QMenu:
        """What can be done with a column."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self.menu_actions(name, menu):
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        menu.popup(place)
        return menu

    def menu_actions(self, name: str, menu: QMenu) -> list[QAction | None]:
        """The entries of a column's menu."""
        order, is_frozen = self._rows.order, name in self._frozen
        rising = QAction("Sort, smallest first", menu)
        rising.triggered.connect(lambda: self.sort_by(name))
        falling = QAction("Sort, largest first", menu)
        falling.triggered.connect(lambda: self.sort_by(name, is_falling=True))
        back = QAction("Order of the file", menu)
        back.setEnabled(bool(order.sort))
        back.triggered.connect(lambda: self.sort_by(""))
        words = "Let the column move again" if is_frozen else "Keep in sight"
        keep = QAction(words, menu)
        keep.triggered.connect(lambda: self._toggle_frozen(name))
        entries: list[QAction | None] = [rising, falling, back, None, keep]
        if self._is_added(name):
            away = QAction("Take the column away", menu)
            away.triggered.connect(lambda: self.take_away_wanted.emit(name))
            entries += [None, away]
        return [*entries, None, self.roles_menu(name, menu).menuAction()]

    def roles_menu(self, name: str, parent: QWidget) -> QMenu:
        """The roles that a column may have; the present one is ticked."""
        menu = QMenu("Role", parent)
        entry = self._document.role_of(name) if self._document is not None else None
        for role, words in ROLE_WORDS.items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(entry is not None and entry.role is role)
            action.triggered.connect(lambda _on=False, r=role: self.role_wanted.emit(name, r))
        return menu

    def _connect_roles(self, header: ColumnHeader) -> None:
        """What a press on a role, or one with Ctrl, does in a header."""
        header.section_toggled.connect(
            lambda section: self.column_toggled.emit(self.column_names()[section])
        )
        header.role_pressed.connect(
            lambda section, place: self.open_roles(
                self.column_names()[section], header.viewport().mapToGlobal(place)
            )
        )

    def open_roles(self, name: str, place: QPoint) -> QMenu:
        """Open the menu of a column's roles."""
        menu = self.roles_menu(name, self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)
        return menu

    def _toggle_frozen(self, name: str) -> None:
        if name in self._frozen:
            self.freeze(tuple(entry for entry in self._frozen if entry != name))
        else:
            self.freeze((*self._frozen, name))

    def _is_added(self, name: str) -> bool:
        """Whether a column was derived or came from another file."""
        if self._summary is None:
            return False
        recipe = self._summary.data.recipe
        joined = {new for join in recipe.joins for _old, new in join.columns}
        return name in joined or name in {entry.name for entry in recipe.derived}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_frozen()


class _FrozenColumns(QTableView):
    """A second view of the same rows that lies over the left columns of the first."""

    def __init__(self, table: RowsView) -> None:
        super().__init__(table)
        self._table = table
        self.setModel(table.model())
        self.setSelectionModel(table.selectionModel())
        self.columns = ColumnHeader(self, follows=True)
        _settle(self, self.columns)
        self.setAccessibleName("Columns that stay in sight")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalHeader().hide()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.columns.sectionClicked.connect(table.columns.sectionClicked)
        self.columns.sectionDoubleClicked.connect(table.columns.sectionDoubleClicked)
        table._connect_roles(self.columns)
        self.columns.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.columns.customContextMenuRequested.connect(self._menu)
        self._edge = Rule(vertical=True)
        self._edge.setParent(self)
        own, other = self.verticalScrollBar(), table.verticalScrollBar()
        other.valueChanged.connect(own.setValue)
        own.valueChanged.connect(other.setValue)
        self.hide()

    def show_sections(self, sections: list[int], count: int) -> None:
        """Show these columns, in this order."""
        for place in range(count):
            self.setColumnHidden(place, place not in sections)
        for place, section in enumerate(sections):
            self.setColumnWidth(section, self._table.columnWidth(section))
            self.columns.moveSection(self.columns.visualIndex(section), place)
        self.setVisible(bool(sections))

    def follow(self) -> None:
        """Lie over the left columns of the other view, as high as it is."""
        if self.isHidden():
            return
        table = self._table
        frame = table.frameWidth()
        width = self.columns.length()
        room = max(0, table.viewport().width() - 80)  # others have to stay in sight too
        left = table.verticalHeader().width() + frame
        height = table.viewport().height() + table.columns.height()
        self.setGeometry(left, frame, min(width, room), height)
        self._edge.setGeometry(self.width() - 1, 0, 1, height)
        self._edge.raise_()
        self.raise_()

    def _menu(self, place: QPoint) -> None:
        section = self.columns.logicalIndexAt(place)
        names = self._table.column_names()
        if 0 <= section < len(names):
            self._table.open_menu(names[section], self.columns.mapToGlobal(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._table.keyPressEvent(event)


def _settle(view: QTableView, header: ColumnHeader) -> None:
    """What both views have in common."""
    view.setHorizontalHeader(header)
    header.setSectionsMovable(False)
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
    rows = view.verticalHeader()
    rows.setDefaultSectionSize(current_theme().sizes.row)
    rows.setHighlightSections(False)
