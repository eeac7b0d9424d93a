"""Checking a plugin in a process of its own: whatever it does there is told, and ends there.

The child has the fence of the engine for plugins, and the limits of time and memory are watched
from here. What it answers is JSON, never a pickle. A child that ends without an answer, exit code 0
or not, has failed the stage that it was in.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from core.collecting import collect_seldom
from core.engine import process
from core.engine.options import EngineOptions
from core.engine.sandbox import confining
from core.engine.shared_memory import SharedState
from core.engine.supervisor.crash_recovery import how_it_ended
from core.engine.supervisor.engine_process import ProcessTree
from core.engine.supervisor.plugins import PluginLimits
from core.extensions.kernel_sheets import without_main
from core.questions.lanes import Lane
from payoff.errors import PayoffError
from payoff.testing.catalogue import PLUGIN_CHECKS
from payoff.testing.results import CheckResult, CheckState, ConformanceSheet

_POLL_SECONDS = 0.1
_START_SECONDS = 60.0  # imports of ours before the plugin is reached, on a slow disk
_MESSAGE_SECONDS = 10.0
_IMPORT_CHECK, _STATE_CHECK = PLUGIN_CHECKS[3], PLUGIN_CHECKS[6]


def check_apart(path: str | Path, options: EngineOptions | None = None) -> ConformanceSheet:
    """Check a plugin as ``payoff.check_plugin`` does, in a process that it may ruin.

    Parameters
    ----------
    path : str or Path
    options : EngineOptions, optional
        Limits of time (``plugin_seconds``, ``call_seconds``), memory and output.

    Raises
    ------
    PayoffError
        If the path does not exist.
    """
    options = options or EngineOptions()
    context = process.PROCESSES
    shared = SharedState(context)
    ours, theirs = context.Pipe()
    child = context.Process(target=_check, args=(str(path), options, theirs, shared))
    with without_main():
        child.start()
    tree = ProcessTree(child, leads_group=True)
    theirs.close()
    try:
        answer, why, stage = _wait(child, ours, shared, options)
    finally:
        _end(child, tree)
        ours.close()
    if "refusal" in answer:
        raise PayoffError(**{key: str(words) for key, words in answer["refusal"].items()})
    sheet = _sheet_of(answer)
    if sheet is None:
        return _failed(str(path), stage, why or how_it_ended(child.exitcode))
    return _with_refused(sheet, answer.get("refused"))


# ---------------------------------------------------------------- here


def _wait(
    child: BaseProcess, answers: Connection, shared: SharedState, options: EngineOptions
) -> tuple[dict[str, Any], str, str]:
    """The child's answer, or why there is none, and the stage of the plugin."""
    limits = PluginLimits(child.pid or 0, options.plugin_bytes)
    begun, stage = time.monotonic(), ""
    while True:
        if answers.poll(_POLL_SECONDS):
            return _answer(child, answers), "", _stage_in(shared) or stage
        in_use = shared.plugin_in(Lane.LONG)
        stage = in_use.stage if in_use is not None else stage
        why = limits.broken(Lane.LONG, in_use)
        most = _START_SECONDS + 20 * options.plugin_seconds + options.call_seconds
        if time.monotonic() - begun > most:
            why = "It did not end."
        if why:
            return {}, why, stage


def _stage_in(shared: SharedState) -> str:
    in_use = shared.plugin_in(Lane.LONG)
    return in_use.stage if in_use is not None else ""


def _answer(child: BaseProcess, answers: Connection) -> dict[str, Any]:
    """What came through the pipe; nothing where the child is gone or a plugin wrote into it."""
    timer = threading.Timer(_MESSAGE_SECONDS, child.kill)
    timer.daemon = True
    timer.start()
    try:
        found = json.loads(answers.recv_bytes())
    except (EOFError, OSError, ValueError):
        child.join(1.0)
        return {}
    finally:
        timer.cancel()
    return found if isinstance(found, dict) else {}


def _end(child: BaseProcess, tree: ProcessTree) -> None:
    """End the child with all that it started."""
    child.join(1.0)
    if child.is_alive():
        child.kill()
        child.join()
    tree.end()


def _sheet_of(answer: dict[str, Any]) -> ConformanceSheet | None:
    from core.extensions.records import sheet_from_json

    return sheet_from_json(answer.get("sheet"))


def _failed(path: str, stage: str, why: str) -> ConformanceSheet:
    """The sheet of a plugin that did not come back."""
    from core.extensions.records import CHECKS_OF_STAGES

    why = why.replace("The engine's process", "The process of the check")
    place = f" ({stage})" if stage else ""
    check = CHECKS_OF_STAGES.get(stage, _IMPORT_CHECK)
    name = Path(path).name
    result = CheckResult(check=check, subject=name, state=CheckState.FAILED, found=f"{why}{place}")
    return ConformanceSheet(subject=name, results=(result,))


def _with_refused(sheet: ConformanceSheet, refused: object) -> ConformanceSheet:
    """The sheet with what the plugin tried and was refused, where nothing else failed for it."""
    if not isinstance(refused, list) or not refused or not sheet.passed:
        return sheet
    found = f"It tried what no plugin may: {', '.join(map(str, refused[:4]))}."
    result = CheckResult(
        check=_STATE_CHECK, subject=sheet.subject, state=CheckState.FAILED, found=found
    )
    kept = tuple(entry for entry in sheet if entry.check != _STATE_CHECK)
    return ConformanceSheet(subject=sheet.subject, results=(*kept, result))


# ---------------------------------------------------------------- in the child


def _check(path: str, options: EngineOptions, answers: Connection, shared: SharedState) -> None:
    """Check the plugin and answer; never returns, whatever threads it leaves behind."""
    collect_seldom()
    refused: list[str] = []
    try:
        from core.extensions import check_plugin_files
        from core.extensions.records import sheet_to_json
        from core.extensions.shared_code import SHARED_CODE

        SHARED_CODE.is_ours = True
        sys.addaudithook(partial(_note_refused, shared, refused))  # before the fence, which raises
        confinement = confining.Confinement(options)
        confinement.begin()
        watch = confinement.marking(partial(_marked, shared, options))
        before = set(threading.enumerate())
        sheet = check_plugin_files(path, watch=watch)
        refused += [f"a thread left running ({t.name})" for t in _left_running(before)]
        plain: dict[str, Any] = {"sheet": sheet_to_json(sheet), "refused": refused}
    except PayoffError as error:
        words = {"what": error.what, "where": error.where, "why": error.why}
        plain = {"refusal": {**words, "remedy": error.remedy}}
    with suppress(OSError):
        answers.send_bytes(json.dumps(plain).encode("utf-8"))
        answers.close()
    os._exit(0)


def _left_running(before: set[threading.Thread]) -> list[threading.Thread]:
    """Threads of the plugin that still run; those of kernels are ours."""
    now = set(threading.enumerate()) - before
    return [thread for thread in now if not thread.name.startswith("payoff-")]


@contextmanager
def _marked(
    shared: SharedState, options: EngineOptions, plugin: str, stage: str, limit: float
) -> Iterator[None]:
    from core.extensions.records import COMPILING

    most = options.call_seconds if stage == COMPILING else options.plugin_seconds
    with shared.in_plugin(Lane.LONG, plugin, stage, min(limit, most)):
        yield


def _note_refused(
    shared: SharedState, refused: list[str], event: str, arguments: tuple[Any, ...]
) -> None:
    """Remember what the fence will refuse, should the plugin pass over it in silence."""
    is_new = event not in refused and shared.plugin_in(Lane.LONG) is not None
    if is_new and confining.refused(event, arguments):
        refused.append(event)
