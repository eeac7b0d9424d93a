"""Scores of models trained here: read from their files, computed once per table and kept.

What reads trees is imported when there is a trained model: imported scores do without it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core import data
from core.assembly.context import AssemblyContext
from core.assembly.models.spread import levels_of, one_number, spread_of
from core.data import LoadedTable
from core.decisions import PredictedQuantiles
from core.document.data.expressions import column_names
from core.document.data.model import RowUse
from core.document.files.model_store import missing_file
from core.document.model import (
    Document,
    Role,
    RoleAssignment,
    TargetSpec,
    TrainedModel,
    TreeRule,
)
from core.document.wording import gone_words
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

if TYPE_CHECKING:
    from core.boosting import BoostedModel


def boosted_model(trained: TrainedModel, context: AssemblyContext) -> BoostedModel:
    """The trees of a trained model, from memory or from its file.

    Raises
    ------
    PayoffError
        Naming the model when its file is missing or damaged, or its distribution is not there.
    """
    from core.boosting import read_model

    model_store = context.model_store
    key = ("model", trained.model_hash, _loss_version(trained, context))

    def make() -> tuple[BoostedModel, int]:
        path: Path = model_store.path(trained.model_hash)
        if model_store.read(trained.model_hash) is None:
            raise missing_file(trained.name, path)
        model = read_model(path, context.registry.distribution)
        return model, 4 * path.stat().st_size

    found: BoostedModel = context.cache.get_or_make(key, make)
    return found


def _loss_version(trained: TrainedModel, context: AssemblyContext) -> str:
    """What the plugin of a model's loss is like now: another one makes other predictions.

    Raises
    ------
    PayoffError
        Where the loss is not here any more.
    """
    registry = context.registry
    try:
        return registry.content_of(registry.distribution(trained.distribution))
    except PayoffError as refusal:
        raise PayoffError(
            f"The model '{trained.name}' needs its loss '{trained.distribution}'.",
            why=refusal.why
            or (
                gone_words(trained.plugin)
                if trained.plugin
                else "The plugin with this loss is removed, turned off or does not fit."
            ),
            remedy="Install it again or turn it on (page Plugins), or take the model out.",
        ) from refusal


def trained_posteriors(
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """Chances (levels, n) of every row of a table, in the order of the target's levels.

    Rows that trained the model get the chances of the fold that did not see them, where the model
    was cross-validated.
    """
    model = boosted_model(trained, context)
    require_same_outcome(document, trained, model)
    return in_order_of_levels(trained_responses(table, document, trained, context), document, model)


def require_same_outcome(document: Document, trained: TrainedModel, model: BoostedModel) -> None:
    """Refuse a model that was trained for another outcome than the document's, or other levels."""
    target = document.target
    if target is None or trained.target != target.column:
        raise _other_target(trained, target)
    given = [data.printed(level) for level in model.classes]
    if sorted(given) != sorted(data.printed(level) for level in target.levels):
        raise _other_target(trained, target)


def in_order_of_levels(
    probabilities: FloatArray, document: Document, model: BoostedModel
) -> FloatArray:
    """A model's chances (classes or 1, n) as (levels, n), in the order of the target's levels."""
    target = document.target
    assert target is not None  # by the caller
    given = [data.printed(level) for level in model.classes]
    wanted = [data.printed(level) for level in target.levels]
    if len(probabilities) == 1:  # of two classes the event is the second
        probabilities = np.vstack([1.0 - probabilities, probabilities])
    ordered: FloatArray = np.ascontiguousarray(
        probabilities[[given.index(level) for level in wanted]]
    )
    return ordered


