"""Which columns are posteriors or predictions, of which model and class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from core.data.levels import printed
from core.data.probabilities import EXACT, decimals_of, sum_tolerance
from core.data.profile.summary import as_float
from core.data.roles.by_content import ClassColumns, looks_like_chance
from core.data.roles.tool_names import LEFT_OUT, Meaning, ToolName, tool_name
from core.data.roles.words import (
    COST_WORDS,
    PREDICTION_WORDS,
    has_word,
    model_label,
    split_score_name,
)
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, TargetSpec

_LOOK_ROWS = 50_000


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A column whose name says score: model and level as far as the name tells."""

    column: ColumnSummary
    model: str
    level: str | None
    tool: str = ""  # the program that writes the name so


def guess_scores(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec | None,
    found: dict[str, RoleAssignment],
    by_class: tuple[ClassColumns, ...],
    warnings: list[str],
) -> None:
    """Add posterior and prediction roles to ``found``."""
    if target is not None and by_class and by_class[0].outcome == target.column:
        _assign_classes(table, by_class, target, found, warnings)
    levels = tuple(printed(level) for level in target.levels) if target is not None else ()
    name = target.column if target is not None else ""
    _leave_out(columns, levels, name, found)
    if target is not None and target.kind == "interval":
        _guess_predictions(columns, name, found)
        return
    if target is not None and len(levels) == 2:
        _guess_points(table, columns, target, found, warnings)
    models: dict[str, list[_Candidate]] = {}
    for column in columns:
        candidate = _candidate(column, levels, name, found)
        if candidate is not None:
            models.setdefault(candidate.model, []).append(candidate)
    for model, group in models.items():
        _assign_group(table, model, group, levels, found, warnings)
    if target is not None and len(levels) == 2 and not _has_scores(found):
        _guess_unnamed(table, columns, target, found, warnings)


def _has_scores(found: dict[str, RoleAssignment]) -> bool:
    return any(entry.role in (Role.POSTERIOR, Role.SCORE) for entry in found.values())


