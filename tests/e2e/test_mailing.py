"""The whole journey on the bundled sample, with mouse and keyboard, in the real window.

The tests are steps on one program and run in order. ``test_under_xvfb.py`` runs this file on a
virtual screen where there is one; else it runs offscreen with all others.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from core.document.wording import format_money
from core.engine.messages import Ask, JobState
from core.questions.decide import Resamples
from gui.pages.data.reading.import_dialog import ImportDialog
from gui.theme import DARK
from tests.e2e.dropping import drop
from tests.helpers.program import Program

OWN_ENGINE = True  # one that ends
pytestmark = [
    pytest.mark.timeout(240),  # real window and engine; a cold machine compiles first
    pytest.mark.xvfb,
    pytest.mark.skipif(
        os.environ.get("PAYOFF_ON_XVFB") != "1" and shutil.which("Xvfb") is not None,
        reason="test_under_xvfb.py runs these on a virtual screen",
    ),
]

CONTROL = Qt.KeyboardModifier.ControlModifier


class Traveller:
    """One program after another on the same folder: what the user does and sees."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = Program(folder, warm_up=True)
        self.kept: dict[str, object] = {}

    @property
    def decide(self):
        return self.program.window.pages["decide"]

    @property
    def compare(self):
        return self.program.window.pages["compare"]

    def press(self, widget: QWidget, words: str) -> None:
        """Click the button that says so, on itself or to a screen reader."""
        described = {b: (b.text(), b.accessibleName()) for b in widget.findChildren(QPushButton)}
        buttons = [button for button, names in described.items() if words in names]
        assert len(buttons) == 1, words
        QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)

    def key(self, key: Qt.Key, modifier=CONTROL) -> None:
        """Press a shortcut in the active window."""
        self.program.window.activateWindow()
        self.program.wait(self.program.window.isActiveWindow)
        QTest.keyClick(self.program.window, key, modifier)

    def restart(self) -> None:
        """Close the window and start the program again."""
        self.program.close()
        self.program = Program(self.folder)


@pytest.fixture(scope="module")
def trip(qapp_args, tmp_path_factory) -> Iterator[Traveller]:
    made = Traveller(tmp_path_factory.mktemp("trip"))
    try:
        yield made
    finally:
        made.program.close()


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def money(number: str) -> str:
    """A plain number of a table as an amount."""
    return f"−€\u00a0{number[1:]}" if number.startswith("−") else f"€\u00a0{number}"


def assert_one_truth(trip: Traveller) -> None:
    """Headline, flag, table, Compare's chart and Compare's table say the same amounts."""
    program = trip.program
    program.settle()
    space, page = program.session, trip.decide
    reading = space.results.reading
    assert reading is not None
    assert reading.depth == pytest.approx(space.results.cursor_depth, abs=1e-12)
    chosen = space.project.document.reference_model
    amounts = dict(zip(reading.models, reading.profit.tolist(), strict=True))
    shown = {model: format_money(value, "€") for model, value in amounts.items()}
    assert page.headline.number.text() == shown[chosen]
    flag = page.chart.view.state
    former = {"before"}  # the line before an edit
    assert {line.name: line.value for line in flag.lines if line.name not in former} == shown
    rows = page.tables.models.figures.content.rows
    assert {row[0].text: money(row[2].text) for row in rows} == shown
    assert page.tables.check_holds, page.tables.check_text.full_text()
    if "compare" in program.window.pages:
        front, focused = program.window.current_page, program.app.focusWidget()
        program.window.show_page("compare")
        box = trip.compare.grid.profit.view.state
        described = {line.name: money(line.value) for line in box.lines}
        assert described == shown
        head = trip.compare.header_cursor.words.full_text()
        place = reading.models.index(chosen)
        assert head.startswith(f"{int(reading.cases[place]):,} ")
        program.window.show_page(front)
        if focused is not None:
            focused.setFocus()


