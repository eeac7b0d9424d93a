"""Where plugins are found, and that finding imports nothing."""

import sys
from importlib.metadata import EntryPoint

import pytest

from core.extensions import Registry, check_plugin_files, finding
from payoff import PayoffError
from tests.helpers.factories.plugins import manifest, metric_code, write_file_plugin, write_plugin


def test_names_that_begin_with_a_dot_or_underscore_are_left_alone(tmp_path):
    write_plugin(tmp_path / "own")
    write_plugin(tmp_path / "_draft")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "notes.txt").write_text("")
    write_file_plugin(tmp_path / "file.py")
    assert [found.path.name for found in finding.find_in_folder(tmp_path)] == ["file.py", "own"]
    assert finding.find_in_folder(tmp_path / "nowhere") == []
    assert [found.path for found in finding.find_in_folder(tmp_path / "own")] == [tmp_path / "own"]


def test_content_hash_sees_every_file_but_no_compiled_ones(tmp_path):
    folder = write_plugin(tmp_path / "own")
    first = finding.plugin_hash(folder)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "own.pyc").write_bytes(b"1")
    assert finding.plugin_hash(folder) == first
    (folder / "table.csv").write_text("1")
    assert finding.plugin_hash(folder) != first


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Give a package with an entry point, as an installer would leave it."""
    package = write_plugin(tmp_path / "payoff_own_package", plugin="org.example.installed")
    (package / "__init__.py").write_text("import sys\nsys.payoff_own_imported = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("own", "payoff_own_package", finding.ENTRY_POINT_GROUP)

    def entry_points(*, group):
        return [entry] if group == finding.ENTRY_POINT_GROUP else []

    monkeypatch.setattr(finding.importlib.metadata, "entry_points", entry_points)
    yield package
    for name in [name for name in sys.modules if name.startswith("payoff_own_package")]:
        del sys.modules[name]
    if hasattr(sys, "payoff_own_imported"):
        del sys.payoff_own_imported


def test_an_installed_package_is_found_without_importing_it(installed):
    (found,) = finding.find_packages()
    assert found.path == installed
    assert found.package == "payoff_own_package"
    assert not hasattr(sys, "payoff_own_imported")


def test_an_installed_package_is_served(installed):
    registry = Registry.discover()
    state = registry.states()[-1]
    assert (state.plugin, state.source, state.state) == (
        "org.example.installed",
        "package",
        "active",
    ), state.why
    assert registry.metric("own_miss").id == "own_miss"


def test_checking_one_plugin_by_path(tmp_path):
    assert check_plugin_files(write_plugin(tmp_path / "own")).passed
    assert check_plugin_files(write_file_plugin(tmp_path / "file.py")).passed
    bad = write_plugin(tmp_path / "bad", metric_code(factor="-1.0"))
    sheet = check_plugin_files(bad)
    assert [result.check for result in sheet.failures] == [
        "Values lie in the stated range",
        "Direction is as stated",
        "One row, one class",
        "Equal predictions are no trouble",
    ]
    (bad / "plugin.toml").write_text(manifest(api="new"))
    (failure,) = check_plugin_files(bad).failures
    assert failure.check == "Manifest is valid"
    with pytest.raises(PayoffError, match="no such plugin"):
        check_plugin_files(tmp_path / "nowhere")
