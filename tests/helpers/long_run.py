"""Which cases of a long matrix the suite runs; the long run runs all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def richest(cases: Iterable[Any], *kept: Any) -> list[Any]:
    """The cases, those that are not kept for the long run only.

    Kept are those in which most comes together: what breaks a plain case breaks them too. Where
    none is richer than another a test is marked ``every_nth(n)`` instead.
    """
    listed = list(cases)
    assert set(kept) <= set(listed)
    return [case if case in kept else pytest.param(case, marks=pytest.mark.soak) for case in listed]
