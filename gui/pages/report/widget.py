"""Page Report: the outline at the left, the paper at the right, HTML and PDF at the top."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.files.guarded import file_name
from core.document.model import Document, ReportItem
from core.document.report.commands import (
    BOARD,
    COMMITTEE,
    MoveOnReport,
    TakeOffReport,
    WriteOnReport,
    page_of,
)
from core.presentation.report.entries import entry_title
from core.questions.decide import Totals
from gui.pages.page import Page
from gui.pages.report.files import write_report
from gui.pages.report.outline import OutlineCard, WordsCard
from gui.pages.report.paper import lay_out
from gui.pages.report.preview import Preview
from gui.pauses import PAUSES, single_shot
from gui.session.session import Session
from gui.shell.page_list import PAGES, PageId
from gui.theme import current_theme, icon
from gui.widgets import EmptyState
from gui.widgets.file_dialog import file_dialog
from payoff.errors import PayoffError

_MONTHS = "January February March April May June July August September October November December"


class ReportPage(Page):
    """Shows what the keeper holds in the order and under the words of the document."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Report", parent)
        self.setAccessibleName(self.header.title.text())
        self._keeper = session.report
        self._chosen = ""
        self._later = single_shot(self, PAUSES.report_paper, self.show_report)
        self._build_header()
        self._build_body()
        session.project.document_changed.connect(self._soon)
        self._keeper.changed.connect(self._soon)
        self.show_report()

    def on_shown(self) -> None:
        self._keeper.collect()
        self.show_report()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_report()

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.add = QPushButton(icon("plus"), "Add")
        self.add.setToolTip("Add a table, a total or a chart of any page")
        menu = QMenu(self.add)
        menu.setToolTipsVisible(True)  # why one cannot be put there
        menu.aboutToShow.connect(lambda: self.fill_menu(menu))
        self.add.setMenu(menu)
        self.html = QPushButton(icon("export"), "Export HTML…")
        self.pdf = QPushButton("Export PDF…")
        self.pdf.setProperty("kind", "primary")
        self.html.clicked.connect(partial(self.choose_file, "html"))
        self.pdf.clicked.connect(partial(self.choose_file, "pdf"))
        for button in (self.add, self.html, self.pdf):
            self.header.add_right(button)

    def _build_body(self) -> None:
        self.stack = QStackedWidget()
        self.empty = EmptyState(
            "Nothing is on the report yet. Every chart, table and total can be put here; “For the "
            "committee”, at Add, fills in seven entries at once.",
            "Go to Compare",
            icon="report",
        )
        self.empty.pressed.connect(lambda: self.session.page_requested.emit(PageId.COMPARE))
        self.outline, self.words = OutlineCard(), WordsCard()
        self.outline.setFixedWidth(self.words.width())
        self.outline.chosen.connect(self.choose)
        self.outline.moved.connect(self._move)
        self.outline.removed.connect(self._take_off)
        self.words.written.connect(self._write)
        self.words.finished.connect(self.session.project.finish_editing)
        self.outline.renew_wanted.connect(self._keeper.ask_stale)
        self.words.renew_wanted.connect(self._make_again)
        self.preview = Preview()
        self.preview.sheets.kind_clicked.connect(self.choose)
        full = QWidget()
        row = QHBoxLayout(full)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(current_theme().sizes.gap)
        left = QVBoxLayout()
        left.setSpacing(current_theme().sizes.gap)
        left.addWidget(self.outline, 1)
        left.addWidget(self.words)
        row.addLayout(left)
        row.addWidget(self.preview, 1)
        self.stack.addWidget(full)
        self.stack.addWidget(self.empty)
        self.body.addWidget(self.stack, 1)

    # ------------------------------------------------------------ showing

    def _soon(self, _sent: object = None) -> None:
        if self.isVisible() and not self._later.isActive():
            self._later.start()

    def show_report(self) -> None:
        """Show the outline, the words and the paper of the document as it is."""
        document = self.session.project.document
        kinds = [item.kind for item in document.report]
        if self._chosen not in kinds:
            self._chosen = kinds[0] if kinds else ""
        self.stack.setCurrentIndex(0 if kinds else 1)
        entries = [self._line(item) for item in document.report]
        self.outline.show_entries(entries, self._chosen)
        self.outline.show_stale(len(self._keeper.to_update()))
        self._show_words(document)
        text = self._keeper.text()
        self.preview.sheets.show_paper(lay_out(text) if text.entries else None)
        self.preview.sheets.mark(self._chosen)
        for button in (self.html, self.pdf):
            button.setEnabled(bool(text.entries))
            button.setToolTip("" if text.entries else "There is nothing on the report yet.")

    def _line(self, item: ReportItem) -> tuple[str, str, str]:
        block = self._keeper.block(item.kind)
        own = block.title if block is not None else entry_title(item.kind)
        return item.kind, item.caption or own, self._state_of(item.kind)

    def _state_of(self, kind: str) -> str:
        """Why an entry is not up to date; empty where it is."""
        keeper = self._keeper
        if not keeper.is_stale(kind):
            return ""
        if keeper.is_requested(kind):
            return "Being made."
        old = "Made before the data or the settings were changed."
        state = "Not made yet." if keeper.block(kind) is None else old
        why = keeper.why_not(kind)
        if why:
            return f"{state} It cannot be made of the project as it is: {why}"
        if not keeper.can_ask(kind):
            return f"{state} It is made on its page."
        return state

    def _show_words(self, document: Document) -> None:
        item = next((entry for entry in document.report if entry.kind == self._chosen), None)
        if item is None:
            self.words.show_entry("", "", "", "", "")
            return
        block, state = self._keeper.block(item.kind), self._state_of(item.kind)
        title = block.title if block is not None else entry_title(item.kind)
        renew = ""
        if state and not self._keeper.can_ask(item.kind):
            renew = f"Make it again on {self._page_title(item.kind)}"
        elif state and self._keeper.may_ask(item.kind):
            renew = "Update"
        made = f"Made {_moment_words(block.made_at)}." if block is not None else ""
        self.words.show_entry(title, item.caption, item.note, state or made, renew)

    @staticmethod
    def _page_title(kind: str) -> str:
        return next((entry.title for entry in PAGES if entry.key == page_of(kind)), "")

    # ------------------------------------------------------------ wishes

    def choose(self, kind: str) -> None:
        """Choose an entry: its words at the left, its place in the paper."""
        if kind and kind != self._chosen:
            self.session.project.finish_editing()
            self._show_chosen(kind)

    def _show_chosen(self, kind: str) -> None:
        """Have an entry chosen, and in view, wherever it stands now."""
        self._chosen = kind
        self.show_report()
        self.preview.go_to(self._chosen)

    def _move(self, kind: str, place: int) -> None:
        self.session.project.execute(MoveOnReport(kind=kind, place=place))
        self._show_chosen(kind)

    def _take_off(self, kind: str) -> None:
        """Take an entry off; the one in its place is chosen."""
        place = self.outline.kinds().index(kind)
        self.session.project.execute(TakeOffReport(kind=kind))
        left = [item.kind for item in self.session.project.document.report]
        self._show_chosen(left[min(place, len(left) - 1)] if left else "")

    def _add(self, kinds: tuple[str, ...], is_on: bool = True) -> None:
        """Put entries on the report, and show the first; or take one off."""
        if not is_on:
            self._take_off(kinds[0])
            return
        new = [kind for kind in kinds if not self._keeper.is_on(kind)]
        self._keeper.put_all(kinds)
        if new:
            self._show_chosen(new[0])

    def _write(self, caption: str, note: str) -> None:
        if self._chosen:
            self.session.project.execute(
                WriteOnReport(kind=self._chosen, caption=caption, note=note)
            )

    def _make_again(self) -> None:
        """Have the chosen entry made again; show its page where only the user can make it."""
        if not self._keeper.ask(self._chosen):
            self.session.page_requested.emit(PageId(page_of(self._chosen)))

    def fill_menu(self, menu: QMenu) -> None:
        """What can be put on the report, page by page, whether a page was looked at or not."""
        menu.clear()
        committee = menu.addAction(icon("report"), "For the committee")
        committee.setToolTip("Question, data, decision, money, how sure, checks and open points")
        refusal = Totals.why_not(self.session.project.document)
        if refusal is not None:
            committee.setToolTip(str(refusal))
        is_there = all(self._keeper.is_on(kind) for kind in COMMITTEE)
        committee.setEnabled(refusal is None and not is_there)
        committee.triggered.connect(lambda _checked: self._add(COMMITTEE))
        board = menu.addAction(icon("report"), "Board page")
        board.setToolTip("Question, answer, money, how sure and checks on one page")
        board.setEnabled(not self._keeper.is_on(BOARD))
        board.triggered.connect(lambda _checked: self._add((BOARD,)))
        menu.addSeparator()
        for entry in PAGES:
            offered = self._keeper.offered(entry.key)
            if offered:
                inner = menu.addMenu(icon(entry.icon), entry.title)
                for key, title in offered:
                    action = inner.addAction(title)
                    action.setCheckable(True)
                    action.setChecked(self._keeper.is_on(key))
                    action.triggered.connect(partial(self._add, (key,)))

    # ------------------------------------------------------------ files

    def choose_file(self, kind: str, _checked: bool = False) -> None:
        """Ask where to write the report."""
        dialog = file_dialog(
            self,
            "Export the report",
            self.session.folder_to_write,
            self.export,
            kinds=["Web page (*.html)" if kind == "html" else "PDF document (*.pdf)"],
            saves_as=file_name(self.session.project.document.name, f".{kind}"),
        )
        dialog.open()

    def export(self, path: str) -> None:
        """Write the report; the ending of the path says how."""
        text = self._keeper.text()
        try:
            write_report(text, path)
        except PayoffError as refusal:
            self.session.project.post(refusal)
            return
        self.session.project.post(f"{Path(path).name} written.")


def _moment_words(moment: str) -> str:
    """A moment in local time: "21 November 2026, 12:40"; empty where none is given."""
    try:
        local = datetime.fromisoformat(moment).astimezone()
    except ValueError:
        return ""
    return f"{local.day} {_MONTHS.split()[local.month - 1]} {local:%Y, %H:%M}"
