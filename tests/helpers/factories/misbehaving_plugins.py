"""Plugins that go wrong in every way that mistakes make: written one by one into a folder.

``KINDS`` says of each what it does and when: at its import (code of the module), in its check, or
in use, on more than 500 cases. What becomes of it: ``FATE`` words that its reason must hold, and
whether the engine has to be ended for it.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.factories.plugins import GENERAL, metric_source, write_file_plugin

IMPORT, CHECK, USE = "import", "check", "use"

_COMPUTE = """\
import ctypes, locale, os, shutil, signal, socket, subprocess, sys, threading, time, warnings

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
{at_import}

def misbehave(sample):
    miss = np.abs(sample.outcome - sample.posteriors[0])
{in_use}
    return float((sample.weight * miss).sum() / sample.weight.sum())


def compute(sample, parameters):
    if len(sample) > {most}:
        return misbehave(sample)
    miss = np.abs(sample.outcome - sample.posteriors[0])
    return float((sample.weight * miss).sum() / sample.weight.sum())
"""


@dataclass(frozen=True)
class Kind:
    """One kind of misbehaviour.

    ``is_deadly``: the engine dies of it or must be ended. ``words``: one of them stands in the
    reason that the user is told. ``in_suite``: False where it goes the way of another kind, which
    the suite tries; the long run tries both.
    """

    code: str
    moment: str = USE
    is_deadly: bool = False
    words: tuple[str, ...] = ()
    api: str = ">=1,<2"
    in_suite: bool = True


SEGFAULT = "ctypes.string_at(0)"
KINDS: dict[str, Kind] = {
    # at import
    "import_raises": Kind("raise RuntimeError('broken')", IMPORT, words=("broken",)),
    "import_error": Kind("import no_such_package", IMPORT, words=("no_such_package",)),
    "syntax_error": Kind("def (:", IMPORT, words=("SyntaxError",)),
    "wrong_api": Kind("", IMPORT, words=("needs plugin contract",), api=">=2,<3"),
    "import_exits": Kind("sys.exit(0)", IMPORT, words=("end the program",)),
    "import_interrupts": Kind("raise KeyboardInterrupt", IMPORT, words=("KeyboardInterrupt",)),
    "import_ends": Kind("os._exit(0)", IMPORT, True, ("exit code 0",)),
    "import_hangs": Kind("while True: pass", IMPORT, True, ("did not come back",)),
    "changes_folder": Kind("os.chdir('/')", IMPORT, words=("the working folder",)),
    "changes_locale": Kind(
        "locale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')", IMPORT, words=("the locale",)
    ),
    "changes_seed": Kind("np.random.seed(1)", IMPORT, words=("random numbers",)),
    # in its check
    "unweighted": Kind("return float(miss.mean())", CHECK, words=("Weight 2 equals a row twice",)),
    "mutates": Kind("sample.weight[0] += 1.0", CHECK, words=("Same answer again", "left as it")),
    "wrong_order": Kind("return float(miss[0])", CHECK, words=("Row order",)),
    # in use
    "raises": Kind("raise ValueError('no idea')", words=("no idea",)),
    "recurses": Kind("misbehave(sample)", words=("recursion",)),
    "exits": Kind("sys.exit(3)", words=("end the program",)),
    "gives_nan": Kind("return float('nan')", words=("undefined", "not defined", "missing")),
    "gives_text": Kind("return 'seven'", words=("gave str",)),
    "wrong_length": Kind("return np.ones(3)", words=("number", "scalar", "size", "length")),
    "changes_environment": Kind("os.environ['PATH'] = ''", words=("environment",)),
    "prints_much": Kind("for _ in range(1024): print('x' * 1_048_576)", words=("prints too much",)),
    "starts_program": Kind("subprocess.run([sys.executable, '-V'])", words=("other programs",)),
    "fork_bomb": Kind("while True: os.fork()", words=("other programs",)),
    "uses_network": Kind("socket.create_connection(('127.0.0.1', 9))", words=("the network",)),
    "deletes_folder": Kind("shutil.rmtree(HERE)", words=("may not write or delete",)),
    "ends": Kind("os._exit(0)", is_deadly=True, words=("exit code 0",)),
    "kills_itself": Kind(
        "os.kill(os.getpid(), signal.SIGKILL)", is_deadly=True, words=("SIGKILL",), in_suite=False
    ),
    "segfaults": Kind(SEGFAULT, is_deadly=True, words=("SIGSEGV",)),
    "aborts": Kind("os.abort()", is_deadly=True, words=("SIGABRT",), in_suite=False),
    "loops": Kind("while True: pass", is_deadly=True, words=("did not come back",)),
    "sleeps": Kind(
        "time.sleep(3600)", is_deadly=True, words=("did not come back",), in_suite=False
    ),
    "eats_memory": Kind(
        "kept = []\nwhile True:\n    kept.append(np.ones(4_000_000)); time.sleep(0.01)",
        # On a busy machine its time may be over before it has taken too much.
        is_deadly=True,
        words=("GB of memory", "did not come back"),
    ),
    "writes_on_pipes": Kind(
        "for place in range(3, 60):\n"
        "    try: os.write(place, b'Welcome to our plugin!' * 3)\n"
        "    except OSError: pass\n"
        "time.sleep(3600)",
        is_deadly=True,
        words=("written into its pipe", "did not come back"),
        in_suite=False,
    ),
    "closes_pipes": Kind(
        "os.closerange(3, 200)\nos._exit(1)", is_deadly=True, words=("exit code",), in_suite=False
    ),
}


def write(folder: Path, kind: str, name: str = "") -> Path:
    """Write the plugin of a kind, as ``org.example.<name>`` with the metric ``<name>``."""
    entry = KINDS[kind]
    at_import = entry.code if entry.moment == IMPORT else ""
    in_use = textwrap.indent(entry.code, "    ") if entry.moment != IMPORT else ""
    most = 0 if entry.moment == CHECK else 500
    compute = _COMPUTE.format(at_import=at_import, in_use=in_use, most=most)
    return write_file_plugin(
        folder / f"{name or kind}.py",
        metric_source(name or kind, compute, form=GENERAL),
        f"org.example.{name or kind}",
        api=entry.api,
    )
