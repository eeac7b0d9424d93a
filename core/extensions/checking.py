"""The conformance sheet of one plugin, as ``payoff.check_plugin`` and the menu give it."""

from __future__ import annotations

from pathlib import Path

from core.extensions.finding import USER_FOLDER, FoundPlugin
from core.extensions.records import Watch, unwatched, way_so_far
from core.extensions.registry import Registry
from payoff.errors import PayoffError
from payoff.testing.results import ConformanceSheet


def check_plugin_files(
    path: str | Path, *, kernels: bool = True, watch: Watch = unwatched
) -> ConformanceSheet:
    """Run every check of the conformance kit on a plugin; nothing is remembered.

    What ships is there, as in the program: a name that it has already is refused here too.

    Parameters
    ----------
    path : str or Path
        A folder, a ``.py`` file or a ``.zip``.
    kernels : bool
        Compile kernels too, where all else passes: seconds, and a second process.
    watch : callable
        Context manager around every call of plugin code.

    Raises
    ------
    PayoffError
        If the path does not exist. A faulty plugin gives a sheet with failed checks.
    """
    place = Path(path)
    if not place.exists():
        raise PayoffError("There is no such plugin.", where=str(place))
    found = FoundPlugin(path=place, source=USER_FOLDER)
    registry = Registry.discover((), safe_mode=True, has_packages=False)
    registry.watch = watch
    record = registry.add(found, is_requested=kernels)
    return record.sheet if record.sheet is not None else way_so_far(record)
