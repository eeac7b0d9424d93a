"""A run over parts that was killed or stopped goes on from what its tasks left: same digits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.document.model import Document
from core.engine.context import JOURNALS
from core.engine.local import LocalEngine
from core.scale import kept
from core.scale.kept import kept_budget, kept_folder
from payoff.errors import PayoffError, StoppedError
from tests.core.scale.killed_run import QUESTIONS, READ, asked
from tests.core.scale.parts import coarse_cases, write_parts

pytestmark = pytest.mark.timeout(400)  # the first call compiles

PARTS = 8
LEFT = 3  # tasks that are done before the kill


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    arm = np.arange(263_000) % 2
    cases = coarse_cases(263_000).append_column("arm", [arm])
    return write_parts(cases, tmp_path_factory.mktemp("parts") / "scored", PARTS)


def digits(kind: str, engine: LocalEngine, document: Document) -> str:
    """Figures of an answer, to the last digit."""
    found: Any = engine.ask(document, QUESTIONS[kind])
    if kind == "compare":
        return repr(found.cells)
    if kind == "decide":
        return repr([(m.total, m.best_depth, m.profit.tobytes()) for m in found.models])
    return repr([(m.choice, [row.measured for row in m.variants]) for m in found.models])


@pytest.fixture(scope="module")
def fresh(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[LocalEngine, Document]:
    """An engine whose session holds nothing of a former run."""
    return asked(folder, tmp_path_factory.mktemp("fresh"))


def killed(kind: str, folder: Path, session: Path) -> None:
    """A process is killed midway."""
    words = [kind, str(folder), str(session), str(LEFT)]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.core.scale.killed_run", *words],
        capture_output=True,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()


def stopped(kind: str, folder: Path, session: Path) -> None:
    """Stop is pressed midway."""
    engine, document = asked(folder, session)

    def has_read() -> bool:
        return len(list(session.glob(f"{JOURNALS}/payoff-run-*/{READ[kind]}-*"))) >= LEFT

    with pytest.raises(StoppedError):
        engine.ask(document, QUESTIONS[kind], should_stop=has_read)


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        ("compare", killed),
        ("decide", stopped),
        pytest.param("uplift", killed, marks=pytest.mark.soak),
    ],
)
def test_a_run_goes_on(
    kind: str,
    ends: Callable[[str, Path, Path], None],
    folder: Path,
    fresh: tuple[LocalEngine, Document],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept, "WORTH_KEEPING", 0.0)
    ends(kind, folder, tmp_path)
    (left,) = (tmp_path / JOURNALS).glob("payoff-run-*")
    assert list(left.glob(f"{READ[kind]}-*"))
    done: Counter[str] = Counter()
    run = kept.run_and_keep

    def counted(keeping: Any) -> Any:
        done[keeping.function.__name__] += 1
        return run(keeping)

    monkeypatch.setattr(kept, "run_and_keep", counted)
    there = digits(kind, *asked(folder, tmp_path))
    assert 0 < done[READ[kind]] <= PARTS - LEFT
    assert not list((tmp_path / JOURNALS).glob("payoff-run-*"))  # it is done: nothing is kept
    monkeypatch.undo()
    assert digits(kind, *fresh) == there


def ending_with(reason: Exception, parent: Path, question: str) -> Path:
    """The folder of a run that ends so."""
    found: list[Path | None] = []

    def run() -> None:
        with kept_folder(parent, question) as folder:
            found.append(folder)
            raise reason

    with pytest.raises(type(reason)):
        run()
    assert found[0] is not None
    return found[0]


def test_what_ends_midway_stays_and_what_is_refused_goes(tmp_path: Path) -> None:
    stopped = ending_with(StoppedError(), tmp_path, "a question")
    assert stopped.is_dir()
    with kept_folder(tmp_path, "another") as other:
        assert other not in (None, stopped)
        with kept_folder(tmp_path, "another") as taken:
            assert taken is None  # two runs never write into one folder
    assert ending_with(PayoffError("A part cannot be read."), tmp_path, "a question") == stopped
    assert not list(tmp_path.iterdir())
    for number in range(9):
        ending_with(StoppedError(), tmp_path, f"question {number}")
    assert len(list(tmp_path.iterdir())) == kept.MOST_RUNS


def test_a_run_goes_on_with_about_the_memory_it_began_with(tmp_path: Path) -> None:
    assert kept_budget(tmp_path, 4_000) == 4_000
    assert kept_budget(tmp_path, 3_500) == 4_000
    assert kept_budget(tmp_path, 9_000) == 4_000
    assert kept_budget(tmp_path, 2_000) == 2_000
    assert kept_budget(tmp_path, 2_100) == 2_000


def test_a_damaged_summary_is_worked_out_again(tmp_path: Path) -> None:
    path = tmp_path / "first_read-1"
    assert kept.read_kept(path) is None
    path.write_bytes(b"no pickle")
    assert kept.read_kept(path) is None


@pytest.mark.skipif(os.name != "posix", reason="Windows has lists of rights instead of modes")
def test_nothing_is_read_back_from_a_folder_that_others_can_write_into(tmp_path: Path) -> None:
    with kept_folder(tmp_path, "a question") as own:
        assert own is not None
        assert own.stat().st_mode & 0o077 == 0
    for mode in (0o770, 0o707):
        own.mkdir()
        own.chmod(mode)
        with kept_folder(tmp_path, "a question") as others:
            assert others is None
        own.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    own.symlink_to(tmp_path / "elsewhere")
    with kept_folder(tmp_path, "a question") as linked:
        assert linked is None
