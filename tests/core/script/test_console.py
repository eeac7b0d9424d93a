"""What the program writes on Windows, whose code pages lack some of its signs; its pictures."""

from __future__ import annotations

import io
import sys

from core.script.command_line.program import speak_utf8
from core.script.command_line.verbs import without_screen


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
