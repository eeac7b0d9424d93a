"""Whatever a plugin does while it is checked: it is told, ends there, and the exit code says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.engine.options import EngineOptions
from core.engine.plugin_check import check_apart
from core.extensions.authoring import ENTRIES, new_plugin
from payoff.errors import PayoffError
from tests.helpers.factories.plugins import metric_code, write_file_plugin

ROOT = Path(__file__).resolve().parents[4]
pytestmark = pytest.mark.timeout(300)  # each deed is a program that starts

DEEDS = {
    "exit code 0": "import os\nos._exit(0)",
    "exit code 7": "import os\nos._exit(7)",
    "end the program": "import sys\nsys.exit(0)",
    "within 1 seconds": "import time\ntime.sleep(600)",
    "os.fork": "import os\nos.fork()",
    "subprocess.Popen": (
        "import subprocess\ntry:\n    subprocess.Popen(['true'])\nexcept Exception:\n    pass"
    ),
    "a thread left running": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()"
    ),
    "may not write": "open('/tmp/../etc/payoff-was-here', 'w')",
    "numpy.quantile": "import numpy\nnumpy.quantile = None",
}
if os.name == "posix":
    DEEDS["SIGSEGV"] = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"
    DEEDS["GB of memory"] = (
        "import time\nheld = []\n"
        "for _ in range(600):\n    held.append(bytearray(b'x' * 20_000_000))\n    time.sleep(0.02)"
    )


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("reported", DEEDS)
def test_what_a_plugin_did_is_told(tmp_path: Path, reported: str) -> None:
    code = metric_code(imports=DEEDS[reported])
    path = write_file_plugin(tmp_path / "own.py", code, "org.example.own")
    options = EngineOptions(
        plugin_seconds=1.0 if "seconds" in reported else 60.0, plugin_bytes=500_000_000
    )
    sheet = check_apart(path, options)
    assert not sheet.passed
    assert reported in " ".join(result.found for result in sheet.failures)
    assert not Path("/etc/payoff-was-here").exists()


def test_a_sound_plugin_has_the_sheet_that_it_has_elsewhere(tmp_path: Path) -> None:
    from core.extensions import check_plugin_files

    path = write_file_plugin(tmp_path / "own.py", metric_code(), "org.example.own")
    assert check_apart(path) == check_plugin_files(path)


def test_a_plugin_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PayoffError, match="no such plugin"):
        check_apart(tmp_path / "nowhere.py")


def test_a_script_goes_on_whatever_the_plugin_did_to_it(tmp_path: Path) -> None:
    """The script has no guard around its first lines either: no child runs it again."""
    path = write_file_plugin(tmp_path / "own.py", metric_code(imports=DEEDS["exit code 7"]), "a.b")
    ends = write_file_plugin(
        tmp_path / "np.py", metric_code(imports=DEEDS["numpy.quantile"]), "a.c"
    )
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy, payoff\n"
        "print('begun')\n"
        f"print(payoff.check_plugin({str(path)!r}).failures[0].found)\n"
        f"print(payoff.check_plugin({str(ends)!r}).passed, callable(numpy.quantile))\n"
    )
    found = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=200, check=False
    )
    assert found.returncode == 0, found.stderr
    first, why, last = found.stdout.splitlines()
    assert first == "begun"
    assert "exit code 7" in why
    assert last == "False True"


def test_packing_runs_no_plugin_in_its_own_process(tmp_path: Path) -> None:
    own = new_plugin("metric", "Own", tmp_path)
    module = own / f"{ENTRIES['metric']}.py"
    module.write_text(f"{module.read_text('utf-8')}\nimport os\nos._exit(0)\n", "utf-8")
    found = subprocess.run(
        [
            sys.executable,
            str(ROOT / "main.py"),
            "pack-plugin",
            str(own),
            "--out",
            str(tmp_path / "a.zip"),
        ],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert found.returncode != 0
    assert "is not packed" in found.stderr
    assert not (tmp_path / "a.zip").exists()
