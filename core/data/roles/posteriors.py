"""Which columns are posteriors or predictions, of which model and class.

Roles that the contents of columns show: chances of classes, the outcome that they are of.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.levels import printed
from core.data.probabilities import EXACT, decimals_of, sum_tolerance
from core.data.profile.summary import as_float
from core.data.roles.structure import is_event_name, names_predicted_time
from core.data.roles.tool_names import LEFT_OUT, Meaning, ToolName, tool_name
from core.data.roles.words import (
    BUREAU_NAMES,
    CLASS_WORDS,
    COST_WORDS,
    EXPECTED_WORDS,
    LINK_NAMES,
    PREDICTION_WORDS,
    RATIO_WORDS,
    fold,
    has_word,
    model_label,
    split_model_name,
    split_score_name,
)
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, TargetSpec
from core.document.results import CodedWarning, WarningCode
from payoff.types import BoolArray, FloatArray

__all__ = [
    "guess_scores",
]


_PREVIEW_ROWS = 50_000
_RANKED_ROWS = 5_000
_MOST_CLASSES = 20
_MOST_WORDS = 4  # of a level in a column's name
_CLEAR = 0.6  # ROC area from which a column of numbers from 0 to 1 is taken as a chance
_SCORE_WORDS = ("p", "prob", "probability", "proba", "score", "posterior", "pred", "chance", "pd")


@dataclass(frozen=True, slots=True)
class ClassColumns:
    """The chances of one model: a column for each level of an outcome."""

    outcome: str
    model: str
    columns: tuple[tuple[str, str], ...]  # (level, column)
    is_percent: bool


def find_class_columns(
    table: pa.Table, columns: tuple[ColumnSummary, ...]
) -> tuple[ClassColumns, ...]:
    """Sets of columns named by the levels of one column, that sum to 1 (or 100) in every row.

    Parameters
    ----------
    table : pyarrow.Table
    columns : tuple of ColumnSummary
        Summaries in file order.

    Returns
    -------
    tuple of ClassColumns
        Of the one outcome that most of them speak of; empty where there is none.
    """
    shares = [entry for entry in columns if _may_be_share(entry)]
    if len(shares) < 2:
        return ()
    named = _by_part_of_name(shares)
    best: tuple[ClassColumns, ...] = ()
    for outcome in columns:
        if 2 <= outcome.distinct <= _MOST_CLASSES and len(outcome.levels) == outcome.distinct:
            found = tuple(_sets_of(table, outcome, named))
            if len(found) > len(best):
                best = found
    return best


def _by_part_of_name(shares: list[ColumnSummary]) -> dict[str, list[tuple[str, str]]]:
    """A level that a name may begin or end with -> the rest of the name, and the column."""
    named: dict[str, list[tuple[str, str]]] = {}
    for column in shares:
        words = fold(column.name).split("_")
        for count in range(1, min(_MOST_WORDS, len(words)) + 1):
            ends = {("_".join(words[-count:]), "_".join(words[:-count]))}
            ends.add(("_".join(words[:count]), "_".join(words[count:])))
            for level, rest in ends:
                named.setdefault(level, []).append((rest, column.name))
    return named


def _may_be_share(column: ColumnSummary) -> bool:
    """Numbers from 0 to 1, or to 100."""
    low, high = column.minimum, column.maximum
    is_number = column.kind in ("number", "integer") and low is not None and high is not None
    return bool(is_number and low is not None and high is not None and 0.0 <= low <= high <= 100.0)


def _sets_of(
    table: pa.Table, outcome: ColumnSummary, named: dict[str, list[tuple[str, str]]]
) -> Iterable[ClassColumns]:
    """The sets named by the levels of one column."""
    levels = {fold(printed(form)): printed(form) for form, _ in outcome.levels}
    if len(levels) < len(outcome.levels) or not all(level in named for level in levels):
        return
    groups: dict[str, dict[str, str]] = {}
    for folded, level in levels.items():
        for model, column in named[folded]:
            if column != outcome.name:
                groups.setdefault(model, {}).setdefault(level, column)
    for model, members in groups.items():
        if len(members) < len(levels):
            continue
        columns = [members[level] for level in levels.values()]
        one = _sums_to(table, columns)
        if one:
            pairs = tuple((level, members[level]) for level in levels.values())
            yield ClassColumns(outcome.name, _model_name(model, columns), pairs, one > 1.0)


def _sums_to(table: pa.Table, names: list[str]) -> float:
    """1 or 100 where the columns sum to it in every row, by their own digits; else 0."""
    parts = [as_float(table.column(name).slice(0, _PREVIEW_ROWS)) for name in names]
    sums = np.sum(parts, axis=0)
    sums = sums[~np.isnan(sums)]
    for one in (1.0, 100.0) if len(sums) else ():
        allowed = one * max(1e-4, sum_tolerance([part / one for part in parts]))
        if float(np.abs(sums - one).max()) <= allowed:
            return one
    return 0.0


def _model_name(folded: str, names: list[str]) -> str:
    """The model's name as the columns write it, without words that say chance."""
    parts = [part for part in folded.split("_") if part and part not in _SCORE_WORDS]
    raw = names[0]
    words = [word for word in _words(raw) if fold(word) in parts]
    return " ".join(words)


