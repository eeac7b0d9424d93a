"""Rankings by spilling: the digits of the ranking in memory, however rows and keys were cut."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.evaluation.ranked.ranking import RankedSample
from core.evaluation.ranked.rankings import bin_cuts
from core.kernels.sorting import scores_of_keys
from core.scale.ranked import ranges
from core.scale.ranked.kernels import find_bins
from core.scale.ranked.ranges import descending_keys, key_map, spill
from core.scale.ranked.ranking import range_tasks
from payoff.errors import PayoffError
from tests.core.scale.ranking_runs import Codes, Floats, ranked_by_spilling


def made_up(rows: int, seed: int = 1) -> tuple[Floats, Codes]:
    """Scores with ties, an atom of 30 %, both zeros, beyond the sample's limits; class codes."""
    random = np.random.default_rng(seed)
    score = random.random(rows)
    score = np.where(random.random(rows) < 0.2, np.round(score, 2), score)
    score = np.where(random.random(rows) < 0.3, 0.25, score)
    score[random.random(rows) < 0.01] = -0.0
    score[random.random(rows) < 0.01] = 0.0
    score[-3:] = (1e300, -1e300, 5e-324)
    code = (random.random(rows) > 0.2 + 0.4 * np.clip(score, 0, 1)).astype(np.int32)
    code[:2] = (0, 1)
    return score, code


def every_digit(value: object) -> object:
    """A ranking, or a part of one, such that two are equal where no bit differs."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple):
        return tuple(map(every_digit, value))
    if is_dataclass(value):
        return tuple(every_digit(getattr(value, field.name)) for field in fields(value))
    return repr(value)


def test_it_is_the_ranking_in_memory(tmp_path: Path) -> None:
    score, code = made_up(60_000)
    found = ranked_by_spilling(score, code, tmp_path)
    known = RankedSample(score, code)
    summary = known.summary()
    assert found.is_complete
    assert found.area == summary.auc
    assert np.array_equal(found.events, known.events)
    assert np.array_equal(found.others, known.others)
    assert found.average_precision == pytest.approx(summary.average_precision, rel=1e-13)
    assert found.ks == pytest.approx(summary.ks, rel=1e-15)
    assert np.array_equal(found.side_shares(), summary.class_share)
    assert np.array_equal(scores_of_keys(found.depth_keys) + 0.0, summary.threshold + 0.0)
    moments = known.place_moments(summary.auc)
    sizes = np.array(found.whole, dtype=float)
    variance = float((moments[:, 1] / sizes / (sizes - 1)).sum())
    assert found.variance == pytest.approx(variance, rel=1e-12)
    bins = np.empty(len(score), dtype=np.uint16)
    find_bins(descending_keys(score), found.bin_cuts, bins)
    assert np.array_equal(bins, known.bins(bin_cuts(known)))


def test_places_of_pairs_are_those_of_every_group(tmp_path: Path) -> None:
    score, code = made_up(40_000)
    found = ranked_by_spilling(score, code, tmp_path)
    cell = np.searchsorted(found.cells.cuts, descending_keys(score), side="right")
    places = np.where(code == 0, found.cells.below[cell], found.cells.above[cell])
    assert found.cells.is_exact
    assert np.allclose(places, RankedSample(score, code).placements(), rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    "rows", [30_000, *(pytest.param(rows, marks=pytest.mark.soak) for rows in (140_000, 1_300_000))]
)
def test_one_set_of_digits_for_all_cuts(
    rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if rows > 100_000:  # fewer cells than groups: what is kept has to be chosen
        monkeypatch.setattr(ranges, "CELLS", 5_000)
    score, code = made_up(rows, seed=rows)
    answers = set()
    for parts, seed, bits, held in (
        (1, 0, 18, 1 << 20),
        (2, 1, 4, 1 << 20),
        (7, 2, 12, 3_000),
        (64, 3, 22, 20_000),
    ):
        keys = key_map(score[seed :: 100 + seed], bits, ranges=5 + 15 * seed)
        run = ranked_by_spilling(
            score, code, tmp_path, parts=parts, seed=seed, keys=keys, held=held
        )
        answers.add(every_digit(run))
    assert len(answers) == 1


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(
        st.tuples(
            st.one_of(
                st.sampled_from([0.0, -0.0, 1.0, 0.5, np.inf, -np.inf]), st.floats(allow_nan=False)
            ),
            st.booleans(),
        ),
        min_size=2,
        max_size=200,
    ),
    st.integers(1, 5),
    st.integers(1, 12),
    st.integers(2, 50),
)
def test_any_scores_in_any_cuts(
    tmp_path: Path, rows: list[tuple[float, bool]], parts: int, bits: int, held: int
) -> None:
    score = np.array([row[0] for row in rows], dtype=float)
    code = np.array([not row[1] for row in rows], dtype=np.int32)
    code[:2] = (0, 1)
    keys = key_map(score[: max(1, len(score) // 3)], bits, ranges=7)
    found = ranked_by_spilling(score, code, tmp_path, parts=parts, keys=keys, held=held)
    known = RankedSample(score, code)
    assert found.area == known.summary().auc
    assert np.array_equal(found.events, known.events)
    bins = np.empty(len(score), dtype=np.uint16)
    find_bins(descending_keys(score), found.bin_cuts, bins)
    assert np.array_equal(bins, known.bins(bin_cuts(known)))


def test_keys_fall_as_scores_rise_and_lead_back() -> None:
    score = np.array([np.inf, 1e300, 1.0, 5e-324, 0.0, -0.0, -1.0, -np.inf, np.nan])
    keys = descending_keys(score)
    assert (keys[1:] >= keys[:-1]).all()
    assert keys[4] == keys[5]
    assert np.array_equal(scores_of_keys(keys), score, equal_nan=True)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    score, code = made_up(5_000)
    keys = key_map(score)
    counts = spill(score, code, 0, keys, str(tmp_path / "spilled"), "part 7")
    data = bytearray((tmp_path / "spilled").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "spilled").write_bytes(bytes(data))
    tasks = range_tasks(0, counts, keys, np.empty(0), 1 << 20)
    with pytest.raises(PayoffError, match="damaged") as refusal:
        list(map(ranges.sort_range, tasks))
    assert "part 7" in refusal.value.where


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    score, code = made_up(100)
    with pytest.raises(PayoffError, match="scratch space"):
        spill(score, code, 0, key_map(score), str(tmp_path / "none" / "x"), "part 1")
