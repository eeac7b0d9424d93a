"""Cells that cannot be meant so: refused with their place, or left as marks on their cases."""

from __future__ import annotations

from enum import StrEnum


class BadValues(StrEnum):
    """What is done with chances outside 0 to 1, weights below 0 or missing, unknown outcomes.

    ``REFUSE``: nothing is computed, and the first is named; so the window begins. ``MARK``: their
    cases are marked and count in no total, with a warning that says how many; so ``payoff.decide``
    reads its columns. Columns that are mostly so are refused all the same: they hold no chances.
    ``REFUSE_GAPS``: as ``REFUSE``, and of an experiment also what the window leaves out and says
    so: a case without a score, a ranking that cannot be read, chances of treatment that cannot be
    estimated; so ``payoff.uplift`` reads its columns.
    """

    REFUSE = "refuse"
    MARK = "mark"
    REFUSE_GAPS = "refuse_gaps"
