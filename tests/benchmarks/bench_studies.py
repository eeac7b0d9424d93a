"""The studies of page Decide at 1,000,000 cases, and the decision pass beside pandas.

    python -m tests.benchmarks.bench_studies [rows]

- Every output of a case (decision, expected, computed and best profit) of 10,000,000 cases x 3
  classes x 4 decisions beside the same in pandas. Target: 40x.
- What-if: totals of three models, decisions kept and made again, paired intervals. Target: 0.1 s.
- 1,000 draws of the total profit of three models, paired. Target: 2 s.
- Winner map of 200 x 200 settings for 5 models. Target: 5 s, exact; with a cost per case coarse to
  fine on a part of the cases, its error printed.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np
import pandas as pd

from core.decisions import (
    DecisionProblem,
    DecisionWorkspace,
    ModelScores,
    analyse,
    resample_differences,
)
from core.decisions.passes.decision_pass import decide_rows
from core.decisions.sensitivity.changes import cell_change
from core.decisions.sensitivity.what_if import present_of, what_if
from core.decisions.sensitivity.winner_map import axis_of, winner_map
from core.kernels import CHUNK_ROWS
from payoff.types import FloatArray
from tests.benchmarks.bench_decisions import CELLS, median_of, scored
from tests.benchmarks.harness import alternate, print_aim, print_machine, print_race

PASS_ROWS, PASS_TARGET = 10_000_000, 40.0
MAIL = np.array([[24.0, 0.0], [-1.6, 0.0]])
DRAWS, SIDE = 1_000, 200


def race_pandas(rows: int) -> None:
    """Print every output of the decision pass beside pandas."""
    draw = np.random.default_rng(0)
    posteriors = draw.random((3, rows))
    posteriors /= posteriors.sum(axis=0)
    outcome = draw.integers(0, 3, rows).astype(np.int32)
    names = ("p", "q", "r", "s")
    problem = DecisionProblem(levels=("a", "b", "c"), decisions=names, cells=CELLS, outcome=outcome)
    given, nothing = problem.consequences, np.empty(0)
    decision = np.empty(rows, dtype=np.uint8)
    expected, computed, best = np.empty(rows), np.empty(rows), np.empty(rows)

    def ours() -> float:
        cases, sums = np.zeros((2, -(-rows // CHUNK_ROWS), CELLS.size + 1))
        decide_rows(
            posteriors,
            nothing,
            given,
            outcome,
            nothing,
            decision,
            expected,
            computed,
            best,
            cases,
            sums,
        )
        return float(cases.sum(axis=0)[:-1] @ CELLS.ravel())

    frame = pd.DataFrame(posteriors.T, columns=["a", "b", "c"])
    matrix = pd.DataFrame(CELLS, index=["a", "b", "c"], columns=list(names))
    level = pd.Series(outcome).map(dict(enumerate("abc")))

    def pandas() -> float:
        values = frame.dot(matrix)
        table = pd.DataFrame({"D": values.idxmax(axis=1), "EP": values.max(axis=1)})
        won = matrix.stack()
        pairs = pd.MultiIndex.from_arrays([level, table["D"]])
        table["CP"] = won.reindex(pairs).to_numpy()
        table["BP"] = level.map(matrix.max(axis=1))
        return float(table["CP"].sum())

    if not np.isclose(ours(), pandas(), rtol=1e-9):
        raise SystemExit("the totals differ")
    title = f"every output of {rows:,} cases x 3 classes x 4 decisions"
    print_race(title, alternate({"payoff": ours, "pandas": pandas}, runs=5), PASS_TARGET)


def mailing(
    rows: int, costs: FloatArray | None = None
) -> tuple[DecisionProblem, tuple[ModelScores, ...]]:
    """A mailing with three models, with a cost per case if one is given."""
    outcome, models = scored(rows)
    problem = DecisionProblem(
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=MAIL,
        outcome=outcome,
        do_nothing="Do nothing",
        cost_columns={} if costs is None else {0: costs},
    )
    return problem, models


def time_what_if(rows: int) -> None:
    """Print the time from a moved slider to its totals."""
    problem, models = mailing(rows)
    present = present_of(problem, models)

    def slide(step: int) -> None:
        cells = MAIL + np.array([[0.5 * step, 0.0], [0.0, 0.0]])
        what_if(problem, replace(problem, cells=cells), models, present=present)

    slide(1)
    seconds = median_of(slide, 9)
    print()
    what = f"what-if, {rows:,} cases x 3 models"
    print_aim(what, "under 0.1 s", f"{seconds:.3f} s", seconds < 0.1)


def time_draws(rows: int) -> None:
    """Print the time of draws of the total profit: of one model, and of three, paired."""
    problem, three = mailing(rows)
    for models in (three[:1], three):
        workspace = DecisionWorkspace()
        analyse(problem, models, workspace=workspace)
        resample_differences(workspace, resamples=32)

        def draw(step: int, workspace: DecisionWorkspace = workspace) -> None:
            resample_differences(workspace, resamples=DRAWS, seed=step)

        words = f"{len(models)} {'model' if len(models) == 1 else 'models'}"
        seconds = median_of(draw, 5)
        what = f"{DRAWS:,} draws, {rows:,} cases x {words}"
        print_aim(what, "under 2 s", f"{seconds:.2f} s", seconds < 2.0)


def time_map(rows: int) -> None:
    """Print the time of a winner map of five models, exact and coarse to fine."""
    draw = np.random.default_rng(8)
    for title, costs in (("exact", None), ("a cost per case", draw.random(rows))):
        problem, three = mailing(rows, costs)
        models = (*three, *_blends(three))
        begun = time.perf_counter()
        brings = axis_of(cell_change(problem, 0, 0), 0.0, 48.0, SIDE)
        letter = axis_of(cell_change(problem, 1, 0), -3.2, 0.0, SIDE)
        found = winner_map(problem, models, brings, letter)
        taken = time.perf_counter() - begun
        how = "exact" if found.is_exact else f"error {found.error:,.0f}"
        what = f"winner map {SIDE} x {SIDE}, {rows:,} cases x {len(models)} models, {title}"
        print_aim(what, "under 5 s", f"{taken:.2f} s, {how}", taken < 5.0)


def _blends(models: tuple[ModelScores, ...]) -> tuple[ModelScores, ...]:
    """Two models more: means of two of the three."""
    return tuple(
        ModelScores(
            name=f"{first.name} and {second.name}",
            posteriors=(first.posteriors + second.posteriors) / 2.0,
        )
        for first, second in (models[:2], models[1:])
    )


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=1_000_000)
    rows = parser.parse_args().rows
    print_machine()
    race_pandas(min(PASS_ROWS, 10 * rows))
    time_what_if(rows)
    time_draws(rows)
    time_map(rows)


if __name__ == "__main__":
    main()
