"""``payoff.uplift`` makes the document a person would have made; the window answers it alike."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import payoff
from core.document.data.model import BadValues
from core.document.files.codec import from_plain, to_plain
from core.document.model import Document, Role
from core.document.uplift.commands import SetNu, SetPropensity
from core.document.uplift.model import NuChoice
from core.questions.uplift import Arms, NextTest, RowOrder, Slices, Uplift, UpliftMetrics
from core.script.session import engine
from payoff.errors import PayoffError

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile

PLAIN = {"outcome": "bought", "treatment": "arm", "scores": ["u", "noise"]}
TWO = {**PLAIN, "treated": "mail", "control": "no mail"}
ASKED = {
    "named arms": TWO,
    "all of it": {
        **TWO,
        "scores": {"good": "u", "bad": "noise", "again": "u"},
        "weight": "w",
        "propensity": "e",
        "clip": 0.2,
        "nu": "optimal",
        "true_effect": "truth",
        "covariates": ["x", "region", "u", "bought", "spend_post24"],
        "planned_share": 0.5,
        "drawn_by_lot": True,
        "seed": 7,
    },
    "amounts": {**TWO, "outcome": "spend", "nu": 0.3, "weight": "part"},
    "words": {**TWO, "outcome": "answer", "event": "no", "nu": "area"},
    "estimated": {**TWO, "covariates": ["x"], "propensity": "estimate", "clip": 0.1},
}


def frame(seed: int, rows: int = 400, *, holes: bool = False) -> pd.DataFrame:
    """Cases of three arms; with outcomes that are missing, and weights of 0."""
    draw = np.random.default_rng(seed)
    x, arm = draw.random(rows), draw.choice(["mail", "no mail", "phone"], rows, p=[0.4, 0.4, 0.2])
    bought = (draw.random(rows) < 0.3 + 0.3 * (arm == "mail") * x).astype(float)
    cases = pd.DataFrame(
        {
            "x": x,
            "region": draw.choice(list("NS"), rows),
            "arm": arm,
            "bought": bought,
            "spend": bought * draw.gamma(2, 10, rows),
            "answer": np.where(bought > 0, "yes", "no"),
            "u": np.round(x + 0.1 * draw.random(rows), 2),
            "noise": draw.random(rows),
            "truth": 0.3 * x,
            "e": np.round(draw.uniform(0.1, 0.9, rows), 2),
            "w": draw.integers(0, 4, rows).astype(float),
            "part": draw.random(rows) + 0.1,
            "spend_post24": draw.random(rows),
        }
    )
    if holes:
        cases.loc[[1, 2, 3, 30], ["bought", "spend", "answer"]] = None
        third = cases.index[cases["arm"] == "phone"][:5]
        cases.loc[third, ["u", "noise", "e", "w", "part", "truth"]] = np.nan
    return cases


@pytest.mark.parametrize("name", ASKED)
@given(seed=st.integers(0, 10_000), holes=st.booleans())
@settings(max_examples=3, deadline=None)
@pytest.mark.every_nth(2)
def test_the_window_answers_the_document_as_the_script_does(name, seed, holes):
    settled = {"missing_outcomes": "leave_out"} if holes else {}
    found = payoff.uplift(frame(seed, holes=holes), **ASKED[name], **settled)
    document = found.document
    assert document == from_plain(Document, to_plain(document))  # a project can hold it
    page = found.ask(Uplift(draws=0))
    assert (page.treated, page.control) == (found.treated, found.control)
    assert page.rows.rows == found.rows
    assert to_plain(page.guard, list) == to_plain(found.guard, list)
    effects = [found.effect(), *([found.effect(adjusted=True)] if len(page.effects) > 1 else [])]
    assert effects == [shown.effect for shown in page.effects]
    assert [model.model for model in page.models] == list(found.rankings)
    for model in page.models:
        score = model.model
        area = found.area("generalised", score)
        assert (model.nu, model.area.value) == (found.nu[score], area.area)
        assert model.minus_random.value == area.minus_random
        for row in model.variants:
            assert repr(row.measured) == repr(found.area(row.key, score))
        assert repr(model.choice) == repr(found.choose(score=score, seed=document.seed))
        assert repr(model.criteria) == repr(found.criteria(score))
        if "true_effect" in ASKED[name]:
            assert (model.pehe, model.pehe_root) == found.pehe(score)
    for shown in page.differences:
        gap = found.compare(shown.first, shown.second)
        assert gap == shown
    assert page.prices.models == tuple(found.rankings)
    axis = found.prices(page.prices.axis.prices)
    assert to_plain(axis, np.ndarray.tolist) == to_plain(page.prices.axis, np.ndarray.tolist)
    slices = found.ask(Slices(count=5, draws=16))
    for model in slices.models:
        table = found.by_percentile(model.model, bins=5)
        for column in table:
            np.testing.assert_array_equal(getattr(model.slices, column), table[column])
        rates = found.rates(model.model, draws=16, seed=document.seed)
        assert model.rates[0].rate.value == rates.value["autoc"]
        assert model.rates[0].rate.p_value == rates.p_value["autoc"]
    assert found.ask(NextTest(effect=0.05)).cases == found.next_test(0.05)
    metrics = found.metrics(resamples=0)
    cells = {(c.metric, c.model): c.estimate.value for c in metrics_of(found)}
    for row in metrics.itertuples():
        if (row.metric, row.score) in cells:
            assert cells[row.metric, row.score] == pytest.approx(row.value, rel=0, nan_ok=True)


def metrics_of(found):
    return found.ask(UpliftMetrics(draws=0)).evaluation.cells


def test_the_document_says_what_was_asked():
    found = payoff.uplift(frame(1), **ASKED["all of it"])
    document, spec = found.document, found.document.uplift
    assert document.data.is_in_memory
    assert (spec.treatment, spec.treated, spec.control) == ("arm", "mail", "no mail")
    assert (spec.outcome, spec.true_effect, spec.propensity) == ("bought", "truth", "e")
    assert (spec.column_clip, spec.planned_share, spec.drawn_by_lot) == (0.2, 0.5, True)
    assert spec.nu is NuChoice.OVERALL
    assert (document.seed, document.bad_values) == (7, BadValues.REFUSE_GAPS)
    assert document.column_of(Role.WEIGHT) == "w"
    assert [entry.name for entry in document.models] == ["good", "bad", "again"]
    inputs = ("x", "region", "u", "bought", "spend_post24")
    assert document.columns_of(Role.INPUT) == inputs
    estimated = payoff.uplift(frame(1), **ASKED["estimated"]).document.uplift
    assert (estimated.estimates_propensity, estimated.clip) == (True, 0.1)
    assert payoff.uplift(frame(1), **ASKED["amounts"]).document.uplift.nu == 0.3


def test_arms_that_their_names_tell_are_written_down():
    cases = frame(2).query("arm != 'phone'")
    document = payoff.uplift(cases, **PLAIN).document
    assert (document.uplift.treated, document.uplift.control) == ("mail", "no mail")
    with pytest.raises(PayoffError, match="3 values"):
        payoff.uplift(frame(2), **PLAIN)


def test_every_row_left_out_is_counted_once_by_its_arm_then_its_outcome_then_its_weight():
    cases = frame(3)
    cases["w"] = 1.0
    cases["arm"] = ["mail", "no mail"] * 200
    cases.loc[:9, "arm"] = "phone"
    cases.loc[5:14, "bought"] = np.nan
    cases.loc[8:17, "w"] = 0.0
    found = payoff.uplift(cases, **TWO, weight="w", missing_outcomes="leave_out")
    left = [("in another arm", 10), ("'bought' not known", 5), ("of weight 0", 3)]
    assert list(found.ask(Uplift(draws=0)).rows.dropped) == left
    words = [f"{count} rows are left out: {reason}." for reason, count in left]
    assert [text for text in found.validity if "left out" in text] == words
    assert found.rows == 400 - 18


@pytest.mark.parametrize("column", ["u", "w", "truth", "e", "bought"])
def test_a_gap_is_refused_where_it_counts_and_only_there(column):
    requested = {**TWO, "weight": "w", "true_effect": "truth", "propensity": "e"}
    cases = frame(4).assign(w=1.0)
    outside = int(np.flatnonzero(cases["arm"] == "phone")[0])
    inside = int(np.flatnonzero(cases["arm"] == "mail")[0])
    cases.loc[outside, column] = np.nan
    payoff.uplift(cases, **requested)
    cases.loc[inside, column] = np.nan
    with pytest.raises(PayoffError) as refused:
        payoff.uplift(cases, **requested)
    assert f"row {inside + 1}" in str(refused.value)


def test_the_window_leaves_a_case_without_a_score_out_and_says_so():
    cases = frame(5)
    document = payoff.uplift(cases, **TWO).document
    cases.loc[np.flatnonzero(cases["arm"] == "mail")[0], "u"] = np.nan
    with pytest.raises(PayoffError, match=r"missing or infinite in 1 row\."):
        payoff.uplift(cases, **TWO)
    source = payoff.uplift(cases, **{**TWO, "scores": "noise"})
    requested = replace(document, data=source.document.data)
    with pytest.raises(PayoffError, match=r"missing or infinite in 1 row\."):
        engine().ask(requested, Uplift(draws=0))
    page = engine().ask(replace(requested, bad_values=BadValues.REFUSE), Uplift(draws=0))
    assert ("without a score of every model", 1) in page.rows.dropped


def test_a_ranking_that_cannot_be_read_is_refused_and_the_window_goes_on_without_it():
    cases = frame(6)
    cases["text"] = "high"
    with pytest.raises(PayoffError, match="no number"):
        payoff.uplift(cases, **{**TWO, "scores": ["u", "text"]})
    found = payoff.uplift(cases, **TWO)
    roles = tuple(
        replace(entry, column="text") if entry.model == "noise" else entry
        for entry in found.document.roles
    )
    shown = replace(found.document, roles=roles, bad_values=BadValues.REFUSE)
    page = engine().ask(shown, Uplift(draws=0))
    assert [model.model for model in page.models] == ["u"]
    assert any("'noise' is left out" in text for text in page.warnings)


def test_chances_that_cannot_be_estimated_are_refused_and_the_window_takes_the_share():
    requested = {**TWO, "propensity": "estimate"}
    with pytest.raises(PayoffError, match="cannot be estimated"):
        payoff.uplift(frame(7), **requested)
    found = payoff.uplift(frame(7), **TWO)
    spec = replace(found.document.uplift, estimates_propensity=True)
    shown = replace(found.document, uplift=spec, bad_values=BadValues.REFUSE)
    page = engine().ask(shown, Uplift(draws=0))
    assert not page.has_propensity
    assert any("could not be estimated" in text for text in page.warnings)


def test_a_baseline_of_each_depth_is_drawn_and_the_document_has_none():
    found = payoff.uplift(frame(8), **TWO, nu="pointwise")
    assert math.isnan(found.nu["u"])
    assert found.document.uplift.nu is NuChoice.ZERO
    gain = {model.model: model.choice.gain for model in found.ask(Uplift(draws=0)).models}
    assert gain == {name: found.choose(score=name).gain for name in ("u", "noise")}


def test_the_commands_of_the_window_say_what_scripts_say():
    document = payoff.uplift(frame(9), **TWO).document
    described = SetNu(nu=0.3).apply(SetPropensity(column="e", column_clip=0.2).apply(document))
    assert (described.uplift.nu, described.uplift.column_clip) == (0.3, 0.2)
    with pytest.raises(PayoffError, match="finite"):
        SetNu(nu=math.inf).apply(document)
    with pytest.raises(PayoffError, match=r"less than 0\.5"):
        SetPropensity(column="e", column_clip=0.7).apply(document)


def test_questions_that_only_the_window_asked_are_answered():
    found = payoff.uplift(frame(10), **TWO)
    arms = found.ask(Arms())
    assert {row.effect.arm for row in arms.rows} == {"mail", "phone"}
    order = found.ask(RowOrder())
    exact = [row.figure.exact for row in order.rows if row.model == "u"]
    table = found.row_order("u", seed=found.document.seed)
    np.testing.assert_array_equal(exact, table["exact"])


def values_of(record):
    return tuple(getattr(record, item.name) for item in fields(record))


@pytest.mark.filterwarnings("ignore:.* is called .* now:DeprecationWarning")
def test_former_names_of_an_answer_are_still_read():
    found = payoff.uplift(frame(13), **TWO)
    page = found.ask(Uplift(draws=0))
    choice = page.models[0].choice
    assert page.guard.lines is page.guard.checks
    assert (choice.cases, choice.low) == (choice.targeted, choice.gain_low)
    assert choice.high == choice.gain_high
    shown = page.effects[0]
    effect = shown.effect
    assert (shown.arm, shown.cases, shown.mean) == (effect.arm, effect.cases, effect.mean)
    former = (shown.control_cases, shown.control_mean, shown.relative, shown.p_value)
    assert former == (effect.control_cases, effect.control_mean, effect.relative, effect.p_value)
    assert effect.value == effect.effect
    arm = found.ask(Arms()).rows[0]
    assert (arm.arm, arm.cases) == (arm.effect.arm, arm.effect.cases)
    assert (arm.mean, arm.control_mean) == (arm.effect.mean, arm.effect.control_mean)
    prices, axis = page.prices, page.prices.axis
    former = (prices.prices, prices.gain, prices.depth, prices.winner, prices.is_clear)
    assert all(one is other for one, other in zip(former, values_of(axis), strict=False))
    first = page.models[0].variants[0]
    assert first.area == first.measured.area
    assert first.above_chance == first.measured.minus_random
    assert first.standard_error == first.measured.standard_error_minus_random
    order = found.ask(RowOrder())
    held, row = order.models[0], order.rows[0]
    assert (held.tied, held.cases, held.groups, held.shuffles) == values_of(held.ties)
    former = (row.tool, row.name, row.exact, row.as_filed, row.low, row.high, row.worst, row.best)
    assert former == values_of(row.figure)
    slices = found.ask(Slices(count=2, draws=4)).models[0]
    for item in fields(slices.slices):
        assert getattr(slices, item.name) is getattr(slices.slices, item.name)
    assert (slices.share, slices.share_low, slices.share_high) == values_of(slices.balance)
    figure = slices.rates[0]
    former = (figure.value, figure.standard_error, figure.low, figure.high, figure.p_value)
    assert former == values_of(figure.rate)[1:]


def test_a_table_lives_as_long_as_its_answer():
    found = payoff.uplift(frame(11), **TWO)
    document = found.document
    del found
    payoff.uplift(frame(12), **TWO)  # whatever else is judged meanwhile
    with pytest.raises(PayoffError, match="no longer there"):
        engine().ask(document, Uplift(draws=0))
