"""Whether a rule fits another file: the columns it needs, and the levels it knows."""

from __future__ import annotations

from core.data.levels import encode_levels, printed
from core.data.table import LoadedTable
from core.document.model import Document, Role
from payoff.errors import PayoffError


def check_same_roles(
    table: LoadedTable, document: Document, models: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Check another file against a document's roles.

    Parameters
    ----------
    table : LoadedTable
        The other file. It needs no outcome.
    document : Document
    models : tuple of str
        The models the rule uses; all if empty.

    Returns
    -------
    tuple of str
        Warnings: no outcome, outcomes that are none of the levels.

    Raises
    ------
    PayoffError
        Naming every column the rule needs and the file lacks, with the likeliest candidates.
    """
    missing = [name for name in needed_columns(document, models) if name not in table.kinds]
    if missing:
        shown = ", ".join(f"'{name}'" for name in missing)
        raise PayoffError(
            f"The file lacks {'a column' if len(missing) == 1 else 'columns'} the rule needs: "
            f"{shown}.",
            where=table.path,
            why=_candidates(missing, table.columns),
            remedy="Rename the columns as they are called in the project's data.",
        )
    warnings: list[str] = []
    target = document.target
    if target is None:
        return ()
    if target.column not in table.kinds:
        warnings.append(
            f"The file has no outcome ('{target.column}'): totals are expected ones only."
        )
    elif target.levels:
        _, found = encode_levels(table, target.column)
        known = {printed(level) for level in target.levels}
        known |= {printed(spelling) for spelling, _ in target.spellings}
        strange = [level for level in found if level not in known]
        if strange:
            shown = ", ".join(f"'{level}'" for level in strange[:8])
            warnings.append(f"Outcomes that are none of the project's levels: {shown}.")
    return tuple(warnings)


def needed_columns(document: Document, models: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Columns without which a rule cannot be applied.

    Posteriors, scores and predictions of imported models, inputs of trained ones, costs and
    amounts.
    """
    wanted = models or tuple(model.name for model in document.models)
    names = [
        entry.column
        for entry in document.roles
        if entry.role in (Role.POSTERIOR, Role.SCORE, Role.PREDICTION) and entry.model in wanted
    ]
    for model in document.models:
        if model.trained is not None and model.name in wanted:
            names += model.trained.features
            names += [model.trained.offset] if model.trained.offset is not None else []
    if document.matrix is not None:
        names += [cost.column for cost in document.matrix.costs if cost.column is not None]
        names += [document.matrix.amount] if document.matrix.amount is not None else []
    return tuple(dict.fromkeys(names))


def _candidates(missing: list[str], columns: tuple[str, ...]) -> str:
    """Columns of the file whose names differ only in case or joints."""
    folded = {"".join(c for c in name.casefold() if c.isalnum()): name for name in columns}
    hints = []
    for name in missing:
        near = folded.get("".join(c for c in name.casefold() if c.isalnum()))
        if near is not None:
            hints.append(f"'{near}' may be '{name}'")
    return f"{'; '.join(hints)}." if hints else ""
