"""A rule on new cases: how like the evaluated ones they are, and what a list of a size brings."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ListResult:
    """What a list of so many cases like the evaluated ones is expected to bring.

    Intervals hold both what is not known of the population and the luck of the list itself.
    ``total`` is in the sense of profit, like all amounts of results.
    """

    cases: int
    counts: tuple[tuple[str, Estimate], ...]
    total: Estimate
    rule: str
    source: str  # the rows it is scaled from, in words
    warnings: tuple[str, ...] = ()
