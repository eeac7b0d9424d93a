"""Studies of decided cases for scripts: capacity, case list, gap, what was left, swap sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from core.decisions import DecisionWorkspace, analyse
from core.decisions.case_values import CaseValues, values_of
from core.decisions.limits.capacity import best_within
from core.decisions.passes import UNDECIDED
from core.decisions.problem import DecisionProblem
from core.decisions.studies.case_list import case_list, order_of
from core.decisions.studies.gap import gap_of, left_by_class
from core.decisions.studies.hold_out import HoldOut, hold_out
from core.decisions.studies.swap import Way, compare_ways, way_at_depth, way_by_rule
from core.decisions.workspace import Analysis, AnalysisState
from core.document.data.model import RowUse
from core.document.results import PairedDifference, RowsNote
from core.document.studies.capacity import CapacityResult
from core.document.studies.gap import GapResult
from core.document.studies.swap import SwapSet
from core.questions.decide import Capacity, Gap
from core.questions.watch import Unwatched
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.script.decide.decisions import Decisions

SORTS = ("expected", "roi", "gap", "chance", "computed", "best", "missed")


def _analysis(decided: Decisions) -> Analysis:
    """The analysis of decided cases, and the rows that it is about."""
    state = _state(decided.problem, decided)
    return Analysis(state=state, rows=_note(state))


def _state(problem: DecisionProblem, decided: Decisions) -> AnalysisState:
    if problem.outcome is None:
        raise PayoffError(
            "There is no outcome to judge the rule by.",
            remedy="Name the target column of rows whose outcome is known.",
        )
    workspace = DecisionWorkspace()
    analyse(problem, (decided.model,), workspace=workspace)
    assert workspace.state is not None  # it was just analysed
    return workspace.state


def _note(state: AnalysisState) -> RowsNote:
    rows = state.rows.rows
    return RowsNote(use=RowUse.ALL, text=f"rows that count, {rows:,}", rows=rows)


def capacity_of(
    decided: Decisions,
    most_actions: float | None,
    most_money: float | None,
    price: float | None,
    units: Sequence[float] | None,
) -> CapacityResult:
    """The best decisions within limits; see ``Decisions.capacity``."""
    question = Capacity(
        most_actions=most_actions,
        most_money=most_money,
        price=price,
        units=None if units is None else tuple(units),
    )
    return best_within(_analysis(decided), question, Unwatched())


def list_of(
    decided: Decisions, sort: str, decision: str | None, most: int | None, *, is_descending: bool
) -> pd.DataFrame:
    """Cases one by one; see ``Decisions.case_list``."""
    if sort not in SORTS:
        raise PayoffError(
            f"Cases cannot be sorted by '{sort}'.", remedy=f"There are {', '.join(SORTS)}."
        )
    problem = decided.problem
    listed = case_list(problem, decided.model)
    order = order_of(listed.column(sort), is_descending=is_descending)
    if decision is not None:
        if decision not in problem.decisions:
            known = ", ".join(problem.decisions)
            raise PayoffError(f"There is no decision '{decision}'.", remedy=f"Known: {known}.")
        place = problem.decisions.index(decision)
        order = order[listed.decided.decision[order] == place]
    order = order if most is None else order[:most]
    sense = problem.sense
    names = np.asarray([*problem.decisions, ""])
    chosen = listed.decided.decision[order]
    columns = {
        "row": order + 1,
        "chance": listed.chance[order],
        "decision": names[np.where(chosen == UNDECIDED, len(names) - 1, chosen)],
        "expected": sense * listed.decided.expected[order],
        "gap": listed.gap[order],
        "realised": sense * listed.decided.computed[order],
        "best": sense * listed.decided.best[order],
    }
    if listed.decided.roi is not None:
        columns["roi"] = listed.decided.roi[order]
    if listed.break_even is not None:
        columns["break_even"] = listed.break_even[order]
    columns["marks"] = listed.decided.warnings[order]
    return pd.DataFrame(columns)


def gap_result(decided: Decisions) -> GapResult:
    """Expected against realised; see ``Decisions.gap``."""
    return gap_of(_analysis(decided), Gap(model=decided.model.name), Unwatched())


def left_table(decided: Decisions) -> pd.DataFrame:
    """What was left by class and decision; see ``Decisions.left_on_the_table``."""
    state = _state(decided.problem, decided)
    values = values_of(state, state.models[0])
    left, _ = left_by_class(values, values.own_decision())
    return pd.DataFrame(left, index=list(state.problem.levels), columns=list(values.names))


def with_hold_out(decided: Decisions, share: float, seed: int) -> tuple[Decisions, HoldOut]:
    """The decisions with a share of the chosen kept out; see ``Decisions.hold_out``."""
    from core.decisions import total_cases

    held = hold_out(decided.problem, decided.model, decided.cases, share=share, seed=seed)
    totals = None if decided.totals is None else total_cases(decided.problem, held.decided)
    planned = decided.planned or held.planned
    kept = decided.held_out | held.is_held if decided.held_out is not None else held.is_held
    return replace(decided, cases=held.decided, totals=totals, held_out=kept, planned=planned), held


# ---------------------------------------------------------------- two decision results


@dataclass(frozen=True, kw_only=True)
class _Judged:
    """One of two decision results on the rows that count in both."""

    state: AnalysisState
    values: CaseValues
    label: str


def swap_set_of(
    first: Decisions,
    second: Decisions,
    *,
    depths: tuple[float | None, float | None] = (None, None),
    judge: str = "first",
) -> SwapSet:
    """Who moves between two decision results; see ``payoff.swap_set``."""
    if judge not in ("first", "second"):
        raise PayoffError(
            f"judge={judge!r} is not known.",
            remedy="Give 'first' or 'second': whose matrix counts.",
        )
    one, other = _on_common_rows(first, second)
    judging = one if judge == "first" else other
    ways = [
        _way(entry, depth, judging.values)
        for entry, depth in zip((one, other), depths, strict=True)
    ]
    return compare_ways(
        judging.state.problem,
        judging.values,
        ways[0],
        ways[1],
        rows=_note(judging.state),
        judged_by=judging.label,
    )


def _on_common_rows(first: Decisions, second: Decisions) -> tuple[_Judged, _Judged]:
    counts = [len(decided.cases.decision) for decided in (first, second)]
    if counts[0] != counts[1]:
        raise PayoffError(
            "The two do not decide the same cases.",
            why=f"{counts[0]:,} against {counts[1]:,} rows.",
        )
    one, other = first.problem.outcome, second.problem.outcome
    if one is None or other is None:
        raise PayoffError("Both need an outcome.", remedy="Name the target column in both.")
    if first.problem.levels != second.problem.levels or not np.array_equal(one, other):
        raise PayoffError(
            "The two have different outcomes.", remedy="Decide the same rows with the same levels."
        )
    counted = (first.cases.marks == 0) & (second.cases.marks == 0)
    labels = [first.model.name, second.model.name]
    if labels[0] == labels[1]:
        labels = [
            f"{label} ({word})" for label, word in zip(labels, ("first", "second"), strict=True)
        ]
    judged = []
    for decided, label in zip((first, second), labels, strict=True):
        given = decided.problem.frequency
        weight = np.where(counted, 1.0 if given is None else given, 0.0)
        state = _state(replace(decided.problem, frequency=weight), decided)
        judged.append(_Judged(state=state, values=values_of(state, state.models[0]), label=label))
    return judged[0], judged[1]


def _way(entry: _Judged, depth: float | None, judge: CaseValues) -> Way:
    if depth is None:
        return way_by_rule(entry.state.problem, entry.values, entry.label, judge=judge)
    label = f"{entry.label}, best {depth:.1%}"
    return way_at_depth(entry.values, entry.state.models[0], depth, label, judge=judge)


def difference_of(first: Decisions, second: Decisions, depth: float | None) -> PairedDifference:
    """The first's money less the second's on the same cases; see ``Decisions.against``."""
    return swap_set_of(first, second, depths=(depth, depth)).difference


# ---------------------------------------------------------------- the script's face


class DecisionStudies:
    """What a script can ask of decided cases beyond their totals."""

    @property
    def _own(self) -> Decisions:
        """This object as what it is: the mixin belongs to ``Decisions`` alone."""
        return cast("Decisions", self)

    @property
    def best_range(self) -> tuple[float, float]:
        """Lowest and highest depth that cannot be told apart from the best (paired, 95 %)."""
        return self._own._analysis().models[0].best_range

    def capacity(
        self,
        most_actions: float | None = None,
        most_money: float | None = None,
        *,
        price: float | None = None,
        units: Sequence[float] | None = None,
    ) -> CapacityResult:
        """The best decisions under "at most N actions" and "at most an amount of money".

        ``points[0]`` holds profit, counts and shadow prices within the limits, ``free[0]`` those
        without, ``curves[0]`` the best profit against the capacity. Amounts are profits.

        Parameters
        ----------
        most_actions, most_money : float, optional
        price : float, optional
            What one action costs where no costs are given; left out: the most it can lose.
        units : list of float, optional
            What each decision counts as; left out: 1 for every decision but doing nothing.
        """
        return capacity_of(self._own, most_actions, most_money, price, units)

    def case_list(
        self,
        sort: str = "expected",
        *,
        descending: bool = True,
        decision: str | None = None,
        most: int | None = None,
    ) -> pd.DataFrame:
        """The cases one by one, sorted, all or those of one decision.

        Parameters
        ----------
        sort : {"expected", "roi", "gap", "chance", "computed", "best", "missed"}
            gap: to the second best decision; missed: best possible less realised.
        descending : bool
        decision : str, optional
        most : int, optional
            How many at the most.
        """
        return list_of(self._own, sort, decision, most, is_descending=descending)

    def gap(self) -> GapResult:
        """Expected against realised profit by depth, a verdict, and the worth of better ranking."""
        return gap_result(self._own)

    def left_on_the_table(self) -> pd.DataFrame:
        """Best possible less realised profit by class and decision, weighted to the priors."""
        return left_table(self._own)

    def against(self, other: Decisions, *, depth: float | None = None) -> PairedDifference:
        """This result's money less another's on the same cases, under this result's matrix.

        Each at its own rule, or both at the same ``depth`` (share of the cases acted on).
        """
        return difference_of(self._own, other, depth)

    def hold_out(self, share: float, *, seed: int = 20261) -> tuple[Decisions, HoldOut]:
        """Keep a random share of the chosen out of the action, to measure its effect.

        The first of the two is decided anew, with a column HOLDOUT_ in its table; the second says
        what that costs and the smallest effect it could show.
        """
        return with_hold_out(self._own, share, seed)


def swap_set(
    first: Decisions,
    second: Decisions,
    *,
    first_depth: float | None = None,
    second_depth: float | None = None,
    judge: str = "first",
) -> SwapSet:
    """Who moves between two ways to decide the same rows: models, depths or matrices.

    Parameters
    ----------
    first, second : Decisions
        Of the same rows with the same levels; models, matrices and priors may differ.
    first_depth, second_depth : float, optional
        Act on the best share of cases instead of by the rule.
    judge : {"first", "second"}
        Whose matrix and priors count the money; it must know all decisions of the other.

    Returns
    -------
    SwapSet
        Groups "both", "first", "second" and "neither" with cases by class, rate of the first class,
        money of both ways, and the paired difference with its 95 % interval.

    Raises
    ------
    PayoffError
        If the two do not decide the same cases.
    """
    return swap_set_of(first, second, depths=(first_depth, second_depth), judge=judge)
