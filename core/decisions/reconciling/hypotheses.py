"""Things that may be otherwise in another program: priors, ties, costs, signs, digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.amounts import CaseAmounts
from core.decisions.cases import decide_cases, return_on_investment
from core.decisions.decision_pass import UNDECIDED
from core.decisions.per_case_values import expected_values, realised_values
from core.decisions.priors import adjust_posteriors, prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from payoff.counting import counted
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setup:
    """What is decided, and how: of ties (``tolerance`` None = the usual one) and digits."""

    problem: DecisionProblem
    model: ModelScores
    is_last: bool = False  # the last of tied decisions wins
    tolerance: float | None = None
    decimals: int | None = None  # of amounts

    def work(self) -> Attempt:
        """The results of the rule."""
        if self.is_last or self.tolerance is not None:
            found = _by_ties(self)
        else:
            found = as_it_stands(self.problem, self.model)
        if self.decimals is None:
            return found
        rounded = {key: np.round(each, self.decimals) for key, each in found.amounts.items()}
        return Attempt(codes=found.codes, amounts=rounded)

    def of_rows(self, rows: IntArray) -> Setup:
        """The same for some of the cases of a problem of classes."""
        problem, amounts = self.problem, self.problem.amounts
        if amounts is not None:
            amounts = CaseAmounts(
                values=amounts.values[rows], slopes=amounts.slopes, name=amounts.name
            )
        some = replace(
            problem,
            outcome=None if problem.outcome is None else problem.outcome[rows],
            frequency=None if problem.frequency is None else problem.frequency[rows],
            cost_columns={place: each[rows] for place, each in problem.cost_columns.items()},
            amounts=amounts,
        )
        scores = np.ascontiguousarray(self.model.posteriors[:, rows])
        return replace(self, problem=some, model=replace(self.model, posteriors=scores))


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """A reason to try: its kind and words, and what is decided if it holds."""

    kind: str
    text: str
    remedy: str
    setup: Setup


def tries(setup: Setup, carried: Carried) -> Iterator[Try]:
    """All reasons worth trying on top of a setup."""
    yield from _prior_tries(setup)
    yield from _tie_tries(setup)
    yield from _cost_tries(setup)
    yield from _carried_costs(setup, carried)
    yield from _matrix_tries(setup)
    yield from _digit_tries(setup, carried)


def _prior_tries(setup: Setup) -> Iterator[Try]:
    problem, model = setup.problem, setup.model
    if prior_ratio(problem, model) is not None:
        yield Try(
            "priors",
            "The file's decisions come from the chances as they stand, without our correction to "
            "the priors: they are corrected already, or the other program never did it.",
            "Say that the chances are already corrected.",
            replace(setup, model=replace(model, old_kind=OldPriorKind.CORRECTED, old_priors=None)),
        )
        assert problem.priors is not None
        assert model.old_priors is not None
        twice = adjust_posteriors(model.posteriors, problem.priors, model.old_priors)
        yield Try(
            "priors",
            "The file's decisions come from chances that were corrected to the priors twice.",
            "Correct them once only in the other program.",
            replace(setup, model=replace(model, posteriors=twice)),
        )
        return
    shares = _shares(problem)
    if problem.priors is None or shares is None:
        return
    trained = replace(model, old_kind=OldPriorKind.TRAINED_AT, old_priors=shares)
    yield Try(
        "priors",
        "The file's decisions come from chances corrected to the priors, from the class shares of "
        "these rows.",
        "Say at which shares the model was trained.",
        replace(setup, model=trained),
    )


def _shares(problem: DecisionProblem) -> FloatArray | None:
    """Class shares of the rows with a known outcome; None where a class is missing."""
    if problem.outcome is None:
        return None
    known = problem.outcome >= 0
    weight = None if problem.frequency is None else problem.frequency[known]
    counts = np.bincount(problem.outcome[known], weights=weight, minlength=len(problem.levels))
    return counts / counts.sum() if (counts > 0).all() else None


def _tie_tries(setup: Setup) -> Iterator[Try]:
    yield Try(
        "ties",
        "In ties the file's later decision wins; here the first of the matrix does.",
        "Put the decisions into the other program's order.",
        replace(setup, is_last=True, tolerance=None),
    )
    yield Try(
        "ties",
        "The file's decisions are taken without a tolerance, so rounding noise decides ties; here "
        "a later decision must be better by more than the largest cell times 2⁻⁴¹.",
        "Nothing is lost: tied decisions are worth the same.",
        replace(setup, is_last=False, tolerance=0.0),
    )


def _by_ties(setup: Setup) -> Attempt:
    """The rule with another treatment of ties."""
    problem, model = setup.problem, setup.model
    ours = as_it_stands(problem, model)
    tolerance = problem.tie_tolerance if setup.tolerance is None else setup.tolerance
    values = expected_values(problem, model)
    with np.errstate(invalid="ignore"):
        is_tied = values >= values.max(axis=0) - tolerance
    order = np.arange(values.shape[0])[:, np.newaxis]
    last, first = np.where(is_tied, order, -1).max(axis=0), values.argmax(axis=0)
    codes = np.where(ours.codes == NONE, NONE, last if setup.is_last else first)
    row = np.arange(values.shape[1])
    chosen = np.minimum(codes, values.shape[0] - 1)
    amounts = dict(ours.amounts)
    amounts["EP"] = np.where(codes == NONE, np.nan, values[chosen, row])
    if problem.outcome is not None:
        amounts["CP"] = np.where(codes == NONE, np.nan, realised_values(problem)[chosen, row])
    if "IC" in amounts:
        spent = _costs(problem, values.shape[1])[chosen, row]
        amounts["IC"] = np.where(codes == NONE, np.nan, spent)
        amounts["ROI"] = return_on_investment(amounts["CP"], amounts["IC"])
    return Attempt(codes=codes, amounts=amounts)


def _costs(problem: DecisionProblem, rows: int) -> FloatArray:
    costs = np.zeros((len(problem.decisions), rows))
    costs += problem.constant_costs[:, np.newaxis]
    for decision, column in problem.cost_columns.items():
        costs[decision] = column
    return costs


def _cost_tries(setup: Setup) -> Iterator[Try]:
    problem = setup.problem
    if not problem.has_costs:
        return
    yield Try(
        "costs",
        "The file leaves the costs of the decisions out.",
        "Take the costs away here, or give them there.",
        replace(setup, problem=replace(problem, cost_amounts=None, cost_columns={})),
    )
    amounts = None if problem.cost_amounts is None else -problem.cost_amounts
    turned = replace(
        problem,
        cost_amounts=amounts,
        cost_columns={place: -column for place, column in problem.cost_columns.items()},
    )
    yield Try(
        "costs",
        "The file adds the costs where they are taken off here: their sign is turned round.",
        "Write costs as positive numbers.",
        replace(setup, problem=turned),
    )


def _carried_costs(setup: Setup, carried: Carried) -> Iterator[Try]:
    """Costs that stand in the file's IC_ only, constant by decision."""
    problem = setup.problem
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
        "costs",
        f"The file takes costs into account that are not given here: {shown}.",
        "Give the costs of the decisions.",
        replace(setup, problem=replace(problem, cost_amounts=costs)),
    )


