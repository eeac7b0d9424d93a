"""Pictures of the window "Survival over time" from made-up results, in both themes.

Run: python -m tests.gui.compare.render_survival FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from gui.pages.compare.dialogs.studies import SurvivalDialog
from gui.session import JobQueue
from gui.theme import apply_theme
from tests.gui.compare.survival import made_document
from tests.helpers.answers.compare import survival_result
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.harness import make_session

SIZES = ((960, 700), (860, 560))


def render(folder: Path) -> None:
    """Write the window in both themes and two sizes."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    engine = FakeEngine()
    session = make_session(document=made_document(), jobs=JobQueue(engine.listen))
    session.jobs.start()
    for name in ("light", "dark"):
        apply_theme(application, name)
        dialog = SurvivalDialog(session)
        dialog.show()
        application.processEvents()
        engine.answer(engine.last("compare.survival").job, survival_result())
        for width, height in SIZES:
            dialog.resize(width, height)
            for _ in range(4):
                application.processEvents()
            dialog.grab().save(str(folder / f"survival-{name}-{width}.png"))
        dialog.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    render(target)
