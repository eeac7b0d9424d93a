"""Chances over time of a survival model trained here.

Of a Cox model by the baseline hazard of its training rows; of accelerated failure times by the loss
itself, which needs no rows.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core import data
from core.assembly.context import AssemblyContext
from core.assembly.models.input_columns import known_values, read_inputs
from core.assembly.models.trained import boosted_model, training_rows
from core.boosting.survival import (
    BRESLOW,
    EFRON,
    BaselineHazard,
    baseline_hazard,
    gives_probabilities,
    own_survival,
)
from core.data import LoadedTable, encode_levels
from core.document.model import Document, TrainedModel
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Extra


def survival_model(document: Document, name: str, context: AssemblyContext) -> TrainedModel:
    """A trained model whose chances over time are known.

    Raises
    ------
    PayoffError
        If it is none: an imported score, another loss.
    """
    trained = document.trained_model(name)
    if trained is None or not has_chances(trained, context):
        raise PayoffError(
            f"'{name}' has no chances over time.",
            why="They follow from a survival model trained here.",
            remedy="Train 'Risk over time' or 'Accelerated failure time' on page Models.",
        )
    return trained


def has_chances(trained: TrainedModel, context: AssemblyContext) -> bool:
    """Whether a trained model is one of survival that has chances over time."""
    return trained.event is not None and gives_probabilities(
        boosted_model(trained, context).distribution
    )


def origin_of(trained: TrainedModel, context: AssemblyContext) -> str:
    """Where the chances of a model come from, in words."""
    model = boosted_model(trained, context)
    spec = model.distribution
    if spec.surviving is None:
        return "exp(-H(t) e^F), H the baseline hazard of the rows that trained the model"
    given = (
        f"{item.name} {item.choices[int(model.parameters[item.name])]}"
        if item.choices
        else f"{item.name} {model.parameters[item.name]:g}"
        for item in spec.parameters
    )
    return f"the chance of a longer time at the model's score F ({', '.join(given)})"


def ignores_entry(trained: TrainedModel, context: AssemblyContext) -> bool:
    """Whether a model took cases that entered late as watched from the start."""
    spec = boosted_model(trained, context).distribution
    return trained.entry is None or Extra.ENTRY not in spec.extras


def risk_of(table: LoadedTable, trained: TrainedModel, context: AssemblyContext) -> FloatArray:
    """Score (n,) of every row, turned so that higher is sooner."""
    link = link_of(table, trained, context)
    return -link if boosted_model(trained, context).distribution.predicts_time else link


def link_of(table: LoadedTable, trained: TrainedModel, context: AssemblyContext) -> FloatArray:
    """Score (n,) of every row, offset included."""
    key = ("risk scores", trained.model_hash, trained.trees_used, table.identity)

    def make() -> tuple[FloatArray, int]:
        model = boosted_model(trained, context)
        offset = None
        if trained.offset is not None:
            offset = data.column_as_float(table, trained.offset, role="offset")
        inputs = read_inputs(table, model.columns)
        score = np.ascontiguousarray(model.link(inputs, trained.trees_used or None, offset)[0])
        return score, score.nbytes

    found: FloatArray = context.cache.get_or_make(key, make)
    return found


def hazards_of(
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> Mapping[str, BaselineHazard]:
    """The baseline hazard of each stratum ("" without strata) over the rows that trained.

    Raises
    ------
    PayoffError
        If the rows that trained the model are not these.
    """
    rows = training_rows(table, document, trained)
    if not len(rows):
        raise PayoffError(
            f"The rows that trained '{trained.name}' are not at hand.",
            why="Its baseline hazard is that of the rows it learned from.",
            remedy="Open the data it was trained on, or train it again.",
        )
    columns = {
        role: known_values(table, role, name, rows)
        for role, name in (
            ("event", trained.event),
            ("entry", trained.entry),
            ("weight", trained.weight),
        )
        if name is not None
    }
    columns["time"] = data.column_as_float(table, trained.target, role="target")[rows]
    columns["score"] = link_of(table, trained, context)[rows]
    model = boosted_model(trained, context)
    ties = EFRON if model.parameters.get("ties") == 1.0 else BRESLOW
    codes, names = _strata(table, trained)
    return {
        name: baseline_hazard(
            **{role: values[codes[rows] == place] for role, values in columns.items()}, ties=ties
        )
        for place, name in enumerate(names)
        if (codes[rows] == place).any()
    }


def survival_of(
    table: LoadedTable,
    document: Document,
    trained: TrainedModel,
    rows: IntArray,
    times: FloatArray,
    context: AssemblyContext,
) -> FloatArray:
    """Chance (n, m) of some rows to be without the event at some times; NaN where not known."""
    score = link_of(table, trained, context)[rows]
    own = own_survival(boosted_model(trained, context), score, times)
    if own is not None:
        return own
    hazards = hazards_of(table, document, trained, context)
    codes, names = _strata(table, trained)
    probabilities = np.full((len(rows), len(times)), np.nan)
    for place, name in enumerate(names):
        inside = codes[rows] == place
        if name in hazards and inside.any():
            probabilities[inside] = hazards[name].survival(score[inside], times)
    return probabilities


def _strata(table: LoadedTable, trained: TrainedModel) -> tuple[IntArray, tuple[str, ...]]:
    if trained.strata is None:
        return np.zeros(table.rows, dtype=np.int64), ("",)
    codes, names = encode_levels(table, trained.strata)
    return codes.astype(np.int64), names
