"""Every benchmark, one process after the other, and docs/benchmarks.md made of what they print.

    python -m tests.benchmarks [NAME ...] [--write]

Names run only those. ``--write`` makes docs/benchmarks.md of all of them: no part of it is made
apart, for its figures stand beside one machine, commit and day.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.harness import AIM

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "benchmarks.md"
PATIENCE = 1800  # seconds for one benchmark
DOORS = ("bench_doors", "bench_load", "bench_start", "bench_cursor", "bench_deaths")
"""What a user's clock shows; all others time a part of the program by itself."""
HEAD = """# Benchmarks

Made by `python -m tests.benchmarks --write`; no figure here is typed by hand. Ours and the named
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

    @property
    def aims(self) -> list[str]:
        """The rows of the overview."""
        return [f"| {line.strip()[len(AIM) :]} |" for line in self.text.splitlines() if AIM in line]

    @property
    def part(self) -> str:
        """The part of the page."""
        command = f"`python -m tests.benchmarks.{self.name}`"
        before, after = self.busy
        words = f"{command}; other work took {before} % of the processors before, {after} % after."
        return f"### {title_of(self.name)}\n\n{words}\n\n```\n{self.text}```\n"


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
    before = others()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", f"tests.benchmarks.{name}"]
    lines: list[str] = []
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as done:
        assert done.stdout is not None
        for line in done.stdout:
            print(line, end="", flush=True)
            lines.append(line)
        done.wait(PATIENCE)
    return Outcome(name, "".join(lines), (before, others()), done.returncode != 0)


def page(outcomes: list[Outcome]) -> str:
    """The whole text of docs/benchmarks.md."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=True
    ).stdout.strip()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.machine()}, {platform.system()}"
    facts = {
        "machine": f"{system}, Python {platform.python_version()}",
        "commit": commit,
        "day": datetime.date.today().isoformat(),
        "other work": f"at most {max(max(each.busy) for each in outcomes)} % of the processors",
    }
    lines = [f"| {name} | {value} |" for name, value in facts.items()]
    parts = ["## Aims", "| what | aim | measured | |\n|---|---|---|---|"]
    parts[1] = "\n".join([parts[1], *(row for outcome in outcomes for row in outcome.aims)])
    for title, is_door in (("## At the door", True), ("## Parts by themselves", False)):
        parts.append(title)
        parts += [each.part for each in outcomes if (each.name in DOORS) is is_door]
    return HEAD + "\n".join(lines) + "\n\n" + "\n\n".join(part.rstrip() for part in parts) + "\n"


def main() -> int:
    """Run the benchmarks; the number that failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true", help="make docs/benchmarks.md")
    requested = parser.parse_args()
    if requested.write and requested.names:
        parser.error("the page is made of all benchmarks")
    names = requested.names or sorted(path.stem for path in HERE.glob("bench_*.py"))
    outcomes = [run(name) for name in sorted(names, key=lambda name: name not in DOORS)]
    if requested.write:
        PAGE.write_text(page(outcomes), "utf-8")
    return sum(outcome.failed for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main())
