"""Starts the program: ``python -m payoff [FILE]``, ``python -m payoff VERB ...``.

The program is loaded by name: what plugins and scripts import knows neither it nor the window.
"""

from __future__ import annotations

import multiprocessing
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module


def open_window(arguments: Namespace) -> int:
    """Open the window, and run until it is closed."""
    engine = import_module("gui.app.first_engine").FirstEngine(arguments)
    # The engine's imports run beside those of the window.
    code: int = import_module("gui.app.application").run(arguments, engine)
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the process's exit code."""
    program = import_module("core.script.command_line.program")
    code: int = program.run_program(open_window, arguments)
    return code


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
