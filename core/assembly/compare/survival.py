"""Survival over time: curves of groups and of one case, chances at a horizon."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core import data
from core.assembly.compare.survival_chances import (
    ignores_entry,
    origin_of,
    risk_of,
    survival_model,
    survival_of,
)
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.input_columns import known_values
from core.assembly.models.task import no_entry
from core.data import LoadedTable, column_as_float, encode_levels
from core.document.model import Document, Role, TrainedModel
from core.document.results import RowsNote
from core.document.studies.compare import (
    SurvivalGroup,
    SurvivalResult,
)
from core.evaluation.horizon import at_horizon
from core.questions.compare import Survival
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.follow_up import (
    GROUPS,
    RISK_NAMES,
    Followed,
    auc_by_time,
    kaplan_meier,
    limits,
)
from payoff.groups import equal_groups
from payoff.types import FloatArray, IntArray

POINTS = 201
MOST_GROUPS = 6


@dataclass(frozen=True, slots=True, eq=False)
class SurvivalRows:
    """The rows that are looked at, and how they were followed."""

    table: LoadedTable
    trained: TrainedModel
    rows: IntArray
    note: RowsNote
    followed: Followed


def survival_curves(
    document: Document, question: Survival, context: AssemblyContext
) -> SurvivalResult:
    """Predicted and observed curves of groups, that of a case, and figures at the horizon.

    Raises
    ------
    PayoffError
        If the model has no chances over time, or the horizon lies outside of the times.
    """
    ground = survival_rows(document, question.model, context)
    followed = ground.followed
    horizon = question.horizon or _middle(followed)
    # The horizon is one of the times: the curve reads there what is said of it.
    times = np.union1d(np.linspace(0.0, float(followed.time.max()), POINTS), [horizon])
    at = int(np.searchsorted(times, horizon))
    context.progress(None, "Working out chances over time")
    chances = chances_over_time(ground, document, ground.rows, times, context)
    outcome, weight = at_horizon(followed, horizon)
    event = 1.0 - chances[:, at]
    usable = (weight > 0.0) & np.isfinite(event)
    if not usable.any():
        raise PayoffError(
            f"Chances at {horizon:g} are not known.",
            why="The rows that trained the model were not followed so long.",
            remedy="Choose an earlier time.",
        )
    share = float(np.average(outcome[usable], weights=weight[usable]))
    case = _case(document, question, ground, times, context)
    return SurvivalResult(
        model=question.model,
        rows=ground.note,
        times=times,
        horizon=horizon,
        groups=_groups(question, ground, chances, times, at, context),
        case=case,
        case_chance=float(1.0 - case[at]) if len(case) else float("nan"),
        brier=float(np.average((outcome - event)[usable] ** 2, weights=weight[usable])),
        brier_constant=share * (1.0 - share),
        auc=float(auc_by_time(followed, np.nan_to_num(event), np.array([horizon]))[0]),
        origin=origin_of(ground.trained, context),
        notes=_notes(ground, context),
    )


def _notes(ground: SurvivalRows, context: AssemblyContext) -> tuple[str, ...]:
    """What late entry means for the figures."""
    late = ground.followed.entry > 0.0
    if not late.any():
        return ()
    found = [
        f"{counted(float(late.sum()), 'case', 'cases')} entered late: at risk from the entry "
        "on, in the curves observed and in the figures. Entry must not depend on the risk."
    ]
    if ignores_entry(ground.trained, context):
        found.append(
            "The model takes no account of late entry: it learned as if those cases had been "
            "watched from the start, so its chances of lasting are too high. A Cox model that "
            "is given the column of entries does."
        )
    return tuple(found)


def survival_rows(document: Document, name: str, context: AssemblyContext) -> SurvivalRows:
    """Return the rows used, and how they were followed by the columns a model was trained on."""
    table = table_of(document, context)
    trained = survival_model(document, name, context)
    rows, note = data.usable_rows(table, document, document.rows_used)
    time = column_as_float(table, trained.target, role="target")[rows]
    event = known_values(table, "event", str(trained.event), rows) == 1.0
    entry = no_entry(time)
    column = trained.entry or document.column_of(Role.ENTRY)
    if column is not None:
        entry = known_values(table, "entry", column, rows)
    weight = np.ones(len(rows))
    given = data.frequency(table, document)
    if given is not None:
        weight = given[rows]
    return SurvivalRows(table, trained, rows, note, Followed(time, event, entry, weight))


def _middle(followed: Followed) -> float:
    """The median time of the events that were seen."""
    if not followed.event.any():
        raise PayoffError("No case of these rows had the event.")
    return float(np.median(followed.time[followed.event]))


def chances_over_time(
    ground: SurvivalRows,
    document: Document,
    rows: IntArray,
    times: FloatArray,
    context: AssemblyContext,
) -> FloatArray:
    """Return the chances (n, m) of some rows to be without the event at some times."""
    return survival_of(ground.table, document, ground.trained, rows, times, context)


def _case(
    document: Document,
    question: Survival,
    ground: SurvivalRows,
    times: FloatArray,
    context: AssemblyContext,
) -> FloatArray:
    """The curve of one case; empty where none is asked for."""
    row = question.row
    if row is None:
        return np.empty(0)
    if not 0 <= row < ground.table.rows:
        raise PayoffError(
            f"There is no row {row + 1}.", why=f"The file has {counted(ground.table.rows, 'row')}."
        )
    curve: FloatArray = chances_over_time(ground, document, np.array([row]), times, context)[0]
    return curve


def _groups(
    question: Survival,
    ground: SurvivalRows,
    chances: FloatArray,
    times: FloatArray,
    at: int,
    context: AssemblyContext,
) -> tuple[SurvivalGroup, ...]:
    """Curves of the groups; ``at`` is the place of the horizon among the times."""
    names, codes = _grouping(question.column, ground, context)
    found = []
    for place, name in enumerate(names):
        inside = codes == place
        if not inside.any():
            continue
        curve = kaplan_meier(ground.followed.part(inside))
        share, greenwood = curve.at(times)
        low, high = limits(share, greenwood)
        last = float(ground.followed.time[inside].max())
        over = times > last  # nobody of the group was watched there
        share[over] = low[over] = high[over] = np.nan
        weight = ground.followed.weight[inside]
        mean = np.average(chances[inside], axis=0, weights=weight)
        found.append(
            SurvivalGroup(
                name=name,
                cases=int(inside.sum()),
                predicted=mean,
                observed=share,
                low=low,
                high=high,
                at_horizon=(float(mean[at]), float(share[at])),
            )
        )
    return tuple(found)


def _grouping(
    column: str | None, ground: SurvivalRows, context: AssemblyContext
) -> tuple[tuple[str, ...], IntArray]:
    """Names of the groups and the group of each row: thirds by risk, or values of a column."""
    if column is None:
        risk = risk_of(ground.table, ground.trained, context)[ground.rows]
        return RISK_NAMES, equal_groups(risk, ground.followed.weight, GROUPS).group
    codes, levels = encode_levels(ground.table, column)
    if len(levels) > MOST_GROUPS:
        raise PayoffError(
            f"'{column}' has {counted(len(levels), 'value')}.",
            why=f"At most {MOST_GROUPS} curves can be told apart.",
            remedy="Choose a column of few values, or derive one on page Data.",
        )
    return levels, codes[ground.rows].astype(np.int64)
