"""Survival times seen at one horizon: who had the event by then, and what each case stands for."""

from __future__ import annotations

import numpy as np

from payoff.errors import PayoffError
from payoff.follow_up import Followed, kaplan_meier, observed_probability
from payoff.types import BoolArray, FloatArray


def at_horizon(cases: Followed, horizon: float) -> tuple[FloatArray, FloatArray]:
    """Whether each case had the event by a horizon, and its weight, (n,) each.

    1: by then; 0: under observation at it and without; NaN: censored before or entered after, so
    nobody knows, or only those are there who lasted. The others make up for the unknown ones: an
    event counts 1 / chance of being under observation just before it, and those under observation
    at the horizon share what Kaplan and Meier's curve leaves. The weighted share of events is then
    1 less that curve at the horizon. Without late entry these are the inverse chances of not being
    censored. Entry and censoring must not depend on the risk. An unknown case weighs 0.

    Raises
    ------
    PayoffError
        If nobody had the event by then, nobody was followed beyond, or at an earlier time all that
        were under observation had the event.
    """
    had = cases.event & (cases.time <= horizon)
    beyond = (cases.time > horizon) & (cases.entry <= horizon)
    _refuse_undecided(cases, had, beyond, horizon)
    left = float(kaplan_meier(cases).at(np.array([horizon]))[0][0])
    if not left > 0.0:
        raise PayoffError(
            f"Chances at {horizon:g} cannot be judged.",
            why="At an earlier time everybody under observation had the event, though others "
            "entered later and lasted beyond.",
            remedy="Leave out the first times, when few had entered, by a row filter on page Data.",
        )
    seen = observed_probability(cases)
    weight = np.divide(cases.weight, seen, out=np.zeros(len(seen)), where=had & (seen > 0.0))
    weight[beyond] = cases.weight[beyond] * left * cases.weight.sum() / cases.weight[beyond].sum()
    return np.where(had, 1.0, np.where(beyond, 0.0, np.nan)), weight


def _refuse_undecided(cases: Followed, had: BoolArray, beyond: BoolArray, horizon: float) -> None:
    if had.any() and beyond.any():
        return
    last = float(cases.time.max())
    raise PayoffError(
        f"Nothing is decided at {horizon:g}.",
        why="No case had the event by then."
        if not had.any()
        else f"No case was followed beyond it: the longest time is {last:g}.",
        remedy="Choose a time between the first event and the end.",
    )
