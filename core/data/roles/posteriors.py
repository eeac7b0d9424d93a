"""Which columns are posteriors or predictions, of which model and class.

Roles that the contents of columns show: chances of classes, the outcome that they are of.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from core.data.levels import printed
from core.data.probabilities import EXACT, decimals_of, sum_tolerance
from core.data.profile.summary import as_float
from core.data.roles.case_ids import numbers_rows
from core.data.roles.class_columns import SAID, ClassColumns
from core.data.roles.named_by_models import without_model
from core.data.roles.names import (
    bare_name,
    has_word,
    is_outcome_words,
    model_label,
    names_percent,
    names_score_alone,
    split_model_name,
    split_score_name,
)
from core.data.roles.predicted_classes import (
    leave_out_classes,
    leave_out_marks,
    leave_out_sureness,
)
from core.data.roles.ranking import (
    CLEAR,
    PREVIEW_ROWS,
    are_log_odds,
    class_area,
    is_less_likely,
    is_near,
    looks_like_probability,
    mixes_scales,
    ranks_against,
    with_events,
)
from core.data.roles.structure import (
    are_grades,
    is_event_name,
    listed_column,
    names_predicted_time,
)
from core.data.roles.tool_names import Meaning, tool_name
from core.data.roles.words import (
    ALGORITHM_WORDS,
    BUREAU_NAMES,
    COST_WORDS,
    COUNT_WORDS,
    EXPECTED_WORDS,
    LINK_NAMES,
    MARGIN_NAMES,
    MODELLED_WORDS,
    PLACE_NAMES,
    PREDICTION_WORDS,
    RISK_WORDS,
    SCALE_WORDS,
)
from core.document.data.events import fold
from core.document.data.expressions import quoted
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, TargetSpec
from core.document.results import CodedWarning, WarningCode
from payoff.counting import counted

__all__ = [
    "guess_scores",
]


_ROUNDED_SUM = 1e-4
_RARER = 10  # times, than chances up to 1 in their mean: in per cent the mean is nearer
_POINTS = ("score", "scores", "points", "punkte", "index", "rating")
_SHORT_SCALE = 20.0  # whole points up to it are no per cent: LACE, 0 to 19


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
    leave_out_marks(columns, levels, name, found)
    leave_out_classes(columns, levels, found, warnings)
    leave_out_sureness(table, columns, levels, name, found, warnings)
    if target is not None and target.kind == "interval":
        _guess_predictions(columns, name, found)
        listed = listed_column(columns, found)
        if listed is not None and are_grades(columns, target, listed):
            _guess_rankers(columns, listed.name, found)
        return
    if target is not None and len(levels) == 2:
        _guess_points(table, columns, target, found, warnings)
    models: dict[str, list[_Candidate]] = {}
    for column in columns:
        candidate = _candidate(column, levels, name, scored, found)
        if candidate is not None:
            models.setdefault(candidate.model, []).append(candidate)
    for model, group in models.items():
        is_small = _is_small_percent(table, group, target)
        _assign_group(table, model, group, levels, found, warnings, is_small=is_small)
    if len(levels) > 2:
        _leave_out_points(columns, levels, name, found, warnings)
    if target is None or len(levels) != 2:
        return
    _warn_mixed_scales(table, target, found, warnings)
    if not _has_scores(found):
        _guess_points(table, columns, target, found, warnings, BUREAU_NAMES)
        _guess_unnamed(table, columns, target, found, warnings)
    elif all(entry.role is not Role.POSTERIOR for entry in found.values()):
        said = (*PREDICTION_WORDS, *MODELLED_WORDS, *RISK_WORDS)
        named = tuple(column for column in columns if has_word(column.name, said))
        _guess_unnamed(table, named, target, found, warnings)


def _warn_mixed_scales(
    table: pa.Table, target: TargetSpec, found: dict[str, RoleAssignment], warnings: list[str]
) -> None:
    """Say of chances read as per cent that some look like shares: 0.35 beside 35."""
    event = printed(target.levels[0])
    for entry in [e for e in found.values() if e.role is Role.POSTERIOR and e.is_percent]:
        if not mixes_scales(table, entry.column, target.column, event):
            continue
        name = quoted(entry.column)
        words = (
            f"{entry.column} seems to hold shares in some rows and per cent in others: with those "
            f"up to 1 times 100 it ranks '{event}' far better. If so, derive "
            f"if({name} <= 1, 100 * {name}, {name}) and make that the chance."
        )
        warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, entry.column))


def settle_scored_class(
    table: pa.Table,
    target: TargetSpec,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> TargetSpec:
    """An outcome of several classes whose models say chances of one only is that class or not.

    Which one it is, the chances show: a loan's default beside what is repaid and what still runs.

    Returns
    -------
    TargetSpec
        Of two classes, the others taken together as the most frequent of them.
    """
    chances = [entry for entry in found.values() if entry.role is Role.POSTERIOR]
    models = {entry.model for entry in chances}
    is_one_each = 0 < len(models) == len(chances)
    if target.kind != "multiclass" or not is_one_each:
        return target
    areas = {
        level: sum(class_area(table, e.column, target.column, printed(level)) for e in chances)
        for level in target.levels
    }
    event = max(target.levels, key=lambda level: areas[level])
    if areas[event] < CLEAR * len(chances):
        return target
    rest = [level for level in target.levels if level != event]
    counts = Counter(map(printed, table.column(target.column).slice(0, PREVIEW_ROWS).to_pylist()))
    other = max(rest, key=lambda level: counts[printed(level)])
    rest.remove(other)
    word = target.label(event)
    for entry in chances:
        reason = entry.reason.replace(f"the chance of '{entry.level}'", f"the chance of '{event}'")
        found[entry.column] = replace(entry, level=event, reason=reason)
    shown = " and ".join(f"'{target.label(level)}'" for level in (other, *rest))
    words = (
        f"The chances in {', '.join(entry.column for entry in chances)} are of '{word}' alone: "
        f"{shown} in '{target.column}' count as one class. Leave rows out whose end is not known "
        "yet; please check."
    )
    warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, target.column))
    told = f"chances are there of '{word}' alone, so all others are one class: please check"
    outcome = found[target.column]
    found[target.column] = replace(outcome, reason=f"{outcome.reason.partition('; ')[0]}; {told}")
    return TargetSpec(
        column=target.column,
        kind="binary",
        levels=(event, other),
        labels=(word, f"not {word}"),
        spellings=tuple((level, other) for level in rest),
    )


def leave_out_twins(table: pa.Table, found: dict[str, RoleAssignment]) -> None:
    """Chances of one class that another column holds too, as SAS Enterprise Miner writes them.

    Left out is the one that is alone in its model; of two that are, the later one.
    """
    chances = [entry for entry in found.values() if entry.role is Role.POSTERIOR]
    sizes = Counter(entry.model for entry in chances)
    given = Counter((entry.model, entry.level) for entry in chances)
    for place, entry in enumerate(chances):
        for other in chances[:place]:
            names = (entry.column, other.column)
            is_open = all(found[name].role is Role.POSTERIOR for name in names)
            is_again = given[(entry.model, entry.level)] > 1
            spare = (one for one in (entry, other) if is_again or sizes[one.model] == 1)
            alone = next(spare, None)
            if alone is None or not is_open or other.level != entry.level:
                continue
            if table.column(other.column).equals(table.column(entry.column)):
                twin = other if alone is entry else entry
                reason = f"it holds the same chances as '{twin.column}'"
                found[alone.column] = RoleAssignment.guess(alone.column, Role.IGNORED, reason)
    for name in [name for name in table.column_names if name not in found]:
        kept = (e.column for e in found.values() if e.role is Role.POSTERIOR)
        double = next((other for other in kept if _are_twins(table, name, other)), "")
        if double:
            reason = f"it holds the chances in '{double}', or those of the other class"
            found[name] = RoleAssignment.guess(name, Role.IGNORED, reason)


def _are_twins(table: pa.Table, name: str, other: str) -> bool:
    """Whether a column holds the same numbers as another, or what they leave of 1."""
    column, chances = table.column(name), table.column(other)
    if column.equals(chances):
        return True
    if not (pa.types.is_floating(column.type) and pa.types.is_floating(chances.type)):
        return False
    sums = as_float(column.slice(0, PREVIEW_ROWS)) + as_float(chances.slice(0, PREVIEW_ROWS))
    return bool((np.abs(sums - 1.0) < _ROUNDED_SUM).all())


def settle_direction(
    table: pa.Table,
    target: TargetSpec,
    found: dict[str, RoleAssignment],
    warnings: list[str],
    *,
    is_open: bool,
) -> TargetSpec:
    """What chances are of, where their names do not say, is the class that they rank.

    Where words do not say which class is the event (``is_open``), it is that one. Of classes 1 and
    2 they never say: some write 1 for yes and 2 for no, others 1 for good and 2 for bad. Else the
    event stays, and the chances are of the other class.

    Returns
    -------
    TargetSpec
        With the other event where that was open.
    """
    if target.kind != "binary" or len(target.levels) != 2:
        return target
    event, other = target.levels
    levels = (printed(event), printed(other))
    is_coded = set(levels) == {"1", "2"}
    scored = [entry for entry in found.values() if entry.role in (Role.POSTERIOR, Role.SCORE)]
    against = [
        entry
        for entry in scored
        if entry.role is Role.POSTERIOR
        and entry.level == event
        and (is_coded or not _says_what_of(entry.column, levels, target.column))
        and _is_of_other(table, entry, target.column, levels[0])
    ]
    is_turned = bool(against) and (is_coded or is_open) and len(against) == len(scored)
    for entry in against if is_turned or not is_coded else ():
        reason = entry.reason.replace(f"the chance of '{event}'", f"the chance of '{other}'")
        found[entry.column] = replace(entry, level=other, reason=reason)
        if not is_turned:
            words = (
                f"{entry.column} is higher where '{event}' is less frequent: it is taken as the "
                f"chance of '{other}'; please check."
            )
            warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, entry.column))
    if not is_turned:
        return target
    words = f"'{other}' is taken as the event, since the chances are higher there: please check"
    outcome = found[target.column]
    found[target.column] = replace(outcome, reason=f"{outcome.reason.partition('; ')[0]}; {words}")
    labels = tuple(reversed(target.labels))
    return replace(target, levels=(other, event), labels=labels)


def _says_what_of(name: str, levels: tuple[str, ...], target: str) -> bool:
    """Whether the name of chances gives their class, or the outcome."""
    known, parts = tool_name(name, levels, target), split_score_name(name, levels, target)
    if (known is not None and known.level) or (parts is not None and parts[1]):
        return True
    words = [word for word in fold(name).split("_") if word not in SAID]
    return any(is_outcome_words(word, target) for word in words)


def _is_of_other(table: pa.Table, entry: RoleAssignment, outcome: str, event: str) -> bool:
    """Whether chances are lower where the event happened, and no larger than the other class is."""
    if not ranks_against(table, entry.column, outcome, event):
        return False
    chance, is_event = with_events(table, entry.column, outcome, event)
    mean, share = float(chance.mean()) / (100.0 if entry.is_percent else 1.0), is_event.mean()
    return bool(abs(mean - (1.0 - share)) <= abs(mean - share) + 0.1)


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
            found[name] = RoleAssignment.guess(
                name,
                Role.POSTERIOR,
                reason,
                model=label,
                level=known[level],
                is_percent=entry.is_percent,
            )


def _note_rounding(
    table: pa.Table, names: list[str], one: float, label: str, warnings: list[str]
) -> str:
    """Say where chances were rounded, so that they sum to 1 only nearly."""
    parts = [as_float(table.column(name).slice(0, PREVIEW_ROWS)) / one for name in names]
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
    free = [column for column in columns if column.name not in found]
    alike = [c for c in free if looks_like_probability(table, c, target.column, event)]
    if sum(map(_is_share, free)) > 2 * len(alike) + 2:
        return  # numbers from 0 to 1 are what this file measures
    for column in alike:
        is_percent = (column.maximum or 0.0) > 1.0
        found[column.name] = RoleAssignment.guess(
            column.name,
            Role.POSTERIOR,
            f"its values lie from 0 to {100 if is_percent else 1}, rank '{event}' and are "
            f"about as large as it is frequent{', as per cent' * is_percent}: please check",
            model=model_label(bare_name(column.name)),
            level=target.levels[0],
            is_percent=is_percent,
        )
        words = f"{column.name} is taken as chances of '{event}': please check."
        warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, column.name))


def _is_share(column: ColumnSummary) -> bool:
    """Many numbers from 0 to 1."""
    low, high = column.minimum, column.maximum
    is_within = low is not None and high is not None and low >= 0.0 and high <= 1.0
    return is_within and column.kind == "number" and not 0 <= column.distinct <= 10


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
    if column.minimum < 0 or (column.maximum or 0.0) > 100 or _is_baseline(column):
        return None
    known = tool_name(column.name, levels, target)
    if known is not None and known.meaning in (Meaning.CHANCE, Meaning.CLASS):
        return _Candidate(column, known.model, known.level, known.tool)
    parts = split_score_name(column.name, levels, target) or split_model_name(column.name, scored)
    if parts is None or has_word(column.name, (*COST_WORDS, *PLACE_NAMES)):
        return None  # "proba_percentile" is a place among the others
    if parts[1] is None and _is_short_scale(column):
        return None
    if column.kind == "integer" and column.distinct <= 2 and column.maximum in (0, 1, 100):
        return None  # 0/1 says a class, not a chance, and so do 0 and 100 %
    return _Candidate(column, parts[0], parts[1])


def _assign_group(
    table: pa.Table,
    model: str,
    group: list[_Candidate],
    levels: tuple[str, ...],
    found: dict[str, RoleAssignment],
    warnings: list[str],
    *,
    is_small: bool,
) -> None:
    """Roles of one model's columns; several columns must sum to 1 (or 100)."""
    high = max(entry.column.maximum or 0.0 for entry in group)
    is_percent = high > 1.0 or is_small
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
        is_alone = not model and names_score_alone(entry.column.name)
        is_own = entry.level is None and (len(group) > 1 or is_alone)
        name = model_label(bare_name(entry.column.name)) if is_own else label
        reason = _reason(entry, level) + note
        found[entry.column.name] = RoleAssignment.guess(
            entry.column.name,
            Role.POSTERIOR,
            reason,
            model=name,
            level=level,
            is_percent=is_percent,
        )


