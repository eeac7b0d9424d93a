"""Every benchmark, one process after the other, as the text of docs/benchmarks.md.

Run on a quiet machine: ``python -m tests.benchmarks > docs/benchmarks.txt``. Names of benchmarks as
arguments run only those.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PATIENCE = 1800  # seconds for one benchmark


def main(chosen: list[str]) -> int:
    """Run the benchmarks; the number that failed."""
    names = chosen or sorted(path.stem for path in HERE.glob("bench_*.py"))
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    failed = 0
    for name in names:
        print(f"## {name}\n\n```", flush=True)
        command = [sys.executable, "-m", f"tests.benchmarks.{name}"]
        done = subprocess.run(command, env=environment, timeout=PATIENCE, check=False)
        failed += done.returncode != 0
        print("```\n", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
