"""The window hears of kernels that are compiled in the background, and only of those."""

import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

from core.engine import worker
from core.engine.messages import WarmUp
from core.engine.options import EngineOptions
from core.engine.precompile import warm_up
from core.engine.protocol import EngineRole, EngineSetup
from core.engine.shared_memory import SharedState

ROOT = Path(__file__).resolve().parents[4]

COMPILE_ONE = """
import numpy as np
from core.data.text.bytescan import ByteScan
from core.engine.precompile import kernels_compiled, warm_up
from core.engine.messages import WarmUp
news = []
assert kernels_compiled() == 0
warm_up(
    [(0.0, lambda: ByteScan(ord(","), ord('"')).feed(b'a,b\\r\\n1,2\\r\\n'))],
    is_busy=lambda: False, tell=news.append,
)
assert news[-1] == WarmUp(share=1.0, compiled=kernels_compiled()), news
assert news[-1].compiled >= 1
print("told")
"""


class Compiler:
    """Counts what it is said to have compiled, and lets a step wait until that was told."""

    def __init__(self):
        self.count = 0
        self.reported: list[WarmUp] = []

    def compile_one(self):
        self.count += 1
        while len(self.reported) < self.count:
            pass

    def warm(self, steps, is_busy=lambda: False):
        warm_up(steps, is_busy=is_busy, tell=self.reported.append, compiled=lambda: self.count)


def test_each_look_that_finds_further_kernels_is_told_with_the_share_done():
    compiler = Compiler()
    compiler.warm([(0.0, compiler.compile_one), (0.5, compiler.compile_one)])
    assert compiler.reported == [
        WarmUp(share=0.0, compiled=1),
        WarmUp(share=0.5, compiled=2),
        WarmUp(share=1.0, compiled=2),
    ]
    assert [news.is_done for news in compiler.reported] == [False, False, True]


def test_nothing_is_told_where_all_kernels_are_there():
    compiler = Compiler()
    done = []
    compiler.warm([(0.0, lambda: done.append(1)), (0.5, lambda: done.append(2))])
    assert done == [1, 2]
    assert compiler.reported == []


def test_a_step_waits_while_a_job_runs():
    compiler = Compiler()
    busy = [True, True, False]
    done = []
    compiler.warm(
        [(0.0, lambda: done.append(len(busy)))], is_busy=lambda: bool(busy) and busy.pop(0)
    )
    assert done == [0]


def test_no_step_is_looked_for_while_a_job_runs():
    """To find the next step imports modules, which would hold up the job as the step would."""
    compiler = Compiler()
    busy = [False, True, True, False]
    found_at = []

    def steps():
        for _ in range(2):
            found_at.append(len(busy))
            yield 0.0, lambda: None

    compiler.warm(steps(), is_busy=lambda: bool(busy) and busy.pop(0))
    assert found_at == [3, 0]


def test_after_a_job_plugins_are_found_at_once_and_other_steps_wait_for_the_next(monkeypatch):
    """A file was opened: the question that follows needs them, and the engine has nothing to do."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    setup = EngineSetup(EngineRole.MAIN, EngineOptions(safe_mode=True), dict, ())
    engine = worker.Engine(setup, theirs, SharedState(context))
    begun = []

    def find():
        begun.append(time.monotonic())
        assert engine.workbench.plugins.registry.metrics()

    steps = [(0.0, find), (0.5, lambda: begun.append(time.monotonic()))]
    monkeypatch.setattr(worker, "warm_up_steps", lambda *_: iter(steps))
    engine._rests_from = time.monotonic() + 1.0
    engine._warm_up()
    assert begun[0] < engine._rests_from <= begun[1]
    ours.close()


def test_a_failing_step_still_ends_the_line():
    compiler = Compiler()

    def fail():
        compiler.compile_one()
        raise ValueError("no disk")

    try:
        compiler.warm([(0.0, fail)])
    except ValueError:
        assert compiler.reported[-1].is_done


def test_a_kernel_that_no_cache_holds_is_told(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COMPILE_ONE],
        cwd=ROOT,
        env=dict(os.environ, PYTHONPATH=str(ROOT), PAYOFF_CACHE_DIR=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.stdout.strip() == "told", done.stderr