def _matrix_tries(setup: Setup) -> Iterator[Try]:
    problem, model = setup.problem, setup.model
    is_loss = problem.kind is MatrixKind.LOSS
    yield Try(
        "signs",
        f"The file takes the numbers of the matrix for {'profits' if is_loss else 'losses'}: "
        "all signs are turned round.",
        "Switch the kind of the matrix.",
        replace(setup, problem=replace(problem, cells=-problem.cells)),
    )
    if problem.cells.shape[0] == problem.cells.shape[1]:
        turned = replace(problem, cells=np.ascontiguousarray(problem.cells.T))
        yield Try(
            "matrix",
            "The file reads rows and columns of the matrix the other way round.",
            "Swap them in one of the two.",
            replace(setup, problem=turned),
        )
        likely = replace(
            problem,
            cells=np.eye(len(problem.levels)),
            kind=MatrixKind.PROFIT,
            cost_amounts=None,
            cost_columns={},
        )
        yield Try(
            "matrix",
            "The file gives each case its most likely class: the matrix was not used.",
            "Use the decision column, not the predicted class.",
            replace(setup, problem=likely),
        )
    if len(problem.levels) == 2:
        other = np.ascontiguousarray(model.posteriors[::-1])
        yield Try(
            "class",
            "The file uses the chance of the other class.",
            "Check which level the posterior column belongs to.",
            replace(setup, model=replace(model, posteriors=other)),
        )


def _digit_tries(setup: Setup, carried: Carried) -> Iterator[Try]:
    """Amounts written with fewer digits than numbers hold."""
    if not carried.amounts:
        return
    for digits in range(9):
        if all(_fits_digits(values, digits) for values in carried.amounts.values()):
            yield Try(
                "digits",
                f"The file writes amounts with {counted(digits, 'decimal')}.",
                "Compare with a larger tolerance.",
                replace(setup, decimals=digits),
            )
            return


def _fits_digits(values: FloatArray, digits: int) -> bool:
    known = values[np.isfinite(values)]
    return bool(np.all(np.abs(known - np.round(known, digits)) < 1e-12 * np.maximum(1, abs(known))))
