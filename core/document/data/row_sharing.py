"""What is done with evaluated rows whose id a training row has too."""

from __future__ import annotations

from enum import StrEnum


class SharedIds(StrEnum):
    """Rows of an evaluation that share their id with a row of training.

    They flatter what was trained: nothing is evaluated until someone says what to do with them.
    """

    REFUSE = "refuse"
    LEAVE_OUT = "leave_out"
    COUNT = "count"
