"""Files of a bank, a marketing department, a hospital, an insurer: read as they are meant."""

from __future__ import annotations

import pytest

import payoff
from core import data
from core.document.model import Role
from tests.core.data.trade_files import ROWS, WRITERS, TradeFile, trade_files
from tests.helpers.factories.files import load

FILES = {file.name: file for file in trade_files()}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("name", FILES)
def test_a_business_file_is_read_as_it_is_meant(tmp_path, name, ending):
    file = FILES[name]
    path = WRITERS[ending](file, tmp_path)
    table = load(path)
    assert table.rows == ROWS
    summary = table.summary
    assert summary.left_out == int(file.has_total and ending in ("csv", "xlsx"))
    called = {column.name: column.label or column.name for column in summary.columns}
    roles = {called[entry.column]: entry for entry in summary.roles}
    assert {column: roles[column].role for column in file.roles} == file.roles
    target = summary.target
    assert target is not None
    assert (called[target.column], target.kind) == (file.target, file.kind)
    if file.event:
        is_code = ending == "sav" and file.event == "true"
        assert target.label(target.event) == ("1" if is_code else file.event)
    if file.models:
        found = [entry.model for entry in summary.roles if entry.role is Role.POSTERIOR]
        assert tuple(dict.fromkeys(found)) == file.models
    _check_numbers(file, table, {label: name for name, label in called.items()})


def _check_numbers(file: TradeFile, table: data.LoadedTable, names: dict[str, str]) -> None:
    """Amounts and shares are the numbers that were written."""
    for name in (*file.money, *file.percent):
        read = data.column_as_float(table, names[name])
        assert read == pytest.approx(
            file.columns[name], abs=0.00501 if name in file.money else 6e-5
        )


@pytest.mark.parametrize("name", ["kreditbestand", "claims_fr", "survival_en"])
def test_scripts_read_the_same(tmp_path, name):
    file = FILES[name]
    table = payoff.read(WRITERS["csv"](file, tmp_path))
    assert table.num_rows == ROWS
    assert table.column_names == list(file.columns)
