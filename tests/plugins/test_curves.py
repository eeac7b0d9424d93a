"""Curves of plugins: the public door gives what the host draws, and what others define."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

import payoff
from core.document.compare.chart_kinds import CHART_KINDS
from core.evaluation import assess
from payoff.curves import CurveRanking
from payoff.parameters import resolve_parameters
from payoff.testing import check_metric
from payoff.testing.host import curve_lines
from tests.helpers.factories.evaluation import CURVES, binary_problem, made_cases, request

SPECS = {entry.spec.id: entry.spec for entry in CURVES}


@pytest.fixture(scope="module")
def cases():
    outcome, probability = made_cases(2_000, 8)
    return outcome, np.round(probability, 2)


@pytest.mark.parametrize("name", SPECS)
def test_every_shipped_curve_passes_the_kit(name):
    sheet = check_metric(SPECS[name])
    assert sheet.passed, f"\n{sheet}"


def test_every_chart_but_those_of_money_comes_through_the_public_door():
    assert {entry.kind for entry in CHART_KINDS if not entry.needs_money} == set(SPECS)


def test_the_catalogue_says_of_shipped_curves_what_they_say_themselves():
    known = {entry.kind: entry for entry in CHART_KINDS}
    for name, spec in SPECS.items():
        entry = known[name]
        described = (spec.axes.question, spec.label, spec.axes.axis)
        assert described == (entry.title, entry.subtitle, entry.axis), name
        assert {str(task) for task in spec.tasks} <= set(entry.tasks), name


def test_the_host_draws_what_a_sample_gives_through_the_public_door(cases):
    outcome, probability = cases
    weight = np.random.default_rng(4).integers(1, 4, len(outcome)).astype(float)
    kinds = tuple(SPECS)
    problem = binary_problem(outcome, {"m": probability}, [], frequency=weight)
    charts = {chart.kind: chart for chart in assess(replace(problem, charts=kinds)).charts}
    sample = payoff.Sample(
        np.where(outcome == 1, 0, 1),
        prediction=np.vstack([probability, 1 - probability]),
        weight=weight,
        labels=("yes", "no"),
    )
    of_classes = {n: s for n, s in SPECS.items() if payoff.Task.BINARY in s.tasks}
    assert len(of_classes) == 13
    for name, spec in of_classes.items():
        curve = next(c for c in charts[name].curves if c.model == "m")
        (line, *_) = curve_lines(spec, sample, resolve_parameters(spec.parameters))
        np.testing.assert_allclose(curve.x, line.x, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(curve.y, line.y, atol=1e-9, err_msg=name)


def test_roc_is_that_of_scikit_learn(cases):
    outcome, probability = cases
    ranking = CurveRanking.of(
        payoff.Sample(np.where(outcome == 1, 0, 1), probability, labels=("yes", "no"))
    )
    alarms, found = SPECS["roc"].trace(ranking, {})
    fpr, tpr, _ = roc_curve(outcome, probability)
    # Read at 1,001 depths, the line may cut a corner of the polygon between two of them.
    at = np.linspace(0, 1, 40) + 1e-9
    np.testing.assert_allclose(
        np.interp(at, alarms, found), np.interp(at, fpr, tpr), atol=1.0 / outcome.sum()
    )
    assert np.trapezoid(found, alarms) == pytest.approx(
        roc_auc_score(outcome, probability), abs=1e-4
    )


def test_bands_of_a_curve_of_many_lines_and_a_common_grid(cases):
    """A third party's general curve: two lines of a model, read at one grid, bands from draws."""
    outcome, probability = cases

    def compute(sample, parameters, grid):
        above = sample.score[:, None] >= grid
        weight, is_event = sample.weight, sample.outcome == 0
        found = (weight * is_event) @ above / (weight @ is_event)
        spared = (weight * ~is_event) @ ~above / (weight @ ~is_event)
        return [
            payoff.CurveLine(x=grid, y=found, name="found"),
            payoff.CurveLine(x=grid, y=spared, name="spared", low=spared - 1, high=spared + 1),
        ]

    spec = replace(
        SPECS["roc"],
        id="own",
        form=payoff.MetricForm.GENERAL,
        trace=None,
        compute=compute,
        axes=payoff.CurveAxes(
            question="Q of {event}",
            x="chance",
            y="share",
            axis=payoff.CurveAxis.CHANCE,
            grid=lambda samples, parameters: np.linspace(0, samples[0].score.max(), 11),
            note=lambda line, parameters: f"{line.name} ends at {line.y[-1]:.2f}",
        ),
    )
    models = {"m": probability, "half": probability / 2}
    problem = binary_problem(
        outcome, models, [], resamples=60, charts=("own",), curves=(request(spec),)
    )
    (chart,) = [entry for entry in assess(problem).charts if entry.kind == "own"]
    lines = {(c.model, c.name): c for c in chart.curves}
    assert set(lines) == {(m, n) for m in models for n in ("found", "spared")}
    found = lines["m", "found"]
    np.testing.assert_array_equal(found.x, lines["half", "found"].x)
    events = outcome.sum()
    share = ((probability >= found.x[3]) & (outcome == 1)).sum() / events
    assert found.y[3] == pytest.approx(share)
    wide = 1.96 * np.sqrt(share * (1 - share) / events)
    assert (found.high[3] - found.low[3]) / 2 == pytest.approx(wide, rel=0.35)
    np.testing.assert_allclose(lines["m", "spared"].high, lines["m", "spared"].y + 1)
    assert chart.plugin_chart.title == "Q of yes"
    assert "m: found ends at" in chart.notes[0]


