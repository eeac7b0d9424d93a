"""Which rows figures come from until the user chooses: test, else out-of-fold, else validation."""

from __future__ import annotations

from dataclasses import replace

from core.document.data.model import RowUse
from core.document.model import Document, Role, SplitSpec


def uses_there(split: SplitSpec) -> tuple[RowUse, ...]:
    """The uses that some rows have, of training, validation and test."""
    uses = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)
    if split.column is not None:
        named = {use for _, use in split.meaning}
        return tuple(use for use in uses if use in named)
    return tuple(use for use, share in zip(uses, split.shares, strict=True) if share > 0)


def has_fold_rows(document: Document) -> bool:
    """Whether every model is judged on the training rows by folds that did not see them."""
    trained = [entry.trained for entry in document.models]
    return bool(trained) and all(entry is not None and entry.has_folds for entry in trained)


def default_rows(document: Document) -> RowUse:
    """The rows that flatter no model, as far as there are some.

    A file of scores without training rows is all test rows: they are all rows, and called so.
    While there is no model none of a draw is kept from one: an experiment tells of all its rows.
    """
    there, is_drawn = uses_there(document.split), document.split.column is None
    if not document.models and is_drawn and not document.split.in_order:
        return RowUse.ALL
    if there == (RowUse.TEST,) and is_drawn:
        return RowUse.ALL
    if RowUse.TEST in there:
        return RowUse.TEST
    if has_fold_rows(document) and RowUse.TRAIN in there:
        return RowUse.TRAIN
    return RowUse.VALIDATION if RowUse.VALIDATION in there else RowUse.ALL


def drawn_together(document: Document) -> Document:
    """A document without models whose draw tears nothing apart that belongs together by its roles.

    Rows that trained a model stay where they are: it would be judged by rows that it has seen.
    """
    column = document.column_of(Role.GROUP) or document.column_of(Role.CLUSTER)
    is_same = document.split.together == column
    if is_same or document.split.column is not None or any(e.trained for e in document.models):
        return document
    return replace(document, split=replace(document.split, together=column))


def following_default(before: Document, after: Document) -> Document:
    """A changed document whose rows follow the default, unless the user chose others."""
    if before.rows_used is not default_rows(before):
        return after
    return replace(after, rows_used=default_rows(after))
