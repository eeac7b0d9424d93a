"""The metric keeps the contract, and is right for two loans worked by hand."""

from pathlib import Path

import pytest
from credit_loss import CREDIT_LOSS

import payoff
from payoff.testing import metric_value

FOLDER = Path(__file__).parent.parent


def test_the_plugin_keeps_the_contract(payoff_check):
    payoff_check(FOLDER)


def test_two_loans_worked_by_hand():
    probabilities = [0.3, 0.1]
    sample = payoff.Sample(
        [0, 1],  # the first defaults
        prediction=[probabilities, [1.0 - probability for probability in probabilities]],
        labels=("default", "paid"),
        task=payoff.Task.BINARY,
    )
    missing, idle = 4_500.0 * 0.7, 4_500.0 * 0.1 * 0.08
    assert metric_value(CREDIT_LOSS, sample) == pytest.approx((missing + idle) / 2)
