"""Running kernels in chunks, the stop byte, threads and their lock."""

import threading

import numpy as np
import pytest

from core.kernels import (
    CHUNK_ROWS,
    PARALLEL_LOCK,
    argsort_descending,
    chunks,
    fitting_threads,
    limited_threads,
    new_stop_flag,
    parallel_region,
    raise_if_stopped,
    run_chunks,
    run_rows,
    set_threads,
    thread_report,
    threads,
)
from payoff.errors import StoppedError


def fill_double(values, out, start, stop):
    out[start:stop] = 2.0 * values[start:stop]


def test_chunks_are_fixed_and_cover_everything():
    pieces = list(chunks(2 * CHUNK_ROWS + 5))
    assert pieces == [
        (0, CHUNK_ROWS),
        (CHUNK_ROWS, 2 * CHUNK_ROWS),
        (2 * CHUNK_ROWS, 2 * CHUNK_ROWS + 5),
    ]
    assert list(chunks(0)) == []


@pytest.mark.parametrize("rows", [0, 10, 3 * CHUNK_ROWS + 1])
def test_a_kernel_runs_over_every_position_once(rows):
    values, out = np.random.default_rng(1).random(rows), np.full(rows, np.nan)
    run_chunks(fill_double, (values, out), rows)
    assert np.array_equal(out, 2.0 * values)


def test_a_stop_ends_between_chunks_and_errors_come_through():
    stop, seen = new_stop_flag(), []

    def ask(start, end):
        seen.append(start)
        stop[0] = 1

    with limited_threads(1), pytest.raises(StoppedError):
        run_chunks(ask, (), 5 * CHUNK_ROWS, stop)
    assert seen == [0]
    with pytest.raises(StoppedError):
        raise_if_stopped(stop)
    raise_if_stopped(None)
    raise_if_stopped(new_stop_flag())

    def fail(start, end):
        raise ZeroDivisionError(start)

    with pytest.raises(ZeroDivisionError):
        run_chunks(fail, (), 3 * CHUNK_ROWS)


def test_thread_limits_hold_inside_the_block_only():
    before = threads()
    with limited_threads(1):
        assert threads() == 1
    with fitting_threads(100):
        assert threads() == 1
    with fitting_threads(10_000_000):
        assert threads() == before
    assert threads() == before
    set_threads(10_000)
    assert threads() == thread_report().cores
    set_threads(None)
    assert threads() == thread_report().cores
    set_threads(before)


def test_one_parallel_region_at_a_time():
    """A sort on another thread waits for the lock, and gives the same answer then."""
    scores = np.random.default_rng(2).random(50_000)
    wanted = argsort_descending(scores)
    found = []
    worker = threading.Thread(target=lambda: found.append(argsort_descending(scores)))
    with parallel_region():
        worker.start()
        worker.join(0.2)
        assert worker.is_alive()
    worker.join(30)
    assert np.array_equal(found[0], wanted)
    assert PARALLEL_LOCK.acquire(blocking=False)
    PARALLEL_LOCK.release()


def test_report_names_layer_and_remedy(monkeypatch):
    report = thread_report()
    assert report.layer in {"omp", "tbb", "workqueue"}
    assert report.threads >= 1
    monkeypatch.setattr("core.kernels.thread_control._has_openmp", lambda: False)
    assert "libgomp1" in thread_report().remedy


@pytest.mark.parametrize("rows", [0, 1, 8_191, 16_384, 100_001, 3 * CHUNK_ROWS + 5])
def test_rows_in_equal_pieces_are_all_visited_once(rows):
    pieces = []

    def note(start, stop):
        pieces.append((start, stop))

    run_rows(note, (), rows)
    pieces.sort()
    assert [start for start, _ in pieces] == [0, *(stop for _, stop in pieces[:-1])]
    assert pieces[-1][1] == rows
    sizes = [stop - start for start, stop in pieces]
    assert max(sizes) <= CHUNK_ROWS
    assert max(sizes) - min(sizes) <= 1
