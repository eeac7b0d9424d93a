from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QComboBox

from core.document.commands import SetReferenceModel
from core.document.compare.chart_kinds import USUAL_CHARTS
from core.document.data.model import RowUse
from core.document.markup import joined
from core.document.model import Document, MetricChoice, Role, RoleAssignment, SplitSpec, TargetSpec
from core.document.plugin_results import PluginsResult, settled_choice
from core.document.results import Estimate, PairedDifference, ResampleResult
from core.document.wording import format_money_interval
from core.presentation.decide.figures import against_model, at_depth
from gui.pages.compare.dialogs.metrics_dialog import MetricsDialog
from gui.pages.compare.footer import TableFooter
from gui.pages.compare.metric_model import CELL_ROLE, COLUMN_ROLE
from gui.pages.compare.widget import ComparePage
from payoff.parameters import Parameter
from payoff.vocabulary import DataColumn, NumberUnit, ParameterKind
from tests.helpers.answers.synthetic import (
    make_decisions,
    make_document,
    make_evaluation,
    make_reading,
)
from tests.helpers.factories.loaded_file import make_summary
from tests.helpers.harness import make_session

PROFIT = 6  # the last column


@pytest.fixture
def session(jobs):
    return make_session(jobs=jobs)


@pytest.fixture
def open_page(show) -> Callable[..., ComparePage]:
    return lambda session, *size: show(ComparePage(session), *size)


@pytest.fixture
def page(open_page, session) -> ComparePage:
    return open_page(session)


def cell(page, row, column):
    return page.table.metrics.data(page.table.metrics.index(row, column), CELL_ROLE)


# ---------------------------------------------------------------- one cursor


def test_a_drag_in_one_chart_moves_every_chart_and_the_table(qtbot, session, page):
    gains = page.grid.evaluation_charts[1]
    layout = gains.view.chart_layout
    viewport = gains.view.viewport()

    def at(depth):
        return QPoint(round(layout.to_x(depth)), round(layout.plot.center().y()))

    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=at(0.3))
    qtbot.mouseMove(viewport, at(0.4))
    depth = session.results.cursor_depth
    assert depth == pytest.approx(0.4, abs=0.003)
    assert all(chart.cursor_depth == depth for chart in page.grid.charts())
    roc, _, lift, calibration, scores = page.grid.evaluation_charts
    ranking = make_evaluation().depths[0]
    found = np.interp(depth, ranking.depth, ranking.class_share[0])
    assert roc.view.state.rings[0].y == pytest.approx(found)
    assert lift.view.state.x == depth
    threshold = np.interp(depth, ranking.depth, ranking.threshold)
    assert calibration.view.state.x == pytest.approx(threshold)
    assert scores.view.state.x == pytest.approx(threshold)
    assert page.grid.profit.view.state.x == depth
    profit = np.interp(depth, ranking.depth, make_decisions().models[0].profit)
    assert cell(page, 0, PROFIT).text == f"{profit:,.0f}"
    assert page.header_cursor.field.value() == depth
    assert session.project.document.cursor_depth == 0.213
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=at(0.4))
    assert session.project.document.cursor_depth == depth
    session.project.undo()
    assert session.results.cursor_depth == 0.213
    assert all(chart.cursor_depth == 0.213 for chart in page.grid.charts())


def test_a_drag_of_the_threshold_moves_the_depth(qtbot, session, page):
    calibration = page.grid.evaluation_charts[3]
    layout = calibration.view.chart_layout
    ranking = make_evaluation().depths[0]
    target = float(np.interp(0.1, ranking.depth, ranking.threshold))
    place = QPoint(round(layout.to_x(target)), round(layout.plot.center().y()))
    viewport = calibration.view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=place)
    assert session.results.cursor_depth == pytest.approx(0.1, abs=0.006)


def test_a_move_elsewhere_arrives_here(session, page):
    session.results.move_cursor(0.05)
    assert {chart.cursor_depth for chart in page.grid.charts()} == {0.05}
    assert page.header_cursor.words.full_text().startswith("1,000 customers, chance above ")


def test_a_typed_depth_moves_and_leaving_the_field_alone_does_not(qtbot, session, page):
    field = page.header_cursor.field
    field.setFocus()
    field.clearFocus()
    assert session.project.document.cursor_depth == 0.213
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "30")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert session.results.cursor_depth == pytest.approx(0.3)
    assert session.project.document.cursor_depth == pytest.approx(0.3)