def test_calibration_follows_the_convention_and_says_its_sentence(cases):
    """What the contract was widened by: a choice ``convention``, a line's note, a detail."""
    outcome, probability = cases
    plain = binary_problem(outcome, {"m": probability}, [])
    charts = {c.kind: c for c in assess(plain).charts}
    as_r = {c.kind: c for c in assess(replace(plain, convention="r")).charts}
    assert len(charts["calibration"].curves[0].x) == 20
    assert len(as_r["calibration"].curves[0].x) == 10
    assert charts["calibration"].notes[0].startswith("m: the chances come true")
    assert "Bins of 0.0" in charts["score_distribution"].definition
    assert "Wilson intervals of each share" in charts["calibration"].definition


def _with_axes(**changes):
    spec = SPECS["score_distribution"]
    return replace(spec, axes=replace(spec.axes, **changes))


BROKEN = {
    "a detail that is no text": (
        _with_axes(detail=lambda samples, lines, parameters: 3),
        "is int, not text",
    ),
    "a note that is no text": (
        _with_axes(note=lambda line, parameters: None),
        "is NoneType, not text",
    ),
    "a detail of a ranked curve": (
        replace(
            SPECS["gains"],
            axes=replace(SPECS["gains"].axes, detail=lambda samples, lines, parameters: ""),
        ),
        "detail belongs to the form",
    ),
    "a convention that nobody has": (
        replace(
            SPECS["calibration"],
            parameters=(replace(SPECS["calibration"].parameters[0], choices=("payoff", "spss")),),
        ),
        "choices are among",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_kit_finds_what_is_wrong_with(name):
    spec, words = BROKEN[name]
    assert any(words in entry.found for entry in check_metric(spec).failures)


def test_a_curve_that_fails_costs_its_own_lines_only(cases):
    outcome, probability = cases

    def compute(sample, parameters):
        raise ValueError("no such luck")

    broken = replace(
        SPECS["gains"], id="broken", form=payoff.MetricForm.GENERAL, trace=None, compute=compute
    )
    problem = binary_problem(
        outcome,
        {"m": probability},
        ["auc"],
        resamples=40,
        charts=("broken",),
        curves=(*CURVES, request(broken)),
    )
    result = assess(problem)
    chart = next(entry for entry in result.charts if entry.kind == "broken")
    assert not [c for c in chart.curves if c.model]
    assert chart.notes == ("m: The plugin failed: ValueError: no such luck",)
    assert {"roc", "gains"} <= {entry.kind for entry in result.charts}
