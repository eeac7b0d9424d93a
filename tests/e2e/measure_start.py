"""How long until the first picture of the window: ``python -m tests.e2e.measure_start [runs]``.

Each run is a process of its own; the time is from the start of the process's Python code to the
first paint event, and from the launch of the process as its parent sees it.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

PROBE = """
import json, sys, time
began = time.perf_counter()
from argparse import Namespace
import main
from gui.app.first_engine import FirstEngine
arguments = Namespace(file=None, sample=None, theme="light", safe_mode=False)
engine = FirstEngine(arguments)
from gui.app.application import WindowRun, make_application
app = make_application(["payoff"])
session = WindowRun(app, arguments, engine)
session.window.painted.disconnect()

def report():
    taken = time.perf_counter() - began
    busy = time.process_time()
    heavy = ("numba", "pandas", "pyarrow", "scipy", "pyqtgraph", "llvmlite", "numpy", "pluggy")
    loaded = sorted({name.split(".")[0] for name in sys.modules} & set(heavy))
    rooms = sorted(name for name in sys.modules if name.startswith("gui.pages."))
    print(json.dumps({"seconds": taken, "busy": busy, "heavy": loaded, "rooms": rooms}))
    app.exit(0)

session.window.painted.connect(report)
session.window.show()
sys.exit(app.exec())
"""


def environment(home: str) -> dict[str, str]:
    """As an installed program starts: compiled modules are kept, no screen is needed."""
    known = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    known["PYTHONPYCACHEPREFIX"] = os.path.join(home, "compiled")
    known["PAYOFF_HOME"] = home
    known["QT_QPA_PLATFORM"] = "offscreen"
    return known


def first_paint(home: str) -> dict[str, object]:
    """Start the window once; seconds to the first paint and what had been imported by then."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
        env=environment(home),
    )
    result: dict[str, object] = json.loads(done.stdout.strip().splitlines()[-1])
    result["process"] = time.perf_counter() - began
    return result


def main() -> None:
    """Print the median over some runs; the first run warms the disk and is not counted."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as home:
        first_paint(home)
        times = [first_paint(home) for _ in range(runs)]
    captions = (
        ("seconds", "first paint"),
        ("busy", "processor time until then"),
        ("process", "whole process"),
    )
    for key, words in captions:
        values = [float(str(entry[key])) for entry in times]
        print(f"{words}: median {statistics.median(values):.2f} s, best {min(values):.2f} s")


if __name__ == "__main__":
    main()
