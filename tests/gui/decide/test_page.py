"""The page as a whole: the big number, the cursor, the footer, selectors and words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from core.document.data.model import RowUse
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode, Document, SplitSpec
from core.document.results import Advice, DecisionResult
from core.document.wording import format_money
from gui.pages.decide.header import row_uses
from gui.pages.decide.matrix.meaning_card import bold_cut
from gui.pages.decide.widget import CHART, DecidePage
from gui.theme import DARK, LIGHT, apply_theme
from gui.widgets import strong
from gui.widgets.tables.copying import copy_table
from tests.helpers.answers.synthetic import make_decisions, make_document, make_reading
from tests.helpers.harness import DecideHarness


def profit_at(depth: float, model: int = 0) -> float:
    entry = make_decisions().models[model]
    return float(np.interp(depth, entry.depth, entry.profit))


def test_the_big_number_is_the_total_at_the_cursor(harness: DecideHarness) -> None:
    headline = harness.page.headline
    assert headline.number.text() == format_money(profit_at(0.213), "€")
    assert "21.3\u00a0%" in headline.title.text()
    assert "mailed" in headline.title.text()
    assert "95\u00a0% if 5.0\u00a0% respond" in headline.interval.text()


def test_the_big_number_follows_the_cursor(harness: DecideHarness, qtbot: QtBot) -> None:
    harness.move(0.4)
    wanted = format_money(profit_at(0.4), "€")
    qtbot.waitUntil(lambda: harness.page.headline.number.text() == wanted)
    assert "40.0\u00a0%" in harness.page.headline.title.text()
    assert harness.page.chart.cursor_depth == 0.4


def test_comparisons_add_up_with_what_they_compare_with(harness: DecideHarness) -> None:
    result = make_decisions()
    nothing, everybody, rival = harness.page.headline.blocks
    profit = profit_at(0.213)
    assert nothing.amount.accessibleName() == format_money(profit, "€", sign=True)
    assert everybody.amount.accessibleName() == format_money(
        profit - result.act_on_all, "€", sign=True
    )
    assert "mailing all loses €\u00a06,400" in everybody.words.text()
    assert rival.title.text() == "Against logit, same depth"
    assert rival.amount.accessibleName() == format_money(
        profit - profit_at(0.213, 1), "€", sign=True
    )
    assert "ahead in 1,000 of 1,000 resamples (p\u00a0<\u00a00.002)" in rival.words.text()


def test_the_three_depths_are_named_apart(harness: DecideHarness, qtbot: QtBot) -> None:
    chosen = make_decisions().models[0]
    bar = harness.page.depths
    assert bar.cursor_words.text() == "At the cursor 21.3\u00a0%"
    assert f"{100 * chosen.rule_depth:.1f}" in bar.rule_button.text()
    assert f"{100 * chosen.best_depth:.1f}" in bar.best_button.text()
    assert "cross-fitted" in bar.honest.full_text()
    bar.best_button.click()
    assert harness.document.cursor_depth == chosen.best_depth
    bar.rule_button.click()
    assert harness.document.cursor_depth is None
    assert harness.session.results.cursor_depth == chosen.rule_depth


def test_the_footer_holds_and_fails_when_the_numbers_part(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    tables = harness.page.tables
    assert tables.check_holds
    assert tables.check_text.property("textRole") == "note"
    reading = make_reading(0.213)
    wrong = replace(reading, profit=reading.profit + 250.0)
    harness.session.results.reading_changed.emit(wrong)
    qtbot.waitUntil(lambda: not tables.check_holds)
    assert tables.check_text.property("textRole") == "error"
    assert "should be the same" in tables.check_text.full_text()


def test_a_head_without_room_keeps_the_name_of_the_model(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    tables = harness.page.tables
    assert tables.decisions.figures.content.columns[0] == "gbm 2 at the cursor"
    tables.resize(640, tables.height())
    qtbot.waitUntil(lambda: tables.decisions.figures.content.columns[0] == "gbm 2")
    assert tables.models.figures.content.columns[0] == "All models"
    view = tables.view()
    assert view is not None
    assert view.tables[0].columns[0] == "gbm 2 at the cursor"  # on the report there is room


def test_a_reading_that_belongs_to_coming_totals_is_not_shown(harness: DecideHarness) -> None:
    harness.session.results.working_changed.emit(True)
    reading = make_reading(0.213)
    harness.session.results.reading_changed.emit(replace(reading, profit=reading.profit + 250.0))
    harness.page._show_figures()
    assert harness.page.tables.check_holds


def test_decision_table_at_the_cursor_and_by_the_rule(harness: DecideHarness) -> None:
    tables = harness.page.tables
    content = tables.decisions.figures.content
    assert content.columns[:3] == ("gbm 2 at the cursor", "Mail", "Profit, €")
    assert content.rows[-1][0].text == "all 20,000"
    assert content.rows[-1][1].text == "4,260"
    tables.view_choice.setCurrentIndex(1)
    tables.view_choice.activated.emit(1)
    content = tables.decisions.figures.content
    model = make_decisions().models[0]
    assert content.columns[0] == "gbm 2 by its rule"
    assert content.rows[-1][1].text == f"{model.counts[:, 0].sum():,.0f}"
    assert content.rows[-1][-1].text == f"+{model.total.value:,.0f}"


def test_models_stand_side_by_side_at_the_same_depth(harness: DecideHarness) -> None:
    rows = harness.page.tables.models.figures.content.rows
    assert [row[0].text for row in rows] == ["gbm 2", "logit", "agency"]
    assert rows[0][2].is_bold
    assert rows[1][4].text.startswith("▼ −")
    assert rows[1][4].role == "loss"
    assert rows[0][3].estimate is not None


def test_totals_name_what_is_left_on_the_table(harness: DecideHarness) -> None:
    row = harness.page.tables.totals.figures.content.rows[0]
    model = make_decisions().models[0]
    assert row[1].text == f"{model.total.value:,.0f}"
    assert row[5].text == "24,000"
    assert row[6].text == f"{24_000 - model.total.value:,.0f}"


def test_tables_copy_with_their_heads(harness: DecideHarness) -> None:

    copy_table(harness.page.tables.decisions, whole=True, as_shown=True)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0].startswith("gbm 2 at the cursor\tMail")
    assert len(lines) == 4


def as_losses(result: DecisionResult) -> DecisionResult:
    return replace(result, kind=MatrixKind.LOSS.value, cells=-result.cells)


def test_a_loss_matrix_is_told_in_losses(harness: DecideHarness) -> None:
    document = harness.document
    assert document.matrix is not None
    cells = tuple(tuple(-value for value in row) for row in document.matrix.cells)
    losing = replace(document, matrix=replace(document.matrix, kind=MatrixKind.LOSS, cells=cells))
    harness.session.project.take_document(losing)
    harness.show(as_losses(make_decisions()))
    headline = harness.page.headline
    assert headline.title.text().startswith("Total loss")
    assert headline.number.text() == format_money(-profit_at(0.213), "€")
    assert headline.blocks[0].title.text() == "Less loss than doing nothing"
    table = harness.page.tables.decisions.figures.content
    assert table.columns[2] == "Loss, €"
    # Lower is better: money won is a negative loss, and still drawn as a gain.
    assert table.rows[0][2].text.startswith("−")
    assert table.rows[0][2].role == "gain"
    cell = harness.page.earns.matrix.matrix_model
    assert cell.data(cell.index(1, 1)) == "+1.60"
    from gui.pages.decide.matrix.matrix_model import SIGN_ROLE

    assert cell.data(cell.index(1, 1), SIGN_ROLE) == "loss"


def test_choosing_a_model_makes_it_the_reference(harness: DecideHarness) -> None:
    box = harness.page.choices.model
    box.activated.emit(box.findData("logit"))
    assert harness.document.reference_model == "logit"


def test_choosing_rows_is_a_command(harness: DecideHarness) -> None:
    box = harness.page.choices.rows
    assert box.currentText() == "Validation, 20,000 customers"
    box.activated.emit(box.findData(RowUse.ALL))
    assert harness.document.rows_used is RowUse.ALL


def test_only_kinds_of_rows_that_exist_are_offered() -> None:
    split = SplitSpec(column="use", meaning=(("v", RowUse.VALIDATION), ("n", RowUse.TO_DECIDE)))
    document = Document(split=split)
    assert row_uses(document) == (RowUse.VALIDATION, RowUse.ALL)
    assert RowUse.TRAIN not in row_uses(Document())


def test_the_chart_mode_is_a_command(harness: DecideHarness) -> None:
    mode = harness.page.depths.mode
    mode.activated.emit(mode.findData(ChartMode.FIRM))
    assert harness.document.chart_mode is ChartMode.FIRM
    harness.show()
    assert harness.page.tables.is_by_rule()
    assert "each its own decision" in harness.page.headline.title.text()


def test_the_reading_and_the_advice_stand_in_plain_words(harness: DecideHarness) -> None:
    meaning = harness.page.meaning
    assert strong("above 6.25 %").text in meaning.rule.text()
    assert "1.60 ÷ 25.60" in meaning.reason.text()
    assert meaning.findings.count() == 3


def test_both_columns_fit_and_what_has_no_room_is_a_click_away(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    page, meaning = harness.page, harness.page.meaning
    page.resize(1368, 802)  # of a window of 1440 by 900
    qtbot.waitUntil(lambda: len(meaning._hidden) < meaning.findings.count())
    tabs = page.tables.tabs
    tabs.setCurrentIndex(tabs.count() - 1)
    for width, height in ((1368, 802), (1208, 622)):
        page.resize(width, height)
        for area in (page.left, page.right):
            qtbot.waitUntil(lambda area=area: area.verticalScrollBar().maximum() == 0)
        assert meaning.rule.isVisible()
        assert not meaning.more.isHidden()
        assert meaning.more.text() == f"{len(meaning._hidden)} more…"
    assert page.chart.height() >= CHART
    page.resize(1368, 1100)
    qtbot.waitUntil(meaning.more.isHidden)
    assert meaning.reason.isVisible()


def test_a_page_made_low_squeezes_no_card(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, "light")  # styles that are new are worked in after the page is shown
    harness = DecideHarness()
    page, earns = harness.page, harness.page.earns
    qtbot.addWidget(page)
    page.resize(1368, 802)
    harness.show()
    page.show()
    qtbot.waitExposed(page)
    page.resize(1208, 622)

    def is_apart() -> bool:
        top = earns.acting.mapTo(earns, QPoint(0, 0)).y()
        return earns.matrix.mapTo(earns, earns.matrix.rect().bottomLeft()).y() < top

    for _ in range(50):
        QCoreApplication.processEvents()
    qtbot.waitUntil(is_apart, timeout=3000)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Mail a customer when the chance of a response is above 6.25 %.", "above 6.25 %"),
        ("Lend when the chance of a default is below 16.7\u00a0%.", "below 16.7\u00a0%"),
        ("Every case gets Mail.", ""),
    ],
)
def test_the_cut_off_is_bold(text: str, marked: str) -> None:
    shown = bold_cut(text).text
    assert (strong(marked).text in shown) if marked else "<span" not in shown


def test_advice_links_go_where_they_say(harness: DecideHarness, qtbot: QtBot) -> None:
    meaning = harness.page.meaning
    link = next(
        button
        for button in meaning.findChildren(QPushButton)
        if button not in (meaning.thresholds, meaning.probabilities, meaning.more)
    )
    with qtbot.waitSignal(harness.session.page_requested) as requested:
        link.click()
    assert requested.args == ["compare"]


def test_wrong_advice_shows_as_wrong(harness: DecideHarness) -> None:
    advice = (Advice(state="error", text="Mail is worse in every row.", link="matrix"),)
    harness.show(replace(make_decisions(), advice=advice))
    assert harness.page.meaning.findings.count() == 1


def test_the_cursor_can_be_pinned_and_let_go(harness: DecideHarness) -> None:
    harness.page.buttons.pin.click()
    assert harness.session.results.pinned_depth == harness.session.results.cursor_depth
    assert harness.page.buttons.pin.text() == "Take pin away"
    harness.page.buttons.pin.click()
    assert harness.session.results.pinned_depth is None


def test_without_an_outcome_the_page_says_what_is_missing(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    harness.session.project.take_document(Document())
    assert harness.page.stack.currentWidget() is harness.page.empty
    assert "Open a file" in harness.page.empty.sentence.text()
    with qtbot.waitSignal(harness.session.page_requested) as requested:
        harness.page.empty.button.click()
    assert requested.args == ["home"]
    harness.session.project.take_document(replace(make_document(), matrix=None, target=None))
    assert "outcome" in harness.page.empty.sentence.text()


def test_a_project_without_a_matrix_begins_one_on_the_page(harness: DecideHarness) -> None:
    harness.session.project.take_document(replace(make_document(), matrix=None))
    assert harness.page.stack.currentWidget() is harness.page.empty
    assert "what each decision earns" in harness.page.empty.sentence.text()
    harness.page.empty.button.click()
    matrix = harness.session.project.document.matrix
    assert matrix is not None
    assert matrix.levels == make_document().target.levels
    assert harness.page.stack.currentWidget() is not harness.page.empty


def test_before_the_first_result_nothing_can_be_saved(qtbot: QtBot) -> None:
    fresh = DecideHarness()
    qtbot.addWidget(fresh.page)
    assert not fresh.page.buttons.save.isEnabled()
    assert "Nothing has been decided yet" in fresh.page.buttons.save.toolTip()
    assert fresh.page.headline.isHidden()


def test_the_chart_is_the_largest_thing_in_a_small_window(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    page = harness.page
    page.resize(1208, 622)
    qtbot.waitUntil(lambda: page.chart.width() < 830)
    areas = {
        name: widget.width() * widget.height()
        for name, widget in (
            ("headline", page.headline),
            ("chart", page.chart),
            ("tables", page.tables),
        )
    }
    assert max(areas, key=areas.__getitem__) == "chart"
    table = page.tables.decisions
    assert not table.horizontalScrollBar().isVisible()
    assert not page.tables.models.horizontalScrollBar().isVisible()


def test_the_chart_can_have_the_page_for_itself(harness: DecideHarness) -> None:
    page = harness.page
    page.chart.enlarge_requested.emit()
    assert page.headline.isHidden()
    assert page.tables.isHidden()
    assert page.left.isHidden()
    page.chart.enlarge_requested.emit()
    assert not page.headline.isHidden()
    assert not page.tables.isHidden()
    assert not page.left.isHidden()


def test_a_page_that_is_gone_hears_no_theme(harness: DecideHarness, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    gone = DecidePage(harness.session)
    gone.deleteLater()
    qtbot.waitSignal(gone.destroyed, raising=False, timeout=10).wait()
    apply_theme(application, "dark")
    assert harness.page.chart.view.shown_theme() is DARK
    apply_theme(application, "light")
    assert harness.page.chart.view.shown_theme() is LIGHT
