"""Where an engine's process begins. Imported by the window, so nothing heavy at the top."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext

from core.collecting import collect_seldom
from core.engine.protocol import EngineSetup
from core.engine.shared_memory import SharedState

PROCESSES: SpawnContext = multiprocessing.get_context("spawn")
"""How processes of engines begin: from nothing, on every system alike."""


def begin(
    setup: EngineSetup, connection: Connection, lifeline: Connection, shared: SharedState
) -> None:
    """Run an engine until its window closes the pipe (first function of the new process)."""
    collect_seldom()
    # Threads of OpenBLAS that wait for the next small matrix hold cores that kernels need: looking
    # whether columns foretell a treatment took eight times as long. Read when numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from core.engine.worker import run_engine

    run_engine(setup, connection, lifeline, shared)
