"""Kernels that do not compile, compile to something else, or are never found again: each named."""

from __future__ import annotations

import pytest

from core.extensions import Registry, check_plugin_files
from core.extensions.finding import USER_FOLDER, FoundPlugin
from core.extensions.kernel_sheets import compiled_sheets
from payoff.testing.meanings import sheet_lines
from payoff.testing.results import CheckState
from tests.contract.kernel_checks import AGREES, BROKEN, COMPILES, KEPT, OVERFLOW, row_metric
from tests.helpers.factories.plugins import write_file_plugin

FOUND = {COMPILES: "SHARES", AGREES: "value of the task 'regression'", KEPT: "total"}


@pytest.mark.parametrize("check", BROKEN)
def test_a_broken_kernel_is_caught_by_the_named_check(check, tmp_path):
    """Every check before it passes, so that only the compiler can tell."""
    path = write_file_plugin(tmp_path / "own.py", BROKEN[check], "org.example.own")
    sheet = check_plugin_files(path)
    (failure,) = sheet.failures
    assert failure.check == check
    assert FOUND[check] in failure.found
    assert any(
        f"asks:  {words}" in line for line in sheet_lines(sheet) for words in ("Its c", "The ")
    )
    assert check_plugin_files(path, kernels=False).passed


def test_a_constant_of_each_start_is_compiled_at_each_start(tmp_path):
    text = row_metric("clock", before="NOW = time.time_ns()", share="share = 1.0 + 0.0 * NOW")
    sheet = check_plugin_files(write_file_plugin(tmp_path / "own.py", text, "org.example.own"))
    assert [result.check for result in sheet.failures] == [KEPT]
    assert "rows" in sheet.failures[0].found
    assert sheet.result(AGREES).found == "answers: 1"


def test_an_announced_failure_is_no_failure(tmp_path):
    additional = f'\n            expected_failures=(("{AGREES}", "Wraps round on purpose."),),'
    text = row_metric("overflow", share=OVERFLOW, further=additional)
    found = FoundPlugin(
        path=write_file_plugin(tmp_path / "own.py", text, "org.example.own"), source=USER_FOLDER
    )
    record = Registry().add(found)  # a start makes no kernel checks, and knows their names
    assert record.state == "active", record.why
    assert AGREES not in {result.check for result in record.sheet}
    (sheet,) = compiled_sheets(record.specs)
    assert sheet.passed
    assert sheet.result(AGREES).state is CheckState.EXPECTED_FAILURE


def test_what_ends_the_second_start_is_said(tmp_path):
    once = (
        "import multiprocessing, os\n"
        "if multiprocessing.parent_process() is not None:\n    os._exit(7)"
    )
    text = row_metric("once", before=once, share="share = 1.0")
    sheet = check_plugin_files(write_file_plugin(tmp_path / "own.py", text, "org.example.own"))
    (failure,) = sheet.failures
    assert failure.check == KEPT
    assert "exit code 7" in failure.found


def test_the_manager_puts_it_in_quarantine_with_the_reason(tmp_path):
    """ "Check this plugin" leads it from its file on; a start alone does not compile."""
    write_file_plugin(tmp_path / "own.py", BROKEN[COMPILES], "org.example.own")
    registry = Registry.discover([tmp_path], has_packages=False)
    assert registry.states()[-1].state == "active"
    record = registry.release("org.example.own")
    assert (record.state, record.stage) == ("quarantined", "conformance check")
    assert COMPILES in record.why
    assert "SHARES" in record.why


def test_a_look_at_all_plugins_keeps_what_is_known_of_their_kernels(tmp_path):
    """Else "Check all", or any file saved in the folder, took a broken plugin back."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    path = write_file_plugin(folder / "own.py", BROKEN[COMPILES], "org.example.own")

    def discovered() -> Registry:
        return Registry.discover(
            [folder], has_packages=False, cache_folder=tmp_path / "cache", check_again=True
        )

    discovered().release("org.example.own")
    again = discovered().states()[-1]
    assert (again.plugin, again.state) == ("org.example.own", "quarantined")
    assert COMPILES in again.why
    path.write_text(path.read_text("utf-8").replace("SHARES[0]", "1.0"), "utf-8")
    assert discovered().states()[-1].state == "active"  # other files, another chance
