"""Survival over time.

Chances over time of a survival model trained here.

Of a Cox model by the baseline hazard of its training rows; of accelerated failure times by the loss
itself, which needs no rows.

Survival over time: curves of groups and of one case, chances at a horizon.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.input_columns import known_values, read_inputs
from core.assembly.models.task import no_entry
from core.assembly.models.trained import boosted_model, training_rows
from core.boosting.survival import (
    BRESLOW,
    EFRON,
    BaselineHazard,
    baseline_hazard,
    gives_probabilities,
    own_survival,
)
from core.data import LoadedTable, column_as_float, encode_levels
from core.document.model import Document, Role, TrainedModel
from core.document.results import RowsNote
from core.document.studies.compare import (
    SurvivalGroup,
    SurvivalResult,
)
from core.evaluation.judged_predictions import at_horizon
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
from payoff.vocabulary import Extra


def survival_model(document: Document, name: str, context: AssemblyContext) -> TrainedModel:
    """A trained model whose chances over time are known.

    Raises
    ------
    PayoffError
        If it is none: an imported score, another loss.
    """
    trained = document.trained_model(name)
    if trained is None or not has_probabilities(trained, context):
        raise PayoffError(
            f"'{name}' has no chances over time.",
            why="They follow from a survival model trained here.",
            remedy="Train 'Risk over time' or 'Accelerated failure time' on page Models.",
        )
    return trained


def has_probabilities(trained: TrainedModel, context: AssemblyContext) -> bool:
    """Whether a trained model is one of survival that has chances over time."""
    return trained.event is not None and gives_probabilities(
        boosted_model(trained, context).distribution
    )


def origin_of(trained: TrainedModel, context: AssemblyContext) -> str:
    """Where the chances of a model come from, in words."""
    model = boosted_model(trained, context)
    spec = model.distribution
    if spec.surviving is None:
        return "exp(-H(t) e^F), H the baseline hazard of the rows that trained the model"
    given = (
        f"{item.name} {item.choices[int(model.parameters[item.name])]}"
        if item.choices
        else f"{item.name} {model.parameters[item.name]:g}"
        for item in spec.parameters
    )
    return f"the chance of a longer time at the model's score F ({', '.join(given)})"


def ignores_entry(trained: TrainedModel, context: AssemblyContext) -> bool:
    """Whether a model took cases that entered late as watched from the start."""
    spec = boosted_model(trained, context).distribution
    return trained.entry is None or Extra.ENTRY not in spec.extras


def risk_of(table: LoadedTable, trained: TrainedModel, context: AssemblyContext) -> FloatArray:
    """Score (n,) of every row, turned so that higher is sooner."""
    link = link_of(table, trained, context)
    return -link if boosted_model(trained, context).distribution.predicts_time else link


def link_of(table: LoadedTable, trained: TrainedModel, context: AssemblyContext) -> FloatArray:
    """Score (n,) of every row, offset included."""
    key = ("risk scores", trained.model_hash, trained.trees_used, table.identity)

    def make() -> tuple[FloatArray, int]:
        model = boosted_model(trained, context)
        offset = None
        if trained.offset is not None:
            offset = data.column_as_float(table, trained.offset, role="offset")
        inputs = read_inputs(table, model.columns)
        score = np.ascontiguousarray(model.link(inputs, trained.trees_used or None, offset)[0])
        return score, score.nbytes

    found: FloatArray = context.cache.get_or_make(key, make)
    return found


def hazards_of(
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> Mapping[str, BaselineHazard]:
    """The baseline hazard of each stratum ("" without strata) over the rows that trained.

    Raises
    ------
    PayoffError
        If the rows that trained the model are not these.
    """
    rows = training_rows(table, document, trained)
    if not len(rows):
        raise PayoffError(
            f"The rows that trained '{trained.name}' are not at hand.",
            why="Its baseline hazard is that of the rows it learned from.",
            remedy="Open the data it was trained on, or train it again.",
        )
    columns = {
        role: known_values(table, role, name, rows)
        for role, name in (
            ("event", trained.event),
            ("entry", trained.entry),
            ("weight", trained.weight),
        )
        if name is not None
    }
    columns["time"] = data.column_as_float(table, trained.target, role="target")[rows]
    columns["score"] = link_of(table, trained, context)[rows]
    model = boosted_model(trained, context)
    ties = EFRON if model.parameters.get("ties") == 1.0 else BRESLOW
    codes, names = _strata(table, trained)
    return {
        name: baseline_hazard(
            **{role: values[codes[rows] == place] for role, values in columns.items()}, ties=ties
        )
        for place, name in enumerate(names)
        if (codes[rows] == place).any()
    }


def survival_of(
    table: LoadedTable,
    document: Document,
    trained: TrainedModel,
    rows: IntArray,
    times: FloatArray,
    context: AssemblyContext,
) -> FloatArray:
    """Chance (n, m) of some rows to be without the event at some times; NaN where not known."""
    score = link_of(table, trained, context)[rows]
    own = own_survival(boosted_model(trained, context), score, times)
    if own is not None:
        return own
    hazards = hazards_of(table, document, trained, context)
    codes, names = _strata(table, trained)
    probabilities = np.full((len(rows), len(times)), np.nan)
    for place, name in enumerate(names):
        inside = codes[rows] == place
        if name in hazards and inside.any():
            probabilities[inside] = hazards[name].survival(score[inside], times)
    return probabilities


def _strata(table: LoadedTable, trained: TrainedModel) -> tuple[IntArray, tuple[str, ...]]:
    if trained.strata is None:
        return np.zeros(table.rows, dtype=np.int64), ("",)
    codes, names = encode_levels(table, trained.strata)
    return codes.astype(np.int64), names


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
    inputs = survival_rows(document, question.model, context)
    followed = inputs.followed
    horizon = question.horizon or _middle(followed)
    # The horizon is one of the times: the curve reads there what is said of it.
    times = np.union1d(np.linspace(0.0, float(followed.time.max()), POINTS), [horizon])
    at = int(np.searchsorted(times, horizon))
    context.progress(None, "Working out chances over time")
    probabilities = probabilities_over_time(inputs, document, inputs.rows, times, context)
    outcome, weight = at_horizon(followed, horizon)
    event = 1.0 - probabilities[:, at]
    usable = (weight > 0.0) & np.isfinite(event)
    if not usable.any():
        raise PayoffError(
            f"Chances at {horizon:g} are not known.",
            why="The rows that trained the model were not followed so long.",
            remedy="Choose an earlier time.",
        )
    share = float(np.average(outcome[usable], weights=weight[usable]))
    case = _case(document, question, inputs, times, context)
    return SurvivalResult(
        model=question.model,
        rows=inputs.note,
        times=times,
        horizon=horizon,
        groups=_groups(question, inputs, probabilities, times, at, context),
        case=case,
        case_probability=float(1.0 - case[at]) if len(case) else float("nan"),
        brier=float(np.average((outcome - event)[usable] ** 2, weights=weight[usable])),
        brier_constant=share * (1.0 - share),
        auc=float(auc_by_time(followed, np.nan_to_num(event), np.array([horizon]))[0]),
        origin=origin_of(inputs.trained, context),
        notes=_notes(inputs, context),
    )


def _notes(inputs: SurvivalRows, context: AssemblyContext) -> tuple[str, ...]:
    """What late entry means for the figures."""
    late = inputs.followed.entry > 0.0
    if not late.any():
        return ()
    found = [
        f"{counted(float(late.sum()), 'case', 'cases')} entered late: at risk from the entry "
        "on, in the curves observed and in the figures. Entry must not depend on the risk."
    ]
    if ignores_entry(inputs.trained, context):
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


def probabilities_over_time(
    inputs: SurvivalRows,
    document: Document,
    rows: IntArray,
    times: FloatArray,
    context: AssemblyContext,
) -> FloatArray:
    """Return the chances (n, m) of some rows to be without the event at some times."""
    return survival_of(inputs.table, document, inputs.trained, rows, times, context)


def _case(
    document: Document,
    question: Survival,
    inputs: SurvivalRows,
    times: FloatArray,
    context: AssemblyContext,
) -> FloatArray:
    """The curve of one case; empty where none is asked for."""
    row = question.row
    if row is None:
        return np.empty(0)
    if not 0 <= row < inputs.table.rows:
        raise PayoffError(
            f"There is no row {row + 1}.", why=f"The file has {counted(inputs.table.rows, 'row')}."
        )
    curve: FloatArray = probabilities_over_time(inputs, document, np.array([row]), times, context)[
        0
    ]
    return curve


def _groups(
    question: Survival,
    inputs: SurvivalRows,
    probabilities: FloatArray,
    times: FloatArray,
    at: int,
    context: AssemblyContext,
) -> tuple[SurvivalGroup, ...]:
    """Curves of the groups; ``at`` is the place of the horizon among the times."""
    names, codes = _grouping(question.column, inputs, context)
    found = []
    for place, name in enumerate(names):
        inside = codes == place
        if not inside.any():
            continue
        curve = kaplan_meier(inputs.followed.part(inside))
        share, greenwood = curve.at(times)
        low, high = limits(share, greenwood)
        last = float(inputs.followed.time[inside].max())
        over = times > last  # nobody of the group was watched there
        share[over] = low[over] = high[over] = np.nan
        weight = inputs.followed.weight[inside]
        mean = np.average(probabilities[inside], axis=0, weights=weight)
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
    column: str | None, inputs: SurvivalRows, context: AssemblyContext
) -> tuple[tuple[str, ...], IntArray]:
    """Names of the groups and the group of each row: thirds by risk, or values of a column."""
    if column is None:
        risk = risk_of(inputs.table, inputs.trained, context)[inputs.rows]
        return RISK_NAMES, equal_groups(risk, inputs.followed.weight, GROUPS).group
    codes, levels = encode_levels(inputs.table, column)
    if len(levels) > MOST_GROUPS:
        raise PayoffError(
            f"'{column}' has {counted(len(levels), 'value')}.",
            why=f"At most {MOST_GROUPS} curves can be told apart.",
            remedy="Choose a column of few values, or derive one on page Data.",
        )
    return levels, codes[inputs.rows].astype(np.int64)
