"""Shared by tests of break even samples."""

from __future__ import annotations

import numpy as np

from core.document.decisions.matrix_model import MatrixKind
from tests.core.decisions.break_even import noisy
from tests.core.decisions.cases import MAIL, THREE, WIDE, mail_problem, model, posteriors

ROWS = 700


def problems():
    draw = np.random.default_rng(5)
    two, three = posteriors(ROWS, 2), posteriors(ROWS, 3)
    weights = draw.integers(1, 4, ROWS).astype(float)
    costs = draw.uniform(0.0, 3.0, ROWS)
    return {
        "mail": (mail_problem(two), two, None),
        "loss": (mail_problem(two, -MAIL, kind=MatrixKind.LOSS), two, None),
        "priors": (mail_problem(two, priors=np.array([0.1, 0.9])), two, np.array([0.5, 0.5])),
        "given priors": (mail_problem(two, priors=np.array([0.2, 0.8])), two, None),
        "three decisions": (mail_problem(two, THREE, frequency=weights), two, None),
        "three classes": (
            mail_problem(three, WIDE, priors=np.array([0.2, 0.3, 0.5])),
            three,
            np.array([0.3, 0.3, 0.4]),
        ),
        "constant costs": (
            mail_problem(
                two, MAIL + 1.6, kind=MatrixKind.REVENUE, cost_amounts=np.array([1.6, 1.0])
            ),
            two,
            None,
        ),
        "costs by case": (mail_problem(three, WIDE, cost_columns={1: costs}), three, None),
        "costs by case and priors": (
            mail_problem(
                two, THREE, cost_columns={0: costs}, priors=np.array([0.1, 0.9]), frequency=weights
            ),
            two,
            np.array([0.4, 0.6]),
        ),
        "ties": (mail_problem(posteriors(ROWS, 2, steps=12)), posteriors(ROWS, 2, steps=12), None),
    }


CASES = problems()


def models_for(name):
    problem, table, old = CASES[name]
    return problem, (
        model(noisy(table, 3), "rough", old),
        model(noisy(table, 4, 0.05), "fine", old),
        model(noisy(table, 8, 0.6), "poor", old),
    )
