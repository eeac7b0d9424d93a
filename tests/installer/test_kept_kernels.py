"""A build takes over compiled kernels of the one before, but none of a function that has moved."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

FREEZE = Path(__file__).resolve().parents[2] / "installer" / "freeze"
SOURCE = '''"""A module of kernels."""


@own_kernel
def first(a):
    return a


class Made:
    def second(self):
        return 2
'''


def test_only_kernels_of_functions_that_still_begin_there_are_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "path", [str(FREEZE), *sys.path])
    from kept_kernels import take_over

    inside, kept, kernels = tmp_path / "program", tmp_path / "kept", tmp_path / "kernels"
    package, top = kept / "core.parts", kept / "payoff"
    for folder in (inside / "core" / "parts", inside / "payoff", package, top, kernels):
        folder.mkdir(parents=True)
    (inside / "core" / "parts" / "sums.py").write_text(SOURCE, "utf-8")
    (inside / "payoff" / "top.py").write_text(SOURCE, "utf-8")
    wanted = {"sums.first-4.py311", "sums.renamed-4.py311", "sums.Made.second-10.py311"}
    for stem in (*wanted, "sums.first-5.py311"):
        for ending in ("aa.nbc", "bb.nbc"):
            (package / f"{stem}.{ending}").write_bytes(b"x")
    (package / "gone.first-4.py311.aa.nbc").write_bytes(b"x")
    (top / "top.first-4.py311.aa.nbc").write_bytes(b"x")
    take_over(kept, inside, kernels)
    found = {file.relative_to(kernels).as_posix() for file in kernels.rglob("*.nbc")}
    assert found == {"payoff/top.first-4.py311.aa.nbc"} | {
        f"core.parts/{stem}.{ending}" for stem in wanted for ending in ("aa.nbc", "bb.nbc")
    }
    take_over(tmp_path / "nothing", inside, kernels)
    assert len(list(kernels.rglob("*.nbc"))) == len(found)
