"""The program's own tests in the installed program: ``python.exe trial_walks.py FOLDER WORDS``.

The trial puts a python.exe into the program's folder ``_internal`` for it: libraries and our
packages are then those that are installed, and engines are started by ``payoff-console.exe``.
FOLDER holds ``tests`` and, in ``lib``, pytest; WORDS go to pytest.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

if __name__ == "__main__":
    import start  # noqa: F401  the program's own beginning: it finds the modules

    inside, folder = Path(sys.executable).parent, Path(sys.argv[1])
    sys.path += [str(folder), str(folder / "lib")]
    os.environ["QT_QPA_PLATFORM"] = "windows"  # said here: Wine hands on no variable that begins so
    signal.SIGKILL = signal.SIGTERM

    import multiprocessing

    multiprocessing.set_executable(str(inside.parent / "payoff-console.exe"))
    os.chdir(folder)
    import pytest

    sys.exit(pytest.main(["-c", str(folder / "walks.ini"), *sys.argv[2:]]))
