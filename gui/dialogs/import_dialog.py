"""How a file is read: what was found and why, changeable, with the first rows shown live."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QSpinBox,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.document.model import ReaderSettings
from core.document.results import PreviewResult
from core.document.wording import format_bytes, format_count
from gui.models import TextTableModel
from gui.parts import Card, ElidedLabel, Notice, TextLabel
from gui.workspace import Workspace

PAUSE = 200  # ms after a change before the file is looked at again
FOUND = "\0found"

DELIMITERS = ((",", "Comma ,"), (";", "Semicolon ;"), ("\t", "Tab"), ("|", "Bar |"), (" ", "Space"))
QUOTES = (('"', 'Double "'), ("'", "Single '"), ("", "None"))
DECIMALS = ((".", "Point 0.5"), (",", "Comma 0,5"))
ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("utf-8-sig", "UTF-8 with mark"),
    ("utf-16", "UTF-16"),
    ("cp1252", "Windows 1252"),
    ("iso-8859-1", "Latin 1"),
    ("iso-8859-15", "Latin 9 (€)"),
    ("cp1250", "Windows 1250"),
    ("cp1251", "Windows 1251"),
)
HEADERS = (("yes", "Column names"), ("no", "Data"))
NUMBER_TYPES = ("integer", "number")


def rounded_estimate(rows: int) -> int:
    """An estimate to three figures: more would claim what is not known."""
    if rows < 1000:
        return rows
    step: int = 10 ** (len(str(rows)) - 3)
    return round(rows / step) * step


class ImportDialog(QDialog):
    """Shows the first rows of a file; ``reader()`` says how the user wants it read."""

    def __init__(
        self,
        workspace: Workspace,
        path: str,
        reader: ReaderSettings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._path = path
        self._reader = reader
        self._preview: PreviewResult | None = None
        self._job: int | None = None
        self._is_filling = False
        self.setWindowTitle(self.tr("Open data"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(980, 620)
        self._combos: dict[str, QComboBox] = {}
        self._reasons: dict[str, TextLabel] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._ask)
        self._build()
        self._ask()

    def reader(self) -> ReaderSettings:
        """The settings chosen; what was left to the program is filled with what it found."""
        return self._preview.settings if self._preview is not None else self._reader

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        self._file = ElidedLabel(self._path, "section")
        self._facts = TextLabel(self.tr("Reading the first rows…"), "quiet")
        column.addWidget(self._file)
        column.addWidget(self._facts)
        self._notice = Notice()
        self._notice.hide()
        column.addWidget(self._notice)
        middle = QHBoxLayout()
        middle.setSpacing(12)
        middle.addWidget(self._settings_card())
        middle.addWidget(self._table_card(), 1)
        column.addLayout(middle, 1)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._load = self._buttons.addButton(
            self.tr("Load"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self._load.setProperty("kind", "primary")
        self._load.setDefault(True)
        self._load.setEnabled(False)
        self._load.setToolTip(self.tr("The first rows have not been read yet."))
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        foot = QHBoxLayout()
        self._memory = TextLabel("", "note")
        foot.addWidget(self._memory)
        foot.addStretch(1)
        foot.addWidget(self._buttons)
        column.addLayout(foot)

    def _settings_card(self) -> Card:
        card = Card(self.tr("How it is read"))
        card.setFixedWidth(300)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        entries = (
            ("delimiter", self.tr("Columns are parted by"), DELIMITERS),
            ("quote", self.tr("Texts are quoted by"), QUOTES),
            ("decimal", self.tr("Decimal sign"), DECIMALS),
            ("encoding", self.tr("Encoding"), ENCODINGS),
            ("has_header", self.tr("The first line holds"), HEADERS),
        )
        for place, (key, caption, choices) in enumerate(entries):
            self._add_setting(grid, place, key, caption, choices)
        self._skip = QSpinBox()
        self._skip.setRange(0, 10_000)
        self._skip.setValue(self._reader.skip_lines)
        self._skip.setAccessibleName(self.tr("Lines to skip"))
        self._skip.valueChanged.connect(self._on_changed)
        row = 2 * len(entries)
        grid.addWidget(TextLabel(self.tr("Lines to skip")), row, 0)
        grid.addWidget(self._skip, row, 1)
        card.body.addLayout(grid)
        card.body.addStretch(1)
        return card

    def _add_setting(
        self,
        grid: QGridLayout,
        place: int,
        key: str,
        caption: str,
        choices: tuple[tuple[str, str], ...],
    ) -> None:
        combo = QComboBox()
        combo.setAccessibleName(caption)
        combo.addItem(self.tr("Find out"), FOUND)
        for value, words in choices:
            combo.addItem(words, value)
        given = self._given(key)
        if given is not None:
            self._choose(combo, given)
        combo.currentIndexChanged.connect(self._on_changed)
        reason = TextLabel("", "note", wraps=True)
        label = TextLabel(caption)
        label.setBuddy(combo)
        grid.addWidget(label, 2 * place, 0)
        grid.addWidget(combo, 2 * place, 1)
        grid.addWidget(reason, 2 * place + 1, 0, 1, 2)
        grid.setRowMinimumHeight(2 * place + 1, 20)
        self._combos[key] = combo
        self._reasons[key] = reason

    def _given(self, key: str) -> str | None:
        value = getattr(self._reader, key)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return None if value is None else str(value)

    @staticmethod
    def _choose(combo: QComboBox, value: str) -> None:
        place = combo.findData(value)
        if place < 0:
            combo.addItem(value, value)
            place = combo.count() - 1
        combo.setCurrentIndex(place)

    def _table_card(self) -> Card:
        card = Card(margin=1)
        self._model = TextTableModel(self)
        self._table = QTableView()
        self._table.setModel(self._model)
        self._table.setAccessibleName(self.tr("First rows of the file"))
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self._table.setShowGrid(False)
        self._table.setWordWrap(False)
        self._table.verticalHeader().setDefaultSectionSize(26)
        self._table.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        card.body.addWidget(self._table)
        return card

    # ------------------------------------------------------------ asking the engine

    def _on_changed(self) -> None:
        if not self._is_filling:
            self._timer.start()

    def wanted(self) -> ReaderSettings:
        """The settings as the controls say; None where the program is to find out."""
        chosen = {key: combo.currentData() for key, combo in self._combos.items()}
        header = chosen.pop("has_header")
        texts = {key: None if value == FOUND else str(value) for key, value in chosen.items()}
        return replace(
            self._reader,
            skip_lines=self._skip.value(),
            has_header=None if header == FOUND else header == "yes",
            delimiter=texts["delimiter"],
            quote=texts["quote"],
            decimal=texts["decimal"],
            encoding=texts["encoding"],
        )

    def _ask(self) -> None:
        wanted = self.wanted()

        def on_result(result: object) -> None:
            if self._job == job and isinstance(result, PreviewResult):
                self.show_preview(result)

        def on_error(error: Exception) -> None:
            if self._job == job:
                self._load.setEnabled(False)
                self._notice.show_error(error)

        job = self._workspace.preview(self._path, wanted, on_result, on_error)
        self._job = job

    def show_preview(self, preview: PreviewResult) -> None:
        """Show what was found."""
        self._preview = preview
        self._notice.dismiss()
        if preview.warnings:
            self._notice.show_text("<br>".join(preview.warnings), "warning")
        self._facts.setText(
            self.tr("%s, about %s rows, %s columns")
            % (
                format_bytes(preview.size_bytes),
                format_count(rounded_estimate(preview.row_estimate)),
                len(preview.columns),
            )
        )
        self._memory.setText(
            self.tr("Needs about %s of memory. The file itself is never changed.")
            % format_bytes(preview.memory_estimate_bytes)
        )
        self._show_findings(preview)
        numbers = [i for i, kind in enumerate(preview.column_types) if kind in NUMBER_TYPES]
        self._model.show(
            preview.columns, preview.rows, notes=preview.column_types, right_aligned=numbers
        )
        self._table.resizeColumnsToContents()
        for section in range(len(preview.columns)):
            self._table.setColumnWidth(section, min(220, self._table.columnWidth(section) + 12))
        self._load.setEnabled(True)
        self._load.setToolTip("")

    def _show_findings(self, preview: PreviewResult) -> None:
        is_text = preview.settings.format != "parquet"
        for combo in self._combos.values():
            combo.setEnabled(is_text)
            combo.setToolTip("" if is_text else self.tr("A Parquet file says this itself."))
        self._skip.setEnabled(is_text)
        found = {finding.setting: finding for finding in preview.findings}
        self._is_filling = True
        for key, combo in self._combos.items():
            finding = found.get(key)
            words = self._words_of(combo, preview, key)
            combo.setItemText(0, self.tr("Found: %s") % words if words else self.tr("Find out"))
            reason = finding.reason if finding is not None else ""
            if finding is not None and not finding.is_certain:
                reason = self.tr("not certain: %s") % reason
            self._reasons[key].setText(reason)
        self._is_filling = False

    @staticmethod
    def _words_of(combo: QComboBox, preview: PreviewResult, key: str) -> str:
        value = getattr(preview.settings, key)
        if value is None:
            return ""
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        place = combo.findData(text)
        return combo.itemText(place) if place >= 0 else text

    def file_name(self) -> str:
        """Name of the file, without its folder."""
        return Path(self._path).name
