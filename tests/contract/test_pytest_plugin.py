"""The pytest plugin in a pytest of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

TEST = """
def test_spec(payoff_check):
    from plugins.metrics.ranking import auc
    assert payoff_check(auc).passed


def test_path(payoff_check):
    payoff_check(r"{bad}")


def test_registry(payoff_registry):
    registry = payoff_registry(r"{own}")
    found = registry.states()
    assert all(state.state == "active" for state in found)
    assert [state.source for state in found if state.source != "built in"] == ["user folder"]
"""


def run_pytest(folder, *arguments):
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider"]
    if not _is_installed():
        command += ["-p", "payoff.testing.pytest_plugin"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout


def _is_installed():
    from importlib.metadata import entry_points

    return any(entry.name == "payoff" for entry in entry_points(group="pytest11"))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outside")
    own, bad = HERE / "deadly_plugins" / "hangs_in_use", HERE / "bad_plugins" / "raises"
    (folder / "test_own.py").write_text(TEST.format(own=own, bad=bad))
    return run_pytest(folder, "--payoff-plugin", str(bad))


def test_fixtures_check_specs_and_paths(run):
    _, output = run
    assert re.search(r"PASSED \S*test_own.py::test_spec", output)
    assert re.search(r"PASSED \S*test_own.py::test_registry", output)
    assert re.search(r"FAILED \S*test_own.py::test_path", output)
    assert "this metric always fails" in output


def test_every_check_of_a_plugin_is_a_test(run):
    code, output = run
    assert code == 1
    assert "bad_raises: Spec is filled in" in output
    assert "bad_raises: Row order and ties do not matter" in output
    assert "org.example.raises: Manifest is valid" in output
