"""The jobs behind the tabs Capacity, Cases, Swap set and Gap, and the hold-out when saving."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from core.document.decisions.matrix_model import (
    CostSpec,
    NumberKind,
    NumberRef,
    NumberSetting,
    Scenario,
)
from core.document.studies.decided_cases import SwapSide
from core.engine.local import LocalEngine
from core.engine.messages import Ask, SaveArguments
from core.engine.options import EngineOptions
from core.questions.decide import (
    AtDepth,
    Capacity,
    CasesAsPoints,
    CasesOneByOne,
    Gap,
    HoldOutPlan,
    Rankings,
    Swap,
    Totals,
)
from payoff.errors import PayoffError
from tests.helpers.factories.scored import scored_document, write_csv


@pytest.fixture(scope="module")
def engine():
    return LocalEngine(EngineOptions(safe_mode=True))


@pytest.fixture
def costly(document):
    """The same with a cost of acting in a column."""
    matrix = replace(document.matrix, costs=(CostSpec(column="cost"), CostSpec()))
    return replace(document, matrix=matrix)


def used(columns):
    return np.array([value == "validation" for value in columns["use"]])


def in_order(columns, probability="p_good"):
    """Chances and outcomes of the rows used, best first."""
    rows = used(columns)
    probabilities, event = columns[probability][rows], np.array(columns["outcome"])[rows] == "yes"
    order = np.argsort(-probabilities, kind="stable")
    return probabilities[order], event[order]


# ------------------------------------------------------------ capacity


def test_capacity_takes_the_best_cases(engine, document, columns):
    result = engine.ask(document, Capacity(most_actions=100))
    point = result.point("good")
    probabilities, event = in_order(columns)
    assert point.profit.value == pytest.approx(np.where(event, 8.0, -2.0)[:100].sum(), abs=10.0)
    assert point.expected == pytest.approx((10 * probabilities[:100] - 2).sum())
    assert point.action_price == pytest.approx(10 * probabilities[100] - 2)
    assert point.depth == pytest.approx(0.1)
    assert [curve.model for curve in result.curves] == ["good", "rough"]
    assert result.price == 2.0  # an action can lose no more


def test_the_depth_of_a_capacity_is_the_cursors(engine, document):
    point = engine.ask(document, Capacity(most_actions=140)).point("good")
    reading = engine.ask(document, AtDepth(depth=point.depth))
    assert reading.profit[0] == pytest.approx(point.profit.value)
    assert reading.low[0] == pytest.approx(point.profit.low)


def test_a_budget_on_costs_in_a_column(engine, costly, columns):
    result = engine.ask(costly, Capacity(most_money=60.0))
    point = result.point("good")
    assert result.resource == "money"
    assert result.price is None
    assert point.binding == "money"
    assert point.money == pytest.approx(60.0)
    rows = used(columns)
    probability, cost = columns["p_good"][rows], columns["cost"][rows]
    ratio = (10 * probability - 2 - cost) / cost
    order = np.argsort(-ratio)
    inside = np.cumsum(cost[order]) <= 60.0
    greedy = (10 * probability - 2 - cost)[order][inside].sum()
    assert greedy <= point.expected <= greedy + 8.0


# ------------------------------------------------------------ cases


def page(engine, document, **settings):
    return engine.ask(document, CasesOneByOne(model="good", **settings))


def test_pages_follow_one_order(engine, document, columns):
    probabilities, _ = in_order(columns)
    first = page(engine, document, sort="chance", count=50)
    later = page(engine, document, sort="chance", start=600, count=50)
    assert first.cases == first.all_cases == 1000
    np.testing.assert_allclose(first.probability, probabilities[:50])
    np.testing.assert_allclose(later.probability, probabilities[600:650])
    rising = page(engine, document, sort="chance", is_descending=False, count=5)
    np.testing.assert_allclose(rising.probability, probabilities[::-1][:5])
    assert page(engine, document, start=5_000).ids == ()


def test_a_case_is_the_one_of_the_file(engine, document, columns):
    found = page(engine, document, sort="gap", is_descending=False, count=3)
    for place, row in enumerate(found.row - 1):
        assert found.ids[place] == columns["case_id"][row]
        probability = columns["p_good"][row]
        assert found.probability[place] == pytest.approx(probability)
        assert found.gap[place] == pytest.approx(abs(10 * probability - 2))
        assert found.decision[place] == ("Act" if probability > 0.2 else "Wait")
        event = columns["outcome"][row] == "yes"
        assert found.best[place] == (8.0 if event else 0.0)


def test_filter_and_order_by_id(engine, document, columns):
    acted = page(engine, document, sort="id", is_descending=False, decision="Act", count=2000)
    rows = np.flatnonzero(used(columns) & (columns["p_good"] > 0.2))
    assert list(acted.ids) == [columns["case_id"][row] for row in rows]
    assert acted.cases == len(rows)
    assert page(engine, document, decision="").cases == 0


def test_only_the_cases_down_to_a_depth(engine, document, columns):
    probabilities, _ = in_order(columns)
    best = page(engine, document, sort="chance", within=0.05, count=200)
    np.testing.assert_allclose(best.probability, probabilities[:50])
    worst_first = page(engine, document, sort="chance", is_descending=False, within=0.05, count=1)
    assert worst_first.probability[0] == pytest.approx(probabilities[49])
    assert page(engine, document, within=1.0).cases == 1000
    assert page(engine, document, within=0.05, decision="Wait").cases == 0
    additional = engine.ask(document, CasesOneByOne(model="good", sort="chance", start=40))
    np.testing.assert_allclose(additional.probability[:10], probabilities[40:50])


def test_costs_bring_returns_and_own_break_evens(engine, costly, columns):
    found = page(engine, costly, sort="roi", count=1000)
    defined = found.roi[np.isfinite(found.roi)]
    assert (np.diff(defined) <= 1e-12).all()
    np.testing.assert_allclose(found.break_even, 0.2 + columns["cost"][found.row - 1] / 10)
    assert page(engine, scored_document(costly.data)).break_even is None


def test_the_cloud_is_drawn_by_the_seed(engine, costly, document):
    ask = Ask.of(costly, CasesAsPoints(model="good", most=200))
    cloud, again = engine.run("decide.case_cloud", ask), engine.run("decide.case_cloud", ask)
    assert len(cloud.probability) == 200
    assert cloud.cases == 1000
    np.testing.assert_array_equal(cloud.probability, again.probability)
    np.testing.assert_array_equal(cloud.is_acted, cloud.probability > cloud.break_even)
    assert cloud.expected_gain > 0
    empty = engine.ask(document, CasesAsPoints(model="good"))
    assert not len(empty.probability)
    assert "all share one" in empty.reason


def test_unknown_words_are_refused(engine, document):
    with pytest.raises(PayoffError, match="sorted"):
        page(engine, document, sort="colour")
    with pytest.raises(PayoffError, match="no decision"):
        page(engine, document, decision="Call")
    with pytest.raises(PayoffError, match="no return"):
        page(engine, document, sort="roi")
    for kind, ask in (
        ("decide.cases", Ask.of(document, CasesOneByOne(model="x"))),
        ("decide.gap", Ask.of(document, Gap(model="x"))),
        ("decide.case_cloud", Ask.of(document, CasesAsPoints(model="x"))),
        (
            "decide.swap",
            Ask.of(document, Swap(first=SwapSide(model="x"), second=SwapSide(model="x"))),
        ),
    ):
        with pytest.raises(PayoffError, match="no model 'x'"):
            engine.run(kind, ask)


# ------------------------------------------------------------ swap set, gap


def test_swap_set_of_two_models(engine, document, columns):
    ask = Ask.of(document, Swap(first=SwapSide(model="good"), second=SwapSide(model="rough")))
    found = engine.run("decide.swap", ask)
    rows = used(columns)
    good, rough = columns["p_good"][rows] > 0.2, columns["p_rough"][rows] > 0.2
    assert found.group("first").cases == (good & ~rough).sum()
    assert found.group("second").cases == (rough & ~good).sum()
    wanted = engine.ask(document, Totals()).differences[0]
    assert found.difference.estimate.value == pytest.approx(wanted.estimate.value)
    assert found.first == "good at its rule"


def test_swap_set_of_two_depths_of_one_model(engine, document):
    sides = [SwapSide(model="good", depth=depth) for depth in (0.3, 0.1)]
    found = engine.ask(document, Swap(first=sides[0], second=sides[1]))
    assert found.group("second").cases == pytest.approx(0.0)
    assert found.group("first").cases == pytest.approx(200.0)
    readings = [engine.ask(document, AtDepth(depth=side.depth)) for side in sides]
    wanted = readings[0].profit[0] - readings[1].profit[0]
    assert found.difference.estimate.value == pytest.approx(wanted)


def test_swap_set_of_two_matrices(engine, document, columns):
    cell = NumberRef(kind=NumberKind.CELL, level="no", decision="Act")
    expensive = Scenario(name="dear", settings=(NumberSetting(number=cell, value=-8.0),))
    requested = replace(document, scenarios=(expensive,))
    sides = [SwapSide(model="good"), SwapSide(model="good", scenario="dear")]
    found = engine.ask(requested, Swap(first=sides[0], second=sides[1]))
    rows = used(columns)
    probability, yes = columns["p_good"][rows], np.array(columns["outcome"])[rows] == "yes"
    moved = (probability > 0.2) & (probability <= 0.5)  # break-even 8 / (8 + 8) against 2 / (2 + 8)
    assert found.group("first").cases == moved.sum()
    assert found.group("second").cases == 0
    wanted = 8.0 * (moved & yes).sum() - 2.0 * (moved & ~yes).sum()
    assert found.difference.estimate.value == pytest.approx(wanted)  # in the present matrix
    assert found.judged_by == "the present matrix"
    lost = SwapSide(model="good", scenario="gone")
    with pytest.raises(PayoffError, match="gone"):
        engine.ask(requested, Swap(first=sides[0], second=lost))


def test_rankings_end_at_the_total_and_predictions_are_counted(engine, document, columns):
    ask = Ask.of(document, Rankings(model="good"))
    found = engine.run("decide.rankings", ask)
    total = engine.ask(document, Totals()).models[0].total.value
    assert found.column("cumulative_total")[-1] == pytest.approx(total)
    assert found.column("em_cumulative_total")[-1] == pytest.approx(total)  # no priors
    rows = used(columns)
    predicted = columns["p_good"][rows] >= 0.5
    yes = np.array(columns["outcome"])[rows] == "yes"
    assert found.predicted[0, 0] == (predicted & yes).sum()
    assert found.predicted.sum() == rows.sum()
    with pytest.raises(PayoffError, match="no model 'x'"):
        engine.run("decide.rankings", replace(ask, question=replace(ask.question, model="x")))


def test_gap_of_a_model(engine, document, columns):
    found = engine.ask(document, Gap(model="good"))
    rows = used(columns)
    probability = columns["p_good"][rows]
    event = np.array(columns["outcome"])[rows] == "yes"
    acts = probability > 0.2
    expected = np.where(acts, 10 * probability - 2, 0).sum()
    assert found.rule_expected == pytest.approx(expected)
    assert found.rule_realised == pytest.approx(np.where(acts, np.where(event, 8, -2), 0).sum())
    assert found.left[0, 1] == pytest.approx(8.0 * (event & ~acts).sum())
    assert found.left[1, 0] == pytest.approx(2.0 * (~event & acts).sum())
    assert found.verdict[0].startswith("The chances")


def test_moving_the_cursor_is_no_other_question(document):
    moved = replace(document, cursor_depth=0.4, name="Renamed")
    assert Ask.of(moved, Totals()) == Ask.of(document, Totals())
    assert Ask.of(replace(document, seed=1), Totals()) != Ask.of(document, Totals())


def test_the_range_of_good_depths_is_in_the_result(engine, document):
    models = engine.ask(document, Totals()).models
    assert len(models) == 2
    for model in models:
        low, high = model.best_range
        assert 0.0 <= low <= model.best_depth <= high <= 1.0


# ------------------------------------------------------------ hold-out


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def weighed_of(engine, document):
    return engine.ask(document, HoldOutPlan(model="good", share=0.2, seed=11))


def test_a_hold_out_is_written_and_recorded(engine, document, home):
    path = str(home / "all.csv")
    save = SaveArguments(document=document, model="good", path=path, hold_out=0.2, hold_out_seed=11)
    engine.run("save_decisions", save)
    rows = rows_of(path)
    held = [row for row in rows if row["HOLDOUT_outcome"] == "1"]
    record = json.loads((home / "all.csv.record.json").read_text(encoding="utf-8"))["hold_out"]
    weighed = weighed_of(engine, document)
    assert len(rows) == 2000
    assert {row["D_outcome"] for row in held} == {"Wait"}
    assert {row["PLANNED_D_outcome"] for row in held} == {"Act"}
    expected = sum(float(row["PLANNED_EP_outcome"]) - float(row["EP_outcome"]) for row in held)
    assert expected == pytest.approx(weighed_of(engine, document).forgone)
    assert len(held) == weighed.held == record["held_out"] == round(0.2 * weighed.chosen)
    assert (record["share"], record["seed"]) == (0.2, 11)
    assert record["expected_forgone"] == pytest.approx(weighed.forgone)
    assert record["smallest_effect"] == pytest.approx(weighed.smallest_effect)
    engine.run("save_decisions", replace(save, path=str(home / "again.csv")))
    assert rows_of(home / "again.csv") == rows


def test_nobody_kept_out_stands_in_a_list_of_the_chosen(engine, document, home):
    path = str(home / "mail.csv")
    save = SaveArguments(
        document=document, model="good", path=path, decisions=("Act",), hold_out=0.25
    )
    result = engine.run("save_decisions", save)
    rows, apart = rows_of(path), rows_of(home / "mail.holdout.csv")
    assert {row["D_outcome"] for row in rows} == {"Act"}
    assert {row["HOLDOUT_outcome"] for row in rows} == {"0"}
    assert {row["HOLDOUT_outcome"] for row in apart} == {"1"}
    assert not {row["case_id"] for row in rows} & {row["case_id"] for row in apart}
    assert len(apart) == round(0.25 * (len(rows) + len(apart)))
    assert result.rows == len(rows)
    record = json.loads((home / "mail.csv.record.json").read_text(encoding="utf-8"))
    assert record["hold_out"]["file"].endswith("mail.holdout.csv")
    assert record["hold_out"]["seed"] == document.seed


def test_without_a_hold_out_nothing_is_said_of_one(engine, document, home):
    path = str(home / "plain.csv")
    result = engine.run("save_decisions", SaveArguments(document=document, model="good", path=path))
    assert "HOLDOUT_outcome" not in result.columns
    assert "hold_out" not in json.loads((home / "plain.csv.record.json").read_text("utf-8"))


def test_a_hold_out_at_the_cursor(engine, document):
    moved = replace(document, cursor_depth=0.1)
    ask = Ask.of(moved, HoldOutPlan(model="good", share=0.5, seed=1, use_cursor=True))
    weighed = engine.run("decide.hold_out", ask)
    by_rule = engine.run(
        "decide.hold_out", replace(ask, question=replace(ask.question, use_cursor=False))
    )
    assert weighed.chosen < by_rule.chosen
    assert weighed.event_rate > by_rule.event_rate


def test_a_hold_out_of_another_file(engine, document, home, columns):
    path = write_csv(home / "new.csv", {**columns, "p_good": columns["p_good"] / 2})
    ask = Ask.of(document, HoldOutPlan(model="good", share=0.1, seed=1, path=path))
    weighed = engine.run("decide.hold_out", ask)
    assert weighed.chosen == (columns["p_good"] / 2 > 0.2).sum()
    with pytest.raises(PayoffError):
        engine.run(
            "decide.hold_out",
            replace(ask, question=replace(ask.question, path=str(home / "gone.csv"))),
        )
