"""What an action is, and what it may ask of the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

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
