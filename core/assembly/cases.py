"""From a document to arrays: the rows used, outcomes, chances, weights, matrix, costs and priors.

What costs time is kept in the engine's memory by the part of the document it depends on, so that
an edited cell, prior or cost finds everything else ready.

Evaluated rows whose id a training row has: refused, left out, or counted when that is said.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core import data
from core.assembly import weights
from core.assembly.bases import ReadBasis, read_basis
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.trained import (
    seen_warnings,
    trained_predictions,
    trained_spread,
    training_rows,
)
from core.assembly.scores import posteriors_of, probability_warnings
from core.data import LoadedTable
from core.data.levels import is_empty, refuse_missing_outcomes
from core.decisions import (
    ModelScores,
    PredictedQuantiles,
    check_old_priors,
    predicted_scores,
)
from core.document.data.column_meaning import unit_of_amount
from core.document.data.expressions import quoted
from core.document.data.model import BadValues, MissingOutcomes, RowUse, SharedIds
from core.document.decisions.matrix_model import DecisionBasis
from core.document.judging import is_risk_score
from core.document.model import (
    CalibrationSpec,
    Document,
    OldPriorKind,
    Role,
    TargetSpec,
    TrainedModel,
)
from core.document.results import RowsNote
from core.questions.needs import named_target, require_decidable, require_target
from payoff.counting import counted_of
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray, IntArray

REMEDY = (
    "Say on page Data, under 'Which rows count', whether such rows are left out or counted all "
    "the same; if the column names no single case (a household, a shop), give it the role cluster."
)


def without_shared_ids(
    table: LoadedTable, document: Document, rows: IntArray, note: RowsNote
) -> tuple[IntArray, RowsNote]:
    """The rows that an evaluation may use, and the note on them.

    Training rows are those that a column says are for training, and those that trained a model
    here. Validation and test rows are held against them; whoever asks for training rows, or for
    all, knows that they flatter.

    Raises
    ------
    PayoffError
        Where ids are shared and nobody said what to do: how many, and the first pair of rows.
    """
    column = document.column_of(Role.ID)
    is_apart = document.rows_used in (RowUse.VALIDATION, RowUse.TEST)
    if column is None or not is_apart or document.shared_ids is SharedIds.COUNT:
        return rows, note
    shared, partners = data.rows_sharing_ids(table, document, rows, _trained_on(table, document))
    if not len(shared):
        return rows, note
    if document.shared_ids is SharedIds.REFUSE:
        value = data.texts_at(table, column, shared[:1])[0]
        raise PayoffError(
            "Rows of the evaluation have the id of a training row.",
            where=f"{table.path}, column {column}, data rows {partners[0] + 1:,} and "
            f"{shared[0] + 1:,}, value '{value}'",
            why=f"{counted_of(len(shared), len(rows), 'row', verbs='does/do')}; they make "
            "what was trained look better "
            "than it is.",
            remedy=REMEDY,
        )
    kept = np.setdiff1d(rows, shared)
    if not len(kept):
        raise PayoffError(
            "Every row of the evaluation has the id of a training row.",
            where=f"{table.path}, column {column}",
            remedy="Choose other rows, or count these all the same.",
        )
    reason = (f"'{column}' stands in training rows too", len(shared))
    text = f"{note.text} ({len(shared):,} with the '{column}' of a training row left out)"
    return kept, replace(note, rows=len(kept), text=text, dropped=(*note.dropped, reason))


def _trained_on(table: LoadedTable, document: Document) -> IntArray:
    """Rows said to be for training, and those that trained a model here; rising."""
    found = [np.empty(0, dtype=np.int64)]
    split = replace(document.settled_split, where="")  # a filter takes no row out of a training
    if split.column is not None:
        uses = data.row_uses(table, replace(document, split=split))
        found.append(np.flatnonzero(uses == data.ROW_USE_CODES[RowUse.TRAIN]))
    for entry in document.models:
        if entry.trained is not None:
            found.append(training_rows(table, document, entry.trained))
    return np.unique(np.concatenate(found))


Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, kw_only=True, eq=False)
class Cases:
    """The rows used, as arrays.

    Attributes
    ----------
    count : int
        n.
    taken : (n,) int64 or None
        Row numbers in the table, from 0, rising; None = every row of it, once.
    note : RowsNote
    outcome : (n,) int32 or None
        Codes into the target's levels; -1 = not known. None for an interval target.
    target : (n,) float64 or None
        Values of an interval target.
    frequency : (n,) float64 or None
    posteriors : mapping of model to (levels, n) float64
        As they stand in the file.
    predictions : mapping of model to (n,) float64
    spreads : mapping of model to PredictedQuantiles
        Of those models that predict quantiles of a number; ``predictions`` has their means.
    bases : mapping of model to ReadBasis
        Of the models that name quantiles or leaves; those of ``spreads`` decide by them else.
    key : tuple
        What decided the rows: tells sets of cases apart in the engine's memory.
    warnings : tuple of str
    is_repeated : bool
        Rows stand in ``rows`` as often as their frequency says, and ``frequency`` is None.
    columns : mapping of column to (n,) float64
        Values that are tried in place of those of the table: amounts and costs follow them.
    """

    count: int
    taken: IntArray | None
    note: RowsNote
    outcome: CodeArray | None
    target: FloatArray | None
    frequency: FloatArray | None
    posteriors: Mapping[str, FloatArray]
    predictions: Mapping[str, FloatArray]
    key: Hashable
    spreads: Mapping[str, PredictedQuantiles] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    is_repeated: bool = False
    bases: Mapping[str, ReadBasis] = field(default_factory=dict)
    columns: Mapping[str, FloatArray] = field(default_factory=dict)

    @cached_property
    def rows(self) -> IntArray:
        """Row numbers in the table, (n,), from 0, rising."""
        return np.arange(self.count, dtype=np.int64) if self.taken is None else self.taken

    @property
    def size_bytes(self) -> int:
        """Memory of all arrays."""
        single = [self.taken, self.outcome, self.target, self.frequency]
        arrays = [*single, *self.posteriors.values(), *self.predictions.values()]
        arrays += [spread.values for spread in self.spreads.values()]
        size = sum(values.nbytes for values in arrays if values is not None)
        return size + sum(basis.size_bytes for basis in self.bases.values())

    def basis(self, model: str) -> ReadBasis | None:
        """What a model's decisions may be averaged over; None where there is nothing."""
        if model in self.bases or model not in self.spreads:
            return self.bases.get(model)
        return ReadBasis(is_used=True, quantiles=self.spreads[model])


