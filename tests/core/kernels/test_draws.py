"""Random draws: known answers, distribution, independence of order and threads."""

import numpy as np

from core.kernels import LANES, limited_threads, philox, poisson_weights, row_fold


def test_philox_known_answers():
    """Known answers of the Random123 library's test vectors (kat_vectors, philox4x32-10)."""
    zero = philox(*[np.uint32(0)] * 6)
    assert [hex(word) for word in zero] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    full = philox(*[np.uint32(0xFFFFFFFF)] * 6)
    assert [hex(word) for word in full] == ["0x408f276d", "0x41c83b0e", "0xa20bc7c6", "0x6d5451fd"]
    words = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0)
    pi = philox(*[np.uint32(word) for word in words])
    assert [hex(word) for word in pi] == ["0xd16cfe09", "0x94fdcceb", "0x5001e420", "0x24126ea1"]


def test_weights_are_poisson_with_mean_one():
    weights = poisson_weights(11, np.arange(20_000), first_draw=0, draws=64)
    assert weights.shape == (20_000, 64)
    size = weights.size
    for count, share in enumerate([0.36788, 0.36788, 0.18394, 0.06131, 0.01533]):
        seen = (weights == count).mean()
        assert abs(seen - share) < 5 * np.sqrt(share * (1 - share) / size)
    rows, draws = weights.mean(axis=1), weights.mean(axis=0)
    assert abs(rows.var() * 64 - 1) < 0.1
    assert abs(draws.var() * 20_000 - 1) < 0.8


def test_draws_do_not_correlate_between_rows_draws_and_seeds():
    a = poisson_weights(1, np.arange(4000), first_draw=0, draws=LANES).astype(float)
    b = poisson_weights(2, np.arange(4000), first_draw=0, draws=LANES).astype(float)
    limit = 5 / np.sqrt(a.size)
    assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < limit
    assert abs(np.corrcoef(a[:, :-1].ravel(), a[:, 1:].ravel())[0, 1]) < limit
    assert abs(np.corrcoef(a[:-1].ravel(), a[1:].ravel())[0, 1]) < limit


def test_a_weight_depends_on_seed_row_and_draw_only():
    rows = np.arange(1000)
    whole = poisson_weights(5, rows, first_draw=0, draws=100)
    assert np.array_equal(
        poisson_weights(5, rows[::-1].copy(), first_draw=0, draws=100), whole[::-1]
    )
    assert np.array_equal(
        poisson_weights(5, rows[300:400], first_draw=40, draws=7), whole[300:400, 40:47]
    )
    with limited_threads(1):
        assert np.array_equal(poisson_weights(5, rows, first_draw=0, draws=100), whole)
    assert not np.array_equal(poisson_weights(6, rows, first_draw=0, draws=100), whole)


def test_folds_are_even_and_fixed():
    folds = np.array([row_fold(3, row) for row in range(4000)])
    assert set(folds) == {0, 1}
    assert abs(folds.mean() - 0.5) < 0.04
    assert folds[:5].tolist() == [row_fold(3, row) for row in range(5)]
    assert folds.tolist() != [row_fold(4, row) for row in range(4000)]
