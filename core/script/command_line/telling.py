"""What verbs share: lines and progress on stderr."""

from __future__ import annotations

import sys
import time
from pathlib import Path


def tell(text: str) -> None:
    """Say a line on stderr."""
    print(f"payoff: {text}", file=sys.stderr, flush=True)


PROGRAM_FOLDER = Path(__file__).resolve().parents[3]
"""Where the words of ``program_command`` are said: of a checkout it is found there."""


def program_command() -> list[str]:
    """The words that start this program in a process of its own."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, "-m", "payoff"]


class Progress:
    """Says a job's stage on stderr, a line per stage at most every half second."""

    def __init__(self) -> None:
        self._last_stage = ""
        self._last_time = 0.0

    def __call__(self, fraction: float | None, stage: str, partial: object = None) -> None:
        del partial
        now = time.monotonic()
        if stage == self._last_stage or now - self._last_time < 0.5:
            return
        self._last_stage, self._last_time = stage, now
        tell(stage if fraction is None else f"{stage} ({100 * fraction:.0f} %)")
