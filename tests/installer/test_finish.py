"""The end of a build: a program that compiles on one of its first journeys is not packed."""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

import pytest

FREEZE = Path(__file__).resolve().parents[2] / "installer" / "freeze"
NOTES = 'echo "$NUMBA_CPU_NAME $*" >>"$(dirname "$0")/asked"; echo omp threads\n'
COMPILES = 'mkdir -p "$PAYOFF_CACHE_DIR/kernels"; touch "$PAYOFF_CACHE_DIR/kernels/sums.nbc"\n'


@pytest.fixture
def finish(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "path", [str(FREEZE), *sys.path])
    import finish

    monkeypatch.setattr(finish, "is_x86", lambda: True)
    return finish


def stand_in(folder: Path, code: str) -> Path:
    """A program that notes what it is asked."""
    program = folder / "payoff"
    program.write_text("#!/bin/sh\n" + code, "utf-8")
    program.chmod(0o755)
    return folder


def test_a_program_that_finds_its_kernels_is_taken_on_both_levels(finish, tmp_path: Path) -> None:
    finish.check(stand_in(tmp_path, NOTES))
    requested = (tmp_path / "asked").read_text("utf-8").splitlines()
    assert [line.partition(" ")[0] for line in requested] == ["", "", "", "x86-64-v2", "x86-64-v2"]
    assert "--sample direct-mail --picture" in requested[0]
    assert f"run {tmp_path}/_internal/resources/samples/direct-mail.payoff" in requested[1]
    assert requested[2] == " --self-test"
    assert not any("--picture" in line for line in requested[3:])


def test_what_was_compiled_is_kept_though_the_build_fails(finish, tmp_path: Path) -> None:
    makes = (
        'mkdir -p "$PAYOFF_SHIP_KERNELS/core.sums"; touch "$PAYOFF_SHIP_KERNELS/core.sums/a.nbc"\n'
    )
    program, kept = stand_in(tmp_path, makes + "exit 3\n"), tmp_path / "kept"
    (program / "_internal").mkdir()
    with pytest.raises(SystemExit, match="ended with 3"):
        finish.make_kernels(program, kept)
    assert [path.name for path in kept.rglob("*.nbc")] == ["a.nbc"]


MAKES_TWO = """place="$PAYOFF_SHIP_KERNELS/core.sums"
if [ -f "$place/a.nbc" ]; then touch "$place/a.read"; fi
mkdir -p "$place"; touch "$place/a.nbc" "$place/b.nbc"
if [ "$1" = --warm-up ]; then mkdir -p "$place.parts"; touch "$place.parts/c.nbc"; fi
"""


def test_kernels_that_nobody_reads_are_not_shipped(finish, tmp_path: Path) -> None:
    program, kept = stand_in(tmp_path, MAKES_TWO), tmp_path / "kept"
    (program / "_internal").mkdir()
    finish.make_kernels(program, kept)
    shipped = program / "_internal" / "kernels"
    assert [path.relative_to(shipped).as_posix() for path in sorted(shipped.rglob("*"))] == [
        "core.sums",
        "core.sums/a.nbc",
    ]
    assert sorted(path.name for path in kept.rglob("*.nbc")) == ["a.nbc", "b.nbc", "c.nbc"]


def test_a_program_that_compiles_ends_the_build(finish, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"compiled sums\.nbc"):
        finish.check(stand_in(tmp_path, COMPILES))


def test_a_program_that_fails_ends_the_build(finish, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="ended with 3"):
        finish.check(stand_in(tmp_path, "exit 3\n"))


def test_a_program_without_openmp_ends_the_build(finish, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="lacks 'omp threads'"):
        finish.check(stand_in(tmp_path, "echo workqueue threads\n"))


def library(parts: list[tuple[int, int, int]]) -> bytes:
    """A library of 64 bits; place in the file, address and bytes of each loaded part."""
    head = struct.pack("<16s16xQ14xHH6x", b"\x7fELF", 64, 56, len(parts))
    rows = (struct.pack("<IIQQQQQQ", 1, 4, *row[:2], 0, row[2], row[2], 4096) for row in parts)
    return head + b"".join(rows)


@pytest.mark.skipif(sys.platform != "linux", reason="libraries of Linux")
def test_a_library_that_loses_more_than_symbols_keeps_them(
    finish, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = library([(0, 0, 512), (4096, 8192, 99)])
    damaged = library([(0, 0, 512), (4000, 8192, 0)])
    for name, content in (("good", whole), ("bad", damaged)):
        (tmp_path / f"libpython3.{name}.so").write_bytes(whole + b"symbols")
        (tmp_path / f"libpython3.{name}.so.wanted").write_bytes(content)
    tool = tmp_path / "strip"
    tool.write_text('#!/bin/sh\ncp "$4.wanted" "$3"\n', "utf-8")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(finish, "WITH_SYMBOLS", ("libpython3.*.so",))
    finish.strip_symbols(tmp_path)
    assert (tmp_path / "libpython3.good.so").read_bytes() == whole
    assert (tmp_path / "libpython3.bad.so").read_bytes() == whole + b"symbols"
    assert not list(tmp_path.glob("*.stripped"))
