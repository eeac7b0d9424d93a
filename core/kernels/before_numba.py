"""Compiled kernels that an installed program brings along, so that its first start compiles none.

A frozen program may hold a folder ``kernels`` made when it was built. Compiled code fits one kind
of processor; it is therefore made for a level that nearly every processor of the last ten years
has, and a program that finds the folder compiles everything, plugins too, for that level. On an
older processor nothing of this happens: kernels are compiled at the first start, as from source.

This module is imported before numba, which reads its settings once: the room's first import.
"""

from __future__ import annotations

import os
import platform
import sys
from functools import cache
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2]
"""Folder that holds ``core``, ``payoff`` and ``plugins``."""

BUILDING_VARIABLE = "PAYOFF_SHIP_KERNELS"
"""Set by the build only: compiled kernels of the program's own files go to this folder."""

_LEVELS = {"x86_64": "x86-64-v3", "amd64": "x86-64-v3", "arm64": "apple-m1"}
_NEEDED = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")


@cache
def shipped_folder() -> Path | None:
    """The folder of kernels that came with the program, or that the build fills; None: none."""
    building = os.environ.get(BUILDING_VARIABLE)
    if building:
        return Path(building)
    folder = PROGRAM / "kernels"
    return folder if getattr(sys, "frozen", False) and folder.is_dir() else None


def is_building() -> bool:
    """Whether this run makes the kernels that will be shipped."""
    return bool(os.environ.get(BUILDING_VARIABLE))


def use_portable_code() -> bool:
    """Have numba compile for the level of the shipped kernels, if there are any and it fits.

    Says whether it did. A processor that the user named (NUMBA_CPU_NAME) stays.
    """
    level = _LEVELS.get(platform.machine().lower())
    if level is None or shipped_folder() is None or "NUMBA_CPU_NAME" in os.environ:
        return False
    if not _has_level(level):
        return False
    os.environ["NUMBA_CPU_NAME"] = level
    os.environ["NUMBA_CPU_FEATURES"] = ""
    return True


def _has_level(level: str) -> bool:
    """Whether this processor has what code of a level uses."""
    if not level.startswith("x86"):
        return True
    from llvmlite import binding

    found = binding.get_host_cpu_features()
    return all(found.get(name, False) for name in _NEEDED)


def shipped_place(source: str) -> Path | None:
    """Where the kernels of one of the program's files are shipped; None for any other file.

    The name does not depend on where the program is installed.
    """
    folder = shipped_folder()
    if folder is None:
        return None
    try:
        inside = Path(source).resolve().relative_to(PROGRAM)
    except ValueError:
        return None
    return folder / ".".join(inside.with_suffix("").parts)


IS_PORTABLE = use_portable_code()
"""Whether kernels are compiled for the level of those that came with the program."""
