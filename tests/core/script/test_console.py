"""What the program writes on Windows, whose code pages lack some of its signs; its pictures."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from core.script.command_line import picture
from core.script.command_line.picture import take_picture, without_screen
from core.script.command_line.program import speak_utf8
from payoff.errors import PayoffError


def test_answers_are_utf_8_whatever_the_code_page(monkeypatch):
    pipe = io.BytesIO()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, encoding="cp1252"))
    speak_utf8()
    print("5,126 € − 3 ≥ 0\u202f", flush=True)
    assert pipe.getvalue().decode("utf-8").rstrip("\r\n") == "5,126 € − 3 ≥ 0\u202f"


def test_a_program_without_a_console_has_nothing_to_write_to(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    speak_utf8()
    print("nobody reads this")


def test_a_picture_without_a_screen_is_painted_with_the_fonts_of_windows(monkeypatch):
    """Qt looks nowhere for fonts then: every letter was a square."""
    assert without_screen() == {"QT_QPA_PLATFORM": "offscreen"}
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("SYSTEMROOT", "C:/Windows")
    assert without_screen()["QT_QPA_FONTDIR"].replace("\\", "/") == "C:/Windows/Fonts"


def test_a_window_that_is_never_ready_is_told_with_a_remedy(monkeypatch, tmp_path):
    """From the source tree a window compiles its kernels first, on a busy machine for long."""
    run = subprocess.run

    def run_without_end(command, *, timeout, **settings):
        assert "--picture" in command
        assert timeout == picture.LONGEST_PICTURE
        endless = [sys.executable, "-c", "import time; time.sleep(600)"]
        return run(endless, timeout=0.1, **settings)

    monkeypatch.setattr(picture.subprocess, "run", run_without_end)
    with pytest.raises(PayoffError, match=r"not ready after 20 minutes.*--warm-up"):
        take_picture(tmp_path / "window.png", safe_mode=False)
