"""Where an engine's process begins. Imported by the window, so nothing heavy at the top."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from core.engine.options import EngineOptions
from core.engine.sharing import SharedState
from core.engine.wire import Blame, EngineRole

Handler = Callable[..., Any]
HandlerSource = Callable[[], Mapping[str, Handler]]


@dataclass(frozen=True, slots=True)
class EngineSetup:
    """Everything a new engine process is given."""

    role: EngineRole
    options: EngineOptions
    handlers: HandlerSource
    blamed: tuple[Blame, ...]


def standard_handlers() -> Mapping[str, Handler]:
    """The handlers of all job kinds; imported here so that the window never imports them."""
    from core.engine.jobs import HANDLERS

    return HANDLERS


def begin(
    setup: EngineSetup, connection: Connection, lifeline: Connection, shared: SharedState
) -> None:
    """Run an engine until its window closes the pipe (first function of the new process)."""
    from core.engine.worker import run_engine

    run_engine(setup, connection, lifeline, shared)
