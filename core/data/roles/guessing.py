"""Roles of columns guessed from names and contents, each with its reason.

Every guess is marked as one; what a name alone or contents alone suggest says "please check".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.currency import money_of
from core.data.levels import printed
from core.data.probabilities import decimals_of
from core.data.profile.summary import as_float
from core.data.roles.case_ids import (
    OWN_TEXT,
    guess_code_id,
    guess_id,
    ids_first,
    is_code,
    leave_out_numbering,
)
from core.data.roles.class_columns import find_class_columns
from core.data.roles.names import has_word, model_label, split_score_name
from core.data.roles.outcomes import guess_target, is_form_state, names_outcome_too
from core.data.roles.posteriors import (
    guess_scores,
    leave_out_twins,
    left_out_warning,
    settle_direction,
    settle_scored_class,
)
from core.data.roles.ranking import are_highest, is_cut, is_place
from core.data.roles.structure import (
    LeakFinder,
    describes_afterwards,
    guess_structure,
    settle_censored,
    settle_competing,
    settle_grades,
    special_warnings,
    twin_warnings,
)
from core.data.roles.words import (
    ALGORITHM_WORDS,
    BODY_WORDS,
    CASE_LEVELS,
    CASE_WEIGHT_NAMES,
    CHANGE_WORDS,
    CLASS_WORDS,
    CONTROL_LEVELS,
    COST_WORDS,
    FOLD_NAMES,
    GROUP_COUNTS,
    GROUP_WORDS,
    LABEL_WORDS,
    LETTERED_BESIDE,
    LETTERED_NAMES,
    MODEL_COLUMNS,
    MODELLED_WORDS,
    PARTITION_NAMES,
    PLACE_NAMES,
    PREDICTION_WORDS,
    PROPENSITY_NAMES,
    REAL_COST_WORDS,
    RISK_WORDS,
    RULE_WORDS,
    SCORE_WORDS,
    TEST_FLAGS,
    TRAIN_FLAGS,
    TREATMENT_NAMES,
    USE_NAMES,
    VALIDATION_FLAGS,
    WEIGHT_BESIDE,
    WEIGHT_NAMES,
)
from core.data.splits import USE_SPELLINGS
from core.document.data.column_meaning import ExposureKind, exposure_kind, exposure_words
from core.document.data.events import PLAIN_ANSWERS, event_by_words, fold
from core.document.data.expressions import quoted
from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, SplitSpec, TargetSpec
from core.document.results import CodedWarning, WarningCode
from core.document.uplift.model import (
    control_of_others,
    guess_control,
    names_arms,
    names_control,
    names_effect,
)
from payoff.counting import counted, counted_of
from payoff.types import FloatArray

_ID_ROWS = 100_000
_EFFECT = "its name is that of a predicted effect: beside a treatment it ranks cases on page Uplift"
_FORM_STATE = "it says how far a form is filled in, as REDCap names it"
_FOLDS = "it numbers the folds of a cross-validation, by its name"
_MOST_FOLDS = 20
_FOLD = re.compile(r"(?:fold|resample|bootstrap)[ _-]?\d+", re.IGNORECASE)
_FREQUENCY = ("freq", "frequency", "frequenz", "fréquence", "frecuencia")
_CHOSEN = (*PREDICTION_WORDS, *CLASS_WORDS, *LABEL_WORDS, *RULE_WORDS)
_MOST_GROUPS = 10_000  # rows of a table of counts
_LARGEST_MEAN, _SPREAD = 5.0, 0.35  # of weights of cases that vary as little as weights of bodies
_OTHERWISE = 10.0  # times the outcome's sum, or as little of it
_NEAR, _FAR = 0.2, 0.3  # of the outcome's sum: predictions times exposure, and by themselves
_SCORED = (Role.POSTERIOR, Role.SCORE, Role.PREDICTION)
_PARTITIONS = {"0": RowUse.VALIDATION, "1": RowUse.TRAIN, "2": RowUse.TEST}
_CHANCE_OF = re.compile(
    r"(?:p|prob|probability|chance|propensity|wahrscheinlichkeit|probabilité)_"
    r"(?:(?:of|for|von|für|de|du|to)_)(?P<of>.+)|propensity_(?P<of_too>.+)"
)
_SYMBOLS = ("T", "W")
_LOOKED_AT = 1_000
_ALL_ROWS = (0.0, 0.0, 1.0)  # of train, validation and test: every row is evaluated


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessedRoles:
    """Roles, target, split, and what the user should be told."""

    roles: tuple[RoleAssignment, ...]
    target: TargetSpec | None
    split: SplitSpec
    warnings: tuple[str, ...]


def guess_roles(table: pa.Table, columns: tuple[ColumnSummary, ...]) -> GuessedRoles:
    """Guess every column's role.

    Parameters
    ----------
    table : pyarrow.Table
    columns : tuple of ColumnSummary
        Summaries in file order.
    """
    warnings: list[str] = []
    found: dict[str, RoleAssignment] = {}
    split = _guess_use(columns, found)
    by_class = find_class_columns(table, columns)
    treated = _treated(columns, found)
    target = guess_target(table, columns, found, by_class, treated, warnings)
    _guess_effects(columns, found)
    _guess_chance_of_arm(columns, treated, found)
    if target is not None:
        target = settle_competing(columns, target, found)
        target = settle_censored(table, columns, target, found)
        target = settle_grades(columns, target, found)
    guess_scores(table, columns, target, found, by_class, warnings)
    leave_out_twins(table, found)
    if target is not None:
        target = settle_scored_class(table, target, found, warnings)
        said = event_by_words(tuple(map(printed, target.levels)), target.column)
        target = settle_direction(table, target, found, warnings, is_open=said is None)
    _leave_out_arms(columns, _treated(columns, found), found, warnings)
    if split.column is None and any(entry.role in _SCORED for entry in found.values()):
        split = _guess_use_by_flag(columns, found)
    if target is not None:
        split = _with_rows_to_decide(table, split, target, warnings)
    guess_structure(columns, target, found, warnings)
    if split.column is None and any(entry.role in _SCORED for entry in found.values()):
        split = SplitSpec(shares=_ALL_ROWS)  # nothing is trained on rows that came with scores
    if target is not None and target.kind == "interval":
        _guess_exposures(columns, found)
        given = _predicted(table, columns, target, found)
        _leave_out_others(table, columns, target, given, found, warnings)
        _warn_rates(given, found, warnings)
    taken = {entry.role for entry in found.values()}
    names = tuple(column.name for column in columns)
    for column in ids_first(table, columns):
        if column.name not in found and is_form_state(column, names):
            found[column.name] = _assign(column.name, Role.IGNORED, _FORM_STATE)
        elif column.name not in found:
            guess = _guess_other(table, column, taken, warnings)
            found[column.name] = guess
            taken.add(guess.role)
    _guess_by_rows(table, columns, target, found, warnings)
    if target is not None:
        _warn_outcome(target, columns, warnings)
        _warn_leaks(table, columns, target, found, warnings)
    warnings += twin_warnings(table, columns, found)
    warnings += special_warnings(table, columns, found)
    if split.column is None:
        wholes = [c for c, e in found.items() if e.role in (Role.GROUP, Role.CLUSTER)]
        split = replace(split, together=wholes[0] if wholes else None)
    roles = tuple(found[column.name] for column in columns)
    return GuessedRoles(roles=roles, target=target, split=split, warnings=tuple(warnings))


_assign = RoleAssignment.guess


def _guess_use(columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]) -> SplitSpec:
    """The column that says what rows are for: name and spellings must fit."""
    for column in columns:
        if not column.levels or column.distinct > 6 or column.distinct < 1:
            continue
        forms = [level for level, _ in column.levels]
        if fold(column.name) in PARTITION_NAMES and {*map(printed, forms)} <= _PARTITIONS.keys():
            reason = "SAS writes 1 for training, 0 for validation and 2 for test under such a name"
            found[column.name] = _assign(column.name, Role.ROW_USE, reason)
            meaning = tuple((form, _PARTITIONS[printed(form)]) for form in forms)
            return SplitSpec(column=column.name, meaning=meaning)
        known = [form for form in forms if form.casefold() in USE_SPELLINGS]
        uses = {USE_SPELLINGS[form.casefold()] for form in known}
        is_named = has_word(column.name, USE_NAMES)
        if len(known) < len(forms) or not (is_named or len(uses) > 1):
            continue
        shown = ", ".join(forms)
        reason = f"its values ({shown}) are spellings of train, validation, test or to decide"
        found[column.name] = _assign(column.name, Role.ROW_USE, reason)
        meaning = tuple((form, USE_SPELLINGS[form.casefold()]) for form in forms)
        return SplitSpec(column=column.name, meaning=meaning)
    return SplitSpec()


def _guess_use_by_flag(
    columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> SplitSpec:
    """The first column whose yes says that a row is for a test, beside scores: "is_test"."""
    named = (
        (TEST_FLAGS, RowUse.TEST, RowUse.TRAIN),
        (VALIDATION_FLAGS, RowUse.VALIDATION, RowUse.TRAIN),
        (TRAIN_FLAGS, RowUse.TRAIN, RowUse.TEST),
    )
    for column in columns:
        forms = tuple(printed(form) for form, _ in column.levels)
        said = event_by_words(forms) if len(forms) == column.distinct == 2 else None
        if said is None or column.name in found:
            continue
        for names, use, other in named:
            if fold(column.name) not in names:
                continue
            meaning = tuple((form, use if form == said[0] else other) for form in forms)
            reason = f"its name says what a row is for: {use.value} where it is {said[0]}"
            found[column.name] = _assign(column.name, Role.ROW_USE, f"{reason}; please check")
            return SplitSpec(column=column.name, meaning=meaning)
    return SplitSpec()


def _guess_other(
    table: pa.Table,
    column: ColumnSummary,
    taken: set[Role],
    warnings: list[str],
) -> RoleAssignment:
    """Treatment, weight, id, cost, ignored or input; ``taken``: roles that other columns have."""
    name = column.name
    if column.missing == column.rows or column.distinct == 1:
        return _assign(name, Role.IGNORED, _constant_reason(column))
    if Role.WEIGHT not in taken and _names_weight(name) and _is_weight(table, column):
        words = (
            f"{name} is taken as a weight. Say in its role whether it is a frequency or a sampling "
            "weight: intervals differ."
        )
        warnings.append(CodedWarning(words, WarningCode.WEIGHT_KIND, name))
        return _assign(name, Role.WEIGHT, "its name says weight and no value is negative")
    treatment = _treatment_reason(column) if Role.TREATMENT not in taken else ""
    if treatment:
        return _assign(name, Role.TREATMENT, treatment)
    if fold(name) in PROPENSITY_NAMES and _is_open_probability(column):
        return _assign(name, Role.PROPENSITY, "its name is that of a chance of treatment")
    named = guess_id(table, column, taken, warnings)
    if named is not None:
        return named
    if has_word(name, REAL_COST_WORDS) and column.kind in ("integer", "number"):
        return _assign(name, Role.COST, "its name says cost, and its values are numbers")
    if is_code(column) or _numbers_folds(column):
        return _assign(name, Role.IGNORED, OWN_TEXT if is_code(column) else _FOLDS)
    return _assign(name, Role.INPUT, _input_reason(table, column))


def _numbers_folds(column: ColumnSummary) -> bool:
    """Whether a few numbers are those of a cross-validation's folds, or values say so: "Fold07"."""
    is_few = column.kind in ("integer", "text") and 2 <= column.distinct <= _MOST_FOLDS
    are_named = column.kind == "text" and all(map(_FOLD.fullmatch, dict(column.levels)))
    return is_few and (are_named or (column.kind == "integer" and fold(column.name) in FOLD_NAMES))


