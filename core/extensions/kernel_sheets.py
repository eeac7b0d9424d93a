"""Checks of a plugin's compiled kernels, in this process and at a second start."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import sys
import types
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import Any

from core.extensions import loading
from core.extensions.finding import FoundPlugin
from core.extensions.records import COMPILE_LIMIT, exception_words
from core.kernels import compilations, compile_kernel, compile_problem, with_kernels
from payoff.kernels import is_kernel
from payoff.manifest import read_manifest
from payoff.specs import Spec
from payoff.testing.checks import KERNEL_CHECKS
from payoff.testing.kernel_checks import (
    NotCompiledError,
    answers,
    check_kept,
    check_kernels,
    with_compiled,
)
from payoff.testing.results import CheckResult, CheckState, ConformanceSheet

MadeAgain = dict[str, tuple[str, ...]]
"""Id of a spec -> names of the functions that were compiled, though they had been before."""

_starting = Lock()


def compiled_sheets(specs: tuple[Spec, ...]) -> tuple[ConformanceSheet, ...]:
    """Whether kernels compile and agree with plain Python: a sheet for each spec that has some."""
    sheets = (check_kernels(spec, _compiled) for spec in specs)
    return tuple(sheet for sheet in sheets if sheet.results)


def kept_sheets(
    specs: tuple[Spec, ...], found: FoundPlugin, folder: Path, *, limit: float = COMPILE_LIMIT
) -> tuple[ConformanceSheet, ...]:
    """Whether a second process finds the compiled kernels that this one has made.

    Parameters
    ----------
    specs : tuple of Spec
        Those of the plugin, their kernels compiled before.
    found : FoundPlugin
    folder : Path
        Where its files are; see ``loading.files_of``.
    limit : float
        Seconds after which the second process is ended.
    """
    answer = _second_start(found, folder, limit)
    kernel_specs = [spec for spec in specs if with_compiled(spec, _compiled) is not None]
    if isinstance(answer, str):
        return tuple(_failed(spec, answer) for spec in kernel_specs)
    return tuple(check_kept(spec, answer.get(spec.id, ())) for spec in kernel_specs)


def _failed(spec: Spec, why: str) -> ConformanceSheet:
    result = CheckResult(
        check=KERNEL_CHECKS[-1], subject=spec.id, state=CheckState.FAILED, found=why
    )
    return ConformanceSheet(subject=spec.id, results=(result,))


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The form in which the engine calls a function of a spec; its refusals in words."""
    ready = compile_kernel(function) if is_kernel(function) else with_kernels(function)
    if ready is function:
        return function

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        """Call it, and say in words why it does not compile."""
        try:
            return ready(*arguments)
        except Exception as error:
            problem = compile_problem(error)
            if problem:
                raise NotCompiledError(problem) from error
            raise

    return call


def _second_start(found: FoundPlugin, folder: Path, limit: float) -> MadeAgain | str:
    """What a new process had to compile, by spec; or in words why it did not answer."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_report, args=(there, found, folder), daemon=True)
    with without_main():
        child.start()
    there.close()
    try:
        if not here.poll(limit):
            return f"the second start did not come back within {limit:g} seconds"
        answer: MadeAgain | str = here.recv()
        return answer
    except EOFError:
        child.join(limit)
        return f"the second start ended with exit code {child.exitcode}"
    finally:
        child.kill()
        child.join()
        here.close()


@contextlib.contextmanager
def without_main() -> Iterator[None]:
    """Hide the main module: a new process would run it again, and it may be anybody's script."""
    with _starting:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


def _report(sender: Connection, found: FoundPlugin, folder: Path) -> None:
    """In the new process: import the plugin, use every kernel, and tell what was compiled."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        try:
            loading.offer_packages(found.path)
            manifest = read_manifest(found.path)
            specs = loading.register(loading.import_entry(found, manifest, folder), manifest)
            answer: MadeAgain | str = {spec.id: _made(spec) for spec in specs}
        except BaseException as error:
            answer = f"the second start failed: {exception_words(error)}"
    sender.send(answer)


def _made(spec: Spec) -> tuple[str, ...]:
    """Names of the functions that have to be compiled to use a spec."""
    with compilations() as names:
        compiled = with_compiled(spec, _compiled)
        if compiled is not None:
            answers(compiled)
    return tuple(names)
