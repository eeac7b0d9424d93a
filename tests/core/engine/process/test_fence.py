"""The fence around plugins: every deed that Python tells of, at both of its ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.engine.sandbox.confining import WATCHED, places_changed, refused

ROOT = Path(__file__).resolve().parents[4]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="tries calls of POSIX systems")
if os.name != "nt":
    from tests.core.engine.process import fence_trial


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """What became of every deed, in the allowed folder and elsewhere."""
    folder = tmp_path_factory.mktemp("fence")
    temporary, elsewhere = folder / "tmp", folder / "elsewhere"
    temporary.mkdir()
    answer = temporary / "answer.json"
    done = subprocess.run(
        [sys.executable, "-m", fence_trial.__name__, str(elsewhere), str(answer)],
        cwd=ROOT,
        env=dict(os.environ, TMPDIR=str(temporary), PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(answer.read_text())


@pytest.mark.parametrize("deed", fence_trial.PLACES)
def test_elsewhere_it_is_refused_and_in_the_allowed_folder_done(tried, deed):
    here, elsewhere = tried[deed]
    assert here in ("done", "failed: OSError(95, 'Operation not supported')")
    assert elsewhere == "refused"


@pytest.mark.parametrize("deed", fence_trial.ALWAYS)
def test_some_deeds_are_refused_wherever_they_are_tried(tried, deed):
    assert tried[deed][1] == "refused"


@pytest.mark.parametrize("deed", fence_trial.FREE)
def test_what_changes_nothing_is_free(tried, deed):
    assert tried[deed][0] == "done"


@pytest.mark.parametrize("event", sorted(WATCHED))
def test_every_event_that_is_looked_at_is_refused_or_names_a_place(event):
    """With any arguments an event may come with; a fence that raises by itself helps nobody."""
    arguments = {
        "open": ("/x", "w", 0),
        "sqlite3.connect": ("/x",),
        "mmap.__new__": (-1, 1, 0, 0),
        "os.kill": (1, 9),
        "ctypes.dlsym": (None, "system"),
    }.get(event, ("/x", "/y", -1, -1))
    assert refused(event, arguments) or list(places_changed(event, arguments)) or "mmap" in event
