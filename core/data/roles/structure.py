"""What columns show of the whole table.

Columns that say which rows belong together, and the parts of a survival outcome.

Columns that hold the same values under two names.

Columns that may be known only after the outcome, or that give it away.

Two signs: a name that speaks of afterwards, and values that tell the classes apart almost without
fault. The second is looked for in up to 10,000 rows spread over the file.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.levels import printed
from core.data.profile.summary import as_float
from core.data.roles.names import has_word, model_label, without_answers
from core.data.roles.ranking import with_events
from core.data.roles.words import (
    CLASS_WORDS,
    EXPECTED_WORDS,
    LINK_NAMES,
    MEDICAL_EVENTS,
    PREDICTION_WORDS,
    RELEVANCE_WORDS,
)
from core.document.data.events import fold, names_censoring
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, TargetSpec
from core.document.results import CodedWarning, WarningCode
from payoff.counting import counted
from payoff.types import BoolArray, FloatArray

CLUSTER_NAMES = (
    "cluster",
    "cluster_id",
    "household",
    "household_id",
    "hh_id",
    "family",
    "family_id",
    "hospital",
    "hospital_id",
    "clinic",
    "clinic_id",
    "school",
    "school_id",
    "site_id",
    "group_id",
)
LIST_NAMES = ("qid", "query_id", "srch_id", "search_id")
"""Of lists, whatever is to be ordered in them."""
GROUP_NAMES = (*LIST_NAMES, "query", "session_id")
"""Of lists where the outcome is a grade of few steps; else of rows that belong together."""
EVENT_NAMES = (
    "event",
    "status",
    "died",
    "death",
    "dead",
    "censored",
    "cens",
    "cnsr",
    "zensiert",
    "censuré",
    "censurado",
    "event_observed",
    "gestorben",
    "verstorben",
    "_d",  # of Stata's stset
    *MEDICAL_EVENTS,
)
_TIME_UNITS = frozenset(
    [
        "months",
        "days",
        "weeks",
        "years",
        "monate",
        "monaten",
        "tage",
        "tagen",
        "wochen",
        "jahre",
        "jahren",
        "mois",
        "jours",
        "semaines",
        "années",
        "ans",
    ]
)
_EVENT_WORDS = ("status", "event", "cens", "censor", "censored", "indicator")
_FOLLOWED = frozenset(
    [
        "dfs",
        "efs",
        "rfs",
        "vital",
        "time",
        "survival",
        "follow",
        "followup",
        "os",
        "pfs",
        "zeit",
        "überlebenszeit",
        "überleben",
        "dauer",
        "beobachtung",
        "suivi",
        "survie",
        "durée",
        "délai",
    ]
)
EXIT_NAMES = (
    "aval",  # of CDISC, beside CNSR
    "time",
    "exit",
    "exit_time",
    "stop",
    "tstop",
    "stop_time",
    "survival_time",
    "futime",
    "ftime",
    "survtime",
    "tte",
    "fu_time",
    "followup_time",
    "duration",
    "follow_up_time",
    "time_to_event",
    "months",
    "days",
    "weeks",
    "years",
    "survival_months",
    "survival_days",
    "os_months",
    "os_days",
    "time_months",
    "time_days",
    "monate",
    "tage",
    "dauer",
    "mois",
    "jours",
    "durée",
    "t",
    "_t",  # of Stata's stset
)
_ENDS_IN_TIME = re.compile(
    r"(?:os|pfs|pfi|dss|dfs|dfi|rfs|efs|dmfs|ttp|surv(?:ival)?|fu|follow_?up)_?time|lenfol|fu_?days"
)
"""Names of times that registers and textbooks follow their cases for: "OS.time", "rfstime"."""
_MOST_GRADES, _FEW_GRADES = 20, 6  # beside a list by its name, and beside what may be none
_SPECIAL = (
    *(-1.0, -9.0, -8.0, -7.0, -88.0, -77.0, -99.0, -999.0, -998.0, -9999.0, -9998.0, -99999.0),
    *(98.0, 99.0, 997.0, 998.0, 999.0, 9997.0, 9998.0, 9999.0, 99999.0, 999999.0),
)
_FEWEST_OTHERS, _MOST_TOLD = 4, 6  # different numbers beside special ones; columns of a message
_NOT_COUNTED = (Role.IGNORED, Role.ID, Role.ROW_USE)
ENTRY_NAMES = ("entry", "entry_time", "tstart", "start_time", "delayed_entry", "_t0")


def guess_structure(
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec | None,
    found: dict[str, RoleAssignment],
    warnings: list[str],
) -> None:
    """Add clusters, groups, and the other columns of a survival outcome to ``found``."""
    named = {fold(column.name): column for column in columns if column.name not in found}
    is_number = target is not None and target.kind == "interval"
    listed = listed_column(columns, found)
    are_graded = is_number and target is not None and are_grades(columns, target, listed)
    _guess_first(
        named,
        CLUSTER_NAMES if are_graded else (*CLUSTER_NAMES, *GROUP_NAMES[len(LIST_NAMES) :]),
        Role.CLUSTER,
        found,
        "its name says that rows belong together, and its values occur again",
    )
    _guess_first(
        named,
        GROUP_NAMES if are_graded else LIST_NAMES,
        Role.GROUP,
        found,
        "its name says list or query, and its values occur again",
    )
    if target is not None:
        _guess_survival(named, target, found)
        _warn_unwatched(target, found, warnings)


def _guess_first(
    named: dict[str, ColumnSummary],
    names: tuple[str, ...],
    role: Role,
    found: dict[str, RoleAssignment],
    reason: str,
) -> None:
    """The first column of such a name whose values occur again."""
    for name in names:
        column = named.get(name)
        if column is None or column.distinct == 1 or not _repeats(column):
            continue
        found[column.name] = RoleAssignment.guess(column.name, role, reason)
        return


def _repeats(column: ColumnSummary) -> bool:
    """Whether values occur again; not told where there are too many to count."""
    return 0 <= column.distinct < 0.9 * (column.rows - column.missing)


def _guess_survival(
    named: dict[str, ColumnSummary], target: TargetSpec, found: dict[str, RoleAssignment]
) -> None:
    """Times beside an outcome called event, or the event beside an outcome called time."""
    outcome = fold(target.column)
    if target.kind == "interval" and outcome in EXIT_NAMES:
        for name in EVENT_NAMES:
            column = named.get(name)
            if column is not None and column.distinct == 2:
                _assign(found, column, Role.EVENT, f"says whether '{target.column}' was reached")
                _guess_risks(named, target.column, found)
                break
    elif is_event_name(outcome) and (target.kind == "binary" or still_watched(target)):
        _assign_time(named, EXIT_NAMES, Role.EXIT, found, "when observation ended")
    else:
        return
    _assign_time(named, ENTRY_NAMES, Role.ENTRY, found, "when a case came under observation")


def _guess_risks(
    named: dict[str, ColumnSummary], time: str, found: dict[str, RoleAssignment]
) -> None:
    """Linear predictors and hazards beside a time say who reaches it sooner: scores, no inputs."""
    for column in named.values():
        is_number = column.kind in _NUMBERS and not 0 <= column.distinct <= 2
        if not is_number or column.name in found:
            continue
        if has_word(column.name, (*LINK_NAMES, "hazard")):
            found[column.name] = RoleAssignment.guess(
                column.name,
                Role.SCORE,
                f"by its name a model's score: a higher one ends '{time}' sooner; please check",
                model=model_label(column.name),
            )


def _warn_unwatched(
    target: TargetSpec, found: dict[str, RoleAssignment], warnings: list[str]
) -> None:
    """Say what reading an event as yes or no makes of cases that were watched for a while only."""
    time = next((name for name, entry in found.items() if entry.role is Role.EXIT), "")
    if time:
        event, censored = target.label(target.event), still_watched(target)
        words = (
            f"'{time}' looks like the time up to which '{target.column}' was watched. Read as "
            f"{'classes' if censored else 'yes or no'}, a case that left early counts as one that "
            "will never have it. To count times, "
            f"make '{time}' the outcome: '{event}' in '{target.column}' then says that the event "
            "was seen"
        )
        words += f"; any other end counts as '{censored}' does (competing risks)." * bool(censored)
        words += "." * (not censored)
        warnings.append(CodedWarning(words, WarningCode.GUESSED_ROLE, time))


def listed_column(
    columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> ColumnSummary | None:
    """The column whose name says list and whose values occur again, as far as its role is open."""
    named = (c for c in columns if fold(c.name) in GROUP_NAMES and _repeats(c))
    return next((c for c in named if c.name not in found), None)


def may_be_grade(column: ColumnSummary, listed: ColumnSummary) -> bool:
    """Whether a column holds a few whole numbers from 0 beside a list.

    Of two values they are grades by a name alone: others say what somebody did.
    """
    most = _MOST_GRADES if fold(listed.name) in LIST_NAMES else _FEW_GRADES
    fewest = 2 if has_word(column.name, RELEVANCE_WORDS) else 3
    is_few = column.minimum == 0 and fewest <= column.distinct <= most and column.kind in _NUMBERS
    return is_few and all(float(form).is_integer() for form, _ in column.levels)


def are_grades(
    columns: tuple[ColumnSummary, ...], target: TargetSpec, listed: ColumnSummary | None
) -> bool:
    """Whether the values of the outcome may be grades of the lists in a column."""
    outcome = next(column for column in columns if column.name == target.column)
    return listed is not None and may_be_grade(outcome, listed)


def settle_grades(
    columns: tuple[ColumnSummary, ...], target: TargetSpec, found: dict[str, RoleAssignment]
) -> TargetSpec:
    """Whole numbers from 0 beside a column of lists are grades, which have an order: no classes."""
    listed = listed_column(columns, found)
    if target.kind == "interval" or listed is None or not are_grades(columns, target, listed):
        return target
    reason = found[target.column].reason.partition(", with ")[0].partition("; ")[0]
    words = f"{reason}; grades of the lists in '{listed.name}', so numbers: please check"
    found[target.column] = replace(found[target.column], reason=words)
    return TargetSpec(column=target.column, kind="interval")


def still_watched(target: TargetSpec) -> str:
    """The level of an outcome of several ends that says that none was seen; empty for none.

    Censored by its word, or 0 where the levels are 0, 1, 2 and so on: competing risks.
    """
    levels = tuple(printed(level) for level in target.levels)
    if target.kind != "multiclass" or not is_event_name(fold(target.column)):
        return ""
    if sorted(levels) == [str(code) for code in range(len(levels))]:
        return "0"
    return next((level for level in levels if names_censoring(level)), "")


def settle_competing(
    columns: tuple[ColumnSummary, ...], target: TargetSpec, found: dict[str, RoleAssignment]
) -> TargetSpec:
    """The event of several ends beside a time is 1, or an end: never the rarest code."""
    named = {fold(column.name): column for column in columns if column.name not in found}
    censored = still_watched(target)
    if not censored or _time_of(named, EXIT_NAMES, Role.EXIT) is None:
        return target
    first = "1" if censored == "0" else target.event
    if first == censored:
        first = next(level for level in target.levels if level != censored)
    reason = found[target.column].reason.partition("; ")[0]
    words = f"'{first}' is taken as the event, '{censored}' as no end that was seen"
    found[target.column] = replace(found[target.column], reason=f"{reason}; {words}: please check")
    rest = tuple(level for level in target.levels if level != first)
    return replace(target, levels=(first, *rest))


def settle_censored(
    table: pa.Table,
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec,
    found: dict[str, RoleAssignment],
) -> TargetSpec:
    """The event of an outcome called "cens", which is written both ways: 1 = censored, 1 = seen.

    Whoever is watched the longest is censored more often than others: studies end.

    Returns
    -------
    TargetSpec
        With the other event where the times say so.
    """
    parts = fold(target.column).split("_")
    is_short = any(part.startswith(("cens", "zens")) for part in parts)
    if target.kind != "binary" or not is_short or names_censoring(target.column):
        return target
    named = {fold(column.name): column for column in columns if column.name not in found}
    time = _time_of(named, EXIT_NAMES, Role.EXIT)
    entry = found[target.column]
    event, other = target.levels
    more = 0.0 if time is None else _more_at_end(table, time.name, target.column, printed(event))
    if abs(more) < _SURE:
        words = f"whether '{event}' is the event or says censored is not clear: please check"
    elif more < 0.0:
        words = f"'{event}' is the event, since it is rarer among the longest times: please check"
    else:
        words = f"'{other}' is the event: '{event}' is more frequent among the longest times, as "
        words += "censored cases are; please check"
        target = replace(target, levels=(other, event), labels=tuple(reversed(target.labels)))
    reason = f"{entry.reason.partition('; ')[0]}; {words}"
    found[target.column] = replace(entry, reason=reason)
    return target


def _more_at_end(table: pa.Table, time: str, outcome: str, level: str) -> float:
    """Standard errors by which a level is more frequent among the longest tenth of the times."""
    times, is_level = with_events(table, time, outcome, level, PREVIEW_ROWS)
    if len(times) < FEWEST:
        return 0.0
    is_long = times >= np.quantile(times, 0.9)
    count, others = int(is_long.sum()), int((~is_long).sum())
    share = float(is_level.mean())
    if not count or not others or share in (0.0, 1.0):
        return 0.0
    error = np.sqrt(share * (1.0 - share) * (1.0 / count + 1.0 / others))
    return float((is_level[is_long].mean() - is_level[~is_long].mean()) / error)


def _time_of(
    named: dict[str, ColumnSummary], names: tuple[str, ...], role: Role
) -> ColumnSummary | None:
    """The first column of numbers from 0 whose name says a time of that role.

    Where none does, the only one whose name has a unit of time is when observation ended.
    """
    known = [named[name] for name in names if name in named]
    if role is Role.EXIT:
        known += [column for name, column in named.items() if _is_follow_up(name)]
        in_units = [c for name, c in named.items() if name.split("_")[-1] in _TIME_UNITS]
        known += in_units if len(in_units) == 1 else []
    numbers = (c for c in known if c.kind in _NUMBERS and c.distinct not in (1, 2))
    may_be = (c for c in numbers if (c.minimum or 0.0) >= 0.0)
    return next(may_be, None)


def _assign_time(
    named: dict[str, ColumnSummary],
    names: tuple[str, ...],
    role: Role,
    found: dict[str, RoleAssignment],
    words: str,
) -> None:
    column = _time_of(named, names, role)
    if column is not None:
        _assign(found, column, role, f"by its name {words}, beside an event")


def is_event_name(folded: str) -> bool:
    """Whether a name says that a survival time was reached: "OS_status"."""
    folded = without_answers(folded)
    parts = folded.split("_")
    is_named = parts[-1] in _EVENT_WORDS and any(part in _FOLLOWED for part in parts[:-1])
    is_told = len(parts) > 1 and all(part in (*EVENT_NAMES, *_EVENT_WORDS) for part in parts)
    is_vital = folded.startswith("vital_status")  # of cancer registers, with words behind
    return folded in EVENT_NAMES or is_named or is_told or is_vital  # "death_event"


def names_predicted_time(name: str) -> bool:
    """Whether a name speaks of a time that a model predicts: "predicted_survival_months"."""
    parts = fold(name).split("_")
    is_time = any(part in _TIME_UNITS or part in _FOLLOWED for part in parts)
    return is_time and has_word(name, (*PREDICTION_WORDS, *CLASS_WORDS, *EXPECTED_WORDS))


def _is_follow_up(folded: str) -> bool:
    """Whether a name speaks of a time that was watched, with its unit: "Suivi (mois)"."""
    parts = folded.split("_")
    is_named = any(p in _TIME_UNITS for p in parts) and any(p in _FOLLOWED for p in parts)
    return is_named or _ENDS_IN_TIME.fullmatch(folded) is not None


def _assign(
    found: dict[str, RoleAssignment], column: ColumnSummary, role: Role, reason: str
) -> None:
    found[column.name] = RoleAssignment.guess(column.name, role, f"{reason}: please check")


def special_warnings(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> list[str]:
    """Numbers such as 9999 or -1 that stand far from all others and may say "not known"."""
    told = []
    for column in columns:
        is_number = column.kind in _NUMBERS and not 0 <= column.distinct <= _FEWEST_OTHERS
        is_far = column.maximum in _SPECIAL or column.minimum in _SPECIAL
        if not is_number or not is_far or found[column.name].role in _NOT_COUNTED:
            continue
        numbers = as_float(table.column(column.name).slice(0, PREVIEW_ROWS))
        values, counts = np.unique(numbers[~np.isnan(numbers)], return_counts=True)
        is_special = np.isin(values, _SPECIAL) & (counts > 1)
        others = values[~is_special]
        if len(others) < _FEWEST_OTHERS:
            continue
        is_special &= (values > 3.0 * others[-1]) | ((values < 0.0) & (others[0] >= 0.0))
        rows = int(counts[is_special].sum())
        if rows and len(values) - int(is_special.sum()) == len(others):
            codes = " and ".join(f"{value:g}" for value in values[is_special])
            told.append(f"{codes} in '{column.name}' ({counted(rows, 'row')})")
    if not told:
        return []
    shown = ", ".join(told[:_MOST_TOLD]) + ", ..." * bool(told[_MOST_TOLD:])
    return [
        f"Numbers far from all others may say that a value is not known: {shown}. They count as "
        "numbers until they are read as missing, in the import settings or by a derived column."
    ]


def twin_warnings(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> list[str]:
    """Inputs that repeat another input, row by row."""
    alike: dict[tuple[object, ...], list[ColumnSummary]] = {}
    for column in columns:
        if found[column.name].role is Role.INPUT:
            alike.setdefault(_check_now(column), []).append(column)
    warnings = []
    for group in alike.values():
        first, *others = group
        for other in others:
            if table.column(first.name).equals(table.column(other.name)):
                words = f"'{other.name}' holds the same values as '{first.name}'"
                warnings.append(f"{words}: one of them is enough.")
    return warnings


def _check_now(column: ColumnSummary) -> tuple[object, ...]:
    """What two columns share if they are the same; cheap, and wrong for hardly any others."""
    levels = tuple((printed(level), count) for level, count in column.levels)
    return (
        column.kind,
        column.missing,
        column.distinct,
        column.minimum,
        column.maximum,
        column.mean,
        levels,
    )


PREVIEW_ROWS = 10_000
_SURE = 3.0  # standard errors
FEWEST = 30  # rows of each class: below, any column may tell them apart by chance
PERFECT = 0.995  # area under the ROC curve
MOST_LEVELS = 50
_AFTER = re.compile(
    r"(?:^|_)(?:post\d*|after|afterwards|later|future|next|followup|follow_up|time_to|days_to|"
    r"months_to|until|recover\w*|charge_?off\w*|charged_off|write_?off\w*|refund\w*|collections?|"
    r"cancel\w*_date|clos\w+_date|churn_date|default_date|respon\w+_date|outcome\w*)(?:_|\d|$)"
)


def describes_afterwards(name: str) -> bool:
    """Whether a name speaks of something measured after the outcome or the treatment."""
    folded = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()
    return _AFTER.search(re.sub(r"[\s.\-]+", "_", folded)) is not None


class LeakFinder:
    """Looks at one column after another beside the outcome.

    Parameters
    ----------
    table : pyarrow.Table
    target : TargetSpec
    """

    def __init__(self, table: pa.Table, target: TargetSpec) -> None:
        self._table = table
        rows = table.num_rows
        step = max(1, rows // PREVIEW_ROWS)
        self._places = pa.array(np.arange(0, rows, step, dtype=np.int64))
        self._event: BoolArray | None = None
        self._number: FloatArray | None = None
        outcome = table.column(target.column).take(self._places)
        if target.levels:
            forms = _forms(outcome)
            first = printed(target.levels[0])
            events = {first, *(printed(s) for s, level in target.spellings if level == first)}
            event = np.array([form in events for form in forms])
            self._known = np.array([form is not None for form in forms])
            if min(int(event.sum()), int((self._known & ~event).sum())) >= FEWEST:
                self._event = event
        elif pa.types.is_floating(outcome.type) or pa.types.is_integer(outcome.type):
            number = as_float(outcome)
            self._known = ~np.isnan(number)
            if int(self._known.sum()) >= FEWEST:
                self._number = number
            is_some = number != 0.0  # of claims, of money spent: many have none
            counts = (int((self._known & is_some).sum()), int((self._known & ~is_some).sum()))
            self._event = is_some if min(counts) >= FEWEST else None

    def reason(self, column: ColumnSummary) -> str:
        """Why a column gives the outcome away, in words; an empty text if it does not."""
        if self._event is None and self._number is None:
            return ""
        values = self._table.column(column.name).take(self._places)
        if self._number is None:
            return self._of_classes(values, column)
        near = _of_number(values, self._number) if column.kind in _NUMBERS else ""
        if near or self._event is None or not self._of_classes(values, column):
            return near
        return "it alone says in which rows the outcome is 0"

    def stage_reason(self, column: ColumnSummary) -> str:
        """Why another outcome of two values is a stage of this one, or this one of it.

        A purchase needs a visit: of the four ways in which the two may meet, one never occurs,
        although it would, and often, if the two had nothing to do with each other.
        """
        if self._event is None:
            return ""
        forms = np.array(_forms(self._table.column(column.name).take(self._places)), dtype=object)
        known = self._known & np.array([form is not None for form in forms])
        event = self._event[known]
        first = forms[known] == next((form for form, _ in column.levels), None)
        counts = np.array([[(event & first).sum(), (event & ~first).sum()], [0, 0]])
        counts[1] = first.sum() - counts[0, 0], (~first).sum() - counts[0, 1]
        expected = counts.sum(axis=1)[:, None] * counts.sum(axis=0) / max(1, counts.sum())
        if not ((counts == 0) & (expected >= FEWEST)).any():
            return ""
        return "by its name an outcome too, of which one comes only with the other"

    def _of_classes(self, values: pa.ChunkedArray, column: ColumnSummary) -> str:
        assert self._event is not None
        event, known = self._event[self._known], self._known
        missing = np.asarray(pc.is_null(values, nan_is_null=True))[known]
        gap = abs(float(missing[event].mean()) - float(missing[~event].mean()))
        if gap >= 2 * PERFECT - 1:
            return "it is missing in one class and there in the other"
        if column.kind in _NUMBERS and not 0 <= column.distinct <= 2:
            number = as_float(values)[known]
            area = _area(number[~missing], event[~missing])
            if max(area, 1 - area) >= PERFECT:
                return f"its values alone tell the classes apart (AUC {max(area, 1 - area):.3f})"
            return ""
        if not 0 <= column.distinct <= MOST_LEVELS:
            return ""
        forms = np.array(_forms(values), dtype=object)[known]
        wrong = _mistakes(forms, event)
        if wrong <= (1 - PERFECT) * min(int(event.sum()), int((~event).sum())):
            return "each of its values goes with one class only"
        sure = _always_event(forms, event)
        return "" if sure is None else f"where it is {sure}, the event always happened"


_NUMBERS = ("integer", "number")


def _forms(values: pa.ChunkedArray) -> list[str | None]:
    """Printed forms; missing = None. Different values are printed once."""
    coded = values if pa.types.is_dictionary(values.type) else pc.dictionary_encode(values)
    whole = coded.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        return []
    forms = [printed(value) or None for value in whole.dictionary.to_pylist()]
    return [forms[code] if code is not None else None for code in whole.indices.to_pylist()]


def _area(number: FloatArray, event: BoolArray) -> float:
    """The share of pairs in which the event has the higher value, ties half; 0.5 if undecided."""
    events = int(event.sum())
    others = len(event) - events
    if events < FEWEST or others < FEWEST:
        return 0.5
    values, codes = np.unique(number, return_inverse=True)
    hits = np.bincount(codes, weights=event, minlength=len(values))
    rest = np.bincount(codes, minlength=len(values)) - hits
    below = np.cumsum(rest) - rest
    return float((hits * (below + rest / 2)).sum() / (events * others))


def _mistakes(forms: np.ndarray[tuple[int], np.dtype[np.object_]], event: BoolArray) -> int:
    """Rows that are not of the more frequent class of their value."""
    codes = np.unique(np.array([form or "" for form in forms], dtype=object), return_inverse=True)[
        1
    ]
    hits = np.bincount(codes, weights=event)
    return int(np.minimum(hits, np.bincount(codes) - hits).sum())


def _always_event(
    forms: np.ndarray[tuple[int], np.dtype[np.object_]], event: BoolArray
) -> str | None:
    """A value with which the event always happened, though far from always without it.

    A part of the outcome shows itself so: a death within a composite outcome.
    """
    values, codes = np.unique(np.array([f or "" for f in forms], dtype=object), return_inverse=True)
    rows = np.bincount(codes)
    others = rows - np.bincount(codes, weights=event)
    is_sure = (others == 0) & (rows * (1.0 - event.mean()) >= FEWEST)
    return str(values[int(np.argmax(is_sure))]) if is_sure.any() else None


def _of_number(values: pa.ChunkedArray, outcome: FloatArray) -> str:
    number = as_float(values)
    both = ~np.isnan(number) & ~np.isnan(outcome)
    if int(both.sum()) < FEWEST or np.ptp(number[both]) == 0 or np.ptp(outcome[both]) == 0:
        return ""
    strength = abs(_correlation(number[both], outcome[both]))
    return (
        f"it is nearly the outcome itself (correlation {strength:.4f})" if strength > 0.9995 else ""
    )


def _correlation(first: FloatArray, second: FloatArray) -> float:
    """Of numbers of any size: each is divided by its largest, so that squares are in range."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        scaled = [values / np.abs(values).max() for values in (first, second)]
        return float(np.corrcoef(*scaled)[0, 1])
