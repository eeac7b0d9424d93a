"""The job that writes the data with every case's chance, outcome and weight at a horizon."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from core import data
from core.assembly.compare.survival import SurvivalRows, probabilities_over_time, survival_rows
from core.document.studies.compare import HorizonFileArguments, HorizonFileResult
from core.engine.context import JobContext
from core.engine.jobs.data import written_table
from core.evaluation.judged_predictions import at_horizon
from payoff.errors import PayoffError
from payoff.types import FloatArray


def write_horizon(requested: HorizonFileArguments, context: JobContext) -> HorizonFileResult:
    """Write the data with chance, outcome and weight at a horizon, ready for page Decide.

    Raises
    ------
    PayoffError
        As ``survival_curves``, and if the file cannot be written.
    """
    inputs = survival_rows(requested.document, requested.model, context)
    horizon = requested.horizon
    table = inputs.table
    names = tuple(f"{word}_by_{horizon:g}" for word in ("chance", "event", "weight"))
    taken = [name for name in names if name in table.columns]
    if taken:
        raise PayoffError(
            f"The file has a column '{taken[0]}' already.",
            remedy="Choose another time, or leave that column out of the file.",
        )
    outcome, weight = at_horizon(inputs.followed, horizon)
    every = np.arange(table.rows)
    survival = probabilities_over_time(
        inputs, requested.document, every, np.array([horizon]), context
    )[:, 0]
    written = written_table(table)
    for name, values in zip(
        names, (1.0 - survival, _spread(outcome, inputs), _spread(weight, inputs)), strict=True
    ):
        written = written.append_column(name, pa.array(values, from_pandas=True))
    data.write_arrow(requested.path, written, context.progress, context.should_stop)
    unknown = int(np.isnan(outcome).sum())
    return HorizonFileResult(
        path=requested.path,
        probability=names[0],
        outcome=names[1],
        weight=names[2],
        rows=table.rows,
        unknown=unknown,
    )


def _spread(values: FloatArray, inputs: SurvivalRows) -> FloatArray:
    """Values of the rows that were looked at, as a column of the file; the others are empty."""
    column = np.full(inputs.table.rows, np.nan)
    column[inputs.rows] = values
    return column