def test_double_click_goes_to_the_best_profit(session, page):
    page.grid.profit.best_requested.emit()
    assert session.project.document.cursor_depth == make_decisions().models[0].best_depth


def test_a_pin_is_shared(session, page):
    page.grid.profit.pin_requested.emit(0.213)
    session.results.move_cursor(0.5)
    assert all(
        chart.view.state.pin is not None for chart in page.grid.charts() if chart.view.state.x
    )


def test_exact_readings_replace_interpolated_ones(session, page):
    reading = make_reading(0.213)
    exact = replace(reading, profit=reading.profit + 1.0, cases=reading.cases + 3)
    session.results.reading_changed.emit(exact)
    assert cell(page, 0, PROFIT).text == f"{exact.profit[0]:,.0f}"
    assert page.header_cursor.words.full_text().startswith("4,263 customers")


def test_a_reading_of_other_totals_is_forgotten(session, page):
    reading = make_reading(0.213)
    session.results.reading_changed.emit(replace(reading, profit=reading.profit + 1e6))
    changed = replace(make_decisions(), seconds=0.1)
    session.results.decisions = changed
    session.results.decisions_changed.emit(changed)
    expected = np.interp(0.213, changed.models[0].depth, changed.models[0].profit)
    assert cell(page, 0, PROFIT).text == f"{expected:,.0f}"


# ---------------------------------------------------------------- table


def test_the_table_shows_every_model_and_metric(page):
    model = page.table.metrics
    assert model.rowCount() == 4
    titles = [model.headerData(c, Qt.Orientation.Horizontal) for c in range(model.columnCount())]
    assert titles == [
        "Model",
        "AUC",
        "KS",
        "Lift, best 2 %",
        "Log loss",
        "Brier score",
        "Profit, €",
    ]
    notes = [column.note for column in model.columns()]
    assert notes[0] == "↑ higher"
    assert notes[3] == "↓ lower"
    assert notes[-1] == "best 21.3\u00a0%"
    auc = next(c for c in make_evaluation().cells if (c.metric, c.model) == ("auc", "logit"))
    assert cell(page, 1, 1).text == f"{auc.estimate.value:.3f}"


def test_the_last_row_is_what_there_is_without_a_model(page, qtbot):
    table, decisions = page.table, make_decisions()
    model = table.metrics
    row = model.rowCount() - 1
    assert model.is_no_model(row)
    assert model.data(model.index(row, 0)) == "No model"
    share = 0.05
    wanted = ["0.500", "0.000", "1.0", f"{-share * np.log(share) - 0.95 * np.log(0.95):.4f}"]
    assert [cell(page, row, at).text for at in range(1, 5)] == wanted
    best = max(decisions.act_on_all, decisions.do_nothing)
    assert cell(page, row, PROFIT).text == f"{best:,.0f}".replace("-", "−")
    assert "for all: " in cell(page, row, PROFIT).words
    for _ in range(2):  # best first, worst first: it stays below
        table.sort_by(1)
        assert model.data(model.index(row, 0)) == "No model"
    with qtbot.assertNotEmitted(table.model_chosen):
        table.activated.emit(model.index(row, 1))


def test_bars_of_a_metric_share_one_scale_and_metrics_do_not(page):
    columns = page.table.metrics.columns()
    for column in columns:
        assert len({entry.scale for entry in column.cells}) == 1
    assert columns[0].cells[0].scale != columns[3].cells[0].scale
    low, high = columns[0].cells[0].scale
    assert low <= min(e.estimate.low for e in columns[0].cells)
    assert high >= max(e.estimate.high for e in columns[0].cells)


