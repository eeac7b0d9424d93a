"""Survival times seen at one horizon: who had the event by then, and what each case stands for."""

from __future__ import annotations

import numpy as np

from core.evaluation.charts_survival import Followed, kaplan_meier
from payoff.errors import PayoffError
from payoff.types import FloatArray


def at_horizon(cases: Followed, horizon: float) -> tuple[FloatArray, FloatArray]:
    """Whether each case had the event by a horizon, and its weight, (n,) each.

    1: by then; 0: followed beyond it without; NaN: censored before, so nobody knows. The others
    make up for the unknown ones: an event counts 1 / chance of not being censored just before it, a
    case followed beyond 1 / that chance at the horizon (Kaplan-Meier of censoring). The weighted
    share of events is then 1 less the Kaplan-Meier curve at the horizon. An unknown case weighs 0.

    Raises
    ------
    PayoffError
        If nobody had the event by then, nobody was followed beyond, or cases entered late.
    """
    if (cases.entry > 0.0).any():
        raise PayoffError(
            "A horizon needs cases that were watched from time 0.",
            where="entry",
            why="Those that entered late cannot stand for those lost before.",
            remedy="Leave late entries out by a row filter on page Data.",
        )
    had = cases.event & (cases.time <= horizon)
    beyond = cases.time > horizon
    if not had.any() or not beyond.any():
        last = float(cases.time.max())
        raise PayoffError(
            f"Nothing is decided at {horizon:g}.",
            why="No case had the event by then."
            if not had.any()
            else f"No case was followed beyond it: the longest time is {last:g}.",
            remedy="Choose a time between the first event and the end.",
        )
    censoring = kaplan_meier(cases, of_censoring=True)
    outcome = np.where(had, 1.0, np.where(beyond, 0.0, np.nan))
    seen = np.where(
        had,
        censoring.at(cases.time, is_before=True)[0],
        censoring.at(np.full(len(cases.time), horizon))[0],
    )
    known = np.isfinite(outcome) & (seen > 0.0)
    weight = np.divide(cases.weight, seen, out=np.zeros(len(seen)), where=known)
    return outcome, weight
