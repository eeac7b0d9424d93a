"""Kernels that come with the program: made once, read by a program elsewhere, never when stale."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from llvmlite import binding

from core.kernels import before_numba

IS_X86 = platform.machine().lower() in {"x86_64", "amd64"}
OLDER = {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": ""}
ROOT = Path(__file__).resolve().parents[3]
SOURCE = """
from payoff.kernels import kernel

@kernel(shape="elementwise")
def doubled(values, out, start, stop):
    for place in range(start, stop):
        out[place] = FACTOR * values[place]
"""
# A program of its own in a folder: the rooms it needs, and a kernel in plugins/.
PROGRAM = """
import json, sys
sys.frozen = True
sys.path.insert(0, sys.argv[1])
import numpy as np
from core.kernels import IS_PORTABLE, cache_hits, compile_kernel
from plugins.doubling import doubled
out = np.zeros(3)
compile_kernel(doubled)(np.arange(3.0), out, 0, 3)
counts = cache_hits()
print(json.dumps([out.tolist(), counts.hits, counts.compiled, IS_PORTABLE]))
"""


def make_program(folder: Path, factor: float) -> Path:
    for package in ("kernels", "document", "diagnostics"):
        shutil.copytree(ROOT / "core" / package, folder / "core" / package)
    shutil.copy(ROOT / "core" / "settings.py", folder / "core" / "settings.py")
    (folder / "core" / "__init__.py").write_text("")
    shutil.copytree(ROOT / "payoff", folder / "payoff")
    (folder / "plugins").mkdir()
    (folder / "plugins" / "__init__.py").write_text("")
    write_kernel(folder, factor)
    return folder


def write_kernel(folder: Path, factor: float) -> None:
    text = SOURCE.replace("FACTOR", str(factor))
    (folder / "plugins" / "doubling.py").write_text(text)


def run(folder: Path, cache: Path, **settings: str):
    environment = {**os.environ, "PAYOFF_CACHE_DIR": str(cache)}
    for name in OLDER:
        environment.pop(name, None)
    environment |= settings
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
        cwd=folder,
    )
    return json.loads(done.stdout)


@pytest.mark.soak
def test_shipped_kernels_serve_any_place_and_never_a_changed_source(tmp_path: Path) -> None:
    first = make_program(tmp_path / "first", 2.0)
    shipped = first / "kernels"
    out, hits, compiled, is_portable = run(first, tmp_path / "c0", PAYOFF_SHIP_KERNELS=str(shipped))
    assert (out, hits, compiled) == ([0.0, 2.0, 4.0], 0, 1)
    if not is_portable:
        pytest.skip("this processor has no level that kernels are shipped for")
    assert [place.name for place in shipped.iterdir()] == ["plugins"]
    if IS_X86:  # kernels for an older processor lie beside them
        run(first, tmp_path / "c0", PAYOFF_SHIP_KERNELS=str(shipped), **OLDER)
    elsewhere = shutil.copytree(first, tmp_path / "elsewhere")
    assert run(elsewhere, tmp_path / "c1") == [[0.0, 2.0, 4.0], 1, 0, True]
    if IS_X86:
        assert run(elsewhere, tmp_path / "c1", **OLDER) == [[0.0, 2.0, 4.0], 1, 0, False]
        # What Windows hands on of that to a process: there an empty variable is none.
        named = {name: value for name, value in OLDER.items() if value}
        assert run(elsewhere, tmp_path / "c1", **named) == [[0.0, 2.0, 4.0], 1, 0, True]
        # A processor that is no level of ours stays the user's.
        other = run(elsewhere, tmp_path / "c0", NUMBA_CPU_NAME="nehalem")
        assert other == [[0.0, 2.0, 4.0], 0, 1, False]
    # A changed constant changes the result: the shipped kernel is not taken, nor mended.
    write_kernel(elsewhere, 5.0)
    assert run(elsewhere, tmp_path / "c1") == [[0.0, 5.0, 10.0], 0, 1, True]
    assert run(elsewhere, tmp_path / "c1") == [[0.0, 5.0, 10.0], 1, 0, True]
    # A damaged shipped kernel costs compiling, no more.
    write_kernel(elsewhere, 2.0)
    for file in (elsewhere / "kernels").rglob("*.nbc"):
        file.write_bytes(b"damaged")
    assert run(elsewhere, tmp_path / "c2") == [[0.0, 2.0, 4.0], 0, 1, True]


def test_a_build_marks_the_kernels_that_it_reads(tmp_path: Path) -> None:
    program = make_program(tmp_path / "program", 2.0)
    shipped = program / "kernels"
    run(program, tmp_path / "cache", PAYOFF_SHIP_KERNELS=str(shipped))
    assert not list(shipped.rglob("*.read"))
    run(program, tmp_path / "cache", PAYOFF_SHIP_KERNELS=str(shipped))
    (mark,) = shipped.rglob("*.read")
    assert mark.with_suffix(".nbc").is_file()


V2 = {"cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2"}
V3 = V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}


@pytest.mark.parametrize(
    ("has", "level"),
    [
        (V3 | {"avx512f"}, "x86-64-v3"),
        (V2 | {"avx"}, "x86-64-v2"),
        (V3 - {"bmi2"}, "x86-64-v2"),
        (V2 - {"sse4.2"}, None),
    ],
)
def test_a_processor_takes_the_best_level_it_has(
    monkeypatch: pytest.MonkeyPatch, has: set[str], level: str | None
) -> None:
    features = {name: name in has for name in V3 | {"avx512f"}}
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    assert before_numba.best_level(before_numba._OF_X86) == level


def test_the_source_tree_ships_nothing() -> None:
    assert before_numba.shipped_folder() is None
    assert before_numba.shipped_place(str(ROOT / "core" / "kernels" / "sorting.py")) is None
