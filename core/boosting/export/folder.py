"""The export folder: what is needed to run a model elsewhere, and to prove it runs right.

Scoring code in SQL and Python, the contract of the inputs, rows with expected results, a text.

Rows that show what a model does: cases of the data, and cases with one value changed.

The changed values are those that other systems get wrong: missing, a level that the model does not
know, a number exactly at a threshold.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, cycle, islice, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from core.boosting.export.code_forms import (
    KEY,
    has_response,
    prediction_names,
    score_names,
    to_python,
    to_sql,
)
from core.boosting.files import model_bytes
from core.boosting.inputs import UNSEEN, InputColumn, Inputs
from core.boosting.model import BoostedModel
from core.document.files.export_folder import (
    CONTRACT,
    EXPECTED,
    FORMAT,
    FORMULA_SIGNS,
    NOTE,
    README,
    TABLE,
    VERSION,
    free_name,
    with_contract,
    write_export,
)
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray
from payoff.version import __version__

ROWS = 200
PROBES = 80
"""Rows with one value changed; more where the data have fewer than 120 cases."""

AS_IS = "a case of the data"


@dataclass(frozen=True, slots=True)
class ExampleRows:
    """``ROWS`` cases with a word on each."""

    inputs: Inputs
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Probe:
    column: int
    value: float
    note: str


def unknown_level(column: InputColumn) -> str:
    """A level that a column does not have."""
    name = "unknown level"
    while name in column.levels:
        name += "_"
    return name


def example_rows(model: BoostedModel, inputs: Inputs) -> ExampleRows:
    """Pick cases evenly from the data and change one value in some of them.

    Raises
    ------
    PayoffError
        If there is no case.
    """
    if inputs.n_rows == 0:
        raise PayoffError("There are no cases to take examples from.")
    kept = min(inputs.n_rows, ROWS - PROBES)
    picked = np.linspace(0, inputs.n_rows - 1, kept).round().astype(np.int64)
    probes = list(islice(cycle(_probes(model)), ROWS - kept))
    # Cases change slowest, so that each probe meets many of them.
    bases = picked[(np.arange(len(probes)) * 7) % kept]
    rows = np.concatenate([picked, bases])
    arrays = [np.asarray(array, dtype=np.float64)[rows] for array in inputs.arrays]
    for place, probe in enumerate(probes, start=kept):
        arrays[probe.column][place] = probe.value
    notes = (AS_IS,) * kept + tuple(probe.note for probe in probes)
    return ExampleRows(Inputs(inputs.columns, tuple(arrays)), notes)


def _probes(model: BoostedModel) -> list[_Probe]:
    """All changes worth showing, columns in turn; those that no split reads come last."""
    used = np.bincount(
        model.forest.feature[model.forest.feature >= 0], minlength=len(model.columns)
    )
    order = sorted(range(len(model.columns)), key=lambda place: used[place] == 0)
    turns = zip_longest(*(_probes_of(model, place) for place in order))
    return [probe for probe in chain.from_iterable(turns) if probe is not None]


def _probes_of(model: BoostedModel, place: int) -> Iterator[_Probe]:
    column = model.columns[place]
    yield _Probe(place, np.nan, f"{column.name} is missing")
    if column.is_nominal:
        yield _Probe(place, UNSEEN, f"{column.name} has an unknown level")
    if column.levels:
        return
    forest = model.forest
    threshold = forest.threshold[forest.feature == place]
    known = np.unique(threshold[np.isfinite(threshold)])
    most = min(len(known), ROWS)
    for turn in _spread(most):
        value = float(known[turn * len(known) // most])
        yield _Probe(place, value, f"{column.name} is exactly at a threshold")


def _spread(size: int) -> list[int]:
    """0 to size - 1 in an order of which every beginning is spread evenly (golden section)."""
    places = (np.arange(size) * 0.6180339887498949) % 1.0
    ranks: list[int] = np.argsort(np.argsort(places)).tolist()
    return ranks


SQL = "score.sql"
PYTHON = "score.py"

_POLICIES = {
    "learned_side": "A missing value goes to the side of each split that the training chose.",
    "third_child": "A missing value has a branch of its own at each split.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """Results by name, float64 (rows,) each: link scores, then predictions where code has them."""

    key: str
    note: str
    columns: dict[str, FloatArray]


def export_model(
    model: BoostedModel, inputs: Inputs, folder: Path, offset: str | None = None
) -> None:
    """Write the export folder of a model.

    Parameters
    ----------
    model : BoostedModel
    inputs : Inputs
        Cases to take examples from.
    folder : Path
        Made where it is not there. An earlier export in it is replaced.
    offset : str, optional
        The column that was added to the scores in training.

    Raises
    ------
    PayoffError
        If there are no cases, if the folder holds something else, or cannot be written.
    """
    write_export(folder, export_files(model, inputs, offset))


def export_files(
    model: BoostedModel, inputs: Inputs, offset: str | None = None
) -> dict[str, bytes]:
    """The files of an export by name; the contract, which holds the others' hashes, last."""
    taken = {column.name for column in model.columns}
    examples = example_rows(model, inputs)
    outputs = _outputs(model, examples, taken)
    kind = "both" if has_response(model) else "link"
    texts = {
        SQL: to_sql(model, TABLE, kind, (outputs.key,)),
        PYTHON: to_python(model, outputs.key),
        EXPECTED: _expected_csv(model, examples, outputs),
        README: _readme(model, outputs, offset),
    }
    files = {name: text.encode("utf-8") for name, text in texts.items()}
    return with_contract(files, _contract(model, inputs, outputs, offset))


