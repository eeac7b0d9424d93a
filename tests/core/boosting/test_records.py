"""Histograms of records against plain counting: full and narrow tiles, light and heavy bins."""

from __future__ import annotations

import numpy as np
import pytest

from core.boosting.growing import records as room
from core.boosting.growing.record_histograms import record_histogram
from core.kernels import own_kernel, parallel_region

ROWS = 40_000


@own_kernel
def _count(records, rows, is_alone, sums, planes, out):
    record_histogram(records, rows, 0, rows.shape[0], is_alone, sums, planes, out)


def _bins(columns: int, levels: int) -> np.ndarray:
    random = np.random.default_rng(columns * 1000 + levels)
    return random.integers(0, levels, size=(columns, ROWS)).astype(np.uint8)


def _counted(bins: np.ndarray, rows: np.ndarray, parts: int) -> tuple[np.ndarray, np.ndarray]:
    """Planes by the kernels, and the plain sums of gradient, curvature and count."""
    columns = bins.shape[0]
    random = np.random.default_rng(7)
    g = random.integers(-1000, 1001, ROWS).astype(float)
    h = random.integers(0, 1001, ROWS).astype(float)
    records = room.new_records(bins, ROWS)
    room.write_gradients(g, h, 1.0, 1.0, 3, records.words, records.stride)
    step = 1 << records.shift
    tiles = -(-columns // room.TILE_COLUMNS)
    size = tiles * 256 * step
    sums = np.zeros((parts, size), dtype=np.int64)
    planes = np.zeros((parts, 3, size), dtype=np.int32)
    out = np.zeros((3, size), dtype=np.int32)
    with parallel_region():
        _count(records, rows.astype(np.int32), False, sums, planes, out)
    assert not sums.any()
    wanted = np.zeros((columns, 3, 256))
    for column in range(columns):
        for plane, value in enumerate((g, h, np.ones(ROWS))):
            wanted[column, plane] = np.bincount(
                bins[column, rows], weights=value[rows], minlength=256
            )
    found = np.zeros_like(wanted)
    for column in range(columns):
        tile, number = divmod(column, room.TILE_COLUMNS)
        for plane in range(3):
            block = out[plane, tile * 256 * step : (tile + 1) * 256 * step]
            found[column, plane] = block.reshape(256, step)[:, number]
    return found, wanted


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("columns", [3, 12, 28, 30])
@pytest.mark.parametrize("levels", [2, 255])
@pytest.mark.parametrize("parts", [1, 2])
def test_histograms_are_the_plain_sums(columns: int, levels: int, parts: int) -> None:
    bins = _bins(columns, levels)
    some = np.sort(np.random.default_rng(1).choice(ROWS, 9_000, replace=False))
    few = np.arange(100, 900)
    for rows in (np.arange(ROWS), some, few):
        found, wanted = _counted(bins, rows, parts)
        np.testing.assert_array_equal(found, wanted)


def test_lanes_are_flushed_only_where_a_bin_is_full() -> None:
    assert room.new_records(_bins(4, 255), ROWS).flush == ROWS
    heavy = _bins(4, 255)
    heavy[2] = 0
    assert room.new_records(heavy, ROWS).flush == room.FLUSH_ROWS
