"""Writing who is to be treated to a file."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QWidget

from core.document.model import Document
from core.document.results import SaveResult
from core.document.studies.uplift import SaveUpliftArguments
from gui.session.request import Request
from gui.session.session import Session
from payoff.counting import counted


def ask_path(parent: QWidget, folder: str) -> str:
    """Ask where decisions are to be written; empty where the user turned away."""
    kinds = "CSV (*.csv);;Parquet (*.parquet);;Excel (*.xlsx)"
    path, _kind = QFileDialog.getSaveFileName(parent, "Save decisions", folder, kinds)
    return path


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
