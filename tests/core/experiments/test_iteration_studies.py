"""The two studies of boosting: lines by shrinkage, rules that choose iterations."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import main
from core.boosting import BoostSettings
from core.experiments.iteration_data import MADE_UP, made_up_cases
from core.experiments.iteration_studies import (
    METHODS,
    Chosen,
    medians,
    study_choosing,
    study_shrinkage,
)
from core.script.session import engine

SMALL = BoostSettings(n_trees=40, interaction_depth=2, shrinkage=0.2, bag_fraction=0.5, seed=1)


@pytest.mark.parametrize("name", MADE_UP)
def test_made_up_data_are_seeded_and_can_be_learned(name: str) -> None:
    kind = MADE_UP[name][0]
    cases, again = made_up_cases(name, 400, 3), made_up_cases(name, 400, 3)
    np.testing.assert_array_equal(cases.outcome, again.outcome)
    assert not np.array_equal(cases.outcome, made_up_cases(name, 400, 4).outcome)
    spec = engine().registry.distribution(kind)
    (line,) = study_shrinkage(replace(cases, n_train=300), spec, SMALL, (0.1,))
    assert line.least < line.deviance[0]


def test_small_steps_find_their_least_error_later() -> None:
    spec = engine().registry.distribution("gaussian")
    cases = replace(made_up_cases("Friedman 1", 600, 1), n_train=300)
    quick, slow = study_shrinkage(cases, spec, replace(SMALL, n_trees=120), (0.5, 0.05))
    assert quick.best < slow.best
    assert slow.least < quick.least
    assert quick.deviance.shape == (120,)


def test_every_rule_on_every_set_and_the_best_has_the_whole_gain() -> None:
    spec = engine().registry.distribution("gaussian")
    told: list[str] = []
    sets = {"steps": (made_up_cases("steps", 300, 1), spec)}
    found = study_choosing(sets, SMALL, 2, told.append)
    assert told == ["steps, draw 1 of 2", "steps, draw 2 of 2"]
    assert [entry.method for entry in found] == [*METHODS, *METHODS]
    for draw in (0, 1):
        shares = [entry.share for entry in found if entry.draw == draw]
        assert max(shares) == 1.0
        assert all(1 <= entry.trees <= 40 for entry in found)
    assert found == study_choosing(sets, SMALL, 2, told.append)


def test_medians_are_over_data_sets_not_over_draws() -> None:
    def entry(data: str, draw: int, share: float) -> list[Chosen]:
        return [
            Chosen(data=data, draw=draw, method=method, trees=1, gain=share, share=share)
            for method in METHODS
        ]

    found = [*entry("a", 0, 0.2), *entry("a", 1, 0.4), *entry("b", 0, 1.0), *entry("b", 1, np.nan)]
    assert medians(found)["5 folds"] == pytest.approx((0.475, 0.65, 0.825))


def test_the_verb_writes_tables_and_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--rows", "150", "--trees", "10", "--set", "steps"]
    out = tmp_path / "lines.csv"
    assert main.main(["study", "shrinkage", *small, "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [line["shrinkage"] for line in found["steps"]] == [0.3, 0.1, 0.03, 0.01, 0.003]
    with out.open(encoding="utf-8", newline="") as lines:
        assert len(list(csv.reader(lines))) == 1 + 5 * 10
    assert main.main(["study", "choosing", *small, "--draws", "1"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == set(METHODS)
    for wrong in (["--set", "nothing"], ["--rows", "5"]):
        assert main.main(["study", "choosing", *wrong]) == 2
        assert "There" in capsys.readouterr().err
