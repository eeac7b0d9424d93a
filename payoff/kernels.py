"""Marking plain Python functions as kernels.

A kernel is a plain Python function over numpy arrays that writes into arrays it is given. The
mark only names its shape; the function stays callable as it is, which is how the conformance
kit runs it. The engine compiles marked functions (and the kernels they call) and keeps the
compiled code on disk. A function without a mark works too, as numpy code on whole chunks.

Shapes
------
``elementwise``
    ``f(inputs..., out..., start, stop)``: fills the outputs at positions ``start`` to ``stop - 1``
    and no others. May run on several threads, in chunks of 65,536 positions.
``by_group``
    ``f(inputs..., offsets, out..., first_group, last_group)``: fills ``out[g]`` for
    ``first_group <= g < last_group``; group ``g`` owns positions ``offsets[g]`` to
    ``offsets[g + 1] - 1``.
``whole``
    ``f(inputs..., out..., stop_flag)``: one serial call; ``stop_flag`` is a uint8 array of length
    one that a long loop reads now and then, and returns early when it is not zero.
``helper``
    Any signature: a function that is only called by other kernels.

Rules for kernels: no global state, no Python objects beyond numbers, tuples and arrays, no
keyword arguments, no functions passed as arguments; other kernels are called by their global name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from payoff.errors import PayoffError

CHUNK_ROWS = 65_536
"""Positions in one call of an elementwise kernel; fixed, so that sums do not depend on threads."""

_MARK = "__payoff_kernel__"

Function = TypeVar("Function", bound=Callable[..., Any])


class KernelShape(StrEnum):
    """How a kernel is called; see the module's description."""

    ELEMENTWISE = "elementwise"
    BY_GROUP = "by_group"
    WHOLE = "whole"
    HELPER = "helper"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelMark:
    """What the decorator leaves on a function."""

    shape: KernelShape
    takes_cases: bool = False


def kernel(
    *, shape: KernelShape | str, takes_cases: bool = False
) -> Callable[[Function], Function]:
    """Mark a function as a kernel of the given shape and return it unchanged.

    Parameters
    ----------
    shape : str
        "elementwise", "by_group", "whole" or "helper".
    takes_cases : bool
        Of a loss over blocks: whether it takes one ``payoff.BlockCases`` in place of its arrays.

    Raises
    ------
    PayoffError
        If the shape is none of these.
    """
    try:
        mark = KernelMark(shape=KernelShape(shape), takes_cases=takes_cases)
    except ValueError:
        known = ", ".join(item.value for item in KernelShape)
        raise PayoffError(
            f"There is no kernel shape '{shape}'.", remedy=f"Known shapes: {known}."
        ) from None

    def mark_function(function: Function) -> Function:
        """Leave the mark on a function and return it."""
        setattr(function, _MARK, mark)
        return function

    return mark_function


def kernel_mark(function: object) -> KernelMark | None:
    """Return the mark of a function, or None for a plain function."""
    mark = getattr(function, _MARK, None)
    return mark if isinstance(mark, KernelMark) else None


def is_kernel(function: object) -> bool:
    """Whether a function carries the mark."""
    return kernel_mark(function) is not None