def test_best_and_tied_are_marked_and_said(page):
    assert cell(page, 0, 1).is_best
    tied = cell(page, 1, 3)
    assert tied.is_tied
    assert not tied.is_best
    model = page.table.metrics
    spoken = model.data(model.index(1, 3), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith("not distinguishable")
    assert "95 % from" in spoken


def test_profits_that_cannot_be_told_apart_are_tied(session, page):
    reading = make_reading(0.213)
    pair = replace(reading.differences[0], estimate=Estimate(value=100.0, low=-50.0, high=250.0))
    session.results.reading_changed.emit(
        replace(reading, differences=(pair, reading.differences[1]))
    )
    assert cell(page, 0, PROFIT).is_best
    assert cell(page, 1, PROFIT).is_tied
    assert not cell(page, 2, PROFIT).is_tied


def test_only_the_profit_column_changes_with_the_cursor(qtbot, session, page):
    changed: list[int] = []
    model = page.table.metrics
    model.dataChanged.connect(lambda first, last, roles: changed.append(first.column()))
    with qtbot.assertNotEmitted(model.modelReset):
        session.results.move_cursor(0.4)
    assert changed == [PROFIT] * 3


def test_the_question_mark_explains_a_metric(qtbot, page):
    header = page.table.header()
    place = header.section_help_rect(1).center().toPoint()
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    popover = QApplication.activePopupWidget()
    assert popover is not None
    assert popover.accessibleName() == "AUC"
    popover.close()


@pytest.mark.parametrize(("width", "is_whole"), [(1400, True), (1000, False)])
def test_names_of_models_are_whole_where_metrics_do_not_need_the_room(page, width, is_whole):
    table = page.table
    before = table.columnWidth(0)
    name = "scorecard 2026 application default"
    look = table.metrics._check_now
    first = replace(look.models[0], name=name)
    changed = replace(look, models=(first, *look.models[1:]))
    table.resize(width, table.height())
    table.metrics.set_columns(changed, table.metrics._columns, table.metrics._profit)
    assert (table.columnWidth(0) >= table._names_width()) is is_whole
    assert before < table._names_width()
    total = sum(table.columnWidth(c) for c in range(table.metrics.columnCount()))
    assert total <= table.viewport().width()


@pytest.mark.parametrize(("width", "most"), [(1208, 240), (2488, 360)])
def test_boxes_of_the_header_hold_longer_words_on_a_wide_page(jobs, open_page, width, most):
    page = open_page(make_session(jobs=jobs), width, 622)
    assert page.choices.reference.maximumWidth() == most


def test_columns_fill_the_width_without_sideways_scrolling(jobs, open_page):
    page = open_page(make_session(jobs=jobs), 1208, 622)
    table = page.table
    total = sum(table.columnWidth(c) for c in range(table.metrics.columnCount()))
    assert total <= table.viewport().width()
    assert total >= table.viewport().width() - 8
    assert not table.horizontalScrollBar().isVisible()
    assert page.minimumSizeHint().width() <= 1208
    for chart in page.grid.charts():
        assert chart.is_useful_size()
        assert page.rect().contains(
            chart.mapTo(page, QPoint(chart.width() - 1, chart.height() - 1))
        )


# ---------------------------------------------------------------- footer


def test_the_footer_compares_with_the_strongest_other(page):
    text = page.footer.sentence.text()
    assert "gbm 2 against logit:" in text
    assert "AUC +0.022 (" in text
    assert "profit +€\u00a01,152 (" in text
    assert "Ahead in 1,000 of 1,000 resamples (p\u00a0&lt;\u00a00.002)." in text
    assert "not distinguishable" in page.footer.legend.text()


def test_a_click_on_a_row_compares_with_that_model(page):
    page.table.clicked.emit(page.table.metrics.index(2, 0))
    assert "gbm 2 against agency:" in page.footer.sentence.text()


def test_resampled_differences_come_before_the_exact_ones(session, page):
    pair = PairedDifference(
        first="gbm 2",
        second="logit",
        metric="total_profit",
        estimate=Estimate(value=1638.0, low=896.0, high=2381.0),
        p_value=0.04,
        ahead=981,
        resamples=1000,
    )
    result = ResampleResult(resamples=1000, differences=(), at_depth=(pair,), seconds=1.0)
    session.results.resamples = result
    session.results.resamples_changed.emit(result)
    assert "profit +€\u00a01,638 (896 to 2,381)" in page.footer.sentence.text()


def test_money_of_another_depth_leaves_the_footer(session, page):
    assert "profit" in page.footer.sentence.text()
    session.results.move_cursor(0.4)
    assert "profit" not in page.footer.sentence.text()
    session.results.reading_changed.emit(make_reading(0.4))
    assert "profit" not in page.footer.sentence.text()  # still dragging
    session.results.move_cursor(0.4, finished=True)
    assert "profit" in page.footer.sentence.text()


# ---------------------------------------------------------------- wishes


def test_choosing_a_reference_is_a_command(session, page):
    page.choices.reference.setCurrentIndex(1)
    page.choices.reference.activated.emit(1)
    assert session.project.document.reference_model == "logit"
    assert page.table.is_reference(1)
    page.resize(1600, 800)
    assert page.decide_button.text() == "Decide with logit"
    page.resize(1000, 800)  # no room for more: the tool tip says it
    assert page.decide_button.text() == "Decide"
    assert page.decide_button.toolTip() == "Decide with logit"
    assert page.grid.evaluation_charts[4].view.spec.subtitle.endswith("logit")
    session.project.undo()
    assert page.table.is_reference(0)
    assert page.choices.reference.currentText() == "gbm 2"


def test_a_change_elsewhere_is_shown(session, page):
    session.project.execute(SetReferenceModel(model="agency"))
    assert page.choices.reference.currentText() == "agency"


def test_rows_are_chosen_among_those_there_are(jobs, open_page):
    document = replace(
        make_document(),
        split=SplitSpec(column="use", meaning=(("t", RowUse.TRAIN), ("v", RowUse.VALIDATION))),
    )
    session = make_session(document, jobs=jobs)
    page = open_page(session)
    entries = [page.choices.data.itemText(i) for i in range(page.choices.data.count())]
    assert entries == ["Training", "Validation, 20,000 customers", "All rows"]
    page.choices.data.activated.emit(2)
    assert session.project.document.rows_used is RowUse.ALL


def test_decide_opens_the_page(qtbot, session, page):
    with qtbot.waitSignal(session.page_requested) as requested:
        qtbot.mouseClick(page.decide_button, Qt.MouseButton.LeftButton)
    assert requested.args == ["decide"]


def test_one_chart_can_take_the_whole_room(qtbot, page):
    chart = page.grid.evaluation_charts[2]
    chart.enlarge_requested.emit()
    assert page.grid.large is chart
    assert [entry.isVisible() for entry in page.grid.charts()].count(True) == 1
    qtbot.waitUntil(lambda: chart.size() == page.grid.size())
    assert chart.view.has_flag
    qtbot.keyClick(chart.view, Qt.Key.Key_Escape)
    assert page.grid.large is None
    assert all(entry.isVisible() for entry in page.grid.charts())


def test_the_event_is_chosen_only_with_more_than_two_classes(jobs, page, open_page):
    assert not page.choices.level.isVisible()
    target = TargetSpec(column="grade", kind="multiclass", levels=("a", "b", "c"))
    session = make_session(replace(make_document(), target=target), jobs=jobs)
    other = open_page(session)
    assert other.choices.level.isVisible()
    assert [other.choices.level.itemText(i) for i in range(3)] == ["a", "b", "c"]
    other.choices.level.activated.emit(1)
    assert session.results.level == "b"


def test_metrics_are_chosen_with_their_parameters(qtbot, session, page):
    depth = Parameter(
        name="depth",
        words="depth",
        default=0.02,
        minimum=0.001,
        maximum=1.0,
        unit=NumberUnit.PERCENT,
    )
    infos = make_evaluation().metrics
    lift = replace(infos[2], label="Lift", title="Lift, best 2 %", parameters=(depth,))
    session.plugins.known = PluginsResult(
        plugins=(), metrics=(*infos[:2], lift, *infos[3:]), templates=()
    )
    qtbot.mouseClick(page.metrics_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(MetricsDialog)
    assert [c.metric for c in dialog.choices()] == ["auc", "ks", "lift", "log_loss", "brier"]
    dialog.chosen.setCurrentRow(4)
    dialog.remove_current()
    dialog.search.setText("lift")
    assert dialog.offered.item(0).isHidden()
    dialog.offered.setCurrentRow(2)
    dialog.add_current()
    dialog.set_parameter("depth", 0.1)
    shown = dialog.chosen.currentItem().text()
    assert shown == f"Lift ({depth.words} 10\N{NO-BREAK SPACE}%)"  # not "best 2 % (… 10 %)"
    dialog.up.click()
    dialog.accept()
    assert session.project.document.metrics == (
        MetricChoice(metric="auc"),
        MetricChoice(metric="ks"),
        MetricChoice(metric="lift"),
        MetricChoice(metric="lift", parameters=(("depth", 0.1),)),
        MetricChoice(metric="log_loss"),
    )


def test_a_choice_of_a_metric_is_made_by_its_words(qtbot, session, page):
    weights = Parameter(
        name="weights",
        words="what a disagreement costs",
        default=0.0,
        kind=ParameterKind.CHOICE,
        choices=("all alike", "distance"),
    )
    infos = make_evaluation().metrics
    kappa = replace(infos[2], parameters=(weights,))
    session.plugins.known = PluginsResult(
        plugins=(), metrics=(*infos[:2], kappa, *infos[3:]), templates=()
    )
    qtbot.mouseClick(page.metrics_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(MetricsDialog)
    dialog.chosen.setCurrentRow(2)
    (combo,) = dialog.findChildren(QComboBox)
    assert combo.currentText() == "all alike"
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert "distance" in dialog.chosen.item(2).text()
    dialog.accept()
    wanted = MetricChoice(metric="lift", parameters=(("weights", 1.0),))
    assert session.project.document.metrics[2] == wanted
    requested = MetricChoice(metric="uplift", parameters=(("kind", "linear"),))
    known = replace(
        kappa,
        aliases=("uplift",),
        parameters=(replace(weights, aliases=("kind",), choice_aliases=((), ("linear",))),),
    )
    assert settled_choice(requested, (known,)) == wanted


def test_the_column_that_a_metric_reads_is_chosen(qtbot, session, page):
    loan = DataColumn(name="loan", words="amount of the loan")
    infos = make_evaluation().metrics
    lost = replace(
        infos[0], metric="lost", label="Lost", title="Lost", columns=(loan,), parameters=()
    )
    session.plugins.known = PluginsResult(plugins=(), metrics=(*infos, lost), templates=())
    session.project.summary = make_summary()
    texts = ("text", "date", "boolean")
    numbers = [entry.name for entry in session.project.summary.columns if entry.kind not in texts]
    qtbot.mouseClick(page.metrics_button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(MetricsDialog)
    dialog.offered.setCurrentRow(dialog.offered.count() - 1)
    dialog.add_current()
    field = dialog.parameters.editor("loan")
    assert [field.itemText(place) for place in range(field.count())] == ["loan", *numbers]
    dialog.set_parameter("loan", numbers[0])
    last = dialog.chosen.item(dialog.chosen.count() - 1)
    assert last.text() == f"Lost (amount of the loan {numbers[0]})"
    dialog.accept()
    wanted = MetricChoice(metric="lost", parameters=(("loan", numbers[0]),))
    assert session.project.document.metrics[-1] == wanted
    assert settled_choice(wanted, (lost,)) == wanted


def test_models_of_a_rank_are_not_offered_to_decide_with(jobs, open_page):
    times = replace(make_document(), target=TargetSpec(column="days", kind="interval"))
    roles = (
        RoleAssignment(column="days", role=Role.TARGET),
        RoleAssignment(column="died", role=Role.EVENT),
    )
    page = open_page(make_session(replace(times, roles=(*times.roles, *roles)), jobs=jobs))
    assert page.decide_button.isHidden()
    assert not page.metrics_button.isHidden()


# ---------------------------------------------------------------- nothing yet


def test_without_data_the_page_says_what_to_do(qtbot, jobs, open_page):
    session = make_session(Document(), jobs=jobs)
    session.results.evaluation = session.results.decisions = session.results.reading = None
    page = open_page(session)
    assert page.stack.currentIndex() == 1
    assert page.empty_text.text().startswith("Open a file")
    assert not page.decide_button.isEnabled()
    with qtbot.waitSignal(session.page_requested) as requested:
        qtbot.mouseClick(page.empty_button, Qt.MouseButton.LeftButton)
    assert requested.args == ["home"]


def test_without_models_the_way_to_one_is_shown(jobs, open_page):
    document = replace(
        make_document(),
        roles=(RoleAssignment(column="respond", role=Role.TARGET),),
        models=(),
        reference_model=None,
    )
    session = make_session(document, jobs=jobs)
    session.results.evaluation = session.results.decisions = session.results.reading = None
    page = open_page(session)
    assert "There is no model yet" in page.empty_text.text()
    assert page.empty_button.text() == "Train a model"


def test_without_a_matrix_the_profit_chart_offers_decide(qtbot, jobs, open_page):
    session = make_session(jobs=jobs)
    session.results.decisions = session.results.reading = None
    page = open_page(session)
    profit = page.grid.profit
    assert profit.view.spec is None
    assert page.table.metrics.columnCount() == 6
    assert page.header_cursor.words.full_text().startswith("4,260 customers")
    with qtbot.waitSignal(session.page_requested) as requested:
        profit.fill_requested.emit()
    assert requested.args == ["decide"]


def test_before_the_first_answer_the_charts_wait(jobs, open_page):
    session = make_session(jobs=jobs)
    session.results.evaluation = session.results.decisions = session.results.reading = None
    page = open_page(session)
    assert page.stack.currentIndex() == 0
    assert page.table.metrics.columnCount() == 1
    assert all(chart.view.spec is None for chart in page.grid.charts())
    result = make_evaluation()
    session.results.evaluation = result
    session.results.evaluation_changed.emit(result)
    assert all(chart.view.spec is not None for chart in page.grid.evaluation_charts)


def test_a_number_as_outcome_has_no_groups(jobs, open_page):
    target = TargetSpec(column="amount", kind="interval")
    result = replace(make_evaluation(), charts=(), depths=(), level="", class_levels=())
    session = make_session(replace(make_document(), target=target), result, jobs=jobs)
    page = open_page(session)
    assert page.grid.kinds == USUAL_CHARTS["regression"]
    assert page.grid.evaluation_charts[0]._empty_text.text() == "These rows have nothing for it."
    session.results.move_cursor(0.4)
    assert page.table.metrics.columnCount() == 7


def test_warnings_stand_before_the_numbers(jobs, open_page):
    result = replace(make_evaluation(), warnings=("These rows trained the model.",))
    page = open_page(make_session(evaluation=result, jobs=jobs))
    assert page.warning_row.isVisible()
    assert page.warning.full_text() == "These rows trained the model."


def test_unfinished_intervals_are_left_open(jobs, open_page):
    result = make_evaluation()
    open_cells = tuple(
        replace(c, estimate=replace(c.estimate, low=np.nan, high=np.nan)) for c in result.cells
    )
    page = open_page(make_session(evaluation=replace(result, cells=open_cells), jobs=jobs))
    assert "95 %" not in cell(page, 0, 1).words
    page.grab()


def test_the_header_data_is_kept_per_column(page):
    model = page.table.metrics
    column = model.headerData(1, Qt.Orientation.Horizontal, COLUMN_ROLE)
    assert column.info.metric == "auc"
    assert model.headerData(99, Qt.Orientation.Horizontal) is None


def test_charts_of_a_very_low_page_scroll_before_they_lose_their_axes(jobs, open_page):
    page = open_page(make_session(jobs=jobs), 1208, 520)
    for chart in page.grid.charts():
        assert chart.is_useful_size()
    assert page.grid.verticalScrollBar().maximum() > 0


def test_a_page_made_after_the_resamples_says_the_interval_that_decide_says(session, qtbot):
    """Draws that came before this page was there are taken where their difference is the one."""
    depth = session.results.cursor_depth
    first, second = (at_depth(entry, depth) for entry in session.results.decisions.models[:2])
    gap = first.profit - second.profit
    pair = PairedDifference(
        first="gbm 2",
        second="logit",
        metric="total_profit",
        estimate=Estimate(value=gap, low=gap - 777.0, high=gap + 888.0),
        p_value=0.04,
        ahead=981,
        resamples=1000,
    )
    session.results.resamples = ResampleResult(
        resamples=1000, differences=(), at_depth=(pair,), seconds=1.0
    )
    late = ComparePage(session)
    qtbot.addWidget(late)
    shown = against_model(first, second, None, session.results.resamples)
    assert format_money_interval(shown.low, shown.high) in late.footer.sentence.text()
    assert "ahead in 981" in late.footer.sentence.text().lower()


def test_a_sentence_that_is_too_long_for_its_line_takes_two(qtbot):
    footer = TableFooter()
    qtbot.addWidget(footer)
    footer.set_texts(
        joined(("gbm against logit: " + 30 * "AUC +0.026 (0.018 to 0.034). ",)), ("L",)
    )
    footer.resize(1_000, footer.heightForWidth(1_000))
    footer.show()
    label = footer.sentence
    assert label.height() >= label.heightForWidth(label.width()) > 2 * label.fontMetrics().height()
    assert footer.legend.text() == ""
