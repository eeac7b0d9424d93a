"""The variance study of Renaudin and Martin, section 7.4: how noisy the area is by its baseline.

Made-up experiments are drawn again and again: x uniform on 0 to 1, effect 0.2 (x - 0.3), control
cases respond at the base rate. The area is linear in the baseline nu, so each experiment is ranked
once and its area known for every nu. Figure 10: areas of two models by nu; figures 11 and 12: the
variance over base rate and nu.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.document.studies.uplift import VarianceStudy
from core.questions.lanes import Watch
from core.questions.uplift import BaselineVariance
from core.uplift.experiment import make_experiment
from core.uplift.ranked.areas import area_of
from core.uplift.ranked.ranking import UpliftRanking
from payoff.errors import PayoffError
from payoff.types import FloatArray

NUS: FloatArray = np.linspace(0.0, 1.0, 21)
BASE_RATES: FloatArray = np.linspace(0.1, 0.8, 8)
SLOPE, MIDDLE = 0.2, 0.3
MODELS = ("sees the effect", "sees half of it")


def study_variance(_: object, question: BaselineVariance, watch: Watch) -> VarianceStudy:
    """Draw made-up experiments and see how noisy the area is by its baseline.

    Raises
    ------
    PayoffError
        For a design that cannot be drawn.
    """

    def step(part: float) -> None:
        watch.progress(part, "Drawing experiments")

    return run_variance_study(question, step=step)


def run_variance_study(
    design: BaselineVariance | None = None,
    *,
    base_rates: FloatArray = BASE_RATES,
    nus: FloatArray = NUS,
    step: Callable[[float], None] = lambda _part: None,
) -> VarianceStudy:
    """Draw the experiments and keep every area.

    Raises
    ------
    PayoffError
        For a design that cannot be drawn.
    """
    design = design or BaselineVariance()
    check_design(design, base_rates)
    areas = np.empty((len(MODELS), len(base_rates), design.repeats, len(nus)))
    streams = np.random.SeedSequence(design.seed).spawn(len(base_rates))
    for place, base in enumerate(base_rates):
        for repeat, seed in enumerate(streams[place].spawn(design.repeats)):
            areas[:, place, repeat] = _areas_of(design, float(base), seed, nus)
        step((place + 1) / len(base_rates))
    alpha, effect = design.treated_share, SLOPE * (0.5 - MIDDLE)
    return VarianceStudy(
        models=MODELS,
        base_rates=np.asarray(base_rates),
        nus=np.asarray(nus),
        variance=np.asarray(areas.var(axis=2, ddof=1)),
        mean=np.asarray(areas.mean(axis=2)),
        best_nu=np.asarray((1 - alpha) * (base_rates + effect) + alpha * base_rates),
        areas=areas,
    )


def check_design(design: BaselineVariance, base_rates: FloatArray) -> None:
    """Refuse a design that cannot be drawn."""
    if design.rows < 20 or design.repeats < 2:
        raise PayoffError(
            "The study is too small.", remedy="Draw 20 cases and 2 experiments or more."
        )
    if not 0.02 <= design.treated_share <= 0.98:
        raise PayoffError("The share of the treated lies between 2 % and 98 %.")
    low, high = SLOPE * MIDDLE, 1.0 - SLOPE * (1.0 - MIDDLE)
    if base_rates.min() < low or base_rates.max() > high:
        raise PayoffError(
            "A base rate leaves no room for the effect.",
            why=f"With effects of {-low:g} to {1 - high:g} it lies between {low:g} and {high:g}.",
        )


def _areas_of(
    design: BaselineVariance, base: float, seed: np.random.SeedSequence, nus: FloatArray
) -> FloatArray:
    """Areas of both models at every nu, (models, V)."""
    random = np.random.default_rng(seed)
    x = random.random(design.rows)
    treated = random.random(design.rows) < design.treated_share
    treated[:2] = (True, False)  # an effect needs both arms
    probability = base + treated * SLOPE * (x - MIDDLE)
    outcome = (random.random(design.rows) < probability).astype(np.float64)
    known = np.full(design.rows, design.treated_share) if design.knows_chance else None
    experiment = make_experiment(outcome, treated, propensity=known)
    found = []
    for score in (x, 0.5 * x + 0.5 * random.random(design.rows)):
        ranking = UpliftRanking(experiment, score)
        first, last = (area_of(ranking, "generalised", nu=nu).area for nu in (0.0, 1.0))
        found.append(first + nus * (last - first))
    return np.array(found)
