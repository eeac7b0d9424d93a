"""Which machines to check before they break."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.decision_matrices.parts import amount


def maintenance_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Losses: a check finds what would fail, and is for nothing where nothing would."""
    cells = np.zeros((n_levels, 2))
    cells[0, 0] = parameters["repair"]
    cells[0, 1] = parameters["breakdown"]
    cells[1:, 0] = parameters["needless_check"]
    return cells


MAINTENANCE = payoff.DecisionMatrix(
    id="payoff.maintenance",
    label="Maintenance",
    help="Which machines to check in the workshop, when a breakdown on the road costs far more "
    "than a repair in time and most checks find nothing.",
    formula="loss of checking: repair if it would fail, needless check if not; of running on: "
    "breakdown if it fails, else 0",
    reference="Scania, Industrial Challenge of the 15th Symposium on Intelligent Data Analysis, "
    "2016 (needless check 10, missed failure 500)",
    kind=payoff.ConsequenceKind.LOSS,
    decisions=("Check", "Run on"),
    consequences=maintenance_cells,
    acting="Check",
    level_words=("fails", "holds"),
    case_word=("machine", "machines"),
    parameters=(
        amount("breakdown", "a breakdown costs", 500.0, "Towing, standstill and repair."),
        amount("repair", "a repair in time costs", 0.0, "What a check that finds something costs."),
        amount("needless_check", "a needless check costs", 10.0, "A check that finds nothing."),
    ),
)