def _is_small_percent(table: pa.Table, group: list[_Candidate], target: TargetSpec | None) -> bool:
    """Whether a chance up to 1 is in per cent: its name says so, and the event is that rare."""
    column = group[0].column
    if len(group) > 1 or target is None or not target.levels or not names_percent(column.name):
        return False
    outcome = table.column(target.column).slice(0, PREVIEW_ROWS).drop_null()
    level = group[0].level or printed(target.levels[0])
    happened = sum(printed(value) == level for value in outcome.to_pylist())
    return 0 < _RARER * happened < (column.mean or 0.0) * len(outcome)


def _may_be_percent(group: list[_Candidate]) -> bool:
    """Scores such as 0 to 2 are no percentages; 0 to 90 may be, and what says per cent."""
    return all(names_percent(entry.column.name) for entry in group) or all(
        (entry.column.maximum or 0.0) > 5.0 or len(group) > 1 for entry in group
    )


def _reason(entry: _Candidate, level: str | None) -> str:
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
    places = {column.name for column in columns if has_word(column.name, PLACE_NAMES)}
    others = [column.name for column in columns if column.name not in places]
    if not any(split_score_name(name, levels, target.column) for name in others):
        places = set()  # the place by a score is a score where the file has no other
    for column in columns:
        if column.name in found or column.kind not in ("number", "integer"):
            continue
        if _is_baseline(column) or column.name in places:
            continue
        is_time = names_predicted_time(column.name) and is_event_name(fold(target.column))
        is_in_points = _is_in_points(column) or _is_in_points_to_100(table, column, target)
        is_in_points = is_in_points or _is_hazard(table, column, target)
        if (not is_in_points and not is_time) or numbers_rows(table, column):
            continue  # "Lp." of Polish lists is no linear predictor
        parts = split_score_name(column.name, levels, target.column)
        if is_time:
            parts = column.name, None
        is_risk = is_event_name(fold(target.column)) and has_word(column.name, RISK_WORDS)
        if has_word(column.name, names or LINK_NAMES) or (is_risk and not names):
            parts = column.name, None
        elif names:
            continue
        if fold(column.name) in MARGIN_NAMES:  # else an amount: what sold for more than it cost
            event = printed(target.levels[0])
            if not are_log_odds(table, column.name, target.column, event):
                continue
            parts = column.name, None
        elif parts is None or has_word(column.name, COST_WORDS):
            continue
        low, high = column.minimum or 0.0, column.maximum or 0.0
        is_reversed = is_less_likely(table, column.name, target)
        way = "less" if is_reversed else "more"
        named = "a predicted time" if is_time else "score"
        found[column.name] = RoleAssignment.guess(
            column.name,
            Role.SCORE,
            f"its name says {named}, and its values, {low:.4g} to {high:.4g}, are no "
            f"chances; where it is higher, '{levels[0]}' is {way} frequent: please check",
            model=model_label(parts[0] or column.name),
            is_reversed=is_reversed,
        )
        words = (
            f"{column.name}: its values, {low:.4g} to {high:.4g}, are no chances. It is taken as a "
            f"score, higher = {way} likely, that ranks cases; please check."
        )
        warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, column.name))


