"""The Python functions as scripts use them, against published and independent numbers."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as peer

import payoff
from core import data as tables
from core.document.decisions import commands as decision_commands
from core.document.files.project import Headline, save_project
from core.document.results import DecisionResult

B = {
    "y": [0, 0, 1, 0, 1, 1, 0, 1, 1, 1],
    "p": [0.05, 0.15, 0.15, 0.35, 0.35, 0.55, 0.65, 0.75, 0.85, 0.95],
    "q": [0.10, 0.30, 0.20, 0.30, 0.50, 0.50, 0.60, 0.70, 0.90, 0.90],
}
PROMOTION = {1: [15.0, 0.0], 0: [-1.5, 0.0]}


def promotion_cases() -> pd.DataFrame:
    """The 11,112 training cases of a real campaign, by decision and outcome (worked case T1)."""
    counts = {(1, 0.2): 1653, (0, 0.2): 1170, (1, 0.01): 1100, (0, 0.01): 7189}
    return pd.DataFrame(
        [(y, p) for (y, p), count in counts.items() for _ in range(count)], columns=["y", "p"]
    )


def test_the_promotion_campaign_adds_up_to_nine_digits() -> None:
    decided = payoff.decide(
        promotion_cases(),
        target="y",
        posteriors={1: "p"},
        matrix=PROMOTION,
        decisions=["Solicit", "Ignore"],
        priors={1: 0.05, 0: 0.95},
    )
    assert decided.prior_weights["1"] == pytest.approx(0.2018162005, abs=1e-10)
    assert decided.prior_weights["0"] == pytest.approx(1.2628783347, abs=1e-10)
    assert decided.total == pytest.approx(2787.681214, abs=1e-6)
    assert decided.average == pytest.approx(0.250871, abs=1e-6)
    assert decided.best_total == pytest.approx(8334.0, abs=1e-6)
    assert decided.thresholds().rule == pytest.approx(1.5 / 16.5)
    assert decided.counts.loc["1", "Solicit"] == 1653
    chart = decided.profit_chart()
    assert len(chart) == 20
    assert chart["cumulative_total"].iloc[-1] == pytest.approx(decided.total, rel=1e-12)
    low, high = decided.intervals["total"]
    assert low < decided.total < high


def test_soliciting_everybody_loses_what_the_source_says() -> None:
    decided = payoff.decide(
        promotion_cases(),
        target="y",
        posteriors={1: "p"},
        matrix={1: [15.0], 0: [-1.5]},
        decisions=["Solicit"],
        priors={1: 0.05, 0: 0.95},
    )
    assert decided.total == pytest.approx(-7500.6, abs=1e-6)
    assert decided.average == pytest.approx(-0.675, abs=1e-9)


def test_losses_stay_positive_and_the_first_decision_wins_ties() -> None:
    cases = {"y": ["bad", "good", "good"], "p": [1 / 6, 1 / 6 - 1e-6, 0.5]}
    decided = payoff.decide(
        cases,
        target="y",
        posteriors={"bad": "p"},
        matrix={"bad": [0, 5], "good": [1, 0]},
        kind="loss",
        decisions=["treat as bad", "treat as good"],
    )
    assert decided.table["D_y"].tolist() == ["treat as bad", "treat as good", "treat as bad"]
    assert decided.total == 1.0
    assert decided.table["CL_y"].tolist() == [0.0, 0.0, 1.0]
    assert "EL_y" in decided.table.columns


def test_revenue_with_costs_gives_investment_and_return() -> None:
    cases = {"y": [1, 0, 1, 0], "p": [0.9, 0.8, 0.7, 0.1], "cost": [2.0, 2.0, 1.0, 3.0]}
    decided = payoff.decide(
        cases,
        target="y",
        posteriors={1: "p"},
        matrix={1: [5, 0], 0: [0, 0]},
        kind="revenue",
        decisions=["act", "rest"],
        costs=["cost", 0],
    )
    assert decided.table["D_y"].tolist() == ["act", "act", "act", "rest"]
    assert decided.table["IC_y"].tolist() == [2.0, 2.0, 1.0, 0.0]
    assert decided.table["ROI_y"].iloc[:3].tolist() == [1.5, -1.0, 4.0]
    assert math.isnan(decided.table["ROI_y"].iloc[3])
    assert decided.total == 5.0
    assert decided.roi == pytest.approx(5.0 / 5.0)


def test_old_priors_correct_posteriors_and_data_stands_for_the_shares() -> None:
    cases = {"y": [1, 0, 0, 1], "p": [0.8, 0.5, 0.2, 0.6]}
    common = {"target": "y", "posteriors": {1: "p"}, "matrix": PROMOTION}
    by_data = payoff.decide(cases, **common, priors={1: 0.1, 0: 0.9}, old_priors="data")
    by_hand = payoff.decide(cases, **common, priors={1: 0.1, 0: 0.9}, old_priors={1: 0.5, 0: 0.5})
    odds = np.array([4.0, 1.0, 0.25, 1.5]) / 9
    np.testing.assert_allclose(by_hand.table["P_y1"], odds / (1 + odds), rtol=1e-13)
    pd.testing.assert_frame_equal(by_data.table, by_hand.table)


def test_without_an_outcome_only_what_is_expected_is_told() -> None:
    decided = payoff.decide({"p": [0.5, 0.01]}, posteriors={1: "p"}, matrix=PROMOTION)
    assert decided.table.columns.tolist() == ["D_target", "EP_target", "_WARN_"]
    assert math.isnan(decided.total)
    assert decided.expected_total == pytest.approx(6.75)
    assert decided.counts.loc["all"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"matrix": {1: [1, 0], 0: [1]}}, "row 0"),
        ({"matrix": {1: [math.nan, 0], 0: [1, 0]}}, "1"),
        ({"kind": "gain"}, "gain"),
        ({"costs": [1.0]}, "1 cost,"),
        ({"priors": {1: 0.5}}, "level 0"),
        ({"priors": {1: -0.5, 0: 1.5}}, "1"),
        ({"posteriors": {}}, "posterior"),
        ({"posteriors": {1: "nowhere"}}, "nowhere"),
        ({"target": "nowhere"}, "nowhere"),
        ({"old_priors": "guess", "priors": {1: 0.5, 0: 0.5}}, "guess"),
    ],
)
def test_a_refusal_names_what_does_not_fit(changes: dict[str, object], named: str) -> None:
    arguments = {"target": "y", "posteriors": {1: "p"}, "matrix": PROMOTION, **changes}
    with pytest.raises(payoff.PayoffError) as refusal:
        payoff.decide(B, **arguments)
    assert named in str(refusal.value)


# ---------------------------------------------------------------- evaluate


def test_metrics_agree_with_published_and_independent_values() -> None:
    judged = payoff.evaluate(
        B, outcome="y", scores="p", metrics=["auc", "log_loss", "brier", "average_precision"]
    )
    assert judged.value("auc", "p") == pytest.approx(0.7916666667, abs=1e-9)
    assert judged.value("log_loss", "p") == pytest.approx(0.5740690671, abs=1e-9)
    assert judged.value("brier", "p") == pytest.approx(0.2005, abs=1e-12)
    expected = peer.average_precision_score(B["y"], B["p"])
    assert judged.value("average_precision", "p") == pytest.approx(expected, abs=1e-12)
    low, high = judged.interval("auc", "p")
    assert low < 0.7916 < high
    assert judged.table.loc["auc", ("p", "value")] == judged.value("auc", "p")


def test_every_point_of_the_roc_curve() -> None:
    judged = payoff.evaluate(B, outcome="y", scores="p", metrics=["auc"], intervals=False)
    curve = judged.curve("roc", "p")
    false_alarms, found, _ = peer.roc_curve(B["y"], B["p"], drop_intermediate=False)
    np.testing.assert_allclose(curve["x"], false_alarms, atol=1e-15)
    np.testing.assert_allclose(curve["y"], found, atol=1e-15)


def test_comparing_turns_with_the_order_of_the_models() -> None:
    judged = payoff.evaluate(B, outcome="y", scores={"a": "p", "b": "q"}, metrics=["auc"])
    there = payoff.compare(judged, "a", "b", "auc")
    back = payoff.compare(judged, "b", "a", "auc")
    assert there.difference == pytest.approx(
        judged.value("auc", "a") - judged.value("auc", "b"), abs=1e-12
    )
    assert there.difference == pytest.approx(-back.difference)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert there.p_value == pytest.approx(back.p_value)


def test_parameters_give_the_same_metric_twice() -> None:
    requested = [("lift_at", {"depth": 0.2}), ("lift_at", {"depth": 0.5})]
    judged = payoff.evaluate(B, outcome="y", scores="p", metrics=requested, intervals=False)
    assert judged.value("lift_at(depth=0.2)", "p") == pytest.approx(1.6666666667, abs=1e-9)
    assert len(judged.table) == 2


def test_regression_and_multiclass_are_told_apart() -> None:
    numbers = {"y": np.linspace(0, 1, 50), "f": np.linspace(0.1, 0.9, 50)}
    judged = payoff.evaluate(numbers, outcome="y", scores="f", intervals=False)
    expected = peer.root_mean_squared_error(numbers["y"], numbers["f"])
    assert judged.value("rmse", "f") == pytest.approx(expected, abs=1e-12)
    classes = {
        "y": ["a", "b", "c", "a"],
        "pa": [0.6, 0.2, 0.2, 0.4],
        "pb": [0.3, 0.5, 0.2, 0.3],
        "pc": [0.1, 0.3, 0.6, 0.3],
    }
    columns = {"m": {"a": "pa", "b": "pb", "c": "pc"}}
    judged = payoff.evaluate(classes, outcome="y", scores=columns, metrics=["log_loss"])
    table = np.column_stack([classes["pa"], classes["pb"], classes["pc"]])
    expected = peer.log_loss(classes["y"], table)
    assert judged.value("log_loss", "m") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"outcome": "nowhere"}, "nowhere"),
        ({"scores": []}, "score"),
        ({"scores": "y2"}, "y2"),
        ({"task": "guess"}, "guess"),
        ({"priors": {7: 1.0}}, "7"),
    ],
)
def test_evaluate_refuses_by_name(changes: dict[str, object], named: str) -> None:
    arguments = {"outcome": "y", "scores": "p", **changes}
    with pytest.raises(payoff.PayoffError) as refusal:
        payoff.evaluate(B, **arguments)
    assert named in str(refusal.value)


def test_a_probability_outside_its_range_is_named_by_row_and_value() -> None:
    with pytest.raises(payoff.PayoffError) as refusal:
        payoff.evaluate({"y": [0, 1, 0], "p": [0.1, 1.7, 0.3]}, outcome="y", scores="p")
    assert "2" in refusal.value.where
    assert "1.7" in str(refusal.value)


# ---------------------------------------------------------------- projects


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bundled sample as a saved project, with the file of new customers beside it."""
    folder = tmp_path_factory.mktemp("sample")
    path = tables.write_sample(str(folder))
    project = save_project(folder / "spring.payoff", tables.sample_document(path), Headline())
    return str(project)


