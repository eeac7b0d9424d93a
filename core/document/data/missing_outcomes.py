"""Rows whose outcome is not known: no number leaves them out before someone says so."""

from __future__ import annotations

from enum import StrEnum

from payoff.errors import PayoffError


class MissingOutcomes(StrEnum):
    """What is done with rows that should have an outcome and have none.

    ``ASK``: nothing is computed until that is said; so the window and the script functions begin.
    ``LEAVE_OUT``: they are left out and counted beside every number. Rows to decide have no outcome
    by nature and are not meant.
    """

    ASK = "ask"
    LEAVE_OUT = "leave_out"


class MissingOutcomesError(PayoffError):
    """Rows without an outcome, and nobody has said whether they may be left out."""
