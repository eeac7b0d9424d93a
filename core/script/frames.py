"""Columns of pandas tables, made without an object for every cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from core.kernels import CHUNK_ROWS, parallel_kernel, prange
from payoff.types import AnyArray, IntArray


def text_column(codes: AnyArray, texts: Sequence[str]) -> pd.Series:
    """Texts for codes (n,) of small numbers, of the type that pandas gives texts."""
    known = pd.Series([""]).dtype
    if not isinstance(known, pd.StringDtype) or known.storage != "pyarrow":
        return pd.Series(np.asarray(texts, dtype=object)[codes])
    return pd.Series(pd.array(_text_cells(codes, texts), dtype=known))


def _text_cells(codes: AnyArray, texts: Sequence[str]) -> pa.Array:
    """Texts for codes as Arrow keeps them: where each ends, and all of them in a row."""
    words = [text.encode() for text in texts]
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    n = codes.shape[0]
    sizes = np.zeros((n + CHUNK_ROWS - 1) // CHUNK_ROWS, dtype=np.int64)
    _add_lengths(codes, lengths, sizes)
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    places = np.empty(n + 1, dtype=np.int64)
    places[n] = firsts[-1]
    signs = np.empty(firsts[-1], dtype=np.uint8)
    _write_texts(codes, np.frombuffer(b"".join(words), np.uint8), starts, firsts, places, signs)
    return pa.LargeStringArray.from_buffers(n, pa.py_buffer(places), pa.py_buffer(signs))


@parallel_kernel
def _add_lengths(codes: AnyArray, lengths: IntArray, sizes: IntArray) -> None:
    """Bytes of the texts of every chunk of rows."""
    n = codes.shape[0]
    for chunk in prange(sizes.shape[0]):
        size = 0
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            size += lengths[codes[row]]
        sizes[chunk] = size


@parallel_kernel
def _write_texts(
    codes: AnyArray,
    words: NDArray[np.uint8],
    starts: IntArray,
    firsts: IntArray,
    places: IntArray,
    signs: NDArray[np.uint8],
) -> None:
    """Where each text begins, and its bytes; ``firsts``: where those of a chunk begin."""
    n = codes.shape[0]
    for chunk in prange(firsts.shape[0] - 1):
        place = firsts[chunk]
        for row in range(chunk * CHUNK_ROWS, min(n, (chunk + 1) * CHUNK_ROWS)):
            places[row] = place
            code = codes[row]
            for sign in range(starts[code], starts[code + 1]):
                signs[place] = words[sign]
                place += 1
