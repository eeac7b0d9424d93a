"""The four protocols on made-up rows: shapes, column checks, leakage, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.data import from_data
from core.document.experiments.spec import PROTOCOLS, ExperimentSpec
from core.experiments.experiment import bound_note
from core.experiments.market import traded
from core.experiments.protocols import GENERATORS, study_of
from core.experiments.protocols.columns import unsafe_names
from core.experiments.protocols.stock_timing import slots_of
from payoff.errors import PayoffError
from payoff.vocabulary import TradePrice
from tests.helpers.factories.systems import prepare, run_experiment, runner_of

QUICK = {"aki_alert": 300, "sepsis": 300, "stock_timing": 25, "ad_conversion": 200}


def spec_of(protocol, **parts):
    return ExperimentSpec(protocol=protocol, synthetic_rows=QUICK[protocol], **parts)


def columns_of(protocol, rows=None, seed=1):
    return {
        name: np.asarray(v)
        for name, v in GENERATORS[protocol](rows or QUICK[protocol], seed).items()
    }


def read(_path):
    raise AssertionError("made-up rows need no file")


@pytest.mark.parametrize("mode", ["default", "paper"])
@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_every_protocol_runs(protocol, mode):
    spec = spec_of(protocol, mode=mode, systems=1, splits=1, learners=("linear",))
    found = run_experiment(spec, read)
    assert found.is_whole
    assert np.isfinite(found.runs.error).all()
    assert found.runs.count == 3
    assert np.all((found.runs.effect_error >= 0) & (found.runs.effect_error <= 4))


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_every_kind_of_system_runs(protocol):
    for system in PROTOCOLS[protocol].systems:
        spec = spec_of(protocol, system=system, systems=2, splits=1, samplers=("sigmoid",))
        runner = runner_of(prepare(spec, read), spec)
        outcome = runner.inputs("sigmoid", 1).system.outcome
        assert outcome.min() >= 0.0
        assert outcome.max() <= 1.0
        assert outcome.std() > 0.0


def test_aki_conditions():
    table = from_data(columns_of("aki_alert"))
    study = study_of(table, spec_of("aki_alert"))
    assert study.conditions.shape[1] == 50
    assert study.parameters == 51
    assert not any(name in ("max_stage", "aki_documentation") for name in study.names)
    age = study.conditions[:, study.names.index("age")]
    masked = np.isnan(columns_of("aki_alert")["age"])
    assert masked.any()
    assert np.all(age[masked] == 90.0)
    paper = study_of(table, spec_of("aki_alert", mode="paper"))
    assert paper.conditions.shape[1] == 52
    assert "max_stage and aki_documentation" in paper.facts.warnings[0]


def test_columns_that_leak_are_named():
    names = [
        "age",
        "time_to_rand",
        "scrpost28",
        "los_since_alert",
        "direct_cost",
        "delta_o2",
        "duration_of_alert",
    ]
    assert unsafe_names(names) == names[2:]
    columns = columns_of("aki_alert") | {"los_since_alert": np.arange(300.0)}
    study = study_of(from_data(columns), spec_of("aki_alert", columns=("los_since_alert",)))
    assert any("los_since_alert" in text for text in study.facts.warnings)


def test_missing_columns_are_named():
    columns = columns_of("aki_alert")
    del columns["sofa"]
    with pytest.raises(PayoffError, match="no column sofa"):
        study_of(from_data(columns), spec_of("aki_alert"))
    with pytest.raises(PayoffError, match="lacks") as refusal:
        study_of(from_data({"id": np.arange(30)}), spec_of("aki_alert"))
    assert "death14" in refusal.value.where


def test_114_repeated_ids_are_refused():
    columns = columns_of("sepsis")
    columns["stay_id"][7] = columns["stay_id"][3]
    with pytest.raises(PayoffError, match="stands in two rows") as refusal:
        study_of(from_data(columns), spec_of("sepsis"))
    assert "data rows 4 and 8" in refusal.value.where


def test_sepsis_takes_a_users_own_columns():
    columns = columns_of("sepsis") | {"unit": np.array(["a", "b", "c"] * 100)}
    columns["alive"] = columns.pop("survived")
    spec = spec_of("sepsis", outcome="alive", columns=("age", "unit"))
    study = study_of(from_data(columns), spec)
    assert study.names == ("age", "unit=a", "unit=b", "unit=c")
    with pytest.raises(PayoffError, match="no column survived"):
        study_of(from_data(columns), spec_of("sepsis"))
    late = replace(spec, columns=("age", "alive"))
    with pytest.raises(PayoffError, match="cannot be a condition"):
        study_of(from_data(columns), late)
    with pytest.raises(PayoffError, match="must be 0 or 1"):
        study_of(from_data(columns), replace(spec, outcome="age", columns=("sofa",)))


def test_116_an_empty_class_is_refused():
    columns = columns_of("sepsis")
    columns["survived"][:] = 1
    table = from_data(columns)
    with pytest.raises(PayoffError, match="class is empty"):
        runner_of(study_of(table, spec_of("sepsis")), spec_of("sepsis")).inputs("sigmoid", 0)


# ------------------------------------------------------------ stocks


def test_116_a_date_block_without_days_is_refused():
    with pytest.raises(PayoffError, match="slot of 11 days does not fit"):
        prepare(spec_of("stock_timing", slot_days=11), read)


def test_slots():
    ten = slots_of(10)
    assert [(s.first, s.days) for s in ten if s.in_train] == [(10 * k, 10) for k in range(1, 7)]
    assert [(s.first, s.days) for s in ten if not s.in_train] == [(70, 10)]
    whole = slots_of(0)
    assert [(s.first, s.days, s.in_train) for s in whole] == [(3, 67, True), (70, 10, False)]
    assert sum(not s.in_train for s in slots_of(2)) == 5
    with pytest.raises(PayoffError, match="does not fit"):
        slots_of(11)


def test_stock_study():
    study = study_of(
        from_data(columns_of("stock_timing")), spec_of("stock_timing", mode="paper").settled()
    )
    assert study.parameters == 135
    assert study.conditions.shape == (50, 45)
    assert "one time block" in bound_note(study)
    default = study_of(from_data(columns_of("stock_timing")), spec_of("stock_timing").settled())
    assert default.parameters == 144
    assert default.test.sum() == 25
    blocks = study_of(
        from_data(columns_of("stock_timing")), spec_of("stock_timing", slot_days=2).settled()
    )
    assert "5 blocks" in bound_note(blocks)


def test_bounds_of_one_time_block_are_left_out():
    spec = spec_of("stock_timing", systems=1, learners=("linear",))
    assert np.isnan(run_experiment(spec, read).runs.bound).all()
    spread = run_experiment(replace(spec, slot_days=2), read)
    assert np.isfinite(spread.runs.bound).all()


def test_mixed_rows():
    spec = spec_of("stock_timing", systems=1)
    runner = runner_of(prepare(spec, read), spec)
    study, inputs = runner.study, runner.inputs("gaussian", 0)
    market = study.market
    rows = np.arange(study.rows)
    real = np.searchsorted(np.sort(market.returns), market.returns)
    assert len(np.unique(real)) == study.rows
    other = inputs.system.answer(rows, inputs.others)
    changed = int(np.sum(other != inputs.system.outcome))
    count = round(0.85 * study.rows)
    assert count - 12 <= changed <= count  # ranks of a few may happen to agree
    assert f"{study.rows - count} of {study.rows} rows keep" in inputs.system.note


def _trade_by_hand(opened, last, actions):
    cash, held = 0.0, 0
    for price, action in zip(opened, actions, strict=True):
        if action == "buy":
            cash, held = cash - price, held + 1
        elif action == "sell" and held:
            cash, held = cash + price, held - 1
    return cash + held * last


def test_trading_by_hand():
    spec = spec_of("stock_timing", system="trading")
    market = prepare(spec, read).market
    width = market.features.shape[2]
    draw = np.random.default_rng(3)
    rows = np.arange(12)
    theta = draw.standard_normal((12, 9 * width))
    got, tied_up = traded(market, rows, theta)
    for place, row in enumerate(rows):
        weights = theta[place].reshape(3, 3 * width)
        actions = []
        for day in range(market.days[row]):
            seen = market.features[row, day : day + 3].reshape(-1)
            actions.append(("buy", "sell", "hold")[int(np.argmax(weights @ seen))])
        expected = _trade_by_hand(market.trade[row, : market.days[row]], market.last[row], actions)
        assert got[place] == pytest.approx(expected)
        assert tied_up[place] >= 0.0
    idle, capital = traded(market, rows, np.zeros((12, 9 * width)))  # ties hold: no trade
    assert np.all(idle == 0.0)
    assert np.all(capital == 0.0)
    expensive, _ = traded(market, rows, theta, cost=0.25)
    traders = tied_up > 0
    assert np.all(expensive[traders] < got[traders])
    before, _ = traded(market, rows, theta, price=TradePrice.CLOSE_BEFORE)
    assert not np.array_equal(before, got)
    with pytest.raises(PayoffError, match="would look ahead"):
        traded(market, rows, theta, price="close")


def test_decisions_see_no_later_day():
    columns = columns_of("stock_timing")
    spec = spec_of("stock_timing", system="trading").settled()
    first = study_of(from_data(columns), spec).market
    later = {name: values.copy() for name, values in columns.items()}
    places = np.arange(len(later["close"])) % 90 == 79  # the last day of the last slot
    later["turnover"][places] *= 5.0
    second = study_of(from_data(later), spec).market
    rows = np.arange(len(first.days))
    theta = np.random.default_rng(0).standard_normal((len(rows), 9 * first.features.shape[2]))
    assert np.array_equal(traded(first, rows, theta)[0], traded(second, rows, theta)[0])


def test_117_prices_that_cannot_be():
    good = columns_of("stock_timing")

    def refused(match, **changed):
        columns = {name: values.copy() for name, values in good.items()}
        for name, (row, value) in changed.items():
            columns[name][row] = value
        with pytest.raises(PayoffError, match=match) as refusal:
            study_of(from_data(columns), spec_of("stock_timing").settled())
        return refusal.value.where

    assert "stock 600001, 2024-01-09" in refused("close is -1", close=(5, -1.0))
    assert "stock 600001" in refused("high lies below", high=(5, 0.001))
    assert "600001" in str(refused("future", date=(3, "2999-01-01")))
    refused("date .* twice", date=(3, str(good["date"][2])))
    refused("no date", date=(3, "soon      "))


def test_117_short_stocks_and_gaps_are_left_out_and_named():
    columns = columns_of("stock_timing", rows=30)
    kept = np.ones(len(columns["date"]), dtype=bool)
    kept[:5] = False  # stock 1 has 85 days
    kept[90 + 20] = False  # stock 2 lacks a day
    study = study_of(
        from_data({n: v[kept] for n, v in columns.items()}), spec_of("stock_timing").settled()
    )
    assert len(study.ids) == 28 * 7
    assert any("600001" in text and "under 89 days" in text for text in study.facts.warnings)
    assert any("600002 (2024-01-30)" in text for text in study.facts.warnings)
    few = {name: values[: 90 * 5] for name, values in columns.items()}
    with pytest.raises(PayoffError, match="Only 5 stocks"):
        study_of(from_data(few), spec_of("stock_timing").settled())


# ------------------------------------------------------------ advertisements


def test_118_copies_of_the_advertisements():
    columns = columns_of("ad_conversion") | {"Date": np.array(["2017-08-17"] * 200)}
    study = study_of(from_data(columns, name="KAG.csv"), spec_of("ad_conversion"))
    words = " ".join(study.facts.warnings)
    assert "no column Date" in words
    assert "1,143 rows" in words
    assert "Impressions adds up to" in words
    assert "first ad_id" in words


def test_advertisements():
    study = study_of(from_data(columns_of("ad_conversion")), spec_of("ad_conversion"))
    assert "fb_campaign_id" not in " ".join(study.names)
    assert any(name.startswith("interest=") for name in study.names)
    assert study.outcome.max() == 1.0
    late = study_of(
        from_data(columns_of("ad_conversion")), spec_of("ad_conversion", columns=("Clicks",))
    )
    assert any("Clicks" in text for text in late.facts.warnings)


def test_the_subject_decides_what_is_shown():
    spec = spec_of("ad_conversion", systems=1)
    runner = runner_of(prepare(spec, read), spec)
    inputs = runner.inputs("gaussian", 0)
    theta, phi = inputs.subjects.theta, runner.study.standard
    shown = theta[:, 0] + (theta[:, 1:] * phi).sum(axis=1) >= 0
    assert np.all(inputs.system.outcome[~shown] == 0.0)
    assert inputs.system.outcome[shown].max() > 0.0
