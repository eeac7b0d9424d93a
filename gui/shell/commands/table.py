"""Every action as data: key, text, menu, shortcut, icon, when it can be used, what it does."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from core.settings import state_folder
from gui.session.session import Session
from gui.shell.commands.copy_python import copy_as_python
from gui.shell.commands.needs import (
    needs_data,
    needs_decisions,
    needs_evaluation,
    needs_matrix,
    needs_nothing,
    needs_project,
    needs_redo,
    needs_undo,
)
from gui.shell.commands.printing import print_board, print_report
from gui.shell.commands.spec import ActionSpec, Frame
from gui.shell.page_list import PAGES, PageEntry, PageId

MENUS: tuple[tuple[str, str], ...] = (
    ("file", "&File"),
    ("edit", "&Edit"),
    ("view", "&View"),
    ("data", "&Data"),
    ("decisions", "De&cisions"),
    ("help", "&Help"),
)


def _pin(frame: Frame) -> None:
    session = frame.session
    session.results.set_pinned(
        None if session.results.pinned_depth is not None else session.results.cursor_depth
    )


def _go_to_best_depth(frame: Frame) -> None:
    """Put the cursor where the chosen model's profit is best."""
    chosen = frame.session.results.chosen_profit()
    if chosen is not None and math.isfinite(chosen.best_depth):
        frame.session.results.move_cursor(chosen.best_depth, finished=True)


def _show_log_folder(_frame: Frame) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(state_folder())))


def _page_action(number: int, page: PageEntry) -> ActionSpec:
    """Return what brings a page to the front: Ctrl with the digit of its place in the rail."""
    return ActionSpec(
        "explain_model" if page.key is PageId.EXPLAIN else page.key.value,  # F1 is "explain"
        page.title,
        "view",
        lambda frame: frame.show_page(page.key),
        f"Ctrl+{number % 10}",
        page.icon,
        needs_data if page.needs_data else needs_nothing,
    )


def _dialog_action(
    key: str,
    text: str,
    menu: str,
    *,
    shortcut: str = "",
    icon: str = "",
    reason: Callable[[Session], str] = needs_nothing,
    group: int = 0,
    asks: str = "",
) -> ActionSpec:
    """Return what opens the dialog of its own key."""
    return ActionSpec(
        key,
        text,
        menu,
        lambda frame: frame.open_dialog(key),
        shortcut,
        icon,
        reason,
        group,
        asks=asks,
    )


