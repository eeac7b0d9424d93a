"""One journey through the real program: open, look, decide, save, open again.

The tests of this file are steps of one journey on one program and run in order.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from core.document.commands import DescribeProject
from core.document.data.model import ReaderSettings
from core.document.decisions.commands import SetParameter
from core.document.files.project import read_project
from core.document.model import Role
from core.engine.messages import JobState
from gui.theme import LIGHT
from tests.helpers.program import Program

OWN_ENGINE = True  # one that ends


def test_a_file_is_previewed_with_reasons(program: Program, sample: Path):
    dialog = program.window.files.import_file(str(sample.parent / "direct_mail.csv"))
    program.wait(dialog._load.isEnabled)
    assert "20,000 rows" in dialog._facts.text()
    assert dialog._settings.form.rows["delimiter"].note.text()
    assert dialog._model.rowCount() > 10
    dialog.accept()
    program.wait(lambda: program.session.project.summary is not None)
    assert program.window.current_page == "data"


def test_roles_are_guessed_with_reasons(program: Program):
    document = program.session.project.document
    assert document.column_of(Role.TARGET) == "responded"
    assert len(document.models) == 3
    assert all(entry.reason for entry in document.roles)


def test_rows_come_into_view(program: Program):
    page = program.window.pages["data"]
    program.wait(lambda: page.model.index(0, 0).data() != "")
    last = page.model.rowCount() - 1
    page.table.scrollToBottom()
    program.wait(lambda: page.model.index(last, 0).data() != "")
    assert page.model.loaded_pages < 20


def test_an_unreadable_file_keeps_everything(program: Program, tmp_path: Path):
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 this is not parquet PAR1")
    before = program.session.project.document
    jobs = program.run.jobs
    job = program.session.files.open_data(str(broken), ReaderSettings())
    program.wait(lambda: not jobs.entries[job].is_open)
    assert jobs.entries[job].state is JobState.FAILED
    assert "broken.parquet" in program.window.notice.text.text()
    assert program.session.project.document == before
    program.window.notice.dismiss()


def test_the_sample_project_is_computed(program: Program, sample: Path):
    program.run.session.project.history.mark_saved()
    program.window.files.open_path(str(sample))
    program.wait(lambda: program.session.results.decisions is not None)
    program.wait(lambda: program.session.results.evaluation is not None)
    program.settle()
    assert program.window.current_page == "decide"
    result = program.session.results.decisions
    assert len(result.models) == 3
    assert result.rule_threshold == pytest.approx(0.0625)


def test_the_cursor_is_read_exactly(program: Program):
    program.session.results.move_cursor(0.1, finished=True)
    program.wait(
        lambda: (
            program.session.results.reading is not None
            and program.session.results.reading.depth == 0.1
        )
    )
    assert list(program.session.results.reading.cases) == [2000, 2000, 2000]
    program.session.results.move_cursor(None)


def test_a_dearer_letter_moves_rule_and_total_and_undo_brings_them_back(program: Program):
    before = program.session.results.decisions
    program.session.project.execute(SetParameter(name="letter_cost", value=3.2))
    program.wait(lambda: program.session.results.decisions.rule_threshold == pytest.approx(0.125))
    dearer = program.session.results.decisions
    assert dearer.models[0].total.value < before.models[0].total.value
    program.window.actions_by_key["undo"].trigger()
    program.wait(lambda: program.session.results.decisions.rule_threshold == pytest.approx(0.0625))
    again = program.session.results.decisions
    assert again.models[0].total.value == before.models[0].total.value


def test_the_project_is_saved_and_opened_with_everything(program: Program):
    path = program.folder / "Spring mailing.payoff"
    program.session.project.execute(DescribeProject(name="Spring mailing"))
    program.settle()
    saved = program.session.project.document
    assert program.session.files.save_project(str(path))
    assert read_project(path).headline.best_model == "gbm 2"
    program.session.project.execute(DescribeProject(name="Something else"))
    program.session.project.history.mark_saved()
    program.window.files.open_path(str(path))
    program.wait(lambda: program.session.results.decisions is not None)
    assert program.session.project.document == saved


def test_home_shows_what_was_saved(program: Program):
    program.window.show_page("home")
    home = program.window.pages["home"]
    names = [home.recent.index(row, 1).data() for row in range(home.recent.rowCount())]
    assert "Spring mailing" in names
    assert home.continue_card.name.text() == "Spring mailing"


def test_every_page_is_painted_in_both_themes(program: Program):
    from gui.theme import apply_theme

    program.settle()
    for theme in ("dark", "light"):
        apply_theme(program.app, theme)
        for page in ("home", "data", "compare", "decide"):
            program.window.show_page(page)
            program.app.processEvents()
            picture = program.window.grab().toImage()
            inputs = picture.pixelColor(300, 70).name().upper()
            assert (inputs == LIGHT.window) == (theme == "light"), (page, theme)
            spots = ((x, y) for x in range(80, picture.width(), 5) for y in range(70, 700, 5))
            assert len({picture.pixelColor(x, y).name() for x, y in spots}) > 12, (page, theme)


def test_the_engine_dies_and_the_window_lives(program: Program):
    import os
    import signal

    jobs = program.run.jobs
    engine = jobs._engine
    os.kill(engine.engine_pids["main"], signal.SIGKILL)
    job = program.session.plugins.load(check_again=True)
    program.wait(lambda: not jobs.entries[job].is_open)
    again = program.session.plugins.load()
    program.wait(lambda: jobs.entries[again].state is JobState.DONE)
    assert program.window.isVisible()
    assert program.session.results.decisions is not None


def test_nothing_unexpected_was_said(program: Program):
    texts = [str(message) for message in program.messages]
    assert not [text for text in texts if "inside Payoff" in text], texts


def test_keyboard_alone_goes_from_home_to_decide(program: Program):
    from PySide6.QtTest import QTest

    program.window.activateWindow()
    program.wait(program.window.isActiveWindow)
    QTest.keyClick(program.window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert program.window.current_page == "home"
    QTest.keyClick(program.window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert program.window.current_page == "decide"
