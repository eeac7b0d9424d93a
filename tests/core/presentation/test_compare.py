"""What the studies of page Compare say, draw and list of made-up answers; no window."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.document.results import Estimate, PluginChart, SeenRows
from core.document.studies.compare import RowSetsResult
from core.presentation.charts.reading import place_words
from core.presentation.compare.figures import (
    limits_verdict,
    loss_limits,
    other_definitions,
    survival_over_time,
)
from core.presentation.compare.models import choice_of_model, detectable_difference
from core.presentation.compare.rows import compared_groups, population_shift, two_sets_of_rows
from core.presentation.labels import Labels, ModelStyle
from core.presentation.report.page import entry_html
from tests.helpers.answers import compare as answers
from tests.helpers.answers.synthetic import make_evaluation

NOTHING_SURE = Estimate(value=0.5, low=math.nan, high=math.nan)
NAMES = ("gbm 2", "logit", "agency")
LABELS = Labels(
    models=tuple(ModelStyle(name=name, series=at) for at, name in enumerate(NAMES)),
    case="customer",
    cases="customers",
    event="responders",
)


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


# ---------------------------------------------------------------- detectable differences


def test_each_pair_of_models_has_a_row_and_its_own_sentence():
    view = detectable_difference(answers.power_result(), LABELS)
    (table,) = view.tables
    assert [row[1] for row in table.texts()] == ["gbm 2 – logit", "gbm 2 – agency"]
    assert table.texts()[0][7:] == ("–", "180")
    assert table.texts()[0][2] == "gbm 2 by 0.020"
    assert len(view.by_row) == 2
    assert view.sentences == view.by_row[0].sentences
    assert "gbm 2 against logit: with these 360 customers" in view.sentences[0]
    assert "gbm 2 against agency" in view.by_row[1].sentences[0]
    assert "“Usually” is 80" in view.sentences[1]
    assert "paired resamples" in view.sentences[1]
    assert view.notes == ("Few cases.",)


# ---------------------------------------------------------------- shift


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (["another population", "stable"], "Shifted: a."),
        (["stable", "stable"], "Nothing has shifted."),
        (["too few cases", "stable"], "Too few cases to tell: a. Nothing else has shifted."),
        (["too few cases"], "Too few cases to tell: a."),
        (["shifted", "too few cases"], "Shifted: a. Too few cases to tell: b."),
    ],
)
def test_what_has_shifted_and_of_what_it_cannot_be_told(verdicts, said):
    columns = [answers.column_shift(n, verdict=v) for n, v in zip("ab", verdicts, strict=False)]
    assert population_shift(answers.shift_result(*columns), LABELS).sentences == (said,)


def test_a_shift_without_a_column_in_both_has_no_table():
    nothing = replace(answers.shift_result(), columns=())
    view = population_shift(nothing, LABELS)
    assert view.sentences[0].startswith("There is nothing to compare")
    assert (view.tables, view.charts, view.by_row) == ((), (), ())


def test_the_bins_of_each_column_then_and_now():
    income = answers.column_shift("income", bins=("a", "b"), index=0.02, verdict="stable")
    view = population_shift(answers.shift_result(answers.column_shift(), income), LABELS)
    assert view.tables[0].texts()[0] == ("age", "input", "0.310", "0.010", "▲▲ another population")
    assert [part.charts[0].title for part in view.by_row] == ["age", "income"]
    (chart,) = view.charts
    requested = replace(answers.shift_result(answers.column_shift(), income), drawn="income")
    assert population_shift(requested, LABELS).charts[0].title == "income"
    assert [bars.name for bars in chart.bars] == ["training rows", "next.csv"]
    assert "index 0.310" in chart.subtitle
    assert place_words(chart, 1.0) == "above 30"
    assert view.notes[-1] == "Only in one of the two: score of logit."
    alike = replace(answers.shift_result(), now_text="training rows, all")
    chart = population_shift(alike, LABELS).charts[0]
    assert [bars.name for bars in chart.bars] == ["training rows then", "training rows now"]


# ---------------------------------------------------------------- error bounds


def test_the_verdict_of_limits_is_one_sentence_in_plain_words():
    answer = replace(answers.bounds_result(), no_model=0.2)
    said = plain(limits_verdict(answer, LABELS))
    assert said.startswith(
        f"On new {LABELS.cases} the squared error of gbm 2 is at most 0.0900, 95 % sure; on these "
        f"360 {LABELS.cases} it is 0.0500."
    )
    assert said.endswith("(0.2000): the model knows something.")
    assert plain(loss_limits(answer, LABELS).sentences[0]) == said
    wide = plain(limits_verdict(replace(answer, no_model=0.08), LABELS))
    assert "does not lie below" in wide
    none = replace(answer, models=answer.models[1:])
    assert limits_verdict(none, LABELS) == f"No limit holds for new {LABELS.cases}. several losses"


def test_limits_with_what_they_take_for_granted_once():
    view = loss_limits(answers.bounds_result(), LABELS)
    rows = [tuple(map(plain, row)) for row in view.tables[0].texts()]
    assert rows[0] == (
        *("gbm 2", "Hoeffding", "360", "0.0500", "0.0900", "0.0400", "1,234", "valid, 95 %"),
    )
    assert rows[1][4:] == ("0.0000 to 0.0900", "0.0500", "1,234", "approximate, 95 %")
    assert rows[2] == ("logit", "", "360", "0.0700", "", "", "", "several losses")
    assert view.notes == (
        "✓ losses lie in 0 to 1",
        "taken for granted: cases are independent",
        "Chosen among two.",
    )


# ---------------------------------------------------------------- definitions


def test_another_tools_figures_with_the_causes():
    view = other_definitions(answers.definitions_result(), LABELS)
    assert view.tables[0].columns[3] == "SAS EM"
    assert view.tables[0].texts()[0] == (
        *("KS", "gbm 2", "0.563  (every score)", "0.551  (bin-based)", "20 bins only"),
    )
    assert any("captured response" in note for note in view.notes)


# ---------------------------------------------------------------- groups of cases


def test_a_figure_and_a_line_for_every_group():
    view = compared_groups(answers.segments_result(), LABELS)
    table = view.tables[0]
    assert table.columns == ("region", "Customers", "Responders", *NAMES, "")
    assert [row[0] for row in table.texts()] == ["north", "isle", "all"]
    assert table.texts()[0][1:4] == ("900", "60", "0.800  (0.750 to 0.850)")
    assert table.texts()[1][-1] == "only 40 customers: rough"
    assert table.texts()[2][2] == "62"
    assert view.sentences == ("AUC by region, 95 % intervals.",)
    assert "rough: isle" in view.notes[0]
    assert [entry.name for entry in view.charts[0].series] == ["north", "isle"]


def test_a_figure_that_these_rows_do_not_have():
    other = replace(answers.segments_result(), metric="lift")
    view = compared_groups(other, LABELS)
    assert view.sentences == ("This figure is not there for these rows.",)
    assert not view.tables
    assert view.charts


def test_a_chart_of_a_plugin_is_drawn_in_its_own_words_and_units():
    plugin_chart = PluginChart(
        title="How many?",
        subtitle="own rate",
        axis="value",
        x_label="days",
        y_label="rate",
        x_unit="",
        y_unit="percent",
    )
    answer = answers.segments_result()
    curves = tuple(replace(curve, x=40.0 * curve.x) for curve in answer.chart.curves)
    own = replace(answer.chart, kind="own", curves=curves, plugin_chart=plugin_chart)
    (chart,) = compared_groups(replace(answer, chart=own), LABELS).charts
    assert chart.title == "How many?"
    assert chart.subtitle.startswith("own rate by region")
    axis = chart.x_axis
    assert (axis.label, axis.quantity, axis.high) == ("days", "number", 40.0)
    assert (chart.y_axis.label, chart.y_axis.quantity) == ("rate", "percent")


# ---------------------------------------------------------------- survival


def test_survival_as_predicted_as_observed_and_of_one_case():
    view = survival_over_time(answers.survival_result(), LABELS)
    described = plain(view.sentences[0])
    assert described == "By time 200 the event comes to this case with a chance of 45.1 %."
    assert "Brier score 0.160 (the same chance for all: 0.240), AUC 0.780" in view.notes[0]
    assert view.tables[0].columns[2] == "Event by 200, predicted"
    assert [plain(cell) for cell in view.tables[0].texts()[0]] == ["low", "120", "18.1 %", "19.7 %"]
    (chart,) = view.charts
    assert [entry.name for entry in chart.series] == [
        *("low", "low, observed", "high", "high, observed", "this case"),
    ]
    assert chart.rests_at == 200.0
    assert place_words(chart, 200.0) == "at 200"
    without = survival_over_time(answers.survival_result(with_case=False), LABELS)
    assert not without.sentences
    assert len(without.charts[0].series) == 4


# ---------------------------------------------------------------- choosing


def chosen(**changes):
    evaluation = make_evaluation()
    seen = (SeenRows(model="logit", how="stopped", rows=500),)
    found = replace(answers.selection(), **changes)
    return choice_of_model(replace(evaluation, selections=(found,), seen=seen), "auc")


def test_the_best_model_its_lead_and_what_choosing_adds():
    view = chosen()
    assert view.sentences[0].startswith(
        "gbm 2 is ahead of logit by 0.022 (0.012 to 0.032). Ahead of every other model"
    )
    rows = view.tables[0].texts()
    assert rows[0][3] == "1,000 of 1,000 (p < 0.002)"
    assert rows[1][4] == "flattering: stopped here (500 rows)"
    assert "about 0.0021" in view.notes[0]


def test_a_lead_within_the_noise_is_said():
    lead = answers.selection(margin=0.004, low=-0.006, high=0.014, p_value=0.43)
    (described,) = chosen(margin=lead.margin, corrected=0.43).sentences
    assert "may be anything from -0.006 to 0.014" in described.replace("−", "-")
    assert "Not distinguishable from every other model" in described


def test_models_that_are_level_are_not_called_ahead():
    level = answers.selection(margin=0.0, low=0.0, high=0.0, p_value=1.0)
    wins = (("gbm 2", 487.5), ("logit", 487.5), ("agency", 25.0))
    view = chosen(margin=level.margin, corrected=1.0, wins=wins)
    assert view.sentences[0].startswith("gbm 2 and logit are level. Not distinguishable")
    assert view.tables[0].texts()[0][3] == "487.5 of 1,000"


def test_a_metric_by_which_nothing_can_be_chosen_says_why():
    evaluation = replace(make_evaluation(), warnings=("It failed.",))
    view = choice_of_model(evaluation, "auc")
    assert view.sentences == ("There is nothing to choose by this metric. It failed.",)
    assert not view.tables
    alone = tuple(cell for cell in evaluation.cells if cell.model == "gbm 2")
    view = choice_of_model(replace(evaluation, cells=alone, selections=()), "auc")
    assert view.sentences[0].startswith("There is one model only")


# ---------------------------------------------------------------- two sets of rows


def test_what_lies_beyond_the_intervals_of_two_sets_of_rows():
    made = make_evaluation()
    apart = replace(made, rows=replace(made.rows, use="train"))

    def raised(cell):
        if (cell.metric, cell.model) != ("auc", "gbm 2"):
            return cell
        return replace(
            cell, estimate=Estimate(value=cell.estimate.value + 0.1, low=0.94, high=0.97)
        )

    seen = (SeenRows(model="gbm 2", how="trained", rows=8_000),)
    first = replace(apart, cells=tuple(map(raised, made.cells)), seen=seen)

    def beside(one, two, names=("Training", "Validation")):
        return two_sets_of_rows(RowSetsResult(names=names, first=one, second=two), LABELS)

    view = beside(first, made)
    row = next(row for row in view.tables[0].texts() if row[:2] == ("AUC", "gbm 2"))
    assert row[4] == "+0.100"
    assert "flattering: trained here" in row[5]
    assert view.sentences == ("Beyond the intervals: gbm 2.",)
    assert beside(apart, made).sentences == ("No figure differs by more than its intervals allow.",)
    whole = replace(made, rows=replace(made.rows, use="all"))
    for one, two in ((made, made), (made, whole)):
        same = beside(one, two, ("Test", "All rows"))
        assert same.sentences == ("Both are the same rows: choose two different sets.",)
    more = replace(whole, rows=replace(whole.rows, rows=made.rows.rows + 1))
    assert "All rows hold" in beside(made, more).notes[-1]
    bare = replace(made, cells=tuple(replace(c, estimate=NOTHING_SURE) for c in made.cells))
    assert beside(replace(bare, rows=apart.rows), bare).sentences == (
        "No figure has an interval on both sets of rows: nothing to tell.",
    )


@pytest.mark.parametrize(
    "view",
    [
        detectable_difference(answers.power_result(), LABELS),
        population_shift(answers.shift_result(), LABELS),
        loss_limits(answers.bounds_result(), LABELS),
        other_definitions(answers.definitions_result(), LABELS),
        compared_groups(answers.segments_result(), LABELS),
        survival_over_time(answers.survival_result(), LABELS),
        chosen(),
    ],
    ids=lambda view: view.title,
)
def test_every_study_is_an_entry_of_a_report(view):
    page = entry_html(view).text
    assert view.title in page
    assert page.count("<svg") == len(view.charts)
    assert page.count("<tbody>") == len(view.tables) + len(view.charts)  # and their numbers


def test_a_group_without_an_event_says_0():
    answer = answers.segments_result()
    none = replace(answer.segments[1], events=0)
    view = compared_groups(replace(answer, segments=(answer.segments[0], none)), LABELS)
    assert [row[2] for row in view.tables[0].texts()] == ["60", "0", "60"]