def _assign_classes(
    table: pa.Table,
    by_class: tuple[ClassColumns, ...],
    target: TargetSpec,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Roles of columns named by the levels of the outcome, which sum to 1."""
    known = {printed(level): level for level in target.levels}
    for place, entry in enumerate(by_class, start=1):
        label = model_label(entry.model) if entry.model else "model"
        if label in {other.model for other in found.values()}:
            label = f"{label} {place}"
        one = 100.0 if entry.is_percent else 1.0
        names = [name for _, name in entry.columns]
        note = _note_rounding(table, names, one, label, warnings)
        for level, name in entry.columns:
            if level not in known:
                continue
            reason = f"the level '{level}' stands in its name, and the columns sum to {one:g}{note}"
            found[name] = RoleAssignment(
                column=name,
                role=Role.POSTERIOR,
                model=label,
                level=known[level],
                reason=reason,
                is_guess=True,
                is_percent=entry.is_percent,
            )


def _note_rounding(
    table: pa.Table, names: list[str], one: float, label: str, warnings: list[str]
) -> str:
    """Say where chances were rounded, so that they sum to 1 only nearly."""
    parts = [as_float(table.column(name).slice(0, _LOOK_ROWS)) / one for name in names]
    sums = np.sum(parts, axis=0)
    off = np.abs(sums[~np.isnan(sums)] - 1.0)
    if not len(off) or float(off.max()) <= EXACT or float(off.max()) > sum_tolerance(parts):
        return ""
    digits = max(map(decimals_of, parts))
    warnings.append(
        f"The chances of '{label}' are rounded to {digits} digits: those of each row are scaled to "
        "sum to 1."
    )
    return f"; rounded to {digits} digits, scaled to sum to 1"


def _guess_unnamed(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Numbers from 0 to 1 that rank the event and are about as large as it is frequent."""
    event = printed(target.levels[0])
    for column in columns:
        if column.name in found or not looks_like_chance(table, column, target.column, event):
            continue
        found[column.name] = RoleAssignment(
            column=column.name,
            role=Role.POSTERIOR,
            model=model_label(column.name),
            level=target.levels[0],
            reason=f"its values lie from 0 to 1, rank '{event}' and are about as large as it is "
            "frequent: please check",
            is_guess=True,
        )
        warnings.append(f"{column.name} is taken as chances of '{event}': please check.")


def _candidate(
    column: ColumnSummary, levels: tuple[str, ...], target: str, found: dict[str, RoleAssignment]
) -> _Candidate | None:
    """A number between 0 and 1 (or 100) whose name says score."""
    if column.name in found or column.kind not in ("number", "integer") or column.minimum is None:
        return None
    if column.minimum < 0 or (column.maximum or 0.0) > 100:
        return None
    known = tool_name(column.name, levels, target)
    if known is not None and known.meaning in (Meaning.CHANCE, Meaning.CLASS):
        return _Candidate(column, known.model, known.level, known.tool)
    parts = split_score_name(column.name, levels, target)
    if parts is None or has_word(column.name, COST_WORDS):
        return None
    if column.kind == "integer" and column.distinct <= 2 and (column.maximum or 0) <= 1:
        return None  # 0/1 says a class, not a chance
    return _Candidate(column, parts[0], parts[1])


def _assign_group(
    table: pa.Table,
    model: str,
    group: list[_Candidate],
    levels: tuple[str, ...],
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Roles of one model's columns; several columns must sum to 1 (or 100)."""
    high = max(entry.column.maximum or 0.0 for entry in group)
    is_percent = high > 1.0
    label = model_label(model)
    if is_percent and not _may_be_percent(group):
        return
    note = f"; values run to {high:.4g}: read as percent, please check" if is_percent else ""
    if is_percent:
        shown = ", ".join(entry.column.name for entry in group)
        warnings.append(f"{shown}: values run to {high:.4g} and are read as percent; please check.")
    given = [entry for entry in group if entry.level is not None]
    is_whole = 1 < len(given) == len(levels)
    one = 100.0 if is_percent else 1.0
    if is_whole:
        note += _note_rounding(table, [e.column.name for e in given], one, label, warnings)
    if is_whole and not _sums_to_one(table, given, one):
        warnings.append(f"The posteriors of '{label}' do not sum to 1 in every row: please check.")
        note += "; they do not sum to 1: please check"
    for entry in group:
        level = entry.level or (levels[0] if levels else None)
        name = (
            label if entry.level is not None or len(group) == 1 else model_label(entry.column.name)
        )
        reason = _reason(entry, group, level) + note
        found[entry.column.name] = RoleAssignment(
            column=entry.column.name,
            role=Role.POSTERIOR,
            model=name,
            level=level,
            reason=reason,
            is_guess=True,
            is_percent=is_percent,
        )


def _may_be_percent(group: list[_Candidate]) -> bool:
    """Scores such as 0 to 2 are no percentages; 0 to 90 may be."""
    return all((entry.column.maximum or 0.0) > 5.0 for entry in group) or len(group) > 1


def _reason(entry: _Candidate, group: list[_Candidate], level: str | None) -> str:
    """Why a column is a posterior."""
    low, high = entry.column.minimum or 0.0, entry.column.maximum or 0.0
    by = f"{entry.tool} writes chances under such a name" if entry.tool else "its name says score"
    seen = f"{by} and its values lie between {low:.3g} and {high:.3g}"
    if entry.level is not None:
        return f"{seen}; the name ends in the level '{level}'"
    if level is None:
        return f"{seen}; choose the target to give it a level"
    return f"{seen}; the only column of this model, so the chance of '{level}'"


def _guess_points(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Scores in points: a name that says score, and values that are no chances and no percent."""
    levels = tuple(printed(level) for level in target.levels)
    for column in columns:
        if column.name in found or not _is_in_points(column):
            continue
        parts = split_score_name(column.name, levels, target.column)
        if parts is None or has_word(column.name, COST_WORDS):
            continue
        low, high = column.minimum or 0.0, column.maximum or 0.0
        is_reversed = _is_less_likely(table, column.name, target)
        way = "less" if is_reversed else "more"
        found[column.name] = RoleAssignment(
            column=column.name,
            role=Role.SCORE,
            model=model_label(parts[0] or column.name),
            reason=f"its name says score, and its values, {low:.4g} to {high:.4g}, are no chances; "
            f"where it is higher, '{levels[0]}' is {way} frequent: please check",
            is_guess=True,
            is_reversed=is_reversed,
        )
        warnings.append(
            f"{column.name}: its values, {low:.4g} to {high:.4g}, are no chances. It is taken as a "
            f"score, higher = {way} likely, that ranks cases; please check."
        )


def _is_in_points(column: ColumnSummary) -> bool:
    """Numbers that cannot be chances, neither of 1 nor of 100."""
    if column.kind not in ("number", "integer") or column.minimum is None:
        return False
    return column.minimum < 0 or (column.maximum or 0.0) > 100


def _is_less_likely(table: pa.Table, column: str, target: TargetSpec) -> bool:
    """Whether events have lower scores on average, in the first 50,000 rows."""
    score = as_float(table.column(column).slice(0, _LOOK_ROWS))
    outcome = [printed(v) for v in table.column(target.column).slice(0, _LOOK_ROWS).to_pylist()]
    event, other = (np.array(outcome) == printed(level) for level in target.levels)
    known = ~np.isnan(score)
    if not (event & known).any() or not (other & known).any():
        return False
    return bool(score[event & known].mean() < score[other & known].mean())


def _sums_to_one(table: pa.Table, group: list[_Candidate], one: float) -> bool:
    """Whether the columns sum to one in the first 50,000 rows."""
    parts = [as_float(table.column(e.column.name).slice(0, _LOOK_ROWS)) for e in group]
    sums = np.sum(parts, axis=0)
    sums = sums[~np.isnan(sums)]
    allowed = one * max(1e-4, sum_tolerance([part / one for part in parts]))
    return bool(len(sums) and np.abs(sums - one).max() <= allowed)


def _leave_out(
    columns: tuple[ColumnSummary, ...],
    levels: tuple[str, ...],
    target: str,
    found: dict[str, RoleAssignment],
) -> None:
    """Predicted classes, decisions, residuals and marks of other programs are no inputs."""
    for column in columns:
        known = tool_name(column.name, levels, target) if column.name not in found else None
        if known is None or known.meaning not in LEFT_OUT or _may_be_chance(column, known):
            continue
        found[column.name] = RoleAssignment(
            column=column.name,
            role=Role.IGNORED,
            reason=f"{known.meaning}, as {known.tool} names it: it says nothing of its own",
            is_guess=True,
        )


def _may_be_chance(column: ColumnSummary, known: ToolName) -> bool:
    """A column called a predicted class that holds fractions: people call chances so too."""
    low, high = column.minimum, column.maximum
    if known.meaning is not Meaning.CLASS or column.kind != "number" or low is None or high is None:
        return False
    return low >= 0 and high <= 1 and not 0 <= column.distinct <= 2


def _guess_predictions(
    columns: tuple[ColumnSummary, ...], target: str, found: dict[str, RoleAssignment]
) -> None:
    """Numbers whose name says prediction, for an interval target."""
    for column in columns:
        if column.name in found or column.kind not in ("number", "integer"):
            continue
        known = tool_name(column.name, (), target)
        if known is not None and known.meaning is Meaning.PREDICTION:
            found[column.name] = RoleAssignment(
                column=column.name,
                role=Role.PREDICTION,
                model=model_label(known.model),
                reason=f"{known.tool} writes predictions under such a name",
                is_guess=True,
            )
            continue
        if has_word(column.name, PREDICTION_WORDS) or column.name.lower().startswith("p_"):
            parts = [
                p
                for p in column.name.replace(".", "_").split("_")
                if p.casefold() not in (*PREDICTION_WORDS, "p")
            ]
            found[column.name] = RoleAssignment(
                column=column.name,
                role=Role.PREDICTION,
                model=model_label("_".join(parts)),
                reason="its name says prediction, and the target is a number",
                is_guess=True,
            )


__all__ = ["guess_scores"]