def trained_predictions(
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """Predictions (n,) of every row of a table for an interval target."""
    target = document.target
    if target is None or trained.target != target.column:
        raise _other_target(trained, target)
    found = trained_responses(table, document, trained, context)
    return one_number(boosted_model(trained, context), found)


def trained_spread(
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> PredictedQuantiles | None:
    """Predicted quantiles of every row of a table; None of a model that predicts one number.

    Rows that trained the model get those of the fold that did not see them, where the model was
    cross-validated.
    """
    model = boosted_model(trained, context)
    if levels_of(model) is None:
        return None
    return spread_of(model, trained_responses(table, document, trained, context))


def trained_effect(
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """Predicted effect (n,) of the treatment on every row of a table."""
    effect: FloatArray = trained_responses(table, document, trained, context)[0]
    return effect


def _other_target(trained: TrainedModel, target: TargetSpec | None) -> PayoffError:
    return PayoffError(
        f"The model '{trained.name}' was trained for another outcome.",
        where=f"column {trained.target}",
        why=f"The outcome is now '{target.column}' with other levels or another name."
        if target is not None
        else "No column is named as the outcome.",
        remedy="Train it again for this outcome, or remove it.",
    )


def trained_responses(
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> FloatArray:
    """Predictions (K, n) on the scale of the outcome, kept by model and table."""
    content = table.identity
    from core.assembly.models.input_columns import read_inputs
    from core.boosting.losses import responses

    version = _loss_version(trained, context)
    key = ("responses", trained.model_hash, version, trained.trees_used, content, trained.split)

    def make() -> tuple[FloatArray, int]:
        context.check()
        model = boosted_model(trained, context)
        inputs = read_inputs(table, model.columns)
        offset = None
        if trained.offset is not None:
            offset = data.column_as_float(table, trained.offset, role="offset")
        values = model.response(inputs, trained.trees_used or None, offset)
        crossed = model.cross_validation
        if crossed is not None:
            rows = training_rows(table, document, trained)
            if len(rows) == crossed.link.shape[1]:
                # The link of a fold has no offset yet.
                link = (
                    crossed.link
                    if offset is None
                    else model.with_offset(crossed.link, offset[rows])
                )
                values[:, rows] = responses(model.distribution, model.parameter_values, link)
        return values, values.nbytes

    values: FloatArray = context.cache.get_or_make(key, make)
    return values


# ---------------------------------------------------------------- rows it has seen


def training_rows(table: LoadedTable, document: Document, trained: TrainedModel) -> IntArray:
    """Rows of a table that trained a model; none on other data or where they cannot be told."""
    return _seen(table, document, trained)[0]


def stopping_rows(table: LoadedTable, document: Document, trained: TrainedModel) -> IntArray:
    """Rows of a table that chose the number of trees; none on other data.

    Whoever chooses it by hand sees what the test rows bring.
    """
    return _seen(table, document, trained)[1]


def _seen(
    table: LoadedTable, document: Document, trained: TrainedModel
) -> tuple[IntArray, IntArray]:
    """Rows that trained a model, and the others that chose how many trees it uses."""
    stop_rows = trained.stop_rows if trained.stopped_rows else ()
    train, stop = _with_uses(table, document, trained, (trained.train_rows, stop_rows))
    if trained.tree_rule in (TreeRule.HAND, TreeRule.TEST):  # maybe on other data, split otherwise
        chosen = trained.as_it_was_chosen
        stop = np.union1d(stop, _with_uses(table, document, chosen, ((), (RowUse.TEST,)))[1])
    return train, np.setdiff1d(stop, train)


def _with_uses(
    table: LoadedTable,
    document: Document,
    trained: TrainedModel,
    uses: tuple[tuple[RowUse, ...], tuple[RowUse, ...]],
) -> tuple[IntArray, IntArray]:
    """Rows that trained a model, and those it was judged by; none on data it has not seen."""
    none = np.empty(0, dtype=np.int64)
    part = _part_seen(table, document, trained)
    if part is None:
        return none, none
    found = [
        tuple(only_rows(part, trained, data.rows_with_use(part, then, use)) for use in uses)
        for then in _as_it_was(part, document, trained)
    ]
    train, stop = next((f for f in found if len(f[0]) == trained.trained_rows), (none, found[0][1]))
    return train, stop


def _part_seen(table: LoadedTable, document: Document, trained: TrainedModel) -> LoadedTable | None:
    """The rows that were there at the training: all, or those before further files were added."""
    if trained.split is None or table.row_numbers is not None:
        return None
    if table.rows_hash == trained.data_hash:
        return table
    now = table.data
    for place, part in enumerate(table.parts):
        earlier = replace(now, recipe=replace(now.recipe, rows=now.recipe.rows[:place]))
        if earlier.rows_hash == trained.data_hash:
            columns = _columns_of_rows(document, trained)
            there = tuple(name for name in columns if name in table.kinds)
            return table.with_rows(np.arange(part.first_row), there)
    return None


def _columns_of_rows(document: Document, trained: TrainedModel) -> tuple[str, ...]:
    """The columns by which the rows of a training are told."""
    assert trained.split is not None
    names = [trained.target, trained.split.column, trained.weight, document.column_of(Role.WEIGHT)]
    where = trained.split.where
    names += [*(column_names(where) if where else ()), *(trained.only or ())[:1]]
    names += (trained.effect_of or ())[:1]
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _as_it_was(
    table: LoadedTable, document: Document, trained: TrainedModel
) -> tuple[Document, ...]:
    """The document with the roles of the training, as far as they tell rows apart.

    A split that names no column was drawn, whatever says the use of rows by now. Which column
    weighed the rows is not kept where the training left weights alone: rows of weight 0 were left
    out by it, so that the number of rows says which it was.
    """
    assert trained.split is not None
    aside = (Role.ROW_USE, Role.WEIGHT)
    roles = tuple(entry for entry in document.roles if entry.role not in aside)
    weights = dict.fromkeys((document.column_of(Role.WEIGHT), trained.weight, None))
    return tuple(
        replace(
            document,
            split=trained.split,
            roles=(*roles, RoleAssignment(column=name, role=Role.WEIGHT)) if name else roles,
        )
        for name in weights
        if name is None or name in table.kinds
    )


def only_rows(table: LoadedTable, trained: TrainedModel, rows: IntArray) -> IntArray:
    """Those of the rows that a model of one arm, or of the effect between two, may see."""
    if trained.effect_of is not None:
        column, *arms = trained.effect_of
        codes, levels = data.encode_levels(table, column)
        lost = [arm for arm in arms if arm not in levels]
        if lost:
            raise _no_such_level(table, column, lost[0], levels)
        return np.asarray(rows[np.isin(codes[rows], [levels.index(arm) for arm in arms])])
    if trained.only is None:
        return rows
    column, level = trained.only
    codes, levels = data.encode_levels(table, column)
    if level not in levels:
        raise _no_such_level(table, column, level, levels)
    return np.asarray(rows[codes[rows] == levels.index(level)])


def _no_such_level(
    table: LoadedTable, column: str, level: str, levels: tuple[str, ...]
) -> PayoffError:
    return PayoffError(
        f"No row of '{column}' has the value '{level}'.",
        where=table.path,
        remedy=f"There are: {', '.join(levels[:12])}.",
    )


def seen_warnings(
    table: LoadedTable, document: Document, trained: TrainedModel, rows: IntArray
) -> tuple[str, ...]:
    """Which of ``rows`` flatter a model: those that trained it, those that chose its size."""
    warnings = []
    training = training_rows(table, document, trained)
    sharing = len(data.rows_sharing_ids(table, document, rows, training)[0])
    if sharing:
        warnings.append(
            f"Overlap: {sharing:,} of these rows have the '{document.column_of(Role.ID)}' of a row "
            f"that trained '{trained.name}': they flatter it (Data > Rows in common)."
        )
    trained_on = len(np.intersect1d(training, rows))
    if trained_on and trained.has_folds:
        warnings.append(
            f"{trained_on:,} of these rows trained '{trained.name}'; on them it is judged by the "
            f"models of its {counted(trained.cv_folds, 'fold')} that did not see them"
            f"{_other_number(trained)}."
        )
    elif trained_on:
        warnings.append(
            f"{trained_on:,} of these rows trained '{trained.name}': they flatter it. Compare on "
            "validation or test rows."
        )
    chosen_on = len(np.intersect1d(stopping_rows(table, document, trained), rows))
    if chosen_on:
        by_hand = "by hand, beside what it brings, " if trained.tree_rule is TreeRule.HAND else ""
        is_on_test = trained.tree_rule in (TreeRule.HAND, TreeRule.TEST)
        beyond = "Fresh rows" if is_on_test else "Test rows"
        warnings.append(
            f"The number of trees of '{trained.name}' was chosen {by_hand}on {chosen_on:,} of "
            f"these rows: they flatter it a little. {beyond} do not."
        )
    return tuple(warnings)


def _other_number(trained: TrainedModel) -> str:
    """Say where the models of the folds have another number of trees: theirs is kept as it was."""
    folds = trained.as_it_ended.trees_used
    is_other = trained.trees_used != folds
    return f", of {counted(folds, 'tree')} and not {trained.trees_used:,}" if is_other else ""
