"""Two installed programs that talk over a network: ``python installer/try_cluster.py ROOT``.

ROOT is a bare system with the program installed and a user "tester", as installer/trial.sh makes
it; run as root, by a Python that has the program's libraries. A copy of it is the second machine:
each has a network of its own (ip netns), with a cable between them, and both see one shared folder.
The scheduler and the questions run on the first, workers on both. Every figure has to be that of
one machine without a cluster, to the last digit.

What is shown: the same digits; a worker, then its whole machine, killed midway; a cable pulled out
midway; the scheduler, or all workers, killed midway; a file that a worker does not see; a worker of
another version; no answer at all; certificates; the memory that each process has held at most.
``--rows`` says how many rows are asked of (default 1,500,000).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

PARTS = 16
SHARED = "srv/shared"
FIRST, SECOND = "10.77.0.1", "10.77.0.2"
PORT = 8786
ADDRESS = f"tcp://{FIRST}:{PORT}"
WORKER = ("--threads", "1", "--memory", "2 GB", "--trusted-network")
ROOM = ("--memory", "1 GB", "--scratch", f"/{SHARED}/scratch")
ASKED: dict[str, tuple[str, ...]] = {
    "evaluate": (
        *("evaluate", f"/{SHARED}/parts", "--outcome", "outcome"),
        *("--score", "first", "--score", "second", *ROOM),
    ),
    "decide": (
        *("decide", f"/{SHARED}/parts", "--target", "outcome", "--posterior", "yes=first"),
        *("--matrix", '{"yes": [40, 0], "no": [-6, 0]}', *ROOM),
    ),
    "uplift": (
        *("uplift", f"/{SHARED}/parts", "--outcome", "outcome", "--treatment", "arm"),
        *("--treated", "1", "--control", "0", "--score", "first", *ROOM),
    ),
}
OF_THE_RUN = frozenset({"warnings", "notes", "seconds"})
"""What an answer says of the run, not of the data: how much memory was taken, and where."""


def make_parts(folder: Path, rows: int) -> None:
    """Two scores with ties, an outcome and an arm drawn by lot, in parts."""
    folder.mkdir(parents=True)
    for part in range(PARTS):
        random = np.random.default_rng([27, part])
        count = rows * (part + 1) // PARTS - rows * part // PARTS
        z = random.standard_normal(count)
        noise = random.standard_normal((2, count))
        score = 1 / (1 + np.exp(-(1.2 * z - 2.2 + np.array([[0.7], [1.2]]) * noise)))
        score = np.where(random.random((2, count)) < 0.1, np.round(score, 3), score)
        event = random.random(count) < 1 / (1 + np.exp(-(1.2 * z - 2.2)))
        table = {
            "outcome": np.where(event, "yes", "no"),
            "first": score[0],
            "second": score[1],
            "arm": (random.random(count) < 0.5).astype(np.int8),
        }
        pq.write_table(pa.table(table), folder / f"part-{part:05d}.parquet", row_group_size=50_000)


class Machine:
    """A root with the program, in a network of its own."""

    def __init__(self, root: Path, network: str, address: str) -> None:
        self.root, self.network, self.address = root, network, address

    def words(self, *given: str) -> list[str]:
        """The words that run a command there, as the user."""
        inside = ["chroot", "--userspec=tester:tester", str(self.root), "/usr/bin/env", "-i"]
        inside += ["PATH=/usr/bin:/bin", "HOME=/home/tester", "LC_ALL=C.UTF-8"]
        inside += ["QT_QPA_PLATFORM=offscreen"]
        return ["ip", "netns", "exec", self.network, *inside, *given]

    def begin(self, *given: str) -> Process:
        """Start the program there."""
        return Process(self.words("payoff", *given))

    def payoff(self, *given: str) -> tuple[Any, str]:
        """What the program answers, and what it says; the answer is None if it is refused."""
        return self.begin(*given).ended()


class Process:
    """A command, what it says meanwhile, and its answer."""

    def __init__(self, words: list[str]) -> None:
        self.began = time.monotonic()
        self._answer = tempfile.TemporaryFile("w+")  # noqa: SIM115  read when it has ended
        self._process = subprocess.Popen(
            words, stdout=self._answer, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self.said: list[str] = []
        self.peaks: dict[int, int] = {}
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        threading.Thread(target=self._watch, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        self.said.extend(iter(self._process.stderr.readline, ""))

    def _watch(self) -> None:
        """Note the most bytes that the process, and each that it has started, has held so far."""
        while self.is_running():
            for pid in self.programs():
                self.peaks[pid] = max(_peak(pid), self.peaks.get(pid, 0))
            time.sleep(0.1)

    @property
    def pid(self) -> int:
        """Of the command itself."""
        return self._process.pid

    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def wait_for(self, words: str, seconds: float = 60) -> str:
        """The line that it says with these words in it."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for line in list(self.said):
                if words in line:
                    return line
            if not self.is_running():
                break
            time.sleep(0.05)
        raise SystemExit(f"no line with '{words}' was said, but:\n" + "".join(self.said))

    def ended(self, seconds: float = 900) -> tuple[Any, str]:
        """Its answer and what it said, once it has ended."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise SystemExit(f"no answer within {seconds} s:\n" + "".join(self.said)) from None
        self.seconds = time.monotonic() - self.began
        self._listener.join(5)
        self._answer.seek(0)
        answer = self._answer.read()
        return (json.loads(answer) if code == 0 else None), "".join(self.said)

    def programs(self) -> list[int]:
        """The process and all that it has started, parents first."""
        found, new = [], [self.pid]
        while new:
            found += new
            new = [int(one) for pid in new for one in _children(pid)]
        return found

    def kill(self) -> None:
        """kill -9 of it and all that it has started, as a machine that loses its current."""
        for pid in self.programs():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait(30)

    def stop(self) -> None:
        """Tell it to end, as a service's manager does; it has to within ten seconds."""
        if not self.is_running():
            return
        left = self.programs()
        os.kill(self.pid, signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
            raise SystemExit("it did not end within 10 s:\n" + "".join(self.said)) from None
        until = time.monotonic() + 5
        while (still := [pid for pid in left if Path(f"/proc/{pid}").exists()]) and (
            time.monotonic() < until
        ):
            time.sleep(0.1)
        require(not still, f"what it started is still there: {still}")


def _children(pid: int) -> list[str]:
    with suppress(OSError):
        return [
            one
            for task in Path(f"/proc/{pid}/task").iterdir()
            for one in (task / "children").read_text().split()
        ]
    return []


def _peak(pid: int) -> int:
    with suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
        return int(found[1]) * 1024 if found else 0  # one that has ended has none
    return 0


def memory(**processes: Process) -> None:
    """Show the most memory that each process of some programs has held."""
    for words, process in processes.items():
        held = ", ".join(f"{peak / 1e6:,.0f} MB" for peak in process.peaks.values() if peak)
        print(f"  resident at most, {words}: {held}", flush=True)


def require(is_so: bool, words: str) -> None:
    """End the trial if something is not so."""
    if not is_so:
        raise SystemExit(words)


def run(*words: str) -> None:
    """Run a command of the system."""
    subprocess.run(words, check=True)


@contextmanager
def two_machines(root: Path) -> Iterator[tuple[Machine, Machine, Path]]:
    """The first machine, the second, and the folder that both see."""
    second = root.with_name(root.name + "-second")
    with ExitStack() as left, tempfile.TemporaryDirectory() as shared:
        os.chmod(shared, 0o777)
        shutil.rmtree(second, ignore_errors=True)
        left.callback(shutil.rmtree, second, ignore_errors=True)
        run("cp", "-a", "--one-file-system", str(root), str(second))
        for machine in (root, second):
            place = machine / SHARED
            place.mkdir(exist_ok=True)
            run("mount", "--bind", shared, str(place))
            left.callback(run, "umount", str(place))
        for folder, kind in (("proc", "proc"), ("dev/shm", "tmpfs")):
            run("mount", "-t", kind, kind, str(second / folder))
            left.callback(run, "umount", str(second / folder))
        found = []
        for place, name, address in ((root, "first", FIRST), (second, "second", SECOND)):
            network = f"payoff-{name}"
            run("ip", "netns", "add", network)
            left.callback(run, "ip", "netns", "del", network)
            run("ip", "-n", network, "link", "set", "lo", "up")
            found.append(Machine(place, network, address))
        cable = ["ip", "-n", "payoff-first", "link", "add", "cable", "type", "veth"]
        run(*cable, "peer", "name", "cable", "netns", "payoff-second")
        for machine in found:
            run("ip", "-n", machine.network, "addr", "add", f"{machine.address}/24", "dev", "cable")
            run("ip", "-n", machine.network, "link", "set", "cable", "up")
        yield found[0], found[1], Path(shared)


@contextmanager
def cluster(
    first: Machine, second: Machine, *given: str, address: str = ADDRESS, worker: Any = WORKER
) -> Iterator[tuple[Process, Process, Process]]:
    """A scheduler and a worker on the first machine, a worker on the second."""
    scheduler = first.begin("scheduler", "--host", FIRST, *(given or ("--trusted-network",)))
    started = [scheduler]
    try:
        scheduler.wait_for(" at t")
        for machine in (first, second):
            started.append(machine.begin("worker", address, *worker))
        for one, machine in zip(started[1:], (first, second), strict=True):
            said = one.wait_for(" at t")
            require(f"://{machine.address}:" in said, f"a worker at another address: {said}")
        yield scheduler, started[1], started[2]
    finally:
        with ExitStack() as left:
            for one in started:
                left.callback(one.stop)


def figures(answer: Any) -> str:
    """All that an answer says of the data, to the last digit."""
    require(answer is not None, "it was refused")
    return json.dumps({name: answer[name] for name in sorted(answer) if name not in OF_THE_RUN})


Disturb = Callable[[], None]


def ask(
    machine: Machine, verb: str, alone: str, words: str, after: float = 0, disturb: Disturb = int
) -> float:
    """Ask on the cluster, disturb it after some seconds, and compare with one machine alone."""
    asked = machine.begin(*ASKED[verb], "--cluster", ADDRESS)
    if after:
        time.sleep(after)
        require(asked.is_running(), f"{verb} had ended before {words}")
        disturb()
    answer, said = asked.ended()
    require(answer is not None, f"{verb}, {words}: refused\n{said}")
    require(figures(answer) == alone, f"{verb}, {words}: other digits")
    print(f"{verb}, {words}: the same digits, {asked.seconds:.1f} s", flush=True)
    memory(question=asked)
    return asked.seconds


def refused(found: tuple[Any, str], *parts: str) -> None:
    """Show the words of a refusal; they must have some parts."""
    answer, said = found
    require(answer is None, "it was not refused")
    require("Traceback" not in said, said)
    missing = [part for part in parts if not re.search(part, said)]
    require(not missing, f"the refusal lacks {missing}:\n{said}")
    print("refused:", *(f"  {line}" for line in said.splitlines()[-4:]), sep="\n", flush=True)


def same_digits_whatever_happens(first: Machine, second: Machine) -> dict[str, str]:
    """Three questions undisturbed, then evaluate with a worker, a machine and a cable lost.

    Without its scheduler, or any worker, it is refused.

    Returns the digits of one machine.
    """
    alone = {}
    for verb, words in ASKED.items():
        asked = first.begin(*words)
        answer, said = asked.ended()
        require(answer is not None, said)
        alone[verb] = figures(answer)
        print(f"{verb}, one machine alone: {len(alone[verb]):,} characters, {asked.seconds:.1f} s")
        memory(question=asked)
    with cluster(first, second) as (scheduler, one, other):
        seconds = {verb: ask(first, verb, alone[verb], "two machines") for verb in ASKED}
        ask(second, "evaluate", alone["evaluate"], "asked on the machine that has no scheduler")
        memory(scheduler=scheduler, first_worker=one, second_worker=other)
    half = seconds["evaluate"] / 2
    with cluster(first, second) as (_, _, lost):

        def worker_killed() -> None:
            nanny, *started = [pid for pid in lost.programs() if _is_payoff(pid)]
            require(bool(started), f"{nanny} has no worker")
            os.kill(started[-1], signal.SIGKILL)

        ask(first, "evaluate", alone["evaluate"], "a worker killed", half, worker_killed)
        ask(first, "evaluate", alone["evaluate"], "its machine killed", half, lost.kill)
    with cluster(first, second) as _:

        def cable_pulled() -> None:
            run("ip", "-n", second.network, "link", "set", "cable", "down")

        try:
            ask(first, "evaluate", alone["evaluate"], "the cable pulled out", half, cable_pulled)
        finally:
            run("ip", "-n", second.network, "link", "set", "cable", "up")
    for lost, words in ((slice(0, 1), "cluster was lost"), (slice(1, 3), "its last worker")):
        with cluster(first, second) as processes:
            asked = first.begin(*ASKED["evaluate"], "--cluster", ADDRESS)
            time.sleep(half)
            for process in processes[lost]:
                process.kill()
            began = time.monotonic()
            refused(asked.ended(300), words)
            print(f"said {time.monotonic() - began:.1f} s after the kill", flush=True)
    return alone


def _is_payoff(pid: int) -> bool:
    with suppress(OSError):
        return b"payoff" in Path(f"/proc/{pid}/exe").readlink().name.encode()
    return False


def unseen_file(first: Machine, second: Machine) -> None:
    """Parts that the first machine alone has."""
    alone = first.root / "srv" / "alone"
    make_parts(alone, 1_000_000)
    try:
        asked = ["evaluate", "/srv/alone", "--outcome", "outcome", "--score", "first", *ROOM]
        with cluster(first, second):
            found = first.payoff(*asked, "--cluster", ADDRESS)
        refused(found, f"worker tcp://{SECOND}:", "/srv/alone/part-00000.parquet")
    finally:
        shutil.rmtree(alone)


def another_version(first: Machine, second: Machine) -> None:
    """A worker whose program is a later one."""
    file = second.root / "usr/lib/payoff/_internal/payoff/version.py"
    own = file.read_text("utf-8")
    version = re.search(r'"([\d.]+)"', own)
    assert version is not None
    other = f"{version[1]}.1"
    file.write_text(own.replace(version[0], f'"{other}"'), "utf-8")
    try:
        with cluster(first, second):
            found = first.payoff(*ASKED["evaluate"], "--cluster", ADDRESS)
        numbers = rf"Payoff {re.escape(other)}; here: {re.escape(version[1])}\b"
        refused(found, f"worker tcp://{SECOND}:", numbers)
    finally:
        file.write_text(own, "utf-8")


def nothing_answers(first: Machine, second: Machine) -> None:
    """No scheduler, for a question and for a worker; a scheduler that others cannot use unasked."""
    refused(first.payoff(*ASKED["evaluate"], "--cluster", ADDRESS), "scheduler does not answer")
    refused(second.payoff("worker", ADDRESS, *WORKER), "scheduler does not answer")
    refused(first.payoff("scheduler", "--host", FIRST), "--tls-ca", "--trusted-network")


def certificates(first: Machine, second: Machine, shared: Path, alone: str) -> None:
    """A cluster with certificates has its workers, and takes nobody without one."""
    folder = shared / "tls"
    folder.mkdir()
    words = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    words += ("-subj", "/CN=payoff", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem")
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL)  # a dot for each number it tries
    os.chmod(folder / "key.pem", 0o644)
    place = f"/{SHARED}/tls"
    tls = ["--tls-ca", f"{place}/cert.pem", "--tls-cert", f"{place}/cert.pem"]
    tls += ["--tls-key", f"{place}/key.pem"]
    address = ADDRESS.replace("tcp", "tls")
    worker = [*WORKER[:4], *tls]
    with cluster(first, second, *tls, address=address, worker=worker):
        print("with certificates: both workers are there", flush=True)
        refused(first.payoff(*ASKED["evaluate"], "--cluster", ADDRESS), "does not answer")
        refused(first.payoff(*ASKED["evaluate"], "--cluster", address), "certificate")
        names = ("CA_FILE=cert", "CLIENT__CERT=cert", "CLIENT__KEY=key")
        given = [
            f"DASK_DISTRIBUTED__COMM__TLS__{name.replace('=', f'={place}/')}.pem" for name in names
        ]
        asked = ("payoff", *ASKED["decide"], "--cluster", address)
        answer, said = Process(first.words("env", *given, *asked)).ended()
        require(figures(answer) == alone, f"with certificates: other digits\n{said}")
        print("decide, with certificates: the same digits")


def main() -> None:
    """All of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=Path)
    parser.add_argument("--rows", type=int, default=1_500_000)
    parsed = parser.parse_args()
    with two_machines(parsed.root.resolve()) as (first, second, shared):
        make_parts(shared / "parts", parsed.rows)
        (shared / "scratch").mkdir()
        os.chmod(shared / "scratch", 0o777)
        alone = same_digits_whatever_happens(first, second)
        left = [path.name for path in (shared / "scratch").iterdir()]
        require(not left, f"left in the scratch folder: {left}")
        unseen_file(first, second)
        another_version(first, second)
        nothing_answers(first, second)
        certificates(first, second, shared, alone["decide"])
    print("the cluster of two installed programs: all as it should be")


if __name__ == "__main__":
    sys.exit(main())
