"""Two builds are compared file by file; names that numba draws from memory are counted apart."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILING = """
import numpy as np
from core.kernels.sorting import argsort_descending
argsort_descending(np.arange(10.0))
"""


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "installer"), *sys.path])
    from same_bytes import compare

    return compare


def test_files_are_counted_by_what_they_hold(compare, tmp_path: Path) -> None:
    loop = b"call __numba_parfor_gufunc_0x%s here"
    contents = {
        "same.py": (b"a", b"a"),
        "kernels/sums.nbc": (loop % b"7f95e0b32850", loop % b"7f7ab3e67750"),
        "kernels/other.nbc": (loop % b"7f95e0b32850" + b"1", loop % b"7f7ab3e67750" + b"2"),
        "kernels/loss.nbc": (
            b"<function A.loss at 0x7f95e0b32850>)",
            b"<function A.loss at 0x7f7ab3e67750>)",
        ),
        "names.py": (loop % b"7f95e0b32850", loop % b"7f7ab3e67750"),
    }
    for name, pair in contents.items():
        for folder, content in zip(("one", "two"), pair, strict=True):
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    (tmp_path / "two" / "more.txt").touch()
    same, but_for_names, differing = compare(tmp_path / "one", tmp_path / "two")
    assert same == 1
    assert but_for_names == ["kernels/loss.nbc", "kernels/sums.nbc"]
    assert differing == ["more.txt", "kernels/other.nbc", "names.py"]


@pytest.mark.soak
def test_kernels_compiled_twice_differ_in_names_only(compare, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        subprocess.run(
            [sys.executable, "-c", COMPILING],
            cwd=ROOT,
            check=True,
            env={**os.environ, "PAYOFF_SHIP_KERNELS": str(tmp_path / folder)},
        )
    _, but_for_names, differing = compare(tmp_path / "one", tmp_path / "two")
    assert differing == []
    assert len(but_for_names) >= 3
    assert all(name.startswith("core.kernels.sorting/") for name in but_for_names)
