"""The whole program in one process plus its engine, on the sample, in a home folder of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest

from tests.e2e.screenshots import make_sample
from tests.helpers.pauses import leave_out_pauses
from tests.helpers.program import KeptEngine, Program

leave_out_pauses()

# What takes longest comes first, so that no core waits at the end for the other's last file.
LONGEST_FIRST = (
    "guide_walks",
    "real_files",
    "typing",
    "recovery",
    "decisions_real",
    "under_xvfb",
    "sample_journeys",
    "uplift_real",
    "real_data",
    "layout",
    "compare",
    "experiments",
    "example_plugins",
    "amount_outcome",
    "formats",
    "plugins",
    "training_real",
    "compare_real",
    "further_files",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest; the order within a file stays."""
    rank = {f"test_{name}": place for place, name in enumerate(LONGEST_FIRST)}
    here = Path(__file__).parent
    mine = [item for item in items if item.path.is_relative_to(here)]
    others = [item for item in items if not item.path.is_relative_to(here)]
    items[:] = others + sorted(mine, key=lambda item: rank.get(item.path.stem, len(rank)))


@pytest.fixture(scope="session")
def kept_engine(tmp_path_factory) -> Iterator[KeptEngine]:
    """The engine of all windows of this process that bring no plugins and end no engine."""
    engine = KeptEngine(tmp_path_factory.mktemp("engine"))
    yield engine
    engine.end()


@pytest.fixture(scope="module")
def program(request: pytest.FixtureRequest, qapp_args, tmp_path_factory) -> Iterator[Program]:
    """The program in a home of its own; where a file says ``OWN_ENGINE``, with a new engine."""
    has_own = getattr(request.module, "OWN_ENGINE", False)
    kept = None if has_own else request.getfixturevalue("kept_engine")
    made = Program(tmp_path_factory.mktemp("program"), kept=kept)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def home(program: Program) -> Program:
    """The program as it stands after its start, nothing opened yet."""
    program.settle()
    return program


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Path:
    """The sample's project, with its data beside it."""
    return make_sample(tmp_path_factory.mktemp("sample"))