def _guess_exposures(columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]) -> None:
    """Exposures beside a count are offsets, not inputs; which of the two is said."""
    for column in columns:
        words = exposure_words(column) if column.name not in found else ""
        if words:
            found[column.name] = _assign(column.name, Role.IGNORED, words)


def _guess_by_rows(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec | None,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """What rows are, once every column has a role: groups of cases, cases of several models."""
    taken = {entry.role for entry in found.values()}
    if Role.WEIGHT not in taken and target is not None:
        _guess_count(table, columns, found, warnings)
    _warn_models_in_rows(columns, found, warnings)
    if Role.ID not in taken:
        guess_code_id(table, columns, found)
    leave_out_numbering(table, columns, found)
    _leave_out_arm_again(table, columns, found)
    _leave_out_places(table, columns, found)
    if target is not None:
        _leave_out_choices(table, columns, target, found)


def _leave_out_arm_again(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> None:
    """A column that says the arm once more is no input: a dummy "control" beside "treatment"."""
    arms = next((c for c in columns if found[c.name].role is Role.TREATMENT), None)
    for column in columns:
        if arms is None:
            return
        is_alike = found[column.name].role is Role.INPUT and column.distinct == arms.distinct
        if not is_alike or column.missing or arms.missing:
            continue
        both = table.select([arms.name, column.name])
        looks = (both.slice(0, _LOOKED_AT), both)  # most columns say otherwise at once
        if all(len(t.group_by(t.column_names).aggregate([])) <= arms.distinct for t in looks):
            reason = f"it says the arm in '{arms.name}' once more"
            found[column.name] = _assign(column.name, Role.IGNORED, reason)


def _leave_out_places(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> None:
    """The rank, decile or risk group of a case by a score says nothing of its own: no input."""
    scores = [name for name, entry in found.items() if entry.role in _SCORED]
    for column in columns:
        if found[column.name].role is not Role.INPUT:
            continue
        score = next((name for name in scores if is_place(table, column, name)), "")
        if score or _is_named_place(column):
            by = f"by '{score}'" if score else "among the others, by its name"
            reason = f"it is the place of a case {by}: please check"
            found[column.name] = _assign(column.name, Role.IGNORED, reason)


def _leave_out_choices(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec,
    found: dict[str, RoleAssignment],
) -> None:
    """Classes and decisions that follow from scores say nothing of their own: no inputs.

    The class with the highest chance; of two values those above and below one point of a score,
    where the name says decision or rule, or has the model's name, or they are the outcome's words:
    a flag of yes and no may be what makes the score.
    """
    levels = tuple(printed(level) for level in target.levels)
    scores = [entry for entry in found.values() if entry.role in _SCORED]
    models: dict[str, dict[str, str]] = {}
    for entry in scores:
        if entry.level is not None:
            models.setdefault(entry.model or "", {})[printed(entry.level)] = entry.column
    by_model = [chances for chances in models.values() if len(chances) == len(levels) > 1]
    for column in columns:
        forms = {printed(form) for form, _ in column.levels}
        if found[column.name].role is not Role.INPUT or not 2 <= column.distinct <= len(forms):
            continue
        is_level = forms <= set(levels)
        is_worded = not {form.casefold() for form in forms} & PLAIN_ANSWERS
        if is_level and any(are_highest(table, column.name, chances) for chances in by_model):
            reason = "it is the class with the highest chance: please check"
            found[column.name] = _assign(column.name, Role.IGNORED, reason)
            continue
        for entry in scores if column.distinct == 2 else ():
            words = {*fold(column.name).split("_")}
            is_named = bool(words & {*_CHOSEN, *fold(entry.model or "").split("_")})
            if (is_named or (is_level and is_worded)) and is_cut(table, column, entry.column):
                reason = f"it follows from '{entry.column}', cut at one point: please check"
                found[column.name] = _assign(column.name, Role.IGNORED, reason)
                break


def _is_named_place(column: ColumnSummary) -> bool:
    """Whether numbers are called rank, which tells rows apart, or decile and the like.

    What stands beside may say score: "proba_percentile"; an "income percentile" is measured.
    """
    parts = fold(column.name).split("_")
    places = [part for part in parts if part in PLACE_NAMES]
    said = (*PLACE_NAMES, *SCORE_WORDS, *RISK_WORDS, *MODELLED_WORDS, *PREDICTION_WORDS)
    is_number = column.kind in ("number", "integer")
    is_named = is_number and bool(places) and all(part in said for part in parts)
    is_rank = any(part.startswith(("rang", "rank")) for part in places)
    return is_named and (not is_rank or column.distinct > column.rows / 2 or len(parts) > 1)


def _guess_count(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """A count of cases is a weight where each row is a group of them, by its classes."""
    groups = [c for c in columns if found[c.name].role not in _SCORED and _is_class(c)]
    for column in columns:
        if fold(column.name) not in GROUP_COUNTS or column.kind != "integer":
            continue
        rest = [c for c in columns if c is not column and found[c.name].role not in _SCORED]
        if len(rest) != len(groups) or (column.minimum or 0.0) < 0.0 or column.rows > _MOST_GROUPS:
            continue
        names = [c.name for c in groups]
        if len(table.select(names).group_by(names).aggregate([])) < column.rows:
            continue
        reason = "each row is a group of cases, of which it gives the number: please check"
        found[column.name] = _assign(column.name, Role.WEIGHT, reason)
        words = (
            f"{column.name} is taken as a weight: each row is a group of so many cases. Say in its "
            "role that it is a frequency."
        )
        warnings.append(CodedWarning(words, WarningCode.WEIGHT_KIND, column.name))
        return


def _is_class(column: ColumnSummary) -> bool:
    is_few = 1 <= column.distinct <= len(column.levels)
    return is_few and fold(column.name) not in GROUP_COUNTS


def _warn_models_in_rows(
    columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment], warnings: list[str]
) -> None:
    """Say that scores of several models below one another are no scores of one."""
    scored = [name for name, entry in found.items() if entry.role in _SCORED]
    for column in columns:
        counts = {count for _, count in column.levels}
        is_named = fold(column.name) in MODEL_COLUMNS and column.kind == "text"
        if not is_named or not scored or column.distinct < 2 or len(counts) != 1:
            continue
        first = column.levels[0][0]
        words = (
            f"'{column.name}' names {counted(column.distinct, 'model')}, each in as many rows: "
            f"'{scored[0]}' holds the scores of all of them, and they count as those of one. Use "
            f'only the rows where {quoted(column.name)} = "{first}", or give each model a column '
            "of its own."
        )
        warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, column.name))


@dataclass(frozen=True, slots=True)
class _Predicted:
    """A number as the outcome, what is predicted of it, and what its rows were exposed to."""

    outcome: FloatArray
    predictions: dict[str, FloatArray]
    exposures: dict[str, FloatArray]


def _predicted(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec,
    found: dict[str, RoleAssignment],
) -> _Predicted:
    exposures = [c.name for c in columns if exposure_kind(c) is ExposureKind.PLAIN]
    predictions = [name for name, entry in found.items() if entry.role is Role.PREDICTION]
    return _Predicted(
        _numbers_of(table, target.column),
        {name: _numbers_of(table, name) for name in predictions},
        {name: _numbers_of(table, name) for name in exposures},
    )


def _warn_rates(given: _Predicted, found: dict[str, RoleAssignment], warnings: list[str]) -> None:
    """Say which predictions are per unit of exposure where the outcome is a count: by their sum."""
    if len(given.exposures) != 1:
        return
    ((exposed, exposure),) = given.exposures.items()
    if exposed not in found:
        return
    for name, prediction in given.predictions.items():
        if found[name].role is not Role.PREDICTION:
            continue
        is_known = ~np.isnan(given.outcome + exposure + prediction)
        total, plain = float(given.outcome[is_known].sum()), float(prediction[is_known].sum())
        times = float((prediction * exposure)[is_known].sum())
        if abs(times - total) > _NEAR * abs(total) or abs(plain - total) < _FAR * abs(total):
            continue
        words = (
            f"'{name}' adds up to {plain:,.4g} and the outcome to {total:,.4g}: times "
            f"'{exposed}' it adds up to {times:,.4g}, so it is per unit of exposure. Derive "
            f"{quoted(name)} * {quoted(exposed)} and make that the prediction."
        )
        warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, name))


