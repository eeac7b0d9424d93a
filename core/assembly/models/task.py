"""What a number as the outcome stands for: a plain number, a survival time, or a grade in lists.

The trained models say it: one that learned from a column of events makes the outcome a survival
time, one that learned inside groups a grade; without one, a column with the role of the event or of
the groups does. All models of the project are then judged as such.

What survival times should make one think of: times of 0, one event, two units, perfect rankings.

Errors name the place in the file; warnings stand before the figures.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.assembly.models.input_columns import known_values
from core.data import LoadedTable, encode_levels, place_of
from core.document.judging import Guide, guide_of, is_risk_score
from core.document.model import Document, Role, TargetSpec
from core.evaluation import EvaluationProblem
from core.extensions import Registry
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Input, TargetDomain, Task

SERVED_INPUTS = frozenset({Input.OUTCOME, Input.SCORE, Input.PROBABILITY, Input.PREDICTIONS})
_COLUMNS_OF = {
    Task.SURVIVAL: (Input.TIME, Input.EVENT, Input.ENTRY, Input.STRATA),
    Task.RANKING: (Input.GROUP,),
}


def task_of(document: Document) -> Task:
    """What the models of a document predict."""
    target = document.target
    if target is None or not target.levels:
        return Task(guide_of(document).task)
    return task_of_target(target)


def task_of_target(target: TargetSpec) -> Task:
    """Return what models of an outcome predict where none says otherwise."""
    return Task(target.kind) if target.levels else Task.REGRESSION


def task_of_domain(domain: TargetDomain) -> Task:
    """What the models of a distribution predict."""
    tasks = {
        TargetDomain.BINARY: Task.BINARY,
        TargetDomain.CLASSES: Task.MULTICLASS,
        TargetDomain.TIME_EVENT: Task.SURVIVAL,
        TargetDomain.GRADES: Task.RANKING,
    }
    return tasks.get(domain, Task.REGRESSION)


def inputs_served(task: Task, *, has_quantiles: bool = False) -> frozenset[Input]:
    """The inputs that metrics of a task are given."""
    quantiles = (Input.QUANTILES,) if has_quantiles else ()
    return SERVED_INPUTS.union(_COLUMNS_OF.get(task, ()), quantiles)


def task_of_columns(document: Document, columns: Mapping[str, str]) -> Task:
    """What the models predict, where a script names the columns of events or groups itself."""
    if columns and document.target is not None and not document.target.levels:
        if "event" in columns:
            return Task.SURVIVAL
        if "group" in columns:
            return Task.RANKING
    return task_of(document)


def named_columns(
    table: LoadedTable, columns: Mapping[str, str], rows: IntArray, target: FloatArray | None
) -> dict[str, FloatArray]:
    """The columns that a script names to judge survival times or grades with, by role.

    Raises
    ------
    PayoffError
        As ``judging_columns``, and for a role that is none.
    """
    unknown = set(columns) - {"event", "entry", "strata", "group"}
    if unknown:
        raise PayoffError(
            f"There is no role '{min(unknown)}'.",
            where="columns",
            remedy="Roles: event, entry, strata, group.",
        )
    found = {role: known_values(table, role, name, rows) for role, name in columns.items()}
    if "event" in columns and target is not None:
        found = {
            "time": target,
            "entry": no_entry(target),
            "strata": np.zeros(len(rows)),
            **found,
        }
        _check_events(table, columns["event"], found["event"], rows)
    return found


def additional_columns(
    table: LoadedTable, named: Mapping[str, str], rows: IntArray
) -> dict[str, FloatArray]:
    """A model's further columns of numbers by role, known in every row."""
    return {role: known_values(table, role, column, rows) for role, column in named.items()}


def judging_columns(
    table: LoadedTable, guide: Guide, rows: IntArray, target: FloatArray | None
) -> dict[str, FloatArray]:
    """The further columns of some rows that survival times or grades are judged with, by role.

    Raises
    ------
    PayoffError
        Naming the column and the row of a missing value, or of an event mark other than 0 and 1.
    """
    if target is None or not (guide.event or guide.group):
        return {}
    if guide.event is None:
        assert guide.group is not None
        return {"group": known_values(table, "group", guide.group, rows)}
    columns = {"time": target, "entry": no_entry(target), "strata": np.zeros(len(rows))}
    for role in ("event", "entry", "strata"):
        name = getattr(guide, role)
        if name is not None:
            columns[role] = known_values(table, role, name, rows)
    _check_events(table, guide.event, columns["event"], rows)
    return columns


def no_entry(time: FloatArray) -> FloatArray:
    """Where cases enter that were observed from the start: before 0, where one ends at 0."""
    return np.where(time == 0.0, -1.0, 0.0)


def _check_events(table: LoadedTable, name: str, event: FloatArray, rows: IntArray) -> None:
    is_wrong = (event != 0.0) & (event != 1.0)
    if is_wrong.any():
        place = int(np.argmax(is_wrong))
        is_one_two = bool(np.isin(event, (1.0, 2.0)).all())
        remedy = "Mend the column, or leave these rows out."
        if is_one_two:
            remedy = "It looks coded 1 and 2, as in R: subtract 1 where 2 means the event."
        raise PayoffError(
            f"The event mark is {event[place]:g}.",
            where=place_of(table, int(rows[place]), name),
            why="It must be 1 where the event happened and 0 where the case was censored.",
            remedy=remedy,
        )


