"""``payoff.uplift``: what treating brings, for scripts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np

from core.assembly.uplift.data import (
    Arms,
    column_values,
    covariate_matrix,
    cross_fitted_treatment,
    foretold_by,
    guard_columns,
    read_arms,
    read_outcome,
)
from core.data import LoadedTable, column_as_float, place_of, printed
from core.data.outcome_gaps import refuse_missing_outcomes
from core.document.data.missing_outcomes import MissingOutcomes
from core.document.uplift.model import looks_after_treatment, looks_like_exposure
from core.engine.context import JobContext
from core.script.requests import called_with_fields_of
from core.script.session import REFUSE, ScriptData, engine, missing_outcomes_of, table_of
from core.script.uplift.result import NU_CHOICES, Uplift, UsedRows
from core.uplift.experiment import (
    Experiment,
    checked_propensity,
    make_experiment,
    narrow_intervals,
)
from core.uplift.guard import Validity, check_validity
from core.uplift.ranking import UpliftRanking
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class UpliftRequest:
    """The arguments of ``payoff.uplift``, where each is explained."""

    data: ScriptData
    _: KW_ONLY
    outcome: str
    treatment: str
    scores: str | Sequence[str] | Mapping[str, str]
    propensity: str | None = None
    weight: str | None = None
    nu: float | str = 0.0
    true_effect: str | None = None
    covariates: Sequence[str] | None = None
    treated: Any = None
    control: Any = None
    event: Any = None
    clip: float | None = None
    planned_share: float | None = None
    drawn_by_lot: bool | None = None
    seed: int = 20261
    missing_outcomes: str = REFUSE

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that may have decided the treatment."""
        return tuple(self.covariates or ())

    @property
    def score_columns(self) -> dict[str, str]:
        """The column of each score, by the name it goes by."""
        if isinstance(self.scores, str):
            return {self.scores: self.scores}
        if isinstance(self.scores, Mapping):
            named = {str(name): str(column) for name, column in self.scores.items()}
        else:
            named = {str(column): str(column) for column in self.scores}
        if not named:
            raise PayoffError("No score column is named.", remedy="Give scores='column'.")
        return named

    def check_nu(self) -> None:
        """Refuse a baseline that is neither a number nor one of the known words."""
        if isinstance(self.nu, str):
            if self.nu not in NU_CHOICES:
                raise no_such("baseline", self.nu, NU_CHOICES, listed="A number, or")
        elif not math.isfinite(self.nu):
            raise PayoffError("The baseline nu must be a finite number.")


@called_with_fields_of(UpliftRequest)
def uplift(request: UpliftRequest) -> Uplift:
    """Judge rankings by predicted uplift on an experiment.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    outcome : str
        0/1, any number, or two levels.
    treatment : str
        Column of the arm as assigned.
    scores : str, list of str or {name: column}
        Predicted uplift, or anything that ranks: higher = treat first.
    propensity : str, optional
        Column of the chance of being treated, or "estimate": boosted trees on ``covariates``,
        cross-fitted. Left out = the share of the treated, whose estimation errors include.
    weight : str, optional
        Case weights; weight 2 = the row twice. With fractions they are sampling weights: rows are
        the cases that were seen.
    nu : float, "optimal", "area" or "pointwise"
        Baseline of V_nu.
    true_effect : str, optional
        Column of the true effect, where it is known.
    covariates : list of str, optional
        Columns known before the treatment: the guard looks whether they tell the arms apart.
    treated, control : level, optional
        The arms compared; needed where they cannot be told by their names, or there are more.
    event : level, optional
        Of an outcome of levels, the one that counts.
    clip : float, optional
        Keep propensities this far from 0 and 1.
    planned_share : float, optional
        Share of the treated as planned, for the sample-ratio test.
    drawn_by_lot : bool, optional
        What is known of the assignment.
    seed : int
        Of cross-fitting and of the guard's sample of rows.
    missing_outcomes : {"refuse", "leave_out"}
        What to do where rows have no outcome: say how many and which, or judge without them.

    Returns
    -------
    Uplift

    Raises
    ------
    PayoffError
        Naming column, row and value.
    """
    request.check_nu()
    arms, notes, source, made = _opened(table_of(request.data), request)
    made = made.with_propensity(_propensities(source, request, made))
    kept = {name: source.numbers(c, "score") for name, c in request.score_columns.items()}
    effect = request.true_effect
    return Uplift(
        made,
        kept,
        nu=request.nu,
        guard=source.guard(made, kept, request.planned_share, request.drawn_by_lot),
        used=UsedRows(source.rows, source.table.rows),
        arms=arms,
        notes=notes + _leaks(request.columns, request.treatment),
        true_effect=None if effect is None else source.numbers(effect, "effect"),
        covariates=source.covariates(),
    )


