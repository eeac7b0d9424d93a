"""One number of a decision problem that may move: a cell, a cost, a parameter, the event's prior.

Everything a number does is linear in it. Consequences move along a fixed direction. With the prior
of the event at v, the others share 1 - v in their present proportions, and a posterior times
prior / old prior (not yet divided by its sum, which is above zero and does not change what is
best) is linear in v; so is the weight of each class in totals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.priors import prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores, checked_priors
from core.document.decisions.matrix_model import NumberKind, NumberRef
from core.document.model import OldPriorKind
from core.document.results import RowsNote
from core.document.studies.moving_numbers import TriedNumber
from payoff.errors import PayoffError
from payoff.types import FloatArray

Progress = Callable[[float | None, str], object]

CELL, COST, PARAMETER, PRIOR = "cell", "cost", "parameter", "prior"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Change:
    """A number that may move, in the user's sense of it.

    Attributes
    ----------
    kind : {"cell", "cost", "parameter", "prior"}
    name : str
        Words for it.
    now : float
        Its present value.
    delta : array (levels, decisions) or None
        What one more unit adds to the consequences in the sense of profit; None for the prior.
    share_delta : array (levels, decisions) or None
        What one more unit adds to the shares of the case's amount, in the sense of profit.
    is_share : bool
        Whether the number is itself a share of the amount.
    level, decision, parameter : str
        What it is a number of.
    low, high : float
        Its bounds.
    """

    kind: str
    name: str
    now: float
    delta: FloatArray | None
    level: str = ""
    decision: str = ""
    parameter: str = ""
    low: float = -math.inf
    high: float = math.inf
    share_delta: FloatArray | None = None
    is_share: bool = False

    @property
    def unit(self) -> str:
        """What it is counted in: "share" (of cases, or of the amount) or "money"."""
        is_of_amount = self.delta is not None and self.share_delta is not None
        moves_shares = is_of_amount and bool(np.any(self.share_delta)) and not np.any(self.delta)
        return "share" if self.is_prior or self.is_share or moves_shares else "money"

    @property
    def is_prior(self) -> bool:
        """Whether the number is the event's prior."""
        return self.kind == PRIOR

    @property
    def number(self) -> NumberRef:
        """Which number of the document it is."""
        return NumberRef(
            kind=NumberKind(self.kind),
            name=self.parameter,
            level=self.level,
            decision=self.decision,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MovingNumbers:
    """A decision problem, its models, and every number of it that may move."""

    problem: DecisionProblem
    models: tuple[ModelScores, ...]
    changes: tuple[Change, ...]
    reference: str | None = None  # the model whose rule is meant; None: the first
    rows: RowsNote | None = None
    warnings: tuple[str, ...] = ()


def default_range(change: Change, problem: DecisionProblem) -> tuple[float, float]:
    """A range around the present value: to nothing and twice as much; of a prior to three times."""
    if change.is_prior:
        return 0.2 * change.now, min(0.95, 3.0 * change.now)
    if change.now == 0:
        reach = float(np.abs(problem.cells).max()) / 2.0 or 1.0
        low, high = -reach, reach
    else:
        low, high = sorted((0.0, 2.0 * change.now))
    return max(low, change.low), min(high, change.high)


def tried_number(change: Change, problem: DecisionProblem) -> TriedNumber:
    """A number as pages show it: its name, what it is now, and the range it is tried in."""
    low, high = default_range(change, problem)
    return TriedNumber(
        number=change.number,
        name=change.name,
        unit=change.unit,
        now=change.now,
        low=low,
        high=high,
    )


def changes_of(problem: DecisionProblem) -> tuple[Change, ...]:
    """Every cell, every constant cost that is not 0, and the event's prior where priors are set."""
    found = [
        cell_change(problem, level, decision)
        for level in range(len(problem.levels))
        for decision in range(len(problem.decisions))
    ]
    amounts = problem.cost_amounts
    if amounts is not None:
        found += [
            cost_change(problem, decision)
            for decision in range(len(problem.decisions))
            if amounts[decision] != 0 and decision not in problem.cost_columns
        ]
    if problem.priors is not None:
        found.append(prior_change(problem))
    return tuple(found)


def cell_change(problem: DecisionProblem, level: int, decision: int) -> Change:
    """A cell of the matrix; of one that depends on the case's amount its share of that."""
    delta = np.zeros((len(problem.levels), len(problem.decisions)))
    amounts = problem.amounts
    if amounts is not None and amounts.slopes[level, decision] != 0:
        share = delta.copy()
        share[level, decision] = problem.sense
        return Change(
            kind=CELL,
            name=f"{problem.decisions[decision]}, {problem.label(level)}: share of {amounts.name}",
            now=float(amounts.slopes[level, decision]),
            delta=delta,
            level=problem.levels[level],
            decision=problem.decisions[decision],
            share_delta=share,
            is_share=True,
        )
    delta[level, decision] = problem.sense
    return Change(
        kind=CELL,
        name=f"{problem.decisions[decision]}, {problem.label(level)}",
        now=float(problem.cells[level, decision]),
        delta=delta,
        level=problem.levels[level],
        decision=problem.decisions[decision],
    )


def cost_change(problem: DecisionProblem, decision: int) -> Change:
    """The constant cost of a decision."""
    amounts = problem.cost_amounts
    delta = np.zeros((len(problem.levels), len(problem.decisions)))
    delta[:, decision] = -1.0
    return Change(
        kind=COST,
        name=f"Cost of {problem.decisions[decision]}",
        now=0.0 if amounts is None else float(amounts[decision]),
        delta=delta,
        decision=problem.decisions[decision],
        low=0.0,
    )


def parameter_change(
    problem: DecisionProblem,
    name: str,
    words: str,
    now: float,
    cells_per_unit: FloatArray,
    shares_per_unit: FloatArray | None = None,
) -> Change:
    """A named parameter that every cell follows in a straight line.

    ``cells_per_unit`` and ``shares_per_unit`` (levels, decisions): what one more unit adds to the
    cells, and to their shares of the case's amount, as the user writes them.
    """
    return Change(
        kind=PARAMETER,
        name=words,
        now=now,
        delta=problem.sense * cells_per_unit,
        parameter=name,
        share_delta=None if shares_per_unit is None else problem.sense * shares_per_unit,
    )


def prior_change(problem: DecisionProblem) -> Change:
    """The prior of the event; the other classes keep their proportions.

    Raises
    ------
    PayoffError
        Where no priors are set, there is one class only, or the others' priors are all 0.
    """
    if problem.priors is None:
        raise PayoffError(
            "No priors are set.", remedy="Say first how common each outcome is in real life."
        )
    shares = checked_priors(problem.priors, problem.levels)
    if len(shares) < 2 or not shares[1:].sum() > 0:
        raise PayoffError("The prior of the event can only move where another class is possible.")
    return Change(
        kind=PRIOR,
        name=f"Share of “{problem.label(0)}”",
        now=float(shares[0]),
        delta=None,
        level=problem.levels[0],
        low=0.0,
        high=1.0,
    )


def moved(problem: DecisionProblem, change: Change, value: float) -> DecisionProblem:
    """The problem with one number at another value."""
    if change.delta is None:
        assert problem.priors is not None  # prior_change refuses without
        rest = problem.priors[1:] / problem.priors[1:].sum()
        priors: FloatArray = np.append(value, (1.0 - value) * rest)
        return replace(problem, priors=priors, prior_range=None)
    if change.kind == COST:
        place = problem.decisions.index(change.decision)
        amounts = np.zeros(len(problem.decisions))
        if problem.cost_amounts is not None:
            amounts += problem.cost_amounts
        amounts[place] = value
        return replace(problem, cost_amounts=amounts)
    step = problem.sense * (value - change.now)
    cells, amount = problem.cells + step * change.delta, problem.amounts
    if change.share_delta is not None and amount is not None:
        slopes = amount.slopes + step * change.share_delta
        if change.is_share:
            slopes[change.share_delta != 0] = value
        amount = replace(amount, slopes=slopes)
    elif change.kind == CELL:
        cells[change.delta != 0] = value
    return replace(problem, cells=cells, amounts=amount)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Family:
    """One model's problem as a function of an offset s from the present value of a number.

    Expected consequence of decision d for a case with chances p and costs c_d, up to a factor above
    zero: sum over t of p_t (expect[0] + s expect[1])[t, d] - c_d sum over t of p_t (mass[0] +
    s mass[1])[t]. What it adds to the total if it is of class t, with frequency F:
    F ((real[0] + s real[1])[t, d] - c_d (weight[0] + s weight[1])[t]). Where cells are shares of an
    amount, ``shares`` says the same of what one unit of it adds.
    """

    expect: FloatArray  # (2, levels, decisions)
    mass: FloatArray  # (2, levels)
    real: FloatArray  # (2, levels, decisions)
    weight: FloatArray  # (2, levels)
    shares: Shares | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shares:
    """What one unit of the case's amount adds to ``Family``'s terms of the same names."""

    expect: FloatArray  # (2, levels, decisions)
    real: FloatArray  # (2, levels, decisions)


def change_family(
    problem: DecisionProblem, model: ModelScores, change: Change, class_cases: FloatArray
) -> Family:
    """How a change moves one model's decisions and totals.

    ``class_cases`` (levels,) are the cases of each class that count.
    """
    gain = problem.class_gains
    share = None if problem.amounts is None else problem.sense * problem.amounts.slopes
    ratio = prior_ratio(problem, model)
    factor = np.ones(len(problem.levels)) if ratio is None else np.maximum(ratio, 0.0)
    weight = class_weights(problem, class_cases)
    if change.delta is not None:
        still = np.zeros_like(gain)
        both = np.stack([gain, change.delta])
        mass = np.stack([factor, np.zeros_like(factor)])
        weights = np.stack([weight, np.zeros_like(weight)])
        shares = None
        if share is not None:
            moved = still if change.share_delta is None else change.share_delta
            pair = np.stack([share, moved])
            shares = Shares(expect=pair * factor[:, np.newaxis], real=pair * weight[:, np.newaxis])
        return Family(
            expect=both * factor[:, np.newaxis],
            mass=mass,
            real=both * weight[:, np.newaxis],
            weight=weights,
            shares=shares,
        )
    line = prior_line(problem)
    mass = np.stack([factor, np.zeros_like(factor)])
    if ratio is not None and model.old_kind == OldPriorKind.TRAINED_AT:
        old = checked_priors(np.asarray(model.old_priors), problem.levels)
        mass = np.divide(line, old, out=np.zeros_like(line), where=old > 0)
    size = class_cases.sum()
    weights = np.divide(line * size, class_cases, out=np.zeros_like(line), where=class_cases > 0)
    shares = None
    if share is not None:
        shares = Shares(
            expect=mass[:, :, np.newaxis] * share, real=weights[:, :, np.newaxis] * share
        )
    return Family(
        expect=mass[:, :, np.newaxis] * gain,
        mass=mass,
        real=weights[:, :, np.newaxis] * gain,
        weight=weights,
        shares=shares,
    )


def class_weights(problem: DecisionProblem, class_cases: FloatArray) -> FloatArray:
    """Weights of classes in totals; refuses a class that should count and has no case."""
    from core.decisions.priors import prior_weights

    weights = prior_weights(problem.priors, class_cases)
    missing = np.flatnonzero(np.isnan(weights))
    if missing.shape[0]:
        raise PayoffError(
            f"No case is “{problem.label(int(missing[0]))}”, though its prior is above zero.",
            why="Totals cannot be worked out.",
            remedy="Choose other rows, or set its prior to 0.",
        )
    return weights


def prior_line(problem: DecisionProblem) -> FloatArray:
    """Shares of the classes at an offset of the event's prior: (2, levels), present and slope."""
    assert problem.priors is not None  # prior_change refuses without
    shares = checked_priors(problem.priors, problem.levels)
    slope = np.empty_like(shares)
    slope[0] = 1.0
    slope[1:] = -shares[1:] / shares[1:].sum()
    return np.stack([shares, slope])
