"""The small made-up runs of what the first totals need: reading a text file, and the analysis.

They come first after the engine's start, while the window still paints, so this module imports no
more than they run: no boosting, metrics, uplift or experiments.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np

from core import data
from core.data.probabilities import are_shares, look_at_rows
from core.data.text.bytescan import ByteScan
from core.decisions import (
    DecisionProblem,
    DecisionWorkspace,
    ModelScores,
    analyse,
    read_cursor,
)
from core.document.model import ChartMode, OldPriorKind
from payoff.types import CodeArray, FloatArray

ROWS = 300
LEVELS = ("yes", "no")


def warm_up_cases() -> tuple[CodeArray, FloatArray]:
    """Made-up outcomes (n,) and chances (2, n)."""
    probability = (np.arange(ROWS) + 0.5) / ROWS
    outcome = np.where((np.arange(ROWS) * 7) % 10 < 10 * probability, 0, 1).astype(np.int32)
    return outcome, np.ascontiguousarray(np.vstack([probability, 1.0 - probability]))


def warm_data() -> None:
    """The table's own imports; looks at every byte of a text, every number, level and chance."""
    columns = {"score": np.arange(4.0), "answer": ["yes", "no"] * 2, "event": [1, 0] * 2}
    table = data.from_data(columns)
    table.overview.whole()
    data.encode_levels(table, "answer")
    data.encode_levels(table, "event")
    look_at_rows(warm_up_cases()[1])
    are_shares(warm_up_cases()[1][0])
    ByteScan(ord(","), ord('"')).feed(b'id,"name"\r\n1,"North"\r\n')


def warm_reading() -> None:
    """A text file of numbers, read as a project's data are."""
    with tempfile.TemporaryDirectory(prefix="payoff-warm-") as folder:
        path = Path(folder) / "numbers.csv"
        path.write_text("first,second\n" + "1.5,2\n-0.25,3\n" * 20, "utf-8")
        data.load(str(path))


def warm_totals() -> None:
    """The analysis of a plain matrix, corrected to priors: what page Decide shows first."""
    warm_analysis(plain_problem(), (ChartMode.ACT_ON_BEST,))


def warm_cursor() -> None:
    """Exact values at a depth."""
    read_cursor(warm_analysis(plain_problem(), (ChartMode.ACT_ON_BEST,)), 0.3)


def plain_problem(cost_columns: dict[int, FloatArray] | None = None) -> DecisionProblem:
    """Two decisions for the made-up cases, with priors."""
    return DecisionProblem(
        levels=LEVELS,
        decisions=("Act", "Wait"),
        cells=np.array([[8.0, 0.0], [-2.0, 0.0]]),
        outcome=warm_up_cases()[0],
        priors=np.array([0.2, 0.8]),
        cost_columns=cost_columns or {},
        do_nothing="Wait",
    )


def two_models() -> tuple[ModelScores, ...]:
    """Scores that have to be corrected to the priors, and scores that were."""
    posteriors = warm_up_cases()[1]
    return (
        ModelScores(
            name="corrected",
            posteriors=posteriors,
            old_kind=OldPriorKind.TRAINED_AT,
            old_priors=np.array([0.5, 0.5]),
        ),
        ModelScores(name="plain", posteriors=posteriors, old_kind=OldPriorKind.CORRECTED),
    )


def warm_analysis(problem: DecisionProblem, modes: tuple[ChartMode, ...]) -> DecisionWorkspace:
    """The two models' analysis, drawn in each of ``modes``."""
    workspace = DecisionWorkspace()
    for mode in modes:
        analyse(problem, two_models(), workspace=workspace, chart_mode=mode)
    return workspace


def first_steps() -> tuple[Callable[[], object], ...]:
    """What stands between the engine's start and the first totals, in the order it is needed."""
    return (
        warm_data,
        warm_reading,
        lambda: import_module("core.assembly.decide.deciding"),
        warm_totals,
        warm_cursor,
    )
