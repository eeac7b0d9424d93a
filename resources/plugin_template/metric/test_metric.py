"""The plugin keeps the contract, and its metric is right where the answer is known."""

from pathlib import Path

import pytest
from metric import METRIC

import payoff
from payoff.testing import metric_value

FOLDER = Path(__file__).parent.parent


def test_the_plugin_keeps_the_contract(payoff_check):
    sheet = payoff_check(FOLDER)
    assert len(sheet.results) > 15


def test_two_of_three_cases_are_called_rightly():
    probabilities = [0.9, 0.6, 0.2]
    sample = payoff.Sample(
        [0, 1, 1],  # the event is code 0
        prediction=[probabilities, [1.0 - probability for probability in probabilities]],
        labels=("yes", "no"),
        task=payoff.Task.BINARY,
    )
    assert metric_value(METRIC, sample) == pytest.approx(2.0 / 3.0)
