"""Sepsis: a template for rows of MIMIC-IV, which may not be bundled or fetched; protocol as AKI."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.data import LoadedTable
from core.document.experiments.spec import ExperimentSpec
from core.experiments.protocols.columns import (
    condition_columns,
    finish_study,
    require_columns,
    unsafe_names,
    zero_one,
)
from core.experiments.study import Stream, Study, stream
from payoff.errors import PayoffError
from payoff.types import AnyArray

ID, OUTCOME = "stay_id", "survived"
PERSON = ("age", "sex")
VITAL_SIGNS = ("heart_rate", "resp_rate", "temperature", "sbp", "dbp", "map", "spo2")
CLINICAL_SCORES = ("gcs", "sofa")
LABORATORY = ("wbc", "lactate", "creatinine", "bilirubin", "platelets", "bun", "glucose")
SUGGESTED = (*PERSON, *VITAL_SIGNS, *CLINICAL_SCORES, *LABORATORY)
TIMES = ("suspected_infection_time", "antibiotic_time")
MOST_LEVELS = 12


def sepsis_study(table: LoadedTable, spec: ExperimentSpec) -> Study:
    """Stays with a 0/1 outcome and at least one condition."""
    outcome_column = spec.outcome or OUTCOME
    require_columns(table, (ID, outcome_column), "sepsis")
    chosen = spec.columns or tuple(name for name in SUGGESTED if name in table.kinds)
    require_columns(table, chosen, "sepsis")
    if not chosen:
        raise PayoffError(
            "The file has no evaluation condition.",
            where=table.path,
            why=f"None of {', '.join(SUGGESTED)} is a column.",
            remedy="Name the columns that are known before the decision.",
        )
    warnings = []
    leaked = [*unsafe_names(chosen), *(name for name in chosen if name in TIMES)]
    if outcome_column in chosen:
        raise PayoffError(
            f"The outcome '{outcome_column}' cannot be a condition too.", where="columns"
        )
    if leaked:
        warnings.append(
            f"Known only after the decision, or a time of it: {', '.join(leaked)}. Such a "
            "condition makes the evaluation look better than it is."
        )
    numbers = [name for name in chosen if table.kinds[name] in ("integer", "number", "boolean")]
    categories = [name for name in chosen if name not in numbers]
    for name in categories:
        if table.column_summary(name).distinct > MOST_LEVELS:
            raise PayoffError(
                f"Column '{name}' has more than {MOST_LEVELS} levels.",
                where=table.path,
                remedy="Leave it out, or group its levels.",
            )
    names, conditions = condition_columns(table, numbers, categories)
    return finish_study(
        table,
        names,
        conditions,
        zero_one(table, outcome_column),
        id_column=ID,
        warnings=warnings,
        notes=(
            "The source says only 'a subset of MIMIC-IV': columns and outcome are yours.",
            "Everything else is as in the AKI protocol.",
        ),
    )


def simulate_sepsis(rows: int, seed: int) -> Mapping[str, AnyArray | list[str]]:
    """Made-up stays with the suggested columns."""
    draw = stream(seed, Stream.ROWS)
    illness = draw.standard_normal(rows)
    columns: dict[str, AnyArray | list[str]] = {ID: np.arange(30_000_001, 30_000_001 + rows)}
    for name, middle, spread, lean, digits in _SHAPES:
        values = middle + spread * (0.6 * lean * illness + draw.standard_normal(rows))
        columns[name] = np.round(np.maximum(values, 0.1 * middle), digits)
    columns["sex"] = (draw.random(rows) < 0.45).astype(np.int64)
    lactate = np.array(columns["lactate"], dtype=np.float64)
    lactate[draw.random(rows) < 0.15] = np.nan  # not measured in everyone
    columns["lactate"] = lactate
    risk = 1.0 / (1.0 + np.exp(-(1.3 * illness - 1.9)))
    columns[OUTCOME] = (draw.random(rows) >= risk).astype(np.int64)
    return columns


_SHAPES = (
    ("age", 64.0, 16.0, 0.3, 0),
    ("heart_rate", 92.0, 19.0, 0.6, 0),
    ("resp_rate", 21.0, 5.0, 0.6, 0),
    ("temperature", 37.4, 0.9, 0.2, 1),
    ("sbp", 116.0, 21.0, -0.6, 0),
    ("dbp", 62.0, 14.0, -0.5, 0),
    ("map", 78.0, 14.0, -0.6, 0),
    ("spo2", 96.0, 2.5, -0.4, 0),
    ("gcs", 13.0, 2.5, -0.7, 0),
    ("sofa", 6.0, 3.0, 0.9, 0),
    ("wbc", 13.0, 6.0, 0.3, 1),
    ("lactate", 2.3, 1.5, 0.8, 1),
    ("creatinine", 1.5, 1.0, 0.5, 2),
    ("bilirubin", 1.3, 1.2, 0.4, 1),
    ("platelets", 205.0, 100.0, -0.3, 0),
    ("bun", 29.0, 18.0, 0.5, 0),
    ("glucose", 141.0, 48.0, 0.2, 0),
)
"""Column, middle, spread, how it leans with illness, digits."""
