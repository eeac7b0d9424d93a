"""What a loss in money learns from: the matrix of page Decide, laid out for the cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.assembly.cases import cases_of_rows
from core.assembly.context import AssemblyContext
from core.assembly.matrix import decision_problem, matrix_of
from core.data import LoadedTable
from core.decisions.consequence_table import consequence_table, in_stakes
from core.document.model import Document
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Extra

NEEDS_MATRIX = "It learns from the decision matrix, and there is none: fill it in on page Decide."
FIXED_MATRIX = (
    "It learned from the decision matrix as it stands now: train it again after changing what "
    "decisions earn or cost, or the priors."
)


def reads_money(spec: LossDistribution) -> bool:
    """Whether a distribution learns from a decision matrix."""
    return Extra.CONSEQUENCES in spec.extras


def consequences_of_rows(
    table: LoadedTable,
    document: Document,
    rows: IntArray,
    classes: Sequence[str],
    shares: FloatArray,
    context: AssemblyContext,
) -> FloatArray:
    """What every decision brings every row in every class, (n, classes, decisions), in mean stakes.

    ``shares`` are those of the classes among the rows that train: with priors in the project the
    consequences are scaled to them.

    Raises
    ------
    PayoffError
        If the project has no matrix, or it does not fit the outcome.
    """
    if document.matrix is None:
        raise PayoffError(
            "There is no decision matrix to learn from.",
            remedy="Fill it in on page Decide, or choose another distribution.",
        )
    cases = cases_of_rows(table, document, rows, "learning")
    problem = decision_problem(document, cases, matrix_of(document, context), table, context)
    return in_stakes(consequence_table(problem, classes, shares))


def class_shares(outcome: FloatArray, weight: FloatArray | None, classes: int) -> FloatArray:
    """Weighted class shares of class numbers (n,), in class order."""
    mass = np.bincount(outcome.astype(np.int64), weights=weight, minlength=classes)
    return np.asarray(mass / max(float(mass.sum()), 1e-300))
