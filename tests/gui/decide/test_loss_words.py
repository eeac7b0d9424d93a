"""What page Decide says of money: a loss project loses and saves, and nothing in it is brought."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QFont

from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode
from core.document.results import DecisionResult
from core.document.studies.decided_cases import SwapSide
from core.presentation.decide import figures
from core.presentation.decide.cases import cloud_sentence
from core.presentation.decide.lists import kept_out
from core.presentation.decide.swap import swap_sentence, swap_table
from core.presentation.decide.tables import totals_rows
from core.presentation.decide.views import (
    auc_words,
    left_rows,
    left_words,
    price_sentence,
    use_sentence,
    where_words,
)
from core.presentation.labels import Labels
from core.questions.decide import Capacity, Gap, HoldOutPlan, Swap
from gui.charts import ProfitChart
from gui.pages.decide.headline import HeadlineCard
from gui.pages.decide.matrix.earns_card import EarnsCard
from gui.pages.decide.widget import COLUMN
from tests.helpers.answers import decide as study_answers
from tests.helpers.answers.synthetic import make_decisions, make_document
from tests.helpers.harness import DecideHarness

PROFIT, LOSS = (
    Labels(
        case="customer", cases="customers", currency="€", acting="Mail", rest="Do nothing",
        is_loss=is_loss,
    )
    for is_loss in (False, True)
)  # fmt: skip


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def sentences(words: Labels) -> list[str]:
    """Everything the studies say of a gain of some amount."""
    requested = Capacity(most_actions=1_000.0)
    limit = study_answers.capacity(requested)
    gap = study_answers.gap(Gap(model="gbm 2"))
    sides = (SwapSide(model="gbm 2"), SwapSide(model="logit"))
    swap = study_answers.swap(Swap(first=sides[0], second=sides[1]))
    cloud = replace(study_answers.cloud(None), expected_gain=40.0, realised_gain=-25.0)
    helps = swap_table(swap, words, "responds").help
    return [
        plain(text)
        for text in (
            price_sentence(limit, words, limit.points[0]),
            where_words(gap, words),
            auc_words(gap, words),
            left_words(gap, words),
            swap_sentence(swap, words),
            cloud_sentence(cloud, words),
            *helps,
        )
    ]


def test_a_loss_project_saves_and_loses():
    described = " | ".join(sentences(LOSS))
    for wrong in ("earn", "bring", "brought", "came in", "profit", "foresight"):
        assert wrong not in described, (wrong, described)
    for right in (
        "One more customer mailed would save € 1.53; around here it really saved € 1.31.",
        "would save about € 510",
        "whose least loss would be",
        "Left on the table: € 11,706 above the least possible, −€ 24,000",
        "gbm 2 loses € 1,638 less (938 to 2,338, p < 0.001).",
        "The own ones promise to lose € 40 less; they really lost € 25 more.",
    ):
        assert right in described, (right, described)


def test_a_profit_project_earns():
    described = " | ".join(sentences(PROFIT))
    for wrong in ("save", "loses", "lost", "least"):
        assert wrong not in described, (wrong, described)
    for right in (
        "One more customer mailed would earn € 1.53; around here it really brought € 1.31.",
        "Left on the table: € 11,706 less than the best possible, € 24,000",
        "gbm 2 earns € 1,638 more (938 to 2,338, p < 0.001).",
        "The own ones promise € 40 more; they really brought € 25 less.",
    ):
        assert right in described, (right, described)


def test_the_totals_of_a_loss_project_say_what_their_signs_mean():
    document = make_document()
    lost = replace(document, matrix=replace(document.matrix, kind=MatrixKind.LOSS))
    earned = totals_rows(document, make_decisions(), PROFIT)
    rows = totals_rows(lost, make_decisions(), LOSS)
    assert earned.columns[-1] == "Return on cost"
    assert rows.columns[-1] == "Money won on cost"
    assert "less than 0 for a loss" in rows.help[-1]
    assert rows.help[-2] == "Total less best possible"
    assert "bring" not in " ".join(rows.help)


def test_what_a_hold_out_costs_is_no_profit_in_a_loss_project():
    document = make_document()
    lost = replace(document, matrix=replace(document.matrix, kind=MatrixKind.LOSS))
    held = study_answers.hold_out(HoldOutPlan(model="gbm 2", share=0.1, seed=1))
    assert "of expected profit forgone." in kept_out(held, Labels.of(document)).sentences[0]
    assert "of expected loss not saved." in kept_out(held, Labels.of(lost)).sentences[0]


def test_what_is_left_has_one_sign_in_title_and_table():
    gap = study_answers.gap(Gap(model="gbm 2"))
    rows = left_rows(gap, PROFIT).rows
    assert [figure.text for figure in rows[-1]][1:] == ["3,521", "5,634", "253", "6,072"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "at stake (no cost is given: the most that an action can lose)."),
        ({"price_reason": "as given"}, "spent."),
        ({"price_reason": "costs of the decisions", "price": None}, "spent."),
    ],
)
def test_what_may_be_lost_is_not_spent(changes, words):
    requested = Capacity(most_actions=1_000.0)
    limit = replace(study_answers.capacity(requested), **changes)
    assert words in use_sentence(limit, PROFIT, limit.points[0], limit.free[0])


# ---------------------------------------------------------------- what all get


def three_decisions(kind: MatrixKind = MatrixKind.PROFIT) -> DecisionResult:
    """Beyond the depth each case has its own best other decision; of one for all Call is best."""
    return replace(
        make_decisions(),
        kind=kind.value,
        decisions=("Mail", "Call", "Wait"),
        cells=np.array([[24.0, 20.0, 0.0], [-1.6, -1.0, 0.0]]),
        rest="their best other decision",
        rest_for_all="Call",
        do_nothing=-900.0,
    )


def test_of_three_decisions_the_one_for_all_is_named():
    """Nobody does nothing there, and the total shown is that of calling everybody."""
    document = make_document()
    words = Labels.of(document, three_decisions())
    assert words.resting == "“Call” for all"
    assert Labels.of(document, make_decisions()).resting == "doing nothing"
    assert replace(words, acting="Premium").acting_on_all == "“Premium” for all"


def test_at_depth_0_of_three_decisions_something_may_be_won(qtbot):
    result = three_decisions()
    point = figures.at_depth(result.models[0], 0.0)
    document = make_document()
    against = figures.against_resting(document, result, point)
    assert against.value == point.profit + 900.0
    plain_point = figures.at_depth(result.models[0], 0.0)
    same = figures.against_resting(document, make_decisions(), plain_point)
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)


def test_the_headline_and_the_chart_name_it_too(qtbot):
    card, chart, document = HeadlineCard(), ProfitChart(), make_document()
    qtbot.addWidget(card)
    qtbot.addWidget(chart)
    result = three_decisions()
    chart.set_result(result, Labels.of(document, result))
    spec = chart.make_spec()
    assert spec is not None
    assert spec.baselines[0].name == "“Call” for all"
    card.show_result(document, result, 0.2, None, None)
    assert card.blocks[0].title.text() == "Against “Call” for all"
    assert plain(card.blocks[0].words.text()) == "“Call” for all loses € 900"


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (ChartMode.ACT_ON_BEST, "if the best 20.0 % had been mailed and the others not."),
        (ChartMode.FIRM, "if each of the best 20.0 % had got its own decision and the others none"),
    ],
)
def test_the_help_of_the_big_number_says_what_it_is(qtbot, mode, words):
    card = HeadlineCard()
    qtbot.addWidget(card)
    card.show_result(replace(make_document(), chart_mode=mode), make_decisions(), 0.2, None, None)
    assert words in plain(card.help.content().text)


def test_the_matrix_of_losses_says_what_decisions_cost(qtbot):
    card = EarnsCard()
    qtbot.addWidget(card)
    card.setFixedWidth(COLUMN)
    card.show()
    document = make_document()
    for kind, words in ((MatrixKind.PROFIT, "earns"), (MatrixKind.LOSS, "costs")):
        changed = replace(document, matrix=replace(document.matrix, kind=kind))
        card.show_document(changed, None, ())
        assert card.header.title.text() == f"What each decision {words}"


def test_the_title_of_the_matrix_is_whole_beside_its_list(qtbot):
    card = EarnsCard()
    qtbot.addWidget(card)
    card.setFixedWidth(COLUMN)
    title = card.header.title
    font = title.font()
    font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 120)  # wider than the tests' own
    title.setFont(font)
    card.show_document(make_document(), None, ())
    card.show()
    qtbot.waitExposed(card)
    assert title.width() >= title.sizeHint().width()
    assert card.kind.geometry().right() <= card.header.rect().right()
    assert title.geometry().right() < card.header.help_button.geometry().left()


def test_the_card_is_as_high_as_its_longest_words(qtbot):
    harness = DecideHarness()
    page = harness.page
    qtbot.addWidget(page)
    page.resize(1208, 596)  # of a window of 1280 x 720
    page.show()
    harness.show()
    block = page.headline.blocks[-1]
    settle(qtbot, page)
    block.title.setText("Against “Modell B”, same depth")
    block.words.setText("ahead in 701, level in 56 of 1,000 resamples (p = 0.598)")
    settle(qtbot, page)
    assert block.words.height() >= block.words.heightForWidth(block.words.width())


def settle(qtbot, page):
    """Wait until the card has had the same height for some rounds of the event loop."""
    heights: list[int] = []
    qtbot.waitUntil(lambda: heights.append(page.headline.height()) or len(heights) > 30)
