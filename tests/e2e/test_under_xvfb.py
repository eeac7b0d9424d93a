"""Runs the whole journey in a window on a virtual screen, as a person would see it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TYPING = "tests/e2e/test_typing.py::"
WANTED = (
    "tests/e2e/test_mailing.py",
    f"{TYPING}test_a_share_in_real_life_is_what_was_typed[12.5]",
    f"{TYPING}test_a_cell_holds_what_was_typed_or_what_it_held[12,5-12.5]",
    f"{TYPING}test_a_cell_holds_what_was_typed_or_what_it_held[-0.02*loan_amount-None]",
)
PROBE = "from PySide6.QtWidgets import QApplication as A; print(A([]).platformName())"


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    """The environment of a process on a virtual screen; offscreen where Qt cannot use it."""
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("there is no Xvfb: the journey runs offscreen")
    read, write = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        kept |= {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb", "PAYOFF_ON_XVFB": "1"}
        found = subprocess.run(
            [sys.executable, "-c", PROBE],
            env=kept,
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
        if found.stdout.strip() != "xcb":
            kept["QT_QPA_PLATFORM"] = "offscreen"
        yield kept
    finally:
        server.terminate()
        server.wait(10)


@pytest.mark.xvfb
@pytest.mark.timeout(600)  # the whole journey in a process of its own
def test_the_whole_journey_on_a_screen(screen: dict[str, str]):
    command = [sys.executable, "-m", "pytest", *WANTED, "-q", "-x", "-n", "0"]
    ended = subprocess.run(
        command, env=screen, cwd=ROOT, check=False, capture_output=True, text=True, timeout=580
    )
    assert ended.returncode == 0, ended.stdout[-8000:] + ended.stderr[-2000:]
    assert "passed" in ended.stdout
    assert "skipped" not in ended.stdout
