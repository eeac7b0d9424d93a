"""Every benchmark, one process after the other, and docs/benchmarks.md made of what they print.

    python -m tests.benchmarks [NAME ...] [--write] [--within MINUTES]

Names run only those. ``--write`` makes docs/benchmarks.md: every part says at which commit and on
which day it was measured, and the page is written after each. ``--within``: doors first, then the
parts measured longest ago; what would take longer than the time that is left keeps its part.
"""

from __future__ import annotations

import argparse
import datetime
import math
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.harness import AIM

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "benchmarks.md"
PATIENCE = 1800  # seconds for one benchmark
UNKNOWN = 120.0  # seconds that a benchmark is held to take which has not said
DOORS = ("bench_doors", "bench_load", "bench_start", "bench_cursor", "bench_deaths")
"""What a user's clock shows; all others time a part of the program by itself."""
HEAD = """# Benchmarks

Made by `python -m tests.benchmarks --write`; no figure here is typed by hand, and each part says at
which commit and on which day it was measured. Ours and the named
peer take turns in one process, medians of at least five runs are compared, compiling is not
counted. Seconds hold for one machine and move by a third from hour to hour; ratios move less.
What limits a figure, and what was tried: [performance.md](performance.md).

| | |
|---|---|
"""


@dataclass(frozen=True)
class Outcome:
    """What a benchmark printed; ``busy``: percent that other work took before and after it."""

    name: str
    text: str
    busy: tuple[int, int]
    failed: bool
    seconds: float = 0.0

    @property
    def part(self) -> str:
        """The part of the page."""
        before, after = self.busy
        words = (
            f"`python -m tests.benchmarks.{self.name}`; commit {commit()}, "
            f"{datetime.date.today().isoformat()}, {self.seconds:.0f} s; "
            f"other work took {before} % of the processors before, {after} % after."
        )
        return f"### {title_of(self.name)}\n\n{words}\n\n```\n{self.text}```"


def commit() -> str:
    """The present commit."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=True
    )
    return described.stdout.strip()


def read_parts() -> dict[str, str]:
    """The parts of the page by their benchmarks; those of benchmarks that are gone are left out."""
    if not PAGE.exists():
        return {}
    pieces = re.split(r"\n(?=##)", PAGE.read_text("utf-8"))
    named = {
        found[1]: piece.strip()
        for piece in pieces
        if piece.startswith("### ")
        and (found := re.search(r"`python -m tests\.benchmarks\.(bench_\w+)`;", piece))
    }
    return {name: part for name, part in named.items() if (HERE / f"{name}.py").exists()}


def seconds_of(part: str) -> float:
    """How long a part took to measure."""
    found = re.search(r", (\d+) s; other work", part)
    return float(found[1]) if found else UNKNOWN


def day_of(part: str) -> str:
    """The day on which a part was measured; empty for one that is not there or does not say."""
    found = re.search(r"; commit \S+, (\S+), ", part)
    return found[1] if found else ""


def aims_of(part: str) -> list[str]:
    """The rows of the overview."""
    return [f"| {line.strip()[len(AIM) :]} |" for line in part.splitlines() if AIM in line]


def title_of(name: str) -> str:
    """The first line of a benchmark's own words, without loading it."""
    text = (HERE / f"{name}.py").read_text("utf-8")
    return text.splitlines()[0].strip('"').rstrip(".")


def others() -> int:
    """Percent of the processors that other work takes: over two seconds, in which we sleep."""

    def counted() -> tuple[int, int]:
        times = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
        return sum(times), times[3] + times[4]  # idle, and waiting for a disk

    before = counted()
    time.sleep(2.0)
    spent, idle = (after - start for after, start in zip(counted(), before, strict=True))
    return round(100 * (1 - idle / max(spent, 1)))


def run(name: str) -> Outcome:
    """Run one benchmark; what it prints is shown as it comes."""
    print(f"\n## {name}\n", flush=True)
    before, begun = others(), time.monotonic()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", f"tests.benchmarks.{name}"]
    lines: list[str] = []
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as done:
        assert done.stdout is not None
        for line in done.stdout:
            print(line, end="", flush=True)
            lines.append(line)
        done.wait(PATIENCE)
    seconds = time.monotonic() - begun
    return Outcome(name, "".join(lines), (before, others()), done.returncode != 0, seconds)


def page(parts: dict[str, str]) -> str:
    """The whole text of docs/benchmarks.md."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.machine()}, {platform.system()}"
    ordered = [parts[name] for name in in_order(parts)]
    rows = [row for part in ordered for row in aims_of(part)]
    text = [
        f"{HEAD}| machine | {system}, Python {platform.python_version()} |",
        "## Aims",
        "\n".join(["| what | aim | measured | |\n|---|---|---|---|", *rows]),
    ]
    for title, is_door in (("## At the door", True), ("## Parts by themselves", False)):
        text.append(title)
        text += [parts[name] for name in in_order(parts) if (name in DOORS) is is_door]
    return "\n\n".join(text) + "\n"


def in_order(names: Iterable[str]) -> list[str]:
    """Doors first, then by name."""
    return sorted(names, key=lambda name: (*(name != door for door in DOORS), name))


def main() -> int:
    """Run the benchmarks; the number that failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true", help="make docs/benchmarks.md")
    parser.add_argument("--within", type=float, default=math.inf, metavar="MINUTES")
    requested = parser.parse_args()
    parts = read_parts()
    names = in_order(requested.names or [path.stem for path in HERE.glob("bench_*.py")])
    if requested.within < math.inf:
        names.sort(key=lambda name: (name not in DOORS, day_of(parts.get(name, ""))))
    end, failed = time.monotonic() + 60.0 * requested.within, 0
    for name in names:
        if time.monotonic() + seconds_of(parts.get(name, "")) > end:
            print(f"\n## {name}: no time left, its part stays", flush=True)
            continue
        outcome = run(name)
        failed += outcome.failed
        if not outcome.failed:
            parts[name] = outcome.part
        if requested.write:
            PAGE.write_text(page(parts), "utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main())
