"""What an action is, and what it may ask of the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from gui.workspace import Workspace

if TYPE_CHECKING:
    from gui.frame.file_flow import FileFlow
    from gui.frame.table_exports import TableExports


class Frame(Protocol):
    """What an action may ask of the window."""

    workspace: Workspace
    files: FileFlow
    table_exports: TableExports

    def show_page(self, key: str) -> None:
        """Bring a page to the front."""

    def open_dialog(self, key: str) -> None:
        """Open a dialog by its key in ``gui.dialogs.by_key``."""

    def open_study(self, key: str) -> None:
        """Open a study of page Compare."""

    def open_palette(self) -> object:
        """Open the command palette."""

    def choose_theme(self, choice: str) -> None:
        """Set light, dark or the desktop's colours."""

    def toggle_full_screen(self) -> None:
        """Fill the screen, or go back."""

    def explain(self) -> None:
        """Open "what is this?" for what has the focus."""

    def close_window(self) -> None:
        """Close the window, and with it the program."""


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