def test_the_sample_opens_from_home(trip: Traveller):
    program = trip.program
    assert program.window.current_page == "home"
    trip.press(program.window.pages["home"], "Try Direct mail")
    program.wait(lambda: program.session.results.decisions is not None)
    program.wait(lambda: program.session.results.evaluation is not None)
    program.settle()
    assert program.window.current_page == "decide"
    assert trip.decide.headline.number.text() == "€\u00a012,347"


def test_every_page_shows_the_sample(trip: Traveller):
    window = trip.program.window
    trip.key(Qt.Key.Key_2)
    assert window.current_page == "data"
    data = window.pages["data"]
    trip.program.wait(lambda: data.model.index(0, 0).data() != "")
    trip.key(Qt.Key.Key_4)
    assert window.current_page == "compare"
    trip.program.settle()
    model = trip.compare.table.metrics
    assert model.rowCount() == 4  # three models, and none at all
    cells = trip.program.session.results.evaluation.cells
    assert len(cells) >= 15
    assert all(np.isfinite(cell.estimate.value) for cell in cells)
    assert_one_truth(trip)
    trip.press(window.pages["compare"], "Decide with gbm 2")
    assert window.current_page == "decide"


def test_a_cell_is_edited_with_the_keyboard(trip: Traveller):
    program, page = trip.program, trip.decide
    before = program.session.results.decisions
    trip.kept["start"] = program.session.project.document
    view = page.earns.matrix
    program.window.activateWindow()
    program.wait(program.window.isActiveWindow)
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 1))
    QTest.keyClick(view, Qt.Key.Key_3)
    editor = program.app.focusWidget()
    QTest.keyClicks(editor, "0")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    program.wait(lambda: program.session.results.decisions.cells[0, 0] == 30.0)
    after = program.session.results.decisions
    assert after.models[0].total.value > before.models[0].total.value
    assert_one_truth(trip)


