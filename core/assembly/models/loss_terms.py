"""What losses of effects and losses in money learn from.

What a loss of effects learns from: arms as 0 and 1, chances of treatment, outcomes.

What a loss in money learns from: the matrix of page Decide, laid out for the cases.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core import data
from core.assembly.cases import cases_of_rows
from core.assembly.context import AssemblyContext
from core.assembly.matrix import decision_problem, matrix_of
from core.assembly.models.input_columns import known_values
from core.assembly.uplift.data import cross_fitted_treatment, guard_columns
from core.data import LoadedTable, encode_levels
from core.decisions.passes.consequence_table import consequence_table, in_stakes
from core.document.model import Document, TargetSpec, TrainedModel
from core.uplift.experiment import treated_share
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Extra

ON_PAGE_UPLIFT = "It is trained on page Uplift, where the arms of the experiment are named."


def reads_effect(spec: LossDistribution) -> bool:
    """Whether a distribution learns the effect of a treatment."""
    return Extra.TREATMENT in spec.extras


def effect_outcome(table: LoadedTable, target: TargetSpec, rows: IntArray) -> FloatArray:
    """The outcome of some rows as a number: 1 for the event where it has two classes."""
    if not target.levels:
        return data.column_as_float(table, target.column, role="target")[rows]
    return np.asarray(data.outcome_codes(table, target)[0][rows] == 0, dtype=np.float64)


def effect_columns(
    table: LoadedTable,
    document: Document,
    settings: TrainedModel,
    rows: IntArray,
    n_train: int,
    context: AssemblyContext,
    weight: FloatArray | None,
) -> dict[str, FloatArray]:
    """Treatment (1 = treated) and its chance for rows of the two arms.

    The chance is that of the named column; else, where the project asks for it, estimated from the
    inputs by models that did not see the row; else the share treated among the rows that train.

    Raises
    ------
    PayoffError
        If no treatment is named, or one arm is empty.
    """
    if settings.effect_of is None:
        raise PayoffError("No treatment is named.", remedy="Train the effect on page Uplift.")
    column, treated, _ = settings.effect_of
    codes, levels = encode_levels(table, column)
    treatment = (codes[rows] == levels.index(treated)).astype(np.float64)
    propensity = treated_share(treatment, n_train, weight)
    if settings.propensity is not None:
        propensity = known_values(table, "propensity", settings.propensity, rows)
    elif document.uplift.estimates_propensity:
        inputs = guard_columns(table, settings.features)[0]
        arms = treatment.astype(np.uint8)
        found = cross_fitted_treatment(table, inputs, rows, arms, context, weight=weight)
        if found is not None:
            propensity = np.clip(found, document.uplift.clip, 1.0 - document.uplift.clip)
    return {"treatment": treatment, "propensity": propensity}


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
