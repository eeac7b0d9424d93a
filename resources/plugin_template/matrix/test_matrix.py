"""The plugin keeps the contract, and its cells are right where the answer is known."""

from pathlib import Path

from matrix import MATRIX

import payoff

FOLDER = Path(__file__).parent.parent


def test_the_plugin_keeps_the_contract(payoff_check):
    sheet = payoff_check(FOLDER)
    assert len(sheet.results) > 15


def test_the_cells_of_a_case_worked_by_hand():
    numbers = payoff.resolve_parameters(
        MATRIX.parameters, {"missed": 100.0, "works": 0.5, "reminder": 2.0}
    )
    assert MATRIX.consequences(2, numbers).tolist() == [[48.0, 0.0], [-2.0, 0.0]]
