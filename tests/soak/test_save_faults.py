"""kill -9 at random moments of saving: afterwards the old or the new project opens, whole."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.document.files.project import read_project
from tests.soak.saving_loop import numbered

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.soak
@pytest.mark.timeout(1200)  # hundreds of programs are killed
def test_a_killed_save_leaves_the_old_or_the_new_project(tmp_path: Path) -> None:
    path = tmp_path / "spring.payoff"
    draw = random.Random(20261)
    opened = 0
    for _ in range(200):
        command = [sys.executable, "-m", "tests.soak.saving_loop", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            assert process.stdout is not None
            last = int(process.stdout.readline())
            time.sleep(draw.uniform(0.0, 0.02))
            process.kill()
            described = [int(line) for line in process.stdout.read().split()]
        last = described[-1] if described else last
        document = read_project(path).document
        assert int(document.name) in (last, last + 1)
        assert document == numbered(int(document.name))
        opened += 1
    assert opened == 200
    leftovers = [entry.name for entry in tmp_path.iterdir() if entry.suffix == ".tmp"]
    print(f"{opened} kills, {opened} whole projects, {len(leftovers)} temporary files left behind")
