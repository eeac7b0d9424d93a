"""The plugin keeps the contract, and its loss is what the formula says."""

import math
from pathlib import Path

import numpy as np
import pytest
from loss import MyPlugin

FOLDER = Path(__file__).parent.parent


def test_the_plugin_keeps_the_contract(payoff_check):
    sheet = payoff_check(FOLDER)
    assert len(sheet.results) > 20


@pytest.mark.parametrize(("miss", "width"), [(0.0, 1.0), (0.5, 1.0), (-3.0, 2.0)])
def test_the_loss_is_that_of_the_formula(miss, width):
    out = np.zeros(1)
    MyPlugin.loss(np.array([miss]), np.zeros((1, 1)), np.array([width]), out, 0, 1)
    assert out[0] == pytest.approx(width**2 * math.log(math.cosh(miss / width)), abs=1e-12)
