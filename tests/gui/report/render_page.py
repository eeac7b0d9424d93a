"""Pictures of page Report from made-up results, its HTML and its PDF.

Run: python -m tests.gui.report.render_page FOLDER
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from core.document.report.commands import WriteOnReport
from gui.pages.compare.widget import ComparePage
from gui.pages.decide.widget import DecidePage
from gui.pages.report.widget import ReportPage
from gui.theme import apply_theme
from tests.helpers.harness import make_session

SIZES = ((1440, 900), (1280, 720))
FRAME = (72, 98)  # the rail; menu, toolbar and jobs strip
NOTE = "Mail the best eighth. Beyond it each letter costs more than it brings."


def _run(application: QApplication, seconds: float = 0.3) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        application.processEvents()


def render(folder: Path) -> list[Path]:
    """Write the page in both themes and sizes, then the report; returns the files."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    session = make_session()
    others = (ComparePage(session), DecidePage(session))
    _run(application)
    for kind in ("decide/total", "decide/profit", "metrics", "roc", "gains", "decide/totals"):
        session.report.put(kind)
    session.project.execute(
        WriteOnReport(kind="decide/profit", caption="How many letters pay?", note=NOTE)
    )
    page = ReportPage(session)
    page.setProperty("surface", "window")
    page.setAutoFillBackground(True)
    page.choose("decide/profit")
    files = []
    for name in ("light", "dark"):
        apply_theme(application, name)
        for width, height in SIZES:
            page.resize(width - FRAME[0], height - FRAME[1])
            page.show()
            _run(application)
            path = folder / f"report-{name}-{width}.png"
            page.grab().save(str(path))
            files.append(path)
    for ending in ("html", "pdf"):
        path = folder / f"report.{ending}"
        page.export(str(path))
        files.append(path)
    for shown in (page, *others):
        shown.close()
    return files


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for file in render(target):
        print(file)
