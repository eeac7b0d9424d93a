"""Handlers for the mechanics of the engine: they sleep, crash and count instead of computing."""

import contextlib
import os
import signal
import stat
import sys
import time
from pathlib import Path

from core.document.data.results import RowsPage
from core.engine.context import JobContext
from core.engine.messages import Ask
from core.engine.protocol import EngineRole
from core.engine.runner import RouteToPlugins
from payoff.errors import PayoffError
from tests.helpers.factories.scored import detail


def _note(arguments, context: JobContext):
    """Append a line to a file, so that a test can see what ran."""
    with Path(arguments).open("a", encoding="utf-8") as file:
        file.write("ran\n")
    return RowsPage(start=0, rows=(("ran",),))


def _echo(arguments, context):
    return arguments


def _pid(arguments, context):
    return os.getpid()


def _sleep(arguments, context):
    """Sleep in small steps, reading Stop."""
    end = time.monotonic() + arguments
    while time.monotonic() < end:
        context.progress((end - time.monotonic()) / arguments, "Sleeping")
        time.sleep(0.005)
    return "slept"


def _deaf(arguments, context):
    """Never reads Stop."""
    context.progress(None, "Deaf", partial="begun")
    time.sleep(60)


def _spin(arguments, context):
    """Hold the interpreter without ever giving another thread a turn."""
    sys.setswitchinterval(1e6)
    while True:
        pass


def _die(arguments, context):
    context.progress(None, "Dying", partial="begun")
    if arguments == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(60)  # the signal may reach another thread first
    os._exit(arguments)


def _die_once(arguments, context):
    arguments = arguments.question if isinstance(arguments, Ask) else arguments
    if not os.path.exists(arguments):
        with open(arguments, "x"):
            os._exit(1)
    return "the second time"


def _raise(arguments, context):
    if arguments == "exit":
        sys.exit(3)
    if isinstance(arguments, PayoffError):
        raise arguments
    if arguments == "refuse":
        raise PayoffError("This is refused.", where="here", why="Because.", remedy="Do that.")
    if arguments == "local class":

        class Odd(PayoffError):
            pass

        raise Odd("An odd error.")
    raise KeyError("unexpected")


def _unsendable(arguments, context):
    return lambda: None


def _column(arguments, context):
    """A stored result; the file named in the arguments counts the computations."""
    with Path(arguments.question.column).open("a", encoding="utf-8") as file:
        file.write("computed\n")
    return detail(1000)


def _third(arguments, context):
    """Does as a third-party plugin might, in the engine for plugins."""
    if context.plugins.role is EngineRole.MAIN:
        raise RouteToPlugins
    plugin, deed = arguments
    with context.in_plugin(plugin, "run", 0.5 if deed == "hang" else 0.0):
        context.progress(None, "In plugin", partial="begun")
        if deed == "exit":
            os._exit(0)
        if deed == "scribble":
            _write_on_pipes()
        if deed in ("hang", "deaf", "scribble"):
            while True:
                time.sleep(1)
        if deed == "raise":
            raise RuntimeError("plugin failed")
    return (os.getpid(), sorted({blame.plugin for blame in context.plugins.blamed}))


def _write_on_pipes():
    """Write on every connection of this process, as if it were the standard output."""
    for place in range(3, 64):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(place).st_mode):
                os.write(place, b"Welcome to this plugin!\n" * 3)


def _crowd(arguments, context):
    """Write many large partial results."""
    for index in range(arguments):
        context.progress(index / arguments, "Crowding", partial=detail(20_000))
    return "crowded"


HANDLERS = {
    "note": _note,
    "echo": _echo,
    "pid": _pid,
    "sleep": _sleep,
    "deaf": _deaf,
    "spin": _spin,
    "die": _die,
    "die_once": _die_once,
    "raise": _raise,
    "unsendable": _unsendable,
    "data.column": _column,
    "third": _third,
    "crowd": _crowd,
}


def fake_handlers():
    return HANDLERS
