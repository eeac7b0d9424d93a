"""Columns that say which rows belong together, and the parts of a survival outcome."""

from __future__ import annotations

from core.data.roles.words import MEDICAL_EVENTS, fold
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment, TargetSpec

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
)
GROUP_NAMES = ("qid", "query", "query_id", "srch_id", "search_id", "session_id", "group_id")
EVENT_NAMES = (
    "event",
    "status",
    "died",
    "death",
    "dead",
    "censored",
    "cens",
    "event_observed",
    "gestorben",
    "verstorben",
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
    "time",
    "exit",
    "exit_time",
    "stop",
    "tstop",
    "stop_time",
    "survival_time",
    "futime",
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
)
ENTRY_NAMES = ("entry", "entry_time", "tstart", "start_time", "delayed_entry")


def guess_structure(
    columns: tuple[ColumnSummary, ...],
    target: TargetSpec | None,
    found: dict[str, RoleAssignment],
) -> None:
    """Add clusters, groups, and the other columns of a survival outcome to ``found``."""
    named = {fold(column.name): column for column in columns if column.name not in found}
    _guess_first(
        named,
        CLUSTER_NAMES,
        Role.CLUSTER,
        found,
        "its name says that rows belong together, and its values occur again",
    )
    _guess_first(
        named,
        GROUP_NAMES,
        Role.GROUP,
        found,
        "its name says list or query, and its values occur again",
    )
    if target is not None:
        _guess_survival(named, target, found)


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
        found[column.name] = RoleAssignment(
            column=column.name, role=role, reason=reason, is_guess=True
        )
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
                break
    elif is_event_name(outcome) and target.kind == "binary":
        _assign_time(named, EXIT_NAMES, Role.EXIT, found, "when observation ended")
    else:
        return
    _assign_time(named, ENTRY_NAMES, Role.ENTRY, found, "when a case came under observation")


def _assign_time(
    named: dict[str, ColumnSummary],
    names: tuple[str, ...],
    role: Role,
    found: dict[str, RoleAssignment],
    words: str,
) -> None:
    known = [named[name] for name in names if name in named]
    if role is Role.EXIT:
        known += [column for name, column in named.items() if _is_follow_up(name)]
    for column in known:
        if column.kind in ("integer", "number") and (column.minimum or 0.0) >= 0.0:
            _assign(found, column, role, f"by its name {words}, beside a survival outcome")
            return


def is_event_name(folded: str) -> bool:
    """Whether a name says that a survival time was reached: "OS_status"."""
    parts = folded.split("_")
    is_named = parts[-1] in _EVENT_WORDS and any(part in _FOLLOWED for part in parts[:-1])
    return folded in EVENT_NAMES or is_named


def _is_follow_up(folded: str) -> bool:
    """Whether a name speaks of a time that was watched, with its unit: "Suivi (mois)"."""
    parts = folded.split("_")
    return any(p in _TIME_UNITS for p in parts) and any(p in _FOLLOWED for p in parts)


def _assign(
    found: dict[str, RoleAssignment], column: ColumnSummary, role: Role, reason: str
) -> None:
    found[column.name] = RoleAssignment(
        column=column.name, role=role, reason=f"{reason}: please check", is_guess=True
    )