def _level(given: Any) -> str:
    """A level in its printed form, or an empty text."""
    return "" if given is None else printed(given)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Source:
    """The rows used, and the columns that may have decided the treatment."""

    table: LoadedTable
    rows: IntArray
    columns: tuple[str, ...]
    seed: int

    def numbers(self, name: str, role: str) -> FloatArray:
        """A column of the rows used; refused where a value is missing or infinite."""
        values = column_as_float(self.table, name, role=role)[self.rows]
        missing = ~np.isfinite(values)
        if missing.any():
            row = int(self.rows[int(np.argmax(missing))])
            raise PayoffError(
                f"The {role} column '{name}' is missing or infinite in {missing.sum():,} rows.",
                where=place_of(self.table, row, name),
                remedy="Fill it in, or leave these rows out.",
            )
        return np.ascontiguousarray(values)

    def covariates(self) -> FloatArray | None:
        """The columns as numbers; None where there are none."""
        return covariate_matrix(self.table, self.columns, self.rows) if self.columns else None

    def fitted(self, experiment: Experiment, rows: IntArray) -> FloatArray | None:
        """Cross-fitted chances of treatment of some rows; None where there is nothing to learn."""
        return cross_fitted_treatment(
            self.table,
            self.columns,
            rows,
            experiment.treated,
            JobContext(engine().workbench),
            weight=experiment.weight if len(experiment.weight) else None,
            seed=self.seed,
        )

    def guard(
        self,
        experiment: Experiment,
        scores: Mapping[str, FloatArray],
        planned_share: float | None,
        drawn_by_lot: bool | None,
    ) -> Validity:
        """Every check, on the rankings at the share of the treated."""
        base = experiment.with_propensity(None).at_effective_size()
        return check_validity(
            experiment.at_effective_size(),
            {name: UpliftRanking(base, score) for name, score in scores.items()},
            columns={name: column_values(self.table, name, self.rows) for name in self.columns},
            foretold=foretold_by(self.table, self.columns, self.rows, experiment, self.seed),
            planned_share=planned_share,
            drawn_by_lot=drawn_by_lot,
        )


def _opened(
    table: LoadedTable, request: UpliftRequest
) -> tuple[Arms, tuple[str, ...], _Source, Experiment]:
    """Arms, what is left out, the rows used, and their experiment at the share of the treated."""
    may_leave_out = missing_outcomes_of(request.missing_outcomes) is MissingOutcomes.LEAVE_OUT
    arms = read_arms(table, request.treatment, _level(request.treated), _level(request.control))
    values, _ = read_outcome(table, request.outcome, _level(request.event))
    if not may_leave_out:
        without = (arms.code < 2) & np.isnan(values)
        refuse_missing_outcomes(table, request.outcome, without, page="Uplift")
    rows, notes = _rows_of(table, request.outcome, values, arms)
    for name in request.columns:
        table.require_column(name)
    columns = guard_columns(table, request.columns)[0]
    source = _Source(table=table, rows=rows, columns=columns, seed=request.seed)
    weight = None if request.weight is None else source.numbers(request.weight, "weight")
    made = make_experiment(values[rows], arms.code[rows] == 1, weight=weight, where=table.path)
    if weight is not None and not weight.all():  # a case of weight 0 is no case
        counts = np.flatnonzero(weight)
        notes += (f"{len(rows) - len(counts):,} rows of weight 0 are left out.",)
        source, made = replace(source, rows=rows[counts]), made.rows(counts)
    notes += narrow_intervals(made, request.weight or "")
    return arms, notes, source, made


def _rows_of(
    table: LoadedTable, outcome: str, values: FloatArray, arms: Arms
) -> tuple[IntArray, tuple[str, ...]]:
    in_arms = arms.code < 2
    infinite = in_arms & np.isinf(values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise PayoffError(
            f"The outcome '{outcome}' is not finite.", where=place_of(table, row, outcome)
        )
    missing = in_arms & np.isnan(values)
    notes: tuple[str, ...] = ()
    if missing.any():
        notes += (f"{int(missing.sum()):,} rows without '{outcome}' are left out.",)
    if not in_arms.all():
        notes += (f"{int((~in_arms).sum()):,} rows of other arms are left out.",)
    return np.flatnonzero(in_arms & ~missing), notes


def _leaks(columns: tuple[str, ...], treatment: str) -> tuple[str, ...]:
    notes = []
    after = [name for name in columns if looks_after_treatment(name)]
    if after:
        notes.append(
            f"{', '.join(repr(name) for name in after)} looks measured after the treatment: what "
            "the treatment changed must not explain it. It is left out of the guard and of "
            "estimated propensities."
        )
    if looks_like_exposure(treatment):
        notes.append(
            f"'{treatment}' looks like something cases did, not what they were assigned to. "
            "Compare arms as assigned: those who open or click differ to begin with."
        )
    return tuple(notes)


def _propensities(
    source: _Source,
    request: UpliftRequest,
    experiment: Experiment,
) -> FloatArray | None:
    """Given or estimated chances of treatment; clipped only where asked."""
    propensity, clip = request.propensity, request.clip
    if propensity is None:
        return None
    table, rows = source.table, source.rows
    if propensity == "estimate" and "estimate" not in table.kinds:
        found = source.fitted(experiment, rows)
        if found is None:
            raise PayoffError(
                "Chances of treatment cannot be estimated.",
                why="No usable covariate is named, or an arm has too few cases.",
                remedy="Give covariates=[...], or a column of propensities.",
            )
        found = np.clip(found, 0.01, 0.99)
    else:
        found = column_as_float(table, propensity, role="propensity")[rows]
    if clip is not None:
        if not 0 < clip < 0.5:
            raise PayoffError("The threshold for clipping lies between 0 and 0.5.")
        inside = ~np.isnan(found) & (found >= 0) & (found <= 1)
        found = np.where(inside, np.clip(found, clip, 1 - clip), found)
    return checked_propensity(found, len(rows), f"{table.path}, column {propensity}")
