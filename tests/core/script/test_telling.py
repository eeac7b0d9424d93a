"""The words that start the program again find it wherever the module lies."""

import subprocess

from core.script.command_line.answering import PROGRAM_FOLDER, program_command
from payoff.version import __version__


def test_the_words_start_this_program():
    done = subprocess.run(
        [*program_command(), "--version"],
        cwd=PROGRAM_FOLDER,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["payoff", __version__]
