"""Printing the report, or the board page: as a PDF file in the system's own viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from core.settings import state_folder
from gui.session.project import STEP_REFUSED
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.presentation.report.page import ReportText
    from gui.session.session import Session

FOLDER = "printed"


def print_report(session: Session) -> None:
    """Write the report as a PDF file and open it where the system shows such files.

    Viewers have every printer, paper and page range; a dialog of our own would have fewer.
    """
    _print(session, session.report.text(), "report", ("pdf",))


def print_board(session: Session) -> None:
    """Make the board page, as PDF and HTML, and open it; it waits for figures under way."""
    waiting = session.findChild(BoardPage) or BoardPage(session)
    waiting.wanted = True
    waiting.make()


class BoardPage(QObject):
    """One page that is made as soon as the answers to it are there."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.wanted = False
        for signal in (
            session.report.changed,
            session.results.decisions_changed,
            session.results.evaluation_changed,
        ):
            signal.connect(self.make)
        session.project.data_changed.connect(self._leave)

    def make(self) -> None:
        """Print it now, or once what it needs has been worked out."""
        if not self.wanted:
            return
        from core.document.report.commands import BOARD
        from gui.pages.report.known import NotAnsweredError

        self.wanted = False
        try:
            text = self._session.report.own_page(BOARD)
        except NotAnsweredError:
            words = "The board page opens once its figures are there."
            self._session.project.post(words, about=WAITING)
            self._session.report.ask(BOARD)
            self.wanted = True
        except PayoffError as refusal:
            self._session.project.post(refusal, about=STEP_REFUSED)
        else:
            self._session.project.withdraw(WAITING)
            _print(self._session, text, "board", ("html", "pdf"))

    def _leave(self) -> None:
        """Other data were opened: nobody waits for a page of the former ones."""
        self.wanted = False


WAITING = "board page"


def _print(session: Session, text: ReportText, name: str, kinds: tuple[str, ...]) -> None:
    """Write a text in some formats and open the last of them."""
    from gui.pages.report.files import write_report

    folder = state_folder() / FOLDER
    path = folder / f"{name}.{kinds[-1]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind in kinds:
            write_report(text, str(path.with_suffix(f".{kind}")))
    except OSError as reason:
        session.project.post(
            PayoffError(
                f"The {_NAMES[name]} could not be printed.", where=str(path), why=f"{reason}."
            )
        )
        return
    except PayoffError as refusal:
        session.project.post(refusal, about=STEP_REFUSED)
        return
    beside = f" {path.with_suffix('.html')} is the same page for a browser." * (len(kinds) > 1)
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        session.project.post(
            f"The {_NAMES[name]} is shown by the system's viewer of PDF files: print it "
            f"there.{beside}"
        )
        return
    session.project.post(
        PayoffError(
            "No program for PDF files was found.",
            where=str(path),
            remedy="Export the report on page Report, and print it from another computer."
            if len(kinds) == 1
            else f"Print it from another computer.{beside}",
        )
    )


_NAMES = {"report": "report", "board": "board page"}
