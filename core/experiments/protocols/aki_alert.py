"""AKI alert: conditions of the ELAIA-1 trial (Wilson and others 2021, Dryad 4f4qrfj95)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.data import LoadedTable
from core.document.experiments.spec import ExperimentSpec
from core.experiments.protocols.columns import (
    condition_columns,
    finish_study,
    number,
    require_columns,
    unsafe_names,
    zero_one,
)
from core.experiments.study import Stream, Study, stream
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import AnyArray, FloatArray

ID, DEATH = "id", "death14"
BINARY = (
    "sex",
    "race",
    "ethnicity",
    "age_over_90",
    "aki_documentation",
    "chf",
    "ckd_icd",
    "copd",
    "diabetes",
    "hypertension",
    "liver_disease",
    "malignancy",
    "admit_medical",
    "emergency_room",
    "icu",
    "ward",
    "nsaidpre24",
    "prior_acearbrenin72",
    "prior_contraststudy72",
    "prior_ctsurgery7",
    "prior_nsaid72",
    "prior_ppi72",
    "acearbreninpre24",
    "bnp_flag",
)
NUMERIC = (
    "age",
    "initial_egfr",
    "time_from_trial_to_rand",
    "anion_gap_at_rand",
    "bicarbonate_at_rand",
    "bun_at_rand",
    "chloride_at_rand",
    "creat_at_rand",
    "diastolic_at_rand",
    "hemoglobin_at_rand",
    "plateletcount_at_rand",
    "potassium_at_rand",
    "pulse_at_rand",
    "resp_at_rand",
    "sodium_at_rand",
    "systolic_at_rand",
    "wbcc_at_rand",
    "baseline_creat",
    "mincreat48",
    "elx_score",
    "sofa",
    "max_stage",
)
CATEGORIES = ("hospital",)
LEAKED = ("max_stage", "aki_documentation")
MAY_BE_ZERO = ("diastolic_at_rand", "pulse_at_rand", "resp_at_rand")
OLDEST = 90.0


def aki_alert_study(table: LoadedTable, spec: ExperimentSpec) -> Study:
    """Patients, their conditions before randomisation, and whether they live after 14 days."""
    require_columns(table, (ID, DEATH, *BINARY, *NUMERIC, *CATEGORIES), "AKI alert")
    extra = tuple(name for name in spec.columns if name not in (*BINARY, *NUMERIC, *CATEGORIES))
    warnings, notes = (
        [],
        [
            "The outcome is 1 - death14: the patient lives after 14 days.",
            "z is centred, which replaces Theta0; the share of ones is that of the real outcome.",
            "The split share is not given in the source: 80 to 20.",
        ],
    )
    left_out: tuple[str, ...] = ()
    if spec.is_paper:
        warnings.append(
            "max_stage and aki_documentation are known only after randomisation: the source lists "
            "them as conditions, and paper mode keeps them."
        )
    else:
        left_out = LEAKED
        notes.append("max_stage and aki_documentation are left out: known only afterwards.")
    leaked = unsafe_names(extra)
    if leaked:
        warnings.append(
            f"Known only after the decision by their names: {', '.join(leaked)}. A condition that "
            "leaks the outcome makes the evaluation look better than it is."
        )
    warnings += _zeros(table)
    numbers = [name for name in (*BINARY, *NUMERIC) if name not in left_out]
    names, conditions = condition_columns(
        table, [*numbers, *extra], CATEGORIES, {"age": _ages(table, notes)}
    )
    outcome = 1.0 - zero_one(table, DEATH)
    return finish_study(
        table, names, conditions, outcome, id_column=ID, warnings=warnings, notes=notes
    )


def _ages(table: LoadedTable, notes: list[str]) -> FloatArray:
    """Ages; the privacy mask of patients over 90 is no gap."""
    age = number(table, "age").copy()
    masked = (number(table, "age_over_90") == 1.0) & np.isnan(age)
    age[masked] = OLDEST
    if masked.any():
        notes.append(
            f"{counted(int(masked.sum()), 'patient over 90 has', 'patients over 90 have')} no "
            "age: 90 stands in."
        )
    return age


def _zeros(table: LoadedTable) -> list[str]:
    """Measurements of 0 in columns where nobody alive has 0."""
    counts = {name: int((number(table, name) == 0.0).sum()) for name in MAY_BE_ZERO}
    found = [f"{name} ({count})" for name, count in counts.items() if count]
    if not found:
        return []
    return [f"Values of 0 that may be gaps, kept as they are: {', '.join(found)}."]


def simulate_aki_alerts(rows: int, seed: int) -> Mapping[str, AnyArray | list[str]]:
    """Made-up patients with the trial's columns; nobody real stands behind them."""
    if rows < 1:
        raise PayoffError(f"{counted(rows, 'row')} cannot be made up.")
    draw = stream(seed, Stream.ROWS)
    illness = draw.standard_normal(rows)
    columns: dict[str, AnyArray | list[str]] = {ID: np.arange(1, rows + 1)}
    for place, name in enumerate(BINARY):
        lean = 0.5 if place % 3 else -0.3
        chance = 1.0 / (1.0 + np.exp(-(lean * illness - 1.0 + 0.1 * place % 1.3)))
        columns[name] = (draw.random(rows) < chance).astype(np.int64)
    for name, middle, spread, lean, digits in _SHAPES:
        values = middle + spread * (0.4 * lean * illness + draw.standard_normal(rows))
        columns[name] = np.round(np.maximum(values, 0.05 * middle), digits)
    age = np.asarray(columns["age"], dtype=np.float64).clip(18.0, 99.0)
    columns["age_over_90"] = (age >= OLDEST).astype(np.int64)
    columns["age"] = np.where(age >= OLDEST, np.nan, age)
    for name in ("anion_gap_at_rand", "bun_at_rand", "wbcc_at_rand", "resp_at_rand"):
        values = np.array(columns[name], dtype=np.float64)
        values[draw.random(rows) < 0.01] = np.nan
        columns[name] = values
    columns["hospital"] = draw.integers(1, 7, rows)
    risk = 1.0 / (1.0 + np.exp(-(1.1 * illness - 2.75)))
    columns[DEATH] = (draw.random(rows) < risk).astype(np.int64)
    return columns


