"""Nothing gets into the memory that window and engine share through an open file."""

import multiprocessing
import os
import sys

import pytest

from core.engine.options import EngineOptions
from core.engine.sandbox.confining import Confinement
from core.engine.shared_memory import SharedState
from core.questions.lanes import Lane

WRITES = 120  # of 66 bytes each: past the stop bytes and the markers


def _write_everywhere(shared: SharedState) -> None:
    """What an engine for plugins and then a plugin do."""
    Confinement(EngineOptions()).begin()
    shared.enter_plugin(Lane.LONG, "org.example.good", "value", 2.0)
    for _ in range(WRITES):
        for place in range(3, 60):
            try:
                os.write(place, b"Welcome to our plugin!" * 3)
            except OSError:
                continue


@pytest.mark.skipif(sys.platform == "win32", reason="shared memory has no descriptor there")
def test_a_plugin_that_writes_into_every_open_file_changes_no_shared_byte() -> None:
    context = multiprocessing.get_context("spawn")
    shared = SharedState(context)
    process = context.Process(target=_write_everywhere, args=(shared,))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert not any(shared.stop)
    in_use = shared.plugin_in(Lane.LONG)
    assert in_use is not None
    assert (in_use.plugin, in_use.stage, in_use.limit) == ("org.example.good", "value", 2.0)
