"""The window: menus, toolbar, rail, pages, message strip and jobs strip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.markup import joined
from gui.pages import build_page
from gui.pages.page import Page
from gui.session.project import DATA_MISSING
from gui.session.request import NotFinishedError
from gui.shell.commands import ACTIONS, MENUS, ActionSpec
from gui.shell.commands.table_exports import TableExports
from gui.shell.drop_cover import DropCover, dropped_path, is_plugin
from gui.shell.file_flow import FileFlow
from gui.shell.geometry import save_geometry
from gui.shell.jobs_strip import JobsStrip
from gui.shell.message_area import MessageArea
from gui.shell.moments import saved_words
from gui.shell.outcome_question import OutcomeQuestion
from gui.shell.page_list import PAGES, PageId
from gui.shell.rail import Rail
from gui.shell.toolbar import ToolBar
from gui.theme import apply_theme, current_theme, icon, theme_choice
from gui.widgets.fields.text_field import finish_typing
from gui.widgets.help_button import HelpButton
from gui.widgets.labels import strong
from gui.widgets.notice import Notice
from gui.widgets.tables.copying import ExportEvent

if TYPE_CHECKING:
    from core.document.data.model import DataRef
    from core.presentation.known_figures import KnownFigure
    from core.settings import RecentProject
    from gui.session.session import Session
    from gui.shell.commands.palette import CommandPalette

MESSAGE_SECONDS = 8.0


class MainWindow(QMainWindow):
    """The frame around the pages. Pages are built when they are first shown."""

    painted = Signal()  # the first paint is done: heavy things may start

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.files = FileFlow(session, self)
        self.table_exports = TableExports(session, self)
        self.pages: dict[PageId, QWidget] = {}
        self.actions_by_key: dict[str, QAction] = {}
        self._has_painted = False
        self._may_close = False
        self.keeps_geometry = True
        self._posted = -1  # the message that the session posted last
        self._cause = ("", -1)  # the cause of a message, and which message that is
        self.setWindowTitle("Payoff")
        self.setAcceptDrops(True)
        self.setMinimumSize(960, 600)
        self.resize(1440, 900)
        self._make_actions()
        self._make_menus()
        self._make_body()
        self._connect()
        self._show_state()
        self.show_page(PageId.HOME)
        self.stack.setFocus()  # no ring before the first key is pressed

    # ------------------------------------------------------------ building

    def _make_actions(self) -> None:
        for spec in ACTIONS:
            action = QAction(spec.text, self)
            action.setObjectName(spec.key)
            action.setIconText(spec.text.replace("…", ""))
            if spec.icon:
                action.setIcon(icon(spec.icon))
            if spec.shortcut:
                keys = filter(None, (spec.shortcut, spec.other_shortcut))
                action.setShortcuts([QKeySequence(key) for key in keys])
            if spec.key.startswith("theme_"):
                action.setCheckable(True)
            action.triggered.connect(partial(self._run, spec))
            self.addAction(action)
            self.actions_by_key[spec.key] = action

    def _run(self, spec: ActionSpec, _checked: bool = False) -> None:
        finish_typing()
        spec.run(self)

    def _make_menus(self) -> None:
        self.menuBar().setFixedHeight(current_theme().sizes.menu + 1)
        for key, title in MENUS:
            menu = self.menuBar().addMenu(title)
            menu.setToolTipsVisible(True)
            group = None
            for spec in (s for s in ACTIONS if s.menu == key and s.is_shown):
                if group is not None and spec.group != group:
                    if key == "file" and group == 0:
                        self._add_recent(menu)
                    menu.addSeparator()
                group = spec.group
                menu.addAction(self.actions_by_key[spec.key])
            menu.aboutToShow.connect(self.refresh_actions)

    def _add_recent(self, menu: QMenu) -> None:
        """Put the projects that were open before into a menu of their own."""
        self.recent = menu.addMenu("Recent projects")
        self.recent.setToolTipsVisible(True)
        self.recent.aboutToShow.connect(self._fill_recent)
        menu.aboutToShow.connect(lambda: self.recent.setEnabled(bool(self._recent_projects())))

    def _recent_projects(self) -> tuple[RecentProject, ...]:
        store = self.session.settings
        return store.settings.recent if store is not None else ()

    def _fill_recent(self) -> None:
        self.recent.clear()
        for entry in self._recent_projects():
            action = self.recent.addAction(entry.name.replace("&", "&&"))
            action.setToolTip(entry.path)
            action.triggered.connect(
                lambda _on=False, path=entry.path: self.files.open_recent(path)
            )

    def _make_body(self) -> None:
        known = self.actions_by_key
        self.toolbar = ToolBar(
            ((known["open_data"], known["save"]), (known["undo"], known["redo"]))
        )
        self.toolbar.search.clicked.connect(self.open_palette)
        self.toolbar.filter.clicked.connect(lambda: self.show_page(PageId.DATA))
        self.rail = Rail(PAGES)
        self.stack = QStackedWidget()
        self.notice = Notice()
        self.outcome_question = OutcomeQuestion(self.session, self.session.results.outcomes, self)
        self.strip = JobsStrip(self.session.jobs)
        body = QWidget()
        body.setProperty("surface", "window")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.rail)
        place = QWidget()
        page = QVBoxLayout(place)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(self.stack)
        self.messages = MessageArea((self.outcome_question.notice, self.notice), place)
        middle.addWidget(place, 1)
        column.addLayout(middle, 1)
        column.addWidget(self.strip)
        self.setCentralWidget(body)
        self.cover = DropCover(body)

    def _connect(self) -> None:
        session = self.session
        self.rail.page_chosen.connect(self.show_page)
        session.page_requested.connect(self.show_page)
        session.part_requested.connect(self.show_part)
        session.project.message_posted.connect(self.show_message)
        session.project.message_caused.connect(self._note_cause)
        session.project.message_ended.connect(self._end_message)
        session.project.data_changed.connect(self._on_data_changed)
        session.project.document_changed.connect(self._show_state)
        session.results.decisions_changed.connect(self.refresh_actions)
        session.results.evaluation_changed.connect(self.refresh_actions)
        session.files.project_changed.connect(self._show_state)
        session.files.data_missing.connect(self._on_data_missing)
        session.files.data_unread.connect(self._on_data_unread)
        self._clock = QTimer(self)
        self._clock.setInterval(30_000)
        self._clock.timeout.connect(self._show_project)
        self._clock.start()

    # ------------------------------------------------------------ pages

    def show_page(self, key: PageId) -> None:
        """Bring a page to the front; it is built at the first time."""
        entry = next(page for page in PAGES if page.key == key)
        if entry.needs_data and self.session.project.document.data is None:
            return
        self.build_page(key)
        self.rail.show_page(key)
        self.stack.setCurrentWidget(self.pages[key])
        shown = self.pages[key]
        if isinstance(shown, Page):
            shown.on_shown()

    def build_page(self, key: PageId) -> None:
        """Build a page without showing it; nothing where it is built."""
        if key not in self.pages:
            page = build_page(key, self.session)
            self._adopt(page)
            self.pages[key] = page
            self.stack.addWidget(page)

    def _adopt(self, page: QWidget) -> None:
        """Connect what a page may ask of the window."""
        requests: tuple[tuple[str, Callable[..., object]], ...] = (
            ("open_data_wanted", self.files.choose_data),
            ("open_project_wanted", self.files.choose_project),
            ("path_wanted", self.files.open_path),
            ("read_again_wanted", self.files.read_again),
            ("dialog_wanted", self.open_dialog),
            ("find_data_wanted", self.files.find_data),
            ("find_wanted", self.files.find_for),
        )
        for name, action in requests:
            signal = getattr(page, name, None)
            if signal is not None:
                signal.connect(action)

    @property
    def current_page(self) -> PageId:
        """The page in front; Home before the first one is built."""
        front = self.stack.currentWidget()
        return next((key for key, page in self.pages.items() if page is front), PageId.HOME)

    # ------------------------------------------------------------ state

    def _show_state(self, *_ignored: object) -> None:
        self._show_project()
        self.refresh_actions()
        has_data = self.session.project.document.data is not None
        for page in PAGES:
            if page.needs_data:
                reason = "" if has_data else "Open data or a project first."
                self.rail.set_reason(page.key, reason)
        front = next((page for page in PAGES if page.key == self.current_page), None)
        if not has_data and front is not None and front.needs_data:
            self.show_page(PageId.HOME)

    def _show_project(self) -> None:
        session = self.session
        document, path = session.project.document, session.files.project_path
        if path is None and not session.files.has_project:
            self.toolbar.filter.show_filter("")
            self.toolbar.show_project("", "No project open")
            self.setWindowModified(False)
            self.setWindowTitle("Payoff")
            return
        is_changed = session.project.history.is_changed
        file = Path(path) if path is not None else None
        saved = ""
        if file is None:
            state = "not saved yet"
        elif session.files.is_read_only:
            state = "read-only: it is open elsewhere"
        elif is_changed or session.files.saved_at is None:
            state = "changed since it was saved"
        else:
            state, saved = "saved", saved_words(session.files.saved_at, datetime.now(UTC))
        words = saved or state
        if file is not None and file.stem != document.name:
            words = f"{file.name}, {words}"
        self.toolbar.show_project(document.name, words)
        self.toolbar.filter.show_filter(document.split.where)
        name = file.name if file is not None else document.name
        self.setWindowTitle(f"{name}[*] – {state} – Payoff")
        self.setWindowModified(is_changed)

    def refresh_actions(self, *_ignored: object) -> None:
        """Grey what cannot be used, with the reason as its tooltip."""
        for spec in ACTIONS:
            action = self.actions_by_key[spec.key]
            reason = spec.why_not(self.session)
            action.setEnabled(not reason)
            shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            tip = f"{action.text()} ({shortcut})" if shortcut else action.text()
            action.setToolTip(f"{tip}\n{reason}" if reason else tip)
        history = self.session.project.history
        self._label("undo", "Undo", history.undo_label)
        self._label("redo", "Redo", history.redo_label)
        for choice in ("light", "dark", "system"):
            self.actions_by_key[f"theme_{choice}"].setChecked(theme_choice() == choice)

    def _label(self, key: str, word: str, step: str | None) -> None:
        self.actions_by_key[key].setText(f"{word}: {step}" if step else word)

    # ------------------------------------------------------------ messages

    def show_message(self, message: object) -> None:
        """Show a message over the foot of the page; good news leaves by itself."""
        if isinstance(message, Exception):
            self.notice.show_error(message)
        else:
            self.notice.show_text(str(message), "info", seconds=MESSAGE_SECONDS)
        self._posted = self.notice.count

    def _note_cause(self, about: str) -> None:
        self._cause = (about, self.notice.count)

    def _end_message(self, about: str) -> None:
        """A message ends with its cause."""
        if self._cause == (about, self.notice.count):
            self.notice.dismiss()

    def _on_data_changed(self) -> None:
        """What was said of other data ends; dialogs about them close."""
        if self._posted == self.notice.count:
            self.notice.dismiss()
        for dialog in self.findChildren(QDialog):
            is_ours = type(dialog).__module__.startswith("gui.")  # not one of Qt's for files
            if is_ours and dialog.isVisible() and not self._stays(dialog):
                dialog.close()

    def _stays(self, dialog: QDialog) -> bool:
        """Whether a dialog is about no data, or is just changing them."""
        changes_them = getattr(dialog, "changes_table", False) and self.session.tables.is_taking
        return bool(changes_them or getattr(dialog, "outlives_data", False))

    def _on_data_missing(self, path: str) -> None:
        self.notice.show_text(
            joined(
                (
                    strong("The data file of this project is not where it was."),
                    f"({path})",
                ),
                " ",
            ),
            "warning",
        )
        self.notice.offer("Find…", self.files.find_data)
        self._note_cause(DATA_MISSING)

    def _on_data_unread(self, data: DataRef, why: Exception) -> None:
        """Reading was stopped or lost: whoever wants it reads again."""
        if isinstance(why, NotFinishedError):
            self.notice.show_text(strong("The data of this project were not read."), "warning")
        self.notice.offer("Read them", lambda: self.session.files.load_summary(data))
        self._note_cause(DATA_MISSING)

    # ------------------------------------------------------------ what actions ask for

    def open_dialog(self, key: str) -> None:
        """Open a dialog by its key in ``gui.shell.dialogs.by_key``."""
        from gui.shell.dialogs.by_key import open_dialog

        dialog = open_dialog(key, self.session, self)
        chosen = getattr(dialog, "question_chosen", None)
        if chosen is not None:
            chosen.connect(self.show_question)

    def show_question(self, key: str) -> None:
        """Go to where a question is answered."""
        from core.questions.question import question_named
        from gui.shell.commands.question_places import place_of

        place_of(question_named(key)).open(self)

    def show_part(self, page: PageId, part: str = "") -> None:
        """Bring a page to the front, and a tab or a study of it where one is named."""
        self.show_page(page)
        shown = self.pages.get(page)
        if part and isinstance(shown, Page):
            shown.show_part(part)

    def choose_theme(self, choice: str) -> None:
        """Set the colours, live, and remember them."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, choice)
        store = self.session.settings
        if store is not None:
            store.change(replace(store.settings, theme=choice))
        self.refresh_actions()

    def toggle_full_screen(self) -> None:
        """Fill the screen, or go back."""
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def explain(self) -> None:
        """Open the "?" nearest to what has the focus, or the first of the page."""
        place = QApplication.focusWidget() or self.stack.currentWidget()
        while place is not None:
            buttons = [b for b in place.findChildren(HelpButton) if b.isVisible()]
            if buttons:
                buttons[0].open_popover()
                return
            place = place.parentWidget()

    def close_window(self) -> None:
        """Close the window, and with it the program."""
        self.close()

    def open_palette(self) -> CommandPalette:
        """Open the command palette below the search button."""
        from gui.shell.commands.palette import CommandPalette
        from gui.shell.commands.palette_answers import answers, figures_like, no_figure_words
        from gui.shell.commands.palette_entries import palette_entries

        self.refresh_actions()
        entries = [*answers(self), *palette_entries(self, self.actions_by_key)]
        palette = CommandPalette(
            entries, self, look_up=partial(figures_like, self), nothing=no_figure_words
        )
        palette.open_below(self.toolbar.search)
        return palette

    def known_figures(self) -> tuple[KnownFigure, ...]:
        """Figures that pages show beside the project's metrics and money."""
        pages = (page for page in self.pages.values() if isinstance(page, Page))
        return tuple(figure for page in pages for figure in page.known_figures())

    def show_column(self, column: str) -> None:
        """Go to a column on page Data."""
        self.show_page(PageId.DATA)
        page = self.pages.get(PageId.DATA)
        select = getattr(page, "select_column", None)
        if select is not None:
            select(column)

    # ------------------------------------------------------------ events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+V on Home and Data opens what was copied; text fields keep it for themselves."""
        is_paste = event.matches(QKeySequence.StandardKey.Paste)
        if is_paste and self.current_page in (PageId.HOME, PageId.DATA):
            self.files.paste_data()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to export the table under the pointer, wherever it is in the window."""
        if not self.table_exports.offer_menu(event):
            super().contextMenuEvent(event)

    def customEvent(self, event: QEvent) -> None:
        """Write the cells that a chart or a table, in whatever window, wants in a file."""
        if isinstance(event, ExportEvent):
            self.table_exports.export_cells(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._has_painted:
            self._has_painted = True
            QTimer.singleShot(0, self.painted.emit)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        path = dropped_path(event)
        if path is not None:
            event.acceptProposedAction()
            self.cover.show_over(path, is_plugin=is_plugin(path))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.cover.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self.cover.hide()
        path = dropped_path(event)
        if path is not None:
            event.acceptProposedAction()
            self.open_path(path)

    def open_recent(self, project: str) -> None:
        """Open a recent project, or ask where its file has gone."""
        self.files.open_recent(project)

    def open_path(self, path: str) -> None:
        """Open a project or data; offer to install a plugin."""
        if not is_plugin(path):
            self.files.open_path(path)
            return
        self.show_page(PageId.PLUGINS)
        page: Any = self.pages[PageId.PLUGINS]
        page.offer(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        files = self.session.files
        if self._may_close or not (files.has_changes or files.losses(is_end=True)):
            if self.keeps_geometry:
                save_geometry(self)
            self.session.jobs.close()
            super().closeEvent(event)
            return
        event.ignore()
        self.files.when_saved(self.close_for_good, is_end=True)

    @property
    def may_close(self) -> bool:
        """Whether the user was asked about unsaved work, or there was none."""
        return self._may_close

    def close_for_good(self) -> None:
        """Close without asking about unsaved changes."""
        self._may_close = True
        self.close()
