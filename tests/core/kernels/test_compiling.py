"""Compiling plugin kernels: helpers, the stamp of every file reached, the disk cache."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import payoff
from core.kernels import cache, compile_kernel, draws, sorting
from core.kernels.cache import source_stamp
from payoff.errors import PayoffError

ROOT = Path(__file__).resolve().parents[3]

HELPERS = """
import payoff

FACTOR = 2.0

@payoff.kernel(shape="helper")
def scaled(x):
    return FACTOR * x
"""

PLUGIN = """
import payoff
import {helpers} as tools
from {helpers} import scaled

@payoff.kernel(shape="helper")
def shifted(x):
    return scaled(x) + 1.0

@payoff.kernel(shape="elementwise")
def fill(values, out, start, stop):
    for i in range(start, stop):
        out[i] = shifted(values[i]) + tools.scaled(values[i]) * 0.0
"""

PROGRAM = """
import importlib.util, json, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import mail_plugin
from core.kernels import cache_hits, compile_kernel, group_ends

out = np.zeros(3)
compile_kernel(mail_plugin.fill)(np.arange(3.0), out, 0, 3)
group_ends(np.arange(3, dtype=np.uint32), np.arange(3.0))
counts = cache_hits()
print(json.dumps({"out": out.tolist(), "hits": counts.hits, "compiled": counts.compiled}))
"""

AT_ONCE = """
import json, sys, time
from pathlib import Path
import numpy as np
sys.path.insert(0, sys.argv[1])
import mail_plugin
from core.kernels import cache_hits, compile_kernel

fill = compile_kernel(mail_plugin.fill)
Path(sys.argv[1], f"ready.{sys.argv[2]}").touch()
while len(list(Path(sys.argv[1]).glob("ready.*"))) < int(sys.argv[3]):
    time.sleep(0.001)
for values in sys.argv[4].split(","):
    for out in ("f8", "f4"):
        fill(np.arange(3).astype(values), np.zeros(3, out), 0, 3)
print(json.dumps(cache_hits().compiled))
"""


def start_program(folder, cache_folder):
    """Run the program in a process of its own, with a cache folder of its own."""
    environment = dict(os.environ, PAYOFF_CACHE_DIR=str(cache_folder), PYTHONPATH=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=110,
        check=True,
    )
    return json.loads(done.stdout)


def write_plugin(folder):
    (folder / "mail_helpers.py").write_text(HELPERS)
    (folder / "mail_plugin.py").write_text(PLUGIN.format(helpers="mail_helpers"))


def test_second_start_compiles_nothing_and_a_changed_helper_is_noticed(tmp_path):
    write_plugin(tmp_path)
    first = start_program(tmp_path, tmp_path / "cache")
    assert first["out"] == [1.0, 3.0, 5.0]
    assert first["compiled"] > 0
    second = start_program(tmp_path, tmp_path / "cache")
    assert second["out"] == first["out"]
    assert second["compiled"] == 0
    assert second["hits"] > 0
    helpers = tmp_path / "mail_helpers.py"
    helpers.write_text(HELPERS.replace("2.0", "3.0"))
    third = start_program(tmp_path, tmp_path / "cache")
    assert third["out"] == [1.0, 4.0, 7.0]
    assert third["compiled"] > 0


@pytest.mark.soak
def test_processes_that_compile_at_once_lose_nothing(tmp_path):
    """Each for arguments of its own: a third process that uses all of them compiles nothing."""
    write_plugin(tmp_path)

    def start(number, of, kinds):
        return subprocess.Popen(
            [sys.executable, "-c", AT_ONCE, str(tmp_path), str(number), str(of), kinds],
            env=dict(os.environ, PAYOFF_CACHE_DIR=str(tmp_path / "cache"), PYTHONPATH=str(ROOT)),
            stdout=subprocess.PIPE,
        )

    kinds = ("f8,f4,i8,i4", "u8,u4,i2,u2", "i1,u1,b1")
    running = [start(number, len(kinds), mine) for number, mine in enumerate(kinds)]
    made = [json.loads(process.communicate(timeout=100)[0]) for process in running]
    assert min(made) > 0
    assert not list(tmp_path.rglob("*.tmp"))
    again = start(len(kinds), 1, ",".join(kinds))
    assert json.loads(again.communicate(timeout=100)[0]) == 0


@pytest.mark.soak
def test_damaged_cache_files_are_compiled_again(tmp_path):
    write_plugin(tmp_path)
    folder = tmp_path / "cache"
    first = start_program(tmp_path, folder)
    damaged = list(folder.rglob("*.nbc"))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:40])
    second = start_program(tmp_path, folder)
    assert second["out"] == first["out"]
    assert second["compiled"] == first["compiled"]


def test_a_cache_folder_that_cannot_be_made_falls_back(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("PAYOFF_CACHE_DIR", str(blocked))
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    cache.kernel_cache_folder.cache_clear()
    try:
        folder = cache.kernel_cache_folder()
        assert folder is not None
        assert tmp_path in folder.parents
        assert folder.stat().st_mode & 0o077 == 0
    finally:
        cache.kernel_cache_folder.cache_clear()


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_stamp_covers_every_file_reached_and_constants_taken(tmp_path, monkeypatch):
    write_plugin(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    plugin = load(tmp_path / "mail_plugin.py")
    before = source_stamp(plugin.fill)
    helpers = tmp_path / "mail_helpers.py"
    helpers.write_text(HELPERS + "\n# a remark\n")
    changed = source_stamp(plugin.fill)
    assert changed != before
    helpers.write_text(HELPERS)
    assert source_stamp(plugin.fill) == before
    monkeypatch.setattr(sys.modules["mail_helpers"], "FACTOR", 4.0)
    assert source_stamp(plugin.fill) != before
    monkeypatch.delitem(sys.modules, "mail_helpers")


def test_sources_of_the_program_are_read_once_for_all_of_their_kernels(monkeypatch):
    read = []
    content = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or content(path))
    cache._read_once.cache_clear()
    for kernel in (sorting.fill_descending_keys, sorting._order_run, draws.philox):
        source_stamp(kernel.py_func)
    assert len(read) == len(set(read)) > 1


@payoff.kernel(shape="helper")
def _half(x):
    return x / 2.0


@payoff.kernel(shape="elementwise")
def halve(values, out, start, stop):
    for i in range(start, stop):
        out[i] = _half(values[i])


@payoff.kernel(shape="helper")
def endless(x):
    return endless(x)


def test_compiled_kernel_answers_like_the_plain_one_and_leaves_it_alone():
    values = np.linspace(-1.0, 1.0, 50)
    plain, compiled = np.zeros(50), np.zeros(50)
    halve(values, plain, 0, 50)
    kernel = compile_kernel(halve)
    kernel(values, compiled, 0, 50)
    assert np.array_equal(plain, compiled)
    assert compile_kernel(halve) is kernel
    assert not hasattr(_half, "py_func")


def test_refusals():
    def unmarked(x):
        return x

    @payoff.kernel(shape="helper")
    def inner(x):
        return x

    @payoff.kernel(shape="helper")
    def closing(x):
        return inner(x)

    with pytest.raises(PayoffError, match="not a kernel"):
        compile_kernel(unmarked)
    with pytest.raises(PayoffError, match="closure"):
        compile_kernel(closing)
    with pytest.raises(PayoffError, match="calls itself"):
        compile_kernel(endless)
