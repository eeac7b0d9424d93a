"""``payoff.calibration_curve``: what happened against what was predicted, smoothed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from core.data import column_as_float, encode_levels, place_of, printed
from core.data.roles.guessing import guess_event
from core.data.table import LoadedTable
from core.script.session import ScriptData, data_of
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.smooth_calibration import Band, Family, calibration_curve
from payoff.specs import LossDistribution
from payoff.types import BoolArray, FloatArray
from payoff.vocabulary import TargetDomain

_FAMILIES = {
    TargetDomain.BINARY: Family.BERNOULLI,
    TargetDomain.CLASSES: Family.BERNOULLI,
    TargetDomain.COUNTS: Family.POISSON,
    TargetDomain.REAL: Family.GAUSSIAN,
    TargetDomain.POSITIVE: Family.GAUSSIAN,
}


def calibration(
    data: ScriptData,
    *,
    outcome: str,
    predicted: str,
    weight: str | None = None,
    family: str = "bernoulli",
    event: Any = None,
    degrees: int = 6,
    points: int = 200,
    band: str = "link",
) -> pd.DataFrame:
    """Smooth the outcome over a prediction by a natural spline, as R gbm's ``calibrate.plot``.

    Parameters
    ----------
    data : path, DataFrame, Arrow table or mapping
    outcome, predicted : str
        Columns of what happened and of the prediction, on the same scale.
    weight : str, optional
    family : str
        "bernoulli" (the outcome has two levels), "poisson" or "gaussian".
    event : level, optional
        The level that ``predicted`` is the chance of; left out: the one that looks like an event.
    degrees : int
        Degrees of freedom of the spline.
    points : int
    band : str
        "link": 95 %, made on the link scale; "gbm": two standard errors on the outcome's scale.

    Returns
    -------
    DataFrame
        ``predicted``, ``observed``, ``low``, ``high``: on the diagonal predictions come true.

    Raises
    ------
    PayoffError
        Naming column and row.
    """
    table = data_of(data)
    values = _known(table, predicted, "prediction")
    level = None
    if family == Family.BERNOULLI:
        level = _event_of(table, outcome, event)
    happened = column_outcome(table, outcome, level)
    mass = None if weight is None else _known(table, weight, "weight")
    return smooth_frame(
        values, happened, mass, family=family, degrees=degrees, points=points, band=band
    )


def smooth_frame(
    predicted: FloatArray,
    outcome: FloatArray,
    weight: FloatArray | None,
    *,
    family: str,
    degrees: int,
    points: int,
    band: str,
) -> pd.DataFrame:
    """The curve as a DataFrame."""
    for kind, word in ((Family, family), (Band, band)):
        if word not in list(kind):
            known = ", ".join(kind)
            raise PayoffError(f"There is no {kind.__name__.lower()} '{word}'.", why=known)
    found = calibration_curve(
        predicted,
        outcome,
        weight,
        family=Family(family),
        degrees=degrees,
        points=points,
        band=Band(band),
    )
    names = ("predicted", "observed", "low", "high")
    return pd.DataFrame({name: getattr(found, name) for name in names})


def column_outcome(table: LoadedTable, name: str, level: str | None) -> FloatArray:
    """The outcome as numbers; with a level 1 where it is that, else 0."""
    if level is None:
        return _known(table, name, "outcome")
    codes, levels = encode_levels(table, name)
    _refuse(table, name, "outcome", codes < 0)
    is_event = np.asarray(codes == (levels.index(level) if level in levels else -1))
    return is_event.astype(np.float64)


def family_of(distribution: LossDistribution) -> Family:
    """The family of the outcome that a distribution is fitted to."""
    if distribution.target not in _FAMILIES:
        raise PayoffError(
            f"There is no calibration curve for {distribution.label}.",
            why="Its scores rank cases; they predict no outcome.",
        )
    return _FAMILIES[distribution.target]


def _event_of(table: LoadedTable, name: str, event: Any) -> str:
    codes, levels = encode_levels(table, name)
    if len(levels) != 2:
        raise PayoffError(
            f"The outcome '{name}' has {counted(len(levels), 'level')}.",
            where=table.path,
            why="A chance is compared with one of two.",
        )
    if event is None:
        return guess_event({level: int((codes == i).sum()) for i, level in enumerate(levels)})[0]
    if printed(event) not in levels:
        raise PayoffError(f"There is no level '{event}' of '{name}'.", why=", ".join(levels))
    return printed(event)


def _known(table: LoadedTable, name: str, role: str) -> FloatArray:
    values = column_as_float(table, name, role=role)
    _refuse(table, name, role, np.isnan(values))
    return values


def _refuse(table: LoadedTable, name: str, role: str, missing: BoolArray) -> None:
    if missing.any():
        raise PayoffError(
            f"The {role} '{name}' is missing in {counted(int(missing.sum()), 'row')}.",
            where=place_of(table, int(np.argmax(missing)), name),
            remedy="Leave these rows out.",
        )
