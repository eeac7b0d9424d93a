"""What programs write of a case beside the chances of its classes, and what is no input.

Predicted classes, how sure a model is of them, decisions, residuals and marks.
"""

from __future__ import annotations

import re

import pyarrow as pa

from core.data.levels import printed
from core.data.roles.class_columns import bare_of_sureness, labels_beside, may_be_share
from core.data.roles.names import has_word, model_label, split_score_name
from core.data.roles.ranking import is_cut
from core.data.roles.tool_names import LEFT_OUT, Meaning, ToolName, tool_name
from core.data.roles.words import (
    CLASS_WORDS,
    CONFIDENCE_WORDS,
    LABEL_WORDS,
    PREDICTION_WORDS,
)
from core.document.data.events import fold
from core.document.data.expressions import quoted
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment

_ROUNDED = 1e-6


def leave_out_marks(
    columns: tuple[ColumnSummary, ...],
    levels: tuple[str, ...],
    target: str,
    found: dict[str, RoleAssignment],
) -> None:
    """Predicted classes, decisions, residuals and marks of other programs are no inputs."""
    for column in columns:
        known = tool_name(column.name, levels, target) if column.name not in found else None
        beside = tool_name(target, (), "")
        if beside is not None and beside.meaning is Meaning.SURVIVAL:
            left_out = LEFT_OUT  # the times belong to this outcome
        else:
            left_out = LEFT_OUT | {Meaning.SURVIVAL}
        if known is None or known.meaning not in left_out or _may_be_probability(column, known):
            continue
        reason = f"{known.meaning}, as {known.tool} names it: it says nothing of its own"
        found[column.name] = RoleAssignment.guess(column.name, Role.IGNORED, reason)


def leave_out_classes(
    columns: tuple[ColumnSummary, ...],
    levels: tuple[str, ...],
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Classes that a model has chosen are no inputs: levels of the outcome under such a name.

    Nor is its confidence in them. Its columns are told by the name that they share.
    """
    confidences = {
        _shared_name(column.name, CONFIDENCE_WORDS): column
        for column in columns
        if may_be_share(column) and has_word(column.name, CONFIDENCE_WORDS)
    }
    chosen = (*PREDICTION_WORDS, *CLASS_WORDS, *LABEL_WORDS)
    for column in columns:
        forms = {form for form, _ in column.levels}
        is_class = bool(forms) and column.distinct == len(forms) and forms <= set(levels)
        if column.name in found or not is_class:
            continue
        confidence = confidences.get(_shared_name(column.name, chosen))
        if has_word(column.name, (*PREDICTION_WORDS, *CLASS_WORDS)) or confidence is not None:
            reason = "its name says prediction, and its values are classes of the outcome"
            found[column.name] = RoleAssignment.guess(column.name, Role.IGNORED, reason)
        if confidence is None or confidence.name in found:
            continue
        reason = f"{Meaning.PROBABILITY_OF_CLASS}, which stands in '{column.name}'"
        found[confidence.name] = RoleAssignment.guess(confidence.name, Role.IGNORED, reason)
        if len(levels) == 2:
            warnings.append(_to_derive(confidence, column, levels[0]))


def leave_out_sureness(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    levels: tuple[str, ...],
    target: str,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """A chance never below that of all classes alike, beside predicted classes, is that of theirs.

    "Probability" beside "Prediction": read as the event's it would turn half of the cases round.
    Were it one class's chance, the predicted class would follow from it.
    """
    chosen = [
        column
        for column in columns
        if column.name != target
        and 2 <= column.distinct == len(column.levels)
        and {printed(form) for form, _ in column.levels} <= set(levels)
        and (column.name in found or has_word(column.name, (*PREDICTION_WORDS, *CLASS_WORDS)))
    ]
    labels = {
        shared: label
        for shared, label in labels_beside(columns).items()
        if label.name != target and {printed(form) for form, _ in label.levels} <= set(levels)
    }
    for column in columns if (chosen or labels) and len(levels) > 1 else ():
        low, high = column.minimum, column.maximum
        one = 100.0 if high is not None and high > 1.0 else 1.0
        if column.kind != "number" or column.name in found or low is None or high is None:
            continue
        beside = labels.get(bare_of_sureness(column.name))
        if beside is not None and may_be_share(column):
            _leave_out_labelled(table, column, beside, levels, found, warnings)
            continue
        known = split_score_name(column.name, levels, target)
        is_open = known is None or known[1] is None
        said = (*PREDICTION_WORDS, *CONFIDENCE_WORDS)
        is_open = is_open and (known is not None or has_word(column.name, said))
        if not is_open or low < one / len(levels) - _ROUNDED or high > one:
            continue
        of = next((c for c in chosen if c.distinct > 2 or not is_cut(table, c, column.name)), None)
        if of is None:
            continue
        reason = f"{Meaning.PROBABILITY_OF_CLASS}, which stands in '{of.name}': never below " + (
            f"{one / len(levels):.3g}"
        )
        found[column.name] = RoleAssignment.guess(column.name, Role.IGNORED, reason)
        has_chances = any(entry.role is Role.POSTERIOR for entry in found.values())
        if len(levels) == 2 and not has_chances:
            warnings.append(_to_derive(column, of, levels[0]))


def _leave_out_labelled(
    table: pa.Table,
    column: ColumnSummary,
    label: ColumnSummary,
    levels: tuple[str, ...],
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """A chance whose class stands beside it in every row: of one class, or of another by row."""
    only = printed(label.levels[0][0])
    if label.distinct == 1:
        found[column.name] = RoleAssignment.guess(
            column.name,
            Role.POSTERIOR,
            f"the chance of '{only}', which stands beside it in '{label.name}'",
            model=model_label(re.sub(r"_?\d+\Z", "", bare_of_sureness(column.name))),
            level=only,
            is_percent=(column.maximum or 0.0) > 1.0,
        )
    elif not is_cut(table, label, column.name):
        reason = f"it is the chance of the class that stands beside it in '{label.name}'"
        found[column.name] = RoleAssignment.guess(column.name, Role.IGNORED, reason)
        if len(levels) == 2:
            warnings.append(_to_derive(column, label, levels[0]))


def _to_derive(sure: ColumnSummary, of: ColumnSummary, event: str) -> str:
    """What makes the event's chance of that of the predicted class."""
    name, one = quoted(sure.name), 100 if (sure.maximum or 0.0) > 1.0 else 1
    return (
        f"'{sure.name}' is {Meaning.PROBABILITY_OF_CLASS}, in '{of.name}'. To judge it, derive the "
        f"chance of '{event}': if({quoted(of.name)} = \"{event}\", {name}, {one} - {name})."
    )


def _shared_name(name: str, words: tuple[str, ...]) -> str:
    """A folded name without some words: what model1_label and model1_confidence share."""
    return "_".join(part for part in fold(name).split("_") if part not in words)


def _may_be_probability(column: ColumnSummary, known: ToolName) -> bool:
    """A column called a predicted class that holds fractions: people call chances so too."""
    low, high = column.minimum, column.maximum
    if known.meaning is not Meaning.CLASS or column.kind != "number" or low is None or high is None:
        return False
    return low >= 0 and high <= 1 and not 0 <= column.distinct <= 2
