"""Acting and the event are two things, also where acting avoids the event."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.decisions.matrix_model import CostSpec
from core.document.model import TargetSpec
from core.presentation.charts.depths import depth_head
from core.presentation.evaluation.cursor import evaluation_depth
from core.presentation.evaluation.curve_looks import (
    CHART_LABELS,
    acted_words,
    among_words,
    depth_words,
)
from core.presentation.labels import Labels
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation

MAIL = Labels(models=(), chosen="", event="responders", cases="customers", acting="Mail")
LEND = replace(MAIL, event="defaulters", acting="Lend", is_reversed=True)


@pytest.mark.parametrize(
    ("look", "depth", "among", "acted", "head"),
    [
        (MAIL, "customers mailed", "responders among those mailed", "responders mailed", "Best"),
        (
            LEND,
            "customers by chance",
            "defaulters among the highest chances",
            "defaulters found",
            "Highest",
        ),
        (
            replace(LEND, is_reversed=False, is_apart=True),
            "customers by chance",
            "defaulters among the highest chances",
            "defaulters found",
            "Highest",
        ),
    ],
)
def test_words_of_depths(look, depth, among, acted, head):
    assert depth_words(look) == depth
    assert among_words(look, look.event) == among
    assert acted_words(look, look.event) == acted
    assert depth_head(look, 0.265, 40).startswith(head)
    assert CHART_LABELS["precision_recall"].y_words(look) == among
    assert CHART_LABELS["ks"].x_words(look) == CHART_LABELS["response"].x_words(look) == depth


def test_of_several_classes_acting_follows_no_one_chance():
    document = make_document()
    assert not Labels.of(document).is_by_event
    three = replace(document.target, levels=("a", "b", "c"), labels=("a", "b", "c"))
    assert Labels.of(replace(document, target=three)).is_apart


def test_of_two_classes_acting_may_follow_no_one_chance_either():
    """With three decisions, or costs by case, the best by advantage are not the likeliest."""
    document, result = make_document(), make_decisions()
    assert not Labels.of(document, result).is_by_event
    apart = replace(result, threshold_kind="advantage")
    assert depth_head(Labels.of(document, apart), 0.2, 9).startswith("Highest")
    costs = (CostSpec(column="cost"), CostSpec())
    by_case = replace(document, matrix=replace(document.matrix, costs=costs))
    assert Labels.of(by_case).is_apart
    assert not Labels.of(by_case, result).is_apart  # the engine knows better


def test_no_chart_by_the_events_chance_says_acted_on_where_acting_avoids_the_event():
    by_event = [name for name in CHART_LABELS if name != "roi"]
    described = [
        words(LEND)
        for name in by_event
        for words in (CHART_LABELS[name].x_words, CHART_LABELS[name].y_words)
    ]
    assert not [text for text in described if "lent to" in text]


@pytest.mark.parametrize(("kind", "turned"), [("ks", 0.979), ("roi", 0.021)])
def test_return_on_money_counts_in_the_order_of_the_decisions(kind, turned):
    result = make_evaluation()
    known = replace(result.charts[1], kind=kind)
    result = replace(result, charts=(known,))
    assert evaluation_depth(result, LEND, kind, 0.021) == pytest.approx(turned)


def test_where_nothing_is_decided_the_highest_risk_is_not_the_best():
    document = make_document()
    times = replace(document, target=TargetSpec(column="months", kind="interval"), matrix=None)
    assert depth_head(Labels.of(times), 0.1, 45).startswith("Highest 10.0")
    gifts = replace(times, matrix=document.matrix)  # a matrix says who is acted on
    assert depth_head(Labels.of(gifts), 0.1, 45).startswith("Best 10.0")