def names_of_models(document: Document) -> tuple[str, ...]:
    """All models of a document, in its order."""
    return tuple(model.name for model in document.models)


def models_key(
    document: Document,
) -> tuple[tuple[str, TrainedModel | None, CalibrationSpec | None, DecisionBasis | None], ...]:
    """What tells the scores of two sets of models apart."""
    return tuple(
        (model.name, model.trained, model.calibration, model.basis) for model in document.models
    )


def predictions_of(
    table: LoadedTable, document: Document, model: str, context: AssemblyContext
) -> FloatArray:
    """Predictions (n,) of a model for an interval target; of a score beside an event its risk."""
    trained = document.trained_model(model)
    if trained is not None:
        return trained_predictions(table, document, trained, context)
    if is_risk_score(document, model):
        risk = data.scores(table, document, model)
        return -risk if document.is_score_reversed(model) else risk
    return data.predictions(table, document, model)


def _seen_by_models(
    table: LoadedTable, document: Document, models: tuple[str, ...], rows: IntArray
) -> tuple[str, ...]:
    """Warnings for rows that trained, or chose the size of, a trained model."""
    texts: list[str] = []
    for trained in map(document.trained_model, models):
        if trained is not None:
            texts += seen_warnings(table, document, trained, rows)
    return tuple(texts)


def judged_cases(document: Document, context: AssemblyContext) -> Cases:
    """The rows used, each with an outcome and scores that can be judged; no case is marked."""
    return cases_of(replace(document, bad_values=BadValues.REFUSE), context)


def cases_of(document: Document, context: AssemblyContext) -> Cases:
    """The rows used with everything read from them; from memory when it was read before.

    Of a document that marks cases of bad values every row is one: what does not count is marked.
    """
    require_target(document)
    table = table_of(document, context)
    key = (
        "cases",
        table.identity,
        document.target,
        document.roles,
        document.split,
        document.rows_used,
        document.shared_ids,
        document.missing_outcomes,
        document.bad_values,
        models_key(document),
    )

    def make() -> tuple[Cases, int]:
        cases = _read_cases(table, document, key, context)
        return cases, cases.size_bytes

    cases: Cases = context.cache.get_or_make(key, make)
    return cases


