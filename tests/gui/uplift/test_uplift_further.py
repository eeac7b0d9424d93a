"""Page Uplift beyond the curve: lines over it, slices with RATE, the next test, the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from core.document.data.model import RowUse
from core.document.uplift.commands import SetTrueEffect
from core.presentation.table import Cell, Table
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


def names_of(desk) -> list[str]:
    return [line.name for line in desk.page.chart.view.spec.baselines]


def test_the_perfect_and_the_maximal_curve_are_drawn_and_told_of(desk):
    desk.answer()
    page = desk.page
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
    assert "perfect" not in names_of(desk)
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


def test_one_use_of_rows_offers_no_such_line(desk):
    desk.answer()
    assert not desk.page.chart.other_rows.isEnabled()
    assert "page Data" in desk.page.chart.other_rows.toolTip()


def test_slices_and_rate_stand_in_a_tab_of_the_model_in_front(desk):
    desk.answer()
    table = desk.ask_tab("slices", "uplift.slices")
    assert table.rowCount() == 14  # ten slices, their average, three of RATE
    firsts = [table.index(row, 0).data() for row in range(14)]
    assert firsts[0] == "1 (best)"
    assert firsts[10:13] == ["Weighted average", "RATE: AUTOC", "RATE: QINI"]
    assert all(table.index(row, 6).data() for row in (0, 10, 11, 12, 13))
    tabs, page = desk.page.variants, desk.page
    assert "standard error" in tabs.answer.text()
    first = table.index(11, 5).data()
    page.bar.model.setCurrentIndex(1)
    page.bar.model.activated.emit(1)
    assert len(desk.engine.of_kind("uplift.slices")) == 1  # both models were answered at once
    assert table.index(11, 5).data() != first
    choose_data(tabs.count.editor("count"), 5)
    desk.qtbot.waitUntil(lambda: len(desk.engine.of_kind("uplift.slices")) > 1)
    assert desk.engine.last("uplift.slices").arguments.question.count == 5
    assert tabs.count.isVisibleTo(page)


def test_tabs_that_were_looked_at_can_stand_on_the_report(desk):
    desk.answer()
    keys = [part.key.partition(" ")[0] for part in desk.page.report_parts()]
    assert keys == ["uplift/page"] * 5
    desk.ask_tab("slices", "uplift.slices")
    parts = {part.key: part for part in desk.page.report_parts()}
    assert "uplift/arms" not in parts
    model = desk.page.bar.model.currentText()
    block = parts[f"uplift/slices {model}"].answered()
    assert model in block.title
    assert "standard error" in block.sentences[0]
    assert block.tables[0].columns[:3] == ("Slice", "Share %", "Band, 95 %")
    assert len(block.tables[0].rows) == 14
    tabs = desk.page.variants
    tabs.show_tab("definitions")
    assert not tabs.answer.isVisibleTo(desk.page)
    tabs.show_tab("slices")  # the answer is there, and so are its words
    assert tabs.answer.isVisibleTo(desk.page)
    choose_data(tabs.count.editor("count"), 20)  # the old table is not what would be shown
    assert len(desk.page.report_parts()) == 5


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


def test_a_note_in_a_tab_takes_no_room_from_the_curve_of_a_small_window(desk):
    desk.answer()
    desk.page.resize(1200, 620)
    QApplication.processEvents()
    before = desk.page.chart.height()
    desk.ask_tab("slices", "uplift.slices")
    assert desk.page.variants.answer.isVisibleTo(desk.page)
    QApplication.processEvents()
    after = desk.page.chart.height()
    assert abs(after - before) < 12
    tabs = desk.page.variants.tabs
    assert tabs.width() >= tabs.sizeHint().width()  # no name of a tab is cut


def answer_next_test(desk) -> None:
    asked = desk.engine.last("uplift.next_test")
    with desk.qtbot.waitSignal(desk.session.jobs.job_ended, timeout=30_000):
        desk.engine.answer(asked.job, desk.real.run("uplift.next_test", asked.arguments))


def test_the_next_test_is_planned_in_a_dialog(desk):
    desk.answer()
    desk.page.guard.next_test.click()
    dialog = desk.page.next_test
    assert desk.engine.last("uplift.next_test").arguments.question.effect is None
    answer_next_test(desk)
    found = dialog.result_shown
    assert dialog.form.editor("effect").value() == pytest.approx(found.seen.effect / 2)
    assert f"{found.cases:,}" in dialog.panel.figure.text()
    assert dialog.panel.tables[0].model().rowCount() == 5
    dialog.form.editor("effect").setText("1")
    dialog.form.editor("effect").editingFinished.emit()
    asked = desk.engine.last("uplift.next_test").arguments.question
    assert asked.effect == pytest.approx(0.01)  # one point of a hundred
    answer_next_test(desk)
    assert dialog.result_shown.cases > found.cases
    dialog.close()
    (part,) = [p for p in desk.page.report_parts() if p.key == "uplift/next_test"]
    assert part.answered() is dialog.view
    desk.session.project.execute(SetTrueEffect(column="x"))  # the experiment is another one
    assert "uplift/next_test" not in [part.key for part in desk.page.report_parts()]


def test_the_truth_is_named_in_a_dialog_and_brings_the_error(desk):
    desk.answer()
    assert desk.page.criteria.table.model().rowCount() == 6
    desk.page.show_truth()
    dialog = desk.page.truth
    choose_data(dialog.form.editor("effect"), "x")
    seen = len(desk.engine.of_kind("uplift.page"))
    dialog.accept()
    assert desk.session.project.document.uplift.true_effect == "x"
    desk.next_answer(seen)
    table = desk.page.criteria.table.model()
    assert [table.index(row, 0).data() for row in (6, 7)] == ["PEHE", "PEHE, root"]
    assert float(table.index(7, 1).data()) == pytest.approx(0.3, abs=1e-3)
    assert "true effect" in desk.page.guard.effect.text()
    assert desk.session.project.execute(SetTrueEffect())


def test_the_report_asks_for_its_entries_while_the_page_is_hidden(desk):
    desk.answer()
    desk.page.hide()
    parts = list(desk.page.report_parts())
    assert parts
    for part in parts:
        desk.session.report.put(part.key)
        assert desk.session.report.can_ask(part.key), part.key
    seen = len(desk.engine.of_kind("uplift.page"))
    assert desk.session.report.ask("uplift/page validity")
    desk.next_answer(seen)
    assert not desk.session.report.is_stale("uplift/page validity")


def test_what_is_put_on_the_report_is_not_old_at_once(desk):
    """The engine is asked with the arms that are shown, which the document need not name."""
    document = desk.session.project.document
    bare = replace(document, uplift=replace(document.uplift, treated="", control=""))
    seen = len(desk.engine.of_kind("uplift.page"))
    desk.session.project.take_document(bare)
    desk.next_answer(seen)
    for part in desk.page.report_parts():
        desk.session.report.put(part.key)
        assert not desk.session.report.is_stale(part.key), part.key


def test_a_refusal_stands_in_its_own_tab_and_old_figures_go(desk):
    desk.answer()
    tabs = desk.page.variants
    desk.ask_tab("slices", "uplift.slices")
    assert tabs.tables["slices"].model().rowCount() > 0
    choose_data(tabs.count.editor("count"), 5)  # those shown are not they
    assert tabs.tables["slices"].model().rowCount() == 0
    asked = desk.engine.last("uplift.slices")
    tabs.show_tab("definitions")
    with desk.qtbot.waitSignal(desk.session.jobs.job_ended, timeout=5000):
        desk.engine.fail(asked.job, PayoffError("Too few cases."))
    assert "Too few" not in tabs.answer.text()
    tabs.show_tab("slices")
    assert tabs.answer.text() == "Too few cases."


def test_nothing_of_an_experiment_stays_under_other_data(desk):
    desk.answer()
    page, document = desk.page, desk.session.project.document
    assert page.save.isEnabled()
    other = replace(document, data=replace(document.data, path="/b.csv", content_hash="b"))
    desk.session.project.take_document(other)
    assert page.result is None
    assert page.report_document() is None
    assert page.stack.currentIndex() == 0
    assert not page.save.isEnabled()
    assert page.variants.table.model().rowCount() == 0
