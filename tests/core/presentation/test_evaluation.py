"""Charts of an evaluation and what the cursor reads in them, without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.compare.chart_kinds import CHART_KINDS
from core.document.results import ChartData, Curve, PluginChart
from core.document.wording import format_share
from core.presentation.decide.profit import money_chart, profit_cursor
from core.presentation.evaluation.charts import empty_chart_words, evaluation_chart
from core.presentation.evaluation.cursor import evaluation_cursor, evaluation_depth, evaluation_tip
from core.presentation.evaluation.curve_looks import CHART_LABELS
from core.presentation.labels import Labels
from tests.helpers.answers.synthetic import (
    make_decisions,
    make_document,
    make_evaluation,
    make_reading,
)

LABELS = Labels.of(make_document(), make_decisions())


def line_chart(kind: str, *, plugin_chart: PluginChart | None = None) -> ChartData:
    x = np.linspace(0.0, 1.0, 11)
    curves = (
        Curve(model="gbm 2", name="", x=x, y=0.5 + x / 4),
        Curve(model="logit", name="", x=x, y=0.4 + x / 4),
        Curve(model="", name="random", x=x[[0, -1]], y=np.array([0.1, 0.1])),
    )
    return ChartData(
        kind=kind,
        curves=curves,
        definition=f"What {kind} is.",
        variant="",
        notes=(),
        plugin_chart=plugin_chart,
    )


def test_every_kind_but_profit_has_a_look():
    assert {entry.kind for entry in CHART_KINDS} - {"profit"} == set(CHART_LABELS)


@pytest.mark.parametrize(
    ("kind", "title", "subtitle", "x_label", "y_label", "ends", "headrooms"),
    [
        (
            "roc",
            "How well are the groups told apart?",
            "ROC",
            "others mailed (false alarms)",
            "responders mailed",
            ("", ""),
            (4, 4),
        ),
        (
            "gains",
            "Responders found by depth",
            "cumulative gains",
            "customers mailed",
            "responders found",
            ("best", "all"),
            (20, 52),
        ),
        (
            "lift",
            "Times as many as at random",
            "cumulative lift",
            "customers mailed",
            "lift",
            ("best", "all"),
            (4, 52),
        ),
        (
            "score_distribution",
            "Who gets which chance?",
            "score distribution, gbm 2",
            "predicted chance",
            "share of group",
            ("", ""),
            (24, 24),
        ),
    ],
)
def test_axes_and_words(kind, title, subtitle, x_label, y_label, ends, headrooms):
    answer = make_evaluation()
    small, large = (
        evaluation_chart(kind, answer, LABELS, is_large=is_large) for is_large in (False, True)
    )
    assert (small.title, small.subtitle) == (title, subtitle)
    assert (small.x_axis.label, small.y_axis.label) == (x_label, y_label)
    assert (small.x_axis.first_word, small.x_axis.last_word) == ends
    assert (small.headroom, large.headroom) == headrooms


def test_the_cursor_reads_the_curves_of_gains_and_the_points_of_roc():
    answer, depth = make_evaluation(), 0.213
    first = answer.depths[0]
    found, alarms = (float(np.interp(depth, first.depth, row)) for row in first.class_share[:2])
    gains = evaluation_chart("gains", answer, LABELS)
    state = evaluation_cursor(answer, LABELS, gains, depth)
    assert (state.x, state.head) == (depth, "Best 21.3\u00a0%: 4,260")
    assert state.lines[0].value == format_share(found)
    roc = evaluation_cursor(answer, LABELS, evaluation_chart("roc", answer, LABELS), depth)
    assert roc.x is None
    assert (roc.rings[0].x, roc.rings[0].y) == pytest.approx((alarms, found))
    hidden = replace(gains, hidden=frozenset({"gbm 2"}))
    state = evaluation_cursor(answer, LABELS, hidden, depth)
    assert [line.is_hidden for line in state.lines] == [True, False, False]
    assert [ring.name for ring in state.rings] == ["logit", "agency"]


@pytest.mark.parametrize(
    ("kind", "x", "depth"), [("gains", 0.3, 0.3), ("lorenz", 0.3, 0.7), ("cost", 0.3, None)]
)
def test_a_place_of_the_axis_is_a_depth(kind, x, depth):
    answer = make_evaluation()
    if kind != "gains":
        answer = replace(answer, charts=(line_chart(kind),))
    assert evaluation_depth(answer, LABELS, kind, x) == pytest.approx(depth)


def test_a_plugins_curve_brings_its_look():
    plugin_chart = PluginChart(
        title="Own?", subtitle="of its own", axis="depth", x_label="a", y_label="b",
        x_unit="percent", y_unit="number",
    )  # fmt: skip
    answer = replace(make_evaluation(), charts=(line_chart("own", plugin_chart=plugin_chart),))
    chart = evaluation_chart("own", answer, LABELS)
    assert (chart.title, chart.subtitle) == ("Own?", "of its own")
    assert [line.name for line in chart.baselines] == ["random"]
    state = evaluation_cursor(answer, LABELS, chart, 0.5)
    assert [line.value for line in state.lines] == ["0.625", "0.525"]
    assert evaluation_tip(answer, chart, 0.5) == "a 50.0\u00a0%\nlogit: 0.525\ngbm 2: 0.625"


def test_of_a_score_without_chances_there_is_no_distribution():
    answer = make_evaluation()
    ranked = replace(answer.depths[0], has_probabilities=False)
    answer = replace(answer, depths=(ranked, *answer.depths[1:]))
    assert evaluation_chart("score_distribution", answer, LABELS) is None
    described = empty_chart_words(answer, LABELS, "score_distribution")
    assert described == "gbm 2 is a score without chances: it only ranks cases."
    assert empty_chart_words(answer, LABELS, "ks") == "These rows have nothing for it."
    assert empty_chart_words(replace(answer, resamples=0), LABELS, "ks") == ""


def test_profit_by_depth_in_both_sizes_and_as_loss():
    answer = make_decisions()
    small = money_chart(answer, LABELS, is_small=True)
    large = money_chart(answer, LABELS)
    assert (small.y_axis.label, large.y_axis.label) == ("total profit", "Total profit")
    assert [line.name for line in small.baselines][1:] == ["random"]
    assert len(large.baselines) == 3
    loss = money_chart(answer, replace(LABELS, is_loss=True))
    assert loss.title == "Loss if the best n % are mailed"
    np.testing.assert_array_equal(loss.series[0].y, -answer.models[0].profit)


def test_the_cursor_of_profit_takes_exact_values_at_their_depth_only():
    answer, reading = make_decisions(), make_reading(0.213)
    exact = replace(reading, profit=reading.profit + 5000.0)
    there, beside = (
        profit_cursor(answer, LABELS, depth, reading=exact, is_long=True) for depth in (0.213, 0.3)
    )
    assert there.lines[0].value == f"€\u00a0{exact.profit[0]:,.0f}"
    first = answer.models[0]
    expected = np.interp(0.3, first.depth, first.profit)
    assert beside.lines[0].value == f"€\u00a0{expected:,.0f}"
