"""A folder of parts in the window: its ways in, what page Data offers, what is not asked of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog

from core.document.data.model import PARTS, ReaderSettings
from core.questions.decide import AtDepth, Resamples, Totals, WhatIf
from gui.pages.data.widget import DataPage
from tests.helpers.factories.loaded_file import make_summary


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


def test_questions_of_all_cases_say_why_they_are_not_asked(session, engine, folder, qtbot):
    job = session.files.open_data(str(folder), ReaderSettings(format=PARTS))
    with qtbot.waitSignal(session.project.summary_changed, timeout=2000):
        engine.answer(job, in_parts(make_summary(), str(folder)))
    document = session.project.document
    for asked in (Totals, AtDepth):
        assert asked.why_not(document) is None
    for refused in (WhatIf, Resamples):
        assert "all cases at once" in str(refused.why_not(document))
