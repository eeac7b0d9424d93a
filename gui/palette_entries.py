"""What the command palette finds: actions, columns of the data and recent projects."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from gui.actions import ACTIONS
from gui.frame.palette import PaletteEntry
from gui.theme import icon

if TYPE_CHECKING:
    from gui.main_window import MainWindow


def palette_entries(window: MainWindow) -> list[PaletteEntry]:
    """Everything that can be done or gone to now; what cannot be done says why."""
    return [*_actions(window), *_columns(window), *_projects(window)]


def _actions(window: MainWindow) -> list[PaletteEntry]:
    entries = []
    for spec in ACTIONS:
        if spec.key == "palette":
            continue
        action = window.actions_by_key[spec.key]
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        reason = window.words(spec.reason(window.workspace))
        entries.append(
            PaletteEntry(
                action.text(), keys, action.trigger, action.icon(), reason, words=spec.menu
            )
        )
    return entries


def _columns(window: MainWindow) -> list[PaletteEntry]:
    data = window.workspace.document.data
    kind, sign = "column", icon("columns")
    return [
        PaletteEntry(name, kind, partial(window.show_column, name), sign)
        for name in (data.columns if data is not None else ())
    ]


def _projects(window: MainWindow) -> list[PaletteEntry]:
    store = window.workspace.settings
    kind, sign = "project", icon("project")
    return [
        PaletteEntry(recent.name, kind, partial(window.files.open_path, recent.path), sign)
        for recent in (store.settings.recent if store is not None else ())
    ]
