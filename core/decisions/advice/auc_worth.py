"""What one more point of AUC would earn under a matrix.

Two classes, constant consequences: the binormal model (Green and Swets 1966, "Signal detection
theory"; Hanley 1988). The scores of both classes are taken to be normal with equal spread, d apart,
where AUC = Phi(d / sqrt 2). The best cut of such scores gives a best profit V(AUC); one more point
is worth V(AUC + 0.005) - V(AUC - 0.005). Costs by case: no such formula; what is left to perfect
ranking is shared out evenly, so many points as are left.
"""

from __future__ import annotations

import math

from core.decisions.case_values import CaseValues, corrected_chances
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.studies.decided_cases import AucWorth
from core.document.wording import format_number
from core.inference.delong import weighted_auc
from core.inference.normal import NORMAL

HALF_POINT = 0.005
BINORMAL = "two normal score distributions with this AUC"
EVEN = "what is left to perfect ranking, shared out evenly over the points that are left"


def auc_worth(
    problem: DecisionProblem, values: CaseValues, model: ModelScores, best_profit: float
) -> AucWorth:
    """What one more point of AUC would earn.

    Parameters
    ----------
    problem : DecisionProblem
    values : CaseValues
        Counted cases.
    model : ModelScores
    best_profit : float
        Of the model, at its best depth.
    """
    nothing = math.nan
    if len(problem.levels) != 2 or len(values.names) != 2:
        why = "AUC ranks two classes; here are more classes or decisions"
        return AucWorth(auc=nothing, per_point=nothing, model_profit=nothing, method=why)
    chance = corrected_chances(problem, model, values.rows)[0]
    auc = weighted_auc(chance, values.level == 0, values.frequency)
    if not 0.5 + HALF_POINT < auc < 1.0 - HALF_POINT:
        why = _why_not(auc)
        return AucWorth(auc=auc, per_point=nothing, model_profit=nothing, method=why)
    if values.costs.shape[1] > 1 or values.added is not None:
        left = float(values.weight @ values.best_brought()) - best_profit
        return AucWorth(
            auc=auc, per_point=left / (100.0 * (1.0 - auc)), model_profit=nothing, method=EVEN
        )
    return AucWorth(
        auc=auc,
        per_point=_best_profit(values, auc + HALF_POINT) - _best_profit(values, auc - HALF_POINT),
        model_profit=_best_profit(values, auc),
        method=BINORMAL,
    )


def _why_not(auc: float) -> str:
    """Why there is no next point of AUC that could be valued."""
    if math.isnan(auc):
        return "one class has no case, and AUC needs both"
    said = f"an AUC of {format_number(auc, 3)}"
    if auc < 0.5:
        return f"{said} ranks worse than chance"
    return f"{said} leaves no whole point above" if auc > 0.75 else f"{said} hardly ranks at all"


def _best_profit(values: CaseValues, auc: float) -> float:
    """The best total of binormal scores: at the best cut, or acting on all or none."""
    cases = values.class_weight * values.class_cases
    rest = 1 - values.acting
    gain = values.gain[:, values.acting] - values.gain[:, rest]
    base = float(cases @ values.gain[:, rest])
    return base + binormal_profit(float(cases[0] * gain[0]), float(cases[1] * gain[1]), auc)


def binormal_profit(event: float, other: float, auc: float) -> float:
    """The best of acting above a cut of binormal scores.

    Parameters
    ----------
    event, other : float
        What acting on all events, and on all other cases, would add.
    auc : float
        Between 0.5 and 1.
    """
    if event * other >= 0:
        return max(0.0, event + other)
    if event < 0:  # acting pays on the others: the same with the classes exchanged
        event, other = other, event
    apart = math.sqrt(2.0) * NORMAL.inv_cdf(auc)
    cut = apart / 2.0 + math.log(-other / event) / apart
    return event * (1.0 - NORMAL.cdf(cut - apart)) + other * (1.0 - NORMAL.cdf(cut))
