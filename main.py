"""Starts the program from a checkout; an installed one is started by ``payoff``."""

from __future__ import annotations

import multiprocessing
import sys

from payoff.__main__ import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
