"""Importing and exporting a matrix in the window: one undo step, axes said aloud."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.document.decisions.commands import SetMatrix
from core.document.decisions.formulas import plain
from core.document.decisions.matrix_model import MatrixKind
from core.document.studies.decision_files import (
    MatrixStyle,
    ReadMatrixArguments,
    Rows,
    WriteMatrixArguments,
)
from core.engine.context import JobContext
from core.engine.jobs.decide.rules import export_matrix, import_matrix
from core.script.session import engine
from gui.pages.decide.dialogs.export_matrix import ExportMatrixDialog
from gui.pages.decide.dialogs.import_matrix import ImportMatrixDialog
from tests.helpers.harness import DecideHarness


@pytest.fixture
def reading(harness: DecideHarness, qtbot: QtBot) -> ImportMatrixDialog:
    """The dialog, on an engine that really reads."""
    context = JobContext(engine().workbench)
    harness.engine.answers["read_matrix"] = lambda requested: import_matrix(requested, context)
    harness.engine.answers["write_matrix"] = lambda requested: export_matrix(requested, context)
    return ImportMatrixDialog(harness.session, harness.page)


def said(dialog: ImportMatrixDialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def choose(harness: DecideHarness, qtbot: QtBot, dialog: ImportMatrixDialog, path: Path) -> None:
    with qtbot.waitSignal(harness.queue.job_ended):
        dialog.file.set_text(str(path))


def test_a_matrix_comes_in_as_one_undo_step(
    harness: DecideHarness, reading: ImportMatrixDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "decdata.csv"
    path.write_text(
        "RESPOND,COUNT,TRAINPRIOR,DECPRIOR,Solicit,Call,Ignore\n"
        "1,2753,0.25,0.04,15,20,0\n0,8359,0.75,0.96,-1.5,-6,0\n"
    )
    before = harness.document
    choose(harness, qtbot, reading, path)
    assert "DOWN what really happens" in reading.axes.text()
    assert "4.0" in reading.priors.text()
    assert reading.preview.figures.content.columns[1:] == ("Solicit", "Call", "Ignore")
    assert "metadata" in said(reading)
    reading.accept()
    matrix = harness.document.matrix
    assert matrix is not None
    assert matrix.cells == ((15.0, 20.0, 0.0), (-1.5, -6.0, 0.0))
    assert (matrix.acting, matrix.do_nothing) == ("Solicit", "Ignore")
    assert harness.document.priors == (("1", 0.04), ("0", 0.96))
    harness.session.project.undo()
    assert harness.document == before


def test_priors_of_the_file_may_be_left(
    harness: DecideHarness, reading: ImportMatrixDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "decdata.csv"
    path.write_text("RESPOND,DECPRIOR,Mail,Ignore\n1,0.04,15,0\n0,0.96,-1.5,0\n")
    priors = harness.document.priors
    choose(harness, qtbot, reading, path)
    reading.priors.setChecked(False)
    reading.accept()
    assert harness.document.priors == priors


def test_a_swapped_file_is_doubted_and_can_be_turned(
    harness: DecideHarness, reading: ImportMatrixDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "cost.csv"
    path.write_text("cost,1,0\n1,0,7\n0,3,0\n")
    choose(harness, qtbot, reading, path)
    assert "may be swapped" in said(reading)
    assert reading.found is not None
    assert reading.found.matrix.cells == ((0.0, 7.0), (3.0, 0.0))
    with qtbot.waitSignal(harness.queue.job_ended):
        reading.swap.click()
    assert reading.arguments().rows is Rows.DECIDED
    assert "DOWN what is decided" in reading.axes.text()
    assert reading.found.matrix.cells == ((0.0, 3.0), (7.0, 0.0))
    assert reading.found.matrix.kind is MatrixKind.LOSS


def test_a_bad_cell_is_named_and_nothing_changes(
    harness: DecideHarness, reading: ImportMatrixDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("ACTUAL,Mail,Ignore\n1,24,0\n0,oops,0\n")
    choose(harness, qtbot, reading, path)
    for words in ("bad.csv", "line 3", "row 0", "column Mail", "oops"):
        assert words in said(reading)
    assert not reading.import_button.isEnabled()
    assert reading.command() is None
    reading.file.set_text(str(tmp_path / "none.csv"))
    assert "no such file" in said(reading)


def test_the_choices_reach_the_engine(
    harness: DecideHarness, reading: ImportMatrixDialog, tmp_path: Path
) -> None:
    reading.rows.setCurrentIndex(2)
    reading.kind.setCurrentIndex(2)
    reading.file.set_text("x.csv")
    assert reading.arguments() == ReadMatrixArguments(
        document=harness.document, path="x.csv", rows=Rows.DECIDED, kind=MatrixKind.LOSS
    )


def test_export_writes_what_import_reads(
    harness: DecideHarness, reading: ImportMatrixDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    before = harness.document.matrix
    assert before is not None
    harness.session.project.execute(SetMatrix(matrix=plain(before, before.cells)))
    dialog = ExportMatrixDialog(harness.session, harness.page)
    dialog.file.set_text(str(tmp_path / "m.csv"))
    dialog.styles[MatrixStyle.PREDICTED].click()
    assert dialog.arguments() == WriteMatrixArguments(
        document=harness.document, path=str(tmp_path / "m.csv"), style=MatrixStyle.PREDICTED
    )
    with qtbot.waitSignal(harness.session.project.message_posted) as posted:
        dialog.accept()
    assert "PREDICTED down, ACTUAL across" in str(posted.args[0])
    assert "PREDICTED down" in (tmp_path / "m.csv").read_text("utf-8")
    choose(harness, qtbot, reading, tmp_path / "m.csv")
    assert harness.document.matrix is not None
    assert reading.found is not None
    assert reading.found.matrix.cells == harness.document.matrix.cells
    assert reading.found.file.doubts == ()


def test_export_follows_the_form_and_says_what_is_wrong(
    harness: DecideHarness, tmp_path: Path
) -> None:
    dialog = ExportMatrixDialog(harness.session, harness.page)
    dialog.file.set_text(str(tmp_path / "m.csv"))
    dialog.styles[MatrixStyle.JSON].click()
    assert dialog.file.text().endswith("m.json")
    dialog.file.set_text(str(tmp_path / "nowhere" / "m.json"))
    assert "There is no folder" in dialog.file.note.text()
    assert not dialog.export_button.isEnabled()


def test_the_menu_of_the_card_leads_there(harness: DecideHarness, qtbot: QtBot) -> None:
    harness.page.earns.dialog_requested.disconnect(harness.page.open_dialog)  # nothing opens here
    menu = harness.page.earns.more_menu()
    texts = [action.text().replace("&", "") for action in menu.actions()]
    assert {"Import matrix…", "Export matrix…", "Weigh classes by inverse priors"} <= set(texts)
    place = texts.index("Import matrix…")
    with qtbot.waitSignal(harness.page.earns.dialog_requested) as requested:
        menu.actions()[place].trigger()
    assert requested.args == ["import_matrix"]


def test_inverse_priors_are_one_step(harness: DecideHarness) -> None:
    before = harness.document
    assert before.priors is not None
    shares = dict(before.priors)
    harness.page.earns.weigh_by_inverse_priors()
    matrix = harness.document.matrix
    assert matrix is not None
    assert matrix.decisions == ("responds", "does not respond")
    assert matrix.cells[0][0] == pytest.approx(1 / shares["1"], rel=1e-2)
    assert matrix.cells[0][1] == matrix.cells[1][0] == 0.0
    harness.session.project.undo()
    assert harness.document == before
