"""Page Uplift beyond the curve: lines over it, slices with RATE, the next test, the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from core.document.data.model import RowUse
from core.document.uplift.commands import SetTrueEffect
from core.presentation.view import Cell, Table
from gui.theme import strengthen
from gui.widgets.tables.figure_table import ResultTable
from payoff.errors import PayoffError
from tests.helpers.forms import choose_data
from tests.helpers.harness import UpliftHarness

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


@pytest.fixture
def held_out(session, engine, qtbot, real, made) -> UpliftHarness:
    document, summary = made
    return UpliftHarness(
        session, engine, qtbot, real, replace(document, rows_used=RowUse.TEST), summary
    )


def names_of(harness) -> list[str]:
    return [line.name for line in harness.page.chart.view.spec.baselines]


def test_the_perfect_and_the_maximal_curve_are_drawn_and_told_of(harness):
    harness.answer()
    page = harness.page
    assert page.chart.limits.isEnabled()
    low_axis = page.chart.view.spec.y_axis.high
    page.chart.limits.setChecked(True)
    spec = page.chart.view.spec
    lines = {line.name: line for line in spec.baselines}
    perfect = lines["perfect"]
    assert perfect.y.max() > low_axis  # the axis makes room for it
    assert spec.y_axis.high >= perfect.y.max()
    assert "maximal, nobody put off" in lines
    assert [note.partition(":")[0] for note in spec.notes] == ["Perfect", "Maximal"]
    page.chart.limits.setChecked(False)
    assert "perfect" not in names_of(harness)
    page.show_result(replace(page.result, references=()))
    assert not page.chart.limits.isEnabled()
    assert "0 and 1" in page.chart.limits.toolTip()


def test_the_curve_on_training_rows_lies_beside_that_of_held_out_ones(held_out):
    held_out.answer()
    page = held_out.page
    other = page.result.models[0].other
    assert other.use == "train"
    assert page.chart.other_rows.text() == "The same on training rows"
    page.chart.other_rows.setChecked(True)
    assert "uplift on training rows" in names_of(held_out)
    line = page.chart.view.spec.baselines[-1]
    np.testing.assert_array_equal(line.y, other.incremental)
    assert "Tight validation" in page.chart.view.spec.notes[-1]
    row = page.criteria.table.model().index(4, 0)
    assert row.data() == "As in training"
    assert row.siblingAtColumn(1).data() not in ("–", "")


def test_one_use_of_rows_offers_no_such_line(harness):
    harness.answer()
    assert not harness.page.chart.other_rows.isEnabled()
    assert "page Data" in harness.page.chart.other_rows.toolTip()


def test_slices_and_rate_stand_in_a_tab_of_the_model_in_front(harness):
    harness.answer()
    table = harness.ask_tab("slices", "uplift.slices")
    assert table.rowCount() == 14  # ten slices, their average, three of RATE
    firsts = [table.index(row, 0).data() for row in range(14)]
    assert firsts[0] == "1 (best)"
    assert firsts[10:13] == ["Weighted average", "RATE: AUTOC", "RATE: QINI"]
    assert all(table.index(row, 6).data() for row in (0, 10, 11, 12, 13))
    tabs, page = harness.page.variants, harness.page
    assert "standard error" in tabs.answer.text()
    first = table.index(11, 5).data()
    page.bar.model.setCurrentIndex(1)
    page.bar.model.activated.emit(1)
    assert len(harness.engine.of_kind("uplift.slices")) == 1  # both models were answered at once
    assert table.index(11, 5).data() != first
    choose_data(tabs.count.editor("count"), 5)
    harness.qtbot.waitUntil(lambda: len(harness.engine.of_kind("uplift.slices")) > 1)
    assert harness.engine.last("uplift.slices").arguments.question.count == 5
    assert tabs.count.isVisibleTo(page)


def test_tabs_that_were_looked_at_can_stand_on_the_report(harness):
    harness.answer()
    keys = [part.key.partition(" ")[0] for part in harness.page.report_parts()]
    assert keys == ["uplift/page"] * 5
    harness.ask_tab("slices", "uplift.slices")
    parts = {part.key: part for part in harness.page.report_parts()}
    assert "uplift/arms" not in parts
    model = harness.page.bar.model.currentText()
    block = parts[f"uplift/slices {model}"].answered()
    assert model in block.title
    assert "standard error" in block.sentences[0]
    assert block.tables[0].columns[:3] == ("Slice", "Share %", "Band, 95 %")
    assert len(block.tables[0].rows) == 14
    tabs = harness.page.variants
    tabs.show_tab("definitions")
    assert not tabs.answer.isVisibleTo(harness.page)
    tabs.show_tab("slices")  # the answer is there, and so are its words
    assert tabs.answer.isVisibleTo(harness.page)
    choose_data(tabs.count.editor("count"), 20)  # the old table is not what would be shown
    assert len(harness.page.report_parts()) == 5


def test_a_table_that_scrolls_cuts_no_figure(show):
    table = ResultTable("Metrics", wraps=True, scrolls=True)
    texts = ("Net uplift, generalised (AUNUC)", *("−0.0006", "−0.0038 to 0.0044") * 3)
    row = tuple(Cell(text=text, is_bold=text == "−0.0006") for text in texts)
    header = ("Metric", "two models", "95 %", "treatment as input", "95 %", "response", "95 %")
    show(table, 420, 150)
    table.show_content(Table(columns=header, rows=(row,) * 6))
    QApplication.processEvents()
    metrics = QFontMetrics(strengthen(table.font()))
    for column in range(1, 7):
        assert table.columnWidth(column) >= metrics.horizontalAdvance(texts[column]) + 4
    assert table.horizontalScrollBar().maximum() > 0
    assert table.verticalScrollBar().maximum() > 0
    table.resize(1200, 400)
    QApplication.processEvents()
    assert table.horizontalScrollBar().maximum() == 0


def test_a_note_in_a_tab_takes_no_room_from_the_curve_of_a_small_window(harness):
    harness.answer()
    harness.page.resize(1200, 620)
    QApplication.processEvents()
    before = harness.page.chart.height()
    harness.ask_tab("slices", "uplift.slices")
    assert harness.page.variants.answer.isVisibleTo(harness.page)
    QApplication.processEvents()
    after = harness.page.chart.height()
    assert abs(after - before) < 12
    tabs = harness.page.variants.tabs
    assert tabs.width() >= tabs.sizeHint().width()  # no name of a tab is cut


def answer_next_test(harness) -> None:
    requested = harness.engine.last("uplift.next_test")
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=30_000):
        harness.engine.answer(
            requested.job, harness.real.run("uplift.next_test", requested.arguments)
        )


def test_the_next_test_is_planned_in_a_dialog(harness):
    harness.answer()
    harness.page.guard.next_test.click()
    dialog = harness.page.next_test
    assert harness.engine.last("uplift.next_test").arguments.question.effect is None
    answer_next_test(harness)
    found = dialog.result_shown
    assert dialog.form.editor("effect").value() == pytest.approx(found.seen.effect / 2)
    assert f"{found.cases:,}" in dialog.panel.figure.text()
    assert dialog.panel.tables[0].model().rowCount() == 5
    dialog.form.editor("effect").setText("1")
    dialog.form.editor("effect").editingFinished.emit()
    requested = harness.engine.last("uplift.next_test").arguments.question
    assert requested.effect == pytest.approx(0.01)  # one point of a hundred
    answer_next_test(harness)
    assert dialog.result_shown.cases > found.cases
    dialog.close()
    (part,) = [p for p in harness.page.report_parts() if p.key == "uplift/next_test"]
    assert part.answered() is dialog.view
    harness.session.project.execute(SetTrueEffect(column="x"))  # the experiment is another one
    assert "uplift/next_test" not in [part.key for part in harness.page.report_parts()]


def test_the_truth_is_named_in_a_dialog_and_brings_the_error(harness):
    harness.answer()
    assert harness.page.criteria.table.model().rowCount() == 6
    harness.page.show_truth()
    dialog = harness.page.truth
    choose_data(dialog.form.editor("effect"), "x")
    seen = len(harness.engine.of_kind("uplift.page"))
    dialog.accept()
    assert harness.session.project.document.uplift.true_effect == "x"
    harness.next_answer(seen)
    table = harness.page.criteria.table.model()
    assert [table.index(row, 0).data() for row in (6, 7)] == ["PEHE", "PEHE, root"]
    assert float(table.index(7, 1).data()) == pytest.approx(0.3, abs=1e-3)
    assert "true effect" in harness.page.guard.effect.text()
    assert harness.session.project.execute(SetTrueEffect())


def test_the_report_asks_for_its_entries_while_the_page_is_hidden(harness):
    harness.answer()
    harness.page.hide()
    parts = list(harness.page.report_parts())
    assert parts
    for part in parts:
        harness.session.report.put(part.key)
        assert harness.session.report.can_ask(part.key), part.key
    seen = len(harness.engine.of_kind("uplift.page"))
    assert harness.session.report.ask("uplift/page validity")
    harness.next_answer(seen)
    assert not harness.session.report.is_stale("uplift/page validity")


def test_what_is_put_on_the_report_is_not_old_at_once(session, engine, qtbot, real, made):
    """The engine is asked with the arms that are shown, which the document need not name."""
    document, summary = made
    bare = replace(document, uplift=replace(document.uplift, treated="", control=""))
    harness = UpliftHarness(session, engine, qtbot, real, bare, summary)
    harness.answer()
    assert harness.page.report_parts()
    for part in harness.page.report_parts():
        harness.session.report.put(part.key)
        assert not harness.session.report.is_stale(part.key), part.key


def test_a_refusal_stands_in_its_own_tab_and_old_figures_go(harness):
    harness.answer()
    tabs = harness.page.variants
    harness.ask_tab("slices", "uplift.slices")
    assert tabs.tables["slices"].model().rowCount() > 0
    choose_data(tabs.count.editor("count"), 5)  # those shown are not they
    assert tabs.tables["slices"].model().rowCount() == 0
    requested = harness.engine.last("uplift.slices")
    tabs.show_tab("definitions")
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=5000):
        harness.engine.fail(requested.job, PayoffError("Too few cases."))
    assert "Too few" not in tabs.answer.text()
    tabs.show_tab("slices")
    assert tabs.answer.text() == "Too few cases."


def test_nothing_of_an_experiment_stays_under_other_data(harness):
    harness.answer()
    page, document = harness.page, harness.session.project.document
    assert page.save.isEnabled()
    other = replace(document, data=replace(document.data, path="/b.csv", content_hash="b"))
    harness.session.project.take_document(other)
    assert page.result is None
    assert page.report_document() is None
    assert page.stack.currentIndex() == 0
    assert not page.save.isEnabled()
    assert page.variants.table.model().rowCount() == 0
