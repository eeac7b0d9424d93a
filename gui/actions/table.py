"""Every action as data: key, text, menu, shortcut, icon, when it can be used, what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QT_TRANSLATE_NOOP

from core.document.studies.reconciling import carried_columns
from gui.workspace import Workspace


class Frame(Protocol):
    """What an action may ask of the window."""

    workspace: Workspace

    def choose_data(self) -> None:
        """Ask for a data file and how to read it."""

    def choose_project(self) -> None:
        """Ask for a project file."""

    def save(self) -> None:
        """Save the project where it was, or ask."""

    def save_as(self) -> None:
        """Ask where to save the project."""

    def read_again(self) -> None:
        """Change how the data file is read."""

    def paste_data(self) -> None:
        """Open the table on the clipboard."""

    def export_data(self) -> None:
        """Write the data to another file."""

    def rename_project(self) -> None:
        """Ask for the project's name."""

    def show_page(self, key: str) -> None:
        """Bring a page to the front."""

    def save_decisions(self) -> None:
        """Ask what to save of the decisions."""

    def apply_to_file(self) -> None:
        """Apply the rule to another file."""

    def open_dialog(self, key: str) -> None:
        """Open a dialog around the matrix or the rule."""

    def open_study(self, key: str) -> None:
        """Open a study of page Compare."""

    def turn_into_chances(self) -> None:
        """Turn a model's scores into chances."""

    def open_palette(self) -> object:
        """Open the command palette."""

    def show_about(self) -> None:
        """Tell version and licences."""

    def show_log_folder(self) -> None:
        """Open the folder of the log."""

    def choose_theme(self, choice: str) -> None:
        """Set light, dark or the desktop's colours."""

    def toggle_full_screen(self) -> None:
        """Fill the screen, or go back."""

    def go_to_best_depth(self) -> None:
        """Put the cursor where profit is best."""

    def explain(self) -> None:
        """Open "what is this?" for what has the focus."""

    def close_window(self) -> None:
        """End the program."""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. ``reason`` gives why it cannot be used now, or an empty text."""

    key: str
    text: str
    menu: str
    run: Callable[[Frame], object]
    shortcut: str = ""
    icon: str = ""
    reason: Callable[[Workspace], str] = lambda workspace: ""
    group: int = 0
    is_shown: bool = True  # False: palette and shortcut only


NO_DATA = str(QT_TRANSLATE_NOOP("Actions", "Open data or a project first."))
NO_DECISIONS = str(
    QT_TRANSLATE_NOOP("Actions", "Name the outcome and what each decision earns first.")
)
NO_CARRIED = str(
    QT_TRANSLATE_NOOP("Actions", "The file has no columns named D_, EP_ ... and the outcome.")
)
NO_MODELS = str(
    QT_TRANSLATE_NOOP("Actions", "Name an outcome with classes and a model's scores first.")
)
NOTHING_TO_UNDO = str(QT_TRANSLATE_NOOP("Actions", "Nothing to undo."))
NOTHING_TO_REDO = str(QT_TRANSLATE_NOOP("Actions", "Nothing to redo."))


def needs_data(workspace: Workspace) -> str:
    """Why an action on data cannot be used."""
    return "" if workspace.document.data is not None else NO_DATA


def needs_matrix(workspace: Workspace) -> str:
    """Why an action on the matrix cannot be used."""
    has_matrix = workspace.document.matrix is not None
    return needs_data(workspace) or ("" if has_matrix else NO_DECISIONS)


def needs_decisions(workspace: Workspace) -> str:
    """Why an action on decisions cannot be used."""
    return needs_data(workspace) or ("" if workspace.decisions is not None else NO_DECISIONS)


def needs_carried(workspace: Workspace) -> str:
    """Why there are no decisions in the file to compare with."""
    data, target = workspace.document.data, workspace.document.target
    if data is None or target is None or not carried_columns(data.columns, target.column):
        return NO_CARRIED
    return needs_decisions(workspace)


def needs_models(workspace: Workspace) -> str:
    """Why an action on a model's scores cannot be used."""
    document = workspace.document
    is_ready = document.target is not None and bool(document.target.levels and document.models)
    return needs_data(workspace) or ("" if is_ready else NO_MODELS)


def needs_undo(workspace: Workspace) -> str:
    """Why undo cannot be used."""
    return "" if workspace.history.undo_label is not None else NOTHING_TO_UNDO


def needs_redo(workspace: Workspace) -> str:
    """Why redo cannot be used."""
    return "" if workspace.history.redo_label is not None else NOTHING_TO_REDO


MENUS: tuple[tuple[str, str], ...] = (
    ("file", str(QT_TRANSLATE_NOOP("Actions", "&File"))),
    ("edit", str(QT_TRANSLATE_NOOP("Actions", "&Edit"))),
    ("view", str(QT_TRANSLATE_NOOP("Actions", "&View"))),
    ("data", str(QT_TRANSLATE_NOOP("Actions", "&Data"))),
    ("decisions", str(QT_TRANSLATE_NOOP("Actions", "De&cisions"))),
    ("help", str(QT_TRANSLATE_NOOP("Actions", "&Help"))),
)


