"""The cases one by one: pages of a sorted list, and a picture of chances against break-evens."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document
from payoff.types import BoolArray, FloatArray, IntArray

SORTS = ("expected", "roi", "gap", "chance", "computed", "best", "missed", "id", "row")


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesArguments:
    """-> CasesPage. Kind "cases", and "case_page" for further pages of a list.

    They are two kinds because of two requests of one kind the quick lane keeps the newest: a page
    of the old list must not take the place of a new list.

    ``sort`` among SORTS; ``decision``: only the cases that get it (None = all, "" = those without
    one); ``within``: only the best cases down to a depth. ``start`` and ``count`` name the page.
    """

    document: Document
    model: str
    sort: str = "expected"
    is_descending: bool = True
    decision: str | None = None
    within: float | None = None
    start: int = 0
    count: int = 200


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
class CaseCloudArguments:
    """-> CaseCloud. Kind "case_cloud": at most ``most`` cases, drawn by the document's seed."""

    document: Document
    model: str
    most: int = 3000


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
