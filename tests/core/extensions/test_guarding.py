"""What a plugin changes in the process is put back, and said where the plugin is to blame."""

from __future__ import annotations

import locale
import os
import random
import signal
import socket
import sys
import warnings

import numpy as np
import pytest

from core.extensions.process_state import ASPECTS, ProcessState, file_mask

CHANGES = {
    "the working folder": lambda: os.chdir("/"),
    "environment variables": lambda: os.environ.update(PATH=""),
    "the mask for new files": lambda: os.umask(0o007),
    "the locale": lambda: locale.setlocale(locale.LC_TIME, "C.UTF-8"),
    "signal handlers": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
    "numpy's global random numbers": lambda: np.random.seed(7),
    "numpy's handling of errors": lambda: np.seterr(divide="raise"),
    "how numpy prints": lambda: np.set_printoptions(precision=2),
    "the module search path": lambda: sys.path.insert(0, "/nowhere"),
    "the standard output": lambda: setattr(sys, "stdout", None),
    "the depth of calls": lambda: sys.setrecursionlimit(sys.getrecursionlimit() + 1),
    "the turns of threads": lambda: sys.setswitchinterval(0.5),
    "the time limit of connections": lambda: socket.setdefaulttimeout(3.0),
    "filters of warnings": warnings.resetwarnings,
}


def values() -> list[object]:
    return [str(aspect.read()) for aspect in ASPECTS]


@pytest.mark.skipif(os.name == "nt", reason="masks and locales of POSIX systems")
@pytest.mark.parametrize("name", CHANGES)
def test_what_belongs_to_the_whole_program_is_put_back_and_said(name: str) -> None:
    before, state = values(), ProcessState.capture()
    try:
        CHANGES[name]()
        assert values() != before
    finally:
        changed = state.restore()
    assert changed == [name]
    assert values() == before
    assert state.restore() == []


def test_every_aspect_is_tried_here() -> None:
    assert {aspect.name for aspect in ASPECTS if aspect.name} == set(CHANGES)


def test_what_libraries_do_at_their_import_is_put_back_without_a_word() -> None:
    before, state = values(), ProcessState.capture()
    random.seed(3)
    warnings.simplefilter("ignore")
    os.environ["OF_A_LIBRARY"] = "1"
    assert state.restore() == []
    del os.environ["OF_A_LIBRARY"]
    assert values() == before


def test_the_mask_is_read_without_the_system_s_help_too(monkeypatch, tmp_path) -> None:
    known = file_mask()
    monkeypatch.setattr("core.extensions.process_state._STATUS", tmp_path / "none")
    assert file_mask() == known
    assert file_mask() == known
