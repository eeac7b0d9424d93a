"""Studies of decided cases for scripts: capacity, case list, gap, what was left, swap sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.decisions import DecisionWorkspace, analyse
from core.decisions.capacity import best_within
from core.decisions.case_list import case_list, order_of
from core.decisions.case_values import CaseValues, values_of
from core.decisions.gap import gap_of, left_by_class
from core.decisions.hold_out import HoldOut, hold_out
from core.decisions.passes import UNDECIDED
from core.decisions.problem import DecisionProblem
from core.decisions.swap import Way, swap_set, way_at_depth, way_by_rule
from core.decisions.workspace import AnalysisState
from core.document.model import RowUse
from core.document.results import PairedDifference, RowsNote
from core.document.studies.capacity import CapacityResult
from core.document.studies.gap import GapResult
from core.document.studies.swap import SwapSet
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.script.decisions import Decisions

SORTS = ("expected", "roi", "gap", "chance", "computed", "best", "missed")


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
    state = _state(decided.problem, decided)
    return best_within(
        state,
        most_actions=most_actions,
        most_money=most_money,
        price=price,
        units=units,
        rows=_note(state),
    )


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
    state = _state(decided.problem, decided)
    return gap_of(state, state.models[0], rows=_note(state))


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
    return replace(decided, cases=held.decided, totals=totals, held_out=held.is_held), held


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
    return swap_set(
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