_SHAPES = (
    ("age", 68.0, 15.0, 0.5, 1),
    ("initial_egfr", 65.0, 25.0, -0.8, 2),
    ("time_from_trial_to_rand", 200.0, 110.0, 0.0, 1),
    ("anion_gap_at_rand", 11.0, 3.0, 0.6, 0),
    ("bicarbonate_at_rand", 24.0, 4.5, -0.5, 0),
    ("bun_at_rand", 33.0, 18.0, 0.9, 0),
    ("chloride_at_rand", 102.0, 6.0, 0.1, 0),
    ("creat_at_rand", 1.7, 0.8, 0.5, 2),
    ("diastolic_at_rand", 65.0, 13.0, -0.4, 0),
    ("hemoglobin_at_rand", 10.4, 2.1, -0.4, 1),
    ("plateletcount_at_rand", 214.0, 105.0, -0.3, 0),
    ("potassium_at_rand", 4.3, 0.6, 0.3, 1),
    ("pulse_at_rand", 85.0, 18.0, 0.5, 0),
    ("resp_at_rand", 19.0, 4.0, 0.5, 0),
    ("sodium_at_rand", 138.0, 5.0, -0.1, 0),
    ("systolic_at_rand", 121.0, 23.0, -0.5, 0),
    ("wbcc_at_rand", 11.0, 6.0, 0.5, 1),
    ("baseline_creat", 1.1, 0.6, 0.3, 2),
    ("mincreat48", 1.1, 0.6, 0.3, 2),
    ("elx_score", 6.0, 3.0, 0.6, 0),
    ("sofa", 4.0, 2.5, 0.9, 0),
    ("max_stage", 1.3, 0.7, 0.6, 0),
)
"""Column, middle, spread, how it leans with illness, digits."""
