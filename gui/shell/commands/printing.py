"""Printing the report: as the PDF that it exports, in the system's own viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from core.settings import state_folder
from gui.session.project import STEP_REFUSED
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from gui.session.session import Session

FOLDER = "printed"


def print_report(session: Session) -> None:
    """Write the report as a PDF file and open it where the system shows such files.

    Viewers have every printer, paper and page range; a dialog of our own would have fewer.
    """
    from gui.pages.report.files import write_report

    folder = state_folder() / FOLDER
    path = folder / "report.pdf"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_report(session.report.text(), str(path))
    except OSError as reason:
        session.project.post(
            PayoffError("The report could not be printed.", where=str(path), why=f"{reason}.")
        )
        return
    except PayoffError as refusal:
        session.project.post(refusal, about=STEP_REFUSED)
        return
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        session.project.post(
            "The report is shown by the system's viewer of PDF files: print it there."
        )
        return
    session.project.post(
        PayoffError(
            "No program for PDF files was found.",
            where=str(path),
            remedy="Export the report on page Report, and print it from another computer.",
        )
    )
