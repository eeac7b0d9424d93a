"""The import dialog: what was found and why, live preview, what the user overrules."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialogButtonBox

from core.document.model import ReaderSettings
from gui.dialogs.import_dialog import ImportDialog, rounded_estimate
from payoff.errors import PayoffError
from tests.gui.fakes import make_preview


@pytest.fixture
def dialog(workspace, engine, qtbot, tmp_path) -> ImportDialog:
    path = tmp_path / "scores.csv"
    path.write_text("x")
    made = ImportDialog(workspace, str(path), ReaderSettings())
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def previewed(dialog, engine, qtbot, workspace) -> ImportDialog:
    with qtbot.waitSignal(workspace.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, make_preview(dialog._path))
    return dialog


def test_load_waits_for_the_first_rows(dialog, engine):
    assert not dialog._load.isEnabled()
    assert dialog._load.toolTip()
    assert engine.last("preview").arguments.reader == ReaderSettings()


def test_findings_stand_with_their_reasons(previewed):
    assert previewed._combos["delimiter"].currentText() == "Found: Semicolon ;"
    assert previewed._reasons["delimiter"].text() == "41 of 41 lines have 3 fields"
    assert previewed._reasons["encoding"].text().startswith("not certain")
    assert previewed._combos["decimal"].currentText() == "Found: Comma 0,5"
    assert previewed._combos["has_header"].currentText() == "Found: Column names"


def test_rows_and_memory_are_promised_before_loading(previewed):
    assert "1,000,000 rows" in previewed._facts.text()
    assert "310\u00a0MB" in previewed._memory.text()
    assert previewed._model.rowCount() == 2
    assert previewed._model.headerData(1, _horizontal()) == "age\ninteger"
    assert previewed._load.isEnabled()


def _horizontal():
    from PySide6.QtCore import Qt

    return Qt.Orientation.Horizontal


def test_a_change_is_looked_at_again_after_a_pause(previewed, engine, qtbot):
    combo = previewed._combos["delimiter"]
    combo.setCurrentIndex(combo.findData("\t"))
    previewed._skip.setValue(2)
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    reader = engine.last("preview").arguments.reader
    assert (reader.delimiter, reader.skip_lines) == ("\t", 2)
    assert reader.decimal is None


def test_an_older_preview_is_not_shown(previewed, engine, qtbot, workspace):
    combo = previewed._combos["delimiter"]
    combo.setCurrentIndex(combo.findData(","))
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    first, second = (asked.job for asked in engine.of_kind("preview"))
    with qtbot.waitSignal(workspace.jobs.job_ended, timeout=2000):
        engine.answer(second, make_preview("x", delimiter=","))
    previewed.show_preview(make_preview("x", delimiter=","))
    assert previewed.reader().delimiter == ","
    assert first != second


def test_unreadable_settings_are_refused_in_the_dialog(previewed, engine, qtbot):
    combo = previewed._combos["encoding"]
    combo.setCurrentIndex(combo.findData("utf-16"))
    qtbot.waitUntil(lambda: len(engine.of_kind("preview")) == 2, timeout=2000)
    engine.fail(engine.last("preview").job, PayoffError("Not UTF-16.", where="byte 0"))
    qtbot.waitUntil(previewed._notice.isVisible, timeout=2000)
    assert "byte 0" in previewed._notice.text.text()
    assert not previewed._load.isEnabled()


def test_parquet_needs_no_settings(dialog):
    dialog.show_preview(make_preview("x.parquet", format="parquet"))
    assert not dialog._combos["delimiter"].isEnabled()
    assert "Parquet" in dialog._combos["delimiter"].toolTip()


def test_settings_of_a_file_that_is_open_are_kept(workspace, engine, qtbot, tmp_path):
    given = ReaderSettings(delimiter="§", decimal=",", has_header=False, skip_lines=3)
    made = ImportDialog(workspace, "/x.csv", given)
    qtbot.addWidget(made)
    assert made.wanted() == given


def test_load_hands_over_what_was_found(window, engine, qtbot, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("x")
    dialog = window.files.import_file(str(path))
    with qtbot.waitSignal(window.workspace.jobs.job_ended, timeout=2000):
        engine.answer(engine.last("preview").job, make_preview(str(path)))
    box = dialog.findChild(QDialogButtonBox)
    load = next(b for b in box.buttons() if b.text() == "Load")
    load.click()
    sent = engine.last("load").arguments
    assert sent.path == str(path)
    assert (sent.reader.delimiter, sent.reader.decimal) == (";", ",")


@pytest.mark.parametrize(
    ("rows", "said"), [(7, 7), (999, 999), (20_008, 20_000), (1_234_567, 1_230_000)]
)
def test_estimates_claim_three_figures(rows, said):
    assert rounded_estimate(rows) == said


def test_cancel_loads_nothing(window, engine, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("x")
    dialog = window.files.import_file(str(path))
    dialog.reject()
    assert engine.of_kind("load") == []
