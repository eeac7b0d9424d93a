"""``payoff.uplift``: names of the scripting face, and bad input 61 to 69 of the catalogue."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import payoff
from core.document.studies.uplift import Choice
from core.script.command_line.arguments import verb_parser
from core.script.command_line.verbs import VOID, choice_words, run_verb
from core.uplift.ranked.curves import VARIANTS
from payoff import PayoffError
from tests.helpers.factories.uplift import golden

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


def frame(rows: int = 2_000, seed: int = 1) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    x = draw.random(rows)
    treated = (draw.random(rows) < 0.5).astype(int)
    bought = (draw.random(rows) < 0.3 + treated * 0.3 * (x - 0.3)).astype(int)
    return pd.DataFrame(
        {
            "x": x,
            "treated": treated,
            "bought": bought,
            "u": 0.3 * (x - 0.3),
            "noise": draw.random(rows),
            "e": 0.5,
            "spend": bought * draw.gamma(2, 10, rows),
        }
    )


def ask(data: pd.DataFrame, **settings):
    base = {"outcome": "bought", "treatment": "treated", "scores": ["u", "noise"]}
    return payoff.uplift(data, **(base | settings))


def test_the_names_of_the_scripting_face():
    found = ask(frame(), nu="optimal", true_effect="u")
    for variant in VARIANTS:
        table = found.curve(variant, "u")
        assert list(table.columns[:2]) == ["x", "y"]
        assert table.x.iloc[0] == 0
        assert table.x.iloc[-1] == pytest.approx(1.0)
        assert ("count" in table) == (
            variant.endswith("joint_absolute") or variant == "generalised"
        )
    area = found.area("generalised", "u")
    assert area.low < area.area < area.high
    assert area.area == pytest.approx(found.aunuc("u"))
    assert set(found.nu) == {"u", "noise"}
    assert found.pehe("u") == (0.0, 0.0)
    gap = found.compare("u", "noise")
    assert gap.estimate.low < gap.estimate.value < gap.estimate.high
    assert found.criteria("u").steps == 9
    best = found.choose("gain", {"targeted": (None, 500)}, value=10, contact=0.5)
    assert best.targeted <= 500
    assert list(found.envelope("u").columns) == ["x", "y"]
    assert all("No control case" in text for text in found.validity)
    assert found.named_score("criteo_auuc", "u") == pytest.approx(1_000 * found.aunuc("u"))
    band = found.band("u", draws=64)
    assert (band.low_all <= band.low + 1e-12).all()
    assert found.effect().low < found.effect().effect < found.effect().high
    assert found.next_test(0.05) > 100
    with pytest.raises(PayoffError, match="no score 'z'"):
        found.area("generalised", "z")
    with pytest.raises(PayoffError, match="no uplift curve"):
        found.curve("qini", "u")


def test_rates_have_errors_as_the_window_has():
    found = ask(frame(4_000))
    table = found.rates("u", draws=64)
    assert list(table.index) == ["autoc", "qini"]
    assert table.value["autoc"] == pytest.approx(found.rate("u"))
    assert table.value["qini"] == pytest.approx(found.rate("u", weighting="qini"))
    assert (table.low < table.value).all()
    assert (table.value - table.low).to_numpy() == pytest.approx(1.959964 * table.standard_error)
    assert table.p_value["autoc"] < 0.01 < found.rates("noise", draws=64).p_value["autoc"]
    again = found.rates("u", draws=64)
    pd.testing.assert_frame_equal(table, again)
    with pytest.raises(PayoffError, match="1 resample gives"):
        found.rates("u", draws=1)


def test_reference_cases_through_the_script():
    for name in ("s05_non_rct", "s02_heavy_ties"):
        data, expected = golden(name)
        found = payoff.uplift(data, outcome="y", treatment="t", scores="u")
        wanted = expected["report"]["general_with_overall_share"]["nu_0_V1"]
        assert found.aunuc("u") == pytest.approx(wanted["AUNUC_xaxis_trapz"], rel=1e-9)
        assert found.aunuc("u", "xaxis_sum") == pytest.approx(wanted["AUNUC_xaxis_sum"], rel=1e-9)
        named = found.named_score("scikit_uplift_qini_auc_score", "u")
        assert named == pytest.approx(expected["scikit_uplift"]["qini_auc_score"], rel=1e-9)


def test_numbers_pointwise_baselines_and_weights():
    data = frame().assign(w=2.0)
    found = ask(data, outcome="spend", weight="w", nu="pointwise")
    assert math.isnan(found.nu["u"])
    assert len(found.curve("generalised", "u")) > 100
    with pytest.raises(PayoffError, match="one baseline"):
        found.area("generalised", "u")


def test_covariates_guard_and_adjust():
    data = frame()
    data["spend_post24"] = data.treated + 0.1 * data.noise
    found = ask(data, covariates=["x", "spend_post24"])
    keys = {check.key for check in found.guard.checks}
    assert {"share", "predictable", "imbalance", "score"} <= keys
    assert found.effect(adjusted=True).method.startswith("adjusted")
    # 69: a column measured after the treatment
    assert any("after the treatment" in text for text in found.validity)
    assert found.guard.state != "error"


def test_estimated_propensities_put_right_what_was_no_experiment():
    draw = np.random.default_rng(4)
    x = draw.normal(size=4_000)
    e = 1 / (1 + np.exp(-x))
    treated = (draw.random(4_000) < e).astype(int)
    data = pd.DataFrame({"x": x, "treated": treated, "bought": x + draw.normal(size=4_000)})
    plain = ask(data, scores="x", covariates=["x"])
    assert plain.guard.state == "error"
    mended = ask(data, scores="x", covariates=["x"], propensity="estimate")
    ends = [abs(found.curve("generalised", "x").y.iloc[-1]) for found in (plain, mended)]
    assert ends[1] < 0.5 * ends[0]
    assert mended.guard.state == "warning"


# ---------------------------------------------------------------- the catalogue of bad input


@pytest.mark.parametrize("edge", [0.0, 1.0])
def test_61_propensity_of_exactly_0_or_1(edge):
    data = frame()
    data.loc[[3, 9], "e"] = edge
    with pytest.raises(PayoffError, match="2 rows") as refusal:
        ask(data, propensity="e")
    assert "clip" in refusal.value.remedy
    clipped = ask(data, propensity="e", clip=0.05)
    assert clipped.experiment.propensity.min() >= 0.05


def test_62_propensities_near_the_edge():
    data = frame()
    data.loc[:40, "e"] = 0.995
    texts = " ".join(ask(data, propensity="e").validity)
    assert "largest weight" in texts
    assert "Effective cases" in texts


@pytest.mark.parametrize("value", [-0.1, 1.3, np.nan])
def test_63_propensities_that_are_no_chances(value):
    data = frame()
    data.loc[5, "e"] = value
    with pytest.raises(PayoffError, match="propensity") as refusal:
        ask(data, propensity="e")
    assert "row 6" in refusal.value.where


def test_63_a_constant_that_is_not_the_share():
    found = ask(frame().assign(e=0.8), propensity="e")
    assert any("is not the share treated" in text for text in found.validity)


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ([1] * 2_000, "one value"),
        ([0, 1, 2, 1] * 500, "3 values"),
        ([0, 1] * 999 + [None, 1], "missing"),
    ],
)
def test_64_treatments_that_are_no_two_arms(values, match):
    with pytest.raises(PayoffError, match=match):
        ask(frame().assign(treated=values))


def test_64_two_of_three_arms_can_be_named():
    data = frame().assign(treated=["a", "b", "none", "b"] * 500)
    found = ask(data, treated="b", control="none")
    assert (found.treated, found.control, found.rows) == ("b", "none", 1_500)
    assert "500 rows are left out: in another arm." in found.validity


def test_65_an_arm_missing_in_a_slice_is_a_gap():
    data = frame().sort_values("u", ascending=False)
    data.iloc[:300, data.columns.get_loc("treated")] = 1
    found = ask(data)
    table = found.by_percentile("u")
    assert math.isnan(table.uplift.iloc[0])
    assert any("No control case" in text for text in found.validity)
    assert found.curve("qini_joint_absolute", "u").x.iloc[1] > 0.1


def test_66_arms_that_cannot_be_told_are_asked_for():
    data = frame().rename(columns={"treated": "control_group"})
    with pytest.raises(PayoffError, match="cannot be told"):
        ask(data, treatment="control_group")
    found = ask(data, treatment="control_group", treated=0, control=1)
    other = ask(data, treatment="control_group", treated=1, control=0)
    assert found.effect().effect == pytest.approx(-other.effect().effect)


def test_67_numbers_in_a_figure_for_zero_and_one():
    found = ask(frame(), outcome="spend")
    for name in ("scikit_uplift_qini_auc_score", "scikit_uplift_uplift_auc_score"):
        with pytest.raises(PayoffError, match="auc_score is defined for outcomes of 0 and 1"):
            found.named_score(name, "u")
    assert math.isfinite(found.named_score("causalml_auuc_score", "u"))


def test_68_all_the_weight_on_one_case_withholds_the_interval():
    data = frame()
    data.loc[int(np.argmax(data.treated == 1)), "e"] = 1e-7
    found = ask(data, propensity="e")
    area = found.area("generalised", "u")
    assert math.isnan(area.low)
    assert "withheld" in area.method
    assert any("few cases" in text for text in found.validity)


def test_a_missing_score_and_a_missing_outcome():
    data = frame()
    data.loc[7, "u"] = np.nan
    with pytest.raises(PayoffError, match="'u'") as refusal:
        ask(data)
    assert "data row 8" in refusal.value.where
    data = frame().astype({"bought": float})
    data.loc[7, "bought"] = np.nan
    with pytest.raises(PayoffError, match="1 of 2,000 rows has no outcome"):
        ask(data)
    found = ask(data, missing_outcomes="leave_out")
    assert "1 row is left out: 'bought' not known." in found.validity


def test_the_order_of_tied_rows_moves_other_tools_figures_only():
    data = frame()
    data["tied"] = np.floor(data["u"] * 4)
    found = ask(data, scores={"tied": "tied", "u": "u"})
    table = found.row_order("tied", seed=3)
    assert list(table.columns) == [
        "tool",
        "name",
        "exact",
        "as_filed",
        "low",
        "high",
        "worst",
        "best",
    ]
    assert {"causalml", "scikit-uplift"} <= set(table["tool"])
    moved = table[table["low"] < table["high"]]
    assert len(moved) > 0
    assert (moved["worst"] <= moved["low"]).all()
    assert (moved["high"] <= moved["best"]).all()
    assert ((table["exact"] >= table["worst"]) & (table["exact"] <= table["best"])).all()
    pd.testing.assert_frame_equal(found.row_order("tied", seed=3), table)
    shuffled = ask(data.sample(frac=1.0, random_state=1), scores={"tied": "tied"})
    again = shuffled.row_order("tied", seed=3)
    np.testing.assert_allclose(again["exact"], table["exact"])
    assert not np.allclose(again["as_filed"], table["as_filed"])
    untied = found.row_order("u")
    np.testing.assert_allclose(untied["low"], untied["high"])
    with pytest.raises(PayoffError, match="no score 'x'"):
        found.row_order("x")


def test_exposure_is_not_assignment():
    found = ask(frame().rename(columns={"treated": "opened"}), treatment="opened")
    assert any("as assigned" in text for text in found.validity)


def test_the_verb_writes_guard_effect_and_best_depth(tmp_path, capsys):
    path = tmp_path / "vouchers.csv"
    frame().to_csv(path, index=False)
    out = tmp_path / "answer.json"
    arguments = [
        "uplift",
        str(path),
        "--outcome",
        "bought",
        "--treatment",
        "treated",
        "--score",
        "good=u",
        "--score",
        "noise",
        "--value",
        "10",
        "--contact",
        "0.8",
        "--most",
        "900",
        "--json",
        str(out),
    ]
    assert run_verb(verb_parser().parse_args(arguments)) == 0
    answer = json.loads(out.read_text("utf-8"))
    assert answer["validity"]["state"] in ("ok", "warning")
    assert answer["effect"]["low"] < answer["effect"]["effect"]
    assert list(answer["scores"]) == ["good", "noise"]
    assert answer["scores"]["good"]["best"]["targeted"] <= 900
    refused = verb_parser().parse_args([*arguments[:4], "--treatment", "x", *arguments[6:]])
    assert run_verb(refused) == 2
    assert "'x'" in capsys.readouterr().err


def test_the_verb_says_first_where_no_gain_may_be_read(tmp_path, capsys):
    """Treated by what decides the outcome: the gains below are none to go by."""
    draw = np.random.default_rng(4)
    x = draw.normal(size=2_000)
    treated = (draw.random(2_000) < 1 / (1 + np.exp(-2 * x))).astype(int)
    table = pd.DataFrame({"x": x, "treated": treated, "bought": (x > 0.5).astype(int)})
    path = tmp_path / "chosen.csv"
    table.to_csv(path, index=False)
    words = ["uplift", str(path), "--outcome", "bought", "--treatment", "treated"]
    words += ["--score", "x", "--covariate", "x", "--json", str(tmp_path / "a.json")]
    assert run_verb(verb_parser().parse_args(words)) == 0
    lines = capsys.readouterr().err.splitlines()
    first = next(place for place, line in enumerate(lines) if VOID in line)
    assert any(line.startswith("payoff: x: ") for line in lines[first + 1 :])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "treat the best 20.0 %: 12 cross-fitted (-70 to 94); 69 on the rows that chose the"),
        ({"cross_fitted": math.nan}, "treat the best 20.0 %: 69, read on the rows that chose the"),
        (
            {"cross_fitted": -16.0},
            "no depth is known to pay, on these rows the best is 20.0 %: -16 cross-fitted",
        ),
        ({"is_nobody": True}, "treat nobody: at these prices no depth pays"),
    ],
)
def test_the_verb_tells_the_cross_fitted_gain_first(changes, said):
    choice = Choice(
        depth=0.2, threshold=0.1, targeted=200.0, incremental=16.9, gain=69.0, gain_low=-10.0,
        gain_high=148.0, cross_fitted=12.0, spent=100.0, mean_return=0.1, gain_of_all=-40.0,
        is_nobody=False, cross_fitted_low=-70.0, cross_fitted_high=94.0,
    )  # fmt: skip
    assert choice_words(replace(choice, **changes)).replace("\u00a0", " ").startswith(said)
