"""The plugin keeps the contract, and refuses what it cannot read by line."""

from pathlib import Path

import pytest
from reader import READER

import payoff

FOLDER = Path(__file__).parent.parent


def test_the_plugin_keeps_the_contract(payoff_check):
    sheet = payoff_check(FOLDER)
    assert len(sheet.results) > 8


def test_a_line_without_a_name_is_refused_by_its_number(tmp_path):
    path = tmp_path / "bad.cards"
    path.write_text("id: 1\nno colon here\n", encoding="utf-8")
    with pytest.raises(payoff.PayoffError, match="line 2"):
        READER.open(payoff.ReadRequest(path=str(path)))