def _pin(frame: Frame) -> None:
    workspace = frame.workspace
    workspace.set_pinned(None if workspace.pinned_depth is not None else workspace.cursor_depth)


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec(
        "open_data",
        str(QT_TRANSLATE_NOOP("Actions", "Open data…")),
        "file",
        lambda frame: frame.choose_data(),
        "Ctrl+O",
        "folder-open",
    ),
    ActionSpec(
        "paste_data",
        str(QT_TRANSLATE_NOOP("Actions", "Paste data")),
        "file",
        lambda frame: frame.paste_data(),
        "Ctrl+Shift+V",
        "import",
    ),
    ActionSpec(
        "open_project",
        str(QT_TRANSLATE_NOOP("Actions", "Open project…")),
        "file",
        lambda frame: frame.choose_project(),
        "Ctrl+Shift+O",
        "project",
    ),
    ActionSpec(
        "save",
        str(QT_TRANSLATE_NOOP("Actions", "Save project")),
        "file",
        lambda frame: frame.save(),
        "Ctrl+S",
        "save",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "export_data",
        str(QT_TRANSLATE_NOOP("Actions", "Export data…")),
        "file",
        lambda frame: frame.export_data(),
        "",
        "export",
        needs_data,
        group=2,
    ),
    ActionSpec(
        "save_as",
        str(QT_TRANSLATE_NOOP("Actions", "Save project as…")),
        "file",
        lambda frame: frame.save_as(),
        "Ctrl+Shift+S",
        "",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "quit",
        str(QT_TRANSLATE_NOOP("Actions", "Quit")),
        "file",
        lambda frame: frame.close_window(),
        "Ctrl+Q",
        group=9,
    ),
    ActionSpec(
        "undo",
        str(QT_TRANSLATE_NOOP("Actions", "Undo")),
        "edit",
        lambda frame: frame.workspace.undo(),
        "Ctrl+Z",
        "undo",
        needs_undo,
    ),
    ActionSpec(
        "redo",
        str(QT_TRANSLATE_NOOP("Actions", "Redo")),
        "edit",
        lambda frame: frame.workspace.redo(),
        "Ctrl+Shift+Z",
        "redo",
        needs_redo,
    ),
    ActionSpec(
        "rename",
        str(QT_TRANSLATE_NOOP("Actions", "Rename project…")),
        "edit",
        lambda frame: frame.rename_project(),
        "",
        "edit",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "palette",
        str(QT_TRANSLATE_NOOP("Actions", "Search or run a command")),
        "edit",
        lambda frame: frame.open_palette(),
        "Ctrl+K",
        "search",
        group=2,
    ),
    ActionSpec(
        "home",
        str(QT_TRANSLATE_NOOP("Actions", "Home")),
        "view",
        lambda frame: frame.show_page("home"),
        "Ctrl+1",
        "home",
    ),
    ActionSpec(
        "data",
        str(QT_TRANSLATE_NOOP("Actions", "Data")),
        "view",
        lambda frame: frame.show_page("data"),
        "Ctrl+2",
        "data",
        needs_data,
    ),
    ActionSpec(
        "models",
        str(QT_TRANSLATE_NOOP("Actions", "Models")),
        "view",
        lambda frame: frame.show_page("models"),
        "Ctrl+5",
        "models",
        needs_data,
    ),
    ActionSpec(
        "compare",
        str(QT_TRANSLATE_NOOP("Actions", "Compare")),
        "view",
        lambda frame: frame.show_page("compare"),
        "Ctrl+3",
        "compare",
        needs_data,
    ),
    ActionSpec(
        "decide",
        str(QT_TRANSLATE_NOOP("Actions", "Decide")),
        "view",
        lambda frame: frame.show_page("decide"),
        "Ctrl+4",
        "decide",
        needs_data,
    ),
    ActionSpec(
        "explain_model",
        str(QT_TRANSLATE_NOOP("Actions", "Explain")),
        "view",
        lambda frame: frame.show_page("explain"),
        "Ctrl+6",
        "explain",
        needs_data,
    ),
    ActionSpec(
        "theme_light",
        str(QT_TRANSLATE_NOOP("Actions", "Light colours")),
        "view",
        lambda frame: frame.choose_theme("light"),
        "",
        "sun",
        group=1,
    ),
    ActionSpec(
        "theme_dark",
        str(QT_TRANSLATE_NOOP("Actions", "Dark colours")),
        "view",
        lambda frame: frame.choose_theme("dark"),
        "",
        "moon",
        group=1,
    ),
    ActionSpec(
        "theme_system",
        str(QT_TRANSLATE_NOOP("Actions", "Colours of the desktop")),
        "view",
        lambda frame: frame.choose_theme("system"),
        "",
        "screen",
        group=1,
    ),
    ActionSpec(
        "full_screen",
        str(QT_TRANSLATE_NOOP("Actions", "Full screen")),
        "view",
        lambda frame: frame.toggle_full_screen(),
        "F11",
        "expand",
        group=2,
    ),
    ActionSpec(
        "read_again",
        str(QT_TRANSLATE_NOOP("Actions", "Change how the file is read…")),
        "data",
        lambda frame: frame.read_again(),
        "",
        "settings",
        needs_data,
    ),
    ActionSpec(
        "add_columns",
        str(QT_TRANSLATE_NOOP("Actions", "Add columns from another file…")),
        "data",
        lambda frame: frame.open_dialog("add_columns"),
        "",
        "columns",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "add_rows",
        str(QT_TRANSLATE_NOOP("Actions", "Add training, validation or test files…")),
        "data",
        lambda frame: frame.open_dialog("add_rows"),
        "",
        "rows",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "derive_column",
        str(QT_TRANSLATE_NOOP("Actions", "Derive a column…")),
        "data",
        lambda frame: frame.open_dialog("derive_column"),
        "",
        "plus",
        needs_data,
        group=1,
    ),
    ActionSpec(
        "overlap",
        str(QT_TRANSLATE_NOOP("Actions", "Rows that train and test have in common…")),
        "data",
        lambda frame: frame.open_dialog("overlap"),
        "",
        "compare",
        needs_data,
        group=2,
    ),
    ActionSpec(
        "cursor_rule",
        str(QT_TRANSLATE_NOOP("Actions", "Cursor to the rule")),
        "decisions",
        lambda frame: frame.workspace.move_cursor(None),
        "Ctrl+R",
        "decide",
        needs_decisions,
    ),
    ActionSpec(
        "cursor_best",
        str(QT_TRANSLATE_NOOP("Actions", "Cursor to the best depth")),
        "decisions",
        lambda frame: frame.go_to_best_depth(),
        "Ctrl+B",
        "target",
        needs_decisions,
    ),
    ActionSpec(
        "pin",
        str(QT_TRANSLATE_NOOP("Actions", "Pin cursor")),
        "decisions",
        _pin,
        "Ctrl+P",
        "pin",
        needs_decisions,
    ),
    ActionSpec(
        "save_decisions",
        str(QT_TRANSLATE_NOOP("Actions", "Save decisions…")),
        "decisions",
        lambda frame: frame.save_decisions(),
        "Ctrl+E",
        "export",
        needs_decisions,
        group=1,
    ),
    ActionSpec(
        "apply",
        str(QT_TRANSLATE_NOOP("Actions", "Apply this rule to another file…")),
        "decisions",
        lambda frame: frame.apply_to_file(),
        "",
        "import",
        needs_decisions,
        group=1,
    ),
    ActionSpec(
        "hand_over_rule",
        str(QT_TRANSLATE_NOOP("Actions", "Hand over the rule…")),
        "decisions",
        lambda frame: frame.open_dialog("hand_over_rule"),
        "",
        "export",
        needs_decisions,
        group=1,
    ),
    ActionSpec(
        "reconcile",
        str(QT_TRANSLATE_NOOP("Actions", "Compare with decisions in the file…")),
        "decisions",
        lambda frame: frame.open_dialog("reconcile"),
        "",
        "compare",
        needs_carried,
        group=1,
    ),
    ActionSpec(
        "import_matrix",
        str(QT_TRANSLATE_NOOP("Actions", "Import matrix…")),
        "decisions",
        lambda frame: frame.open_dialog("import_matrix"),
        "",
        "import",
        needs_matrix,
        group=2,
    ),
    ActionSpec(
        "export_matrix",
        str(QT_TRANSLATE_NOOP("Actions", "Export matrix…")),
        "decisions",
        lambda frame: frame.open_dialog("export_matrix"),
        "",
        "export",
        needs_decisions,
        group=2,
    ),
    ActionSpec(
        "chances",
        str(QT_TRANSLATE_NOOP("Actions", "Turn scores into chances…")),
        "decisions",
        lambda frame: frame.turn_into_chances(),
        "",
        "",
        needs_models,
        group=1,
    ),
    ActionSpec(
        "explain",
        str(QT_TRANSLATE_NOOP("Actions", "What is this?")),
        "help",
        lambda frame: frame.explain(),
        "F1",
        "help",
    ),
    ActionSpec(
        "log_folder",
        str(QT_TRANSLATE_NOOP("Actions", "Show the log")),
        "help",
        lambda frame: frame.show_log_folder(),
        "",
        "file",
        group=1,
    ),
    ActionSpec(
        "about",
        str(QT_TRANSLATE_NOOP("Actions", "About Payoff")),
        "help",
        lambda frame: frame.show_about(),
        "",
        "info",
        group=1,
    ),
)
