"""Engine processes from start to death, and a spare one that waits for the death of the other.

What a new process does before it can answer (two to three seconds of imports and kernels to load)
depends on no plugin. The engine for plugins, which plugins may end at any moment, therefore has a
spare process started once it has answered a job: it imports what ships, and waits. When the engine
dies, the spare one takes its place with what it has done so far.

A process of ours with all that it starts, which ends with it.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess

from core.diagnostics.windows_system import ProcessGroup
from core.engine.messages import JobState, WarmUp
from core.engine.options import EngineOptions
from core.engine.process import begin
from core.engine.protocol import Blame, EngineRole, EngineSetup, HandlerSource
from core.engine.shared_memory import SharedState
from core.questions.lanes import Lane
from payoff.errors import PayoffError


class ProcessTree:
    """One process, started just now, and what it will start.

    On Windows the tree also ends with this program, however that ends: elsewhere the process sees
    its lifeline close, but Windows has no signal for code that never gives Python a turn.

    Parameters
    ----------
    process : BaseProcess
    leads_group : bool
        Whether it makes itself the leader of a group, as what runs plugins does (``confining``).
    """

    def __init__(self, process: BaseProcess, *, leads_group: bool) -> None:
        self._leader = process.pid if leads_group else None
        self._group: ProcessGroup | None = None
        if sys.platform == "win32":
            self._group = ProcessGroup()
            self._group.take(process.sentinel)  # which is the process's handle there

    def end(self) -> None:
        """End what the process started and left behind; nothing where it leads no group."""
        if self._group is not None:
            self._group.end()
        elif self._leader is not None and sys.platform != "win32":
            with suppress(OSError):
                os.killpg(self._leader, signal.SIGKILL)


@dataclass(slots=True)
class Ending:
    """Why an engine is being ended on purpose, and for the sake of which lane."""

    lane: Lane
    state: JobState
    error: PayoffError
    blame: Blame | None = None


@dataclass(slots=True)
class Life:
    """One process from start to death.

    ``blamed``: the plugins it was told of at its start; ``is_ready`` once it has said so;
    ``warm_up``: what it said last of kernels that are compiled in the background.
    """

    process: BaseProcess
    tree: ProcessTree
    connection: Connection
    lifeline: Connection
    blamed: tuple[Blame, ...] = ()
    is_ready: bool = False
    ending: Ending | None = None
    warm_up: WarmUp | None = None

    def close(self) -> int | None:
        """Close the pipes, which ends the process; by force if it does not. Its exit code."""
        self.connection.close()
        self.lifeline.close()
        self.process.join(1.0)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        exit_code = self.process.exitcode
        self.process.close()
        return exit_code


class LifeMaker:
    """Starts the processes of one engine; used by its link's thread alone.

    Parameters
    ----------
    role : EngineRole
    options : EngineOptions
        Without ``warm_up`` there is no spare process.
    handlers : HandlerSource
    context : SpawnContext
    shared : SharedState
        One for all processes of the engine: only the one that is given jobs writes to it.
    """

    def __init__(
        self,
        role: EngineRole,
        options: EngineOptions,
        handlers: HandlerSource,
        context: SpawnContext,
        shared: SharedState,
    ) -> None:
        self._role = role
        self._options = options
        self._handlers = handlers
        self._context = context
        self._shared = shared
        self._spare: Life | None = None

    def begin(self, blamed: tuple[Blame, ...]) -> Life:
        """The spare process if it lives, else a new one that is told of all blame so far."""
        spare, self._spare = self._spare, None
        if spare is not None:
            if spare.process.is_alive():
                return spare
            spare.close()
        return self._start(blamed)

    def prepare(self) -> None:
        """Start the spare process unless there is one; a failure shows when it is needed."""
        if self._role is not EngineRole.PLUGINS or not self._options.warm_up or self._spare:
            return
        with suppress(Exception):
            # No blame yet: what is forgiven until it is needed must not be held against a plugin.
            self._spare = self._start(())

    def drop(self) -> None:
        """End the spare process."""
        if self._spare is not None:
            self._spare.close()
            self._spare = None

    @property
    def spare_pid(self) -> int | None:
        """The process id of the spare process, for diagnostics and tests."""
        return self._spare.process.pid if self._spare is not None else None

    def _start(self, blamed: tuple[Blame, ...]) -> Life:
        ours, theirs = self._context.Pipe()
        lifeline_end, lifeline = self._context.Pipe(duplex=False)
        setup = EngineSetup(self._role, self._options, self._handlers, blamed)
        process = self._context.Process(
            target=begin,
            args=(setup, theirs, lifeline_end, self._shared),
            name=f"payoff-engine-{self._role}",
            daemon=False,
        )
        try:
            process.start()
        except BaseException:
            ours.close()
            lifeline.close()
            raise
        finally:
            theirs.close()
            lifeline_end.close()
        tree = ProcessTree(process, leads_group=self._role is EngineRole.PLUGINS)
        return Life(process, tree, ours, lifeline, blamed)
