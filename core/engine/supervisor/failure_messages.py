"""How a job that lost its engine ended, in words. Standard library and ``payoff`` only."""

from __future__ import annotations

import signal

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
