"""What the whole suite shares: the user's own settings are never touched; soak tests on demand."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

from core.collecting import collect_seldom
from tests.helpers.ready_engines import ready_engines
from tests.helpers.shared_data import SHARED

from .times import ProcessorTimes

# The state of the person who runs the tests is not ours: settings, log and results go to a folder
# of their own. Compiled kernels are kept between runs, as the program itself keeps them.
_home = Path(tempfile.mkdtemp(prefix="payoff-tests-"))
os.environ["PAYOFF_HOME"] = str(_home)
ALL_OF_IT_IS_LONG = re.compile(r"^pytestmark = (?:\[\s*)?pytest\.mark\.soak\b", re.MULTILINE)
FEW_EXAMPLES = 20  # of a property; no test is given fewer than it asks for up to here
_build = Path(__file__).resolve().parents[1] / "build"
os.environ.setdefault("PAYOFF_CACHE_DIR", str(_build / "kernel-cache"))
if sys.dont_write_bytecode:
    # Engines are started again and again. Where no byte code is to be written beside the sources,
    # each would compile a thousand modules anew: it is kept in the folder of what is built.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(_build / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add ``--soak``; without pytest-qt its settings are nobody's."""
    parser.addoption("--soak", action="store_true", help="run the long tests too")
    if pluginmanager.is_blocked("pytest-qt"):
        for name in ("qt_api", "qt_log_level_fail", "qt_log_ignore"):
            parser.addini(name, "of pytest-qt", type="args")


def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis draws the same examples in every run of the suite; soak runs draw new ones.

    Workers and engines that start later do linear algebra in one thread each: there are as many of
    them as cores, and threads of OpenBLAS that wait for small matrices use a core all the while.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    config.pluginmanager.register(ProcessorTimes(), "processor-times")
    hypothesis.settings.register_profile("suite", derandomize=True, database=None)
    hypothesis.settings.register_profile("soak", print_blob=True)
    hypothesis.settings.load_profile("soak" if config.getoption("--soak") else "suite")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that only the long run wants are not imported: some load what no other test needs."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    if config.getoption("--soak") or not is_test:
        return None
    return True if ALL_OF_IT_IS_LONG.search(collection_path.read_text("utf-8")) else None


def _look_at_fewer(items: list[pytest.Item]) -> None:
    """A share of the examples of each property: without ``--soak`` they are always the same."""
    for item in items:
        test = getattr(item, "obj", None)
        wanted = getattr(test, "_hypothesis_internal_use_settings", None)
        if wanted is not None and wanted.max_examples > FEW_EXAMPLES:
            fewer = max(FEW_EXAMPLES, wanted.max_examples // 4)
            test._hypothesis_internal_use_settings = hypothesis.settings(wanted, max_examples=fewer)


class _Sample:
    """Of a long matrix of cases the suite runs each n-th (``every_nth(n)``), the long run all.

    Of several parameters along diagonals: each n-th value of one beside every value of another.
    """

    def __init__(self) -> None:
        self._values: dict[tuple[Path, str, str], list[int]] = {}

    def has(self, item: pytest.Item) -> bool:
        """Whether the suite runs a case; asked of all cases of a test in their order."""
        sample = item.get_closest_marker("every_nth")
        if sample is None:
            return True
        place = 0
        test = item.nodeid.partition("[")[0]
        values = item.callspec.params
        for names in {mark.args[0] for mark in item.iter_markers("parametrize")}:
            first = (names.split(",") if isinstance(names, str) else names)[0].strip()
            seen = self._values.setdefault((item.path, test, first), [])
            value = id(values[first])
            if value not in seen:
                seen.append(value)
            place += seen.index(value)
        return place % sample.args[0] == 0


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Modules and tests stay to the end: Python's collector need not walk them again and again.

    Where the window is loaded its own collector decides when, as in the program. Elsewhere it looks
    less often: in what compiles a kernel, or reads a file, it finds no cycles to speak of.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        if "gui" not in sys.modules:
            collect_seldom()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave soak tests out unless asked for, and skip what wants real data that are not here."""
    if not SHARED.is_dir():
        for item in items:
            if item.get_closest_marker("shared_data") is not None:
                item.add_marker(pytest.mark.skip(reason="no shared data here"))
    if config.getoption("--soak"):
        return
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    sample = _Sample()
    for item in items:
        is_kept = sample.has(item) and item.get_closest_marker("soak") is None
        (kept if is_kept else left_out).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept
    _look_at_fewer(items)


@pytest.fixture(scope="module", autouse=True)
def ways_of_engines(request: pytest.FixtureRequest) -> Iterator[None]:
    """Engines begin ready, but in tests of the whole program, and of how engines begin."""
    is_whole = request.path.is_relative_to(Path(__file__).parent / "e2e")
    if is_whole or getattr(request.module, "ENGINES_FROM_NOTHING", False):
        yield
    else:
        with ready_engines():
            yield


@pytest.fixture(scope="session", autouse=True)
def own_home() -> Iterator[Path]:
    """The folder of this run's settings; removed at the end."""
    yield _home
    shutil.rmtree(_home, ignore_errors=True)
