"""The swap set of two ways to decide: whom both act on, whom only one does, and the money of it."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate, PairedDifference, RowsNote

BOTH, FIRST, SECOND, NEITHER = "both", "first", "second", "neither"
GROUPS = (BOTH, FIRST, SECOND, NEITHER)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapSide:
    """One way to decide: a model at its rule, or its best cases down to a depth.

    With a scenario the rule is that of the scenario's matrix, priors and costs; the money is still
    counted by the document's own.
    """

    model: str
    depth: float | None = None  # None: every case gets its own decision
    scenario: str | None = None  # name of a scenario of the document; None: as the project has it


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapGroup:
    """Some of the cases, prior-weighted. Money is profit, realised."""

    name: str  # of GROUPS, or "all"
    cases: float
    class_cases: tuple[float, ...]
    event_rate: Estimate  # share of the first class
    first: float  # what the first way brings here
    second: float
    difference: Estimate  # first less second, case by case


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapSet:
    """What the tab Swap set shows. ``moves[a][b]``: cases from decision a to decision b."""

    rows: RowsNote
    first: str  # "gbm 2 at its rule"
    second: str
    first_depth: float  # share acted on
    second_depth: float
    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    groups: tuple[SwapGroup, ...]  # in the order of GROUPS
    everyone: SwapGroup
    difference: PairedDifference
    moves: tuple[tuple[float, ...], ...]  # empty where a way is a depth
    judged_by: str  # whose matrix the money is counted in
    holds_fixed: str
    models: tuple[str, str] = ("", "")  # whose scores the two ways go by

    def group(self, name: str) -> SwapGroup:
        """A group by its name."""
        return next(entry for entry in (*self.groups, self.everyone) if entry.name == name)
