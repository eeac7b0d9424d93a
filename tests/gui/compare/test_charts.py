"""Any chart in the grid, on the shared cursor, on the report; the table sorted and marked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel

from core.document.compare.chart_kinds import USUAL_CHARTS, charts_shown, kinds_of
from core.document.compare.commands import SetCharts
from core.document.report.commands import PutOnReport
from core.document.results import ChartData, Curve, SeenRows
from core.presentation.evaluation.curve_looks import CHART_LABELS
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from gui.pages.compare.metric_model import CELL_ROLE, MARK_ROLE
from gui.pages.compare.widget import ComparePage
from tests.helpers.answers.synthetic import make_evaluation
from tests.helpers.harness import make_session

DEPTH = np.linspace(0.0, 1.0, 101)


def further(kind, *names):
    """A made-up chart of a kind for the three models."""
    curves = [
        Curve(model=model, name=name, x=DEPTH, y=0.9 - 0.5 * DEPTH, low=None, high=None)
        for model in ("gbm 2", "logit", "agency")
        for name in names or ("",)
    ]
    return ChartData(kind=kind, curves=tuple(curves), definition=f"What {kind} is.", variant="")


def evaluation_with(*charts, **changes):
    made = make_evaluation()
    return replace(made, charts=(*made.charts, *charts), **changes)


@pytest.fixture
def open_page(show) -> Callable[..., ComparePage]:
    return lambda session, *size: show(ComparePage(session), *size)


@pytest.fixture
def session(jobs):
    return make_session(jobs=jobs)


# ---------------------------------------------------------------- the catalogue


def test_every_kind_can_be_drawn():
    own = {*USUAL_CHARTS["binary"]}
    for task in USUAL_CHARTS:
        for entry in kinds_of(task):
            assert entry.kind in own or entry.kind in CHART_LABELS
            assert entry.title
            assert entry.subtitle
        assert set(USUAL_CHARTS[task]) <= {entry.kind for entry in kinds_of(task)}


def test_charts_that_do_not_fit_the_task_give_way_to_the_usual_ones():
    assert charts_shown(("residuals",), "binary") == USUAL_CHARTS["binary"]
    assert charts_shown(("ks", "residuals"), "binary") == ("ks",)
    assert charts_shown((), "survival") == USUAL_CHARTS["survival"]


# ---------------------------------------------------------------- the grid


def test_a_refusal_of_all_charts_is_said_once_above_them(session, open_page):
    session.results.evaluation = None
    session.results.refusals["evaluate"] = "The outcome has one class only."
    page = open_page(session)
    assert page.warnings == ("The outcome has one class only.",)
    words = {chart._empty_text.text() for chart in page.grid.evaluation_charts}
    assert words == {"Not drawn: see above."}


def test_chosen_charts_stand_in_the_grid_in_their_order(session, open_page):
    session.results.evaluation = evaluation_with(further("ks"), further("response"))
    page = open_page(session)
    assert page.grid.kinds == USUAL_CHARTS["binary"]
    session.project.execute(SetCharts(charts=("ks", "roc", "response")))
    assert page.grid.kinds == ("ks", "roc", "response")
    shown = [chart for chart in page.grid.every_chart() if chart.isVisible()]
    assert len(shown) == 3
    assert {page.grid.kind_of(chart) for chart in shown} == {"ks", "roc", "response"}
    assert page.grid.evaluation_charts[0].view.spec.definition == "What ks is."
    session.project.undo()
    assert page.grid.kinds == USUAL_CHARTS["binary"]


def test_more_than_two_rows_scroll_and_stay_as_high(session, open_page, qtbot):
    kinds = tuple(entry.kind for entry in kinds_of("binary"))
    session.project.execute(SetCharts(charts=kinds))
    page = open_page(session)
    grid = page.grid
    assert grid.widget().height() > grid.viewport().height()
    rows = -(-len(kinds) // 3)
    height = (grid.widget().height() - 12 * (rows - 1)) / rows
    assert height == pytest.approx((grid.viewport().height() - 12) / 2, abs=2)
    assert grid.widget().width() <= grid.viewport().width()


def test_all_charts_share_one_cursor(session, open_page, qtbot):
    kinds = ("response", "ks", "lorenz", "threshold", "precision_recall", "cost")
    charts = [further(kind, *(("sensitivity",) if kind == "threshold" else ())) for kind in kinds]
    session.results.evaluation = evaluation_with(*charts)
    session.project.execute(SetCharts(charts=kinds))
    page = open_page(session)
    by_kind = {page.grid.kind_of(chart): chart for chart in page.grid.charts()}
    viewport, layout = by_kind["ks"].view.viewport(), by_kind["ks"].view.chart_layout
    place = QPoint(round(layout.to_x(0.4)), round(layout.plot.center().y()))
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=place)
    depth = session.results.cursor_depth
    assert depth == pytest.approx(0.4, abs=0.004)
    assert by_kind["response"].view.state.x == depth
    assert by_kind["lorenz"].view.state.x == pytest.approx(1 - depth)
    ranking = make_evaluation().depths[0]
    threshold = np.interp(depth, ranking.depth, ranking.threshold)
    assert by_kind["threshold"].view.state.x == pytest.approx(threshold, rel=1e-3)
    rings = by_kind["precision_recall"].view.state.rings
    found = np.interp(depth, ranking.depth, ranking.class_share[0])
    assert rings[0].x == pytest.approx(found, abs=1e-3)
    assert by_kind["cost"].view.state.x is None
    assert [line.name for line in by_kind["cost"].view.state.lines] == ["gbm 2", "logit", "agency"]


def test_a_chart_of_the_lowest_reads_back_the_depth(session, open_page):
    session.results.evaluation = evaluation_with(further("lorenz"))
    session.project.execute(SetCharts(charts=("lorenz",)))
    page = open_page(session)
    (chart,) = page.grid.evaluation_charts
    assert chart.depth_at(0.75, 0.0) == pytest.approx(0.25)
    assert "Lowest" in chart.view.state.head


def test_pictures_of_amounts_follow_the_cursor(session, open_page):
    prediction = np.linspace(500.0, 0.0, len(DEPTH))
    none = np.empty((0, len(DEPTH)))
    depths = tuple(
        replace(
            entry,
            depth=DEPTH,
            cases=20_000 * DEPTH,
            threshold=prediction,
            class_share=none,
            class_share_low=none,
            class_share_high=none,
        )
        for entry in make_evaluation().depths
    )
    charts = [further("residuals"), further("quantile_calibration")]
    charts[0] = replace(
        charts[0], curves=tuple(replace(c, x=prediction[::-1]) for c in charts[0].curves)
    )
    target = replace(session.project.document.target, kind="interval", levels=(), labels=())
    session.project.take_document(replace(session.project.document, target=target, matrix=None))
    session.results.evaluation = evaluation_with(*charts, depths=depths, class_levels=())
    session.project.execute(SetCharts(charts=("residuals", "quantile_calibration")))
    page = open_page(session)
    residuals, quantiles = page.grid.evaluation_charts
    session.results.move_cursor(0.2)
    assert residuals.view.state.x == pytest.approx(400.0)
    assert residuals.view.state.note == "prediction above 400.0"
    assert len(residuals.view.state.rings) == 3
    assert quantiles.view.state.x == pytest.approx(0.2)
    assert "4,000" in quantiles.view.state.head
    assert residuals.depth_at(100.0, 0.0) == pytest.approx(0.8)


def test_several_lines_of_the_chosen_model_differ_in_dash(session, open_page):
    session.results.evaluation = evaluation_with(further("threshold", "sensitivity", "specificity"))
    session.project.execute(SetCharts(charts=("threshold",)))
    (chart,) = open_page(session).grid.evaluation_charts
    series = chart.view.spec.series
    assert [entry.name for entry in series] == ["sensitivity", "specificity"]
    assert len({entry.dash for entry in series}) == 2
    assert len({entry.series for entry in series}) == 1


def test_a_chart_without_curves_says_why(session, open_page):
    session.project.execute(SetCharts(charts=("roi", "ks")))
    page = open_page(session)
    roi = page.grid.evaluation_charts[0]
    assert "return is drawn here" in roi._empty_text.text()


def test_a_chart_can_be_enlarged_and_made_small(session, open_page):
    session.results.evaluation = evaluation_with(further("ks"))
    session.project.execute(SetCharts(charts=("roc", "ks")))
    page = open_page(session)
    chart = page.grid.evaluation_charts[1]
    chart.enlarge_requested.emit()
    assert page.grid.large is chart
    assert not page.grid.evaluation_charts[0].isVisible()
    session.project.execute(SetCharts(charts=("ks",)))
    assert page.grid.large is None


def test_charts_are_chosen_in_a_dialog(session, open_page, qtbot):
    page = open_page(session)
    dialog = page.charts.open_choice()
    assert dialog.chosen() == USUAL_CHARTS["binary"]
    for kind in USUAL_CHARTS["binary"][2:]:
        dialog.tick(kind, is_on=False)
    dialog.tick("net_benefit")
    dialog.accept()
    assert session.project.document.charts == ("roc", "gains", "net_benefit")
    dialog = page.charts.open_choice()
    dialog.usual.click()
    dialog.accept()
    assert session.project.document.charts == ()


# ---------------------------------------------------------------- the report


def test_charts_go_on_the_report_and_off_it(session, open_page):
    page = open_page(session)
    chart = page.grid.evaluation_charts[0]
    chart.report_toggled.emit(True)
    assert [item.kind for item in session.project.document.report] == ["roc"]
    assert chart._buttons["report"].isChecked()
    chart.report_toggled.emit(False)
    assert session.project.document.report == ()
    messages = []
    session.project.message_posted.connect(messages.append)
    page.report_button.put_all()
    assert [item.kind for item in session.project.document.report] == [
        "metrics",
        *USUAL_CHARTS["binary"],
    ]
    page.report_button.put_all()
    assert "already" in messages[-1]


def test_the_report_costs_no_computation(session, engine):
    document = session.project.document
    on = PutOnReport(kind="roc").apply(document)
    assert CompareModels.key(on) == CompareModels.key(document)
    assert Totals.key(on) == Totals.key(document)
    charts = SetCharts(charts=("ks",)).apply(document)
    assert Totals.key(charts) == Totals.key(document)
    assert CompareModels.key(charts) != CompareModels.key(document)


# ---------------------------------------------------------------- the table


def names(page):
    table = page.table.metrics
    return [table.model_at(row) for row in range(table.rowCount()) if not table.is_no_model(row)]


def test_rows_sort_best_first_worst_first_and_as_they_stand(session, open_page, qtbot):
    page = open_page(session)
    assert names(page) == ["gbm 2", "logit", "agency"]
    header = page.table.header()
    place = QPoint(header.sectionViewportPosition(1) + 12, 14)
    qtbot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert names(page) == ["gbm 2", "logit", "agency"]
    assert page.table.metrics.sorted_by == (1, True)
    qtbot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert names(page) == ["agency", "logit", "gbm 2"]
    cell = page.table.metrics.index(0, 1).data(CELL_ROLE)
    assert cell.words.startswith("AUC, agency")
    qtbot.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert names(page) == ["gbm 2", "logit", "agency"]
    page.table.sort_by(4)  # log loss: lower is better, so the best is the lowest
    assert names(page)[0] == "gbm 2"
    page.table.sort_by(0)
    assert names(page) == ["agency", "gbm 2", "logit"]


def test_a_row_that_flatters_is_marked_and_said_first(session, open_page):
    seen = (SeenRows(model="logit", how="stopped", rows=2_000),)
    session.results.evaluation = evaluation_with(
        seen=seen, favoured="These rows flatter logit (stopped here): favoured over gbm 2."
    )
    page = open_page(session)
    table = page.table.metrics
    marks = [table.index(row, 0).data(MARK_ROLE) for row in range(3)]
    assert marks == ["", "flattering: stopped here (2,000 rows)", ""]
    assert "flattering: stopped here" in table.index(1, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert page.warning.full_text().startswith("These rows flatter logit")
    assert "flattering" in table.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_every_number_answers_what_is_this(session, open_page, qtbot):
    page = open_page(session)
    popover = page.table.explain_cell(page.table.metrics.index(1, 1))
    text = " ".join(label.text() for label in popover.findChildren(QLabel))
    assert "AUC, logit" in text
    assert "for this finished model" in text
    assert "seed 20261" in text
    popover.close()
    assert page.table.explain_cell(page.table.metrics.index(1, 0)) is None


def test_every_number_of_the_page_has_an_explanation(session, open_page, qtbot):
    """Walks the table cell by cell, the charts, the footer and the cursor."""
    kinds = tuple(entry.kind for entry in kinds_of("binary") if entry.kind in CHART_LABELS)
    session.project.take_document(replace(session.project.document, charts=("gains", *kinds)))
    session.results.evaluation = evaluation_with(*(further(kind) for kind in kinds))
    page = open_page(session)
    page.refresh()
    table = page.table.metrics
    assert table.columnCount() > 2
    for row in range(table.rowCount()):
        for column in range(1, table.columnCount()):
            popover = page.table.explain_cell(table.index(row, column))
            assert popover is not None, (row, column)
            text = " ".join(label.text() for label in popover.findChildren(QLabel))
            assert table.model_at(row) in text
            assert "for this finished model" in text
            popover.close()
    for column in range(1, table.columnCount()):
        popover = page.table.header().explain(column)
        assert popover is not None
        popover.close()
    for card in page.grid.charts():
        assert card.view.spec is not None, page.grid.kind_of(card)
        assert card.view.spec.definition, page.grid.kind_of(card)
    assert "same cases" in page.footer.sentence.toolTip()
    assert "resamples" in page.footer.sentence.toolTip()
    assert "acted on" in page.header_cursor.field.whatsThis()
    assert "acted on" in page.header_cursor.words.whatsThis()


def test_the_table_goes_on_the_report_from_its_own_menu(session, open_page):
    page = open_page(session)
    rect = page.table.visualRect(page.table.metrics.index(1, 1))
    menu = page.table.menu_at(rect.center())
    by_words = {action.text(): action for action in menu.actions()}
    assert list(by_words) == [
        "What is this?",
        "Copy table",
        "Copy as shown",
        "Export table…",
        "Add to report",
        "Copy as Python",
    ]
    assert by_words["What is this?"].isEnabled()
    report = by_words["Add to report"]
    assert not report.isChecked()
    by_words["Copy table"].trigger()
    head, first, *_ = QApplication.clipboard().text().splitlines()
    names = [column.info.title for column in page.table.metrics.columns()]
    assert head.split("\t")[:4] == ["Model", names[0], f"{names[0]}, from", f"{names[0]}, to"]
    estimate = page.table.metrics.columns()[0].cells[0].estimate
    ends = (estimate.value, estimate.low, estimate.high)
    assert tuple(map(float, first.split("\t")[1:4])) == ends
    report.trigger()
    assert [item.kind for item in session.project.document.report] == ["metrics"]
    again = next(
        action
        for action in page.table.menu_at(rect.center()).actions()
        if action.text() == "Add to report"
    )
    assert again.isChecked()
    again.trigger()
    assert session.project.document.report == ()