def _leave_out_others(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec,
    given: _Predicted,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Predictions that add up to another column, and are far from the outcome, are of that one.

    A pure premium beside the number of claims and what they cost. Of predictions alone there is
    nothing else to judge.
    """
    total = float(np.nansum(given.outcome))
    numbers = [c.name for c in columns if c.kind == "number" and c.name not in given.predictions]
    for name, values in given.predictions.items():
        taken = (values, *(values * exposure for exposure in given.exposures.values()))
        sums = [float(np.nansum(part)) for part in taken]
        if min(total, *sums) <= 0.0 or min(max(s / total, total / s) for s in sums) < _OTHERWISE:
            continue
        other = next(
            (
                column
                for column in numbers
                if column != target.column
                and any(
                    abs(s - float(np.nansum(_numbers_of(table, column)))) <= _NEAR * s for s in sums
                )
            ),
            "",
        )
        if other:
            words = f"it adds up to '{other}', and not to the outcome: of that it is a prediction"
            remedy = f"To judge it, make '{other}' the outcome."
            found[name] = _assign(name, Role.IGNORED, f"{words}; please check")
            warnings.append(left_out_warning(name, words, remedy))


def _numbers_of(table: pa.Table, name: str) -> FloatArray:
    return as_float(table.column(name).slice(0, _ID_ROWS))


def _guess_effects(columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]) -> None:
    """Predicted effects rank cases by what a treatment changes, never by the outcome.

    Where no treatment is known they are inputs that name a model: scores once there is one.
    """
    treated = _treated(columns, found)
    told = f"its name is that of a predicted effect, and '{treated}' is the treatment: it ranks "
    for column in columns:
        if column.name in found or not _is_effect(column):
            continue
        found[column.name] = _assign(
            column.name,
            Role.SCORE if treated else Role.INPUT,
            told + "cases on page Uplift; please check" if treated else _EFFECT,
            model=model_label(column.name),
        )


def _guess_chance_of_arm(
    columns: tuple[ColumnSummary, ...], treated: str, found: dict[str, RoleAssignment]
) -> None:
    """A chance that a name says is of the treatment is none of the outcome: "chance_of_offer"."""
    for column in columns if treated else ():
        said = _CHANCE_OF.fullmatch(fold(column.name))
        is_of_arm = said is not None and (said["of"] or said["of_too"]) == fold(treated)
        if is_of_arm and column.name not in found and _is_open_probability(column):
            reason = f"by its name the chance of '{treated}', the treatment; please check"
            found[column.name] = _assign(column.name, Role.PROPENSITY, reason)


def _leave_out_arms(
    columns: tuple[ColumnSummary, ...],
    treated: str,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """What is predicted in each arm ranks nothing by itself: the difference of two does."""
    arms = {fold(form) for c in columns if c.name == treated for form, _ in c.levels}
    named = {
        name: fold(entry.model or "")
        for name, entry in found.items()
        if entry.role in _SCORED and treated and not names_effect(name)
    }
    control = [name for name, model in named.items() if names_control(model)]
    others = [
        name
        for name, model in named.items()
        if name not in control and (model.startswith("treat") or model in arms)
    ]
    if not control or not others:
        return
    for name in (*control, *others):
        reason = f"what is predicted in one arm of '{treated}': the difference of two ranks cases"
        found[name] = _assign(name, Role.IGNORED, f"{reason}; please check")
    effect = f"{quoted(others[0])} - {quoted(control[0])}"
    told = (
        f"'{others[0]}' and '{control[0]}' predict the outcome in one arm each, and cases are "
        f"ranked by what treating changes: derive {effect} and make it a score."
    )
    warnings.append(CodedWarning(told, WarningCode.GUESSED_ROLE, others[0]))


def _with_rows_to_decide(
    table: pa.Table, split: SplitSpec, target: TargetSpec, warnings: list[str]
) -> SplitSpec:
    """Rows that the file calls test rows are to be decided where none of them has an outcome."""
    tested = [value for value, use in split.meaning if use is RowUse.TEST]
    if split.column is None or not tested:
        return split
    values = pc.cast(table.column(split.column), pa.string())
    is_tested = pc.is_in(values, value_set=pa.array(tested, pa.string()))
    outcome = table.column(target.column).filter(is_tested)
    if outcome.null_count < len(outcome):
        return split
    shown = ", ".join(f"'{value}'" for value in tested)
    words = (
        f"No row of {shown} in '{split.column}' has an outcome: these rows are to be decided, and "
        "judge no model."
    )
    warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, split.column))
    meaning = tuple(
        (value, RowUse.TO_DECIDE if value in tested else use) for value, use in split.meaning
    )
    return replace(split, meaning=meaning)


def _treated(columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]) -> str:
    """The first column of arms; empty where there is none."""
    return next((c.name for c in columns if c.name not in found and _treatment_reason(c)), "")


def _is_effect(column: ColumnSummary) -> bool:
    """Whether a column's name and values are those of a predicted effect."""
    is_number = column.kind in ("number", "integer") and not 0 <= column.distinct <= 2
    return is_number and names_effect(column.name)


def _treatment_reason(column: ColumnSummary) -> str:
    """Why a column of two to five levels names arms: its name, or a control group among them."""
    if not 2 <= column.distinct <= 5:
        return ""
    folded = fold(column.name)
    forms = {form.casefold() for form, _ in column.levels}
    if forms & {*CASE_LEVELS} and forms & {*CONTROL_LEVELS}:
        return ""  # a study that sets the ill beside others
    if names_arms(tuple(forms)):
        return "its levels are short for a target and a control group: please check"
    letters = forms <= {*"abcde"}
    beside = (*LETTERED_NAMES, *LETTERED_BESIDE)
    is_lettered = letters and has_word(column.name, LETTERED_NAMES)
    is_lettered = is_lettered and all(p in beside or p.isdigit() for p in folded.split("_"))
    if _is_switch(column) and column.name in _SYMBOLS:
        return "T and W are written for a treatment of two arms: please check"
    if folded in TREATMENT_NAMES or folded.startswith("treat") or is_lettered:
        arms = counted(column.distinct, "arm")
        words = "two arms" if column.distinct == 2 else f"{arms}: please check"
        return f"its name is one of a treatment, with {words}"
    control = control_of_others(tuple(printed(form) for form, _ in column.levels))
    control = control or next((form for form, _ in column.levels if names_control(form)), "")
    if not control and (GROUP_WORDS.search(folded) or has_word(column.name, LETTERED_NAMES)):
        control = guess_control(tuple(printed(form) for form, _ in column.levels)) or ""
        control = "" if control.isdigit() or letters else control
    return f"its level '{control}' is that of a control group: please check" if control else ""


def _is_switch(column: ColumnSummary) -> bool:
    """Whether a column holds 0 and 1 and nothing else."""
    return column.distinct == 2 and (column.minimum, column.maximum) == (0, 1)


def _is_open_probability(column: ColumnSummary) -> bool:
    """Whether every value lies strictly between 0 and 1."""
    low, high = column.minimum, column.maximum
    return low is not None and high is not None and 0 < low <= high < 1


def _constant_reason(column: ColumnSummary) -> str:
    if column.missing == column.rows:
        return "it holds no value at all"
    return "it holds one value only" + (" beside missing ones" if column.missing else "")


def _names_weight(name: str) -> bool:
    """Whether a name is one of a weight of cases, and not that of a thing's weight."""
    parts = fold(name).split("_")
    rest = [part for part in parts if part not in (*WEIGHT_NAMES, *WEIGHT_BESIDE)]
    is_whole = fold(name) in WEIGHT_NAMES
    return is_whole or (
        has_word(name, WEIGHT_NAMES) and all(len(part) < 3 or part.isdigit() for part in rest)
    )


def _is_weight(table: pa.Table, column: ColumnSummary) -> bool:
    """Whether no number is negative, and they are not those of bodies.

    Bodies are all alike and far from 1, and weighed to a decimal at most; or the column says kg, or
    their heights stand beside it.
    """
    if column.kind not in ("integer", "number") or (column.minimum or 0.0) < 0.0:
        return False
    if _is_switch(column):
        return False  # whether a case counts, or is treated
    is_frequency = column.kind == "integer" or not has_word(column.name, _FREQUENCY)
    if has_word(column.name, _FREQUENCY) and any(fold(n) == "recency" for n in table.column_names):
        return False  # how often somebody buys
    if not is_frequency or has_word(column.name, (*ALGORITHM_WORDS, *CHANGE_WORDS)):
        return False  # how often something happens, not how many cases a row stands for
    mean, deviation = column.mean or 0.0, column.standard_deviation or 0.0
    is_spread = column.distinct < 0 or column.distinct > _MOST_FOLDS
    is_of_bodies = is_spread and mean > _LARGEST_MEAN and deviation < _SPREAD * mean
    if not is_of_bodies or fold(column.name) in CASE_WEIGHT_NAMES:
        return True
    is_fine = decimals_of(as_float(table.column(column.name))) > 1
    return is_fine and not any(has_word(name, BODY_WORDS) for name in table.column_names)


def _input_reason(table: pa.Table, column: ColumnSummary) -> str:
    """Plain words on why a column is an input."""
    sign = money_of(table, column.name)
    if sign:
        return f"an amount in {sign}: may serve as a cost or revenue in the matrix"
    if has_word(column.name, COST_WORDS):
        return "an amount: may serve as a cost or revenue in the matrix"
    return "nothing in its name or values says another role"


def _warn_leaks(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Inputs that give the outcome away are left out; those named for afterwards are told."""
    finder = LeakFinder(table, target)
    for column in columns:
        entry = found[column.name]
        if entry.role not in (Role.INPUT, Role.COST, Role.POSTERIOR, Role.SCORE):
            continue
        reason = finder.reason(column)
        if not reason and names_outcome_too(column):
            reason = finder.stage_reason(column)
        if reason and entry.role in _SCORED:
            told = (
                f"{column.name} gives the outcome away: {reason}. If it was set once the outcome "
                "was known, it is no model's score; please check."
            )
            warnings.append(CodedWarning(told, WarningCode.GUESSED_ROLE, column.name))
        elif reason:
            told = (
                f"{column.name} gives the outcome away: {reason}. It is left out; please check "
                "when it is known."
            )
            warnings.append(CodedWarning(told, WarningCode.GUESSED_ROLE, column.name))
            role = Role.IGNORED if entry.role is Role.INPUT else entry.role
            words = f"it gives the outcome away: {reason}; please check when it is known"
            found[column.name] = replace(entry, role=role, reason=words)
        elif describes_afterwards(column.name) and entry.role not in _SCORED:
            words = "may be measured after the outcome or the treatment, by its name"
            told = f"{column.name} {words}: please check."
            warnings.append(CodedWarning(told, WarningCode.GUESSED_ROLE, column.name))
            found[column.name] = replace(entry, reason=f"{entry.reason}; {words}: please check")


def _warn_outcome(
    target: TargetSpec, columns: tuple[ColumnSummary, ...], warnings: list[str]
) -> None:
    """Warn of missing outcomes and of a target with one class."""
    column = next(entry for entry in columns if entry.name == target.column)
    if column.missing:
        warnings.append(
            f"{counted_of(column.missing, column.rows, 'row', verbs='has/have')} no outcome "
            f"in '{target.column}': "
            "they can be decided, and count in no figure."
        )
    if target.kind != "interval" and column.distinct == 1:
        only = column.levels[0][0] if column.levels else target.levels[-1]
        warnings.append(
            f"The outcome '{target.column}' needs 2 classes, found 1 ('{only}' in every row): "
            "cases can be decided, but no model can be judged by them."
        )


__all__ = ["GuessedRoles", "guess_roles", "split_score_name"]
