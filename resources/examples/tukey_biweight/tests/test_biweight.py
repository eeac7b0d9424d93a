"""The biweight keeps the contract; wild values have no say."""

from pathlib import Path

import numpy as np
import pytest
from biweight import TukeyBiweight

FOLDER = Path(__file__).parent.parent


def test_the_plugin_keeps_the_contract(payoff_check):
    payoff_check(FOLDER)


def start(outcome, limit):
    out = np.zeros(1)
    outcome = np.array(outcome)
    ones, zeros = np.ones(outcome.size), np.zeros((1, outcome.size))
    TukeyBiweight.initial_score(outcome, ones, zeros, np.array([limit]), out, np.zeros(1, np.uint8))
    return out[0]


def test_a_wild_value_changes_nothing():
    usual = start([1.0, 2.0, 3.0], 4.0)
    assert usual == pytest.approx(2.0)
    assert start([1.0, 2.0, 3.0, 1e6], 4.0) == pytest.approx(usual, abs=1e-9)


def test_the_loss_at_half_the_limit():
    out = np.zeros(2)
    TukeyBiweight.loss(np.array([1.0, 99.0]), np.zeros((1, 2)), np.array([2.0]), out, 0, 2)
    assert out == pytest.approx([4 / 6 * (1 - 0.75**3), 4 / 6])