def test_an_opened_project_computes_what_the_window_shows(sample: str) -> None:
    project = payoff.open_project(sample)
    decided: DecisionResult = project.decide()
    best = next(m for m in decided.models if m.model == project.document.reference_model)
    assert best.total.low < best.total.value < best.total.high
    assert best.chart_end == pytest.approx(best.total.value, rel=1e-12)
    judged = project.evaluate(resamples=0)
    assert {cell.model for cell in judged.cells} == {m.model for m in decided.models}


def test_a_rule_is_applied_to_new_cases_from_a_file_or_a_frame(sample: str) -> None:
    from pathlib import Path

    path = Path(sample).parent / tables.NEW_CUSTOMERS_FILE
    from_file = payoff.apply(sample, str(path))
    from_frame = payoff.apply(payoff.open_project(sample), pd.read_csv(path))
    pd.testing.assert_frame_equal(from_file.table, from_frame.table)
    assert math.isnan(from_file.total)
    assert from_file.expected_total > 0
    assert set(from_file.table["D_responded"]) == {"Mail", "Do nothing"}


def test_applying_names_a_missing_column(sample: str) -> None:
    with pytest.raises(payoff.PayoffError) as refusal:
        payoff.apply(sample, {"customer_id": [1], "p_logit": [0.5]}, model="gbm 2")
    assert "p_gbm2" in str(refusal.value)


