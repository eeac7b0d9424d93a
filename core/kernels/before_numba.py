"""Compiled kernels that an installed program brings along, so that its first start compiles none.

A frozen program may hold a folder ``kernels`` made when it was built. Compiled code fits one kind
of processor; it is therefore made for a level that nearly every processor of the last ten years
has, and what the first results need also for the level below, which numpy itself asks for: so
there is no x86-64 processor that starts the program and has to compile before it shows something.
A program that finds the folder compiles everything else, plugins too, for the level it took.

This module is imported before numba, which reads its settings once: the room's first import.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2]
"""Folder that holds ``core``, ``payoff`` and ``plugins``."""

BUILDING_VARIABLE = "PAYOFF_SHIP_KERNELS"
"""Set by the build only: compiled kernels of the program's own files go to this folder."""

_OF_X86 = {
    "x86-64-v3": frozenset(
        {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2"}
    ),
    "x86-64-v2": frozenset({"cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2"}),
}
"""Levels with what their code uses, the best first."""
_OF_ARM = {"apple-m1": frozenset[str]()}
_LEVELS = {"x86_64": _OF_X86, "amd64": _OF_X86, "arm64": _OF_ARM}


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
    """Have numba compile for a level of the shipped kernels, if there are any and one fits.

    Says whether it did. A processor that the user named (NUMBA_CPU_NAME) stays. On Windows an empty
    variable is none: a process started by one that took a level is handed the level's name alone,
    and takes that level, not what this processor has beyond it.
    """
    levels = _LEVELS.get(platform.machine().lower())
    if levels is None or shipped_folder() is None:
        return False
    level = os.environ.get("NUMBA_CPU_NAME")
    if level is None:
        level = best_level(levels)
    elif "NUMBA_CPU_FEATURES" in os.environ:
        return False
    if level not in levels:
        return False
    os.environ["NUMBA_CPU_NAME"] = level
    os.environ["NUMBA_CPU_FEATURES"] = ""
    return True


def best_level(levels: Mapping[str, frozenset[str]]) -> str | None:
    """The first level of which this processor has everything."""
    from llvmlite import binding

    found = {name for name, is_there in binding.get_host_cpu_features().items() if is_there}
    return next((level for level, needed in levels.items() if needed <= found), None)


@cache
def shipped_place(source: str) -> Path | None:
    """Where the kernels of one of the program's files are shipped; None for any other file.

    A folder for each package: names of kernels' files begin with their module. The folder's name
    does not depend on where the program is installed.
    """
    folder = shipped_folder()
    if folder is None:
        return None
    try:
        inside = Path(source).resolve().relative_to(PROGRAM)
    except ValueError:
        return None
    return folder / ".".join(inside.parent.parts)


IS_PORTABLE = use_portable_code()
"""Whether kernels are compiled for a level of those that came with the program."""
