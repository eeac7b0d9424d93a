"""Chances of a model over a table: as they stand, by a map from its scores, or its ranks only."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.trained import trained_posteriors
from core.data import LoadedTable
from core.decisions.calibration import cross_fit, log_odds, probability_by
from core.document.model import CalibrationMethod, CalibrationSpec, Document, Role
from core.document.results import RowsNote
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray


def posteriors_of(
    table: LoadedTable, document: Document, model: str, context: AssemblyContext
) -> FloatArray:
    """Chances (levels, n) of a model: from its columns, its trees, or fitted to its scores.

    A score that only ranks cases gives its standing instead (``rank_position_of``), which orders
    cases as the score does; whoever needs chances asks ``Document.is_rank_only`` first.
    """
    settings = document.model(model)
    if settings is not None and settings.calibration is not None:
        return _fitted_posteriors(table, document, model, settings.calibration, context)
    if document.score_role(model) is not None:
        refuse_other_than_two(document, model)
        standing = rank_position_of(document, model, context).of(_upward(table, document, model))
        return np.ascontiguousarray(np.vstack([standing, 1.0 - standing]))
    return own_posteriors(table, document, model, context)


def probability_warnings(table: LoadedTable, document: Document, model: str) -> tuple[str, ...]:
    """What is to be said of chances that stand in a model's columns."""
    has_columns = bool(document.posterior_columns(model))
    return data.posterior_warnings(table, document, model) if has_columns else ()


def refuse_other_than_two(document: Document, model: str) -> None:
    """Refuse a score in points for any other number of classes than two."""
    levels = document.target.levels if document.target is not None else ()
    if len(levels) != 2:
        raise PayoffError(
            f"'{model}' is one score for {counted(len(levels), 'class', 'classes')}.",
            why="A score ranks cases by one class against one other.",
            remedy="Give the column another role, or name an outcome with two classes.",
        )


def own_posteriors(
    table: LoadedTable, document: Document, model: str, context: AssemblyContext
) -> FloatArray:
    """Chances (levels, n) as they stand in a model's columns, or as its trees say."""
    trained = document.trained_model(model)
    if trained is not None:
        return trained_posteriors(table, document, trained, context)
    return data.posteriors(table, document, model)


# ---------------------------------------------------------------- ranks only


@dataclass(frozen=True, slots=True, eq=False)
class RankPosition:
    """The share of a project's cases below a score: a number between 0 and 1 that only ranks.

    Attributes
    ----------
    values : (m,) float64
        Different scores of the project's data, rising in the direction of more likely.
    shares : (m,) float64
        Share of its cases below each, with half of those at it.
    sign : float
        -1 where a higher score in the file is less likely.
    """

    values: FloatArray
    shares: FloatArray
    sign: float

    def of(self, upward: FloatArray) -> FloatArray:
        """The standing of scores; beyond the project's own all stand alike."""
        return np.asarray(
            np.interp(upward, self.values, self.shares, left=0.0, right=1.0), dtype=np.float64
        )

    def score(self, standing: FloatArray) -> FloatArray:
        """The score in the file's own points at a standing."""
        points = np.interp(standing, self.shares, self.values)
        return np.asarray(self.sign * points, dtype=np.float64)


def rank_position_of(document: Document, model: str, context: AssemblyContext) -> RankPosition:
    """The standing of a model's scores among all cases of the project's data."""
    table = table_of(document, context)
    role = document.score_role(model)
    key = ("standing", table.identity, role)

    def make() -> tuple[RankPosition, int]:
        upward = _upward(table, document, model)
        upward = upward[~np.isnan(upward)]
        if not len(upward):
            raise PayoffError(f"'{model}' has no scores at all.", where=table.path)
        values, counts = np.unique(upward, return_counts=True)
        shares = (np.cumsum(counts) - 0.5 * counts) / len(upward)
        sign = -1.0 if role is not None and role.is_reversed else 1.0
        return RankPosition(values, np.asarray(shares, dtype=np.float64), sign), 16 * len(values)

    found: RankPosition = context.cache.get_or_make(key, make)
    return found


def _upward(table: LoadedTable, document: Document, model: str) -> FloatArray:
    """Scores (n,) in the direction of more likely."""
    points = data.scores(table, document, model)
    return -points if document.is_score_reversed(model) else points


# ---------------------------------------------------------------- fitted chances


@dataclass(frozen=True, slots=True, eq=False)
class FitCases:
    """The rows that chances are fitted to.

    Attributes
    ----------
    rows : (n,) int64
        Rows of the table, rising.
    note : RowsNote
    scores : (maps, n) float64
        What the maps read: of two classes the event's, else one row per class.
    codes : (n,) int32
        Outcomes.
    weight : (n,) float64
        Above 0.
    is_probability : bool
        The scores are chances (else points).
    """

    rows: IntArray
    note: RowsNote
    scores: FloatArray
    codes: CodeArray
    weight: FloatArray
    is_probability: bool


