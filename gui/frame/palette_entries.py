"""What the command palette finds: actions, columns of the data and recent projects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtGui import QAction, QKeySequence

from gui.actions import ACTIONS
from gui.frame.palette import PaletteEntry
from gui.theme import icon
from gui.workspace import Workspace

Go = Callable[[str], object]


def palette_entries(
    workspace: Workspace, actions: Mapping[str, QAction], show_column: Go, open_path: Go
) -> list[PaletteEntry]:
    """Everything that can be done or gone to now; what cannot be done says why."""
    data, store = workspace.document.data, workspace.settings
    columns = data.columns if data is not None else ()
    projects = store.settings.recent if store is not None else ()
    return [
        *_actions(workspace, actions),
        *(
            PaletteEntry(name, "column", partial(show_column, name), icon("columns"))
            for name in columns
        ),
        *(
            PaletteEntry(recent.name, "project", partial(open_path, recent.path), icon("project"))
            for recent in projects
        ),
    ]


def _actions(workspace: Workspace, actions: Mapping[str, QAction]) -> list[PaletteEntry]:
    entries = []
    for spec in ACTIONS:
        if spec.key == "palette":
            continue
        action = actions[spec.key]
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        reason = spec.reason(workspace)
        entries.append(
            PaletteEntry(
                action.text(), keys, action.trigger, action.icon(), reason, words=spec.menu
            )
        )
    return entries
