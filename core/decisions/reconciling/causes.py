"""Why decisions of another program differ from ours: one reason, or several that hold together.

The rule is worked out again with one thing changed. Where no change explains every row, the one
that leaves the fewest differences is kept and others are tried on top of it; where none helps
alone, pairs are tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.decisions.reconciling.hypotheses import Attempt, Carried, Setup, Try, tries
from core.document.studies.reconciling import Cause
from payoff.types import BoolArray, FloatArray

MOST_CAUSES = 3
UNKNOWN = -1  # a decision that the matrix does not have
LESS = 0.9  # a reason counts when it leaves at most this share of the differences
PAIR_ROWS = 4_000  # rows on which pairs of reasons are tried


def differences(ours: Attempt, carried: Carried, tolerance: float) -> dict[str, BoolArray]:
    """Letter -> rows that differ; amounts that we cannot know are not compared."""
    found: dict[str, BoolArray] = {}
    if carried.names:
        found["D"] = ours.codes != carried.codes
    for letter, theirs in carried.amounts.items():
        own = ours.amounts.get(letter)
        if own is None:
            own = np.zeros(theirs.shape[0]) if letter == "IC" else np.full(theirs.shape[0], np.nan)
        if letter in ("CP", "BP", "ROI") and not np.isfinite(own).any():
            continue
        found[letter] = _is_apart(own, theirs, tolerance)
    return found


def _is_apart(own: FloatArray, theirs: FloatArray, tolerance: float) -> BoolArray:
    """Missing on both sides is equal, and so is the same infinity."""
    with np.errstate(invalid="ignore"):
        gap = np.abs(own - theirs) > tolerance * np.maximum(1.0, np.abs(own))
    is_one_missing = np.isnan(own) != np.isnan(theirs)
    is_endless = np.isinf(own) | np.isinf(theirs)
    return np.asarray(np.where(is_endless, own != theirs, gap | is_one_missing))


def any_row(is_off: Mapping[str, BoolArray]) -> BoolArray:
    """Rows in which at least one column is off."""
    return np.asarray(np.any(np.stack(list(is_off.values())), axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A try and how many rows differ if it holds."""

    attempt: Try
    left: int

    @property
    def cause(self) -> Cause:
        """The try as page and report word it: what differs, what to do, how many rows it leaves."""
        return Cause(text=self.attempt.text, remedy=self.attempt.remedy, left=self.left)


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Looks for what explains the differences of a file."""

    carried: Carried
    tolerance: float

    def causes(self, start: Setup, anywhere: BoolArray) -> tuple[Cause, ...]:
        """Alternatives that explain every row; else reasons that hold together, in order.

        Each of the latter but the first has ``is_further``, and its ``left`` counts what differs
        with those before it.
        """
        singles = self._tried(start, frozenset())
        whole = [entry.cause for entry in singles if entry.left == 0]
        if whole:
            return tuple(whole[:MOST_CAUSES])
        names = self._names(start, anywhere)
        chain = self._chain(start, singles, int(anywhere.sum()))
        if (chain and chain[-1].left > 0) or not chain:
            chain = self._pair(start, chain)
        causes = [entry.cause for entry in chain]
        causes = [replace(each, is_further=place > 0) for place, each in enumerate(causes)]
        if names and (not causes or names[0].left < causes[-1].left):
            return (*names, *causes)[:MOST_CAUSES]
        return (*causes, *names)[:MOST_CAUSES]

    def _tried(self, start: Setup, done: frozenset[str]) -> list[_Found]:
        """Every reason of another kind on top of a setup, fewest differences first."""
        found = [
            _Found(attempt, self._left(attempt.setup))
            for attempt in tries(start, self.carried)
            if attempt.kind not in done
        ]
        return sorted(found, key=lambda entry: entry.left)

    def _left(self, setup: Setup) -> int:
        return int(any_row(differences(setup.work(), self.carried, self.tolerance)).sum())

    def _chain(self, start: Setup, singles: list[_Found], now: int) -> list[_Found]:
        """The best reason, the best on top of it, and so on while each leaves fewer."""
        chain: list[_Found] = []
        ahead = singles
        while ahead and len(chain) < MOST_CAUSES and ahead[0].left <= LESS * now:
            chain.append(ahead[0])
            now = ahead[0].left
            if now == 0:
                break
            done = frozenset(entry.attempt.kind for entry in chain)
            ahead = self._tried(chain[-1].attempt.setup, done)
        return chain

    def _pair(self, start: Setup, chain: list[_Found]) -> list[_Found]:
        """Two reasons that explain more together than the chain; tried on some of the rows."""
        problem = start.problem
        rows = start.model.posteriors.shape[1]
        if problem.is_interval or start.model.leaf is not None:
            return chain
        some, part = start, self
        if rows > PAIR_ROWS:
            chosen = np.linspace(0, rows - 1, PAIR_ROWS).astype(np.int64)
            some = start.of_rows(chosen)
            part = Search(_carried_rows(self.carried, chosen), self.tolerance)
        best: tuple[int, Try, Try] | None = None
        for first in tries(some, part.carried):
            for second in part._tried(first.setup, frozenset({first.kind}))[:1]:
                if best is None or second.left < best[0]:
                    best = (second.left, first, second.attempt)
        if best is None:
            return chain
        pair = self._on_all_rows(start, best[1], best[2])
        so_far = chain[-1].left if chain else rows
        return pair if pair and pair[-1].left <= LESS * so_far else chain

    def _on_all_rows(self, start: Setup, first: Try, second: Try) -> list[_Found]:
        """A pair found on some rows, worked out on all of them."""
        for one in tries(start, self.carried):
            if one.text != first.text:
                continue
            for other in tries(one.setup, self.carried):
                if other.text == second.text:
                    return [_Found(each, self._left(each.setup)) for each in (one, other)]
        return []

    def _names(self, start: Setup, anywhere: BoolArray) -> list[Cause]:
        """Decisions of the file that the matrix does not have."""
        codes = self.carried.codes
        if not self.carried.names or not (codes == UNKNOWN).any():
            return []
        strange = np.flatnonzero(codes == UNKNOWN)[:1000]
        names = sorted({self.carried.names[row] for row in strange.tolist()})
        shown = ", ".join(f"“{name}”" for name in names[:5])
        return [
            Cause(
                text=f"The file has decisions that the matrix does not have: {shown}.",
                remedy=f"The matrix has {', '.join(start.problem.decisions)}. Rename them.",
                left=int((anywhere & (codes != UNKNOWN)).sum()),
            )
        ]


def _carried_rows(carried: Carried, rows: np.ndarray) -> Carried:
    return replace(
        carried,
        names=tuple(carried.names[row] for row in rows.tolist()) if carried.names else (),
        codes=carried.codes[rows],
        amounts={letter: values[rows] for letter, values in carried.amounts.items()},
    )
