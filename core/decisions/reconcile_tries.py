"""One thing changed at a time: the rule's results under other priors, ties, costs or signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.cases import decide_cases, return_on_investment
from core.decisions.passes import UNDECIDED
from core.decisions.priors import adjust_posteriors, prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from payoff.types import FloatArray, IntArray

NONE = 255


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Carried:
    """What a file says of its cases, amounts in the sense of profit.

    Attributes
    ----------
    columns : mapping of letter to column name
    names : sequence of str
        Text of the decision column, "" where missing; empty without one.
    codes : array (n,) of int
        Its decisions as columns of the matrix; 255 where missing, -1 for no decision of ours.
    amounts : mapping of letter ("EP", "CP", "BP", "IC", "ROI") to array (n,)
    is_loss : mapping of letter to bool
        Whether the file writes losses (EL_, CL_, BL_).
    """

    columns: Mapping[str, str]
    names: tuple[str, ...]
    codes: IntArray
    amounts: Mapping[str, FloatArray]
    is_loss: Mapping[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attempt:
    """The rule's results under one assumption."""

    codes: IntArray
    amounts: dict[str, FloatArray]


def as_it_stands(problem: DecisionProblem, model: ModelScores) -> Attempt:
    """The rule's own results."""
    cases = decide_cases(problem, model)
    amounts = {"EP": cases.expected, "CP": cases.computed, "BP": cases.best}
    if cases.investment is not None and cases.roi is not None:
        amounts |= {"IC": cases.investment, "ROI": cases.roi}
    codes = np.where(cases.decision == UNDECIDED, NONE, cases.decision).astype(np.int64)
    return Attempt(codes=codes, amounts=amounts)


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """A reason to try: its words, and the results if it holds."""

    text: str
    remedy: str
    work: Callable[[], Attempt]


def tries(problem: DecisionProblem, model: ModelScores) -> Iterator[Try]:
    """All reasons worth trying for a problem, each worked out only when asked."""
    yield from _prior_tries(problem, model)
    yield from _tie_tries(problem, model)
    yield from _cost_tries(problem, model)
    yield from _matrix_tries(problem, model)


def _again(problem: DecisionProblem, model: ModelScores) -> Callable[[], Attempt]:
    return lambda: as_it_stands(problem, model)


def _prior_tries(problem: DecisionProblem, model: ModelScores) -> Iterator[Try]:
    if prior_ratio(problem, model) is not None:
        yield Try(
            "The file's decisions come from the chances as they stand, without our correction to "
            "the priors: they are corrected already, or the other program never did it.",
            "Say that the chances are already corrected.",
            _again(problem, replace(model, old_kind=OldPriorKind.CORRECTED, old_priors=None)),
        )
        assert problem.priors is not None
        assert model.old_priors is not None
        twice = adjust_posteriors(model.posteriors, problem.priors, model.old_priors)
        yield Try(
            "The file's decisions come from chances that were corrected to the priors twice.",
            "Correct them once only in the other program.",
            _again(problem, replace(model, posteriors=twice)),
        )
        return
    shares = _shares(problem)
    if problem.priors is None or shares is None:
        return
    yield Try(
        "The file's decisions come from chances corrected to the priors, from the class shares of "
        "these rows.",
        "Say at which shares the model was trained.",
        _again(problem, replace(model, old_kind=OldPriorKind.TRAINED_AT, old_priors=shares)),
    )


def _shares(problem: DecisionProblem) -> FloatArray | None:
    """Class shares of the rows with a known outcome; None where a class is missing."""
    if problem.outcome is None:
        return None
    known = problem.outcome >= 0
    weight = None if problem.frequency is None else problem.frequency[known]
    counts = np.bincount(problem.outcome[known], weights=weight, minlength=len(problem.levels))
    return counts / counts.sum() if (counts > 0).all() else None


def _tie_tries(problem: DecisionProblem, model: ModelScores) -> Iterator[Try]:
    yield Try(
        "In ties the file's later decision wins; here the first of the matrix does.",
        "Put the decisions into the other program's order.",
        lambda: _by_ties(problem, model, is_last=True, tolerance=problem.tie_tolerance),
    )
    yield Try(
        "The file's decisions are taken without a tolerance, so rounding noise decides ties; here "
        "a later decision must be better by more than the largest cell times 2⁻⁴¹.",
        "Nothing is lost: tied decisions are worth the same.",
        lambda: _by_ties(problem, model, is_last=False, tolerance=0.0),
    )


