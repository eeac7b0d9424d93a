"""The same pieces on workers of a Dask cluster: the same digits, and refusals that name workers."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import distributed
import numpy as np
import pyarrow as pa
import pytest

import payoff
from core.kernels import cluster as cluster_module
from core.kernels.cluster import ClusterRunner, refuse_other, worker_facts
from core.script import session
from core.script.command_line.arguments import verb_parser
from core.script.command_line.cluster_verbs import run_cluster_verb
from core.script.command_line.verbs import run_verb
from payoff.errors import PayoffError
from tests.core.scale.decisions import KINDS, decision_figures, pieces
from tests.core.scale.parts import (
    coarse_cases,
    digits,
    scored_cases,
    uplift_digits,
    write_parts,
)
from tests.helpers.cluster import client_of_two_workers
from tests.helpers.factories.plugins import metric_code, write_plugin

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of the cluster's own making
    pytest.mark.timeout(400),  # workers compile no kernel, but start slowly
]
EVALUATED: dict[str, Any] = {
    "outcome": "outcome",
    "scores": ["first", "second"],
    "metrics": ["auc", "ks", "log_loss"],
    "resamples": 32,
}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with client_of_two_workers() as found:
        yield found


@pytest.fixture(scope="module")
def cases(few_rows_are_held: None) -> pa.Table:
    """One score of which no two cases are alike, and one of a hundred values, of few tasks."""
    made = scored_cases(27_000)
    rounded = np.round(made["second"].to_numpy(), 2)
    return made.set_column(made.column_names.index("second"), "second", pa.array(rounded))


@pytest.fixture(scope="module")
def folder(cases: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(cases, tmp_path_factory.mktemp("twelve") / "parts", 12, 2_000)


@pytest.mark.soak
def test_two_workers_give_the_digits_of_threads(client: Any, folder: Path) -> None:
    here = payoff.evaluate(folder, **EVALUATED)
    assert digits(payoff.evaluate(folder, dask=client, **EVALUATED)) == digits(here)
    kind = KINDS["three decisions, priors"]
    there = pieces(folder, dask=client, **kind)
    assert decision_figures(there) == decision_figures(pieces(folder, **kind))


@pytest.mark.soak
def test_a_cluster_is_named_by_its_address(
    client: Any, tmp_path: Path, few_rows_are_held: None
) -> None:
    folder = write_parts(coarse_cases(27_000), tmp_path / "parts", 3)
    asked = {**EVALUATED, "scores": "first"}
    there = payoff.evaluate(folder, dask=client.scheduler.address, **asked)
    assert digits(there) == digits(payoff.evaluate(folder, **asked))


@pytest.mark.soak
def test_uplift_on_workers(client: Any, cases: pa.Table, tmp_path: Path) -> None:
    arm = pa.array([row % 2 for row in range(cases.num_rows)])
    folder = write_parts(cases.append_column("arm", arm), tmp_path / "parts", 5, 2_000)
    requested: dict[str, Any] = {
        "outcome": "outcome",
        "treatment": "arm",
        "scores": ["fine", "coarse"],
        "event": "yes",
        "treated": 1,
        "control": 0,
    }
    requested["scores"] = {"fine": "first", "coarse": "second"}
    here, there = (
        payoff.uplift(folder, **requested),
        payoff.uplift(folder, dask=client, **requested),
    )
    assert uplift_digits(there) == uplift_digits(here)


@pytest.mark.soak
def test_a_killed_worker_changes_no_digit(
    client: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = payoff.evaluate(folder, **EVALUATED)
    workers = client.run(os.getpid)
    killed = threading.Event()
    submit = ClusterRunner.submit

    def submit_and_kill(self: ClusterRunner, function: Any, task: Any) -> Any:
        found = submit(self, function, task)
        if function.__name__ == "first_read" and not killed.is_set():
            killed.set()
            os.kill(next(iter(workers.values())), signal.SIGKILL)
        return found

    monkeypatch.setattr(ClusterRunner, "submit", submit_and_kill)
    there = payoff.evaluate(folder, dask=client, **EVALUATED)
    assert killed.is_set()
    assert digits(there) == digits(here)


def test_a_file_that_a_worker_does_not_see_is_named(
    client: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.wait_for_workers(2)
    monkeypatch.setattr(ClusterRunner, "on_every_worker", _one_elsewhere)
    with pytest.raises(PayoffError, match="does not see a file") as refusal:
        payoff.evaluate(folder, dask=client, **EVALUATED)
    assert "part-00000.parquet" in refusal.value.where
    assert "worker tcp://127.0.0.1:" in refusal.value.where


_asked = ClusterRunner.on_every_worker


def _one_elsewhere(self: ClusterRunner, function: Any, *given: Any) -> dict[str, Any]:
    """As if the part were missing on every worker: asked for under a name that is not there."""
    if function is cluster_module.first_unseen:
        files, see = given
        if not isinstance(files[0], str):
            from dataclasses import replace

            given = (tuple(replace(part, path=f"/elsewhere{part.path}") for part in files), see)
    return _asked(self, function, *given)


def test_other_versions_are_refused_with_both_named(
    client: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = worker_facts()
    for name, words in (("Payoff", "another Payoff"), ("arithmetic", "rounds in another way")):
        other = own | {name: "other-than-theirs"}
        monkeypatch.setattr(cluster_module, "worker_facts", lambda other=other: other)
        monkeypatch.setattr(
            ClusterRunner, "on_every_worker", lambda *_given: {"tcp://worker:1": own}
        )
        with pytest.raises(PayoffError, match=words) as refusal:
            payoff.evaluate(folder, dask=client, **EVALUATED)
        assert "tcp://worker:1" in refusal.value.where
        assert own[name] in refusal.value.where
        assert "other-than-theirs" in refusal.value.where
    with pytest.raises(PayoffError, match="another numba"):
        refuse_other("tcp://worker:1", "numba", "0.1", "0.2")


def test_a_worker_that_is_lost_while_all_are_asked_is_left_out(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.wait_for_workers(2)
    run = client.run
    with ClusterRunner(client) as runner:
        lost = {"tcp://192.0.2.1:9": OSError("Timed out trying to connect")}
        monkeypatch.setattr(client, "run", lambda *given, **named: run(*given, **named) | lost)
        assert list(runner.on_every_worker(os.getpid)) == list(run(os.getpid))
        silent = next(iter(run(os.getpid)))
        monkeypatch.setattr(client, "run", lambda *_given, **_named: {silent: OSError("silence")})
        monkeypatch.setattr(cluster_module, "LOST_WITHIN", 0)
        with pytest.raises(PayoffError, match="A worker does not answer") as refusal:
            runner.on_every_worker(os.getpid)
        assert silent in refusal.value.where


def _lose(address: str) -> None:
    """Lose a scheduler, and hear of it in the words of the system."""
    with ClusterRunner(address) as runner:
        runner.client.close()
        raise OSError("Timed out trying to connect")


@pytest.mark.soak
def test_what_ends_the_work_of_a_cluster_is_said(client: Any) -> None:
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker, NoWorkerError

    killed = SimpleNamespace(address="tcp://192.0.2.1:9")
    for reason, words in (
        (FutureCancelledError("read-1", "scheduler-connection-lost"), "The cluster was lost"),
        (CommClosedError("ConnectionPool closing."), "The cluster was lost"),
        (KilledWorker("read-1", killed, 3), "ended every worker.*192.0.2.1"),
        (NoWorkerError("read-1", 60), "lost its last worker"),
    ):
        with pytest.raises(PayoffError, match=words), ClusterRunner(client):
            raise reason
    with pytest.raises(ZeroDivisionError), ClusterRunner(client):
        raise ZeroDivisionError
    with pytest.raises(PayoffError, match="The cluster was lost"):
        _lose(client.scheduler.address)
    with ClusterRunner(client.scheduler.address):  # the library's own lines are not wanted, too
        assert not logging.getLogger("distributed.utils").isEnabledFor(logging.ERROR)


@pytest.mark.soak
def test_what_is_taken_back_has_ended_before_its_folder_goes(client: Any, tmp_path: Path) -> None:
    with ClusterRunner(client) as runner:
        futures = [runner.submit(_hold, str(tmp_path / name)) for name in ("one", "two", "three")]
        while not list(tmp_path.glob("*.begun")):
            time.sleep(0.01)
        threading.Timer(0.3, (tmp_path / "go").touch).start()
        runner.cancel(futures)
        begun, done = ({path.stem for path in tmp_path.glob(f"*.{e}")} for e in ("begun", "done"))
        assert begun == done
        runner.cancel(futures)  # again: nothing is waited for


def _hold(place: str) -> None:
    """A task that is under way until it is let go, and then still writes."""
    path = Path(place)
    path.with_suffix(".begun").touch()
    while not path.with_name("go").exists():
        time.sleep(0.01)
    path.with_suffix(".done").touch()


def test_nothing_there_is_said(folder: Path) -> None:
    with pytest.raises(PayoffError, match="scheduler does not answer"):
        payoff.evaluate(folder, dask="tcp://127.0.0.1:9", **EVALUATED)
    with pytest.raises(PayoffError, match="No cluster is named"):
        payoff.evaluate(folder, dask="", **EVALUATED)
    with pytest.raises(PayoffError, match="nobody without a certificate") as refusal:
        payoff.evaluate(folder, dask="tls://127.0.0.1:9", **EVALUATED)
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in refusal.value.remedy


@pytest.mark.soak
def test_work_that_a_worker_cannot_take_is_refused(client: Any) -> None:
    with ClusterRunner(client) as runner, pytest.raises(PayoffError, match="lacks what"):
        runner.submit(_identity, _Elsewhere())


def _identity(task: Any) -> Any:
    return task


class _Elsewhere:
    """Pickled as something of a module that only this process has."""

    def __reduce__(self) -> Any:
        return _of_a_plugin, (os.getpid(),)


def _of_a_plugin(home: int) -> Any:
    if os.getpid() != home:
        raise ModuleNotFoundError("No module named 'a_plugin'")
    return _Elsewhere()


@pytest.mark.soak
def test_scores_from_parts_to_parts(client: Any, folder: Path, tmp_path: Path) -> None:
    client.wait_for_workers(2)
    model = payoff.boost(
        scored_cases(3_000),
        target="outcome",
        features=["first"],
        n_trees=5,
        distribution="bernoulli",
    )
    for name, dask in (("here", None), ("there", client)):
        payoff.predict_to_parts(model, folder, tmp_path / name, keep=["region"], dask=dask)
    record = (tmp_path / "here" / "_record.json").read_text("utf-8")
    assert (tmp_path / "there" / "_record.json").read_text("utf-8") == record


@pytest.mark.soak
def test_the_program_is_its_own_cluster(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [sys.executable, "-m", "payoff"]
    with _told([*words, "scheduler", "--port", "0"]) as (_, said):
        address = said.split()[-1]
        assert address.startswith("tcp://127.0.0.1:")
        with _told([*words, "worker", address, "--threads", "1", "--memory", "1 GB"]) as (own, _):
            assert _listening(own.pid) == {"127.0.0.1"}
            asked = ["evaluate", str(folder), "--outcome", "outcome", "--score", "first"]
            asked += ["--metric", "auc", "--no-intervals"]
            assert run_verb(verb_parser().parse_args(asked)) == 0
            here = json.loads(capsys.readouterr().out)
            assert run_verb(verb_parser().parse_args([*asked, "--cluster", address])) == 0
            there = json.loads(capsys.readouterr().out)
    assert there["metrics"] == here["metrics"]


def _listening(pid: int) -> set[str]:
    """Addresses at which a process, and those it has started, can be reached."""
    import psutil

    process = psutil.Process(pid)
    return {
        place.laddr.ip
        for each in (process, *process.children(recursive=True))
        for place in each.net_connections()
        if place.status == psutil.CONN_LISTEN
    }


@contextmanager
def _told(words: list[str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process of the cluster, and the line that says it has begun; it is told to end.

    Not by Ctrl+C: who starts the tests in the background has them ignore it.
    """
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = next(line for line in process.stderr if " at tcp://" in line)
            yield process, said
        finally:
            process.terminate()
            try:
                process.communicate(timeout=60)
            finally:
                process.kill()


