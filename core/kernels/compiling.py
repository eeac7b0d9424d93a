"""Compiling own and plugin kernels: one set of flags, one cache, counters.

No fastmath anywhere: ties, missing marks and answers that do not depend on the machine need exact
float arithmetic. ``error_model="numpy"``: a zero divisor gives inf or NaN, and loops vectorise.
A compiled function is never passed into a compiled function: numba's disk cache cannot serve it.
"""

from __future__ import annotations

import dis
import functools
import threading
import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

import numba

from core.kernels.cache import attach_cache, names_used
from core.kernels.thread_control import PARALLEL_LOCK
from payoff.errors import PayoffError
from payoff.kernels import KernelShape, is_kernel, kernel_mark

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
Result_co = TypeVar("Result_co", covariant=True)

prange = numba.prange
"""The parallel loop of own kernels; elsewhere in core taken from here."""

_dispatchers: weakref.WeakSet[Any] = weakref.WeakSet()
_dispatchers_lock = threading.Lock()  # a set that grows cannot be gone through
_compiled: weakref.WeakKeyDictionary[Callable[..., Any], Any] = weakref.WeakKeyDictionary()
_compile_lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class CacheCounts:
    """Kernels read from disk and kernels compiled since the process began."""

    hits: int
    compiled: int


def cache_hits() -> CacheCounts:
    """How many kernels came from the disk cache, and how many had to be compiled."""
    hits = compiled = 0
    with _dispatchers_lock:
        dispatchers = tuple(_dispatchers)
    for dispatcher in dispatchers:
        hits += sum(dispatcher.stats.cache_hits.values())
        compiled += sum(dispatcher.stats.cache_misses.values())
    return CacheCounts(hits, compiled)


def _dispatcher_of(
    function: Callable[..., Any],
    *,
    is_parallel: bool = False,
    is_inline: bool = False,
    is_pasted: bool = False,
) -> Any:
    """Make the compiled form of a function with the one set of flags.

    ``is_pasted``: its compiled code becomes part of its callers', however long it is.
    """
    flags: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False}
    flags["no_cfunc_wrapper"] = True  # for kernels handed over as values, which none is: 7 % less
    if is_parallel:
        flags["parallel"] = True
    if is_inline:
        flags["inline"] = "always"
    if is_pasted:
        flags["forceinline"] = True
    dispatcher = numba.njit(**flags)(function)
    attach_cache(dispatcher, function)
    with _dispatchers_lock:
        _dispatchers.add(dispatcher)
    return dispatcher


@overload
def own_kernel(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]: ...
@overload
def own_kernel(
    *, inline: bool = False
) -> Callable[[Callable[Arguments, Answer]], Callable[Arguments, Answer]]: ...


def own_kernel(function: Callable[..., Any] | None = None, *, inline: bool = False) -> Any:
    """Compile one of the program's serial kernels; other kernels may call it.

    Parameters
    ----------
    function : callable
        A plain function over numbers, tuples and arrays.
    inline : bool
        Paste the body into the caller.
    """
    if function is None:
        return functools.partial(own_kernel, inline=inline)
    return _dispatcher_of(function, is_inline=inline)


