"""The matrix keeps the contract, and its cells are those of a day worked by hand."""

from pathlib import Path

from ordering import BLOOD_BANK

import payoff

FOLDER = Path(__file__).parent.parent


def test_the_plugin_keeps_the_contract(payoff_check):
    payoff_check(FOLDER)


def test_a_day_worked_by_hand():
    numbers = payoff.resolve_parameters(BLOOD_BANK.parameters, {"rushed": 5.0, "expired": 2.0})
    cells = BLOOD_BANK.consequences(6, numbers)
    assert cells[3].tolist() == [150.0, 100.0, 50.0, 0.0, 20.0]  # 30 units were needed
