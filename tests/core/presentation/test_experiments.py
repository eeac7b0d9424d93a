"""Views of page Experiments without a window: answers, and what is said, drawn and listed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.document.experiments.results import SHRINKAGE, ExperimentPair
from core.document.experiments.spec import ExperimentSpec
from core.presentation.charts.reading import aside_words, chart_numbers, place_words
from core.presentation.charts.svg import chart_svg
from core.presentation.experiments.iterations import rules_table, shrinkage_table
from core.presentation.experiments.views import (
    LossGroup,
    RunsCard,
    compared_table,
    comparison,
    experiment_title,
    loss_chart,
    verdict_of,
)
from core.presentation.labels import Labels
from core.presentation.making_views import by_question, show
from core.questions.experiments import BoostingIterations, CheckExperiment, RunExperiment
from payoff.errors import PayoffError
from tests.helpers.answers.experiments import FACTS, curve, lines, make_runs, rules

SPEC = ExperimentSpec(systems=4, splits=5)
RUNS = make_runs(SPEC)


def shown(part: str, answer=RUNS):
    return show(RunExperiment(), answer, Labels(), part)


def names_of(chart) -> list[str]:
    return [entry.name for entry in chart.baselines if entry.name]


def test_a_histogram_has_its_lines_and_reads_shares_of_runs():
    view = shown("losses sigmoid")
    assert view.key == "experiments/run losses sigmoid"
    (chart,) = view.charts
    assert names_of(chart)[0].startswith("largest bound 0.02")
    assert names_of(chart)[1] == "no information 0.0800 →"  # far right: named, not to scale
    assert chart.bars[0].y.sum() == 20
    (aside,) = chart.asides
    losses = np.sort(RUNS.runs.error[RUNS.runs.sampler == 0])
    assert aside_words(aside, 1.0) == "100.0\u00a0%"
    assert aside_words(aside, losses[9] + 1e-9) == "50.0\u00a0%"
    assert aside_words(aside, 0.0) == "0.0\u00a0%"
    (effect,) = shown("losses+effect sigmoid").charts
    assert effect.x_axis.label == "effect error of a run"
    assert [name[:13] for name in names_of(effect)] == ["largest bound"]


def test_no_name_is_crossed_by_the_line_of_another():
    """Bound right of no information: the line in the middle ends below the other's name."""
    losses = np.array([0.05, 0.06, 0.07])
    group = LossGroup(name="a", series=0, losses=losses, bound=0.15, chance=0.08)
    chart = loss_chart(RUNS, group, False)
    tops = {entry.name: float(entry.y[0]) for entry in chart.baselines if entry.name}
    assert list(tops) == ["largest bound 0.1500", "no information"]  # no room for its number
    assert tops["largest bound 0.1500"] > tops["no information"]
    for entry in chart.baselines:
        assert len(entry.x) < 3  # drawn once: the dashes of a way back would fill the gaps
    chart = loss_chart(RUNS, replace(group, bound=0.08, chance=0.12), False)
    tops = {entry.name: float(entry.y[0]) for entry in chart.baselines if entry.name}
    assert tops["no information 0.1200"] > tops["largest bound 0.0800"]


def test_violins_show_every_line_to_scale():
    (chart,) = shown("violins").charts
    assert chart.y_axis.words == ("Gaussian", "Arctan", "Sigmoid")
    assert chart.x_axis.high > 0.08
    assert len(names_of(chart)) == 6
    assert [aside.name for aside in chart.asides] == ["Sigmoid", "Arctan", "Gaussian"]
    assert "nan" not in chart_svg(chart).text


def test_the_tables_have_the_verdict_below_them():
    view = shown("summary")
    assert len(view.tables[0].rows) == 3
    assert view.notes == (
        "The bound of every run (each at 95 %) lies below the loss of no information.",
    )
    granted = shown("granted").tables[0].rows
    assert granted == (
        ("Bound", "All losses lie in 0 to 1. (checked)"),
        ("Warning", *FACTS.warnings),
        ("Reading", *FACTS.notes),
    )
    whole = shown("")
    assert whole.title == experiment_title(SPEC)
    assert [chart.title for chart in whole.charts] == ["Sigmoid", "Arctan", "Gaussian"]
    assert len(whole.tables) == 2


