"""``payoff --warm-up``: compile every kernel now, so that no later start does.

An installer's build runs it to make the kernels that a program brings along.
"""

from __future__ import annotations

import time

from core.diagnostics import describe_exception
from core.engine.jobs.precompiling import all_kernels
from core.engine.jobs.precompiling.first_totals import first_steps
from core.kernels import cache_hits
from core.script.command_line.self_test import run_self_test
from core.script.command_line.telling import tell
from core.script.session import engine
from payoff.counting import counted


def run_warm_up() -> int:
    """Run every warming step and the self test, whose own kernels count too; 0 if none failed."""
    started = time.perf_counter()
    failed = 0
    runner = engine(safe_mode=True)
    for step in (*first_steps(), *all_kernels.kernel_steps(lambda: runner.registry)):
        try:
            step()
        except Exception as error:
            failed += 1
            tell(str(describe_exception(error)))
    counts = cache_hits()
    seconds = time.perf_counter() - started
    tell(f"{counted(counts.compiled, 'kernel')} compiled, {counts.hits} ready, in {seconds:.0f} s")
    return run_self_test() or int(failed > 0)