def _outputs(model: BoostedModel, examples: ExampleRows, taken: set[str]) -> Outputs:
    columns = dict(zip(score_names(model), model.link(examples.inputs), strict=True))
    if has_response(model):
        predicted = model.response(examples.inputs)
        columns |= dict(zip(prediction_names(model), predicted, strict=True))
    clash = taken & set(columns)
    if clash:
        raise PayoffError(
            f"The model has an input called '{min(clash)}', as the result is.",
            remedy="Rename the column and train again.",
        )
    used = taken | set(columns)
    return Outputs(key=free_name(KEY, used), note=free_name(NOTE, used), columns=columns)


# ---------------------------------------------------------------- expected.csv


def _expected_csv(model: BoostedModel, examples: ExampleRows, outputs: Outputs) -> str:
    """Rows with their results; numbers in the shortest form that reads back the same."""
    names = [column.name for column in model.columns]
    cells = [_cells(column, array) for column, array in _pairs(examples.inputs)]
    results = [[repr(float(value)) for value in values] for values in outputs.columns.values()]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([outputs.key, *names, *outputs.columns, outputs.note])
    keys = range(1, examples.inputs.n_rows + 1)
    writer.writerows(zip(keys, *cells, *results, examples.notes, strict=True))
    return stream.getvalue()


def _pairs(inputs: Inputs) -> list[tuple[InputColumn, Any]]:
    return list(zip(inputs.columns, inputs.arrays, strict=True))


def _cells(column: InputColumn, array: Any) -> list[str]:
    values = np.asarray(array, dtype=np.float64)
    if not column.levels:
        return ["" if np.isnan(value) else _number(float(value)) for value in values]
    unknown = unknown_level(column)
    return [
        "" if np.isnan(code) else column.levels[int(code)] if code >= 0.0 else unknown
        for code in values
    ]


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


# ---------------------------------------------------------------- contract.json