def as_risk(
    prediction: FloatArray, document: Document, model: str, registry: Registry
) -> FloatArray:
    """A prediction of a survival time as a risk: higher = the event comes sooner.

    Survival models predict a risk unless they say that it is a time, and so do columns of scores;
    any other prediction of the outcome is a time, whose longest is the least risk.
    """
    trained = document.trained_model(model)
    if is_risk_score(document, model):
        return prediction
    if trained is not None:
        spec = registry.distribution(trained.distribution)
        if task_of_domain(spec.target) is Task.SURVIVAL and not spec.predicts_time:
            return prediction
    return -prediction


_APART = 30.0  # times as long as the next shorter one: days beside months, hours beside days
_HEAP = 0.05  # share of the cases on either side of that gap
_FEWEST = 20  # cases, below which a gap says nothing


def check_intervals(
    table: LoadedTable,
    document: Document,
    rows: IntArray,
    time: FloatArray,
    entry: FloatArray,
) -> None:
    """Refuse rows that end before they begin, and rows of one id that overlap.

    Parameters
    ----------
    rows : (n,) rows of the table
    time, entry : (n,) where each row ends and begins

    Raises
    ------
    PayoffError
        Naming the line of the first such row.
    """
    target = document.target.column if document.target is not None else ""
    wrong = np.flatnonzero(~(entry < time))
    if len(wrong):
        place = int(wrong[0])
        raise PayoffError(
            f"A case enters at {entry[place]:g} and ends at {time[place]:g}.",
            where=place_of(table, int(rows[place]), target),
            why=f"A case must enter before its end. {_how_many(len(wrong))}",
            remedy="Mend the times, or leave these rows out by the row filter.",
        )
    column = document.column_of(Role.ID)
    if column is None or document.column_of(Role.ENTRY) is None:
        return
    who = encode_levels(table, column)[0][rows].astype(np.int64)
    order = np.lexsort((entry, who))
    is_same = (who[order[1:]] == who[order[:-1]]) & (who[order[1:]] >= 0)
    overlaps = np.flatnonzero(is_same & (entry[order[1:]] < time[order[:-1]]))
    if len(overlaps):
        place, before = int(order[overlaps[0] + 1]), int(order[overlaps[0]])
        raise PayoffError(
            f"Two rows of one '{column}' overlap in time.",
            where=f"{place_of(table, int(rows[place]), target)} and "
            f"{place_of(table, int(rows[before]), target)}",
            why=f"One ends at {time[before]:g}, the next begins at {entry[place]:g}: the case "
            f"would be counted twice. {_how_many(len(overlaps))}",
            remedy="Cut the rows where the next begins, or give each row an id of its own.",
        )


def _how_many(number: int) -> str:
    return f"{counted(number, 'row is', 'rows are')} so." if number > 1 else "One row is so."


def time_warnings(problem: EvaluationProblem) -> tuple[str, ...]:
    """Times of 0, one event, two units, and risks in the exact order of the events."""
    if "event" not in problem.extras or "time" not in problem.extras:
        return ()
    columns = {role: np.asarray(values, np.float64) for role, values in problem.extras.items()}
    time, event = columns["time"], columns["event"] == 1.0
    found = []
    zeros = np.flatnonzero(time == 0.0)
    if len(zeros):
        positive = time[time > 0.0]
        least = f", {positive.min():g}," if len(positive) else ""
        found.append(
            f"{counted(len(zeros), 'case has', 'cases have')} the time 0, the first in "
            f"{problem.row_text(int(zeros[0]))}"
            ": they count as under observation at 0 only. Leave them out by the row filter (time > "
            f"0), or give them the smallest time seen{least} by a derived column."
        )
    if event.sum() == 1:
        found.append(
            f"One event only, in {problem.row_text(int(np.argmax(event)))}: every figure rests on "
            "this case."
        )
    found += _two_units(time)
    strata = columns.get("strata", np.zeros(len(time)))
    for model in problem.models:
        risk = model.prediction
        if risk is not None and is_monotone(time, event, strata, risk):
            found.append(
                f"{model.name}: at every event the case with the highest risk had it. The partial "
                "likelihood rises without end: a coefficient of these risks is infinite and would "
                "not converge. Check whether they know the outcome (leakage)."
            )
    return tuple(found)


def _two_units(time: FloatArray) -> list[str]:
    """A warning where times lie in two heaps so far apart that they look like two units."""
    times = np.sort(time[time > 0.0])
    if len(times) < _FEWEST:
        return []
    least = max(1, int(np.ceil(_HEAP * len(times))))
    steps = times[least : len(times) - least + 1] / times[least - 1 : len(times) - least]
    place = least - 1 + int(np.argmax(steps))
    below, above = times[place], times[place + 1]
    if above / below < _APART:
        return []
    return [
        f"{counted(place + 1, 'time is', 'times are')} at most {below:g}, the other "
        f"{len(times) - place - 1:,} at least "
        f"{above:g}, and none lies between: are they in two units (days and months, say)? If so, "
        "bring them to one by a derived column."
    ]


def is_monotone(
    time: FloatArray,
    event: np.ndarray[tuple[int], np.dtype[np.bool_]],
    strata: FloatArray,
    risk: FloatArray,
) -> bool:
    """Whether each event hit the highest risk under observation, at least once above another's.

    All arrays are (n,). Late entry is taken as early (more rivals): True is then still true.
    """
    is_above = False
    for stratum in np.unique(strata):
        inside = strata == stratum
        order = np.argsort(time[inside], kind="stable")[::-1]
        times, risks, seen = time[inside][order], risk[inside][order], event[inside][order]
        highest = np.maximum.accumulate(risks)
        lowest = np.minimum.accumulate(risks)
        last = np.searchsorted(-times, -times, side="right") - 1  # of all with this time or later
        if (risks[seen] < highest[last][seen]).any():
            return False
        is_above |= bool((risks[seen] > lowest[last][seen]).any())
    return is_above and bool(event.any())
