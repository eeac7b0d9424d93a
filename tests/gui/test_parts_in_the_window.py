"""A folder of parts in the window: its ways in, what page Data offers, what is not asked of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog

from core.document.data.model import PARTS, ReaderSettings
from core.document.decisions.commands import SetPriors
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from core.questions.decide import AtDepth, Resamples, Totals, WhatIf
from core.questions.lanes import Lane
from core.questions.uplift import Arms
from gui.pages.data.widget import DataPage
from tests.core.scale.parts import write_parts
from tests.core.scale.projects import loaded, project
from tests.helpers.answers.synthetic import make_decisions, make_reading
from tests.helpers.factories.loaded_file import make_preview, make_summary
from tests.helpers.harness import UpliftHarness


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "scored"
    made.mkdir()
    return made


def in_parts(summary, path):
    """The summary of a folder of seven parts."""
    reader = ReaderSettings(format=PARTS)
    data = replace(summary.data, path=path, reader=reader, rows=9_000_000)
    return replace(summary, data=data, parts=7)


def test_a_dropped_folder_is_read_in_pieces(window, engine, folder):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    button, key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, button, key))
    asked = engine.last("load").arguments
    assert (asked.path, asked.reader.format) == (str(folder), PARTS)


def test_the_menu_asks_for_a_folder(window, engine, folder, qtbot):
    window.actions_by_key["open_parts"].trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    dialog.fileSelected.emit(str(folder))
    assert engine.last("load").arguments.path == str(folder)
    with qtbot.waitSignal(dialog.destroyed, timeout=2000):
        dialog.reject()


def test_a_file_beyond_memory_is_offered_in_pieces(window, engine, folder, qtbot):
    path = folder / "large.parquet"
    path.write_bytes(b"PAR1")
    dialog = window.files.import_file(str(path))
    dialog.show_preview(replace(make_preview(path.name), memory_free_bytes=1 << 40))
    assert not dialog.pieces.isVisible()
    dialog.show_preview(replace(make_preview(path.name), memory_free_bytes=1_000_000))
    assert dialog.pieces.isVisible()
    dialog.pieces.click()
    asked = engine.last("load").arguments
    assert (asked.path, asked.reader.format) == (str(path), PARTS)
    text = folder / "large.csv"
    text.write_text("x")
    dialog = window.files.import_file(str(text))
    dialog.show_preview(replace(make_preview(text.name), memory_free_bytes=1_000_000))
    assert not dialog.pieces.isVisible()  # text is read whole: parts of it are for a folder
    dialog.reject()


def test_page_data_says_parts_and_offers_what_fits(session, engine, folder, qtbot):
    page = DataPage(session)
    qtbot.addWidget(page)
    job = session.files.open_data(str(folder), ReaderSettings(format=PARTS))
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, in_parts(make_summary(), str(folder)))
    assert "in 7 parts" in page.facts.text()
    assert not page.adding.isEnabled()
    assert "read in pieces" in page.adding.toolTip()
    assert page.again.text() == "Read again"
    job = session.files.open_data("/data/mail.csv")
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, make_summary())
    assert "parts" not in page.facts.text()
    assert page.adding.isEnabled()


def test_totals_of_parts_are_long_work(session, engine, folder, qtbot):
    def answer(kind, result):
        with qtbot.waitSignal(session.jobs.job_ended, timeout=2000):
            engine.answer(engine.last(kind).job, result)

    session.files.open_data(str(folder), ReaderSettings(format=PARTS))
    answer("load", in_parts(make_summary(), str(folder)))
    qtbot.waitUntil(lambda: bool(engine.of_kind("decide.totals")))
    first = engine.last("decide.totals")
    assert first.lane is Lane.LONG
    assert session.jobs.entries[first.job].title == "Totals"
    answer("decide.totals", make_decisions())
    answer("decide.at_depth", make_reading(session.results.cursor_depth))
    assert engine.last("decide.at_depth").lane is Lane.QUICK
    depths = len(engine.of_kind("decide.at_depth"))
    for place in (2, 3):  # a newer question takes the former read back
        session.project.execute(SetPriors(priors=(("1", place / 10), ("0", 1 - place / 10))))
        assert len(engine.of_kind("decide.totals")) == place
    assert engine.of_kind("decide.totals")[1].job in engine.cancelled
    session.results.move_cursor(0.4)  # nor does a depth wait in the lane of short questions
    assert len(engine.of_kind("decide.at_depth")) == depths
    answer("decide.totals", make_decisions())
    assert len(engine.of_kind("decide.at_depth")) == depths + 1


def test_page_uplift_shows_what_parts_give(session, engine, qtbot, folder):
    real = LocalEngine(EngineOptions(safe_mode=True))
    path = write_parts(experiment(), folder / "parts", 3)
    summary = loaded(real, path)
    harness = UpliftHarness(session, engine, qtbot, real, project(summary), summary)
    harness.answer()
    page = harness.page
    assert page.guard.headline.text() == page.result.guard.headline
    assert "each column's balance" in page.result.guard.advice
    assert "checks of the split against columns" in page.notes.text()
    assert page.variants.table.model().rowCount() == 8
    assert "Treat" in page.action.panel.sentences[0].text()
    assert not page.save.isEnabled()
    assert "read in pieces" in page.save.toolTip()
    slices = harness.ask_tab("slices", "uplift.slices")
    assert slices.rowCount() >= 10
    refusal = str(Arms.why_not(session.project.document))
    page.variants.show_tab("arms")
    qtbot.waitUntil(lambda: bool(engine.of_kind("uplift.arms")))
    engine.fail(engine.last("uplift.arms").job, Arms.why_not(session.project.document))
    qtbot.waitUntil(lambda: page.variants.answer.text() == refusal)


def experiment():
    """Cases of two arms with a score, more than are held as one table."""
    random = np.random.default_rng(11)
    score, arm = random.standard_normal(263_000), random.random(263_000) < 0.5
    event = random.random(263_000) < 0.2 + 0.05 * np.tanh(score) * arm
    return pa.table(
        {
            "bought": np.where(event, "yes", "no"),
            "treatment": np.where(arm, "mail", "no mail"),
            "uplift_score": np.round(score, 3),
        }
    )


def test_questions_of_all_cases_say_why_they_are_not_asked(session, engine, folder, qtbot):
    job = session.files.open_data(str(folder), ReaderSettings(format=PARTS))
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, in_parts(make_summary(), str(folder)))
    document = session.project.document
    for asked in (Totals, AtDepth):
        assert asked.why_not(document) is None
    for refused in (WhatIf, Resamples):
        assert "all cases at once" in str(refused.why_not(document))