def _leave_out_points(
    columns: tuple[ColumnSummary, ...],
    levels: tuple[str, ...],
    target: str,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Scores in points rank one class against all others: beside more classes they are left out.

    As an input one would make a model of another one's answers.
    """
    for column in columns:
        is_number = column.name not in found and column.kind in ("number", "integer")
        is_in_points = _is_in_points(column) or _is_short_scale(column)
        if not is_number or not is_in_points or _is_baseline(column):
            continue
        is_named = has_word(column.name, LINK_NAMES)
        is_named = is_named or split_score_name(column.name, levels, target) is not None
        if not is_named or has_word(column.name, COST_WORDS):
            continue
        words = (
            f"its name says score, and points rank two classes; '{target}' has "
            f"{counted(len(levels), 'class', 'classes')}"
        )
        found[column.name] = RoleAssignment.guess(column.name, Role.IGNORED, words)
        remedy = (
            "To judge it, derive an outcome of two classes, such as "
            f'if({quoted(target)} = "{levels[0]}", 1, 0).'
        )
        warnings.append(left_out_warning(column.name, words, remedy))


def left_out_warning(name: str, why: str, remedy: str) -> CodedWarning:
    """What is said of a column that looks like a score, and would be judged in vain."""
    return CodedWarning(f"{name} is left out: {why}. {remedy}", WarningCode.GUESSED_ROLE, name)


def _is_baseline(column: ColumnSummary) -> bool:
    """Whether points were measured at a study's begin, or asked: chances of a model are none."""
    return (column.maximum or 0.0) > 1.0 and has_word(column.name, SCALE_WORDS)


def _is_in_points(column: ColumnSummary) -> bool:
    """Numbers that cannot be chances, neither of 1 nor of 100."""
    return column.minimum is not None and (column.minimum < 0 or (column.maximum or 0.0) > 100)


def _is_hazard(table: pa.Table, column: ColumnSummary, target: TargetSpec) -> bool:
    """Whether a risk beside an event is one of a Cox model, relative to 1: no chance, no per cent.

    Most are below 1 or a little above, some far above.
    """
    mean, high = column.mean or 0.0, column.maximum or 0.0
    is_named = has_word(column.name, RISK_WORDS) and not names_percent(column.name)
    is_relative = column.kind == "number" and high > 1.0 and mean < 0.2 * high and mean < 10.0
    if not (is_named and is_relative and is_event_name(fold(target.column))):
        return False
    _, is_event = with_events(table, column.name, target.column, printed(target.levels[0]))
    return not is_near(mean / 100.0, float(is_event.mean()) if len(is_event) else 0.0)


def _is_short_scale(column: ColumnSummary) -> bool:
    """Whole points up to 20 without a sign of percent."""
    is_short = 1.0 < (column.maximum or 0.0) <= _SHORT_SCALE and not names_percent(column.name)
    few = column.levels if 0 < column.distinct == len(column.levels) <= _SHORT_SCALE + 1 else ()
    return is_short and (
        column.kind == "integer" or (bool(few) and all(float(form).is_integer() for form, _ in few))
    )


def _is_in_points_to_100(table: pa.Table, column: ColumnSummary, target: TargetSpec) -> bool:
    """Numbers up to 100, as bureaus sell them, that are no per cent of the event.

    They are clearly lower where it happened, or as per cent far from its share (17 of 17 illnesses
    are no chance of 17 %) and whole or called a score, and their name gives them to no level.
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
    values, is_event = with_events(table, column.name, target.column, event)
    if not 0 < is_event.sum() < len(values):
        return False
    mean, share = float(values.mean()) / 100.0, float(is_event.mean())
    if fold(column.name).endswith(_POINTS) and not is_near(mean, share, within=1.5):
        return True
    return _is_short_scale(column) or (column.kind == "integer" and not is_near(mean, share))


def _sums_to_one(table: pa.Table, group: list[_Candidate], one: float) -> bool:
    """Whether the columns sum to one in the first 50,000 rows."""
    parts = [as_float(table.column(e.column.name).slice(0, PREVIEW_ROWS)) for e in group]
    sums = np.sum(parts, axis=0)
    sums = sums[~np.isnan(sums)]
    allowed = one * max(1e-4, sum_tolerance([part / one for part in parts]))
    return bool(len(sums) and np.abs(sums - one).max() <= allowed)


def _guess_rankers(
    columns: tuple[ColumnSummary, ...], listed: str, found: dict[str, RoleAssignment]
) -> None:
    """Numbers whose name says score, of any size: they order the cases of each list."""
    for column in columns:
        is_number = column.kind in ("number", "integer") and not 0 <= column.distinct <= 2
        parts = split_score_name(column.name, (), "") if is_number else None
        if parts is None or column.name in found or has_word(column.name, COST_WORDS):
            continue
        found[column.name] = RoleAssignment.guess(
            column.name,
            Role.PREDICTION,
            f"its name says score, and cases are ordered in the lists of '{listed}': please check",
            model=model_label(parts[0] or bare_name(column.name)),
        )


def is_expected_outcome(name: str, target: str) -> bool:
    """Whether a name is that of the outcome with a word for expected or for a model.

    "Expected claims", and "ExpectedClaims_GLM" beside "ClaimCount", but not "expected_revenue".
    """
    folded, outcome = fold(name), fold(target)
    parts = folded.split("_")
    rest = [part for part in parts if part not in EXPECTED_WORDS]
    if without_model(folded) == outcome or (len(rest) < len(parts) and "_".join(rest) == outcome):
        return True
    is_other = has_word(name, COST_WORDS) and not has_word(target, COST_WORDS)
    return len(rest) < len(parts) and not is_other and bool(_stems(rest) & _stems([outcome]))


def _stems(words: list[str]) -> set[str]:
    """Words of some letters without the s of a plural, and without those that say number."""
    parts = {part for word in words for part in word.split("_") if len(part) > 3}
    return {part.rstrip("s") for part in parts.difference(COUNT_WORDS)}


def _guess_predictions(
    columns: tuple[ColumnSummary, ...], target: str, found: dict[str, RoleAssignment]
) -> None:
    """Numbers whose name says prediction, for an interval target."""
    words = (*PREDICTION_WORDS, *ALGORITHM_WORDS)
    for column in columns:
        if column.name in found or column.kind not in ("number", "integer"):
            continue
        known = tool_name(column.name, (), target)
        if known is not None and known.meaning is Meaning.PREDICTION:
            model, reason = known.model, f"{known.tool} writes predictions under such a name"
        elif is_expected_outcome(column.name, target):
            model, reason = column.name, f"its name says what is expected of '{target}'"
        elif has_word(column.name, words) or column.name.lower().startswith("p_"):
            parts = column.name.replace(".", "_").split("_")
            model = "_".join(p for p in parts if p.casefold() not in (*PREDICTION_WORDS, "p"))
            reason = "its name says prediction, and the target is a number"
        else:
            continue
        found[column.name] = RoleAssignment.guess(
            column.name, Role.PREDICTION, reason, model=model_label(model)
        )