def _by_ties(
    problem: DecisionProblem, model: ModelScores, *, is_last: bool, tolerance: float
) -> Attempt:
    """The rule with another treatment of ties."""
    ours = as_it_stands(problem, model)
    values = decision_values(problem, model)
    best = values.max(axis=0)
    is_tied = values >= best - tolerance
    order = np.arange(values.shape[0])[:, np.newaxis]
    codes = np.where(is_tied, order, -1).max(axis=0) if is_last else values.argmax(axis=0)
    codes = np.where(ours.codes == NONE, NONE, codes)
    row = np.arange(values.shape[1])
    chosen = np.minimum(codes, values.shape[0] - 1)
    amounts = dict(ours.amounts)
    amounts["EP"] = np.where(codes == NONE, np.nan, values[chosen, row])
    costs = _costs(problem, values.shape[1])
    if problem.outcome is not None:
        level = np.maximum(problem.outcome, 0)
        brought = (problem.sense * problem.cells)[level, chosen] - costs[chosen, row]
        is_known = (problem.outcome >= 0) & (codes != NONE)
        amounts["CP"] = np.where(is_known, brought, np.nan)
    if "IC" in amounts:
        amounts["IC"] = np.where(codes == NONE, np.nan, costs[chosen, row])
        amounts["ROI"] = return_on_investment(amounts["CP"], amounts["IC"])
    return Attempt(codes=codes, amounts=amounts)


def decision_values(problem: DecisionProblem, model: ModelScores) -> FloatArray:
    """A(i, d) of every decision, (decisions, n), in the sense of profit."""
    chances = model.posteriors
    if prior_ratio(problem, model) is not None:
        assert problem.priors is not None
        assert model.old_priors is not None
        chances = adjust_posteriors(chances, problem.priors, model.old_priors)
    gains = problem.sense * problem.cells
    return np.asarray(gains.T @ chances - _costs(problem, chances.shape[1]))


def _costs(problem: DecisionProblem, rows: int) -> FloatArray:
    costs = np.zeros((len(problem.decisions), rows))
    if problem.cost_amounts is not None:
        costs += problem.cost_amounts[:, np.newaxis]
    for decision, column in problem.cost_columns.items():
        costs[decision] = column
    return costs


def _cost_tries(problem: DecisionProblem, model: ModelScores) -> Iterator[Try]:
    if not problem.has_costs:
        return
    free = replace(problem, cost_amounts=None, cost_columns={})
    yield Try(
        "The file leaves the costs of the decisions out.",
        "Take the costs away here, or give them there.",
        _again(free, model),
    )
    amounts = None if problem.cost_amounts is None else -problem.cost_amounts
    turned = replace(
        problem,
        cost_amounts=amounts,
        cost_columns={place: -column for place, column in problem.cost_columns.items()},
    )
    yield Try(
        "The file adds the costs where they are taken off here: their sign is turned round.",
        "Write costs as positive numbers.",
        _again(turned, model),
    )


def carried_costs(problem: DecisionProblem, model: ModelScores, carried: Carried) -> Iterator[Try]:
    """Costs that stand in the file's IC_ only, constant by decision."""
    spent = carried.amounts.get("IC")
    if problem.has_costs or spent is None or not carried.names:
        return
    costs = np.zeros(len(problem.decisions))
    for decision in range(len(costs)):
        own = spent[(carried.codes == decision) & np.isfinite(spent)]
        costs[decision] = np.median(own) if own.size else 0.0
    if not costs.any():
        return
    shown = ", ".join(
        f"{name} {cost:g}" for name, cost in zip(problem.decisions, costs, strict=True)
    )
    yield Try(
        f"The file takes costs into account that are not given here: {shown}.",
        "Give the costs of the decisions.",
        _again(replace(problem, cost_amounts=costs), model),
    )


def _matrix_tries(problem: DecisionProblem, model: ModelScores) -> Iterator[Try]:
    is_loss = problem.kind is MatrixKind.LOSS
    yield Try(
        f"The file takes the numbers of the matrix for {'profits' if is_loss else 'losses'}: "
        "all signs are turned round.",
        "Switch the kind of the matrix.",
        _again(replace(problem, cells=-problem.cells), model),
    )
    if problem.cells.shape[0] == problem.cells.shape[1]:
        yield Try(
            "The file reads rows and columns of the matrix the other way round.",
            "Swap them in one of the two.",
            _again(replace(problem, cells=np.ascontiguousarray(problem.cells.T)), model),
        )
        likely = replace(
            problem,
            cells=np.eye(len(problem.levels)),
            kind=MatrixKind.PROFIT,
            cost_amounts=None,
            cost_columns={},
        )
        yield Try(
            "The file gives each case its most likely class: the matrix was not used.",
            "Use the decision column, not the predicted class.",
            _again(likely, model),
        )
    if len(problem.levels) == 2:
        turned = np.ascontiguousarray(model.posteriors[::-1])
        yield Try(
            "The file uses the chance of the other class.",
            "Check which level the posterior column belongs to.",
            _again(problem, replace(model, posteriors=turned)),
        )
