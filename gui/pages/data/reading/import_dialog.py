"""How a file is read: what was found and why, changeable, with the first rows shown live."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.data.model import ReaderSettings
from core.document.data.results import PreviewResult
from core.document.markup import joined, tag
from core.document.wording import (
    format_bytes,
)
from core.engine.messages import PreviewArguments
from gui.pages.data.reading.import_settings import SettingsCard
from gui.pauses import PAUSES, single_shot
from gui.session.request import Request
from gui.session.session import Session
from gui.shell.dialogs.ask_text import ask_name
from gui.widgets import Card, ElidedLabel, Notice, NumberField, TextField, TextLabel
from gui.widgets.dialog import entries_stand, keep_default
from gui.widgets.tables import TextTableModel
from gui.widgets.tables.copying import CopyingTable
from payoff.counting import counted

MOST_FITTED = 1_000  # columns; those behind have the usual width
LEAST_SIZE = (820, 520)  # px: settings and some columns beside them
WIDEST, MARGIN = 220, 28  # px: of a column, and beside its text
NUMBER_TYPES = ("integer", "number")
COLUMN_TYPES = (("", "Find out"), ("number", "Number"), ("text", "Text"), ("date", "Date"))


def rounded_estimate(rows: int) -> int:
    """An estimate to three figures: more would claim what is not known."""
    if rows < 1000:
        return rows
    step: int = 10 ** (len(str(rows)) - 3)
    return round(rows / step) * step


class ImportDialog(QDialog):
    """Shows the first rows of a file; ``reader()`` says how the user wants it read.

    What is not certain and would change numbers (decimal sign, order of dates, sheet, delimiter)
    has to be answered before Load can be pressed.
    """

    outlives_data = True  # it is about none that are open

    def __init__(
        self,
        session: Session,
        path: str,
        reader: ReaderSettings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._path = path
        self._reader = reader
        self._types = dict(reader.column_types)
        self._names = dict(reader.column_names)
        self._left_out = reader.left_out
        self._preview: PreviewResult | None = None
        self._requested: ReaderSettings | None = None  # as the controls were when last asked
        self._shown_as: ReaderSettings | None = None  # as they were for what is shown
        self._is_load_wanted = False
        self._offers_pieces = False
        self._request = Request(self, session.project)
        self.setWindowTitle("Open data")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(*LEAST_SIZE)
        self.resize(1100, 660)
        self._timer = single_shot(self, PAUSES.import_preview, self._ask_anew)
        self._build()
        self._first = self.wanted()
        self._ask()

    def offer_pieces(self, read: Callable[[], object]) -> None:
        """Offer to read the file in pieces, should it be larger than memory allows."""
        self._offers_pieces = True
        self.pieces.clicked.connect(self.reject)
        self.pieces.clicked.connect(read)

    def reader(self) -> ReaderSettings:
        """The settings chosen; what was left to the program is filled with what it found."""
        if self._preview is None:
            return self._reader
        # Rows that were found to be no cases are found again: by then the whole file is read.
        return replace(self._preview.settings, left_out=self._left_out)

    def show_remembered(self) -> None:
        """Tell that the settings are those of the last time, and offer to find them anew."""
        self._anew.show()
        self._anew.setToolTip("The settings are those you opened this file with last.")

    def show_replaces(self, project: str) -> None:
        """Tell that the file takes the place of a project's data: what is kept, what goes."""
        self.setWindowTitle(f"Replace the data of “{project}”")
        self._kept.setText(
            "Kept, as far as the file fits: roles of columns by their names, the decision "
            "matrix with its prices, scenarios and shares in real life, trained models, and "
            "what stands on the report. Asked again or begun anew: rows without an outcome, "
            "row filter and row use, what a weight means, the experiment, added columns and "
            "rows, notes on the report. Undo brings the former data back."
        )
        self._kept.show()

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        head = QHBoxLayout()
        self._file = ElidedLabel(self._path, "section")
        self._anew = QPushButton("Read as last time; find out anew")
        self._anew.setProperty("kind", "link")
        self._anew.hide()
        head.addWidget(self._file, 1)
        head.addWidget(self._anew)
        self._facts = TextLabel("Reading the first rows…", "quiet")
        self._kept = TextLabel("", wraps=True)
        self._kept.hide()
        column.addLayout(head)
        column.addWidget(self._kept)
        column.addWidget(self._facts)
        self._notice = Notice()
        self._notice.hide()
        column.addWidget(self._notice)
        middle = QHBoxLayout()
        middle.setSpacing(12)
        self._settings = SettingsCard(self._reader)
        self._settings.changed.connect(self._timer.start)
        self._anew.clicked.connect(self._find_out_anew)
        middle.addWidget(self._settings)
        middle.addWidget(self._table_card(), 1)
        column.addLayout(middle, 1)
        column.addLayout(self._foot())

    def _foot(self) -> QHBoxLayout:
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._load = QPushButton("Load")
        self._load.setProperty("kind", "primary")
        self._buttons.addButton(self._load, QDialogButtonBox.ButtonRole.AcceptRole)
        keep_default(self._load)
        self._load.setEnabled(False)
        self._load.setToolTip("The first rows have not been read yet.")
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.pieces = QPushButton("Read in pieces")
        self.pieces.setToolTip("Pages Data, Compare, Decide and Uplift, of all rows, in the memory")
        self.pieces.setAutoDefault(False)
        self._buttons.addButton(self.pieces, QDialogButtonBox.ButtonRole.ActionRole)
        self.pieces.hide()  # last: the box shows what is put into it
        foot = QHBoxLayout()
        self._memory = TextLabel("", "note")
        foot.addWidget(self._memory)
        foot.addStretch(1)
        foot.addWidget(self._buttons)
        return foot

    def _table_card(self) -> Card:
        card = Card(margin=1)
        self._model = TextTableModel(self)
        self._table = CopyingTable()
        self._table.setModel(self._model)
        self._table.setAccessibleName("First rows of the file")
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self._table.setShowGrid(False)
        self._table.setWordWrap(False)
        self._table.verticalHeader().setDefaultSectionSize(26)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self._table.verticalHeader().setDefaultAlignment(right)
        header = self._table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionsClickable(True)
        header.setToolTip(
            "Click a column to say what it holds or is called; of several: Ctrl or Shift, then the "
            "right button"
        )
        header.sectionClicked.connect(self._on_header)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(
            lambda place: self._offer_types(header.logicalIndexAt(place))
        )
        self._table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._table.customContextMenuRequested.connect(self._offer_for_row)
        card.body.addWidget(self._table)
        return card

    # ------------------------------------------------------------ what a row is

    def _offer_for_row(self, place: QPoint) -> None:
        """Show what can be said of the row below the pointer."""
        row = self._table.rowAt(place.y())
        if row >= 0:
            menu = self.row_menu(row)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self._table.viewport().mapToGlobal(place))

    def row_menu(self, row: int) -> QMenu:
        """The menu of one row (from 0) of the first ones that are shown."""
        menu = QMenu(self)
        if self._preview is None:
            return menu
        obeyed = self._preview.obeyed
        names_itself = self._preview.settings.format == "parquet"
        if not names_itself and (not obeyed or "has_header" in obeyed):
            menu.addAction("The names of the columns are in this row", partial(self.name_by, row))
        if row + 1 in self._left_out_now():
            menu.addAction("Count this row again", partial(self.leave_out, row, is_out=False))
        else:
            menu.addAction("Leave this row out", partial(self.leave_out, row))
        return menu

    def name_by(self, row: int) -> None:
        """Take the names of the columns from a row that is shown."""
        assert self._preview is not None
        settings = self._preview.settings
        self._left_out = None  # rows have other numbers from there on
        self._settings.set_names(settings.skip_lines + bool(settings.has_header) + row)

    def leave_out(self, row: int, *, is_out: bool = True) -> None:
        """Leave a row that is shown out of the data, or count it again."""
        rows = set(self._left_out_now()) - {row + 1}
        self._left_out = tuple(sorted(rows | {row + 1} if is_out else rows))
        self._timer.start()

    def _left_out_now(self) -> tuple[int, ...]:
        """Data rows (from 1) that are left out: as was said, or as was found."""
        if self._left_out is not None:
            return self._left_out
        found = self._preview.settings.left_out if self._preview is not None else None
        return found or ()

    # ------------------------------------------------------------ what a column holds

    def _on_header(self, section: int) -> None:
        """A plain click asks at once; with Ctrl or Shift columns are gathered first."""
        if QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier:
            self._offer_types(section)

    def picked(self, section: int) -> tuple[str, ...]:
        """The columns that a choice at one of them is for: all that are picked, or it alone."""
        assert self._preview is not None
        picked = sorted({index.column() for index in self._table.selectedIndexes()})
        places = picked if section in picked else [section]
        return tuple(self._preview.columns[place] for place in places)

    def _offer_types(self, section: int) -> None:
        """Show the kinds that the column could be read as."""
        header = self._table.horizontalHeader()
        place = QPoint(header.sectionViewportPosition(section), header.height())
        menu = self.types_menu(section)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(header.viewport().mapToGlobal(place))

    def types_menu(self, section: int) -> QMenu:
        """The menu of one column; the kind that holds is ticked."""
        menu = QMenu(self)
        if self._preview is None or section >= len(self._preview.columns):
            return menu
        columns = self.picked(section)
        for kind, words in COLUMN_TYPES:
            action = menu.addAction(words, partial(self.set_type, columns, kind))
            action.setCheckable(True)
            action.setChecked({self._types.get(column, "") for column in columns} == {kind})
        menu.addSeparator()
        menu.addAction("Call it…", partial(self._ask_name, section))
        return menu

    def _ask_name(self, section: int) -> None:
        assert self._preview is not None
        ask_name(
            self,
            "Name of a column",
            f"What column {section + 1} is called",
            partial(self.name_column, section),
            self._preview.columns[section],
        )

    def name_column(self, section: int, name: str) -> None:
        """Call a column (from 0) otherwise than the file does."""
        assert self._preview is not None
        former, called = self._preview.columns[section], name.strip()
        self._names[section + 1] = called
        if former in self._types:
            self._types[called] = self._types.pop(former)
        self._timer.start()

    def set_type(self, columns: tuple[str, ...], kind: str) -> None:
        """Read columns as a kind; an empty one lets the program find it."""
        for column in columns:
            self._types.pop(column, None)
            if kind:
                self._types[column] = kind
        self._timer.start()

    # ------------------------------------------------------------ asking the engine

    def _find_out_anew(self) -> None:
        self._types.clear()
        self._names.clear()
        self._left_out = None
        self._anew.hide()
        self._settings.find_out_anew()

    def wanted(self) -> ReaderSettings:
        """The settings as the controls say; None where the program is to find out."""
        return replace(
            self._settings.wanted(),
            column_types=tuple(self._types.items()),
            column_names=tuple(sorted(self._names.items())),
            left_out=self._left_out,
        )

    def _ask_anew(self) -> None:
        if self.wanted() != self._requested:
            self._ask()

    def _ask(self) -> None:
        wanted = self.wanted()

        def on_error(error: Exception) -> None:
            self._is_load_wanted, self._requested = False, None
            self._load.setEnabled(False)
            self._load.setToolTip("The first rows could not be read.")
            self._facts.setText("The first rows could not be read.")
            self._notice.show_error(error)

        self._timer.stop()
        self._requested = wanted
        self._request.run(
            "preview",
            PreviewArguments(path=self._path, reader=wanted),
            PreviewResult,
            on_result=lambda result: self.show_preview(result, wanted),
            on_error=on_error,
        )

    def accept(self) -> None:
        """Load as the controls say: where what is shown is of former settings, once it is not."""
        if not entries_stand(self):
            return
        if self.wanted() == self._shown_as:
            super().accept()
            return
        self._is_load_wanted = True
        if self.wanted() != self._requested or self._timer.isActive():
            self._ask()

    def show_preview(self, preview: PreviewResult, of: ReaderSettings | None = None) -> None:
        """Show what was found; ``of`` are the settings asked for, left out = the present ones."""
        self._preview = preview
        self._shown_as = self.wanted() if of is None else of
        self._notice.dismiss()
        if preview.warnings:
            self._notice.show_text(joined(preview.warnings, tag("br")), "warning")
        self._facts.setText(
            "{}, about {}, {}".format(
                format_bytes(preview.size_bytes),
                counted(rounded_estimate(preview.row_estimate), "row"),
                counted(len(preview.columns), "column"),
            )
        )
        self._show_memory(preview)
        questions = self._settings.show_preview(preview)
        self._show_rows(preview)
        is_first = not self._load.isEnabled() and self._shown_as == self._first
        self._load.setEnabled(not questions)
        if (
            is_first
            and not questions
            and not isinstance(self.focusWidget(), TextField | NumberField)
        ):
            self._load.setFocus()  # Enter loads
        self._load.setToolTip(
            "Please answer first: {}.".format(", ".join(questions)) if questions else ""
        )
        is_wanted, self._is_load_wanted = self._is_load_wanted, False
        if is_wanted and not questions:
            self.accept()

    def _show_memory(self, preview: PreviewResult) -> None:
        needed, free = preview.memory_estimate_bytes, preview.memory_free_bytes
        if preview.column_bytes:
            needed = preview.column_bytes
        words = "Needs about %s of memory. The file itself is never changed."
        is_too_large = free is not None and needed > free
        self.pieces.setVisible(is_too_large and self._offers_pieces)
        if free is not None and is_too_large:
            words = "Needs about %s of memory; only %s is free: close other programs first."
            self._memory.setText(words % (format_bytes(needed), format_bytes(free)))
            return
        if preview.column_bytes:
            words = "Opens at once: a column needs up to %s of memory when it is used, all need %s."
            whole = format_bytes(preview.memory_estimate_bytes)
            self._memory.setText(words % (format_bytes(needed), whole))
            return
        self._memory.setText(words % format_bytes(needed))

    def _show_rows(self, preview: PreviewResult) -> None:
        numbers = [i for i, kind in enumerate(preview.column_types) if kind in NUMBER_TYPES]
        notes = [
            f"{kind}, as you said" if name in self._types else kind
            for name, kind in zip(preview.columns, preview.column_types, strict=True)
        ]
        self._model.show(
            preview.columns,
            preview.rows,
            notes=notes,
            right_aligned=numbers,
            struck_out=[number - 1 for number in preview.settings.left_out or ()],
        )
        self._fit_columns(preview, notes)

    def _fit_columns(self, preview: PreviewResult, notes: list[str]) -> None:
        """As wide as the longest text of each column, up to a limit.

        Qt's own way asks for every cell's style: seconds for some hundred columns.
        """
        metrics = self._table.fontMetrics()
        header = self._table.horizontalHeader().fontMetrics()
        for section, name in enumerate(preview.columns[:MOST_FITTED]):
            cells = (row[section] for row in preview.rows if section < len(row))
            width = max(
                metrics.horizontalAdvance(max(cells, key=len, default="")[:WIDEST]),
                header.horizontalAdvance(name[:WIDEST]),
                header.horizontalAdvance(notes[section]),
            )
            self._table.setColumnWidth(section, min(WIDEST, width + MARGIN))
