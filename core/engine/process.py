"""Where an engine's process begins. Imported by the window, so nothing heavy at the top."""

from __future__ import annotations

from multiprocessing.connection import Connection

from core.engine.protocol import EngineSetup
from core.engine.shared_memory import SharedState


def begin(
    setup: EngineSetup, connection: Connection, lifeline: Connection, shared: SharedState
) -> None:
    """Run an engine until its window closes the pipe (first function of the new process)."""
    from core.engine.worker import run_engine

    run_engine(setup, connection, lifeline, shared)
