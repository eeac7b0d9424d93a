"""A decision workbook read back in the window: its changes are listed, its numbers taken over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.document.studies.decision_files import DecisionChange, NumberChange, WorkbookChanges
from core.questions.decide import Workbook
from gui.pages.decide.dialogs.read_workbook import ReadWorkbookDialog
from payoff import PayoffError
from tests.helpers.harness import DecideHarness


def answer_of(harness: DecideHarness, path: Path) -> WorkbookChanges:
    matrix = harness.document.matrix
    assert matrix is not None
    number = NumberChange(
        level=matrix.levels[0], decision=matrix.decisions[0], before=1.0, after=7.25
    )
    moved = DecisionChange(case="3", row=4, before="a", after="b", by_hand=True)
    return WorkbookChanges(
        path=str(path),
        cases=200,
        numbers=(number,),
        others=(),
        decisions=(moved,),
        changed_inputs=(),
        added=(),
        removed=("9",),
        is_stale=False,
        resolved=tuple(tuple(map(float, row)) for row in matrix.cells) if matrix.cells else (),
    )


def test_changes_are_listed_and_taken_over(
    harness: DecideHarness, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "decide.xlsx"
    path.write_bytes(b"PK")
    assert harness.engine is not None
    harness.engine.answers["decide.workbook"] = lambda requested: answer_of(harness, path)
    dialog = ReadWorkbookDialog(harness.session, harness.page)
    assert not dialog.take_button.isEnabled()
    assert dialog.file.note.text() == "There is no such file."
    with qtbot.waitSignal(harness.queue.job_ended):
        dialog.file.set_text(str(path))
    assert dialog.answer is not None
    assert dialog.take_button.isEnabled()
    before = harness.document.matrix
    dialog.accept()
    after = harness.document.matrix
    assert after is not None
    assert after.cells[0][0] == 7.25
    harness.session.project.undo()
    assert harness.document.matrix == before


def test_however_much_was_changed_the_dialog_stays_on_the_screen(
    harness: DecideHarness, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "decide.xlsx"
    path.write_bytes(b"PK")
    answer = answer_of(harness, path)
    answer = replace(answer, decisions=answer.decisions * 200, numbers=answer.numbers * 40)
    assert harness.engine is not None
    harness.engine.answers["decide.workbook"] = lambda requested: answer
    dialog = ReadWorkbookDialog(harness.session, harness.page)
    dialog.show()
    low = dialog.screen().availableGeometry().bottom() - dialog.height()
    dialog.move(0, low)  # it may stand anywhere when it grows
    with qtbot.waitSignal(harness.queue.job_ended):
        dialog.file.set_text(str(path))
    qtbot.waitUntil(lambda: dialog.y() < low)
    assert dialog.screen().availableGeometry().contains(dialog.frameGeometry())
    dialog.close()


def test_a_workbook_that_is_none_says_why(
    harness: DecideHarness, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "other.xlsx"
    path.write_bytes(b"PK")

    def refuse(requested: Workbook) -> WorkbookChanges:
        raise PayoffError("This is no decision workbook that can be read back.", where=str(path))

    assert harness.engine is not None
    harness.engine.answers["decide.workbook"] = refuse
    dialog = ReadWorkbookDialog(harness.session, harness.page)
    with qtbot.waitSignal(harness.queue.job_ended):
        dialog.file.set_text(str(path))
    assert dialog.answer is None
    assert not dialog.take_button.isEnabled()
