"""Which rankings page Uplift compares, and the score of every row under each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core import data
from core.assembly.context import AssemblyContext
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.trained import (
    boosted_model,
    trained_effect,
    trained_posteriors,
    trained_predictions,
)
from core.boosting import Inputs
from core.data import LoadedTable, encode_levels
from core.document.data.model import BadValues
from core.document.model import Document, Role, TrainedModel
from core.document.uplift.model import UpliftKind, UpliftModel
from payoff.errors import PayoffError
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranker:
    """A ranking: name, and the score of every row of the table, (n,); NaN = none."""

    name: str
    score: FloatArray


def rankers_of(
    document: Document, table: LoadedTable, context: AssemblyContext
) -> tuple[tuple[Ranker, ...], tuple[str, ...]]:
    """Every ranking of the document, and warnings for those that cannot be read.

    Rankings made of trained models come first; their parts are not shown on their own. Then all
    other models: scores and predictions as they stand, chances by the event's.
    """
    parts = {part for model in document.uplift.models for part in model.parts}
    found: list[Ranker] = []
    lost: list[str] = []
    for made in document.uplift.models:
        try:
            score = _made_score(document, table, made, context)
        except PayoffError as refusal:
            if document.bad_values is BadValues.REFUSE_GAPS:
                raise
            lost.append(f"'{made.name}' is left out: {refusal}")
            continue
        found.append(Ranker(name=made.name, score=score))
    for model in document.models:
        if model.name in parts or _is_part(document, model.trained):
            continue
        try:
            score = _model_score(document, table, model.name, context)
        except PayoffError as refusal:
            if document.bad_values is BadValues.REFUSE_GAPS:
                raise
            lost.append(f"'{model.name}' is left out: {refusal}")
            continue
        found.append(Ranker(name=model.name, score=score))
    return tuple(found), tuple(lost)


def _is_part(document: Document, trained: TrainedModel | None) -> bool:
    """Whether a model only serves a difference: of one arm, or with the treatment as an input."""
    if trained is None:
        return False
    treatment = document.uplift.treatment or document.column_of(Role.TREATMENT)
    return trained.only is not None or treatment in trained.features


def _model_score(
    document: Document, table: LoadedTable, name: str, context: AssemblyContext
) -> FloatArray:
    trained = document.trained_model(name)
    if trained is not None and trained.effect_of is not None:
        return _effect(document, table, trained, context)
    if trained is not None:
        return prediction_of(document, table, trained, context)
    role = document.score_role(name)
    if role is not None:
        values = data.column_as_float(table, role.column, role="score")
        return -values if role.is_reversed else values
    column = document.prediction_column(name)
    if column is not None:
        return data.column_as_float(table, column, role="prediction")
    columns = document.posterior_columns(name)
    event = document.target.event if document.target is not None else ""
    if event in columns:
        return data.column_as_float(table, columns[event], role="chance")
    if len(columns) == 1:  # the chance of the other level
        return -data.column_as_float(table, next(iter(columns.values())), role="chance")
    raise PayoffError(f"'{name}' has no column that ranks cases.")


def _effect(
    document: Document, table: LoadedTable, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """The effect that a model learned, for the arms that the page compares."""
    from core.assembly.uplift.data import read_arms

    assert trained.effect_of is not None  # by the caller
    spec = document.uplift
    column, treated, control = trained.effect_of
    arms = read_arms(table, column, spec.treated, spec.control, asks=False)
    compared = (arms.treated, arms.control)
    if compared not in ((treated, control), (control, treated)):
        raise PayoffError(
            f"It learned the effect of '{treated}' against '{control}'.",
            remedy="Compare these arms, or train it for the others.",
        )
    effect = trained_effect(table, document, trained, context)
    return effect if compared == (treated, control) else -effect


def prediction_of(
    document: Document, table: LoadedTable, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """Chance of the event, or predicted number, of every row."""
    if document.target is not None and document.target.levels:
        return np.asarray(trained_posteriors(table, document, trained, context)[0])
    return trained_predictions(table, document, trained, context)


def _made_score(
    document: Document, table: LoadedTable, made: UpliftModel, context: AssemblyContext
) -> FloatArray:
    """Predicted effect of every row: the prediction if treated less that if not."""
    models = []
    for part in made.parts:
        trained = document.trained_model(part)
        if trained is None:
            raise PayoffError(f"There is no trained model '{part}'.", remedy="Train it again.")
        models.append(trained)
    if made.kind is UpliftKind.TWO_MODELS:
        treated, control = (prediction_of(document, table, m, context) for m in models)
        return treated - control
    return _asked_twice(document, table, models[0], context)


def _asked_twice(
    document: Document, table: LoadedTable, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """One model with the treatment as an input, asked as if all were treated and as if none."""
    from core.assembly.uplift.data import read_arms

    spec = document.uplift
    column = trained.features[-1]
    arms = read_arms(table, column, spec.treated, spec.control, asks=False)
    key = (
        "asked twice",
        trained.model_hash,
        trained.trees_used,
        table.identity,
        arms.treated,
        arms.control,
    )

    def make() -> tuple[FloatArray, int]:
        model = boosted_model(trained, context)
        inputs = read_inputs(table, model.columns)
        place = next(i for i, entry in enumerate(model.columns) if entry.name == column)
        answers = []
        for arm in (arms.treated, arms.control):
            arrays = list(inputs.arrays)
            arrays[place] = np.full(table.rows, _value_of(table, column, arm, arrays[place]))
            context.check()
            asked = Inputs(inputs.columns, tuple(arrays))
            answers.append(model.response(asked, trained.trees_used or None, None)[0])
        gap = np.ascontiguousarray(answers[0] - answers[1])
        return gap, gap.nbytes

    found: FloatArray = context.cache.get_or_make(key, make)
    return found


def _value_of(table: LoadedTable, column: str, arm: str, present: FloatArray) -> float:
    """How the model reads an arm: the value of the first row that is in it."""
    codes, levels = encode_levels(table, column)
    return float(present[int(np.argmax(codes == levels.index(arm)))])
