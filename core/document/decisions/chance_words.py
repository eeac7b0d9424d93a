"""How fitted chances are named: on charts, in records and in reports."""

from __future__ import annotations

from core.document.data.model import RowUse
from core.document.model import ChanceMethod, ChancesSpec, ModelSpec
from payoff.counting import counted_of

METHOD_WORDS = {
    ChanceMethod.LOGISTIC: "logistic",
    ChanceMethod.ISOTONIC: "isotonic",
    ChanceMethod.BANDS: "by bands",
}
_LONG_WORDS = {
    ChanceMethod.LOGISTIC: "a logistic curve (Platt)",
    ChanceMethod.ISOTONIC: "isotonic regression",
    ChanceMethod.BANDS: "bands of equal size",
}
_ROWS_WORDS = {
    RowUse.TRAIN: "training rows",
    RowUse.VALIDATION: "validation rows",
    RowUse.TEST: "test rows",
    RowUse.TO_DECIDE: "rows to decide",
    RowUse.ALL: "all rows",
}


def probabilities_words(probabilities: ChancesSpec, rows_used: RowUse, data_hash: str) -> str:
    """In short: "isotonic, cross-fitted", or whose outcomes made them where others are looked at.

    >>> probabilities_words(ChancesSpec(method=ChanceMethod.ISOTONIC), RowUse.VALIDATION, "")
    'isotonic, cross-fitted'
    """
    how = METHOD_WORDS[probabilities.method]
    if data_hash != probabilities.data_hash:
        return f"{how}, fitted to other data"
    if rows_used is probabilities.rows:
        return f"{how}, cross-fitted"
    if RowUse.ALL in (rows_used, probabilities.rows):
        return f"{how}, cross-fitted where fitted"
    return f"{how}, fitted to {_ROWS_WORDS[probabilities.rows]}"


def probabilities_sentence(model: ModelSpec, rows_used: RowUse, data_hash: str) -> str:
    """What a reader must know of a model's fitted chances on rows of some data; empty without."""
    probabilities = model.chances
    if probabilities is None:
        return ""
    where = f"{probabilities.fitted_rows:,} {_ROWS_WORDS[probabilities.rows]}"
    if data_hash != probabilities.data_hash:
        how = f"fitted to {where} of other data"
    elif rows_used is probabilities.rows or RowUse.ALL in (rows_used, probabilities.rows):
        how = (
            f"cross-fitted on {where}: each of them has its chance from the other "
            f"{counted_of(probabilities.folds - 1, probabilities.folds, 'fold')} "
            f"(seed {probabilities.seed})"
        )
    else:
        how = f"fitted to {where}, none of which is looked at here"
    return f"{model.name}: chances by {_LONG_WORDS[probabilities.method]} of its scores, {how}."
