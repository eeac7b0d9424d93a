"""Compile the program's kernels into the suite's cache: ``python -m tests.warm``.

Tests in several processes would each compile the same kernels; one process does it once, while
the linters have the other core.
"""

from __future__ import annotations

import tests.conftest  # noqa: F401 - names the suite's folders of settings and kernels
from core.engine.context import Workbench
from core.engine.kinds import standard_handlers
from core.engine.options import EngineOptions
from core.engine.precompile import warm_up_steps


def main() -> None:
    """Run every step that the engine runs in the background after its start."""
    workbench = Workbench(EngineOptions(safe_mode=True))
    for _, step in warm_up_steps(workbench.plugins, standard_handlers):
        step()


if __name__ == "__main__":
    main()
