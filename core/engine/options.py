"""What an engine is told when it starts: folders, limits, safe mode. No heavy imports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.diagnostics import CRASH_BOOK_NAME, CrashBook
from core.settings import state_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """Settings of one session's engines; plain values, so that they travel to a new process.

    Parameters
    ----------
    store_folder : str
        Folder of the result store; empty = a temporary folder that ends with the session.
    store_bytes : int
        Most bytes the result store keeps; the least recently used results go first.
    table_bytes : int
        Most bytes of tables and prepared problems kept in memory per engine.
    plugin_folder : str
        The user's plugin folder; empty = the platform's usual place.
    quarantine_path : str
        File that remembers quarantined plugins; empty = in the user's state folder.
    plugins_off : tuple of str
        Ids of plugins that the user turned off.
    safe_mode : bool
        Built-in plugins only.
    only_plugins : tuple of str
        Of all third-party plugins only these ids; empty = all.
    trace_hooks : bool
        Log every call into a plugin with the time it took, on standard error too.
    stop_seconds : float
        A job that has not answered Stop for so long is ended together with its engine. Time in
        which kernels are compiled does not count.
    drop_seconds : float
        The same for a job that nobody waits for any longer.
    compile_seconds : float
        Longest time that Stop waits for the compiler.
    plugin_seconds : float
        Longest time that a third-party plugin may take to be read, imported or checked.
    call_seconds : float
        Longest time of one call of a third-party metric or matrix; a training has none but Stop.
    plugin_bytes : int
        Memory that one call into a third-party plugin may add; 0 = half of the machine's.
    plugin_output_bytes : int
        What a plugin may print in one call.
    log_folder : str
        Where engines write their log; empty = standard error.
    warm_up : bool
        Import and compile in the background after the start.
    """

    store_folder: str = ""
    store_bytes: int = 1 << 30
    table_bytes: int = 4 << 30
    plugin_folder: str = ""
    quarantine_path: str = ""
    plugins_off: tuple[str, ...] = ()
    safe_mode: bool = False
    only_plugins: tuple[str, ...] = ()
    trace_hooks: bool = False
    stop_seconds: float = 5.0
    drop_seconds: float = 60.0
    compile_seconds: float = 600.0
    plugin_seconds: float = 20.0
    call_seconds: float = 300.0
    plugin_bytes: int = 0
    plugin_output_bytes: int = 1 << 20
    log_folder: str = ""
    warm_up: bool = True


def crash_book_of(options: EngineOptions) -> CrashBook:
    """The crashes that are remembered, beside the file of quarantined plugins."""
    named = options.quarantine_path
    folder = Path(named).parent if named else state_folder()
    return CrashBook(folder / CRASH_BOOK_NAME)