def _words(name: str) -> list[str]:
    for joint in "_.-()[]":
        name = name.replace(joint, " ")
    return name.split()


def looks_like_probability(
    table: pa.Table, column: ColumnSummary, outcome: str, event: str
) -> bool:
    """Whether numbers from 0 to 1 rank the event and are about as large as it is frequent.

    Numbers up to 100 are percentages where the name says chance. What is called a rate or a ratio
    is none: an interest rate ranks defaults just so.

    Parameters
    ----------
    table : pyarrow.Table
    column : ColumnSummary
        Its values.
    outcome, event : str
        The outcome's column and the printed form of its event; two classes.
    """
    low, high = column.minimum, column.maximum
    is_named = split_score_name(column.name, (), outcome) is not None
    one = 100.0 if is_named and high is not None and high > 1.0 else 1.0
    if column.kind != "number" or low is None or high is None or low < 0.0 or high > one:
        return False
    if 0 <= column.distinct <= 10 or has_word(column.name, RATIO_WORDS):
        return False
    probability, is_event = _with_events(table, column.name, outcome, event)
    area = _area(probability, is_event)
    share = float(is_event.mean()) if len(is_event) else 0.0
    is_near = len(probability) > 0 and _is_near(float(probability.mean()) / one, share)
    return bool(area is not None and area >= _CLEAR and is_near)


def _is_near(mean: float, share: float) -> bool:
    """Whether chances of this mean may be those of an event of this share."""
    return 0.5 * share <= mean <= 2.0 * share


def ranks_against(table: pa.Table, column: str, outcome: str, event: str) -> bool:
    """Whether numbers are clearly lower where the event happened.

    Parameters
    ----------
    table : pyarrow.Table
    column : str
        Of numbers.
    outcome, event : str
        The outcome's column and the printed form of its event; two classes.
    """
    area = _area(*_with_events(table, column, outcome, event))
    return area is not None and area <= 1.0 - _CLEAR


def _with_events(
    table: pa.Table, column: str, outcome: str, event: str
) -> tuple[FloatArray, BoolArray]:
    """The numbers of the first rows where the outcome is known, and which are events."""
    values = as_float(table.column(column).slice(0, _RANKED_ROWS))
    coded = pc.dictionary_encode(table.column(outcome).slice(0, _RANKED_ROWS)).combine_chunks()
    codes = pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False)
    events = np.array([printed(form) == event for form in coded.dictionary.to_pylist()], dtype=bool)
    known = ~np.isnan(values) & (codes >= 0)
    return values[known], events[codes[known]]


def _area(probability: FloatArray, is_event: BoolArray) -> float | None:
    """The area under the ROC curve; None with fewer than five cases of a class."""
    count, others = int(is_event.sum()), int((~is_event).sum())
    if min(count, others) < 5:
        return None
    rank = np.empty(len(probability))
    order = np.argsort(probability, kind="stable")
    _, first, sizes = np.unique(probability[order], return_index=True, return_counts=True)
    rank[order] = np.repeat(first + (sizes + 1) / 2.0, sizes)
    return float((rank[is_event].sum() - count * (count + 1) / 2.0) / (count * others))


_CLASSES = 20  # whole numbers of no more values may be classes


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
    scored = _scored_models(columns, levels, name)
    _leave_out(columns, levels, name, found)
    _leave_out_classes(columns, levels, found)
    if target is not None and target.kind == "interval":
        _guess_predictions(columns, name, found)
        return
    if target is not None and len(levels) == 2:
        _guess_points(table, columns, target, found, warnings)
    models: dict[str, list[_Candidate]] = {}
    for column in columns:
        candidate = _candidate(column, levels, name, scored, found)
        if candidate is not None:
            models.setdefault(candidate.model, []).append(candidate)
    for model, group in models.items():
        _assign_group(table, model, group, levels, found, warnings)
    if target is not None and len(levels) == 2 and not _has_scores(found):
        _guess_points(table, columns, target, found, warnings, BUREAU_NAMES)
        _guess_unnamed(table, columns, target, found, warnings)


