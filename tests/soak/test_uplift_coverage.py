"""The analytic interval of the area holds the truth as often as it says."""

from __future__ import annotations

import numpy as np
import pytest

from core.inference.normal import normal_interval
from core.uplift.experiment import make_experiment
from core.uplift.ranked.areas import area_of
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.row_order import compare_areas

REPEATS, ROWS = 800, 1_000
SETTINGS = [
    (0.5, 0.1, False),
    (0.5, 0.5, False),
    (0.8, 0.8, False),
    (0.5, 0.5, True),
    (0.8, 0.3, True),
]


def draw(source, share, base, with_ties):
    x = source.random(ROWS)
    if with_ties:
        x = np.floor(x * 8) / 8 + 1 / 16
    treated = source.random(ROWS) < share
    effect = 0.2 * (x - 0.3)
    outcome = (source.random(ROWS) < base + treated * effect).astype(float)
    return outcome, treated, x


def _numeric(groups):
    """AUNUC of 0.2 (x - 0.3) over uniform x in so many groups, best first."""
    x = (np.arange(groups)[::-1] + 0.5) / groups
    heights = np.concatenate([[0.0], np.cumsum(0.2 * (x - 0.3)) / groups])
    return float(np.mean(0.5 * (heights[1:] + heights[:-1])))


@pytest.mark.soak
@pytest.mark.parametrize(("share", "base", "with_ties"), SETTINGS)
@pytest.mark.parametrize("nu", [0.0, 0.5])
def test_coverage_of_the_area(share, base, with_ties, nu):
    source = np.random.default_rng(11)
    wanted, held = _numeric(8 if with_ties else 4_000), 0
    for _ in range(REPEATS):
        outcome, treated, x = draw(source, share, base, with_ties)
        ranking = UpliftRanking(make_experiment(outcome, treated), x)
        area = area_of(ranking, "generalised", nu=nu)
        low, high = normal_interval(area.area, area.standard_error)
        held += low <= wanted <= high
    print(f"share {share}, base {base}, ties {with_ties}, nu {nu}: {held / REPEATS:.3f}")
    assert 0.93 <= held / REPEATS <= 0.97


@pytest.mark.soak
def test_coverage_of_the_paired_difference():
    source, gaps, errors = np.random.default_rng(12), [], []
    for _ in range(REPEATS):
        outcome, treated, x = draw(source, 0.5, 0.4, False)
        experiment = make_experiment(outcome, treated)
        worse = x + 0.5 * source.random(ROWS)
        found = compare_areas(UpliftRanking(experiment, x), UpliftRanking(experiment, worse))
        gaps.append(found.difference)
        errors.append(found.standard_error)
    centre = float(np.mean(gaps))
    held = np.mean([abs(g - centre) <= 1.96 * e for g, e in zip(gaps, errors, strict=True)])
    print(f"paired: sd {np.std(gaps):.5f}, formula {np.mean(errors):.5f}, coverage {held:.3f}")
    assert 0.93 <= held <= 0.97
