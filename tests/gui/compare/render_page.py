"""Pictures of page Compare from made-up results, to lay beside the pictures of the aim.

Run: python -m tests.gui.compare.render_page FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from gui.pages.compare.widget import ComparePage
from gui.theme import apply_theme
from tests.helpers.harness import make_session

SIZES = ((1440, 900), (1280, 720))
FRAME = (72, 98)  # the rail; menu, toolbar and jobs strip


def render(folder: Path) -> list[Path]:
    """Write the page in both themes and sizes; returns the files."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    page = ComparePage(make_session())
    page.setProperty("surface", "window")
    page.setAutoFillBackground(True)
    files = []
    for name in ("light", "dark"):
        apply_theme(application, name)
        for width, height in SIZES:
            page.resize(width - FRAME[0], height - FRAME[1])
            page.show()
            for _ in range(3):
                application.processEvents()
            path = folder / f"compare-{name}-{width}.png"
            page.grab().save(str(path))
            files.append(path)
    page.close()
    return files


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for file in render(target):
        print(file)
