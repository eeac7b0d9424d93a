"""Winner map and break-even at 1,000,000 cases, 5 models: every setting worked out, with its peer.

The map has 200 x 200 settings of two cells. Its peer works the same totals out with numpy, setting
by setting; it is run on a hundredth of the settings and its time is scaled up, as it would take
most of an hour.

Run: python -m tests.benchmarks bench_winner_map
"""

from __future__ import annotations

import time

import numpy as np

from core.decisions import DecisionProblem, ModelScores
from core.decisions.sensitivity.break_even import break_even
from core.decisions.sensitivity.changes import cell_change
from core.decisions.sensitivity.winner_map import NumberAxis, axis_of, winner_map
from core.document.studies.moving_numbers import WinnerMapResult
from payoff.types import FloatArray
from tests.benchmarks.harness import print_aim

CASES, MODELS, STEPS = 1_000_000, 5, 200
PEER_POINTS = 40
BUDGET = 5.0  # seconds
CELLS = np.array([[24.0, 0.0], [-1.6, 0.0]])


def made_up() -> tuple[DecisionProblem, tuple[ModelScores, ...]]:
    """A mailing of a million customers and five models, each a little worse than the one before."""
    draw = np.random.default_rng(1)
    latent = draw.normal(size=CASES)
    outcome = (draw.random(CASES) > 1 / (1 + np.exp(-1.2 * latent + 2.5))).astype(np.int32)
    models = []
    for place in range(MODELS):
        seen = latent + 0.25 * place * draw.normal(size=CASES)
        chance = 1 / (1 + np.exp(-1.2 * seen / np.sqrt(1 + (0.25 * place) ** 2) + 2.5))
        models.append(
            ModelScores(name=f"model {place + 1}", posteriors=np.vstack([chance, 1.0 - chance]))
        )
    problem = DecisionProblem(
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=CELLS,
        outcome=outcome,
        do_nothing="Do nothing",
    )
    return problem, tuple(models)


def peer_totals(
    problem: DecisionProblem, models: tuple[ModelScores, ...], x: float, y: float
) -> FloatArray:
    """The models' totals at one setting, worked out anew with numpy."""
    outcome = problem.outcome
    assert outcome is not None
    gain = np.array([[x, 0.0], [y, 0.0]])
    totals = []
    for model in models:
        decision = (gain.T @ model.posteriors).argmax(axis=0)
        totals.append(gain[outcome, decision].sum())
    return np.array(totals)


def same_as_peer(
    found: WinnerMapResult,
    problem: DecisionProblem,
    models: tuple[ModelScores, ...],
    x: NumberAxis,
    y: NumberAxis,
) -> float:
    """Seconds that the peer needs for the whole map; refuses a map that differs from it."""
    draw = np.random.default_rng(2)
    spent = 0.0
    for _ in range(PEER_POINTS):
        i, j = draw.integers(0, STEPS, 2)
        begun = time.perf_counter()
        totals = peer_totals(problem, models, x.values[i], y.values[j])
        spent += time.perf_counter() - begun
        ours = found.profit[j, i]
        if found.winner[j, i] < MODELS and abs(totals.max() - ours) > 1e-9 * abs(ours):
            raise AssertionError(f"the map says {ours}, numpy {totals.max()}")
    return spent / PEER_POINTS * STEPS * STEPS


def main() -> None:
    """Print the times, the share of settings that each candidate wins, and break-even's time."""
    problem, models = made_up()
    x = axis_of(cell_change(problem, 0, 0), 0.0, 48.0, STEPS)
    y = axis_of(cell_change(problem, 1, 0), -8.0, 0.0, STEPS)
    winner_map(problem, models[:1], axis_of(x.change, 0.0, 48.0, 2), axis_of(y.change, -8, 0, 2))
    found = winner_map(problem, models, x, y)
    peer = same_as_peer(found, problem, models, x, y)
    print(f"winner map {STEPS} x {STEPS}, {MODELS} models, {CASES:,} cases, exact")
    print(f"  ours {found.seconds:.2f} s, numpy {peer:,.0f} s (x{peer / found.seconds:,.0f})")
    what = f"winner map {STEPS} x {STEPS}, {MODELS} models, {CASES:,} cases"
    seconds = found.seconds
    print_aim(what, f"under {BUDGET:g} s", f"{seconds:.2f} s", seconds <= BUDGET)
    wins = np.bincount(found.winner.ravel(), minlength=len(found.names)) / found.winner.size
    for name, share in zip(found.names, wins, strict=True):
        print(f"  {name}: wins {100 * share:.1f} % of the settings")
    answer = break_even(problem, models)
    print(f"break-even of {len(answer.numbers)} cells: {answer.seconds:.2f} s")


if __name__ == "__main__":
    main()