def _compare_action(key: str, text: str) -> ActionSpec:
    """Return what opens the part of its own key on page Compare, from the palette alone."""
    return ActionSpec(
        key,
        text,
        "view",
        lambda frame: frame.show_part(PageId.COMPARE, key),
        reason=needs_evaluation,
        is_shown=False,
    )


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec(
        "new_project",
        "New project",
        "file",
        lambda frame: frame.files.new_project(),
        "Ctrl+N",
        "plus",
        needs_project,
    ),
    ActionSpec(
        "open_data",
        "Open data…",
        "file",
        lambda frame: frame.files.choose_data(),
        "Ctrl+O",
        "folder-open",
    ),
    ActionSpec(
        "open_parts",
        "Open a folder of parts…",
        "file",
        lambda frame: frame.files.choose_parts(),
        "",
        "folder-open",
    ),
    ActionSpec(
        "paste_data",
        "Paste data",
        "file",
        lambda frame: frame.files.paste_data(),
        "Ctrl+Shift+V",
        "import",
    ),
    ActionSpec(
        "open_project",
        "Open project…",
        "file",
        lambda frame: frame.files.choose_project(),
        "Ctrl+Shift+O",
        "project",
    ),
    ActionSpec(
        "replace_data",
        "Replace the data of this project…",
        "file",
        lambda frame: frame.files.choose_replacement(),
        "",
        "",
        needs_data,
    ),
    ActionSpec(
        "save",
        "Save project",
        "file",
        lambda frame: frame.files.save(),
        "Ctrl+S",
        "save",
        needs_project,
        group=1,
    ),
    ActionSpec(
        "save_as",
        "Save project as…",
        "file",
        lambda frame: frame.files.save_as(),
        "Ctrl+Shift+S",
        "",
        needs_project,
        group=1,
    ),
    ActionSpec(
        "export_data",
        "Export data…",
        "file",
        lambda frame: frame.table_exports.export_data(),
        "",
        "export",
        needs_data,
        group=2,
    ),
    ActionSpec(
        "print_report",
        "Print the report…",
        "file",
        lambda frame: print_report(frame.session),
        "Ctrl+Shift+P",
        "report",
        needs_data,
        group=2,
    ),
    ActionSpec(
        "print_board",
        "Board page…",
        "file",
        lambda frame: print_board(frame.session),
        "Ctrl+Shift+B",
        "report",
        needs_data,
        group=2,
    ),
    ActionSpec(
        "quit",
        "Quit",
        "file",
        lambda frame: frame.close_window(),
        "Ctrl+Q",
        group=9,
    ),
    ActionSpec(
        "undo",
        "Undo",
        "edit",
        lambda frame: frame.session.project.undo(),
        "Ctrl+Z",
        "undo",
        needs_undo,
    ),
    ActionSpec(
        "redo",
        "Redo",
        "edit",
        lambda frame: frame.session.project.redo(),
        "Ctrl+Shift+Z",
        "redo",
        needs_redo,
        other_shortcut="Ctrl+Y",
    ),
    _dialog_action(
        "project_settings",
        "Project name and currency…",
        "edit",
        icon="edit",
        reason=needs_data,
        group=1,
    ),
    _dialog_action("cluster", "Cluster for folders of parts…", "edit", icon="settings", group=1),
    ActionSpec(
        "copy_python",
        "Copy as Python",
        "edit",
        lambda frame: copy_as_python(frame.session),
        "",
        "copy",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "report_page",
        "Add everything on this page to the report",
        "edit",
        lambda frame: frame.session.report.put_page(frame.current_page),
        "",
        "report",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "palette",
        "Search or run a command",
        "edit",
        lambda frame: frame.open_palette(),
        "Ctrl+K",
        "search",
        group=2,
    ),
    *(_page_action(number, page) for number, page in enumerate(PAGES, 1)),
    _compare_action("choose_charts", "Choose the charts of Compare…"),
    _compare_action("choose_model", "Choose the best model…"),
    _compare_action("compare_rows", "Two sets of rows side by side…"),
    ActionSpec(
        "theme_light",
        "Light colours",
        "view",
        lambda frame: frame.choose_theme("light"),
        "",
        "sun",
        group=1,
    ),
    ActionSpec(
        "theme_dark",
        "Dark colours",
        "view",
        lambda frame: frame.choose_theme("dark"),
        "",
        "moon",
        group=1,
    ),
    ActionSpec(
        "theme_system",
        "Colours of the desktop",
        "view",
        lambda frame: frame.choose_theme("system"),
        "",
        "screen",
        group=1,
    ),
    ActionSpec(
        "full_screen",
        "Full screen",
        "view",
        lambda frame: frame.toggle_full_screen(),
        "F11",
        "expand",
        group=2,
    ),
    ActionSpec(
        "read_again",
        "Change how the file is read…",
        "data",
        lambda frame: frame.files.read_again(),
        "",
        "settings",
        needs_data,
    ),
    _dialog_action(
        "add_columns",
        "Add columns from another file…",
        "data",
        icon="columns",
        reason=needs_data,
        group=1,
    ),
    _dialog_action(
        "add_rows",
        "Add training, validation or test files…",
        "data",
        icon="rows",
        reason=needs_data,
        group=1,
    ),
    _dialog_action(
        "derive_column", "Derive a column…", "data", icon="plus", reason=needs_data, group=1
    ),
    _dialog_action(
        "overlap",
        "Rows that train and test have in common…",
        "data",
        icon="compare",
        group=2,
        asks="data.overlap",
    ),
    ActionSpec(
        "cursor_rule",
        "Cursor to the rule",
        "decisions",
        lambda frame: frame.session.results.move_cursor(None),
        "Ctrl+R",
        "decide",
        needs_decisions,
    ),
    ActionSpec(
        "cursor_best",
        "Cursor to the best depth",
        "decisions",
        _go_to_best_depth,
        "Ctrl+B",
        "target",
        needs_decisions,
    ),
    ActionSpec(
        "pin",
        "Pin cursor",
        "decisions",
        _pin,
        "Ctrl+P",
        "pin",
        needs_decisions,
    ),
    _dialog_action(
        "save_decisions",
        "Save decisions…",
        "decisions",
        shortcut="Ctrl+E",
        icon="export",
        reason=needs_decisions,
        group=1,
    ),
    ActionSpec(
        "apply",
        "Apply this rule to another file…",
        "decisions",
        lambda frame: frame.open_dialog("apply_rule"),
        "",
        "import",
        needs_decisions,
        group=1,
    ),
    _dialog_action(
        "export_rule",
        "Export the rule…",
        "decisions",
        icon="export",
        reason=needs_decisions,
        group=1,
    ),
    _dialog_action(
        "read_workbook",
        "Read a decision workbook back…",
        "decisions",
        icon="import",
        reason=needs_decisions,
        group=1,
        asks="decide.workbook",
    ),
    _dialog_action(
        "reconcile",
        "Compare with decisions in the file…",
        "decisions",
        icon="compare",
        group=1,
        asks="decide.reconcile",
    ),
    _dialog_action(
        "chances", "Turn scores into chances…", "decisions", group=1, asks="compare.chances"
    ),
    _dialog_action(
        "import_matrix", "Import matrix…", "decisions", icon="import", reason=needs_matrix, group=2
    ),
    _dialog_action(
        "export_matrix",
        "Export matrix…",
        "decisions",
        icon="export",
        reason=needs_decisions,
        group=2,
    ),
    ActionSpec(
        "explain",
        "What is this?",
        "help",
        lambda frame: frame.explain(),
        "F1",
        "help",
    ),
    _dialog_action("questions", "What can be asked", "help", icon="search"),
    ActionSpec(
        "log_folder",
        "Show the log",
        "help",
        _show_log_folder,
        "",
        "file",
        group=1,
    ),
    _dialog_action("about", "About Payoff", "help", icon="info", group=1),
)
