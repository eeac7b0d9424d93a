"""The two studies of boosting: lines by shrinkage, rules that choose iterations."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import main
from core.boosting import BoostSettings, TrainingCases
from core.document.experiments.results import MADE_UP_SETS
from core.document.model import Document
from core.experiments.iterations import (
    MADE_UP,
    METHODS,
    Chosen,
    DataSet,
    ShrinkageLine,
    choosing_study,
    made_up_cases,
    medians,
    rule_outcomes,
    shrinkage_curve,
    shrinkage_study,
    study_choosing,
    study_shrinkage,
)
from core.questions.experiments import BoostingIterations
from core.script.session import engine
from payoff.errors import PayoffError

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
    assert tuple(MADE_UP) == MADE_UP_SETS
    small = ["--rows", "150", "--trees", "10", "--set", "steps", "--draws", "2"]
    out = tmp_path / "lines.csv"
    assert main.main(["study", "shrinkage", *small, "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [line["shrinkage"] for line in found["steps"]] == [0.3, 0.1, 0.03, 0.01, 0.003]
    with out.open(encoding="utf-8", newline="") as lines:
        assert len(list(csv.reader(lines))) == 1 + 5 * 10
    assert main.main(["study", "choosing", *small]) == 0
    assert set(json.loads(capsys.readouterr().out)) == set(METHODS)
    for wrong in (["--set", "nothing"], ["--rows", "5"]):
        assert main.main(["study", "choosing", *wrong]) == 2
        assert "There" in capsys.readouterr().err


def no_stop() -> bool:
    return False


def steps(draw: int) -> TrainingCases:
    return replace(made_up_cases("steps", 300, 1 + draw), n_train=150)


def test_several_draws_give_limits_and_the_first_draw_is_the_single_one() -> None:
    sets = [DataSet(name="steps", spec=engine().registry.distribution("gaussian"), draw=steps)]
    told = list(shrinkage_study(sets, SMALL, (0.3, 0.1), 3, no_stop))
    assert [result.done for result in told] == [1, 2, 3]
    assert {curve.draws for curve in told[-1].curves} == {3}
    assert np.isnan(told[0].curves[0].low).all()
    (single,) = study_shrinkage(steps(0), sets[0].spec, SMALL, (0.3,))
    np.testing.assert_array_equal(told[0].curves[0].deviance, single.deviance)
    curve = told[-1].curves[1]
    assert (curve.low < curve.deviance).all()
    assert (curve.deviance < curve.high).all()
    assert curve.best_low <= curve.best <= curve.best_high
    assert curve.least_low < curve.least < curve.least_high


def test_limits_are_those_of_student() -> None:
    lines = [
        ShrinkageLine(shrinkage=0.1, deviance=np.array([level, 1.0]), best=2) for level in (2, 3, 4)
    ]
    curve = shrinkage_curve("made", 0.1, lines)
    test = stats.ttest_1samp([2.0, 3.0, 4.0], 0.0).confidence_interval()
    assert (curve.low[0], curve.high[0]) == pytest.approx((test.low, test.high))


def test_the_median_has_limits_and_stands_between_them() -> None:
    def entry(data: str, draw: int, share: float) -> list[Chosen]:
        return [
            Chosen(data=data, draw=draw, method=method, trees=9, gain=share, share=share)
            for method in METHODS
        ]

    found = [row for k in range(6) for d in (0, 1) for row in entry(f"set {k}", d, 0.5 + 0.08 * k)]
    outcome = rule_outcomes(found, 1)[0]
    assert outcome.median == pytest.approx(0.7)
    assert 0.5 <= outcome.low < outcome.median < outcome.high <= 0.9
    assert outcome.trees == 9
    assert rule_outcomes(found[:8], 1)[0].data == ("set 0",)
    assert np.isnan(rule_outcomes(found[:8], 1)[0].low)  # one data set says nothing of others


def test_stop_leaves_what_is_done_and_ends_between_two_trees() -> None:
    sets = [DataSet(name="steps", spec=engine().registry.distribution("gaussian"), draw=steps)]
    asked = 0

    def soon() -> bool:
        nonlocal asked
        asked += 1
        return asked > 50  # one piece of work asks 40 times, once for each tree

    assert [result.done for result in shrinkage_study(sets, SMALL, (0.3,), 4, soon)] == [1]
    assert asked == 51
    assert not list(choosing_study(sets, SMALL, 2, lambda: True))


def test_the_job_tells_partial_results_and_stop_keeps_them() -> None:
    local = engine()
    wanted = BoostingIterations(sets=("steps",), rows=150, trees=10, draws=2)
    seen: list[Any] = []

    def on_progress(_fraction: float | None, _stage: str, partial: Any) -> None:
        seen.append(partial)

    done = local.ask(Document(), wanted, on_progress=on_progress)
    assert done.done == done.wanted == 2
    partial = [entry for entry in seen if entry is not None]
    assert [entry.done for entry in partial] == [1]
    seen.clear()
    kept = local.ask(Document(), wanted, on_progress=on_progress, should_stop=lambda: any(seen))
    assert kept.done == 1
    np.testing.assert_array_equal(kept.curves[0].deviance, partial[0].curves[0].deviance)
    with pytest.raises(PayoffError, match="no data set"):
        local.ask(Document(), replace(wanted, sets=("nothing",)))
