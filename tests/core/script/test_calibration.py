"""Scores in points for scripts and the command line: ranks, chances, projects, lists, checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as peer

import main
import payoff
from core import data as tables
from core.document.decisions.model_commands import SetCalibration
from core.document.files.project import Headline, save_project
from core.document.model import CalibrationMethod


@pytest.fixture(scope="module")
def cases() -> pd.DataFrame:
    draw = np.random.default_rng(8)
    latent = draw.normal(size=3_000)
    probability = 1 / (1 + np.exp(-(1.4 * latent - 1.5)))
    return pd.DataFrame(
        {
            "bad": (draw.random(3_000) < probability).astype(int),
            "points": np.round(600 - 20 / np.log(2) * (1.4 * latent - 1.5), 1),
            "p": probability,
        }
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chances")
    path = tables.write_sample(str(folder))
    return save_project(folder / "spring.payoff", tables.sample_document(path), Headline())


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    code = main.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def test_points_rank_cases(cases: pd.DataFrame) -> None:
    judged = payoff.evaluate(
        cases, outcome="bad", scores="points", ranks={"points": "less"}, intervals=False
    )
    expected = peer.roc_auc_score(cases["bad"], -cases["points"])
    assert judged.value("auc", "points") == pytest.approx(expected)
    assert np.isnan(judged.value("brier", "points"))
    curve = judged.curve("roc", "points")
    assert curve["threshold"].iloc[1] == cases["points"].min()
    assert curve["threshold"].iloc[0] == -np.inf
    with pytest.raises(payoff.PayoffError, match="without chances"):
        judged.curve("calibration", "points")


def test_points_without_a_direction_are_no_chances(cases: pd.DataFrame) -> None:
    with pytest.raises(payoff.PayoffError, match="outside 0 to 1"):
        payoff.evaluate(cases, outcome="bad", scores="points")
    with pytest.raises(payoff.PayoffError, match="direction 'down'"):
        payoff.evaluate(cases, outcome="bad", scores="points", ranks={"points": "down"})


def test_fitted_chances_come_true_and_serve_new_cases(cases: pd.DataFrame) -> None:
    fitted = payoff.calibrate(cases, outcome="bad", score="points", higher="less")
    assert fitted.method == "logistic"  # the points are a straight line in the log odds
    assert fitted.probability.mean() == pytest.approx(cases["bad"].mean(), abs=0.002)
    assert np.abs(fitted.probability - cases["p"]).mean() < 0.02
    table = fitted.comparison
    assert list(table.index) == ["logistic", "isotonic", "by bands"]
    assert (table["brier_low"] < table["brier"]).all()
    new = fitted.apply([500.0, 600.0, 700.0])
    # 20 points double the odds: 100 points are a factor of 32
    odds = new / (1 - new)
    assert odds[0] / odds[1] == pytest.approx(32, rel=0.2)
    decided = payoff.decide(
        cases.assign(chance=fitted.probability),
        target="bad",
        posteriors={1: "chance"},
        matrix={1: [0, 5], 0: [1, 0]},
        decisions=["treat as bad", "treat as good"],
        kind="loss",
    )
    assert decided.thresholds().rule == pytest.approx(1 / 6)


def test_chances_are_asked_for_by_name(cases: pd.DataFrame) -> None:
    banded = payoff.calibrate(cases, outcome="bad", score="points", method="bands", bands=4)
    assert len(set(banded.spec.maps[0].probabilities)) == 4
    assert any("other way round" in text for text in banded.warnings)  # higher="more" is wrong
    with pytest.raises(payoff.PayoffError, match="'splines'"):
        payoff.calibrate(cases, outcome="bad", score="points", method="splines")


def test_a_project_keeps_its_fitted_chances(project: Path, tmp_path: Path) -> None:
    opened = payoff.open_project(project)
    model = opened.document.models[0].name
    found = opened.calibrate(model)
    spec = next(
        o.spec for o in found.options if o.spec and o.spec.method is CalibrationMethod.ISOTONIC
    )
    before = opened.decide()
    opened.apply(SetCalibration(model=model, calibration=spec))
    after = opened.decide()
    saved = opened.save(tmp_path / "fitted.payoff")
    again = payoff.open_project(saved)
    assert again.document.models == opened.document.models
    totals = [r.models[0].expected_total for r in (before, after)]
    assert totals[0] != totals[1]
    new = project.parent / tables.NEW_CUSTOMERS_FILE
    decided = payoff.apply(again, new, model=model)
    plain = payoff.apply(project, new, model=model)
    assert decided.expected_total != plain.expected_total
    # The chances of new cases are those of the kept map, corrected to the priors.
    assert set(np.round(decided.model.posteriors[0], 12)) <= set(
        np.round(
            np.interp(plain.model.posteriors[0], spec.maps[0].scores, spec.maps[0].probabilities),
            12,
        )
    )


def test_deciding_new_cases_prints_the_check(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = project.parent / tables.NEW_CUSTOMERS_FILE
    answer = run(capsys, "decide", "--project", project, "--data", new)
    shift = answer["check"]["shift"]
    assert shift["score_verdict"] in ("stable", "shifted", "another population")
    assert 0 < shift["acted_now"] < 1
    assert {line["state"] for line in answer["check"]["lines"]} <= {"ok", "warning", "error"}


def test_a_list_of_a_size_needs_no_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run(capsys, "decide", "--project", project, "--list-size", 50_000)
    counts = answer["expected_counts"]
    assert sum(entry["value"] for entry in counts.values()) == pytest.approx(50_000)
    total = answer["expected_total_profit"]
    assert total["low"] < total["value"] < total["high"]
    assert "20,000 of 20,000" in answer["scaled_from"]
    at_depth = run(capsys, "decide", "--project", project, "--list-size", 1_000, "--depth", 0.1)
    assert next(iter(at_depth["expected_counts"].values()))["value"] == pytest.approx(100)


def test_a_check_without_the_evaluated_rows_says_so(project: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.payoff"
    alone.write_bytes(project.read_bytes())
    new = pd.read_csv(project.parent / tables.NEW_CUSTOMERS_FILE)
    opened = payoff.open_project(alone)
    decided = payoff.apply(opened, new)
    assert decided.checks  # the data file stands where it was
    unchecked = payoff.apply(opened, new, check=False)
    assert unchecked.checks == ()
    assert unchecked.expected_total == decided.expected_total