def test_a_worker_whose_scheduler_ends_says_so_and_fails() -> None:
    words = [sys.executable, "-m", "payoff"]
    with (
        _told([*words, "scheduler", "--port", "0"]) as (scheduler, said),
        _told([*words, "worker", said.split()[-1], "--threads", "1"]) as (worker, _),
    ):
        scheduler.kill()
        assert worker.stderr is not None
        assert "its scheduler did" in worker.stderr.read()
        assert worker.wait(60) == 2


def test_other_computers_need_certificates(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["scheduler", "--host", "0.0.0.0"], ["worker", "tcp://example.org:8786"]):
        assert run_cluster_verb(verb_parser().parse_args(words)) == 2
        said = capsys.readouterr().err
        assert "is another computer" in said
        assert "--trusted-network" in said
    given = ["scheduler", "--tls-ca", "no-such-file.pem"]
    assert run_cluster_verb(verb_parser().parse_args(given)) == 2
    assert "certificate is missing" in capsys.readouterr().err
    assert run_cluster_verb(verb_parser().parse_args(["worker", "8786"])) == 2
    assert "No address" in capsys.readouterr().err


def _refused_by(name: str, reason: Exception, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Have a process of the library fail to begin; what it is begun with is noted."""
    asked: list[Any] = []

    async def begin(*given: Any, **named: Any) -> Any:
        asked.append(named)
        raise RuntimeError(f"{name} failed to start.") from reason

    monkeypatch.setattr(distributed, name, begin)
    return asked


@pytest.mark.parametrize(
    ("reason", "why"),
    [(OSError(98, "Address already in use"), "already in use"), (TimeoutError(), "within 30 s")],
)
def test_what_keeps_a_process_from_beginning_is_said(
    reason: Exception, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, words in (("Scheduler", ["scheduler"]), ("Nanny", ["worker", "tcp://127.0.0.1:9"])):
        asked = _refused_by(name, reason, monkeypatch)
        assert run_cluster_verb(verb_parser().parse_args(words)) == 2
        assert why in capsys.readouterr().err
        assert asked[0]["host"] == "127.0.0.1"  # a worker listens where the scheduler reaches it
    nowhere = ["worker", "tcp://nowhere.invalid:9", "--trusted-network"]
    assert run_cluster_verb(verb_parser().parse_args(nowhere)) == 2
    assert "does not answer. (tcp://nowhere.invalid:9)" in capsys.readouterr().err


NUMBERS: dict[str, Any] = {"outcome": "amount", "scores": "guess", "resamples": 0}


@pytest.fixture
def plugin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where plugins of this process are, and none of the workers'."""
    monkeypatch.setenv("PAYOFF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(session, "_engines", {})
    return tmp_path / "home" / "plugins"


@pytest.mark.soak
def test_a_plugin_goes_to_workers_that_lack_it(
    client: Any, folder: Path, plugin_folder: Path
) -> None:
    write_plugin(plugin_folder / "own")
    asked = {**NUMBERS, "metrics": ["own_miss", "mae"]}
    here, there = (payoff.evaluate(folder, dask=dask, **asked) for dask in (None, client))
    assert there.value("own_miss", "guess") == here.value("own_miss", "guess")
    assert there.value("own_miss", "guess") == there.value("mae", "guess")


@pytest.mark.soak
def test_a_plugin_that_fails_on_a_worker_is_not_used(
    client: Any, folder: Path, plugin_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here_only = "import os\nif 'ONLY_HERE' not in os.environ:\n    raise OSError('not here')\n"
    code = metric_code("other_miss", imports=here_only)
    write_plugin(plugin_folder / "other", code, plugin="org.example.other")
    monkeypatch.setenv("ONLY_HERE", "1")
    with pytest.raises(PayoffError, match="of no use on a worker") as refusal:
        payoff.evaluate(folder, dask=client, metrics=["other_miss"], **NUMBERS)
    assert "org.example.other" in refusal.value.why
    assert "not here" in refusal.value.why
