"""The window's side of the engine: submit jobs, stop them, hear of them.

Imports nothing heavy; the engines are processes of their own. Every event arrives in a thread of
the client, one at a time; a window turns it into a Qt signal.
"""

from __future__ import annotations

import atexit
import itertools
import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.document.files.locks import OsLock
from core.engine import process
from core.engine.kinds import find_kind, standard_handlers
from core.engine.messages import (
    JobOutcome,
    JobProgress,
    JobRequest,
    JobState,
    PluginsArguments,
)
from core.engine.options import EngineOptions, crash_book_of
from core.engine.plugin_use import PluginLock
from core.engine.protocol import Blame, EngineRole, HandlerSource
from core.engine.supervisor.link import EngineLink, Event, LinkHooks
from core.engine.supervisor.plugins import PluginChanges
from core.questions.lanes import Lane
from payoff.errors import PayoffError

_STALE_SECONDS = 7 * 24 * 3600
_OUTCOMES_KEPT = 64
_CHECK_AGAIN_SECONDS = 0.2
_FOLDER_PREFIX = "payoff-session-"
_IN_USE = "in-use"  # a file of the folder, locked while its window lives
_log = logging.getLogger("payoff.engine.client")


class EngineClient:
    """Both engines of a session, seen from the window.

    Parameters
    ----------
    on_event : callable
        Called with a JobProgress, JobOutcome or WarmUp, in a thread of the client, never two at a
        time; it must not call ``shutdown`` or ``wait``. Every submitted job gets exactly one
        JobOutcome. A job that begins to run says so with a JobProgress of unknown fraction.
    options : EngineOptions, optional
        Folders and limits.
    handlers : callable, optional
        Importable function giving the handlers by job kind (tests bring their own).

    Examples
    --------
    >>> with EngineClient(print) as client:  # doctest: +SKIP
    ...     client.submit("plugins", PluginsArguments())
    """

    def __init__(
        self,
        on_event: Callable[[Event], None],
        *,
        options: EngineOptions | None = None,
        handlers: HandlerSource = standard_handlers,
    ) -> None:
        options = options or EngineOptions()
        self._owns_folder = not options.store_folder
        if self._owns_folder:
            _remove_stale_sessions()
            options = replace(options, store_folder=tempfile.mkdtemp(prefix=_FOLDER_PREFIX))
            self._in_use = OsLock(Path(options.store_folder) / _IN_USE)
            self._in_use.try_take(is_shared=False)
        self.options = options
        self._on_event = on_event
        self._handlers = handlers
        self._context = process.PROCESSES
        self._lock = threading.Lock()
        self._emitting = threading.Lock()
        self._numbers = itertools.count(1)
        self._links: dict[EngineRole, EngineLink] = {}
        self._alive: set[int] = set()
        self._stop_wanted: set[int] = set()
        self._blamed: list[Blame] = []
        self._is_open = False
        self._settled = threading.Condition()
        self._outcomes: dict[int, JobOutcome] = {}
        self._changes = PluginChanges(self._are_plugins_idle, PluginLock(options))
        self._check_again: threading.Timer | None = None

    def __enter__(self) -> EngineClient:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.shutdown()

    # ------------------------------------------------------------ public

    def start(self) -> None:
        """Start the main engine; returns at once."""
        with self._lock:
            if self._is_open:
                return
            self._is_open = True
        atexit.register(self.shutdown)
        self._link(EngineRole.MAIN)

    def submit(
        self, kind: str, arguments: object, lane: Lane | None = None, title: str = ""
    ) -> int:
        """Queue a job and return its number; the answer comes through ``on_event``.

        Without a lane it goes where jobs of its kind go. In the short lanes the newest request of
        a kind wins: older ones that still wait come back CANCELLED.
        """
        if not self._is_open:
            raise PayoffError("The engine is not running.", remedy="Start Payoff again.")
        if isinstance(arguments, PluginsArguments):
            with self._lock:
                self._blamed = [
                    blame
                    for blame in self._blamed
                    if not arguments.check_again and blame.plugin != arguments.check
                ]
        request = JobRequest(
            job=next(self._numbers),
            kind=kind,
            arguments=arguments,
            lane=lane or find_kind(kind).lane,
            title=title,
        )
        with self._lock:
            self._alive.add(request.job)
        if find_kind(kind).changes_plugins:
            self._changes.add(request)
            self._start_what_waited()
            self._report_running_work(request.job)
        else:
            self._link(EngineRole.MAIN).submit(request)
        return request.job

    def cancel(self, job: int) -> None:
        """Stop a job, as a person asks. A finished or unknown job is left alone."""
        self._end(job, is_dropped=False)

    def drop(self, job: int) -> None:
        """Take back a job whose answer nobody wants any longer.

        It comes back CANCELLED at once, without an error; its engine is not ended for it as long as
        there is hope that it hears.
        """
        self._end(job, is_dropped=True)

    def _end(self, job: int, *, is_dropped: bool) -> None:
        with self._lock:
            if job not in self._alive:
                return
            self._stop_wanted.add(job)  # in case it is on its way from one engine to the other
            links = list(self._links.values())
        if self._changes.drop(job):
            outcome = JobOutcome(job=job, state=JobState.CANCELLED)
            self._link(EngineRole.MAIN).say(outcome)
            return
        for link in links:
            if link.cancel(job, is_dropped=is_dropped):
                return

    def result(self, ref: str) -> Any | None:
        """A finished result from the session's store, engine or no engine; None if dropped."""
        from core.engine.store import ResultStore  # numpy and the records of results

        return ResultStore(Path(self.options.store_folder), self.options.store_bytes).get(ref)

    def wait(self, job: int, timeout: float | None = None) -> JobOutcome:
        """Block until a job has ended (scripts and tests; a window listens to ``on_event``).

        Raises
        ------
        TimeoutError
            If it has not ended within ``timeout`` seconds.
        LookupError
            If it ended long ago (more than 64 other jobs since) or was never submitted.
        """
        with self._settled:
            if not self._settled.wait_for(lambda: not self._is_pending(job), timeout):
                raise TimeoutError(f"job {job} has not ended")
            if job not in self._outcomes:
                raise LookupError(f"the outcome of job {job} is no longer kept")
            return self._outcomes[job]

    def _is_pending(self, job: int) -> bool:
        with self._lock:
            return job in self._alive

    def shutdown(self, seconds: float = 2.0) -> None:
        """End both engines and remove the session's folder; jobs that run come back CANCELLED."""
        with self._lock:
            if not self._is_open:
                return
            self._is_open = False
            links = list(self._links.values())
        atexit.unregister(self.shutdown)
        for link in links:
            link.close()
        for link in links:
            link.join(seconds)
        for request in self._changes.clear():
            self._emit(JobOutcome(job=request.job, state=JobState.CANCELLED))
        if self._owns_folder:
            self._in_use.release()
            shutil.rmtree(self.options.store_folder, ignore_errors=True)

    @property
    def engine_pids(self) -> dict[str, int]:
        """Process ids of the living engines by role, for diagnostics and tests."""
        pids = {str(role): link.pid for role, link in self._links.items()}
        return {role: pid for role, pid in pids.items() if pid is not None}

    @property
    def spare_pid(self) -> int | None:
        """The process that waits to take the place of the engine for plugins, if there is one."""
        link = self._links.get(EngineRole.PLUGINS)
        return link.spare_pid if link is not None else None

    @property
    def plugin_in_use(self) -> tuple[str, str] | None:
        """Id and stage of the third-party plugin that is being called right now, or None."""
        link = self._links.get(EngineRole.PLUGINS)
        in_use = link.plugin_in_use() if link is not None else None
        return (in_use.plugin, in_use.stage) if in_use is not None else None

    # ------------------------------------------------------------ called by the links

    def _link(self, role: EngineRole) -> EngineLink:
        with self._lock:
            link = self._links.get(role)
            if link is None:
                hooks = LinkHooks(
                    emit=self._emit,
                    reroute=self._reroute,
                    blame=self._blame,
                    blamed=lambda: tuple(self._blamed),
                )
                link = EngineLink(role, self.options, self._handlers, self._context, hooks)
                self._links[role] = link
                link.start()
            return link

    def _reroute(self, request: JobRequest) -> None:
        with self._lock:
            is_wanted = self._is_open and request.job not in self._stop_wanted
        if is_wanted:
            self._changes.start(request, self._link(EngineRole.PLUGINS).submit)
            self._wait_for_others()
        else:
            self._emit(JobOutcome(job=request.job, state=JobState.CANCELLED))

    def _are_plugins_idle(self) -> bool:
        link = self._links.get(EngineRole.PLUGINS)
        return link is None or link.is_idle

    def _start_what_waited(self) -> None:
        """Start a change of plugins that waited for jobs, or the jobs that waited for it."""
        with self._lock:
            if not self._is_open:
                return
        change = self._changes.next_change()
        if change is not None:
            self._link(EngineRole.MAIN).submit(change)
        self._changes.release(lambda request: self._link(EngineRole.PLUGINS).submit(request))
        self._wait_for_others()

    def _wait_for_others(self) -> None:
        """Look again soon where another program keeps something waiting: it tells nobody."""
        if not self._changes.waits_for_others:
            return
        with self._lock:
            if self._is_open and self._check_again is None:
                self._check_again = threading.Timer(_CHECK_AGAIN_SECONDS, self._on_check_again)
                self._check_again.daemon = True
                self._check_again.start()

    def _on_check_again(self) -> None:
        with self._lock:
            self._check_again = None
        self._start_what_waited()

    def _report_running_work(self, job: int) -> None:
        """Tell the window what a change of plugins waits for."""
        if not self._changes.waits(job):
            return
        from core.document.plugin_results import PluginsAtWork  # no part of a start

        link = self._links.get(EngineRole.PLUGINS)
        at_work = PluginsAtWork(
            jobs=link.job_names() if link is not None else (),
            is_elsewhere=self._are_plugins_idle(),
        )
        reported = JobProgress(job=job, fraction=None, stage="Waiting", partial=at_work)
        self._link(EngineRole.MAIN).say(reported)

    def _blame(self, blame: Blame) -> None:
        """Tell both engines to leave a plugin alone, now and after every restart."""
        with self._lock:
            is_new = all(known.plugin != blame.plugin for known in self._blamed)
            if is_new:
                self._blamed.append(blame)
            links = list(self._links.values())
        if is_new:
            crash_book_of(self.options).add(blame.plugin, blame.stage, blame.why)
        for link in links:
            link.note(blame)

    def _emit(self, event: Event) -> None:
        with self._emitting:
            try:
                self._on_event(event)
            except Exception:
                _log.exception("a listener failed at %s", type(event).__name__)
        if isinstance(event, JobOutcome):
            with self._settled:
                self._outcomes[event.job] = event
                while len(self._outcomes) > _OUTCOMES_KEPT:
                    del self._outcomes[next(iter(self._outcomes))]
                with self._lock:
                    self._alive.discard(event.job)
                    self._stop_wanted.discard(event.job)
                self._settled.notify_all()
            self._changes.end(event.job)
            self._start_what_waited()


def _remove_stale_sessions() -> None:
    """Remove folders that windows left behind which were killed more than a week ago.

    One that lives may not have worked anything out for longer; its trained models lie there.
    """
    oldest = time.time() - _STALE_SECONDS
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER_PREFIX}*"):
        with suppress(OSError):
            if folder.stat().st_mtime < oldest and not _is_in_use(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_in_use(folder: Path) -> bool:
    """Whether the window lives that made a session's folder."""
    lock = OsLock(folder / _IN_USE, may_create=False)
    if not lock.try_take(is_shared=False):
        return (folder / _IN_USE).exists()
    lock.release()
    return False
