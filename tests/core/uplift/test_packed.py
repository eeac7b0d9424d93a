"""Areas and heights read from packed bytes, against those of the sums of all groups."""

from __future__ import annotations

import numpy as np
import pytest

from core.uplift.experiment import make_experiment
from core.uplift.ranked.areas import area_of
from core.uplift.ranked.curves import JOINT_CODES, SEPARATE_CODES, curve_of, heights_at
from core.uplift.ranked.ranking import UpliftRanking

BLOCK = 4_096
ROWS = 3 * BLOCK + 17
DRAW = np.random.default_rng(7)
OUTCOME = (DRAW.random(ROWS) < 0.3).astype(np.float64)
TREATED = DRAW.random(ROWS) < 0.4
DISTINCT = np.arange(ROWS, 0.0, -1.0)
#: No control case among the best of more than a block, so that curves begin in the second one.
LATE = TREATED | (np.arange(ROWS) < BLOCK + 5)
CASES = {
    "distinct": (TREATED, DRAW.permutation(DISTINCT)),
    "tied across blocks": (TREATED, np.floor(DISTINCT / (BLOCK - 3))),
    "few ties": (TREATED, np.floor(DRAW.permutation(DISTINCT) / 3)),
    "one group": (TREATED, np.zeros(ROWS)),
    "late control": (LATE, DISTINCT),
}


ERRORS = (
    "area",
    "minus_random",
    "end",
    "standard_error",
    "standard_error_minus_random",
    "standard_error_end",
)


@pytest.mark.parametrize("name", CASES)
def test_packed_bytes_give_what_the_sums_of_groups_give(name: str) -> None:
    treated, score = CASES[name]
    counted = UpliftRanking(make_experiment(OUTCOME, treated), score)
    summed = UpliftRanking(make_experiment(OUTCOME, treated, weight=np.ones(ROWS)), score)
    assert counted.is_counted
    assert not summed.is_counted
    depths = np.concatenate([[0.0], np.sort(DRAW.random(40)), [1.0]])
    for variant in (*JOINT_CODES, *SEPARATE_CODES):
        here, there = area_of(counted, variant, nu=0.2), area_of(summed, variant, nu=0.2)
        for field in ERRORS:
            expected = pytest.approx(getattr(there, field), rel=1e-9, abs=1e-9)
            assert getattr(here, field) == expected, (variant, field)
        found = heights_at(counted, variant, depths, nu=0.2)
        known = curve_of(summed, variant, nu=0.2).at(depths)
        np.testing.assert_allclose(found, known, rtol=1e-9, atol=1e-9, err_msg=variant)
