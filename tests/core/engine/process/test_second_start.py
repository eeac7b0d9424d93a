"""A second start compiles nothing, and warming up reaches what the sample needs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
COLD = 600  # seconds: with an empty cache the first start compiles every kernel

WARM_THEN_GO = """
from core.engine.kinds import standard_handlers
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from core.engine.precompile import warm_up_steps
from tests.core.engine import journey
workbench = LocalEngine(EngineOptions(safe_mode=True)).workbench
for _, step in warm_up_steps(workbench.plugins, standard_handlers):
    step()
journey.main()
"""


def start(*command):
    """One process of its own; what its journey printed."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=COLD,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.timeout(2 * COLD)  # the first start may compile everything
def test_second_start_compiles_nothing():
    found = start("-m", "tests.core.engine.journey")
    if found["compiled"]:  # that was the first start on this machine
        found = start("-m", "tests.core.engine.journey")
    assert found["compiled"] == 0
    assert found["hits"] >= 25


@pytest.mark.timeout(2 * COLD)  # the first start may compile everything
def test_warming_up_reaches_all_that_the_sample_needs():
    """After the warm-up the journey asks neither the compiler nor the cache for a kernel."""
    warmed = start("-c", WARM_THEN_GO)
    assert (warmed["hits"], warmed["compiled"]) == (0, 0)
