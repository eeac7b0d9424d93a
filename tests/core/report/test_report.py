"""What the report without a window says, and that it says what the window says."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from core.document.decisions.chosen_depth import estimate_at
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import ChartMode
from core.document.results import Advice, Estimate
from core.document.wording import format_money, format_share
from core.presentation.report.page import ReportEntry, ReportText, entries_html, report_html
from core.presentation.view import Table, View
from core.report import ReportInput, cursor_of, render_report
from core.report.html import Axis, Mark, SvgLine, kept_text, line_chart, nice_ticks
from tests.helpers.answers.synthetic import (
    make_decisions,
    make_document,
    make_evaluation,
    make_reading,
)


def content(**changes) -> ReportInput:
    known = {
        "document": make_document(),
        "evaluation": make_evaluation(),
        "decisions": make_decisions(),
        "version": "1.2",
        "made_at": "2026-05-06T07:08:09+00:00",
    }
    return ReportInput(**(known | changes))


def text_of(page: str) -> str:
    """What a reader sees, with plain spaces."""
    return re.sub(r"<[^>]+>", " ", page).replace("\u00a0", " ").replace("&#x27;", "'")


def section_of(page: str, title: str) -> str:
    start = page.index(f"<h2>{title}")
    return page[start : page.index("</section>", start)]


def test_every_model_is_compared_with_the_reference():
    shown = content()
    page = render_report(shown)
    section = text_of(section_of(page, "gbm 2 against each other model"))
    pair = shown.evaluation.comparisons[0]
    info = next(i for i in shown.evaluation.metrics if i.metric == pair.metric)
    assert f"+{pair.estimate.value:.{info.decimals}f}" in section
    assert "p = " in section or "p < 0.001" in section
    decided = text_of(
        section_of(page, "What each model's decisions are worth".replace("'", "&#x27;"))
    )
    difference = shown.decisions.differences[0].estimate
    assert (
        format_money(difference.value, "€", decimals=0, sign=True).replace("\u00a0", " ") in decided
    )


def test_the_cursor_the_zero_line_and_the_dashes_are_in_the_profit_chart():
    page = render_report(content())
    chart = section_of(page, "gbm 2: total profit")
    depth = make_document().cursor_depth
    depth = make_decisions().models[0].resting_depth if depth is None else depth
    assert f"cursor {format_share(depth)}" in chart
    names = re.findall(r'<line x1="516"[^>]*stroke-dasharray="[^"]+"', chart)
    assert len(names) >= 2  # beside its name every line shows its dash
    assert len(re.findall(r'class="name"', chart)) == len(re.findall(r'<line x1="516"', chart))


@pytest.mark.parametrize(("low", "high", "count"), [(-5.0, 5.0, 1), (0.0, 5.0, 0), (1.0, 5.0, 0)])
def test_the_line_at_0_is_drawn_where_the_axis_spans_it(low, high, count):
    axis = {"label": "a", "text": str}
    x, y = Axis(low=0.0, high=1.0, **axis), Axis(low=low, high=high, **axis)
    line = SvgLine(name="m", x=np.array([0.0, 1.0]), y=np.array([low, high]), series=1)
    chart = line_chart("t", (line,), x, y, Mark(at=0.25, words="here")).text
    grey = re.findall(r'<line [^>]*stroke="#8A93A0"/>', chart)
    assert len(grey) == 1 + count  # the axis itself, and the line at 0
    assert ">here</text>" in chart


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-30.0, 70.0, [-20.0, 0.0, 20.0, 40.0, 60.0]),
        (2.0, 2.0, [2.0]),
        (3.0, 2.0, [3.0]),
        (0.0, float("inf"), [0.0]),
    ],
)
def test_ticks_are_round_and_an_axis_without_length_has_one(low, high, ticks):
    assert nice_ticks(low, high) == pytest.approx(ticks)


def test_how_it_was_made_says_day_and_priors():
    document = replace(make_document(), priors=(("yes", 0.05), ("no", 0.95)))
    levels = document.target.levels
    document = replace(document, priors=((levels[0], 0.05), (levels[1], 0.95)))
    made = text_of(section_of(render_report(content(document=document)), "How this was made"))
    label = document.target.label(levels[0])
    assert f"Shares of the classes in real life: {label} 5.00 %" in made
    assert "Made on 2026-05-06." in made
    plain = replace(document, priors=None)
    made = text_of(section_of(render_report(content(document=plain)), "How this was made"))
    assert "as in these rows" in made


def test_losses_are_written_as_losses():
    decisions = make_decisions()
    lost = replace(decisions, kind=MatrixKind.LOSS.value, do_nothing=-900.0, act_on_all=-6_400.0)
    models = tuple(
        replace(m, total=Estimate(value=-500.0, low=-620.0, high=-380.0)) for m in lost.models
    )
    document = replace(make_document(), cursor_depth=None)
    page = render_report(content(decisions=replace(lost, models=models), document=document))
    described = text_of(section_of(page, "gbm 2: total loss"))
    assert " € 500 " in described
    assert "380 to 620" in described
    assert "for all: € 6,400" in described
    assert "−€" not in described


def test_a_depth_chosen_on_these_rows_is_cross_fitted():
    decisions = make_decisions()
    first = replace(
        decisions.models[0],
        best_profit_crossfitted=Estimate(value=12.0, low=-40.0, high=64.0),
    )
    document = replace(make_document(), cursor_depth=first.best_depth)
    shown = replace(decisions, models=(first, *decisions.models[1:]))
    described = text_of(
        section_of(render_report(content(decisions=shown, document=document)), "gbm 2")
    )
    assert "cross-fitted" in described
    assert " € 12 " in described
    naive = format_money(first.best_profit, "€").replace("\u00a0", " ")
    assert f"On the rows that chose this depth {naive}, which flatters." in described


def test_an_entry_looks_the_same_from_the_window_and_without_it():
    block = View(
        key="uplift/qini",
        title="Gain",
        subtitle="120 rows",
        figure="1,234",
        sentences=("95 %",),
        tables=(Table(columns=("Model", "Qini"), rows=(("gbm", "0.123"),), right=(1,)),),
    )
    entry = ReportEntry(kind="uplift/qini", title="Mine", note="Two\nlines.", block=block)
    window = report_html(ReportText(title="t", subtitle="", entries=(entry,)))
    from core.document.report.commands import PutOnReport, WriteOnReport

    document = PutOnReport(kind="uplift/qini").apply(make_document())
    document = WriteOnReport(kind="uplift/qini", caption="Mine", note="Two\nlines.").apply(document)
    without = entries_html(kept_text(document, (block,))).text
    start, end = "<section>", "<br/>lines.</p>"
    first = window[window.index(start) : window.index(end)]
    shown = without[without.index("<h2>Mine") - len(start) : without.index(end)]
    stale = re.compile(r'<p class="stale">.*?</p>')
    assert stale.sub("", shown) == first


def test_a_note_on_an_interval_stands_once_under_its_table():
    evaluation = make_evaluation()
    described = "Only 7 cases of a class <b>"
    cells = tuple(
        replace(cell, estimate=replace(cell.estimate, note=described)) for cell in evaluation.cells
    )
    pairs = tuple(
        replace(pair, estimate=replace(pair.estimate, note="Rough."))
        for pair in evaluation.comparisons
    )
    page = render_report(content(evaluation=replace(evaluation, cells=cells, comparisons=pairs)))
    section = section_of(page, "How good are the models?")
    assert section.count("Only 7 cases of a class &lt;b&gt;") == 1
    assert section.count(": Only 7") == 1
    assert section_of(page, "gbm 2 against each other model").count(": Rough.") == 1


def test_the_total_at_the_cursor_is_the_engines_own_not_one_off_the_chart():
    """Between two points of the chart the report says what page Decide says, to the last digit."""
    decisions, document = make_decisions(), replace(make_document(), cursor_depth=0.21345)
    best = decisions.models[0]
    assert cursor_of(document, decisions) == 0.21345
    reading = make_reading(0.21345)
    exact = replace(reading, profit=np.array([12_345.0, *reading.profit[1:]]))
    for requested, value in ((exact, 12_345.0), (None, float("nan"))):
        page = render_report(content(document=document, decisions=decisions, reading=requested))
        described = text_of(section_of(page, f"{best.model}: total profit when"))
        assert ("€ 12,345" in described) is (value == 12_345.0)
    assert estimate_at(best, 0.21345, exact).value == 12_345.0
    assert estimate_at(best, 0.3, exact).value == np.interp(0.3, best.depth, best.profit)


def test_a_total_that_is_void_says_so():
    twice = Advice(state="error", text="gbm 2: the chances look corrected twice.", model="gbm 2")
    decisions = replace(make_decisions(), advice=(twice,))
    page = render_report(content(decisions=decisions))
    described = text_of(section_of(page, "gbm 2: total profit"))
    assert "corrected twice. Its totals and decisions rest on chances that are wrong." in described
    plain = text_of(section_of(render_report(content()), "gbm 2: total profit"))
    assert "that are wrong" not in plain


def test_one_decision_for_all_has_a_name_and_firm_decisions_are_each_ones_own():
    three = replace(
        make_decisions(), rest="their best other decision", rest_for_all="Call", do_nothing=-900.0
    )
    firm = replace(make_document(), chart_mode=ChartMode.FIRM, cursor_depth=0.2)
    page = text_of(render_report(content(decisions=three, document=firm)))
    assert "“Call” for all: −€ 900." in page
    assert "their best other decision" not in page
    assert "when each of the best 20.0 % gets its own decision" in page
