"""The decision pass beside numpy, and the time from an edit to a new result.

Run: ``python -m tests.benchmarks.bench_decisions [rows]``.

- Pass: checked posteriors, choice with its tie rule, its expected profit and the totals by class
  and decision of 10,000,000 cases x 3 classes x 4 decisions, float64, no fastmath. Peer: numpy
  matmul, argmax, take and count (without tie rule and checks). Target: 12x; the share of copy
  bandwidth is printed (bytes of the columns read and written over the time). Then the same with
  the computed and the best profit of each case written out.
- Edits: from a changed cell, prior or cost to a new DecisionResult for three models. Target: 0.1 s
  at 1,000,000 cases, 1 s at 10,000,000; the cursor's exact answer: 0.05 s at 10,000,000.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from core.decisions import (
    AmountFacts,
    CaseAmounts,
    DecisionProblem,
    DecisionWorkspace,
    ModelScores,
    analyse,
    read_cursor,
)
from core.decisions.passes.decision_pass import decide_rows
from core.decisions.sensitivity.what_if import present_of, what_if
from core.kernels import CHUNK_ROWS
from payoff.types import FloatArray
from tests.benchmarks.harness import alternate, copy_bandwidth, print_aim, print_machine, print_race

TARGET = 12.0
CELLS = np.array([[15.0, 0.0, 3.0, 1.0], [-1.5, 0.0, 2.0, 4.0], [3.0, 2.0, 1.0, 0.0]])


def race_pass(rows: int) -> float:
    """Print the comparison of one decision pass; return the ratio."""
    draw = np.random.default_rng(0)
    posteriors = draw.random((3, rows))
    posteriors /= posteriors.sum(axis=0)
    outcome = draw.integers(0, 3, rows).astype(np.int32)
    problem = DecisionProblem(
        levels=("a", "b", "c"), decisions=("p", "q", "r", "s"), cells=CELLS, outcome=outcome
    )
    given = problem.consequences
    decision, nothing = np.empty(rows, dtype=np.uint8), np.empty(0)
    expected, computed, best = np.empty(rows), np.empty(rows), np.empty(rows)

    def ours(own: FloatArray, ceiling: FloatArray) -> tuple[float, float]:
        cases, sums = np.zeros((2, -(-rows // CHUNK_ROWS), CELLS.size + 1))
        decide_rows(
            posteriors,
            nothing,
            given,
            outcome,
            nothing,
            decision,
            expected,
            own,
            ceiling,
            cases,
            sums,
        )
        return float(cases.sum(axis=0)[:-1] @ CELLS.ravel()), float(sums.sum())

    by_case = np.ascontiguousarray(posteriors.T)
    place = np.arange(rows)

    def numpy_choice() -> tuple[float, float]:
        values = by_case @ CELLS
        chosen = values.argmax(axis=1)
        hoped = values[place, chosen]
        counts = np.bincount(outcome * CELLS.shape[1] + chosen, minlength=CELLS.size)
        return float(counts @ CELLS.ravel()), float(hoped.sum())

    def numpy_columns() -> tuple[float, float]:
        values = by_case @ CELLS
        chosen = values.argmax(axis=1)
        hoped, won = values[place, chosen], CELLS[outcome, chosen]
        ceiling = CELLS.max(axis=1)[outcome]
        return float(won.sum()), float(hoped.sum()) + 0.0 * float(ceiling.sum())

    if not np.allclose(ours(nothing, nothing), numpy_choice(), rtol=1e-9):
        raise SystemExit("the totals differ")
    copy = copy_bandwidth()
    shape = f"{rows:,} x 3 classes x 4 decisions"
    ratio = _race(
        f"decision pass, {shape}: decision, its expected value, totals",
        lambda: ours(nothing, nothing),
        {"numpy matmul + argmax + take + count": numpy_choice},
        rows * (3 * 8 + 4 + 1 + 8) / copy,
        TARGET,
    )
    _race(  # bound by memory on both sides, so without a target of its own
        f"the same with the columns CP_ and BP_, {shape}",
        lambda: ours(computed, best),
        {"numpy matmul + argmax + takes": numpy_columns},
        rows * (3 * 8 + 4 + 1 + 3 * 8) / copy,
    )
    return ratio


def _race(
    title: str,
    ours: Callable[[], Any],
    peer: dict[str, Callable[[], Any]],
    floor: float,
    target: float | None = None,
) -> float:
    """Print one comparison and how near it comes to copying the same bytes (``floor`` seconds)."""
    timings = alternate({"payoff": ours, **peer}, runs=9)
    ratio = print_race(title, timings, target)
    print(f"  {floor / timings[0].median:.0%} of the bandwidth of a copy")
    return ratio


def scored(rows: int) -> tuple[np.ndarray, tuple[ModelScores, ...]]:
    """Outcomes and three models of a mailing."""
    draw = np.random.default_rng(3)
    latent = draw.normal(size=rows)

    def probabilities(noise: float, scale: float = 1.0) -> FloatArray:
        mixed = latent * np.sqrt(1 - noise) + draw.normal(size=rows) * np.sqrt(noise)
        return np.asarray(1 / (1 + np.exp(scale * (3.6 - 1.3 * mixed))))

    outcome = (draw.random(rows) > probabilities(0.0)).astype(np.int32)
    models = tuple(
        ModelScores(name=name, posteriors=np.vstack([probability, 1.0 - probability]))
        for name, probability in (
            ("gbm", probabilities(0.0)),
            ("logit", probabilities(0.2)),
            ("agency", probabilities(0.5, 1.2)),
        )
    )
    return outcome, models


def median_of(call: Callable[[int], Any], runs: int = 5) -> float:
    """Median seconds of ``call(k)`` for k = 0, 1, ..."""
    taken = []
    for run in range(runs):
        begun = time.perf_counter()
        call(run)
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def time_edits(rows: int) -> None:
    """Print the time from an edit to a result, with two and with three decisions."""
    outcome, models = scored(rows)
    cost = np.random.default_rng(5).random(rows)
    mail = np.array([[24.0, 0.0], [-1.6, 0.0]])
    three = np.array([[24.0, 29.0, 0.0], [-1.6, -2.9, 0.0]])
    limit = 0.1 * max(rows / 1e6, 1.0)
    print(f"\nfrom an edit to a result, {rows:,} cases x {len(models)} models")
    for title, cells, columns in (
        ("2 decisions", mail, {}),
        ("3 decisions", three, {}),
        ("2 decisions, a cost per case", mail, {0: cost}),
    ):
        workspace = DecisionWorkspace()

        def edit(
            step: int,
            priors: FloatArray | None = None,
            cells: FloatArray = cells,
            columns: dict[int, FloatArray] = columns,
            workspace: DecisionWorkspace = workspace,
        ) -> None:
            problem = DecisionProblem(
                levels=("1", "0"),
                decisions=("Mail", "Call", "Do nothing")[-cells.shape[1] :],
                cells=cells + np.where(cells > 0, 0.1 * step, 0.0),
                outcome=outcome,
                priors=priors,
                cost_columns=columns,
            )
            analyse(problem, models, workspace=workspace)

        def change_priors(step: int, edit: Callable[..., None] = edit) -> None:
            share = 0.03 + 0.001 * step
            edit(0, np.array([share, 1.0 - share]))

        begun = time.perf_counter()
        edit(0)
        first = time.perf_counter() - begun
        cells_seconds, prior_seconds = median_of(edit), median_of(change_priors)
        cursor = median_of(lambda step, space=workspace: read_cursor(space, 0.1 + 0.05 * step))
        print(
            f"  {title:<30} first {first:6.3f} s   cell {cells_seconds:6.3f} s   "
            f"prior {prior_seconds:6.3f} s   cursor {cursor:6.4f} s"
        )
        what = f"an edit, {rows:,} cases x {len(models)} models, {title}"
        slower = max(cells_seconds, prior_seconds)
        print_aim(what, f"under {limit:g} s", f"{slower:.3f} s", slower < limit)


def time_amounts(rows: int, *, has_cost: bool) -> None:
    """Print the time from an edit to a result where cells are shares of an amount per case.

    ``has_cost``: the same decision has a cost of the case too, and is laid out case by case.
    """
    outcome, models = scored(rows)
    loans = np.random.default_rng(6).lognormal(9.0, 1.0, rows)
    workspace, facts = DecisionWorkspace(), AmountFacts(loans)
    costs = {0: np.random.default_rng(7).uniform(1.0, 9.0, rows)} if has_cost else {}

    def at(step: int) -> DecisionProblem:
        slopes = np.array([[-0.60 - 0.01 * step, 0.0], [0.08, 0.0]])
        return DecisionProblem(
            levels=("1", "0"),
            decisions=("Lend", "Refuse"),
            cells=np.zeros((2, 2)),
            outcome=outcome,
            cost_columns=costs,
            amounts=CaseAmounts(values=loans, slopes=slopes, facts=facts),
        )

    def edit(step: int) -> None:
        analyse(at(step), models, workspace=workspace)

    now = at(0)
    present = present_of(now, models)

    def slide(step: int) -> None:
        what_if(now, at(step), models, present=present)

    edit(0)
    slide(1)
    print(
        f"  2 decisions, shares of an amount{' and a cost' if has_cost else ''} per case: "
        f"cell {median_of(edit):.3f} s   "
        f"what-if {median_of(slide):.3f} s"
    )


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=10_000_000)
    rows = parser.parse_args().rows
    print_machine()
    race_pass(rows)
    for cases in sorted({min(rows, 1_000_000), rows}):
        time_edits(cases)
        for has_cost in (False, True):
            time_amounts(cases, has_cost=has_cost)


if __name__ == "__main__":
    main()
