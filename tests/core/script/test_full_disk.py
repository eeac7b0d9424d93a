"""What the system refuses at the end of a verb is said in words, with an exit code of its own."""

from __future__ import annotations

import errno
import io
import logging
import sys
from argparse import Namespace

import pytest

from core.diagnostics import describe_exception
from core.script.command_line.answering import answered


class _Full(io.StringIO):
    def flush(self) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_an_answer_that_cannot_be_written_is_a_refusal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", _Full())
    assert answered(lambda: {"value": 1}, Namespace(json=None)) == 2
    described = capsys.readouterr().err
    assert "The answer could not be written. (standard output)" in described
    assert "No space left on device" in described
    assert "Traceback" not in described


def test_a_fault_of_the_system_is_worded(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    def verb() -> dict[str, object]:
        raise OSError(errno.ENOSPC, "No space left on device", "/full/out.csv")

    with caplog.at_level(logging.ERROR):
        assert answered(verb, Namespace(json=None)) == 2
    assert not caplog.records
    described = capsys.readouterr().err
    assert "A file could not be read or written. (/full/out.csv)" in described
    assert describe_exception(ValueError("x")).what == "Something went wrong inside Payoff."
