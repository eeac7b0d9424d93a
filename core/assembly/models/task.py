"""What a number as the outcome stands for: a plain number, a survival time, or a grade in lists.

The trained models say it: one that learned from a column of events makes the outcome a survival
time, one that learned inside groups a grade. All models of the project are then judged as such.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.assembly.models.input_columns import known_values
from core.data import LoadedTable, place_of
from core.document.model import Document, TargetSpec, TrainedModel
from core.extensions import Registry
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import Input, TargetDomain, Task

SERVED_INPUTS = frozenset({Input.OUTCOME, Input.SCORE, Input.PROBABILITY, Input.PREDICTIONS})
_COLUMNS_OF = {
    Task.SURVIVAL: (Input.TIME, Input.EVENT, Input.ENTRY, Input.STRATA),
    Task.RANKING: (Input.GROUP,),
}


def guide_of(document: Document) -> TrainedModel | None:
    """The trained model whose columns say how a number is judged, or None for a plain number."""
    if document.target is None or document.target.levels:
        return None
    trained = (entry.trained for entry in document.models if entry.trained is not None)
    return next((entry for entry in trained if entry.event or entry.group), None)


def task_of(document: Document) -> Task:
    """What the models of a document predict."""
    target = document.target
    if target is None or not target.levels:
        return task_of_training(guide_of(document))
    return task_of_target(target)


def task_of_target(target: TargetSpec) -> Task:
    """Return what models of an outcome predict where none says otherwise."""
    return Task(target.kind) if target.levels else Task.REGRESSION


def task_of_training(trained: TrainedModel | None) -> Task:
    """What a number is to a trained model."""
    if trained is None or not (trained.event or trained.group):
        return Task.REGRESSION
    return Task.SURVIVAL if trained.event else Task.RANKING


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


def further_columns(
    table: LoadedTable, named: Mapping[str, str], rows: IntArray
) -> dict[str, FloatArray]:
    """A model's further columns of numbers by role, known in every row."""
    return {role: known_values(table, role, column, rows) for role, column in named.items()}


def judging_columns(
    table: LoadedTable, guide: TrainedModel | None, rows: IntArray, target: FloatArray | None
) -> dict[str, FloatArray]:
    """The further columns of some rows that survival times or grades are judged with, by role.

    Raises
    ------
    PayoffError
        Naming the column and the row of a missing value, or of an event mark other than 0 and 1.
    """
    task = task_of_training(guide)
    if guide is None or target is None or task is Task.REGRESSION:
        return {}
    if task is Task.RANKING:
        assert guide.group is not None
        return {"group": known_values(table, "group", guide.group, rows)}
    columns = {"time": target, "entry": no_entry(target), "strata": np.zeros(len(rows))}
    for role in ("event", "entry", "strata"):
        name = getattr(guide, role)
        if name is not None:
            columns[role] = known_values(table, role, name, rows)
    _check_events(table, str(guide.event), columns["event"], rows)
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


def as_risk(prediction: FloatArray, trained: TrainedModel | None, registry: Registry) -> FloatArray:
    """A prediction of a survival time as a risk: higher = the event comes sooner.

    Survival models predict a risk unless they say that it is a time; any other prediction of the
    outcome is a time, whose longest is the least risk.
    """
    if trained is not None:
        spec = registry.distribution(trained.distribution)
        if task_of_domain(spec.target) is Task.SURVIVAL and not spec.predicts_time:
            return prediction
    return -prediction
