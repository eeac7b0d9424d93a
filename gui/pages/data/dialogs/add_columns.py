"""Add columns from another file: what would match is counted and shown before anything changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.data.model import JoinSpec
from core.document.studies.data import (
    JoinReport,
    SecondFile,
    SecondFileArguments,
)
from core.document.wording import format_count
from core.presentation.view import Cell, Table
from core.questions.data import TryJoin
from gui.pages.data.dialogs.key_rows import KeyRows
from gui.pages.data.dialogs.second_file import FileField, reader_beside
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import AnswerDialog, dialog_buttons, dialog_column
from gui.widgets.fields.list_box import ListBox
from gui.widgets.fields.list_search import ListSearch, tick_all
from gui.widgets.message_lines import MessageLines
from gui.widgets.tables.figure_table import ResultTable
from payoff.counting import counted, counted_of

WIDTH, HEIGHT = 760, 620
SHOWN_KEYS = 4
SHOWN_SPELLINGS = 6
NAME = Qt.ItemDataRole.UserRole


class AddColumnsDialog(AnswerDialog):
    """File, key, columns; the counts follow every choice."""

    changes_table = True  # it closes by itself when they are there

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.second: SecondFile | None = None
        self.report: JoinReport | None = None
        self._request = Request(self, session.project)
        body = dialog_column(self, "Add columns from another file", width=WIDTH, spacing=10)
        hint = (
            "Each row of the data gets the columns of the row with the same key. No row is lost "
            "or added; rows without a partner get missing values."
        )
        body.addWidget(TextLabel(hint, "quiet", wraps=True))
        self.file = FileField(session)
        self.file.chosen.connect(self.read)
        body.addWidget(self.file)
        body.addWidget(self._make_key())
        body.addLayout(self._make_middle(), 1)
        body.addWidget(self._make_buttons())
        self._show_state()

    # ------------------------------------------------------------ building

    def _make_key(self) -> KeyRows:
        data = self.session.project.document.data
        self.key = KeyRows(list(data.columns) if data is not None else [])
        self.key.changed.connect(self._key_chosen)
        return self.key

    def _make_middle(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(16)
        left = QVBoxLayout()
        left.setSpacing(6)
        title = QHBoxLayout()
        title.addWidget(TextLabel("Columns to add", "strong"))
        left.addLayout(title)
        self.columns = ListBox()
        self.columns.setAccessibleName("Columns to add")
        self.columns.setFixedWidth(280)
        self.columns.setSpacing(2)
        self.columns.itemChanged.connect(lambda _item: self._check_now())
        self.search = ListSearch(self.columns)
        self.all = QPushButton("All")
        self.all.setProperty("kind", "link")
        self.all.setToolTip("Tick every column in sight; once more takes the ticks away")
        self.all.clicked.connect(lambda _on: self._tick_all())
        title.addStretch(1)
        title.addWidget(self.all)
        left.addWidget(self.search)
        left.addWidget(self.columns, 1)
        row.addLayout(left)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(TextLabel("What the file brings", "strong"))
        self.lines = MessageLines()
        right.addWidget(self.lines)
        self.case = QCheckBox()
        self.zeros = QCheckBox()
        self.first = QCheckBox("Take the first row of a key that stands in several")
        for box in (self.case, self.zeros, self.first):
            box.clicked.connect(lambda _on: self._check_now())
            right.addWidget(box)
        self.spelling_title = TextLabel("Written differently, taken as one", "strong")
        self.spellings = ResultTable("Keys that are written differently")
        right.addWidget(self.spelling_title)
        right.addWidget(self.spellings)
        right.addStretch(1)
        row.addLayout(right, 1)
        return row

    def _make_buttons(self) -> QDialogButtonBox:
        buttons, self.add = dialog_buttons(self, "Add columns", self.take)
        return buttons

    # ------------------------------------------------------------ reading the file

    def read(self, path: str) -> None:
        """Read the file; the key and its columns are proposed."""
        self.second = self.report = None
        self._show_state()
        self.lines.clear()
        self.lines.add("clock", "quiet", f"Reading {Path(path).name} …")
        arguments = SecondFileArguments(
            document=self.session.project.document,
            path=path,
            reader=reader_beside(self.session, path),
        )
        self._request.run(
            "second_file",
            arguments,
            SecondFile,
            title=f"Reading {Path(path).name}",
            on_result=self._take_file,
            on_error=self._take_error,
        )

    def _take_file(self, found: SecondFile) -> None:
        self.second = found
        self.key.propose([name for name, _kind, _is_taken in found.columns], found.keys)
        self._list_columns()
        self._show_state()
        self._check_now()

    def _list_columns(self) -> None:
        """Every column but the key; a name that is taken gets the file's name behind it."""
        assert self.second is not None
        taken = (
            set(self.session.project.document.data.columns)
            if self.session.project.document.data
            else set()
        )
        stem = Path(self.second.file.path).stem
        keys = {other for _own, other in self.key.chosen()}
        self.columns.blockSignals(True)
        self.columns.clear()
        for name, _kind, is_taken in self.second.columns:
            if name in keys:
                continue
            new = name
            while new in taken:
                new = f"{new}_{stem}"
            taken.add(new)
            item = QListWidgetItem(name if new == name else f"{name} as {new}")
            item.setData(NAME, (name, new))
            item.setToolTip(item.text())
            item.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled)
            item.setCheckState(Qt.CheckState.Unchecked if is_taken else Qt.CheckState.Checked)
            self.columns.addItem(item)
        self.columns.blockSignals(False)
        self.search.apply()

    def _tick_all(self) -> None:
        self.columns.blockSignals(True)  # the file is looked at once, not for each column
        tick_all(self.columns, self.search)
        self.columns.blockSignals(False)
        self.columns.viewport().update()
        self._check_now()

    def _key_chosen(self) -> None:
        if self.second is not None:
            self._list_columns()
            self._check_now()

    # ------------------------------------------------------------ looking

    def join(self) -> JoinSpec | None:
        """The join as it is chosen; None without a file."""
        if self.second is None:
            return None
        items = [self.columns.item(place) for place in range(self.columns.count())]
        chosen = [item for item in items if item.checkState() is Qt.CheckState.Checked]
        return JoinSpec(
            file=self.second.file,
            keys=self.key.chosen(),
            columns=tuple(item.data(NAME) for item in chosen),
            ignores_case=self.case.isChecked(),
            ignores_zeros=self.zeros.isChecked(),
            takes_first=self.first.isChecked(),
        )

    def _check_now(self) -> None:
        """Count anew; only the answer to the present choice is shown."""
        requested = self.join()
        if requested is None:
            return
        self.report = None
        self.add.setEnabled(False)

        self._request.ask(
            self.session.project.document,
            TryJoin(join=requested),
            title="Matching rows",
            on_result=lambda found: self._show(found, requested),
            on_error=self._take_error,
            is_wanted=lambda: requested == self.join(),
        )

    def _take_error(self, error: Exception) -> None:
        self.report = None
        self.lines.clear()
        self.lines.add_error(str(error))
        self._show_state()

    # ------------------------------------------------------------ showing

    def _show(self, report: JoinReport, join: JoinSpec) -> None:
        self.report = report
        self.lines.clear()
        show_report(self.lines, report)
        if not join.columns:
            self.lines.add_error("No column is chosen.")
        self._show_state()

    def _show_state(self) -> None:
        report, join = self.report, self.join()
        has_report = report is not None
        for widget in (self.key, self.columns):
            widget.setEnabled(self.second is not None)
        looser = report or JoinReport(
            rows=0,
            other_rows=0,
            matched=0,
            unmatched=0,
            keyless=0,
            unused=0,
            other_keyless=0,
            repeated_own=0,
            repeated_other=0,
        )
        self.case.setText(
            f"Upper and lower case are one ({counted(looser.by_case, 'more row')})"
            if looser.by_case
            else "Upper and lower case are one"
        )
        self.zeros.setText(
            f"Leading zeros do not count ({counted(looser.by_zeros, 'more row')})"
            if looser.by_zeros
            else "Leading zeros do not count"
        )
        self.case.setVisible(has_report and (looser.by_case > 0 or self.case.isChecked()))
        self.zeros.setVisible(has_report and (looser.by_zeros > 0 or self.zeros.isChecked()))
        self.first.setVisible(has_report and (looser.repeated_other > 0 or self.first.isChecked()))
        self._show_spellings(looser)
        is_ready = report is not None and not report.refusal and report.matched > 0
        self.add.setEnabled(is_ready and join is not None and bool(join.columns))

    def _show_spellings(self, report: JoinReport) -> None:
        rows = tuple(
            (
                Cell(text=f"“{entry.own}”", is_left=True),
                Cell(text=f"“{entry.other}”", is_left=True),
                Cell(text=format_count(entry.rows)),
            )
            for entry in report.spellings[:SHOWN_SPELLINGS]
        )
        header = ("In the data", "In the file", "Rows")
        self.spellings.show_content(Table(columns=header, rows=rows))
        self.spellings.setFixedHeight(self.spellings.content_height() + 2)
        for widget in (self.spelling_title, self.spellings):
            widget.setVisible(bool(rows))

    def take(self) -> None:
        """Add the columns; the dialog closes once they are there."""
        join = self.join()
        if join is None:
            return
        self.add.setEnabled(False)
        self.session.tables.add_columns(replace(join), self._ended, of=self)

    def _ended(self, error: Exception | None) -> None:
        if error is None:
            self.accept()
        else:
            self._take_error(error)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)


