"""The uplift guard warns in 5 of 100 fair experiments at most, and finds the others."""

from __future__ import annotations

import pytest

from tests.studies.guard import FAIR, UNFAIR, warnings

pytestmark = [pytest.mark.soak, pytest.mark.timeout(7_200)]  # hundreds of experiments


@pytest.mark.parametrize("rows", [375, 1_500])
@pytest.mark.parametrize("share", [0.5, 0.1])
def test_fair_experiments_are_left_in_peace(rows, share):
    repeats = 800
    found = warnings(FAIR, repeats=repeats, rows=rows, seed=3, share=share)
    print({name: count / repeats for name, count in found.items()})
    assert found["any"] / repeats <= 0.05 + 2 * (0.05 * 0.95 / repeats) ** 0.5
    for key in ("share", "predictable", "imbalance", "score"):  # each by itself keeps its level
        assert found[f"{key} alone"] / repeats <= 0.075


@pytest.mark.parametrize("setting", UNFAIR, ids=lambda setting: setting.words)
def test_others_are_found(setting):
    assert warnings(setting, repeats=200, rows=1_500, seed=4)["any"] / 200 >= 0.94