def _contract(
    model: BoostedModel, inputs: Inputs, outputs: Outputs, offset: str | None
) -> dict[str, Any]:
    used = set(model.forest.feature[model.forest.feature >= 0].tolist())
    columns = [
        _column(column, array, place in used)
        for place, (column, array) in enumerate(_pairs(inputs))
    ]
    policy = "third_child" if model.settings.is_third_child else "learned_side"
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"Payoff {__version__}",
        "model": {
            "distribution": model.distribution.id,
            "parameters": {name: float(value) for name, value in model.parameters.items()},
            "trees": model.n_trees,
            "classes": list(model.classes),
            "sha256": hashlib.sha256(model_bytes(model)).hexdigest(),
        },
        "table": TABLE,
        "key": outputs.key,
        "inputs": columns,
        "missing": {"policy": policy, "meaning": _POLICIES[policy], "in_sql": None, "in_csv": ""},
        "offset": _offset(offset),
        "outputs": [_output(model, name) for name in outputs.columns],
        "expected": {"file": EXPECTED, "rows": ROWS, "note": outputs.note},
    }


def _column(column: InputColumn, array: Any, is_used: bool) -> dict[str, Any]:
    known = np.asarray(array, dtype=np.float64)
    known = known[~np.isnan(known)]
    entry: dict[str, Any] = {"name": column.name, "is_used": is_used, "may_be_missing": True}
    if not column.levels:
        entry["type"] = "number"
        entry["meaning"] = "A finite number in double precision; true and false are 1 and 0."
        if len(known):
            entry["seen_from"], entry["seen_to"] = float(known.min()), float(known.max())
        return entry
    entry["type"] = "ordered level" if column.is_ordered else "level"
    entry["meaning"] = "A text, compared exactly; a whole number is written without a point."
    entry["levels"] = list(column.levels)
    entry["other_levels"] = (
        "count as missing"
        if column.is_ordered
        else "go where the training sent levels that a split did not hold; they are not missing"
    )
    return entry


def _offset(offset: str | None) -> dict[str, Any] | None:
    if offset is None:
        return None
    return {
        "column": offset,
        "is_added": False,
        "meaning": "The training added this column to the score. The code here does not: add it to "
        "the score before the prediction is made from it.",
    }


def _output(model: BoostedModel, name: str) -> dict[str, str]:
    is_link = name in score_names(model)
    scale = "the link scale" if is_link else "the scale of the outcome"
    if not is_link and model.n_scores == 1 and len(model.classes) == 2:
        scale = f"the chance of '{model.classes[1]}'"
    return {"name": name, "meaning": scale}


# ---------------------------------------------------------------- README.txt


def _readme(model: BoostedModel, outputs: Outputs, offset: str | None) -> str:
    names = ", ".join(outputs.columns)
    lines = [
        f"A boosted model to run elsewhere: {model.distribution.label}, "
        f"{counted(model.n_trees, 'tree')}.",
        "",
        f"{CONTRACT:14} the inputs: names, types, levels, what a missing value is; the results",
        f"{SQL:14} one SELECT over a table '{TABLE}' with the inputs and a key '{outputs.key}'",
        f"{PYTHON:14} the same for Python 3, no packages: python {PYTHON} cases.csv scores.csv",
        f"{EXPECTED:14} {ROWS} rows with the results expected for them: {names}",
        "",
        "How to prove that another system scores as this model does:",
        f"1. Load {EXPECTED} there. An empty cell is a missing value (NULL); texts stay texts.",
        f"2. Score its rows; write '{outputs.key}' and the results to a CSV or Parquet file.",
        "3. payoff verify-export THAT_FILE --folder THIS_FOLDER",
        "   It names the rows and columns that differ, the first and the worst.",
        "",
        f"The column '{outputs.note}' says what a row is for: a case of the data, or a case with",
        "one value changed: missing, an unknown level, exactly at a threshold (x < t goes left).",
        "The rows of cases hold real values of the training data: hand them over accordingly.",
        f"Leave {EXPECTED} as it is: saving it from a spreadsheet rounds numbers.",
    ]
    if offset is not None:
        lines += ["", f"The training added the column '{offset}' to the score; this code does not."]
    risky = [c.name for c in model.columns if any(x.startswith(FORMULA_SIGNS) for x in c.levels)]
    if risky:
        lines += [
            "",
            f"Levels of {', '.join(risky)} begin with = + - or @ and are written as they are:",
            "a spreadsheet may take them for formulas.",
        ]
    return "\n".join(lines) + "\n"
