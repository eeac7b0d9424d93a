"""How often Python looks for cycles in processes that are the program's own."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Have Python look for cycles after every 20,000 new objects, not after 700.

    Imports, compiling and reading files make many objects and hardly a cycle: looking took 6 % of
    an engine's start, and a tenth of compiling. The window has ``WindowCollector``.
    """
    gc.set_threshold(20_000, 20, 20)