def settle_coded_event(
    table: pa.Table, target: TargetSpec, found: dict[str, RoleAssignment]
) -> TargetSpec:
    """Of classes 1 and 2 the event is the one that the chances in the file rank.

    Some write 1 for yes and 2 for no, others 1 for good and 2 for bad: the names do not say.
    """
    if target.kind != "binary" or {printed(level) for level in target.levels} != {"1", "2"}:
        return target
    scored = [entry for entry in found.values() if entry.role in (Role.POSTERIOR, Role.SCORE)]
    event, other = target.levels
    are_against = all(
        entry.role is Role.POSTERIOR
        and entry.level == event
        and ranks_against(table, entry.column, target.column, printed(event))
        for entry in scored
    )
    if not scored or not are_against:
        return target
    for entry in scored:
        reason = entry.reason.replace(f"the chance of '{event}'", f"the chance of '{other}'")
        found[entry.column] = replace(entry, level=other, reason=reason)
    words = f"'{other}' is taken as the event, since the chances are higher there: please check"
    outcome = found[target.column]
    found[target.column] = replace(outcome, reason=f"{outcome.reason.partition('; ')[0]}; {words}")
    return replace(target, levels=(other, event))


def name_predicted_columns(columns: tuple[ColumnSummary, ...]) -> dict[str, str]:
    """Columns of numbers that a prediction names -> the prediction: SalePrice, predicted_price."""
    numbers = {
        fold(column.name): column.name
        for column in columns
        if column.kind in ("number", "integer") and not 0 <= column.distinct <= 2
    }
    predictions = {name for name in numbers if any(p in PREDICTION_WORDS for p in name.split("_"))}
    classes = {fold(c.name) for c in columns if c.kind == "integer" and 0 <= c.distinct <= _CLASSES}
    named: dict[str, str] = {}
    for name in sorted(predictions - classes):  # predicted_class of classes 1 to 5 is none
        rest = "_".join(part for part in name.split("_") if part not in PREDICTION_WORDS)
        described = [other for other in numbers if other not in predictions and rest in other]
        if len(rest) > 2 and len(described) == 1:
            named[numbers[described[0]]] = numbers[name]
    return named


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
    parts = [as_float(table.column(name).slice(0, _PREVIEW_ROWS)) / one for name in names]
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
        if column.name in found or not looks_like_probability(table, column, target.column, event):
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
        words = f"{column.name} is taken as chances of '{event}': please check."
        warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, column.name))


def _scored_models(
    columns: tuple[ColumnSummary, ...], levels: tuple[str, ...], target: str
) -> tuple[str, ...]:
    """Folded names of models that stand in names of scores: "Model A score" gives model_a."""
    numbers = [column.name for column in columns if column.kind in ("number", "integer")]
    parts = [split_score_name(name, levels, target) for name in numbers]
    return tuple(fold(part[0]) for part in parts if part is not None and part[0])


def _candidate(
    column: ColumnSummary,
    levels: tuple[str, ...],
    target: str,
    scored: tuple[str, ...],
    found: dict[str, RoleAssignment],
) -> _Candidate | None:
    """A number between 0 and 1 (or 100) whose name says score, or a model as another score's."""
    if column.name in found or column.kind not in ("number", "integer") or column.minimum is None:
        return None
    if column.minimum < 0 or (column.maximum or 0.0) > 100:
        return None
    known = tool_name(column.name, levels, target)
    if known is not None and known.meaning in (Meaning.CHANCE, Meaning.CLASS):
        return _Candidate(column, known.model, known.level, known.tool)
    parts = split_score_name(column.name, levels, target) or split_model_name(column.name, scored)
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
    names: tuple[str, ...] = (),
) -> None:
    """Scores in points: a name that says score, and values that are no chances and no percent.

    With ``names`` only columns of these words, which may be inputs where there are other scores.
    """
    levels = tuple(printed(level) for level in target.levels)
    for column in columns:
        if column.name in found or column.kind not in ("number", "integer"):
            continue
        is_time = names_predicted_time(column.name) and is_event_name(fold(target.column))
        is_in_points = _is_in_points(column) or _is_in_points_to_100(table, column, target)
        if not is_in_points and not is_time:
            continue
        parts = split_score_name(column.name, levels, target.column)
        if is_time:
            parts = column.name, None
        if has_word(column.name, names or LINK_NAMES):
            parts = column.name, None
        elif names:
            continue
        if parts is None or has_word(column.name, COST_WORDS):
            continue
        low, high = column.minimum or 0.0, column.maximum or 0.0
        is_reversed = _is_less_likely(table, column.name, target)
        way = "less" if is_reversed else "more"
        named = "a predicted time" if is_time else "score"
        found[column.name] = RoleAssignment(
            column=column.name,
            role=Role.SCORE,
            model=model_label(parts[0] or column.name),
            reason=f"its name says {named}, and its values, {low:.4g} to {high:.4g}, are no "
            f"chances; where it is higher, '{levels[0]}' is {way} frequent: please check",
            is_guess=True,
            is_reversed=is_reversed,
        )
        words = (
            f"{column.name}: its values, {low:.4g} to {high:.4g}, are no chances. It is taken as a "
            f"score, higher = {way} likely, that ranks cases; please check."
        )
        warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, column.name))