def outcome_of(
    table: LoadedTable, target: TargetSpec, context: AssemblyContext
) -> tuple[CodeArray, tuple[str, ...]]:
    """Codes (n,) of the outcome of all rows, and values that are none of its levels, in words."""

    def make() -> tuple[tuple[CodeArray, tuple[str, ...]], int]:
        codes, warnings = data.outcome_codes(table, target)
        return (codes, warnings), codes.nbytes

    key = ("outcome", table.identity, target)
    found: tuple[CodeArray, tuple[str, ...]] = context.cache.get_or_make(key, make)
    return found


def all_cases(
    table: LoadedTable, document: Document, model: str, context: AssemblyContext
) -> Cases:
    """Rows of a table for one model, known outcome or not: what a rule is applied to.

    All of them, or those for which the row filter is true.
    """
    require_decidable(document)
    key = (
        "all",
        table.identity,
        document.split.where,
        document.target,
        document.roles,
        model,
        document.model(model),
        document.bad_values,
    )
    return _every_case(table, document, (model,), key, context)


def _every_case(
    table: LoadedTable,
    document: Document,
    models: tuple[str, ...],
    key: Hashable,
    context: AssemblyContext,
) -> Cases:
    """Every row that the row filter lets through, whatever is known of it."""
    target = named_target(document)
    context.check()
    count, taken = table.rows, None
    outcome: CodeArray | None = None
    numbers: FloatArray | None = None
    warnings: tuple[str, ...] = ()
    if target.column in table.kinds:
        if _are_marked(document):
            _check_gaps(table, document, target)
        if target.levels:
            outcome, warnings = outcome_of(table, target, context)
        else:
            numbers = data.column_as_float(table, target.column, role="outcome")
    note = RowsNote(use=RowUse.ALL, text=f"all rows, {table.rows:,}", rows=table.rows)
    inside = data.rows_inside(table, document)
    if inside is not None:
        taken = np.flatnonzero(inside[0])
        count = len(taken)
        text = f"rows where {document.split.where}, {count:,} of {table.rows:,}"
        note = RowsNote(use=RowUse.ALL, text=text, rows=count)
    has_weight = document.column_of(Role.WEIGHT) in table.kinds
    weight = data.frequency(table, document) if has_weight else None
    if any(map(document.trained_model, models)):
        rows = np.arange(count, dtype=np.int64) if taken is None else taken
        warnings = (*warnings, *_seen_by_models(table, document, models, rows))
    scores = _read_models(table, document, models, taken, context)
    return Cases(
        count=count,
        taken=taken,
        note=note,
        outcome=rows_of(outcome, taken) if outcome is not None else None,
        target=rows_of(numbers, taken) if numbers is not None else None,
        frequency=rows_of(weight, taken) if weight is not None else None,
        posteriors=scores.posteriors,
        predictions=scores.predictions,
        spreads=scores.spreads,
        bases=scores.bases,
        key=key,
        warnings=(*warnings, *scores.warnings),
    )


def cases_of_rows(table: LoadedTable, document: Document, rows: IntArray, use: str) -> Cases:
    """Outcome and frequency of some rows; ``use`` names them, and keeps them apart in the cache."""
    target = document.target
    assert target is not None  # by the caller
    outcome = numbers = None
    if target.levels:
        outcome = data.outcome_codes(table, target)[0][rows]
    else:
        numbers = data.column_as_float(table, target.column, role="outcome")[rows]
    weight = data.frequency(table, document)
    return Cases(
        count=len(rows),
        taken=rows,
        note=RowsNote(use=use, text="", rows=len(rows)),
        outcome=outcome,
        target=numbers,
        frequency=None if weight is None else weight[rows],
        posteriors={},
        predictions={},
        key=(use, table.identity, target, rows.tobytes()),
    )


def _check_gaps(table: LoadedTable, document: Document, target: TargetSpec) -> None:
    """Refuse rows without an outcome until it is said that they may be left out."""
    if document.missing_outcomes is MissingOutcomes.ASK:
        without = is_empty(table, target.column)
        if without.any():
            without &= data.rows_with_outcome_expected(table, document)
            refuse_missing_outcomes(table, target.column, without)


