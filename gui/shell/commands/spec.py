"""What an action is, and what it may ask of the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from gui.session.session import Session
from gui.shell.commands.needs import needs_nothing, needs_question
from gui.shell.page_list import PageId

if TYPE_CHECKING:
    from core.presentation.known_figures import KnownFigure
    from gui.shell.commands.table_exports import TableExports
    from gui.shell.file_flow import FileFlow


class Frame(Protocol):
    """What an action may ask of the window."""

    session: Session
    files: FileFlow
    table_exports: TableExports

    @property
    def current_page(self) -> PageId:
        """The page in front."""

    def show_page(self, key: PageId) -> None:
        """Bring a page to the front."""

    def show_part(self, page: PageId, part: str = "") -> None:
        """Bring a page to the front, and a tab or a study of it."""

    def show_column(self, column: str) -> None:
        """Go to a column on page Data."""

    def open_dialog(self, key: str) -> None:
        """Open a dialog by its key in ``gui.shell.dialogs.by_key``."""

    def known_figures(self) -> tuple[KnownFigure, ...]:
        """Figures that pages show beside the project's metrics and money."""

    def open_recent(self, project: str) -> None:
        """Open a recent project, or ask where its file has gone."""

    def open_path(self, path: str) -> None:
        """Open a project or data."""

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
    """One action. ``reason`` gives why it cannot be used now, or an empty text; that of an action
    which ``asks`` a question is the question's own.
    """

    key: str
    text: str
    menu: str
    run: Callable[[Frame], object]
    shortcut: str = ""
    icon: str = ""
    reason: Callable[[Session], str] = needs_nothing
    group: int = 0
    is_shown: bool = True  # False: palette and shortcut only
    asks: str = ""  # the key of the question that it opens
    other_shortcut: str = ""  # where other programs have another one

    def why_not(self, session: Session) -> str:
        """Return why it cannot be used now; of a question, what the project lacks."""
        return needs_question(self.asks, session) if self.asks else self.reason(session)
