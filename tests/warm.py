"""Compile the program's kernels into the suite's cache: ``python -m tests.warm``.

Tests in several processes would each compile the same kernels; here each is compiled once, before
them. One process takes the steps of the engine's start from the first, another from the last:
neighbours share kernels, the ends of the list none to speak of.
"""

from __future__ import annotations

import multiprocessing
import sys
from multiprocessing.sharedctypes import Synchronized

import tests.conftest  # noqa: F401 - names the suite's folders of settings and kernels
from core.collecting import collect_seldom
from core.engine.context import Workbench
from core.engine.kinds import standard_handlers
from core.engine.options import EngineOptions
from core.engine.precompile import warm_up_steps


def _compile(taken: Synchronized[int], is_from_last: bool) -> None:
    """Do one step after the other, until those of both processes meet."""
    collect_seldom()
    workbench = Workbench(EngineOptions(safe_mode=True))
    steps = [step for _, step in warm_up_steps(workbench.plugins, standard_handlers)]
    for step in reversed(steps) if is_from_last else steps:
        with taken.get_lock():
            if taken.value == len(steps):
                return
            taken.value += 1
        step()


def main() -> int:
    """Run every step that the engine runs in the background after its start."""
    context = multiprocessing.get_context("spawn")
    taken = context.Value("i", 0)
    processes = [context.Process(target=_compile, args=(taken, last)) for last in (False, True)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return max(abs(process.exitcode or 0) for process in processes)


if __name__ == "__main__":
    sys.exit(main())
