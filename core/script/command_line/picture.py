"""A picture of the program's window, made without a screen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from core.script.command_line.answering import PROGRAM_FOLDER, program_command, tell
from payoff.errors import PayoffError

LONGEST_PICTURE = 1200
"""Seconds: from a source tree the window compiles its kernels first, on a busy machine for long."""


def without_screen() -> dict[str, str]:
    """What has Qt paint without a screen; on Windows it looks for fonts nowhere by itself then."""
    settings = {"QT_QPA_PLATFORM": "offscreen"}
    if sys.platform == "win32":
        settings["QT_QPA_FONTDIR"] = os.path.join(os.environ["SYSTEMROOT"], "Fonts")
    return settings


def take_picture(path: Path, safe_mode: bool) -> Path:
    """Make a picture of the window on the sample, by the program itself without a screen.

    Raises
    ------
    PayoffError
        The window was not ready in ``LONGEST_PICTURE``, or ended otherwise than it should.
    """
    command = [*program_command(), "--sample", "direct-mail", "--picture", str(path.resolve())]
    environment = {**os.environ, **without_screen()}
    tell("taking a picture of the window")
    try:
        done = subprocess.run(
            [*command, *(["--safe-mode"] if safe_mode else [])],
            env=environment,
            cwd=PROGRAM_FOLDER,
            timeout=LONGEST_PICTURE,
            check=False,
            capture_output=True,
            text=True,
        )
    except subprocess.TimeoutExpired:
        raise PayoffError(
            "The window could not be pictured.",
            where=str(path),
            why=f"It was not ready after {LONGEST_PICTURE // 60} minutes.",
            remedy="Compile its kernels first, with payoff --warm-up, then try again.",
        ) from None
    if done.returncode != 0 or not path.is_file():
        raise PayoffError(
            "The window could not be pictured.", where=str(path), why=done.stderr.strip()[-500:]
        )
    tell(f"wrote {path}")
    return path
