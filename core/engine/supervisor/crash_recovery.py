"""What becomes of the jobs of an engine that died: lost, stopped or queued again; whose fault.

How a job that lost its engine ended, in words. Standard library and ``payoff`` only.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from core.engine.kinds import find_kind
from core.engine.messages import Ask, JobOutcome, JobState, PluginsArguments
from core.engine.protocol import Blame
from core.engine.shared_memory import LANES, PluginInUse
from core.engine.supervisor.engine_process import Life
from core.engine.supervisor.queues import JobQueues, Ticket
from core.questions.lanes import Lane
from payoff.errors import PayoffError

_OF_WINDOWS = {
    0xC0000005: "it read or wrote memory that is not its own (0xC0000005)",
    0xC0000017: "there was no memory left (0xC0000017)",
    0xC000001D: "the processor does not know an instruction (0xC000001D)",
    0xC00000FD: "its stack was full (0xC00000FD)",
    0xC000013A: "Ctrl+C (0xC000013A)",
    0xC0000374: "its memory was damaged (0xC0000374)",
    0xC0000409: "it ended itself at once, as abort() does (0xC0000409)",
}
"""What stands in place of signals there."""


def how_it_ended(exit_code: int | None) -> str:
    """An exit code of a process in words."""
    if exit_code is None:
        return "The engine's process ended."
    if exit_code < 0:
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = str(-exit_code)
        return f"The engine's process was ended by signal {name}."
    if exit_code == 0:
        return "The engine's process ended itself without an answer (exit code 0)."
    if exit_code in _OF_WINDOWS:
        return f"The engine's process was ended by Windows: {_OF_WINDOWS[exit_code]}."
    return f"The engine's process ended itself with exit code {exit_code}."


def lost(title: str, how: str) -> PayoffError:
    """The engine died under a job."""
    return PayoffError(
        "The engine stopped while this job was running.",
        where=title,
        why=how,
        remedy="Finished results are kept; the engine has been started again. Run the job again.",
    )


def lost_to_plugin(title: str, plugin: str, why: str) -> PayoffError:
    """A plugin ended or held the engine under a job."""
    return PayoffError(
        f"The plugin {plugin} stopped the engine while this job was running.",
        where=title,
        why=why,
        remedy="The plugin has been quarantined (page Plugins); run the job again without it.",
    )


def unanswered(title: str, seconds: float) -> PayoffError:
    """A job that was told to stop and did not."""
    return PayoffError(
        "The job was ended because it did not answer Stop.",
        where=title,
        why=f"It gave no answer for {seconds:g} seconds.",
        remedy="Finished results are kept; the engine has been started again.",
    )


def cannot_start(why: str) -> PayoffError:
    """The engine's process ends at every start."""
    return PayoffError(
        "The engine cannot be started.",
        why=why,
        remedy="Start Payoff again; if that does not help, start it with --safe-mode.",
    )


@dataclass(slots=True, eq=False)
class Settlement:
    """Who is lost, who is to blame; everyone else goes back to the head of the queue.

    ``markers``: the plugin each lane was in; ``known``: plugins blamed before. The caller holds
    the lock of ``queues``.
    """

    queues: JobQueues
    life: Life
    markers: Mapping[Lane, PluginInUse | None]
    known: Collection[str]
    how: str
    outcomes: list[JobOutcome] = field(default_factory=list)
    blames: list[Blame] = field(default_factory=list)

    def settle(self) -> None:
        """Empty the running jobs of all lanes into outcomes, blame and the queues."""
        for lane in LANES:
            self._settle_lane(lane)

    def _settle_lane(self, lane: Lane) -> None:
        ending = self.life.ending
        ticket, in_use = self.queues.release(lane), self.markers[lane]
        is_spared = ending is not None and ending.lane is not lane
        is_spared = is_spared or (ticket is not None and not ticket.has_begun)
        if ending is None and in_use is not None:
            self.blames.append(Blame(in_use.plugin, in_use.stage, self.how))
        elif ending is not None and ending.blame is not None and not is_spared:
            self.blames.append(ending.blame)
        if ticket is None or ticket.is_answered:
            return
        if (
            is_spared
            or (in_use is None and any(self.markers.values()))
            or self._is_worth_another_try(ticket, in_use)
        ):
            self._queue_again(ticket)
        elif in_use is not None and in_use.is_loading and in_use.plugin not in self.known:
            self._run_without(ticket)
        else:
            self.outcomes.append(self._outcome_of_death(ticket, in_use))

    def _is_worth_another_try(self, ticket: Ticket, in_use: PluginInUse | None) -> bool:
        """Whether the window may have asked by itself, and nobody is to blame.

        A person often cannot ask again, and a question changes nothing: it may be asked twice.
        Only once more: what it does may be what ends the engine.
        """
        lanes = (ticket.request.lane, find_kind(ticket.request.kind).lane)
        is_asked_by_itself = any(lane in (Lane.QUICK, Lane.BACKGROUND) for lane in lanes)
        is_question = isinstance(ticket.request.arguments, Ask)
        is_blameless = self.life.ending is None and in_use is None
        return (is_asked_by_itself or is_question) and is_blameless and not ticket.is_second

    def _queue_again(self, ticket: Ticket) -> None:
        """A job that is not known to have ended the engine runs again."""
        if ticket.is_stopping:
            self.outcomes.append(JobOutcome(job=ticket.request.job, state=JobState.CANCELLED))
        else:
            is_second = ticket.is_second or (ticket.has_begun and self.life.ending is None)
            self.queues.add_again(ticket.request, is_second=is_second)

    def _run_without(self, ticket: Ticket) -> None:
        """Run a job again that met a plugin at its import or check: that is not the job's fault.

        Every turn blames a plugin that was not blamed before, so this ends.
        """
        if isinstance(ticket.request.arguments, PluginsArguments):
            # Looking again at every plugin would import the guilty one again.
            ticket.request = replace(ticket.request, arguments=PluginsArguments())
        self._queue_again(ticket)

    def _outcome_of_death(self, ticket: Ticket, in_use: PluginInUse | None) -> JobOutcome:
        """What became of a job whose engine died for its sake."""
        state = JobState.LOST
        if self.life.ending is not None:
            state, error = self.life.ending.state, self.life.ending.error
        elif in_use is not None:
            error = lost_to_plugin(ticket.name, in_use.plugin, self.how)
        else:
            error = lost(ticket.name, self.how)
        seconds = time.monotonic() - ticket.started
        return JobOutcome(job=ticket.request.job, state=state, error=error, seconds=seconds)
