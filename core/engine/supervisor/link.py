"""The window's hold on one engine process: starting, talking, ending, burying, starting again.

One thread per link does everything with the process: it sends the next job of a free lane, hands
on what the engine says, sees its death and starts a new one. Queues live here, on the window's
side, so that an engine's death costs only what it was running.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import connection as mp_connection
from multiprocessing.context import SpawnContext
from typing import Any

from core.engine.messages import JobOutcome, JobProgress, JobRequest, JobState, WarmUp
from core.engine.options import EngineOptions
from core.engine.protocol import Begun, Blame, EngineRole, HandlerSource, Ready, Reroute, Submit
from core.engine.shared_memory import LANES, PluginInUse, SharedState
from core.engine.supervisor.crash_recovery import (
    Settlement,
    cannot_start,
    how_it_ended,
    lost_to_plugin,
    unanswered,
)
from core.engine.supervisor.engine_process import Ending, Life, LifeMaker
from core.engine.supervisor.plugins import PluginLimits
from core.engine.supervisor.queues import GOES_FIRST, JobQueues, Ticket
from core.questions.lanes import Lane
from payoff.errors import PayoffError

Event = JobProgress | JobOutcome | WarmUp
MAX_EARLY_DEATHS = 3
_POLL_SECONDS = 0.25  # how often the time limit of a plugin is looked at
_MESSAGE_SECONDS = 10.0  # a message that has begun has arrived by then, or its length is no length
_log = logging.getLogger("payoff.engine.client")


@dataclass(slots=True)
class LinkHooks:
    """What a link tells its client; all called in the link's thread, never under its lock."""

    emit: Callable[[Event], None]
    reroute: Callable[[JobRequest], None]
    blame: Callable[[Blame], None]
    blamed: Callable[[], tuple[Blame, ...]]


