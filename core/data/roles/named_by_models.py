"""Columns that chances, predicted classes and predictions name as what they are of."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pyarrow as pa

from core.data.profile.summary import as_float
from core.data.roles.class_columns import may_be_share
from core.data.roles.names import has_word, is_outcome_words, split_score_name
from core.data.roles.ranking import agreement
from core.data.roles.words import (
    ACTUAL_WORDS,
    ALGORITHM_WORDS,
    CLASS_WORDS,
    EXPECTED_WORDS,
    ID_NAMES,
    MODELLED_WORDS,
    PREDICTION_WORDS,
    TREATMENT_NAMES,
)
from core.document.data.events import fold
from core.document.data.results import ColumnSummary

_AGREED = 0.1  # beyond chance (kappa), for classes to be those that a model predicts
_ALIKE = 1 / 3  # of a column's sum, by which that of its predictions may be off
_CLASSES = 20  # whole numbers of no more values may be classes


def name_scored_classes(columns: tuple[ColumnSummary, ...]) -> dict[str, str]:
    """Columns of two values that a chance names -> the chance: "Probabilidad de baja", "Baja"."""
    shares = [column for column in columns if may_be_share(column) and column.distinct != 2]
    two = [c for c in columns if c.distinct == 2 and not has_word(c.name, TREATMENT_NAMES)]
    named: dict[str, str] = {}
    for share in shares:
        parts = split_score_name(share.name, (), "")
        described = [c.name for c in two if parts and is_outcome_words(parts[0], c.name)]
        if len(described) == 1:
            named.setdefault(described[0], share.name)
    return named


def name_chosen_classes(table: pa.Table, columns: tuple[ColumnSummary, ...]) -> dict[str, str]:
    """Columns of classes that another predicts, by its name -> the other: species, pred_class.

    Of several columns of such classes it is the one that the predictions agree with.
    """
    few = [c for c in columns if 2 <= c.distinct <= _CLASSES and c.distinct == len(c.levels)]
    chosen = [c for c in few if has_word(c.name, (*PREDICTION_WORDS, *CLASS_WORDS))]
    named: dict[str, str] = {}
    for prediction in chosen:
        forms = {form for form, _ in prediction.levels}
        alike = [c for c in few if c not in chosen and forms <= {form for form, _ in c.levels}]
        agreed = [agreement(table, prediction.name, c.name) for c in alike]
        best, second, *_ = [*sorted(agreed, reverse=True), 0.0, 0.0]
        if best >= _AGREED and (len(alike) == 1 or second <= 0.5 * best):
            named.setdefault(alike[agreed.index(best)].name, prediction.name)
    return named


def name_predicted_columns(columns: tuple[ColumnSummary, ...]) -> dict[str, str]:
    """Columns of numbers that a prediction names -> the prediction: SalePrice, predicted_price."""
    numbers = {
        fold(column.name): column.name
        for column in columns
        if column.kind in ("number", "integer") and not 0 <= column.distinct <= 2
    }
    said = (*PREDICTION_WORDS, *EXPECTED_WORDS)
    predictions = {name for name in numbers if any(p in said for p in name.split("_"))}
    classes = {fold(c.name) for c in columns if c.kind == "integer" and 0 <= c.distinct <= _CLASSES}
    named: dict[str, str] = {}
    for name in sorted(predictions - classes):  # predicted_class of classes 1 to 5 is none
        rest = "_".join(part for part in name.split("_") if not _says_model(part))
        described = [other for other in numbers if other not in predictions and rest in other]
        if len(rest) > 2 and len(described) == 1:
            named[numbers[described[0]]] = numbers[name]
    modelled = {name: without_model(name) for name in numbers}
    named |= {numbers[rest]: numbers[name] for name, rest in modelled.items() if rest in numbers}
    actual = [name for name in numbers if has_word(name, ACTUAL_WORDS)]
    if predictions and not named and len(actual) == 1:
        named[numbers[actual[0]]] = numbers[min(predictions)]
    return named


def name_summed_column(
    table: pa.Table, columns: tuple[ColumnSummary, ...], taken: Collection[str]
) -> dict[str, str]:
    """The one column of numbers that predictions of no name add up to -> the first of these.

    "pred_glm" beside "claim_amount": their sums are alike, by a third.
    """
    numbers = [
        column.name
        for column in columns
        if column.kind in ("number", "integer") and not 0 <= column.distinct <= 2
    ]
    sums = {name: float(np.nansum(as_float(table.column(name)))) for name in numbers}
    said = (*PREDICTION_WORDS, *ALGORITHM_WORDS)
    predictions = [name for name in numbers if has_word(name, said)]
    alike = [
        (name, prediction)
        for name in numbers
        for prediction in predictions
        if name not in predictions and name not in taken and sums[name] > 0.0
        if not has_word(name, ID_NAMES) and not fold(name).endswith("id")
        if abs(sums[prediction] - sums[name]) <= _ALIKE * sums[name]
    ]
    return dict(alike[:1]) if len({name for name, _ in alike}) == 1 else {}


def _says_model(part: str) -> bool:
    """Whether a part of a prediction's name says prediction, or which model: "model A", "glm"."""
    said = (*PREDICTION_WORDS, *EXPECTED_WORDS, *MODELLED_WORDS, *ALGORITHM_WORDS)
    return part in said or len(part) == 1 or part.isdigit()


def without_model(folded: str) -> str:
    """What a folded name has beside the word model: "model_loss_ratio" is of "loss_ratio"."""
    rest = [part for part in folded.split("_") if part not in MODELLED_WORDS]
    return "_".join(rest) if len("_".join(rest)) > 2 and "_".join(rest) != folded else ""