@dataclass(slots=True, kw_only=True, eq=False)
class _Scores:
    """What models say of some rows, by their names."""

    posteriors: dict[str, FloatArray] = field(default_factory=dict)
    predictions: dict[str, FloatArray] = field(default_factory=dict)
    spreads: dict[str, PredictedQuantiles] = field(default_factory=dict)
    bases: dict[str, ReadBasis] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def _read_models(
    table: LoadedTable,
    document: Document,
    models: tuple[str, ...],
    taken: IntArray | None,
    context: AssemblyContext,
) -> _Scores:
    """Chances or predictions of models, with the quantiles and leaves that they name."""
    scores = _Scores()
    is_number = not named_target(document).levels
    for index, model in enumerate(models):
        context.progress(index / len(models), f"Reading {model}")
        if is_number:
            _read_number(table, document, model, taken, scores, context)
            continue
        posteriors = posteriors_of(table, document, model, context)
        scores.posteriors[model] = rows_of(posteriors, taken)
        scores.warnings += probability_warnings(table, document, model)
        basis = read_basis(table, document, model, taken, None, context)
        if basis is not None:
            scores.bases[model] = basis
    return scores


def _read_number(
    table: LoadedTable,
    document: Document,
    model: str,
    taken: IntArray | None,
    scores: _Scores,
    context: AssemblyContext,
) -> None:
    """Add what a model of a number says: without predictions the means of its quantiles."""
    trained = document.trained_model(model)
    spread = None if trained is None else trained_spread(table, document, trained, context)
    if spread is not None:
        spread = spread if taken is None else spread.some(taken)
        scores.spreads[model] = spread
    basis = read_basis(table, document, model, taken, spread, context)
    if basis is not None:
        scores.bases[model] = basis
    if trained is None and document.prediction_column(model) is None and basis is not None:
        scores.predictions[model] = basis.means(model)
    else:
        predictions = predictions_of(table, document, model, context)
        scores.predictions[model] = rows_of(predictions, taken)


def _read_cases(
    table: LoadedTable, document: Document, key: Hashable, context: AssemblyContext
) -> Cases:
    target = require_target(document)
    models = names_of_models(document)
    context.progress(None, "Reading outcomes")
    if _are_marked(document):
        return _every_case(table, document, models, key, context)
    rows, note = without_shared_ids(
        table, document, *data.usable_rows(table, document, None, models)
    )
    outcome: CodeArray | None = None
    numbers: FloatArray | None = None
    warnings: tuple[str, ...] = ()
    if target.levels:
        codes, warnings = outcome_of(table, target, context)
    else:
        known = data.column_as_float(table, target.column, role="outcome")
    weight = data.frequency(table, document)
    counted = weights.counted_cases(document, rows, weight, note)
    rows, note = counted.rows, counted.note
    taken = None if _is_every_row(rows, table.rows) else rows
    if target.levels:
        outcome = rows_of(codes, taken)
    else:
        numbers = rows_of(known, taken)
    scores = _read_models(table, document, models, taken, context)
    return Cases(
        count=len(rows),
        taken=taken,
        note=note,
        outcome=outcome,
        target=numbers,
        frequency=counted.frequency,
        posteriors=scores.posteriors,
        predictions=scores.predictions,
        spreads=scores.spreads,
        bases=scores.bases,
        key=key,
        warnings=(
            *warnings,
            *filter(None, (data.lacking_in_words(note),)),
            *counted.warnings,
            *weights.cluster_warnings(document),
            *_seen_by_models(table, document, models, rows),
            *scores.warnings,
        ),
        is_repeated=counted.is_repeated,
    )


def _are_marked(document: Document) -> bool:
    """Whether every row is a case, and the marks of a case say whether it counts."""
    return document.bad_values is BadValues.MARK and document.rows_used is RowUse.ALL


def rows_of(values: NDArray[Number], rows: IntArray | None) -> NDArray[Number]:
    """The chosen rows (last axis), C-contiguous; the array itself where None says all of them.

    Memory of the file's table is copied: kernels are compiled for arrays that may be written.
    """
    if rows is None:
        return np.require(values, requirements=("C", "W"))
    return np.ascontiguousarray(np.take(values, rows, axis=-1))


def _is_every_row(rows: IntArray, count: int) -> bool:
    """Whether rows that rise are all of a table, each once."""
    return len(rows) == count and bool((np.diff(rows) == 1).all())


# ---------------------------------------------------------------- priors


