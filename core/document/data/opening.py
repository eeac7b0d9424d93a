"""What of a document stays when another file, or another table of the same file, is taken."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.document.data.expressions import column_names
from core.document.data.model import RowUse
from core.document.model import Document, SplitSpec, TargetSpec


@dataclass(frozen=True, slots=True)
class Kept:
    """Matrix and priors stay for the same outcome with the same levels, models for the outcome."""

    has_matrix: bool
    has_models: bool


def what_stays(document: Document, target: TargetSpec | None) -> Kept:
    """Whether matrix and models fit another file's outcome."""
    old, before = document.matrix, document.target
    if before is None or target is None or before.column != target.column:
        return Kept(has_matrix=False, has_models=False)
    if old is None:
        return Kept(has_matrix=False, has_models=True)
    same = old.levels == (target.levels or (old.levels if not before.levels else ()))
    return Kept(has_matrix=same, has_models=True)


def rows_beside(document: Document, split: SplitSpec) -> RowUse:
    """The rows used, or others where no row has their use: test before training rows."""
    there = {use for _, use in split.meaning}
    if document.rows_used in (RowUse.ALL, *there) or not split.column or not there:
        return document.rows_used
    order = (RowUse.VALIDATION, RowUse.TEST, RowUse.TRAIN)
    return next((use for use in order if use in there), document.rows_used)


def split_beside(document: Document, split: SplitSpec, columns: tuple[str, ...]) -> SplitSpec:
    """The split with the row filter that was set, where its columns are there."""
    where = document.split.where
    if split.where or not where or not set(column_names(where)) <= set(columns):
        return split
    return replace(split, where=where)
