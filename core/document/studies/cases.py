"""The cases one by one: pages of a sorted list, and a picture of chances against break-evens."""

from __future__ import annotations

from dataclasses import dataclass

from payoff.types import BoolArray, FloatArray, IntArray

SORTS = ("expected", "roi", "gap", "chance", "computed", "best", "missed", "id", "row")


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesPage:
    """Some cases of the list, in its order. Amounts are profits; NaN where undefined.

    ``break_even``: the case's own chance at which acting begins to pay; None where it is the same
    for all, or where there is no such chance (three classes or decisions). ``roi`` is None without
    costs.
    """

    start: int
    cases: int  # of the whole list under the filter
    all_cases: int
    ids: tuple[str, ...]
    row: IntArray  # number in the file, from 1
    outcome: tuple[str, ...]
    decision: tuple[str, ...]
    chance: FloatArray  # of the event, as it decides
    expected: FloatArray
    gap: FloatArray  # to the second best decision
    computed: FloatArray
    best: FloatArray
    roi: FloatArray | None
    break_even: FloatArray | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseCloud:
    """Chances against the cases' own break-evens; empty, with ``reason``, where they do not differ.

    ``is_event``: the case was of the first class. ``shares`` of all cases: acted on by their own
    break-even, and by the mean one.
    """

    chance: FloatArray
    break_even: FloatArray
    is_acted: BoolArray
    is_event: BoolArray
    cases: int
    mean_break_even: float
    acts_above: bool
    acted_share: float
    acted_share_at_mean: float
    expected_gain: float  # of own break-evens over one for all, expected total
    realised_gain: float
    reason: str = ""