def show_report(lines: MessageLines, report: JoinReport) -> None:
    """What a join does, in words."""
    whole = (
        counted_of(report.matched, report.rows, "row", verbs="finds its/find their") + " partner."
    )
    if report.matched == report.rows:
        lines.add_good(whole)
    elif report.matched:
        lines.add_info(whole)
    else:
        lines.add_error("No row finds a partner: is this the key?")
    if report.unmatched:
        words = "%s a key that the file lacks: %s"
        lines.add_warning(
            words
            % (
                counted(report.unmatched, "row has", "rows have"),
                _listed(report.unmatched_examples),
            )
        )
    if report.keyless:
        lines.add_warning(counted(report.keyless, "row has", "rows have") + " no key.")
    if report.unused:
        words = "%s to no row of the data: %s"
        unused = counted(report.unused, "row of the file belongs", "rows of the file belong")
        lines.add_info(words % (unused, _listed(report.unused_examples)))
    if report.other_keyless:
        lines.add_info(
            counted(report.other_keyless, "row of the file has", "rows of the file have")
            + " no key."
        )
    if report.repeated_own:
        words = "%s in several rows of the data; each gets the same columns."
        lines.add_info(words % counted(report.repeated_own, "key stands", "keys stand"))
    if report.refusal:
        lines.add_error(f"{report.refusal} {_listed(report.repeated_examples)}")
    elif report.repeated_other:
        words = "%s in several rows of the file: %s"
        keys = counted(report.repeated_other, "key stands", "keys stand")
        lines.add_warning(words % (keys, _listed(report.repeated_examples)))


def _listed(examples: tuple[str, ...]) -> str:
    shown = ", ".join(examples[:SHOWN_KEYS])
    return f"{shown} …" if len(examples) > SHOWN_KEYS else f"{shown}."