def fit_cases(
    table: LoadedTable,
    document: Document,
    model: str,
    spec: CalibrationSpec,
    context: AssemblyContext,
) -> FitCases:
    """Rows of ``spec.rows`` with an outcome, a weight and a score."""
    target = document.target
    if target is None or not target.levels:
        raise PayoffError(
            "Chances need an outcome with classes.", remedy="Name the target on page Data."
        )
    there = _as_it_was(document, spec)
    rows, note = data.usable_rows(table, there, spec.rows, (model,))
    codes = data.outcome_codes(table, target)[0][rows]
    scores, is_probability = _map_scores(table, document, model, context)
    scores = scores[:, rows]
    weight = np.ones(len(rows))
    if spec.weight is not None:
        weight = data.column_as_float(table, spec.weight, role="weight")[rows]
    kept = (codes >= 0) & (weight > 0) & ~np.isnan(scores).any(axis=0)
    return FitCases(
        rows=rows[kept],
        note=note
        if kept.all()
        else note.leaving_out((("without what a fit needs", int((~kept).sum())),)),
        scores=np.ascontiguousarray(scores[:, kept]),
        codes=codes[kept],
        weight=np.ascontiguousarray(weight[kept]),
        is_probability=is_probability,
    )


def _as_it_was(document: Document, spec: CalibrationSpec) -> Document:
    """The document with the rows and weights of the fit, whatever was changed since."""
    roles = tuple(
        replace(entry, role=Role.INPUT)
        if entry.role is Role.WEIGHT and entry.column != spec.weight
        else replace(entry, role=Role.WEIGHT)
        if entry.column == spec.weight
        else entry
        for entry in document.roles
    )
    return replace(document, roles=roles, split=spec.split or document.split)


def cross_fitted(cases: FitCases, spec: CalibrationSpec) -> tuple[FloatArray, CalibrationSpec]:
    """Chances (levels, n) of the rows of a fit by the other folds, and the spec with its maps."""
    probabilities, maps = [], []
    for code, score in enumerate(
        _readable(cases.scores, spec.method, is_probability=cases.is_probability)
    ):
        fitted = cross_fit(
            score,
            cases.codes == code,
            cases.weight,
            spec.method,
            folds=spec.folds,
            seed=spec.seed,
            bands=spec.bands,
            is_falling=spec.is_reversed,
        )
        probabilities.append(fitted.probability)
        maps.append(fitted.final)
    return _whole(np.array(probabilities)), replace(spec, maps=tuple(maps))


def _fitted_posteriors(
    table: LoadedTable,
    document: Document,
    model: str,
    spec: CalibrationSpec,
    context: AssemblyContext,
) -> FloatArray:
    """Chances (levels, n) by fitted maps; those of the rows of the fit by their other folds."""
    content = table.identity
    target = document.target
    assert target is not None
    roles = tuple(document.role_of(column) for column in spec.columns)
    key = ("fitted chances", content, target, roles, spec)

    def make() -> tuple[FloatArray, int]:
        scores, is_probability = _map_scores(table, document, model, context)
        read = _readable(scores, spec.method, is_probability=is_probability)
        each = [
            probability_by(fitted, spec.method, score)
            for fitted, score in zip(spec.maps, read, strict=True)
        ]
        probabilities = _whole(np.array(each))
        if table.rows_hash == spec.data_hash:
            context.check()
            cases = fit_cases(table, document, model, spec, context)
            if len(cases.rows) == spec.fitted_rows:
                probabilities[:, cases.rows] = cross_fitted(cases, spec)[0]
        return probabilities, probabilities.nbytes

    found: FloatArray = context.cache.get_or_make(key, make)
    return found


def _map_scores(
    table: LoadedTable, document: Document, model: str, context: AssemblyContext
) -> tuple[FloatArray, bool]:
    """What a model's maps read, (maps, n), and whether those are chances (else points)."""
    if document.score_role(model) is not None:
        return data.scores(table, document, model)[np.newaxis], False
    probabilities = own_posteriors(table, document, model, context)
    return (probabilities[:1] if len(probabilities) == 2 else probabilities), True


def _readable(scores: FloatArray, method: CalibrationMethod, *, is_probability: bool) -> FloatArray:
    """Scores as a way of fitting reads them: the logistic one takes the log odds of chances."""
    return log_odds(scores) if is_probability and method is CalibrationMethod.LOGISTIC else scores


def _whole(each: FloatArray) -> FloatArray:
    """Chances (levels, n) that sum to 1; a single row is the event's of two classes."""
    if len(each) == 1:
        return np.ascontiguousarray(np.vstack([each[0], 1.0 - each[0]]))
    sums = each.sum(axis=0)
    even = np.tile(np.where(np.isnan(sums), np.nan, 1.0 / len(each)), (len(each), 1))
    return np.ascontiguousarray(np.divide(each, sums, out=even, where=sums > 0))