def test_what_has_not_run_is_refused():
    some = make_runs(SPEC, 0.2)
    assert [chart.title for chart in shown("", some).charts] == ["Sigmoid"]
    for part in ("losses gaussian", "losses nothing"):
        with pytest.raises(PayoffError, match="No run of this method"):
            shown(part, some)
    with pytest.raises(PayoffError, match="No run"):
        shown("violins", make_runs(SPEC, 0.0))


def test_rows_that_were_checked_are_said():
    view = show(CheckExperiment(), FACTS, Labels())
    assert view.sentences == (
        "600 rows, 50 columns of conditions, 51 parameters a subject, mean outcome 0.911.",
    )
    assert [row[0] for row in view.tables[0].rows] == ["Warning", "Reading"]


def test_another_experiment_lies_beside_in_grey():
    other = make_runs(replace(SPEC, seed=7), shift=0.02)
    view = comparison(ExperimentPair(here=RUNS, there=other), Labels())
    assert view.sentences == ("They differ in: seed.",)
    assert view.tables[0].rows[0][4] == "−0.0200"
    assert [bars.series for bars in view.charts[0].bars] == [-1, 0]
    assert view.charts[0].bars[0].y.sum() == 20
    assert "Choose “Compare with”" in compared_table(RUNS, None).rows[0][0]


@pytest.mark.parametrize(
    "name",
    [
        RunsCard(card="losses", sampler="sigmoid"),
        RunsCard(card="losses", is_effect=True, sampler="arctan", learner="boosting:a b"),
        RunsCard(card="violins", learner="logistic"),
        RunsCard(card="summary"),
        RunsCard(),
    ],
)
def test_a_card_is_named_by_its_key(name):
    assert RunsCard.read(str(name)) == name


def test_entries_of_older_projects_have_their_questions():
    assert by_question("experiments/losses sigmoid") == "experiments/run losses sigmoid"
    assert by_question("experiments/compared") == "experiments/compared"


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.0, 0.0), "The bound of no run (each at 90 %) lies below the loss of no information;"),
        ((0.4, 0.4), "in 40 % of runs (each at 90 %)."),
        ((0.997, 1.0), "in over 99 % to 100 % of runs"),
        ((0.002, 0.5), "in under 1 % to 50 % of runs"),
    ],
)
def test_the_verdict_names_its_confidence_and_no_cause(shares, said):
    """Why a bound lies above is not known: a poor learner does the same as few test rows."""
    groups = tuple(SimpleNamespace(below_chance=share) for share in shares)
    result = SimpleNamespace(
        done=10, bound_note="", groups=groups, spec=replace(ExperimentSpec(), confidence=0.9)
    )
    words = verdict_of(result)
    assert said in words
    assert "surely" not in words
    assert "too few" not in words


# ---------------------------------------------------------------- studies of boosting


def test_shrinkage_has_a_chart_for_each_data_set():
    view = show(BoostingIterations(study=SHRINKAGE), lines(), Labels())
    assert view.key == "experiments/iterations shrinkage"
    assert view.sentences == ("2 of 6 draws of data are done.",)
    assert [chart.title for chart in view.charts] == ["Friedman 1", "counts"]
    chart = view.charts[0]
    assert [entry.name for entry in chart.series][:2] == ["shrinkage 0.3", "shrinkage 0.1"]
    assert chart.series[0].low is not None
    assert place_words(chart, 120.0) == "120 iterations"
    assert len(view.tables[0].rows) == 10
    assert len(chart_numbers(chart)[1]) == 5 * 200


def test_a_rule_is_read_at_its_name():
    answer = rules()
    (chart,) = show(BoostingIterations(), answer, Labels()).charts
    assert place_words(chart, 2.6) == "5 folds"
    read = {aside.name: aside_words(aside, 2.6) for aside in chart.asides}
    assert read["median"].startswith("99.0")
    assert read["mean iterations"] == "208"
    nothing = replace(answer, rules=())
    assert show(BoostingIterations(), nothing, Labels()).charts == ()


def test_rows_say_the_limits_and_what_is_not_yet_reached():
    late = replace(curve(shrinkage=0.003), best=200.0)
    table = shrinkage_table((curve(), late, curve(draws=1)))
    assert table.rows[1][2] == "not yet at 200"
    assert table.rows[2][5] == "–"
    table = rules_table(rules().rules)
    names = [row[0] for row in table.rows]
    assert names == ["test, 33 %", "test, 20 %", "out of bag", "5 folds"]
    assert table.rows[0][4] == "208"
