"""The conformance kit in pytest.

``pytest --payoff-plugin PATH`` adds one test per check of the plugin at that path (may be given
several times). In tests of your own, ``payoff_check(path_or_spec)`` asserts that nothing fails, and
``payoff_registry(*paths)`` gives a registry that knows the built-in plugins and the given ones, and
never looks at what else the machine has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from payoff.specs import Spec
from payoff.testing import CheckResult, CheckState, ConformanceSheet, check_plugin, check_spec


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--payoff-plugin``."""
    parser.addoption(
        "--payoff-plugin",
        action="append",
        default=[],
        metavar="PATH",
        help="check a Payoff plugin: a folder, a .py file or a .zip",
    )


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add one test per check of every plugin named on the command line."""
    for path in config.getoption("--payoff-plugin"):
        collector = PluginChecks.from_parent(session, name=str(path))
        items.extend(collector.collect())


class PluginChecks(pytest.Collector):
    """The checks of one plugin."""

    def collect(self) -> Iterator[pytest.Item]:
        """Run the kit once and hand out one item per result."""
        sheet = check_plugin(Path(self.name))
        for result in sheet:
            name = f"{result.subject}: {result.check}"
            yield CheckItem.from_parent(self, name=name, result=result)


class CheckItem(pytest.Item):
    """One check, as a test."""

    def __init__(self, *, result: CheckResult, **others: Any) -> None:
        super().__init__(**others)
        self.result = result

    def runtest(self) -> None:
        """Fail or expect to fail as the check did."""
        if self.result.state is CheckState.FAILED:
            pytest.fail(self.result.found or "failed", pytrace=False)
        if self.result.state is CheckState.EXPECTED_FAILURE:
            pytest.xfail(self.result.reason)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Name the check."""
        return Path(self.name), None, self.name


@pytest.fixture
def payoff_check() -> Callable[[str | Path | Spec], ConformanceSheet]:
    """Return a function that runs the kit on a plugin or spec and asserts that nothing fails."""

    def run(subject: str | Path | Spec) -> ConformanceSheet:
        """Check a plugin or spec and fail the test with the sheet."""
        sheet = check_plugin(subject) if isinstance(subject, str | Path) else check_spec(subject)
        assert sheet.passed, f"\n{sheet}"
        return sheet

    return run


@pytest.fixture
def payoff_registry(tmp_path: Path) -> Callable[..., Any]:
    """Return a function that makes a registry of built-in plugins and the given paths only."""

    def make(*paths: str | Path) -> Any:
        """Make a registry of the built-in plugins and those at the paths."""
        registry = import_module("core.extensions").Registry
        return registry.discover(
            [Path(path) for path in paths],
            cache_folder=tmp_path / "payoff-cache",
            quarantine_path=tmp_path / "quarantine.json",
            has_packages=False,
        )

    return make
