"""What a report of a fault should name: versions of the program, its libraries and the system."""

from __future__ import annotations

import platform
import sys

from payoff.version import API_VERSION, __version__

LIBRARIES = ("PySide6-Essentials", "pyqtgraph", "numpy", "scipy", "numba", "pyarrow", "pandas")


def program_details() -> tuple[tuple[str, str], ...]:
    """Names and values, in the order in which they are shown; nothing of the user's is among them.

    Versions of libraries come from their records, so that none is imported for it.
    """
    kind = "installed program" if getattr(sys, "frozen", False) else "source tree"
    own = (
        ("Payoff", f"{__version__} ({kind})"),
        ("Plugin contract", ".".join(str(part) for part in API_VERSION)),
        ("Python", platform.python_version()),
        ("System", f"{platform.system()} {platform.release()}, {platform.machine()}"),
    )
    return own + tuple((name, found) for name in LIBRARIES if (found := _version(name)))


def details_text() -> str:
    """The same as lines, for a message."""
    return "\n".join(f"{name}: {value}" for name, value in program_details())


def _version(name: str) -> str:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
