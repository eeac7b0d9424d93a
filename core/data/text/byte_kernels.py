"""The loops that look at every byte of a text while it streams past.

Everything stays in single bytes, casts and all: only then does the compiler look at sixteen or
more of them at once, and a pass costs a twentieth of what reading the file costs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.kernels import own_kernel

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Marks = NDArray[np.bool_]

_LF, _CR, _NUL = np.uint8(10), np.uint8(13), np.uint8(0)
_ZERO, _THREE, _MINUS, _PLUS = np.uint8(48), np.uint8(51), np.uint8(45), np.uint8(43)
_SPACE, _TAB = np.uint8(32), np.uint8(9)
_TEN, _SEVEN = np.uint8(10), np.uint8(7)
_LOWER, _X, _E = np.uint8(32), np.uint8(120), np.uint8(101)
_STRETCH = 192  # the sums of one stretch fit a byte, and it is a whole number of vectors


@own_kernel
def count_marks(text: Bytes, quote: np.uint8) -> tuple[int, int, int, int]:
    """Line feeds, carriage returns, quotes and NUL bytes in (n,) bytes."""
    feeds = returns = quotes = nuls = 0
    for begin in range(0, text.shape[0], _STRETCH):
        part = text[begin : begin + _STRETCH]
        feed = carriage = quoted = nul = np.uint8(0)
        for place in range(part.shape[0]):
            byte = part[place]
            feed = np.uint8(feed + np.uint8(byte == _LF))
            carriage = np.uint8(carriage + np.uint8(byte == _CR))
            quoted = np.uint8(quoted + np.uint8(byte == quote))
            nul = np.uint8(nul + np.uint8(byte == _NUL))
        feeds += int(feed)
        returns += int(carriage)
        quotes += int(quoted)
        nuls += int(nul)
    return feeds, returns, quotes, nuls


@own_kernel
def find_spoilt(text: Bytes, delimiter: np.uint8, quote: np.uint8) -> tuple[int, int]:
    """Whether cells are there that a number would spoil; both answers are 0 or 1.

    First: a cell that starts with 0 and another digit, or with 0x, behind a blank or sign or not.
    Second: an exponent of -300 or below. Of (n,) bytes the first four are only what stands before;
    n is 4 at least.
    """
    # Five views, not five places of one: an index that may be negative keeps the loop scalar.
    last, one, two, three, four = text[4:], text[3:-1], text[2:-2], text[1:-3], text[:-4]
    zeros = tiny = np.uint8(0)
    for place in range(last.shape[0]):
        byte, before, second = last[place], one[place], two[place]
        is_digit = np.uint8(np.uint8(byte - _ZERO) < _TEN)
        is_hex = np.uint8(np.uint8(byte | _LOWER) == _X)
        padded = np.uint8(np.uint8(before == _ZERO) & np.uint8(is_digit | is_hex))
        parted = np.uint8(np.uint8(second == delimiter) | np.uint8(second == quote))
        ended = np.uint8(np.uint8(second == _LF) | np.uint8(second == _CR))
        third = three[place]
        blank = np.uint8(np.uint8(second == _SPACE) | np.uint8(second == _TAB))
        signed = np.uint8(np.uint8(second == _PLUS) | np.uint8(second == _MINUS))
        blank_before = np.uint8(np.uint8(third == _SPACE) | np.uint8(third == _TAB))
        parted_before = np.uint8(np.uint8(third == delimiter) | np.uint8(third == quote))
        ended_before = np.uint8(np.uint8(third == _LF) | np.uint8(third == _CR))
        outside = np.uint8(np.uint8(blank_before | parted_before) | ended_before)
        behind = np.uint8(np.uint8(blank | signed) & outside)
        begins = np.uint8(np.uint8(parted | ended) | behind)
        zeros = np.uint8(zeros | np.uint8(padded & begins))
        tens = np.uint8(np.uint8(before - _ZERO) < _TEN)
        hundreds = np.uint8(np.uint8(second - _THREE) < _SEVEN)
        minus = np.uint8(third == _MINUS)
        exponent = np.uint8(np.uint8(four[place] | _LOWER) == _E)
        digits = np.uint8(np.uint8(is_digit & tens) & hundreds)
        tiny = np.uint8(tiny | np.uint8(digits & np.uint8(minus & exponent)))
    return int(zeros), int(tiny)


@own_kernel
def count_pairs(text: Bytes, before: np.uint8) -> int:
    """CR LF in (n,) bytes that follow the byte ``before``."""
    pairs = 0
    for place in range(text.shape[0]):
        pairs += (text[place] == _LF) and (before == _CR)
        before = text[place]
    return pairs


@own_kernel
def _ends_cell(byte: np.uint8, delimiter: np.uint8, quote: np.uint8) -> bool:
    """Whether a byte may stand on the outer side of a quote."""
    return bool(byte in (delimiter, _LF, _CR, quote))


@own_kernel
def follow_quotes(
    text: Bytes, before: np.uint8, state: int, delimiter: np.uint8, quote: np.uint8
) -> tuple[int, int]:
    """Whether quotes take turns: one at a cell's start, one at its end (or doubled).

    ``state`` is 0 outside of quotes, 1 inside, 2 right after a closing quote; given back at the
    end of the (n,) bytes with the number of quotes that stand where none belongs.
    """
    broken = 0
    for place in range(text.shape[0]):
        byte = text[place]
        if state == 2:
            broken += not _ends_cell(byte, delimiter, quote)
            state = 0
        if byte == quote:
            if state == 0:
                broken += not _ends_cell(before, delimiter, quote)
                state = 1
            else:
                state = 2
        before = byte
    return state, broken


@own_kernel
def _next_phase(byte: np.uint8, phase: int) -> int:
    """What a cell is by one more byte: 1 behind blanks, 2 a sign, 3 a zero, 4 known, 5 padded."""
    if phase == 3:
        is_digit = _ZERO <= byte < _ZERO + 10
        return 5 if is_digit or byte | _LOWER == _X else 4
    if phase == 4:
        return 4
    if byte == _ZERO:
        return 3
    if phase < 2 and byte in (_PLUS, _MINUS):
        return 2
    return 1 if phase < 2 and byte in (_SPACE, _TAB) else 4


@own_kernel
def mark_padded(
    text: Bytes, state: Places, delimiter: np.uint8, quote: np.uint8, marked: Marks
) -> None:
    """Mark columns with a cell that begins with 0 and a digit, or 0x: ids, not numbers.

    ``state`` goes from one stretch of the text to the next: the column; 0 at a cell's first byte
    or as in ``_next_phase``; and quotes as in ``follow_quotes``. A quote opens a cell only at its
    first byte.
    """
    column, phase, quoted = state[0], state[1], state[2]
    for place in range(text.shape[0]):
        byte = text[place]
        if quoted == 1 and byte == quote:
            quoted = 2
        elif quoted == 2 and byte == quote:
            quoted, phase = 1, 4
        elif quoted != 1 and byte in (delimiter, _LF, _CR):
            column = column + 1 if byte == delimiter else 0
            phase, quoted = 0, 0
        elif quoted != 1 and phase == 0 and byte == quote:
            quoted, phase = 1, 1
        else:
            quoted = 1 if quoted == 1 else 0
            phase = _next_phase(byte, phase)
            if phase == 5:
                marked[min(column, marked.shape[0] - 1)] = True
                phase = 4
    state[0], state[1], state[2] = column, phase, quoted
