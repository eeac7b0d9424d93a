"""Cox's partial likelihood: which of the cases at risk meets the event first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import payoff
from payoff.numeric import identity_response
from payoff.specs import Blocks, Columns
from payoff.types import FloatArray, StopFlag
from plugins.distributions.coxph_gbm import (
    gbm_coxph_gradient,
    gbm_coxph_leaf_values,
    gbm_coxph_loss,
)
from plugins.distributions.coxph_sums import fill_gradients, fill_losses


@payoff.kernel(shape="by_group", takes_cases=True)
def coxph_loss(
    cases: payoff.BlockCases,
    out: FloatArray,
    factor: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill each event's share of minus twice the log partial likelihood."""
    ties = int(cases.parameters[0])
    for block in range(first_group + first_group % 2, last_group, 2):
        fill_losses(cases, ties, out, factor, block)


@payoff.kernel(shape="by_group", takes_cases=True)
def coxph_gradient(
    cases: payoff.BlockCases,
    gradient: FloatArray,
    curvature: FloatArray,
    first_group: int,
    last_group: int,
) -> None:
    """Fill events less expected events (martingale residuals), and expected events."""
    ties = int(cases.parameters[0])
    for block in range(first_group + first_group % 2, last_group, 2):
        fill_gradients(cases, ties, gradient, curvature, block)


@payoff.kernel(shape="whole", takes_cases=True)
def coxph_initial_score(cases: payoff.BlockCases, out: FloatArray, stop_flag: StopFlag) -> None:
    """Fill 0: a constant changes nothing."""
    out[0] = 0.0


def strata_by_falling_time(
    outcome: FloatArray, parameters: payoff.Parameters, columns: Columns
) -> Blocks:
    """Return two blocks per stratum: its cases by falling time, ties in row order; and by falling
    entry, which is empty where nothing is truncated.
    """
    strata, entry = columns["strata"], columns["entry"]
    by_time = np.lexsort((-outcome, strata))
    by_entry = np.lexsort((-entry, strata))
    ends = np.flatnonzero(np.diff(strata[by_time])) + 1
    parts = []
    for first, last in zip((0, *ends), (*ends, outcome.shape[0]), strict=True):
        cases = by_entry[first:last]
        parts += [by_time[first:last], cases if (entry[cases] > 0.0).any() else cases[:0]]
    offsets = np.concatenate([[0], np.cumsum([part.shape[0] for part in parts])])
    return np.concatenate(parts), offsets


def all_by_falling_time(
    outcome: FloatArray, parameters: payoff.Parameters, columns: Columns
) -> Blocks:
    """Return all cases by falling time, ties in row order, and an empty block."""
    size = outcome.shape[0]
    return np.argsort(-outcome, kind="stable"), np.array([0, size, size])


def check_survival(
    outcome: FloatArray, weight: FloatArray, parameters: payoff.Parameters, columns: Columns
) -> None:
    """Refuse marks other than 0 and 1, entries that are not before the end, and no event at all."""
    event, entry = columns["event"], columns["entry"]
    is_wrong = ~((event == 0.0) | (event == 1.0))
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise payoff.PayoffError(
            f"The event mark is {event[row]:g}.",
            where=f"event, row {row + 1}",
            why="It must be 1 where the event happened and 0 where the case was censored.",
            remedy="Marks of 1 and 2 (as in R's lung) mean censored and event: take 1 from them."
            if ((event == 1.0) | (event == 2.0)).all()
            else "",
        )
    is_wrong = ~((entry >= 0.0) & (entry < outcome))
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        raise payoff.PayoffError(
            f"The case enters at {entry[row]:g} and ends at {outcome[row]:g}.",
            where=f"entry, row {row + 1}",
            why="A case must enter at 0 or later and before its end.",
        )
    if not ((event == 1.0) & (weight > 0.0)).any():
        raise payoff.PayoffError(
            "All cases are censored.",
            where="event",
            why="A survival model learns from the times of events; here is none.",
            remedy="Check the column of event marks: 1 means that the event happened.",
        )


COXPH = payoff.LossDistribution(
    id="coxph",
    label="Cox survival",
    asks="how long until an event, some not seen to the end",
    plain=payoff.PlainWords(
        "Risk over time",
        "Ranks cases by how soon the event comes; those who have not had it yet count as far as "
        "they were followed.",
        "when it matters when, not only whether, and some are still waiting.",
    ),
    help="Cox's partial likelihood: fits the log of the relative risk of an event at any time.",
    formula="mean over events of −2 w (F − log Σ w e^F over the cases at risk)",
    reference="Cox 1972; Breslow 1974; Efron 1977; Ridgeway 1999",
    target=payoff.TargetDomain.TIME_EVENT,
    usual_for=(payoff.Task.SURVIVAL,),
    loss=coxph_loss,
    negative_gradient=coxph_gradient,
    initial_score=coxph_initial_score,
    response=identity_response,
    link=identity_response,
    leaf_kind=payoff.LeafKind.NEWTON,
    gradient_factor=0.5,
    parameters=(
        payoff.Parameter(
            name="ties",
            words="events at the same time",
            default=0.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=("breslow", "efron"),
            help="Efron's rule is nearer the truth where many events share a time.",
        ),
    ),
    extras=(
        payoff.Extra.WEIGHT,
        payoff.Extra.OFFSET,
        payoff.Extra.EVENT,
        payoff.Extra.ENTRY,
        payoff.Extra.STRATA,
    ),
    optional_extras=(payoff.Extra.ENTRY, payoff.Extra.STRATA),
    arrange=strata_by_falling_time,
    is_shift_free=True,
    check_cases=check_survival,
)

_ROW_ORDER = "gbm lets tied cases see only those sorted before them, so row order matters."
GBM_COXPH = replace(
    COXPH,
    id="gbm_coxph",
    label="Cox survival as in gbm",
    usual_for=(),
    loss=gbm_coxph_loss,
    negative_gradient=gbm_coxph_gradient,
    leaf_kind=payoff.LeafKind.SOLVER,
    leaf_values=gbm_coxph_leaf_values,
    arrange=all_by_falling_time,
    expected_failures=(
        ("Row order does not matter", _ROW_ORDER),
        ("Weight 2 equals a row twice", _ROW_ORDER),
    ),
)
COXPH = replace(COXPH, gbm=GBM_COXPH)
