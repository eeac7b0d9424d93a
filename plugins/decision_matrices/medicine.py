"""Treat, test first, or wait: the thresholds of Pauker and Kassirer."""

from __future__ import annotations

import numpy as np

import payoff
from payoff.types import FloatArray
from plugins.decision_matrices.parts import share


def treatment_cells(n_levels: int, parameters: payoff.Parameters) -> FloatArray:
    """Whoever is tested is treated if the test is positive, and bears the risk of the test."""
    benefit, harm = parameters["benefit"], parameters["harm"]
    cells = np.zeros((n_levels, 3))
    cells[0, 0] = benefit
    cells[1:, 0] = -harm
    cells[0, 1] = parameters["sensitivity"] * benefit
    cells[1:, 1] = -(1.0 - parameters["specificity"]) * harm
    cells[:, 1] -= parameters["test_risk"]
    return cells


def _points(name: str, words: str, default: float, help_text: str) -> payoff.Parameter:
    return payoff.Parameter(name=name, words=words, default=default, minimum=0.0, help=help_text)


TEST_AND_TREAT = payoff.DecisionMatrix(
    id="payoff.test_and_treat",
    label="Test or treat",
    help="Whether to treat at once, to test first, or to wait, when a treatment helps the ill and "
    "harms the well, and the test errs and has a risk of its own.",
    formula="treat: benefit if ill, −harm if well; test: sensitivity × benefit − risk if ill, "
    "−(1 − specificity) × harm − risk if well; wait: 0",
    reference="Pauker & Kassirer 1980, The threshold approach to clinical decision making",
    kind=payoff.ConsequenceKind.PROFIT,
    decisions=("Treat", "Test", "Wait"),
    consequences=treatment_cells,
    acting="Treat",
    do_nothing="Wait",
    level_words=("ill", "well"),
    case_word=("patient", "patients"),
    parameters=(
        _points("benefit", "treating the ill brings", 100.0, "In any unit, the same for all."),
        _points("harm", "treating the well costs", 20.0, "In the unit of the benefit."),
        _points("test_risk", "the test itself costs", 1.0, "Risk and burden, in the same unit."),
        share("sensitivity", "the ill test positive", 0.9, "Sensitivity of the test."),
        share("specificity", "the well test negative", 0.8, "Specificity of the test."),
    ),
    is_linear=False,
)
