"""Jobs about model files: read one of another program into the document, write one as ONNX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core import data
from core.assembly.context import table_of
from core.assembly.models.explaining import trained_entry
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.trained import boosted_model
from core.assembly.models.training_plan import reason_against
from core.boosting import BoostedModel, model_bytes, read_foreign_model, save_onnx
from core.boosting.export.code_forms import has_response
from core.data import LoadedTable
from core.document.model import TargetSpec, TrainedModel
from core.document.studies.models import (
    ExportOnnxArguments,
    ImportModelArguments,
    ModelImported,
    OnnxWritten,
)
from core.engine.context import JobContext
from payoff.counting import counted
from payoff.errors import PayoffError

UNKNOWN_ROWS = "Which rows trained it is not known here: judge it on rows that it has not seen."


def import_model_file(arguments: ImportModelArguments, context: JobContext) -> ModelImported:
    """Read a model file of LightGBM or XGBoost for the document's outcome and columns.

    Raises
    ------
    PayoffError
        If the file is no such model, an input of it is not in the data, or it predicts another kind
        of outcome.
    """
    document = arguments.document
    target = document.target
    if target is None:
        raise PayoffError(
            "No column is named as the outcome.", remedy="Name it on page Data, then import."
        )
    context.progress(None, f"Reading {Path(arguments.path).name}")
    table = table_of(document, context)
    found = read_foreign_model(arguments.path, context.registry.distribution)
    model, notes = _for_outcome(_for_columns(found.boosted, table, arguments.path), target)
    settings = TrainedModel(
        name=arguments.name,
        distribution=model.distribution.id,
        target=target.column,
        features=tuple(column.name for column in model.columns),
        distribution_params=tuple(sorted(model.parameters.items())),
        n_trees=model.n_trees,
        interaction_depth=model.settings.interaction_depth,
        patience=0,
    )
    reason = reason_against(model.distribution, target, settings, table)
    if reason:
        raise PayoffError(
            f"The model does not predict '{target.column}'.",
            where=arguments.path,
            why=f"It counts as {model.distribution.label}: {reason}",
            remedy="Name the outcome that it was trained for.",
        )
    read_inputs(table, model.columns)  # refuses columns that hold something else
    trained = replace(
        settings,
        model_hash=context.shelf.put(model_bytes(model)),
        trees=model.n_trees,
        trees_used=model.n_trees,
        program=found.program,
    )
    told = (*found.notes, *notes, UNKNOWN_ROWS)
    return ModelImported(model=trained, program=found.program, notes=told)


def _for_columns(model: BoostedModel, table: LoadedTable, path: str) -> BoostedModel:
    """The model with its inputs named as the table's columns are.

    LightGBM writes blanks and marks in names as underscores.
    """
    plain: dict[str, list[str]] = {}
    for name in table.columns:
        plain.setdefault(_plain(name), []).append(name)
    columns, lost = [], []
    for column in model.columns:
        like = plain.get(_plain(column.name), [])
        if column.name in table.columns:
            columns.append(column)
        elif len(like) == 1:
            columns.append(replace(column, name=like[0]))
        else:
            lost.append(column.name)
    if lost:
        raise PayoffError(
            f"The data have no column '{lost[0]}', which the model reads.",
            where=path,
            why=(
                f"{len(lost)} of its {counted(len(model.columns), 'input is', 'inputs are')} "
                "not found by their names."
            ),
            remedy="Rename the columns of the data as the model has them (page Data), or train the "
            "model on columns with names.",
        )
    return replace(model, columns=tuple(columns))


def _plain(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _for_outcome(model: BoostedModel, target: TargetSpec) -> tuple[BoostedModel, tuple[str, ...]]:
    """The model with its classes 0, 1 ... named as the outcome's levels, and what was assumed."""
    levels = [data.printed(level) for level in target.levels]
    if not model.classes or sorted(model.classes) == sorted(levels):
        return model, ()
    if not levels:
        raise PayoffError(
            f"The model tells classes apart, and '{target.column}' is a number.",
            remedy="Name the outcome that it was trained for.",
        )
    if len(model.classes) != len(levels):
        raise PayoffError(
            f"The model tells {counted(len(model.classes), 'class', 'classes')} apart, "
            f"'{target.column}' has "
            f"{len(levels)}.",
            remedy="Name the outcome that it was trained for.",
        )
    if len(levels) == 2:
        named: Sequence[str] = (levels[1], levels[0])
        return replace(model, classes=tuple(named)), (
            f"The model's 1 is taken for '{target.label(target.levels[0])}'.",
        )
    named = sorted(levels)
    return replace(model, classes=tuple(named)), (
        f"The model's classes 0, 1 ... are taken for {', '.join(named)}, in this order.",
    )


def export_onnx(arguments: ExportOnnxArguments, context: JobContext) -> OnnxWritten:
    """Write the trees that a model uses as an ONNX file.

    Raises
    ------
    PayoffError
        If the model was not trained here, or the file cannot be written.
    """
    trained = trained_entry(arguments.document, arguments.model)
    context.progress(None, f"Writing {Path(arguments.path).name}")
    model = boosted_model(trained, context)
    if trained.trees_used:
        model = model.first_trees(trained.trees_used)
    save_onnx(model, arguments.path)
    notes = []
    if trained.offset is not None:
        notes.append(f"The file does not add the offset '{trained.offset}'.")
    if not has_response(model):
        notes.append(f"It has link scores only: {model.distribution.label} has no formula in it.")
    return OnnxWritten(path=arguments.path, trees=model.n_trees, notes=tuple(notes))
