"""Copy as Python: the project, or what a page answers, as a script on the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from payoff.counting import counted
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from gui.session.session import Session


def copy_as_python(session: Session, page: str = "", question: object | None = None) -> bool:
    """Put the script of the project on the clipboard, and say what was copied.

    Parameters
    ----------
    session : Session
    page : str
        Whose answer the script asks for at its end; empty: those of all pages.
    question : record, optional
        What it asks in their place.

    Returns
    -------
    bool
        False where there is no such script; why, is posted.
    """
    from core.document.scripts.script import script_of

    try:
        script = script_of(
            session.project.document, question, page=page, project=session.files.project_path
        )
    except PayoffError as refusal:
        session.project.post(refusal)
        return False
    QGuiApplication.clipboard().setText(script.text)
    words = "Copied as Python: %s that make this project from its data."
    described = words % counted(len(script.text.splitlines()), "line")
    session.project.post(" ".join((described, *(f"Note: {note}" for note in script.notes))))
    return True
