"""Draws by tiles of rows are those of one row at a time; tasks run once each and may raise."""

import numpy as np
import pytest

from core.kernels import LANES, fill_poisson, limited_threads
from core.kernels.draws import TILE, as_weights, fill_poisson_rows, poisson_words
from core.kernels.tasks import run_tasks


@pytest.mark.parametrize("rows", [1, TILE - 1, TILE, 2 * TILE + 5])
@pytest.mark.parametrize("seed", [0, 7, 2**40 + 3])
def test_tiles_change_nothing(rows, seed):
    units = np.array([2**33 + 5 * place for place in range(rows)], dtype=np.int64)
    words = poisson_words(rows)
    fill_poisson_rows(seed, 3, units, words, 0, rows)
    single = np.empty((rows, LANES), dtype=np.uint8)
    for place in range(rows):
        fill_poisson(seed, units[place], 3, single[place])
    np.testing.assert_array_equal(as_weights(words), single)


def test_only_the_rows_asked_for_are_filled():
    units = np.arange(100, dtype=np.int64)
    words = poisson_words(100)
    words[:] = 0xFFFFFFFF
    fill_poisson_rows(1, 0, units, words, 40, 60)
    weights = as_weights(words)
    assert (weights[:40] == 255).all()
    assert (weights[60:] == 255).all()
    assert (weights[40:60] < 10).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_every_task_runs_once(threads):
    seen = np.zeros(50, dtype=int)

    def task(number):
        seen[number] += 1

    with limited_threads(threads):
        run_tasks(task, 50)
        run_tasks(task, 0)
    assert (seen == 1).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_task_raises_comes_through(threads):
    def task(number):
        if number == 3:
            raise ZeroDivisionError

    with limited_threads(threads), pytest.raises(ZeroDivisionError):
        run_tasks(task, 5)
