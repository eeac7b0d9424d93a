"""Scores in one file, their outcomes in another, on an engine of this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engine.local import LocalEngine
from tests.core.engine.further.steps import ROWS, cases, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    columns = cases(1, ROWS, 5)
    outcome = {
        "id": [int(str(v)) for v in columns["customer_id"]][::-1],
        "responded": columns["responded"][::-1],
    }
    whole = dict(columns)
    del columns["responded"]
    write(tmp_path / "scores.csv", columns)
    write(tmp_path / "outcomes.csv", outcome)
    write(tmp_path / "whole.csv", whole)
    return tmp_path


@pytest.fixture
def engine() -> LocalEngine:
    return LocalEngine()
