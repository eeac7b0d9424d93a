"""The sentences of page Compare: answers in, words out."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.document.compare.words import difference_interval, signed_metric
from core.document.decisions.matrix_model import MatrixKind
from core.document.markup import joined
from core.document.plugin_results import MetricInfo
from core.document.results import Estimate, PairedDifference, Selection
from core.document.studies.compare import is_offered
from core.document.wording import format_money_interval
from core.presentation.compare.models import choice_verdict
from gui.pages.compare.footer import TableFooter
from gui.pages.compare.words import comparison_note, comparison_sentence
from tests.helpers.answers.synthetic import make_document

AUC = MetricInfo(
    id="auc",
    label="AUC",
    metric="auc",
    title="AUC",
    direction="higher",
    help="",
    formula="",
    decimals=3,
)


def difference(metric, value, low, high, ahead, p_value=0.004):
    return PairedDifference(
        first="a", second="b", metric=metric,
        estimate=Estimate(value=value, low=low, high=high), p_value=p_value, ahead=ahead,
        resamples=1_000 if ahead else 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("auc", "money", "is_loss", "said"),
    [
        (  # how sure AUC is says nothing of the profit, which is behind
            difference("auc", 0.02, 0.01, 0.03, 994),
            difference("total_profit", -26.0, -90.0, 40.0, 212, 0.42),
            False,
            "AUC +0.020 (0.010 to 0.030). Ahead in 994 of 1,000 resamples (p = 0.004). "
            "At this depth profit −€ 26 (−90 to 40). Ahead in 212 of 1,000 resamples (p = 0.420).",
        ),
        (
            difference("auc", 0.02, 0.01, 0.03, 994),
            None,
            False,
            "AUC +0.020 (0.010 to 0.030). Ahead in 994 of 1,000 resamples (p = 0.004).",
        ),
        (
            None,
            difference("total_profit", 26.0, -40.0, 90.0, 0, 0.3),
            True,
            "At this depth loss −€ 26 (−90 to 40). P = 0.300.",
        ),
        (None, None, False, ""),
        (  # no resample can tell them apart, and none says that the first is behind
            None,
            difference("total_profit", 0.0, 0.0, 1e-13, 0, 1.0),
            False,
            "At this depth the same decisions.",
        ),
    ],
)
def test_each_difference_has_its_own_certainty(auc, money, is_loss, said):
    result = SimpleNamespace(metrics=(AUC,), comparisons=(auc,) if auc else ())
    text = comparison_sentence(result, "a", "b", money, "€", is_loss=is_loss).text
    assert text.partition("</span> ")[2].replace("\u00a0", " ") == said


def test_a_difference_where_these_rows_chose_the_depth_says_so():
    """Beside the cross-fitted profit of that model, 99 against 108, stood "+€ 6" and no word."""
    money = difference("total_profit", 6.0, -3.0, 15.0, 859, 0.28)
    result = SimpleNamespace(metrics=(AUC,), comparisons=())
    text = comparison_sentence(result, "a", "b", money, "€", is_loss=False, chosen_for="a").text
    assert "At this depth, which these rows chose for a, profit" in text


def test_what_is_to_know_of_a_difference_is_its_note_and_its_own_p_value():
    described = "Only 7 cases of a class: in trials with so few ..."
    auc = difference("auc", 0.02, -0.01, 0.05, 1_000, 0.07)
    noted = replace(auc, estimate=replace(auc.estimate, note=described))
    result = SimpleNamespace(metrics=(AUC,), comparisons=(noted,))
    text = comparison_sentence(result, "a", "b", None, "€", is_loss=False).text
    assert text.endswith("Ahead in 1,000 of 1,000 resamples (p = 0.070).")
    assert comparison_note(result, "a", "b") == described
    assert comparison_note(result, "b", "a") == ""


def test_the_footer_says_the_note_on_hovering(qtbot):
    footer = TableFooter()
    qtbot.addWidget(footer)
    footer.set_texts(joined(("gbm against logit",)), (), "Only 7 cases of a class.")
    assert "gbm against logit\n\nOnly 7 cases of a class.\n\n" in footer.sentence.toolTip()
    footer.set_texts(joined(("gbm against logit",)), ())
    assert "7 cases" not in footer.sentence.toolTip()


def chosen(value, low, high, corrected, direction="higher"):
    info = replace(AUC, direction=direction)
    margin = difference("auc", value, low, high, 600)
    selection = Selection(
        metric="auc", winner="a", runner_up="b", margin=margin, wins=(("a", 600), ("b", 400)),
        resamples=1_000, optimism=0.001, corrected=corrected,
    )  # fmt: skip
    return choice_verdict(info, selection)


def test_nothing_is_ahead_whose_difference_may_be_0():
    described = chosen(0.002, -0.01, 0.014, 0.6)
    assert described.startswith(
        "a has the best figure, 0.002 better than b; the difference may be anything from "
        "−0.010 to 0.014. Not distinguishable from every other model"
    )
    assert "ahead" not in described
    assert chosen(0.02, 0.01, 0.03, 0.01).startswith("a is ahead of b by 0.020 (0.010 to 0.030). ")


def test_where_lower_is_better_the_difference_counts_towards_the_better():
    assert "from −0.010 to 0.014" in chosen(-0.002, -0.014, 0.01, 0.6, "lower")
    assert chosen(-0.02, -0.03, -0.01, 0.01, "lower").startswith(
        "a is ahead of b by 0.020 (0.010 to 0.030). "
    )


def test_a_difference_of_percentages_is_counted_in_points():
    accuracy = replace(AUC, title="Accuracy", unit="percent", decimals=1)
    reported = signed_metric(accuracy, 0.039), difference_interval(accuracy, 0.021, 0.057)
    assert reported == ("+3.9 points", "2.1 to 5.7 points")
    assert signed_metric(accuracy, -0.039) == "−3.9 points"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.0321, -0.0029, "−0.032 to −0.003"),
        (-0.012, 0.5, "−0.01 to 0.50"),
        (12.5, 13.25, "12.50 to 13.25"),
    ],
)
def test_an_interval_of_an_average_has_digits_that_say_on_which_side_of_0_it_lies(low, high, said):
    assert format_money_interval(low, high) == said


@pytest.mark.parametrize(
    ("metric", "tasks", "kind", "offered"),
    [
        ("auc", ("binary",), MatrixKind.PROFIT, True),
        ("rmse", ("regression",), MatrixKind.PROFIT, False),
        ("total_profit", ("binary",), MatrixKind.PROFIT, True),
        ("total_profit", ("binary",), MatrixKind.LOSS, False),
        ("average_loss", ("binary",), MatrixKind.LOSS, True),
        ("total_profit", ("binary",), None, False),
    ],
)
def test_lists_offer_the_metrics_that_judge_the_outcome(metric, tasks, kind, offered):
    document = make_document()
    matrix = None if kind is None else replace(document.matrix, kind=kind)
    info = replace(AUC, metric=metric, tasks=tasks)
    assert is_offered(info, replace(document, matrix=matrix)) is offered