def test_a_project_changes_by_commands_and_is_saved(sample: str, tmp_path: object) -> None:
    from pathlib import Path

    project = payoff.open_project(sample)
    before = project.decide()
    project.apply(
        decision_commands.SetParameter(name=project.document.matrix.parameters[0][0], value=30.0)
    )
    after = project.decide()
    assert after.models[0].total.value != before.models[0].total.value
    copy = project.save(Path(str(tmp_path)) / "copy")
    assert payoff.open_project(copy).document == project.document


def test_a_moved_data_file_is_found_by_its_content(sample: str, tmp_path: object) -> None:
    import shutil
    from dataclasses import replace
    from pathlib import Path

    folder = Path(str(tmp_path))
    project = payoff.open_project(sample)
    data = project.document.data
    shutil.copy(data.path, folder / "renamed.csv")
    gone = replace(project.document, data=replace(data, path="/nowhere/else.csv"))
    moved = save_project(folder / "moved.payoff", gone, Headline())
    assert payoff.open_project(moved).decide().models
    (folder / "renamed.csv").write_text("other\n1\n")
    with pytest.raises(payoff.PayoffError, match="not there"):
        payoff.open_project(moved).decide()


def test_reading_takes_the_options_of_the_dialog(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "x.csv"
    path.write_text("a;b\n1,5;x\n2,5;y\n", encoding="utf-8")
    table = payoff.read(path, delimiter=";", decimal=",")
    assert table.column("a").to_pylist() == [1.5, 2.5]
    with pytest.raises(payoff.PayoffError, match="separator"):
        payoff.read(path, separator=";")


def test_plugins_are_listed_with_their_states() -> None:
    listed = payoff.plugins()
    assert (listed["state"] == "active").all()
    assert listed["adds"].str.len().min() > 0