class ParallelKernel(Protocol[Arguments, Result_co]):
    """A compiled kernel that holds the lock; ``dispatcher`` is the bare one, for other kernels."""

    dispatcher: Any

    def __call__(self, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result_co: ...


def parallel_kernel(function: Callable[Arguments, Answer]) -> ParallelKernel[Arguments, Answer]:
    """Compile one of the program's kernels that contain ``prange``; Python code calls it.

    The call holds ``PARALLEL_LOCK``, so that there is one parallel region at a time. A kernel
    must give the same answer for any number of threads: fixed chunks, sums added in chunk order.
    """
    dispatcher = _dispatcher_of(function, is_parallel=True)

    @functools.wraps(function)
    def run(*arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        with PARALLEL_LOCK:
            return cast(Answer, dispatcher(*arguments, **named))

    kernel = cast(ParallelKernel[Arguments, Answer], run)
    kernel.dispatcher = dispatcher
    return kernel


def compile_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function marked with ``@payoff.kernel``, and every kernel it calls.

    Called kernels are compiled first and put into a copy of the function's globals; the function
    itself stays as it is. The same function gives the same compiled kernel.

    Parameters
    ----------
    function : callable
        Marked with ``@payoff.kernel``.

    Returns
    -------
    callable
        The compiled kernel; releases the interpreter lock while it runs.

    Raises
    ------
    PayoffError
        If the function is not marked, is no plain function, or holds another kernel in a closure.
    """
    if not is_kernel(function) or not isinstance(function, types.FunctionType):
        raise PayoffError(
            f"'{getattr(function, '__qualname__', function)}' is not a kernel.",
            remedy="Mark a plain function with @payoff.kernel.",
        )
    with _compile_lock:
        return cast("Callable[..., Any]", _compile(function, ()))


def with_kernels(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """A plain function whose calls of kernels by name go to the compiled ones.

    Plain functions of the same package that it calls by name are followed. No plain function is
    compiled; the function is returned as it is where it reaches no kernel or is no plain function.
    """
    if not isinstance(function, types.FunctionType) or not _reaches_kernel(function, set()):
        return function
    return cast("Callable[Arguments, Answer]", _with_compiled_calls(function, {}))


def _plain_calls(function: types.FunctionType) -> dict[str, types.FunctionType]:
    """Plain functions of the same package, and kernels, that a function mentions by name."""
    package = (function.__module__ or "").partition(".")[0]
    found = {}
    for name in names_used(function):
        value = function.__globals__.get(name)
        if not isinstance(value, types.FunctionType):
            continue
        if is_kernel(value) or (value.__module__ or "").partition(".")[0] == package:
            found[name] = value
    return found


def _reaches_kernel(function: types.FunctionType, seen: set[types.FunctionType]) -> bool:
    seen.add(function)
    return any(
        is_kernel(called) or (called not in seen and _reaches_kernel(called, seen))
        for called in _plain_calls(function).values()
    )


def _with_compiled_calls(
    function: types.FunctionType, made: dict[types.FunctionType, types.FunctionType]
) -> types.FunctionType:
    """A copy of a function, and of those it calls, with compiled kernels in their globals."""
    if function in made:
        return made[function]
    scope = dict(function.__globals__)
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    made[function] = copy  # before its calls are followed: they may lead back here
    for name, called in _plain_calls(function).items():
        if is_kernel(called):
            scope[name] = compile_kernel(called)
        elif _reaches_kernel(called, set()):
            scope[name] = _with_compiled_calls(called, made)
    return copy


def _compile(function: types.FunctionType, callers: tuple[types.FunctionType, ...]) -> Any:
    known = _compiled.get(function)
    if known is not None:
        return known
    if function in callers:
        names = " -> ".join(item.__qualname__ for item in (*callers, function))
        raise PayoffError(
            f"The kernel '{function.__qualname__}' calls itself.",
            where=names,
            remedy="Write it as a loop.",
        )
    _refuse_kernels_in_closure(function)
    path = (*callers, function)
    scope = dict(function.__globals__)
    for name in names_used(function):
        value = scope.get(name)
        if isinstance(value, types.FunctionType) and is_kernel(value):
            scope[name] = _compile(value, path)
        elif isinstance(value, types.ModuleType):
            scope[name] = _with_compiled_kernels(value, names_used(function), path)
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    dispatcher = _dispatcher_of(copy, is_pasted=_is_formula(function))
    _compiled[function] = dispatcher
    return dispatcher


def _is_formula(function: types.FunctionType) -> bool:
    """Whether a kernel is a helper without a loop: a caller's loop over it may use vectors."""
    mark = kernel_mark(function)
    is_helper = mark is not None and mark.shape == KernelShape.HELPER
    return is_helper and not any(
        instruction.opname.startswith("JUMP_BACKWARD")
        for instruction in dis.get_instructions(function)
    )


def _with_compiled_kernels(
    module: types.ModuleType, names: tuple[str, ...], callers: tuple[types.FunctionType, ...]
) -> types.ModuleType:
    """A stand-in for a module whose kernels are called as ``module.kernel(...)``."""
    kernels = {
        name: value
        for name in names
        if isinstance(value := getattr(module, name, None), types.FunctionType) and is_kernel(value)
    }
    if not kernels:
        return module
    stand_in = types.ModuleType(module.__name__)
    stand_in.__dict__.update(module.__dict__)
    for name, value in kernels.items():
        setattr(stand_in, name, _compile(value, callers))
    return stand_in


def _refuse_kernels_in_closure(function: types.FunctionType) -> None:
    for cell in function.__closure__ or ():
        if is_kernel(cell.cell_contents):
            raise PayoffError(
                f"The kernel '{function.__qualname__}' holds another kernel in a closure.",
                why="Its compiled form could not be kept between starts.",
                remedy="Define both at the top of the file.",
            )