class EngineLink:
    """One engine of the session.

    Parameters
    ----------
    role : EngineRole
    options : EngineOptions
    handlers : HandlerSource
        Importable function that gives the handlers; called in the engine.
    context : SpawnContext
    hooks : LinkHooks
    """

    def __init__(
        self,
        role: EngineRole,
        options: EngineOptions,
        handlers: HandlerSource,
        context: SpawnContext,
        hooks: LinkHooks,
    ) -> None:
        self.role = role
        self._options = options
        self._hooks = hooks
        self._shared = SharedState(context)
        self._lives = LifeMaker(role, options, handlers, context, self._shared)
        self._lock = threading.RLock()
        self._queues = JobQueues(self._shared)
        self._outbox: deque[Event] = deque()
        self._notes: deque[Blame] = deque()
        self._life: Life | None = None
        self._early_deaths = 0
        self._has_lived = False
        self._is_closing = False
        self._wake_reader, self._wake_writer = context.Pipe(duplex=False)
        self._is_woken = False
        self._thread = threading.Thread(target=self._run, name=f"engine-{role}", daemon=True)

    # ------------------------------------------------------------ the client's side

    def start(self) -> None:
        """Start the thread; it starts the process."""
        self._thread.start()

    def submit(self, request: JobRequest) -> None:
        """Queue a job. In a short lane it replaces waiting jobs of its kind."""
        with self._lock:
            for older in self._queues.add(request):
                self._report_cancelled(older)
            if request.lane in GOES_FIRST:
                self._make_way()
        self._wake()

    def say(self, event: Event) -> None:
        """Hand an event on in the link's thread, as those of the engine are."""
        with self._lock:
            self._outbox.append(event)
        self._wake()

    @property
    def is_idle(self) -> bool:
        """Whether no job waits or runs here."""
        with self._lock:
            return self._queues.is_empty

    def job_names(self) -> tuple[str, ...]:
        """The titles of the jobs that wait or run here; nameless ones are left out."""
        with self._lock:
            return self._queues.titles()

    def cancel(self, job: int, *, is_dropped: bool = False) -> bool:
        """Stop a job; False if it is not here. The answer comes as an outcome.

        ``is_dropped``: nobody waits for how it ends.
        """
        with self._lock:
            waiting = self._queues.drop_waiting(job)
            if waiting is not None:
                self._report_cancelled(waiting)
                self._wake()
                return True
            lane = self._queues.lane_of(job)
            if lane is not None:
                self._stop_running(lane, is_dropped=is_dropped)
            return lane is not None

    def note(self, blame: Blame) -> None:
        """Tell the engine that a plugin is to be left alone from now on."""
        with self._lock:
            self._notes.append(blame)
        self._wake()

    def close(self) -> None:
        """Ask the thread to end the engine and itself."""
        self._is_closing = True
        self._wake()

    def join(self, seconds: float) -> None:
        """Wait until the engine is gone; after ``seconds`` it is ended by force."""
        self._thread.join(seconds)
        life = self._life
        if self._thread.is_alive() and life is not None:
            with suppress(ValueError):  # just closed by its thread
                life.process.kill()
            self._thread.join(seconds)

    @property
    def pid(self) -> int | None:
        """The process id of the living engine, for diagnostics and tests."""
        life = self._life
        return life.process.pid if life is not None else None

    @property
    def spare_pid(self) -> int | None:
        """The process id of the process that would take the engine's place, if there is one."""
        return self._lives.spare_pid

    def plugin_in_use(self) -> PluginInUse | None:
        """The third-party plugin that one of the lanes is in."""
        for lane in LANES:
            in_use = self._shared.plugin_in(lane)
            if in_use is not None:
                return in_use
        return None

    def _report_cancelled(self, ticket: Ticket) -> None:
        self._outbox.append(JobOutcome(job=ticket.request.job, state=JobState.CANCELLED))

    def _make_way(self) -> None:
        """Let background work that runs end now; it runs again when nobody waits."""
        ticket = self._queues.running[Lane.BACKGROUND]
        if ticket is not None and not ticket.is_stopping:
            ticket.is_yielding = True
            self._shared.stop[ticket.slot] = 1

    def _stop_running(self, lane: Lane, *, is_dropped: bool) -> None:
        ticket = self._queues.running[lane]
        if ticket is None or ticket.is_stopping:
            return
        ticket.stop_requested = time.monotonic()
        ticket.is_yielding = False
        self._shared.stop[ticket.slot] = 1
        if is_dropped or (self._shared.is_compiling and not ticket.keeps_results):
            self._answer_for(ticket)
        self._watch_stop(lane, ticket)

    def _answer_for(self, ticket: Ticket) -> None:
        """Tell the window, once, that a job was stopped before the engine says so."""
        if not ticket.is_answered:
            ticket.is_answered = True
            self._report_cancelled(ticket)
            self._wake()

    def _watch_stop(self, lane: Lane, ticket: Ticket) -> None:
        options = self._options
        seconds = options.drop_seconds if ticket.is_answered else options.stop_seconds
        compiled = self._shared.kernels_compiled
        timer = threading.Timer(seconds, self._check_stopped, (lane, ticket, compiled))
        timer.daemon = True
        timer.start()
        ticket.stop_timer = timer

    def _check_stopped(self, lane: Lane, ticket: Ticket, compiled: int) -> None:
        """End the engine whose job did not answer Stop in time, unless it was compiling.

        ``compiled``: kernels that were compiled when the time began to run.
        """
        with self._lock:
            life = self._life
            if life is None or self._queues.running[lane] is not ticket or life.ending:
                return
            has_compiled = self._shared.is_compiling or self._shared.kernels_compiled != compiled
            waited = time.monotonic() - ticket.stop_requested
            if not has_compiled or waited > self._options.compile_seconds:
                self._end_unanswered(life, lane, ticket)
                return
            if not ticket.keeps_results:
                self._answer_for(ticket)
            self._watch_stop(lane, ticket)

    def _end_unanswered(self, life: Life, lane: Lane, ticket: Ticket) -> None:
        seconds = self._options.stop_seconds
        error = unanswered(ticket.name, seconds)
        _log.warning("the engine is ended: %s did not answer Stop", ticket.name)
        in_use = self._shared.plugin_in(lane)
        blame = None
        if in_use is not None:
            why = f"It did not answer Stop for {seconds:g} seconds."
            blame = Blame(in_use.plugin, in_use.stage, why)
        life.ending = Ending(lane, JobState.CANCELLED, error, blame)
        life.process.kill()

    def _wake(self) -> None:
        with self._lock:
            if self._is_woken:
                return
            self._is_woken = True
            with suppress(OSError):
                self._wake_writer.send_bytes(b"w")

    # ------------------------------------------------------------ the link's thread

    def _run(self) -> None:
        while not self._is_closing:
            self._wait_for_work()
            life = None if self._is_closing else self._begin_life()
            if life is None:
                continue
            try:
                self._talk(life)
            except Exception:
                _log.exception("talking to the %s engine failed", self.role)
            self._bury(life)
        self._lives.drop()
        self._close_queues()

    def _wait_for_work(self) -> None:
        """Keep the main engine warm, and the other once it was needed; none after many deaths."""
        if (self.role is EngineRole.MAIN or self._has_lived) and self._early_deaths <= 1:
            return
        while not self._is_closing and self._queues.is_empty:
            self._sleep([], None)
            self._flush()

    def _begin_life(self) -> Life | None:
        self._shared.clear_markers()
        with self._lock:
            self._notes.clear()  # the new engine is told of all blame so far
        blamed = self._hooks.blamed()
        try:
            life = self._lives.begin(blamed)
        except Exception as reason:
            _log.exception("the engine could not be started")
            self._refuse_all(str(reason))
            return None
        with self._lock:
            self._notes.extend(blame for blame in blamed if blame not in life.blamed)
            self._has_lived = True
            self._life = life
            return life

    def _talk(self, life: Life) -> None:
        """Send and receive until the engine is dead or the session ends.

        A closed pipe does not tell every death: on Windows the engine's end stays open here until
        the engine takes it, and it may die before that.
        """
        limits = PluginLimits(life.process.pid or 0, self._options.plugin_bytes)
        while not self._is_closing:
            self._flush()
            if not self._send_next(life):
                return
            is_busy = any(self._shared.plugin_in(lane) is not None for lane in LANES)
            is_third = self.role is EngineRole.PLUGINS and self._queues.is_busy
            ends = [life.connection, life.process.sentinel]
            ready = self._sleep(ends, _POLL_SECONDS if is_busy or is_third else None)
            self._check_limits(life, limits)
            if life.connection in ready:
                if not self._receive(life):
                    return
            elif life.process.sentinel in ready:  # dead, and all that it said has been read
                return

    def _sleep(self, others: list[Any], timeout: float | None) -> list[Any]:
        ready = mp_connection.wait([*others, self._wake_reader], timeout)
        if self._wake_reader in ready:
            with self._lock:
                self._wake_reader.recv_bytes()
                self._is_woken = False
        return ready

    def _flush(self) -> None:
        while self._outbox:
            self._hooks.emit(self._outbox.popleft())

    def _send_next(self, life: Life) -> bool:
        """Send notes, and one job to every free lane; False when the engine is gone."""
        if not life.is_ready:
            return True
        try:
            while self._notes:
                life.connection.send(self._notes.popleft())
            for lane in LANES:
                with self._lock:
                    ticket = self._queues.take_next(lane)
                if ticket is not None:
                    self._hooks.emit(
                        JobProgress(job=ticket.request.job, fraction=None, stage="Starting")
                    )
                    self._send_job(life, lane, ticket)
        except OSError:
            return False
        return True

    def _send_job(self, life: Life, lane: Lane, ticket: Ticket) -> None:
        try:
            life.connection.send(Submit(ticket.request, ticket.slot))
        except OSError:
            raise
        except Exception as reason:  # arguments that cannot travel are this job's fault alone
            with self._lock:
                self._queues.release(lane)
            error = PayoffError(
                "The job could not be sent to the engine.",
                where=ticket.name,
                why=str(reason),
            )
            self._outbox.append(
                JobOutcome(job=ticket.request.job, state=JobState.FAILED, error=error)
            )
            self._wake()

    def _receive(self, life: Life) -> bool:
        """Take one message; False when the engine is gone or talks nonsense."""
        try:
            with self._patience(life):
                message = life.connection.recv()
        except (EOFError, OSError):
            return False
        except Exception:
            _log.exception("the engine sent something that cannot be read")
            life.process.kill()
            return False
        if isinstance(message, Ready):
            life.is_ready = True
        elif isinstance(message, Begun):
            with self._lock:
                self._queues.note_begun(message.job)
        elif isinstance(message, JobProgress):
            self._take_progress(message)
        elif isinstance(message, WarmUp):
            life.warm_up = message
            self._hooks.emit(message)
        elif isinstance(message, JobOutcome):
            self._early_deaths = 0
            ticket = self._release_job(message.job)
            if ticket is not None:
                self._take_outcome(ticket, message)
            self._lives.prepare()
        elif isinstance(message, Reroute):
            ticket = self._release_job(message.job)
            if ticket is not None:
                self._pass_on(ticket)
        return True

    def _take_progress(self, progress: JobProgress) -> None:
        """Hand on how far a job is; of one that was answered, what the next one waits for."""
        with self._lock:
            lane = self._queues.lane_of(progress.job)
            ticket = self._queues.running[lane] if lane is not None else None
            if lane is None or ticket is None:
                return
            ticket.has_partial = ticket.has_partial or progress.partial is not None
            if progress.is_preparing and ticket.is_stopping and not ticket.keeps_results:
                self._answer_for(ticket)
            if ticket.is_answered:
                follower = next(iter(self._queues.pending[lane]), None)
                if follower is None or not progress.is_preparing:
                    return
                progress = replace(progress, job=follower.request.job, is_waiting=True)
        self._hooks.emit(progress)

    def _take_outcome(self, ticket: Ticket, outcome: JobOutcome) -> None:
        """Hand on how a job ended; one that made way goes back to the head of its queue."""
        if ticket.is_answered:
            return
        if not ticket.is_yielding or outcome.state is not JobState.CANCELLED:
            self._hooks.emit(outcome)
            return
        with self._lock:
            self._queues.add_again(ticket.request)
        self._hooks.emit(JobProgress(job=outcome.job, fraction=None, stage="", is_waiting=True))

    @contextmanager
    def _patience(self, life: Life) -> Iterator[None]:
        """End an engine for plugins that begins a message and does not finish it.

        A plugin that writes into every open file writes into the engine's pipe too; its words are
        then read as the length of a message that never comes.
        """
        if self.role is not EngineRole.PLUGINS:
            yield
            return
        timer = threading.Timer(_MESSAGE_SECONDS, self._end_unfinished, (life,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _end_unfinished(self, life: Life) -> None:
        why = "What the engine sent could not be read: something else was written into its pipe."
        for lane in LANES:
            in_use = self._shared.plugin_in(lane)
            if in_use is not None:
                self._end_plugin(life, lane, in_use, why)
        with suppress(ValueError):  # just closed by its thread
            life.process.kill()

    def _pass_on(self, ticket: Ticket) -> None:
        if ticket.is_answered:
            return
        if ticket.is_stopping:
            self._hooks.emit(JobOutcome(job=ticket.request.job, state=JobState.CANCELLED))
        else:
            self._hooks.reroute(ticket.request)

    def _release_job(self, job: int) -> Ticket | None:
        with self._lock:
            lane = self._queues.lane_of(job)
            return self._queues.release(lane) if lane is not None else None

    def _check_limits(self, life: Life, limits: PluginLimits) -> None:
        """End the engine when a plugin outstays its time, or takes too much memory."""
        for lane in LANES:
            in_use = self._shared.plugin_in(lane)
            why = limits.broken(lane, in_use)
            if in_use is not None and why:
                self._end_plugin(life, lane, in_use, why)

    def _end_plugin(self, life: Life, lane: Lane, in_use: PluginInUse, why: str) -> None:
        with self._lock:
            if life.ending is not None:
                return
            error = lost_to_plugin(self._name(lane), in_use.plugin, why)
            blame = Blame(in_use.plugin, in_use.stage, why)
            life.ending = Ending(lane, JobState.LOST, error, blame)
            life.process.kill()

    def _name(self, lane: Lane) -> str:
        ticket = self._queues.running[lane]
        return ticket.name if ticket is not None else ""

    # ------------------------------------------------------------ after a death

    def _bury(self, life: Life) -> None:
        """Settle what a dead engine was doing, and tell the window."""
        if self._is_closing:
            self._end_gently(life)
            return
        with self._lock:
            self._life = None
        exit_code = self._reap(life)
        with self._lock:
            is_early = not self._queues.has_begun
            self._early_deaths += 1 if is_early and not life.ending else 0
            settlement = self._settle(life, how_it_ended(exit_code))
        for blame in settlement.blames:
            self._hooks.blame(blame)
        if life.warm_up is not None and not life.warm_up.is_done:
            self._hooks.emit(replace(life.warm_up, share=1.0))  # the next one tells its own
        for outcome in settlement.outcomes:
            self._hooks.emit(outcome)
        if self._early_deaths >= MAX_EARLY_DEATHS:
            self._refuse_all(how_it_ended(exit_code))

    def _reap(self, life: Life) -> int | None:
        """Close the pipes and wait for the process; its exit code."""
        exit_code = life.close()
        life.tree.end()
        return exit_code

    def _settle(self, life: Life, how: str) -> Settlement:
        """What becomes of the jobs that the engine was given, and who is to blame."""
        settlement = Settlement(
            queues=self._queues,
            life=life,
            markers={lane: self._shared.plugin_in(lane) for lane in LANES},
            known={blame.plugin for blame in self._hooks.blamed()},
            how=how,
        )
        settlement.settle()
        return settlement

    def _refuse_all(self, why: str) -> None:
        """Fail what waits: the engine cannot be kept alive. The next job tries once more."""
        error = cannot_start(why)
        with self._lock:
            tickets = self._queues.clear()
            self._early_deaths = MAX_EARLY_DEATHS
        for ticket in tickets:
            if not ticket.is_answered:
                outcome = JobOutcome(job=ticket.request.job, state=JobState.FAILED, error=error)
                self._hooks.emit(outcome)

    # ------------------------------------------------------------ the end of the session

    def _end_gently(self, life: Life) -> None:
        """Close the pipes, which ends the engine; by force if it does not."""
        self._reap(life)
        with self._lock:
            self._life = None

    def _close_queues(self) -> None:
        with self._lock:
            tickets = self._queues.clear()
            for ticket in tickets:
                if not ticket.is_answered:
                    self._report_cancelled(ticket)
        self._flush()
        self._wake_reader.close()
        self._wake_writer.close()
