"""``payoff.calibration_curve`` and ``payoff.calibrate``.

``payoff.calibration_curve``: what happened against what was predicted, smoothed.

``payoff.calibrate``: chances of the event from a score, cross-fitted, for scripts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core.assembly.scores import posteriors_of
from core.data import column_as_float, count_levels, encode_levels, place_of, printed
from core.data.table import LoadedTable
from core.decisions.calibration import probability_by
from core.document.data.events import guess_event
from core.document.data.model import RowUse
from core.document.decisions.words import METHOD_WORDS
from core.document.made import former_name
from core.document.model import CalibrationMethod, CalibrationSpec, Role, RoleAssignment
from core.document.studies.compare import CalibrationResult
from core.engine.context import JobContext
from core.questions.compare import FitCalibration
from core.script.session import (
    REFUSE,
    ScriptData,
    data_of,
    document_of,
    engine,
    loaded_table,
    target_of,
)
from payoff import smooth_calibration
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.smooth_calibration import Band, Family
from payoff.specs import LossDistribution
from payoff.types import BoolArray, FloatArray
from payoff.vocabulary import TargetDomain

__all__ = [
    "CalibratedScores",
    "calibrate",
    "rank_role",
]


_FAMILIES = {
    TargetDomain.BINARY: Family.BERNOULLI,
    TargetDomain.CLASSES: Family.BERNOULLI,
    TargetDomain.COUNTS: Family.POISSON,
    TargetDomain.REAL: Family.GAUSSIAN,
    TargetDomain.POSITIVE: Family.GAUSSIAN,
}


def calibration_curve(
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
    found = smooth_calibration.calibration_curve(
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
        return guess_event(count_levels(codes, levels))[0]
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


DIRECTIONS = ("more", "less")
_MODEL = "score"


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibratedScores:
    """What ``payoff.calibrate`` returns.

    Attributes
    ----------
    probability : (n,) float64
        Of each row of the data, in their order: rows with a known outcome have theirs from folds
        that do not contain them, others from the map of all; NaN without a score.
    spec : CalibrationSpec
        Method, direction, folds, seed and the fitted map.
    result : CalibrationResult
        What every way would have given.
    """

    probability: FloatArray
    spec: CalibrationSpec
    result: CalibrationResult

    chance = former_name("probability")

    @property
    def method(self) -> str:
        """ "logistic", "isotonic" or "bands"."""
        return self.spec.method.value

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to look at before the chances are used."""
        return self.result.warnings

    @property
    def comparison(self) -> pd.DataFrame:
        """Brier score and log loss of every way, cross-fitted, with 95 % intervals."""
        rows = {}
        for option in self.result.options:
            if option.spec is None:
                continue
            rows[METHOD_WORDS[option.spec.method]] = {
                f"{name}{end}": getattr(getattr(option, name), part)
                for name in ("brier", "log_loss")
                for end, part in (("", "value"), ("_low", "low"), ("_high", "high"))
            }
        return pd.DataFrame(rows).T

    def apply(self, scores: Any) -> FloatArray:
        """Chances (m,) of new cases by the map that all rows made."""
        values = np.asarray(scores, dtype=np.float64)
        return probability_by(self.spec.maps[0], self.spec.method, values)


def calibrate(
    data: ScriptData,
    *,
    outcome: str,
    score: str,
    higher: str = "more",
    method: str | None = None,
    event: Any = None,
    weight: str | None = None,
    rows: str | None = None,
    folds: int = 5,
    bands: int = 10,
    seed: int = 20261,
    missing_outcomes: str = REFUSE,
) -> CalibratedScores:
    """Turn a score in points (any real number) into chances of the event, cross-fitted.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    outcome : str
        Column with two levels.
    score : str
    higher : {"more", "less"}
        Whether a higher score makes the event more or less likely.
    method : {"logistic", "isotonic", "bands"}, optional
        Left out = the one with the smallest cross-fitted log loss.
    event : level, optional
        Left out = the one that looks like an event.
    weight : str, optional
        Column of case weights.
    rows : str, optional
        Only rows for which this condition is true: 'age >= 30 and region = "N"'.
    folds, bands, seed : int
    missing_outcomes : {"refuse", "leave_out"}
        What to do where rows have no outcome: say how many and which, or judge without them.

    Raises
    ------
    PayoffError
        For an unknown method or direction, one class only, or more folds than the rarer class has
        cases.
    """
    if higher not in DIRECTIONS:
        raise PayoffError(f"higher={higher!r} is not known.", why="There are: more, less.")
    known = tuple(entry.value for entry in CalibrationMethod)
    if method is not None and method not in known:
        raise no_such("method", method, known)
    table = loaded_table(data)
    target = target_of(table, outcome, "binary", None if event is None else printed(event))
    if len(target.levels) != 2:
        raise PayoffError(
            f"The outcome '{outcome}' has {counted(len(target.levels), 'class', 'classes')}.",
            why="One score gives the chance of one class against one other.",
        )
    role = RoleAssignment(
        column=score, role=Role.SCORE, model=_MODEL, level=None, is_reversed=higher == "less"
    )
    document = document_of(
        table, target, (role,), weight=weight, rows=rows, missing_outcomes=missing_outcomes
    )
    context = JobContext(engine().workbench)
    requested = FitCalibration(model=_MODEL, folds=folds, seed=seed, bands=bands, rows=RowUse.ALL)
    result = engine().ask(document, requested)
    options = {entry.spec.method: entry.spec for entry in result.options if entry.spec}
    best = result.options[result.best].spec
    chosen = options[CalibrationMethod(method)] if method is not None else best
    assert chosen is not None  # a score in points has no chances as they stand
    models = tuple(replace(entry, calibration=chosen) for entry in document.models)
    probabilities = posteriors_of(table, replace(document, models=models), _MODEL, context)
    return CalibratedScores(probability=probabilities[0], spec=chosen, result=result)


def rank_role(model: str, column: str, higher: str) -> RoleAssignment:
    """The role of a score in points that is only to rank cases."""
    if higher not in DIRECTIONS:
        raise PayoffError(
            f"The direction {higher!r} of '{model}' is not known.", why="There are: more, less."
        )
    return RoleAssignment(column=column, role=Role.SCORE, model=model, is_reversed=higher == "less")
