"""The program's command line: parse arguments, then open the window or run headless.

``payoff [FILE]`` opens the window. ``payoff VERB ...`` runs without one: progress goes to stderr,
JSON to stdout. What runs is imported late.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Sequence

from core.collecting import collect_seldom
from core.script.command_line.arguments import (
    AUTHOR_VERBS,
    CLUSTER_VERBS,
    FORMER_VERBS,
    SAMPLES,
    VERBS,
    CommandParser,
    add_plugin_choice,
    verb_parser,
)
from payoff.version import __version__


def window_parser() -> argparse.ArgumentParser:
    """The arguments of the window."""
    parser = CommandParser(
        prog="payoff",
        description="What is this model worth, and what should we do with each case?",
        epilog=f"Without a window: payoff VERB --help, with VERB one of {', '.join(VERBS)}.",
    )
    parser.add_argument("file", nargs="?", help="data or a .payoff project to open")
    parser.add_argument("--sample", choices=SAMPLES, help="open a bundled sample")
    parser.add_argument("--theme", choices=("light", "dark", "system"), help="colours")
    add_plugin_choice(parser)
    parser.add_argument(
        "--picture", metavar="FILE", help="save a picture of the window once all is computed; end"
    )
    parser.add_argument(
        "--self-test",
        action="store_true",
        help="without a window: a whole journey on made-up data; exit code 0 if all is well",
    )
    parser.add_argument(
        "--warm-up", action="store_true", help="without a window: compile every kernel now"
    )
    parser.add_argument("--version", action="version", version=f"payoff {__version__}")
    return parser


def speak_utf8() -> None:
    """Write UTF-8 on Windows, into pipes and files too: its own code pages lack what we say."""
    for stream in (sys.stdout, sys.stderr):
        if sys.platform == "win32" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def run_program(
    open_window: Callable[[argparse.Namespace], int], arguments: Sequence[str] | None = None
) -> int:
    """Run the program; returns the process's exit code.

    Parameters
    ----------
    open_window : callable
        Opens the window as its arguments say, and returns once it is closed.
    arguments : sequence of text, optional
        The words of the command; left out: those of the process.
    """
    speak_utf8()
    collect_seldom()
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in FORMER_VERBS:
        verb = FORMER_VERBS[given[0]]
        print(f"payoff {given[0]} is called payoff {verb} now.", file=sys.stderr)
        given[0] = verb
    if given and given[0] in VERBS:
        parsed = verb_parser().parse_args(given)
        if parsed.verb in AUTHOR_VERBS:  # without data, models and reports
            from core.script.command_line.author_verbs import run_author_verb

            return run_author_verb(parsed)
        if parsed.verb in CLUSTER_VERBS:
            from core.script.command_line.cluster_verbs import run_cluster_verb

            return run_cluster_verb(parsed)
        from core.script.command_line.verbs import run_verb

        return run_verb(parsed)
    parsed = window_parser().parse_args(given)
    if parsed.warm_up:
        from core.script.command_line.warm_up import run_warm_up

        return run_warm_up()
    if parsed.self_test:
        from core.script.command_line.self_test import run_self_test

        return run_self_test()
    return open_window(parsed)
