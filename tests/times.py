"""What the tests take, by file: ``python -m tests.times`` after ``installer/test.sh``.

Each part of a run leaves a file of its own in ``build/test-times``. Beside the seconds on the clock
stand those of the processor, of the test and of the processes that ended in it: only they can be
compared between runs on a machine that did other work too.
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import ready_engines

FOLDER = Path(__file__).resolve().parents[1] / "build" / "test-times"
PROPERTY = "processor_seconds"
LONGEST = 40


def processor_seconds() -> float:
    """What this process and those that it has waited for have used."""
    times = os.times()
    return (
        ready_engines.processor_seconds()
        + times.user
        + times.system
        + times.children_user
        + times.children_system
    )


class ProcessorTimes:
    """Writes into each test's report what it took of the processor."""

    def __init__(self) -> None:
        self._before = processor_seconds()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self._before = processor_seconds()  # collecting and a test's report are no part of it

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        if call.when == "teardown":
            now = processor_seconds()
            item.user_properties.append((PROPERTY, round(now - self._before, 3)))


def _read(path: Path) -> Iterator[tuple[str, float, float]]:
    for case in ET.parse(path).iter("testcase"):
        used = sum(
            float(entry.get("value", 0))
            for entry in case.iter("property")
            if entry.get("name") == PROPERTY
        )
        yield case.get("classname", ""), float(case.get("time", 0)), used


def main() -> None:
    """Print the files that take longest, and what each part of the run takes together."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for path in sorted(FOLDER.glob("*.xml")):
        for name, seconds, used in _read(path):
            for key in (name, f"all of {path.stem}"):
                for place, value in enumerate((1, seconds, used)):
                    totals[key][place] += value
    print(f"{'tests':>6} {'clock':>8} {'processor':>9}")
    for key, (count, seconds, used) in sorted(totals.items(), key=lambda entry: -entry[1][2])[
        :LONGEST
    ]:
        print(f"{count:6.0f} {seconds:8.1f} {used:9.1f}  {key}")


if __name__ == "__main__":
    main()
