"""The plugin keeps the contract, and half of the cases lie above the middle."""

from pathlib import Path

import numpy as np
import pytest
from system import SYSTEM

import payoff

FOLDER = Path(__file__).parent.parent


def test_the_plugin_keeps_the_contract(payoff_check):
    sheet = payoff_check(FOLDER)
    assert len(sheet.results) > 8


def test_a_steeper_system_has_outcomes_further_apart():
    random = np.random.default_rng(1)
    rows = payoff.SystemRows(
        names=("a", "b"), conditions=random.standard_normal((50, 2)), parameters=3
    )
    theta = random.standard_normal((50, 3))
    subjects = payoff.Subjects(theta=theta, features=theta)
    flat, steep = (
        SYSTEM.draw(rows, subjects, np.random.default_rng(2), {"steepness": value}).outcome
        for value in (0.5, 5.0)
    )
    assert steep.std() > flat.std()
    assert flat.mean() == pytest.approx(0.5, abs=0.1)
