"""The jobs of one engine on the window's side: what waits, what runs, which stop byte is whose."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field

from core.engine.messages import JobRequest
from core.engine.shared_memory import LANES, STOP_SLOTS, SharedState
from core.questions.lanes import Lane

GOES_FIRST = (Lane.OPEN, Lane.LONG)
"""Lanes that somebody waits for: background work neither begins nor goes on beside them."""


@dataclass(slots=True, eq=False)
class Ticket:
    """A job as its queue knows it."""

    request: JobRequest
    slot: int = -1
    started: float = 0.0
    has_begun: bool = False
    is_second: bool = False  # the engine died under it once: it runs again, but not for ever
    stop_requested: float = 0.0  # when Stop was asked for while it ran
    has_partial: bool = False  # it has told what it has found so far
    is_yielding: bool = False  # it was told to end, and runs again later
    is_answered: bool = False  # the window has its outcome: what still comes of it is dropped
    stop_timer: threading.Timer | None = None

    @property
    def name(self) -> str:
        """What the job is called in messages."""
        return self.request.title or self.request.kind

    @property
    def is_stopping(self) -> bool:
        """Whether Stop was asked for while it ran."""
        return self.stop_requested > 0.0

    @property
    def keeps_results(self) -> bool:
        """Whether it ends with what it has when it is stopped: its own answer is waited for."""
        return self.has_partial and self.request.lane is Lane.TRAIN


@dataclass(slots=True, eq=False)
class JobQueues:
    """Waiting and running jobs of all lanes; the caller holds a lock around every call."""

    shared: SharedState
    pending: dict[Lane, deque[Ticket]] = field(
        default_factory=lambda: {lane: deque() for lane in LANES}
    )
    running: dict[Lane, Ticket | None] = field(default_factory=lambda: dict.fromkeys(LANES))
    _free_slots: deque[int] = field(default_factory=lambda: deque(range(STOP_SLOTS)))

    def add(self, request: JobRequest) -> list[Ticket]:
        """Queue a job; in a short lane it replaces the waiting ones of its kind, returned."""
        waiting = self.pending[request.lane]
        older = [
            ticket
            for ticket in waiting
            if request.lane.is_short and ticket.request.kind == request.kind
        ]
        for ticket in older:
            waiting.remove(ticket)
        waiting.append(Ticket(request))
        return older

    def add_again(self, request: JobRequest, *, is_second: bool = False) -> None:
        """Put a job that has to run again at the head of its queue."""
        self.pending[request.lane].appendleft(Ticket(request, is_second=is_second))

    def take_next(self, lane: Lane) -> Ticket | None:
        """The next job of a lane that is free, now running and with a stop byte of its own."""
        waiting = self.pending[lane]
        if self.running[lane] is not None or not waiting:
            return None
        if lane is Lane.BACKGROUND and self._is_somebody_waiting():
            return None
        ticket = waiting.popleft()
        ticket.slot = self._free_slots.popleft()
        ticket.started = time.monotonic()
        self.shared.stop[ticket.slot] = 0
        self.running[lane] = ticket
        return ticket

    def _is_somebody_waiting(self) -> bool:
        """Whether there is a job that background work gives way to, waiting or running."""
        return any(
            bool(self.pending[lane]) or self.running[lane] is not None for lane in GOES_FIRST
        )

    def drop_waiting(self, job: int) -> Ticket | None:
        """Take a waiting job out; None if it does not wait here."""
        for waiting in self.pending.values():
            for ticket in waiting:
                if ticket.request.job == job:
                    waiting.remove(ticket)
                    return ticket
        return None

    def lane_of(self, job: int) -> Lane | None:
        """The lane in which a job runs."""
        for lane, ticket in self.running.items():
            if ticket is not None and ticket.request.job == job:
                return lane
        return None

    def note_begun(self, job: int) -> None:
        """The engine works on a job."""
        lane = self.lane_of(job)
        ticket = self.running[lane] if lane is not None else None
        if ticket is not None:
            ticket.has_begun = True

    def release(self, lane: Lane) -> Ticket | None:
        """Take the running job of a lane out."""
        ticket = self.running[lane]
        self.running[lane] = None
        if ticket is not None:
            self._free_slots.append(ticket.slot)
            if ticket.stop_timer is not None:
                ticket.stop_timer.cancel()
        return ticket

    def clear(self) -> list[Ticket]:
        """Take everything out and return it."""
        tickets = [ticket for lane in LANES if (ticket := self.release(lane)) is not None]
        for waiting in self.pending.values():
            tickets.extend(waiting)
            waiting.clear()
        return tickets

    def titles(self) -> tuple[str, ...]:
        """What is running and waiting, by title; nameless jobs are left out."""
        tickets = [ticket for ticket in self.running.values() if ticket is not None]
        for waiting in self.pending.values():
            tickets.extend(waiting)
        return tuple(ticket.request.title for ticket in tickets if ticket.request.title)

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits or runs."""
        return not self.is_busy and not any(self.pending.values())

    @property
    def is_busy(self) -> bool:
        """Whether a job runs, in the long lane or the quick one."""
        return any(ticket is not None for ticket in self.running.values())

    @property
    def has_begun(self) -> bool:
        """Whether the engine has begun to work on anything."""
        return any(ticket is not None and ticket.has_begun for ticket in self.running.values())
