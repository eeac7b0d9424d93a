"""The tabs Capacity, Cases, Swap set and Gap: what they ask, and what they say of the answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from core.document.decisions.matrix_model import (
    MatrixKind,
    NumberKind,
    NumberRef,
    NumberSetting,
    Scenario,
)
from core.document.decisions.numbers import AddScenario, RemoveScenario
from core.document.results import DecisionResult
from core.document.studies.decided_cases import SwapSide
from core.presentation.view import View
from core.questions.decide import Capacity, CasesOneByOne, Gap, Swap
from core.questions.decide_fields import BEST, CURSOR, PINNED, SCENARIO, WITHIN
from gui.pages.decide.studies.capacity import CapacityStudy
from gui.pages.decide.studies.cases import CLOUD, CasesStudy
from gui.pages.decide.studies.gap import GapStudy
from gui.pages.decide.studies.rankings import RankingsStudy
from gui.pages.decide.studies.study import Study
from gui.pages.decide.studies.swap import SwapStudy
from gui.widgets.tables.cells import Rows
from gui.widgets.tables.paged_model import KEPT_PAGES, PAGE
from payoff.errors import PayoffError
from tests.gui.decide.studies import opened
from tests.helpers.answers import decide as answers
from tests.helpers.answers.synthetic import make_decisions
from tests.helpers.forms import choose_data
from tests.helpers.harness import DecideHarness


def asked(harness: DecideHarness, kind: str) -> list[object]:
    return harness.engine.arguments_of(kind)


# ------------------------------------------------------------ capacity


def capacity(harness: DecideHarness, qtbot: QtBot) -> CapacityStudy:
    study = opened(harness, CapacityStudy)
    assert isinstance(study, CapacityStudy)
    qtbot.waitUntil(lambda: study.view is not None)
    return study


def shown(study: Study) -> View:
    assert study.view is not None
    return study.view


def test_capacity_begins_with_half_of_what_the_rule_does(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = capacity(harness, qtbot)
    (request,) = asked(harness, "decide.capacity")
    assert isinstance(request, Capacity)
    assert request.most_actions == 2100.0  # of 4,268
    assert request.most_money is None
    assert shown(study).figure.startswith("€\u00a08,6")
    assert "One more customer mailed would earn €\u00a01.53" in shown(study).sentences[0]
    assert "really brought €\u00a01.31" in shown(study).sentences[0]
    assert "2,100 of 20,000 customers mailed" in shown(study).sentences[1]
    assert "The limit costs €\u00a0" in shown(study).sentences[1]


def test_other_limits_ask_again_and_the_price_is_the_users(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = capacity(harness, qtbot)
    study.form.box("most_actions").click()
    study.form.box("most_money").click()
    study.form.editor("price").choose(2.0)
    qtbot.waitUntil(
        lambda: "unit" in shown(study).sentences[0] or "€\u00a00.96" in shown(study).sentences[0]
    )
    request = asked(harness, "decide.capacity")[-1]
    assert isinstance(request, Capacity)
    assert request.most_actions is None
    assert request.most_money is not None
    assert request.price is not None
    spec = study.panel.charts[0].view.spec
    assert spec is not None
    assert spec.x_axis.quantity == "money"


def test_use_this_depth_moves_the_cursor(harness: DecideHarness, qtbot: QtBot) -> None:
    study = capacity(harness, qtbot)
    study.panel.buttons[0].click()
    assert harness.document.cursor_depth == pytest.approx(0.105)
    assert len(asked(harness, "decide.capacity")) == 1  # the cursor is no part of the question


def test_a_limit_that_does_not_bind_says_so(harness: DecideHarness, qtbot: QtBot) -> None:
    study = capacity(harness, qtbot)
    study.form.editor("most_actions").choose(9000.0)
    qtbot.waitUntil(lambda: "does not bind" in shown(study).sentences[0])


def test_the_chart_reads_out_and_stands_at_the_limit(harness: DecideHarness, qtbot: QtBot) -> None:
    study = capacity(harness, qtbot)
    state = study.panel.charts[0].view.state
    assert state is not None
    assert state.x == pytest.approx(2100.0)
    assert state.head == "2,100 customers, one more: €\u00a01.53"  # as the sentence beside it
    (line,) = (entry for entry in state.lines if entry.name == "gbm 2")
    assert line.value.split(".")[0] == study.panel.figure.text().split(".")[0]
    names = [line.name for line in state.lines]
    assert names == ["gbm 2", "logit", "agency", "gbm 2, promised"]


def test_several_actions_are_spoken_of_as_such(harness: DecideHarness, qtbot: QtBot) -> None:
    study = capacity(harness, qtbot)
    assert study.form.editor("price").isVisible()

    def two_actions(requested: object) -> object:
        assert isinstance(requested, Capacity)
        result = answers.capacity(requested)
        counts = (("Mail", 1500.0), ("Call", 600.0), ("Do nothing", 17_900.0))
        points = tuple(replace(point, counts=counts) for point in result.points)
        return replace(result, acting=("Mail", "Call"), points=points)

    harness.engine.answers["decide.capacity"] = two_actions
    study.form.editor("most_actions").choose(1000.0)
    qtbot.waitUntil(lambda: "Mail 1,500, Call 600 and" in shown(study).sentences[1])
    assert "One more customer acted on" in shown(study).sentences[0]
    assert not study.form.editor("price").isVisible()  # each action has its own
    assert not study.panel.buttons[0].isEnabled()


def test_a_refusal_takes_the_place_of_the_figures(harness: DecideHarness, qtbot: QtBot) -> None:
    study = opened(harness, CapacityStudy)

    def refuse(_arguments: object) -> object:
        raise PayoffError("At most 5 cannot be kept.", remedy="Raise the limit.")

    harness.engine.answers["decide.capacity"] = refuse
    qtbot.waitUntil(lambda: "cannot be kept" in study.message.text())


# ------------------------------------------------------------ cases


def case_tab(harness: DecideHarness, qtbot: QtBot) -> CasesStudy:
    study = opened(harness, CasesStudy)
    assert isinstance(study, CasesStudy)
    qtbot.waitUntil(lambda: study.model.rowCount() > 0)
    return study


def cell(study: CasesStudy, row: int, key: str) -> str:
    column = [entry.key for entry in study.model.columns].index(key)
    return str(study.model.data(study.model.index(row, column)))


def test_cases_begin_with_the_highest_expected(harness: DecideHarness, qtbot: QtBot) -> None:
    study = case_tab(harness, qtbot)
    (request,) = asked(harness, "decide.cases")
    assert isinstance(request, CasesOneByOne)
    assert (request.sort, request.is_descending, request.decision) == ("expected", True, None)
    assert study.model.rowCount() == 20_000
    assert cell(study, 0, "id") == "K000001"
    assert cell(study, 0, "chance") == "50.00\u00a0%"
    assert cell(study, 0, "expected") == "11.20"
    assert cell(study, 0, "computed") == "−1.60"
    assert study.count.text() == "20,000 customers"
    assert cell(study, 2, "marks") == "P"


def test_a_page_is_fetched_where_one_looks(harness: DecideHarness, qtbot: QtBot) -> None:
    study = case_tab(harness, qtbot)
    assert cell(study, 15_000, "id") == ""
    qtbot.waitUntil(lambda: study.model.loaded_pages == 2)
    assert cell(study, 15_000, "id") == "K015001"
    request = asked(harness, "decide.case_page")[-1]
    assert isinstance(request, CasesOneByOne)
    assert request.start == 15_000 // PAGE * PAGE


def test_the_whole_list_is_exported_not_what_was_looked_at(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = case_tab(harness, qtbot)
    found: list[tuple[tuple[str, ...], Rows]] = []
    study.model.fetch_all(lambda heads, rows: found.append((heads, rows)))
    qtbot.waitUntil(lambda: bool(found))
    heads, rows = found[0]
    assert heads == tuple(entry.head for entry in study.model.columns)
    at = [entry.key for entry in study.model.columns].index("id")
    assert [row[at][0] for row in rows] == [f"K{number:06d}" for number in range(1, 20_001)]
    assert all(row[at + 1][0] for row in rows)
    amounts = [entry.key for entry in study.model.columns].index("expected")
    assert all(len(row[amounts][1]) == 1 for row in rows), "rounded: the digits are lost"


def test_chosen_cases_are_copied_with_every_digit(harness: DecideHarness, qtbot: QtBot) -> None:
    study = case_tab(harness, qtbot)
    study.table.selectRow(1)
    QApplication.clipboard().clear()
    QTest.keySequence(study.table, QKeySequence(QKeySequence.StandardKey.Copy))
    qtbot.waitUntil(lambda: bool(QApplication.clipboard().text()))
    head, line = QApplication.clipboard().text().split("\n")
    keys = [entry.key for entry in study.model.columns]
    assert head.split("\t")[keys.index("id")] == study.model.columns[keys.index("id")].head
    cells = line.split("\t")
    assert cells[keys.index("id")] == "K000002"
    page = study.model._pages[0]
    assert float(cells[keys.index("expected")]) == page.expected[1]
    assert float(cells[keys.index("chance")]) == page.probability[1]


def test_heads_point_the_way_the_figures_run(harness: DecideHarness, qtbot: QtBot) -> None:
    """Best first: of profits that is falling, of losses rising."""
    model = case_tab(harness, qtbot).model
    at = [entry.key for entry in model.columns].index("expected")
    for is_loss, mark in ((False, "▾"), (True, "▴")):
        model._labels = replace(model._labels, is_loss=is_loss)
        model.show_sort("expected", is_descending=True)
        assert str(model.headerData(at, Qt.Orientation.Horizontal)).endswith(mark)


def test_pages_far_back_are_forgotten(harness: DecideHarness, qtbot: QtBot) -> None:
    study = case_tab(harness, qtbot)
    for place in range(1, KEPT_PAGES + 5):
        cell(study, place * PAGE, "id")
        wanted = min(place + 1, KEPT_PAGES)
        qtbot.waitUntil(lambda wanted=wanted: study.model.loaded_pages == wanted)


def test_heads_sort_and_a_second_click_turns_round(harness: DecideHarness, qtbot: QtBot) -> None:
    study = case_tab(harness, qtbot)
    keys = [entry.key for entry in study.model.columns]
    study.table.horizontalHeader().sectionClicked.emit(keys.index("chance"))
    qtbot.waitUntil(lambda: len(asked(harness, "decide.cases")) == 2)
    study.table.horizontalHeader().sectionClicked.emit(keys.index("chance"))
    qtbot.waitUntil(lambda: cell(study, 0, "id") == "K020000")
    request = asked(harness, "decide.cases")[-1]
    assert isinstance(request, CasesOneByOne)
    assert (request.sort, request.is_descending) == ("chance", False)
    head = study.model.headerData(keys.index("chance"), Qt.Orientation.Horizontal)
    assert head == "Chance ▴"
    study.table.horizontalHeader().sectionClicked.emit(keys.index("decision"))  # not sortable
    assert len(asked(harness, "decide.cases")) == 3


def test_the_filter_lists_one_decision(harness: DecideHarness, qtbot: QtBot) -> None:
    study = case_tab(harness, qtbot)
    choose_data(study.form.editor("which"), "Mail")
    qtbot.waitUntil(lambda: study.count.text() == "4,268 of 20,000 customers")
    assert study.model.rowCount() == 4268


def test_the_list_follows_the_cursor_when_asked_to(harness: DecideHarness, qtbot: QtBot) -> None:
    study = case_tab(harness, qtbot)
    harness.move(0.5)
    assert len(asked(harness, "decide.cases")) == 1
    choose_data(study.form.editor("which"), WITHIN)
    qtbot.waitUntil(lambda: len(asked(harness, "decide.cases")) == 2)
    harness.move(0.25)
    qtbot.waitUntil(lambda: len(asked(harness, "decide.cases")) == 3)
    depths = [
        request.within
        for request in asked(harness, "decide.cases")
        if isinstance(request, CasesOneByOne)
    ]
    assert depths == [None, 0.5, 0.25]


def test_losses_are_shown_turned_round(
    harness: DecideHarness, qtbot: QtBot, decided: DecisionResult
) -> None:
    matrix = harness.document.matrix
    assert matrix is not None
    harness.session.project.take_document(
        replace(harness.document, matrix=replace(matrix, kind=MatrixKind.LOSS))
    )
    harness.show(replace(make_decisions(), kind="loss"))
    study = case_tab(harness, qtbot)
    assert cell(study, 0, "computed") == "1.60"
    assert cell(study, 0, "gap") == "11.20"  # an advantage stays one


def test_break_evens_are_asked_for_when_looked_at(harness: DecideHarness, qtbot: QtBot) -> None:
    study = case_tab(harness, qtbot)
    assert not asked(harness, "decide.case_cloud")
    harness.engine.answers["decide.case_cloud"] = answers.cloud
    study.view_choice.chosen.emit(CLOUD)
    qtbot.waitUntil(lambda: study.cloud.view is not None)
    (card,) = study.cloud.panel.charts
    state = card.view.state
    assert state is not None
    assert state.head == "break-even 25.0\u00a0%"
    assert [line.name for line in state.lines] == ["others", "events"]
    header, rows = card.table_rows()
    assert len(header) == 5
    assert len(rows) == 202  # points and the diagonal's ends
    harness.session.project.take_document(replace(harness.document, reference_model="logit"))
    harness.show()
    qtbot.waitUntil(lambda: len(asked(harness, "decide.case_cloud")) == 2)


def test_without_own_break_evens_the_reason_stands_there(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = case_tab(harness, qtbot)
    study.view_choice.chosen.emit(CLOUD)
    qtbot.waitUntil(lambda: "share one" in study.cloud.message.text())
    assert study.cloud.message.isVisible()


# ------------------------------------------------------------ swap set


def swap_tab(harness: DecideHarness, qtbot: QtBot) -> SwapStudy:
    study = opened(harness, SwapStudy)
    assert isinstance(study, SwapStudy)
    qtbot.waitUntil(lambda: study.view is not None)
    return study


def test_swap_begins_with_the_reference_against_the_next_model(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    study = swap_tab(harness, qtbot)
    (request,) = asked(harness, "decide.swap")
    assert isinstance(request, Swap)
    assert request.first == SwapSide(model="gbm 2")
    assert request.second == SwapSide(model="logit")
    assert "earns €\u00a01,638 more (938 to 2,338, p < 0.001)" in shown(study).sentences[0]
    (chart,) = shown(study).charts
    assert chart.tiles[1].figure == "1,000"
    assert chart.tiles[1].note.startswith("8.0\u00a0%")
    rows = study.panel.tables[0].figures.content.cells()
    assert [row[0].text for row in rows][-1] == "all customers"
    assert rows[-1][-2].text == "+1,638"


def test_swap_of_depths_follows_cursor_and_best(harness: DecideHarness, qtbot: QtBot) -> None:
    study = swap_tab(harness, qtbot)
    choose_data(study.form.editor("second_model"), "gbm 2")
    choose_data(study.form.editor("second_cut"), BEST)
    wanted = SwapSide(model="gbm 2", depth=make_decisions().models[0].best_depth)
    qtbot.waitUntil(lambda: getattr(asked(harness, "decide.swap")[-1], "second", None) == wanted)
    choose_data(study.form.editor("first_cut"), CURSOR)
    harness.move(0.4)
    qtbot.waitUntil(
        lambda: (
            getattr(asked(harness, "decide.swap")[-1], "first", None)
            == SwapSide(model="gbm 2", depth=0.4)
        )
    )


def test_swap_of_two_matrices_and_of_two_cut_offs(harness: DecideHarness, qtbot: QtBot) -> None:
    setting = NumberSetting(
        number=NumberRef(kind=NumberKind.PARAMETER, name="cost"),
        value=2.0,
    )
    dearer = Scenario(name="dearer letters", settings=(setting,))
    harness.session.project.execute(AddScenario(scenario=dearer))
    study = swap_tab(harness, qtbot)
    cut = study.form.editor("second_cut")
    choose_data(cut, f"{SCENARIO}dearer letters")
    wanted = SwapSide(model="logit", scenario="dearer letters")
    qtbot.waitUntil(lambda: getattr(asked(harness, "decide.swap")[-1], "second", None) == wanted)
    harness.session.results.set_pinned(0.3)
    choose_data(cut, PINNED)
    wanted = SwapSide(model="logit", depth=0.3)
    qtbot.waitUntil(lambda: getattr(asked(harness, "decide.swap")[-1], "second", None) == wanted)
    harness.session.project.execute(RemoveScenario(scenario="dearer letters"))
    study.refresh()
    assert cut.findText("by the rule of “dearer letters”") < 0


# ------------------------------------------------------------ rankings


def test_rankings_are_a_view_of_the_first_tab_and_compare_with_enterprise_miner(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    harness.engine.answers["decide.rankings"] = answers.rankings
    tables = harness.page.tables
    choice = tables.view_choice
    choice.setCurrentIndex(choice.findText("Rankings"))
    choice.activated.emit(choice.currentIndex())
    study = tables.rankings
    assert isinstance(study, RankingsStudy)
    assert tables.study is study
    qtbot.waitUntil(lambda: study.view is not None)
    assert tables.tabs.currentIndex() == 0
    assert not [a for a in tables.tabs.tabBar().findChildren(QToolButton) if a.isVisible()]
    first, second = study.panel.tables
    start = QPoint(0, 0)
    qtbot.waitUntil(lambda: second.mapTo(study, start).x() > first.mapTo(study, start).x())
    study.form.editor("as_em").click()
    qtbot.waitUntil(lambda: bool(study.panel.charts))
    assert [table.accessibleName() for table in study.panel.tables] == ["Score rankings"]
    choice.setCurrentIndex(0)
    choice.activated.emit(0)
    assert tables.decisions.isVisible()
    assert not study.isVisible()


# ------------------------------------------------------------ gap


def gap_tab(harness: DecideHarness, qtbot: QtBot) -> GapStudy:
    study = opened(harness, GapStudy)
    assert isinstance(study, GapStudy)
    qtbot.waitUntil(lambda: study.view is not None)
    return study


def test_gap_says_whether_the_promise_was_kept(harness: DecideHarness, qtbot: QtBot) -> None:
    study = gap_tab(harness, qtbot)
    (request,) = asked(harness, "decide.gap")
    assert isinstance(request, Gap)
    assert request.model == "gbm 2"
    assert "keep their promise" in shown(study).sentences[0]
    assert "€\u00a012,200 promised, €\u00a012,300 came in" in shown(study).sentences[1]
    assert (
        "€\u00a011,706 less than the best possible, €\u00a024,000" in shown(study).tables[0].title
    )
    rows = study.panel.tables[0].figures.content.rows
    assert [figure.text for figure in rows[0][1:]] == ["0", "0", "253", "6,072"]
    assert [figure.text for figure in rows[2][1:]] == ["3,521", "5,634", "253", "6,072"]
    assert (
        "One more point of AUC (0.860 to 0.870) would earn about €\u00a0510"
        in shown(study).notes[0]
    )
    state = study.panel.charts[0].view.state
    assert state is not None
    assert state.x == pytest.approx(0.213)
    assert [line.name for line in state.lines] == ["promised", "came in"]


def test_a_broken_promise_names_the_place(harness: DecideHarness, qtbot: QtBot) -> None:
    study = gap_tab(harness, qtbot)
    harness.session.project.take_document(replace(harness.document, reference_model="agency"))
    harness.show()
    qtbot.waitUntil(lambda: "promise too much" in shown(study).sentences[0])
    assert "Most of all at the top" in shown(study).sentences[1]


# ------------------------------------------------------------ beside the best depth


def test_the_bar_names_the_depths_as_good_as_the_best(harness: DecideHarness) -> None:
    result = make_decisions()
    chosen = replace(result.models[0], best_range=(0.142, 0.301))
    harness.show(replace(result, models=(chosen, *result.models[1:])))
    bar = harness.page.depths
    assert "as good: 14.2 to 30.1\u00a0%" in bar.honest.full_text()
    assert "cannot be told apart" in bar.best_button.toolTip()


# ------------------------------------------------------------ tabs


@pytest.mark.parametrize("size", [(1208, 622), (1368, 802)])  # the page of a 1280 and 1440 window
def test_all_tabs_are_seen_without_arrows(
    harness: DecideHarness, qtbot: QtBot, size: tuple[int, int]
) -> None:
    harness.page.resize(*size)
    tabs = harness.page.tables.tabs
    for place in range(tabs.count()):
        tabs.setCurrentIndex(place)
        qtbot.waitUntil(lambda: harness.page.tables.width() > 0)
        assert not [a for a in tabs.tabBar().findChildren(QToolButton) if a.isVisible()]
        shown = [other for other in range(tabs.count()) if tabs.isTabVisible(other)]
        assert place in shown
        assert len(shown) == 6 + (place >= 6)
        assert tabs.tabBar().tabRect(shown[-1]).right() <= tabs.tabBar().width()
