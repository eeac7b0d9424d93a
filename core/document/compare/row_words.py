"""How rows of the data are called, and what a model has seen of them."""

from __future__ import annotations

from core.document.data.model import RowUse
from core.document.data.row_defaults import has_fold_rows
from core.document.model import Document
from core.document.results import SeenRows
from payoff.counting import counted

_USES = {
    RowUse.TRAIN: "Training",
    RowUse.VALIDATION: "Validation",
    RowUse.TEST: "Test",
    RowUse.TO_DECIDE: "To decide",
    RowUse.ALL: "All rows",
}
_HOW = {
    "trained": "flattering: trained here",
    "stopped": "flattering: stopped here",
    "chosen": "flattering: chosen here",
    "folds": "judged by folds that did not see them",
    "fitted": "chances cross-fitted here",
}


def use_words(use: RowUse, document: Document | None = None) -> str:
    """A use of rows, as the selector says it; training rows judged by folds say so."""
    if use is RowUse.TRAIN and document is not None and has_fold_rows(document):
        return "Out-of-fold (training)"
    return _USES[use]


def flattering_words(
    model: str, seen: tuple[SeenRows, ...], *, only_flattering: bool = True
) -> str:
    """What a model has seen of the rows it is judged on: "flattering: stopped here"."""
    found = [
        f"{_HOW[entry.how]} ({counted(entry.rows, 'row')})"
        for entry in seen
        if entry.model == model and (entry.is_flattering or not only_flattering)
    ]
    return ", ".join(found)
