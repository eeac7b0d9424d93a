"""Writing who is to be treated to a file."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from core.document.results import SaveResult
from core.document.studies.data import EXPORT_KINDS
from core.document.studies.uplift import SaveUpliftArguments
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets.file_dialog import file_dialog
from payoff.counting import counted


def ask_where(parent: QWidget, session: Session, take: Callable[[str], object]) -> None:
    """Ask where decisions are to be written."""
    kinds = [f"{words} (*{ending})" for ending, words in EXPORT_KINDS]
    file_dialog(
        parent,
        "Save decisions",
        session.folder_to_write,
        take,
        kinds=kinds,
        saves_as=session.name_to_write("treated"),
    ).open()


def save_decisions(session: Session, subject: Document, model: str, path: str) -> None:
    """Let the engine write decisions: treated down to the cursor or, unmoved, to the best depth."""
    is_moved = session.project.document.cursor_depth is not None
    arguments = SaveUpliftArguments(
        document=subject,
        model=model,
        path=path,
        depth=session.results.cursor_depth if is_moved else None,
    )

    def tell(answer: SaveResult) -> None:
        described = "%s written to %s, with a record beside it."
        written = described % (counted(answer.rows, "row"), answer.path)
        session.project.post(" ".join((written, *answer.warnings)))

    Request(session, session.project).run(
        "save_uplift", arguments, SaveResult, title="Saving decisions", on_result=tell
    )
