"""Every action as data: key, text, menu, shortcut, icon, when it can be used, what it does."""

from __future__ import annotations

import math

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from core.settings import state_folder
from gui.shell.commands.copy_python import copy_as_python
from gui.shell.commands.needs import (
    needs_data,
    needs_decisions,
    needs_evaluation,
    needs_matrix,
    needs_redo,
    needs_undo,
)
from gui.shell.commands.printing import print_report
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
        needs_data if page.needs_data else lambda _session: "",
    )


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec(
        "new_project",
        "New project",
        "file",
        lambda frame: frame.files.new_project(),
        "Ctrl+N",
        "plus",
        needs_data,
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
        needs_data,
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
        "save_as",
        "Save project as…",
        "file",
        lambda frame: frame.files.save_as(),
        "Ctrl+Shift+S",
        "",
        needs_data,
        group=1,
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
    ),
    ActionSpec(
        "project_settings",
        "Project name and currency…",
        "edit",
        lambda frame: frame.open_dialog("project_settings"),
        "",
        "edit",
        needs_data,
        group=1,
    ),
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
    ActionSpec(
        "choose_charts",
        "Choose the charts of Compare…",
        "view",
        lambda frame: frame.show_part(PageId.COMPARE, "choose_charts"),
        reason=needs_evaluation,
        is_shown=False,
    ),
    ActionSpec(
        "choose_model",
        "Choose the best model…",
        "view",
        lambda frame: frame.show_part(PageId.COMPARE, "choose_model"),
        reason=needs_evaluation,
        is_shown=False,
    ),
    ActionSpec(
        "compare_rows",
        "Two sets of rows side by side…",
        "view",
        lambda frame: frame.show_part(PageId.COMPARE, "compare_rows"),
        reason=needs_evaluation,
        is_shown=False,
    ),
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
    ActionSpec(
        "add_columns",
        "Add columns from another file…",
        "data",
        lambda frame: frame.open_dialog("add_columns"),
        "",
        "columns",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "add_rows",
        "Add training, validation or test files…",
        "data",
        lambda frame: frame.open_dialog("add_rows"),
        "",
        "rows",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "derive_column",
        "Derive a column…",
        "data",
        lambda frame: frame.open_dialog("derive_column"),
        "",
        "plus",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "overlap",
        "Rows that train and test have in common…",
        "data",
        lambda frame: frame.open_dialog("overlap"),
        "",
        "compare",
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
    ActionSpec(
        "save_decisions",
        "Save decisions…",
        "decisions",
        lambda frame: frame.open_dialog("save_decisions"),
        "Ctrl+E",
        "export",
        needs_decisions,
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
    ActionSpec(
        "hand_over_rule",
        "Hand over the rule…",
        "decisions",
        lambda frame: frame.open_dialog("hand_over_rule"),
        "",
        "export",
        needs_decisions,
        group=1,
    ),
    ActionSpec(
        "reconcile",
        "Compare with decisions in the file…",
        "decisions",
        lambda frame: frame.open_dialog("reconcile"),
        "",
        "compare",
        group=1,
        asks="decide.reconcile",
    ),
    ActionSpec(
        "import_matrix",
        "Import matrix…",
        "decisions",
        lambda frame: frame.open_dialog("import_matrix"),
        "",
        "import",
        needs_matrix,
        group=2,
    ),
    ActionSpec(
        "export_matrix",
        "Export matrix…",
        "decisions",
        lambda frame: frame.open_dialog("export_matrix"),
        "",
        "export",
        needs_decisions,
        group=2,
    ),
    ActionSpec(
        "chances",
        "Turn scores into chances…",
        "decisions",
        lambda frame: frame.open_dialog("chances"),
        "",
        "",
        group=1,
        asks="compare.chances",
    ),
    ActionSpec(
        "explain",
        "What is this?",
        "help",
        lambda frame: frame.explain(),
        "F1",
        "help",
    ),
    ActionSpec(
        "questions",
        "What can be asked",
        "help",
        lambda frame: frame.open_dialog("questions"),
        "",
        "search",
    ),
    ActionSpec(
        "log_folder",
        "Show the log",
        "help",
        _show_log_folder,
        "",
        "file",
        group=1,
    ),
    ActionSpec(
        "about",
        "About Payoff",
        "help",
        lambda frame: frame.open_dialog("about"),
        "",
        "info",
        group=1,
    ),
)
