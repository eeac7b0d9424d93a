"""``payoff.fit_chances``: chances of the event from a score, cross-fitted, for scripts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core.assembly.scores import posteriors_of
from core.data import printed
from core.decisions.calibration import chance_by
from core.document.data.model import RowUse
from core.document.decisions.words import METHOD_WORDS
from core.document.model import ChanceMethod, ChancesSpec, Role, RoleAssignment
from core.document.studies.compare import ChancesResult
from core.engine.context import JobContext
from core.questions.compare import FitChances
from core.script.session import REFUSE, ScriptData, document_of, engine, loaded_table, target_of
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray

DIRECTIONS = ("more", "less")
_MODEL = "score"


@dataclass(frozen=True, kw_only=True, eq=False)
class Chances:
    """What ``payoff.fit_chances`` returns.

    Attributes
    ----------
    chance : (n,) float64
        Of each row of the data, in their order: rows with a known outcome have theirs from folds
        that do not contain them, others from the map of all; NaN without a score.
    spec : ChancesSpec
        Method, direction, folds, seed and the fitted map.
    result : ChancesResult
        What every way would have given.
    """

    chance: FloatArray
    spec: ChancesSpec
    result: ChancesResult

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
        return chance_by(self.spec.maps[0], self.spec.method, values)


def fit_chances(
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
) -> Chances:
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
    known = tuple(entry.value for entry in ChanceMethod)
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
    asked = FitChances(model=_MODEL, folds=folds, seed=seed, bands=bands, rows=RowUse.ALL)
    result = engine().ask(document, asked)
    options = {entry.spec.method: entry.spec for entry in result.options if entry.spec}
    best = result.options[result.best].spec
    chosen = options[ChanceMethod(method)] if method is not None else best
    assert chosen is not None  # a score in points has no chances as they stand
    models = tuple(replace(entry, chances=chosen) for entry in document.models)
    chances = posteriors_of(table, replace(document, models=models), _MODEL, context)
    return Chances(chance=chances[0], spec=chosen, result=result)


def rank_role(model: str, column: str, higher: str) -> RoleAssignment:
    """The role of a score in points that is only to rank cases."""
    if higher not in DIRECTIONS:
        raise PayoffError(
            f"The direction {higher!r} of '{model}' is not known.", why="There are: more, less."
        )
    return RoleAssignment(column=column, role=Role.SCORE, model=model, is_reversed=higher == "less")


__all__ = ["Chances", "fit_chances", "rank_role"]