def _is_in_points(column: ColumnSummary) -> bool:
    """Numbers that cannot be chances, neither of 1 nor of 100."""
    return column.minimum is not None and (column.minimum < 0 or (column.maximum or 0.0) > 100)


def _is_in_points_to_100(table: pa.Table, column: ColumnSummary, target: TargetSpec) -> bool:
    """Numbers up to 100, as bureaus sell them, that are no per cent of the event.

    They are clearly lower where it happened, or whole and as per cent far from its share (17 of 17
    illnesses are no chance of 17 %), and their name gives them to no level.
    """
    levels, event = tuple(printed(level) for level in target.levels), printed(target.levels[0])
    high = column.maximum or 0.0
    parts = split_score_name(column.name, levels, target.column) if high > 5.0 else None
    is_open = parts is not None and parts[1] is None
    is_open = is_open and tool_name(column.name, levels, target.column) is None
    if not is_open:
        return False
    if ranks_against(table, column.name, target.column, event):
        return True
    values, is_event = _with_events(table, column.name, target.column, event)
    if column.kind != "integer" or not 0 < is_event.sum() < len(values):
        return False
    return not _is_near(float(values.mean()) / 100.0, float(is_event.mean()))


def _is_less_likely(table: pa.Table, column: str, target: TargetSpec) -> bool:
    """Whether events have lower scores on average, in the first 50,000 rows."""
    score = as_float(table.column(column).slice(0, _PREVIEW_ROWS))
    outcome = [printed(v) for v in table.column(target.column).slice(0, _PREVIEW_ROWS).to_pylist()]
    event, other = (np.array(outcome) == printed(level) for level in target.levels)
    known = ~np.isnan(score)
    if not (event & known).any() or not (other & known).any():
        return False
    return bool(score[event & known].mean() < score[other & known].mean())


def _sums_to_one(table: pa.Table, group: list[_Candidate], one: float) -> bool:
    """Whether the columns sum to one in the first 50,000 rows."""
    parts = [as_float(table.column(e.column.name).slice(0, _PREVIEW_ROWS)) for e in group]
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
        if known is None or known.meaning not in LEFT_OUT or _may_be_probability(column, known):
            continue
        found[column.name] = RoleAssignment(
            column=column.name,
            role=Role.IGNORED,
            reason=f"{known.meaning}, as {known.tool} names it: it says nothing of its own",
            is_guess=True,
        )


def _leave_out_classes(
    columns: tuple[ColumnSummary, ...], levels: tuple[str, ...], found: dict[str, RoleAssignment]
) -> None:
    """Classes that a model has chosen are no inputs: levels of the outcome under such a name."""
    for column in columns:
        forms = {form for form, _ in column.levels}
        is_class = bool(forms) and column.distinct == len(forms) and forms <= set(levels)
        if column.name in found or not is_class:
            continue
        if has_word(column.name, (*PREDICTION_WORDS, *CLASS_WORDS)):
            reason = "its name says prediction, and its values are classes of the outcome"
            found[column.name] = RoleAssignment(
                column=column.name, role=Role.IGNORED, reason=reason, is_guess=True
            )


def _may_be_probability(column: ColumnSummary, known: ToolName) -> bool:
    """A column called a predicted class that holds fractions: people call chances so too."""
    low, high = column.minimum, column.maximum
    if known.meaning is not Meaning.CLASS or column.kind != "number" or low is None or high is None:
        return False
    return low >= 0 and high <= 1 and not 0 <= column.distinct <= 2


def is_expected_outcome(name: str, target: str) -> bool:
    """Whether a name is that of the outcome with a word for expected: "Expected claims"."""
    parts = fold(name).split("_")
    rest = "_".join(part for part in parts if part not in EXPECTED_WORDS)
    return rest != fold(name) and rest == fold(target)


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
        if is_expected_outcome(column.name, target):
            found[column.name] = RoleAssignment(
                column=column.name,
                role=Role.PREDICTION,
                model=model_label(column.name),
                reason=f"its name says what is expected of '{target}'",
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
