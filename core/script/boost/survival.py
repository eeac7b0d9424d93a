"""Baseline hazards and survival chances of a trained model, from a table with its roles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.assembly.models.input_columns import refuse_missing, role_values
from core.assembly.models.task import no_entry
from core.boosting import BoostedModel
from core.boosting.survival import BRESLOW, EFRON, BaselineHazard, baseline_hazard
from core.data import LoadedTable, encode_levels, place_of
from payoff.errors import PayoffError
from payoff.follow_up import Followed
from payoff.types import FloatArray
from payoff.vocabulary import TargetDomain


def refuse_other_models(model: BoostedModel) -> None:
    """Refuse a model whose scores are no hazards, or whose columns are not known."""
    if model.distribution.target != TargetDomain.TIME_EVENT:
        raise PayoffError(
            "The model has no baseline hazard.",
            why=f"{model.distribution.label} is no survival model.",
            remedy="Train with distribution='coxph'.",
        )
    if model.distribution.predicts_time:
        raise PayoffError(
            "The model has no baseline hazard.",
            why=f"{model.distribution.label} predicts the time itself.",
            remedy="Train with distribution='coxph'.",
        )
    if "target" not in model.roles:
        raise PayoffError(
            "The model does not say which columns hold time and event.",
            why="Its file was written by an earlier program.",
            remedy="Train it again.",
        )


def refuse_intervals(model: BoostedModel) -> None:
    """Refuse times of which only an earliest and a latest are known."""
    if "upper" in model.roles:
        raise PayoffError(
            "Whether the event came by one time is not known.",
            where=model.roles["upper"],
            why="The model was trained on times between an earliest and a latest.",
            remedy="model.survival(data, times) gives the chances.",
        )


def hazards_by_stratum(
    model: BoostedModel, table: LoadedTable, score: FloatArray, rows: int
) -> dict[str, BaselineHazard]:
    """The baseline hazard of each stratum over the first rows; one called "" without strata."""
    columns = {
        role: role_values(table, role, name)[:rows]
        for role, name in model.roles.items()
        if role in ("event", "entry", "weight")
    }
    columns["time"] = role_values(table, "time", model.roles["target"])[:rows]
    columns["score"] = score[:rows]
    strata = stratum_names(table, model.roles.get("strata"))[:rows]
    ties = EFRON if model.parameters.get("ties") == 1.0 else BRESLOW
    return {
        str(stratum): baseline_hazard(
            **{role: values[strata == stratum] for role, values in columns.items()}, ties=ties
        )
        for stratum in np.unique(strata)
    }


def followed_cases(model: BoostedModel, table: LoadedTable) -> Followed:
    """How the cases of a table were followed, by the columns that the model was trained with."""
    columns = {
        role: role_values(table, role, model.roles[role])
        for role in ("event", "entry", "weight")
        if role in model.roles
    }
    time = role_values(table, "time", model.roles["target"])
    return Followed(
        time,
        columns["event"] == 1.0,
        columns.get("entry", no_entry(time)),
        columns.get("weight", np.ones(table.rows)),
    )


def stratum_names(table: LoadedTable, column: str | None) -> NDArray[np.object_]:
    """The stratum of each row; "" where the model has none."""
    if column is None:
        return np.full(table.rows, "", dtype=object)
    codes, names = encode_levels(table, column)
    refuse_missing(table, column, codes < 0)
    found: NDArray[np.object_] = np.array(names, dtype=object)[codes]
    return found


def hazard_frame(
    hazard: BaselineHazard, times: Any, interpolation: str, *, is_cumulative: bool
) -> pd.DataFrame:
    """Columns time and hazard: cumulative at any times, or the jumps at the event times."""
    if times is not None and not is_cumulative:
        raise PayoffError("Jumps of the hazard are at event times only.", remedy="Leave times out.")
    at = hazard.times if times is None else np.atleast_1d(np.asarray(times, dtype=np.float64))
    values = hazard.at(at, interpolation) if is_cumulative else hazard.jumps
    return pd.DataFrame({"time": at, "hazard": values})


def survival_probabilities(
    hazards: dict[str, BaselineHazard],
    score: FloatArray,
    times: FloatArray,
    table: LoadedTable,
    strata: str | None,
) -> FloatArray:
    """Chance (n, m) of each case to last beyond each time, by the hazard of its stratum."""
    names = stratum_names(table, strata)
    probabilities = np.full((table.rows, len(times)), np.nan)
    for stratum in np.unique(names):
        inside = names == stratum
        if stratum not in hazards:
            raise PayoffError(
                f"The model has no stratum '{stratum}'.",
                where=place_of(table, int(np.argmax(inside)), strata or ""),
                why=f"It was trained with: {', '.join(hazards)}.",
            )
        probabilities[inside] = hazards[stratum].survival(score[inside], times)
    return probabilities
