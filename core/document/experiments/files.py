"""A finished experiment in files: the table of runs as CSV, and all of it as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from core.document.experiments.results import ExperimentResult, RunTable
from core.document.files.codec import from_plain, to_plain
from core.document.files.guarded import check_targets, make_folder, write_file
from core.document.files.spreadsheet import csv_text
from payoff.errors import PayoffError, damage_refused

FORMAT = "payoff experiment 1"
SUFFIX = ".experiment.json"
COLUMNS = (
    "method",
    "system",
    "split",
    "learner",
    "n_train",
    "n_test",
    "error",
    "variance",
    "bound",
    "chance",
    "effect_error",
    "effect_variance",
    "effect_bound",
    "clipped",
    "worse_than_start",
    "seed",
)


def experiment_run_rows(result: ExperimentResult) -> list[dict[str, Any]]:
    """The runs as plain rows; ``seed`` is the master seed: the place says the rest."""
    runs, settled = result.runs, result.spec.settled()
    plain = COLUMNS[4:-1]
    values = {name: getattr(runs, name).tolist() for name in (*plain, "system", "split")}
    return [
        {
            "method": runs.samplers[int(runs.sampler[row])],
            "system": values["system"][row],
            "split": values["split"][row],
            "learner": runs.learners[int(runs.learner[row])],
            **{name: values[name][row] for name in plain},
            "seed": settled.seed,
        }
        for row in range(runs.count)
    ]


def runs_csv(result: ExperimentResult) -> str:
    """The table of runs as CSV text; numbers in full, undefined ones empty."""
    rows = experiment_run_rows(result)
    return csv_text([COLUMNS, *([_filled(row[name]) for name in COLUMNS] for row in rows)])


def _filled(value: object) -> object:
    return "" if isinstance(value, float) and math.isnan(value) else value


def run_files(path: str) -> tuple[Path, Path]:
    """Where the whole experiment and its table of runs are written."""
    place = Path(path)
    stem = place.name.removesuffix(".json").removesuffix(".csv").removesuffix(".experiment")
    return place.with_name(stem + SUFFIX), place.with_name(stem + ".csv")


def save_experiment(result: ExperimentResult, path: str) -> tuple[str, str]:
    """Write ``path`` (JSON) and the runs beside it (CSV); returns both paths.

    Raises
    ------
    PayoffError
        If a file cannot be written.
    """
    record, table = run_files(path)
    plain = {"format": FORMAT, "result": to_plain(result, _listed)}
    make_folder(record.parent)
    check_targets([record, table])
    text = json.dumps(plain, ensure_ascii=False, indent=1)
    write_file(record, text.encode("utf-8"), what="The experiment")
    write_file(table, runs_csv(result).encode("utf-8"), what="The table of runs")
    return str(record), str(table)


def load_experiment(path: str) -> ExperimentResult:
    """Read an experiment that was saved.

    Raises
    ------
    PayoffError
        If the file cannot be read or is none.
    """
    try:
        plain = json.loads(Path(path).read_text("utf-8"))
    except OSError as reason:
        raise PayoffError(
            "The experiment could not be read.", where=path, why=f"{reason.strerror or reason}."
        ) from reason
    except ValueError as reason:
        raise PayoffError("This is no saved experiment.", where=path, why=f"{reason}.") from reason
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise PayoffError(
            "This is no saved experiment.", where=path, remedy=f"Choose a file {SUFFIX}."
        )
    with damage_refused("The saved experiment is damaged.", where=path):
        result = from_plain(ExperimentResult, plain.get("result"), _array)
        _check_lengths(result.runs, path)
    return result


def _listed(values: np.ndarray[Any, Any]) -> Any:
    plain = [None if isinstance(v, float) and not math.isfinite(v) else v for v in values.tolist()]
    return {"kind": values.dtype.kind, "values": plain}


def _array(handle: Any) -> np.ndarray[Any, Any]:
    if not isinstance(handle, dict) or not isinstance(handle.get("values"), list):
        raise PayoffError("A saved column is no list.")
    try:
        if handle.get("kind") == "f":
            return np.array([math.nan if v is None else v for v in handle["values"]], np.float64)
        return np.array(handle["values"], np.int64)
    except (TypeError, ValueError, OverflowError) as reason:
        raise PayoffError("A saved column holds no numbers.") from reason


def _check_lengths(runs: RunTable, path: str) -> None:
    """Refuse columns of unequal length and places that name nothing."""
    arrays = [getattr(runs, item.name) for item in fields(runs)[2:]]
    is_whole = len({len(values) for values in arrays}) == 1
    for places, names in ((runs.sampler, runs.samplers), (runs.learner, runs.learners)):
        is_whole = is_whole and bool(np.all((places >= 0) & (places < len(names))))
    if not is_whole:
        raise PayoffError("The saved experiment is damaged.", where=path)


def differing_parts(first: ExperimentResult, second: ExperimentResult) -> tuple[str, ...]:
    """Names of the parts in which two experiments differ; one at most makes a fair comparison."""
    words = {
        "protocol": "protocol",
        "mode": "reading",
        "path": "data",
        "synthetic_rows": "made-up rows",
        "samplers": "sampling methods",
        "subject_form": "T(S)",
        "mean": "mean of subjects",
        "covariance": "covariance of subjects",
        "system": "evaluation system",
        "sharpness": "sharpness",
        "system_parameters": "parameters of the evaluation system",
        "learners": "learners",
        "systems": "number of systems",
        "splits": "number of splits",
        "test_share": "test share",
        "seed": "seed",
        "confidence": "confidence",
        "bound": "bound",
        "outcome": "outcome",
        "columns": "conditions",
        "missing_flags": "flags of gaps",
        "slot_days": "days of a slot",
    }
    ours, theirs = first.spec.settled(), second.spec.settled()
    return tuple(
        words[item.name]
        for item in fields(ours)
        if getattr(ours, item.name) != getattr(theirs, item.name)
    )
