"""Acting and the event are two things, also where acting avoids the event."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gui.plots import ChartLook
from gui.plots.further_charts import FurtherChart
from gui.plots.further_looks import LOOKS
from gui.plots.readings import among_words, cut_head, depth_words

MAIL = ChartLook(models=(), chosen="", event="responders", cases="customers", done="mailed")
LEND = replace(MAIL, event="defaulters", done="lent to", act="Lend", is_reversed=True)


@pytest.mark.parametrize(
    ("look", "head", "depth", "among"),
    [
        (MAIL, "Chance above 26.50 %", "customers mailed", "responders among those mailed"),
        (LEND, "Lend below 26.50 %", "customers by chance", "defaulters among the highest chances"),
    ],
)
def test_words_of_a_cut_and_of_depths(look, head, depth, among):
    assert cut_head(look, 0.265).replace("\u00a0", " ") == head
    assert cut_head(look, float("nan")) == ""
    assert depth_words(look) == depth
    assert among_words(look, look.event) == among
    assert LOOKS["precision_recall"].y_words(look) == among
    assert LOOKS["ks"].x_words(look) == LOOKS["response"].x_words(look) == depth


def test_no_chart_by_the_events_chance_says_acted_on_where_acting_avoids_the_event():
    by_event = [name for name in LOOKS if name != "roi"]
    said = [
        words(LEND) for name in by_event for words in (LOOKS[name].x_words, LOOKS[name].y_words)
    ]
    assert not [text for text in said if "lent to" in text]


@pytest.mark.parametrize(("kind", "turned"), [("ks", 0.979), ("roi", 0.021)])
def test_return_on_money_counts_in_the_order_of_the_decisions(qtbot, kind, turned):
    chart = FurtherChart(kind)
    qtbot.addWidget(chart)
    chart._look = LEND
    assert chart._turned(0.021) == pytest.approx(turned)