def test_the_cursor_is_dragged_with_the_mouse(trip: Traveller):
    program, view = trip.program, trip.decide.chart.view
    layout = view.chart_layout
    start = QPoint(round(layout.to_x(program.session.results.cursor_depth)), view.height() // 2)
    end = QPoint(round(layout.to_x(0.5)), view.height() // 2)
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for share in np.linspace(0.1, 1.0, 10):
        QTest.mouseMove(view.viewport(), start + (end - start) * float(share))
        program.app.processEvents()
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    program.wait(lambda: program.session.project.document.cursor_depth is not None)
    assert program.session.project.document.cursor_depth == pytest.approx(0.5, abs=0.003)
    assert_one_truth(trip)
    QTest.keyClick(view, Qt.Key.Key_Left)
    program.wait(lambda: program.session.results.cursor_depth < 0.5 + 0.003)
    assert_one_truth(trip)


def test_priors_are_typed(trip: Traveller):
    program = trip.program
    field = trip.decide.priors.real_life["1"]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "8")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert dict(program.session.project.document.priors) == pytest.approx({"1": 0.08, "0": 0.92})
    program.settle()
    result = program.session.results.decisions
    assert result.class_weight[0] / result.class_weight.sum() == pytest.approx(0.08)
    assert "8.0" in result.holds_fixed
    assert_one_truth(trip)


def test_undo_brings_back_the_start_and_redo_the_end(trip: Traveller):
    program = trip.program
    end = program.session.project.document
    total = program.session.results.decisions.models[0].total.value
    steps = 0
    while program.session.project.document != trip.kept["start"]:
        assert steps < 8
        trip.key(Qt.Key.Key_Z)
        steps += 1
    assert 3 <= steps <= 5
    program.settle()
    assert trip.decide.headline.number.text() == "€\u00a012,347"
    assert_one_truth(trip)
    for _step in range(steps):
        trip.key(Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert program.session.project.document == end
    program.settle()
    assert program.session.results.decisions.models[0].total.value == total


def test_saved_decisions_add_up_to_the_totals_shown(trip: Traveller):
    program = trip.program
    for _step in range(10):
        if program.session.project.document == trip.kept["start"]:
            break
        program.session.project.undo()
    program.settle()
    target = trip.folder / "decisions.csv"
    trip.press(program.window.pages["decide"], "Save decisions")
    dialog = next(w for w in program.app.topLevelWidgets() if w.windowTitle() == "Save decisions")
    dialog.file.set_text(str(target))
    for key in ("CP", "BP"):
        dialog.columns.editor(key).click()
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    program.wait(target.is_file)
    program.settle()
    shown = program.session.results.decisions.models[0]
    rows = read_rows(target)
    assert len(rows) == 20_000
    assert sum(float(row["CP_responded"]) for row in rows) == pytest.approx(shown.total.value)
    assert sum(float(row["EP_responded"]) for row in rows) == pytest.approx(shown.expected_total)
    assert sum(float(row["BP_responded"]) for row in rows) == pytest.approx(shown.best_total)
    mailed = sum(row["D_responded"] == "Mail" for row in rows)
    assert mailed == round(shown.rule_cases)
    record = json.loads(next(trip.folder.glob("decisions*.record.json")).read_text("utf-8"))
    assert record["data"]["sha256"] == program.session.project.document.data.content_hash
    assert (record["model"], record["seed"]) == ("gbm 2", 20261)
    assert np.allclose(record["matrix"]["cells"], [[24.0, 0.0], [-1.6, 0.0]])
    assert "best expected consequence" in record["cut_off"]["rule"]
    assert record["priors"] is not None
    assert record["counts"]["Mail"] == mailed
    assert record["totals"]["realised_total"] == pytest.approx(shown.total.value)


def test_the_rule_decides_the_new_customers(trip: Traveller):
    program = trip.program
    new = Path(program.session.project.document.data.path).with_name("new_customers.csv")
    dialog = trip.decide.open_apply()
    dialog.path.setText(str(new))
    QTest.mouseClick(dialog.preview_button, Qt.MouseButton.LeftButton)
    program.wait(lambda: dialog.applied is not None)
    assert dialog.panel.view.tables[0].rows[0][0].startswith("Expected")
    target = trip.folder / "new_decisions.csv"
    dialog.file.set_text(str(target))
    expected, counts = dialog.applied.expected_total, dict(dialog.applied.counts)
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    program.wait(target.is_file)
    program.settle()
    rows = read_rows(target)
    assert len(rows) == 5_000
    assert sum(float(row["EP_responded"]) for row in rows) == pytest.approx(expected)
    assert sum(row["D_responded"] == "Mail" for row in rows) == counts["Mail"]


def test_the_project_is_saved_closed_and_opened_with_everything(trip: Traveller):
    program = trip.program
    program.session.results.move_cursor(0.3, finished=True)
    program.settle()
    path = trip.folder / "Spring.payoff"
    assert program.session.files.save_project(str(path))
    before = program.session
    kept = (
        before.project.document,
        before.results.decisions,
        before.results.evaluation,
        before.results.reading,
    )
    number = trip.decide.headline.number.text()
    trip.restart()
    program = trip.program
    program.window.files.open_path(str(path))
    program.wait(lambda: program.session.results.decisions is not None)
    program.wait(lambda: program.session.results.evaluation is not None)
    program.settle()
    now = program.session
    assert now.project.document == kept[0]
    for old, new in zip(kept[1].models, now.results.decisions.models, strict=True):
        assert new.total == old.total
        assert np.array_equal(new.profit, old.profit)
    for old, new in zip(kept[2].cells, now.results.evaluation.cells, strict=True):
        assert (new.model, new.metric, new.estimate.value) == (
            old.model,
            old.metric,
            old.estimate.value,
        )
        assert (new.estimate.low, new.estimate.high) == (old.estimate.low, old.estimate.high)
    assert np.array_equal(now.results.reading.profit, kept[3].profit)
    assert trip.decide.headline.number.text() == number
    assert_one_truth(trip)


def test_the_dark_theme_reaches_every_page(trip: Traveller):
    program = trip.program
    program.window.choose_theme("dark")
    for page in ("home", "data", "compare", "decide"):
        program.window.show_page(page)
        program.settle()
        picture = program.window.grab().toImage()
        light = 0
        for x in range(4, picture.width(), 16):
            for y in range(4, picture.height(), 16):
                light += picture.pixelColor(x, y).lightness() > 200
        everything = (picture.width() // 16) * (picture.height() // 16)
        assert light / everything < 0.06, (page, light)
        assert picture.pixelColor(300, 70).name().upper() == DARK.window, page
    program.window.choose_theme("light")


def open_dialog(trip: Traveller) -> ImportDialog:
    found = [w for w in trip.program.window.findChildren(ImportDialog) if w.isVisible()]
    assert len(found) == 1
    return found[0]


def test_a_file_is_dropped_on_the_window(trip: Traveller):
    program = trip.program
    program.session.project.history.mark_saved()
    source = Path(program.session.project.document.data.path)
    copy = trip.folder / "dropped.csv"
    shutil.copyfile(source, copy)
    drop(program.window, copy)
    dialog = open_dialog(trip)
    program.wait(dialog._load.isEnabled)
    dialog.accept()
    program.wait(
        lambda: (
            program.session.project.document.data is not None
            and program.session.project.document.data.path == str(copy)
        )
    )
    program.settle()
    assert program.window.current_page == "data"
    assert len(program.session.project.document.models) == 3
    assert program.session.results.decisions is not None


def test_a_wrong_value_is_named_and_nothing_is_lost(trip: Traveller):
    program = trip.program
    before = program.session.project.document
    lines = (trip.folder / "dropped.csv").read_text("utf-8").splitlines()
    lines[15_000] = lines[15_000] + ",one,too,many"
    wrong = trip.folder / "wrong.csv"
    wrong.write_text("\n".join(lines), "utf-8")
    drop(program.window, wrong)
    dialog = open_dialog(trip)
    program.wait(dialog._load.isEnabled)
    dialog.accept()
    described = program.window.notice.text.text
    program.wait(lambda: "wrong.csv" in described())
    assert "line 15001" in described(), described()
    program.settle()
    assert program.session.project.document == before
    assert program.session.results.decisions is not None
    program.window.notice.dismiss()


def test_the_engine_is_killed_and_the_window_lives(trip: Traveller):
    program = trip.program
    program.window.show_page("decide")
    program.settle()
    result, number = program.session.results.decisions, trip.decide.headline.number.text()
    job = program.jobs.submit(
        "decide.resamples",
        Ask.of(program.session.project.document, Resamples(depth=0.2, resamples=100_000)),
        title="Drawing many resamples",
        on_error=program.session.project.post,
    )
    program.wait(lambda: program.jobs.entries[job].state is JobState.RUNNING)
    os.kill(program.jobs._engine.engine_pids["main"], signal.SIGKILL)
    program.wait(lambda: not program.jobs.entries[job].is_open)
    assert program.jobs.entries[job].state is JobState.DONE  # no button asks for it: once more
    assert program.window.isVisible()
    assert program.session.results.decisions is result
    assert trip.decide.headline.number.text() == number
    program.session.results.move_cursor(0.17, finished=True)
    program.wait(
        lambda: (
            program.session.results.reading is not None
            and program.session.results.reading.depth == pytest.approx(0.17)
        )
    )
    assert_one_truth(trip)


def test_nothing_unexpected_was_said(trip: Traveller):
    texts = [str(message) for message in trip.program.messages]
    assert not [text for text in texts if "inside Payoff" in text], texts
