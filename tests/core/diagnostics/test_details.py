"""What a report of a fault names."""

from __future__ import annotations

import sys

import pytest

from core.diagnostics import details_text, program_details
from core.diagnostics.log import LIBRARIES
from payoff.version import __version__


def test_program_system_and_libraries_are_named() -> None:
    named = dict(program_details())
    assert named["Payoff"] == f"{__version__} (source tree)"
    assert set(LIBRARIES) < set(named)
    assert "Python: 3." in details_text()


def test_a_library_without_a_record_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.diagnostics.log.LIBRARIES", ("not-there-at-all",))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    named = dict(program_details())
    assert list(named) == ["Payoff", "Plugin contract", "Python", "System"]
    assert named["Payoff"].endswith("(installed program)")
