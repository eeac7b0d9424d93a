"""The one time that packages carry, so that the same sources give the same bytes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def read_epoch() -> int:
    """Seconds: what the builder says (``SOURCE_DATE_EPOCH``), or the time of the last commit."""
    described = os.environ.get("SOURCE_DATE_EPOCH")
    if described:
        return int(described)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def settle_times(folder: Path, when: int) -> None:
    """Make everything in a folder, and the folder, as old as that; links are not followed."""
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, (when, when), follow_symlinks=False)