def prior_array(document: Document, target: TargetSpec) -> FloatArray | None:
    """The priors in the order of the target's levels, or None without priors."""
    if document.priors is None:
        return None
    return _shares(document.priors, target, "priors")


def old_prior_array(document: Document, target: TargetSpec, model: str) -> FloatArray | None:
    """The class shares a model was trained at, or None when they are not known or not needed."""
    settings = document.model(model)
    if settings is None or settings.old_priors.kind is not OldPriorKind.TRAINED_AT:
        return None
    if document.is_rank_only(model):
        return None  # an order needs no correction
    return _shares(settings.old_priors.shares, target, f"shares that '{model}' was trained at")


def _shares(shares: tuple[tuple[str, float], ...], target: TargetSpec, what: str) -> FloatArray:
    known = dict(shares)
    unknown = [level for level in known if level not in target.levels]
    missing = [level for level in target.levels if level not in known]
    if unknown or missing:
        raise PayoffError(
            f"The {what} do not fit the outcome's levels.",
            where=f"level {(unknown or missing)[0]}",
            why="There is no such level." if unknown else "It has no share.",
            remedy=f"Give one share for each of {', '.join(target.levels)}.",
        )
    return np.array([known[level] for level in target.levels], dtype=np.float64)


def data_warnings(document: Document, cases: Cases, context: AssemblyContext) -> tuple[str, ...]:
    """What is to be said of the data before any number."""
    changed = context.tables.changed_data(document.data) if document.data else ()
    return (*changed, *cases.warnings)


def prior_warnings(document: Document, only: str | None = None) -> tuple[str, ...]:
    """What stands between models' chances and the priors, said before any number."""
    texts = []
    for model in document.models:
        if only is not None and model.name != only:
            continue
        kind = model.old_priors.kind
        if document.is_rank_only(model.name):
            continue  # an order needs no correction
        if document.priors is not None and kind is OldPriorKind.UNKNOWN:
            texts.append(
                f"It is not known at which class shares '{model.name}' was trained: its chances "
                "are taken as they stand and are not corrected to the priors."
            )
        elif document.priors is None and kind is OldPriorKind.TRAINED_AT:
            if model.trained is not None and model.trained.weight is None:
                continue  # trained here at the shares of these data: nothing to correct
            if model.calibration is not None:
                continue  # fitted to the shares of these data
            texts.append(
                f"'{model.name}' was trained at known class shares, but no priors are given: its "
                "chances are not corrected."
            )
    return tuple(texts)


def unit_warnings(document: Document) -> tuple[str, ...]:
    """That amounts which the matrix reads are in thousands or millions, by their columns' names."""
    matrix = document.matrix
    if matrix is None:
        return ()
    read = dict.fromkeys((matrix.amount, *(cost.column for cost in matrix.costs)))
    texts = []
    for column in read:
        unit = unit_of_amount(column) if column else 1
        if column and unit > 1:
            words = "thousands" if unit == 1_000 else "millions"
            texts.append(
                f"'{column}' is in {words}, by its name, and so is the money made of it. To have "
                f"all amounts alike, derive {quoted(column)} * {unit} and take that column instead."
            )
    return tuple(texts)


def model_scores(document: Document, cases: Cases) -> tuple[ModelScores, ...]:
    """Every model as it decides: its scores, and the quantiles or leaves that are in use."""
    found = []
    for scores in own_scores(document, cases):
        basis = cases.basis(scores.name)
        is_used = basis is not None and basis.is_used
        found.append(basis.given_to(scores) if basis is not None and is_used else scores)
    return tuple(found)


def own_scores(document: Document, cases: Cases) -> tuple[ModelScores, ...]:
    """Every model with its scores alone: chances as they stand, what it was trained at."""
    target = require_decidable(document)
    if not target.levels:
        return tuple(predicted_scores(name, values) for name, values in cases.predictions.items())
    priors, scores = prior_array(document, target), []
    for name, posteriors in cases.posteriors.items():
        settings = document.model(name)
        kind = settings.old_priors.kind if settings is not None else OldPriorKind.UNKNOWN
        if document.is_rank_only(name):
            kind = OldPriorKind.CORRECTED
        old = old_prior_array(document, target, name)
        check_old_priors(priors, old, target.levels)
        scores.append(
            ModelScores(
                name=name,
                posteriors=posteriors,
                old_kind=kind,
                old_priors=old,
                has_probabilities=not document.is_rank_only(name),
            )
        )
    return tuple(scores)
