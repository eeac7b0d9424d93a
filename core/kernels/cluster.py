"""Tasks on the workers of a Dask cluster: connecting, what has to be equal, and a runner.

A worker has to be the same program: versions, arithmetic to the last bit, and the files it reads
are compared before anything runs. Whatever differs is refused, naming the worker.
"""

from __future__ import annotations

import hashlib
import logging
import math
import pickle
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.kernels.task_runners import TaskFuture
from core.kernels.thread_control import threads
from payoff.errors import PayoffError
from payoff.version import __version__

if TYPE_CHECKING:
    from core.kernels.cluster_setup import Taken

Task = TypeVar("Task")
Summary = TypeVar("Summary")

LOCAL = "local"
TIMEOUT = 10
LOST_WITHIN = 90
"""Seconds after which a scheduler knows that a worker no longer answers."""
_COMPARED = ("numpy", "numba", "pyarrow", "distributed")


def worker_facts() -> dict[str, str]:
    """What has to be equal on all machines: versions, and the arithmetic to the last bit."""
    found = {"Payoff": __version__, "Python": platform.python_version()}
    for name in _COMPARED:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a program whose packages say no version
            found[name] = "unknown"
    return found | {"arithmetic": _arithmetic()}


def _arithmetic() -> str:
    """A hash of some thousand values of functions that processors round differently."""
    x = np.linspace(1e-3, 30.0, 10_000)
    parts = [np.log(x), np.exp(-x), np.expm1(-x), np.log1p(x), np.power(x, 1.7)]
    erf = np.array([math.erf(value) for value in x[::10].tolist()])
    return hashlib.sha256(b"".join(part.tobytes() for part in (*parts, erf))).hexdigest()[:12]


def nothing_sent(module: str) -> None:
    """What workers lack stays where it is."""
    del module


class ClusterRunner:
    """Runs tasks on the workers of a Dask cluster; a context manager that lets go of it.

    Functions are those of this program's modules, tasks and summaries are pickled. A worker that is
    lost has its tasks repeated by others.

    Parameters
    ----------
    cluster : text or distributed.Client
        The address of a scheduler, "local" for processes of this machine, or a client, which stays
        open.
    find_sent : callable (module) -> Taken or None
        What is to be sent to workers that lack a module that their work is of.

    Raises
    ------
    PayoffError
        If nothing answers, there is no worker, or a worker is another program.
    """

    def __init__(
        self, cluster: Any, find_sent: Callable[[str], Taken | None] = nothing_sent
    ) -> None:
        self._closing = ExitStack()
        self._find_sent = find_sent
        self._checked: set[str] = set()
        try:
            self.client = self._connect(cluster)
            self._address = self.client.scheduler.address
            self._check_workers()
        except BaseException:
            self._closing.close()
            raise
        counts = self._threads()
        self.workers, self.width = len(counts), sum(counts)
        self.in_process = max(counts)

    def _connect(self, cluster: Any) -> Any:
        try:
            from distributed import Client, LocalCluster

            connect: Any = Client  # its functions have no types
            start: Any = LocalCluster
        except ImportError as reason:
            raise PayoffError(
                "A Dask cluster needs the package distributed.",
                why="The installed program has it; this Python has not.",
                remedy="Install it: pip install distributed.",
            ) from reason
        if isinstance(cluster, Client):
            return cluster
        if not isinstance(cluster, str) or not cluster:
            raise PayoffError(
                "No cluster is named.",
                remedy='Give the address of its scheduler, "local", or a distributed.Client.',
            )
        target: Any = cluster
        if cluster == LOCAL:
            target = self._closing.enter_context(
                start(
                    n_workers=threads(),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                    silence_logs=50,
                )
            )
        _be_quiet()
        if cluster.startswith("tls://"):
            _require_certificates(cluster)
        try:
            return self._closing.enter_context(connect(target, timeout=TIMEOUT))
        except (OSError, ValueError) as reason:
            raise PayoffError(
                "The Dask scheduler does not answer.",
                where=cluster,
                why=f"{reason}.",
                remedy="Start one: payoff scheduler; and on each machine: payoff worker ADDRESS.",
            ) from reason

    def _threads(self) -> list[int]:
        return [int(count) for count in self.client.nthreads().values()]

    def __enter__(self) -> ClusterRunner:
        return self

    def __exit__(self, _kind: object, reason: BaseException | None, _trace: object) -> None:
        is_there = self.client.status == "running"
        self._closing.close()
        if reason is not None:
            _refuse_lost(str(self._address), reason, is_there)

    # ------------------------------------------------------------ checks

    def on_every_worker(self, function: Callable[..., Any], *given: Any) -> dict[str, Any]:
        """What a function returns on each worker, by the worker's address.

        A worker that is lost meanwhile is waited for until the scheduler knows; it is left out.
        """
        found: dict[str, Any] = self.client.run(function, *given, on_error="return")
        for reason in found.values():
            if isinstance(reason, Exception) and not isinstance(reason, OSError):
                raise reason
        silent = {worker for worker, value in found.items() if isinstance(value, OSError)}
        until = time.monotonic() + LOST_WITHIN
        while silent & set(self.client.nthreads()):
            if time.monotonic() > until:
                raise PayoffError(
                    "A worker does not answer.",
                    where=f"worker {min(silent)}",
                    why=f"{found[min(silent)]}.",
                    remedy="End it, or start it anew, and ask again.",
                )
            time.sleep(0.2)
        return {worker: value for worker, value in found.items() if worker not in silent}

    def _check_workers(self) -> None:
        if not self._threads():
            raise PayoffError(
                "The cluster has no worker.",
                where=str(self._address),
                remedy="Start one on each machine: payoff worker ADDRESS.",
            )
        own = worker_facts()
        try:
            theirs = self.on_every_worker(worker_facts)
        except Exception as reason:  # whatever the other program raises
            raise PayoffError(
                "A worker does not run this program.",
                where=str(self._address),
                why=f"{type(reason).__name__}: {reason}".split("\n")[0],
                remedy="Start workers by: payoff worker ADDRESS.",
            ) from None
        for worker, facts in sorted(theirs.items()):
            for name, value in own.items():
                if facts.get(name) != value:
                    refuse_other(worker, name, facts.get(name, "none"), value)

    def check_files(self, files: Sequence[Any], see: Callable[[Any], str]) -> None:
        """Refuse where a worker does not see a file as this process does.

        Parameters
        ----------
        see : callable (file) -> text
            Of a module; what is wrong with the file, or an empty text.
        """
        found = self.on_every_worker(first_unseen, tuple(files), see)
        for worker, text in sorted(found.items()):
            if text:
                raise PayoffError(
                    "A worker does not see a file as this computer does.",
                    where=f"worker {worker}: {text}",
                    remedy="Put files and scratch= on a path that all machines share.",
                )

    def _check_sent(self, function: Callable[[Any], Any], task: Any) -> None:
        """Send what a task needs and a worker lacks; refuse a task that it cannot take even so."""
        name = f"{function.__module__}.{function.__qualname__}"
        if name in self._checked:
            return
        self._checked.add(name)
        try:
            sent = pickle.dumps((function, task))
        except Exception as reason:
            raise PayoffError(
                "This work cannot be sent to a cluster.",
                why=f"{type(reason).__name__}: {reason}".split("\n")[0],
                remedy="Leave out metrics of plugins that are made at run time, or cluster=.",
            ) from None
        offered: set[str] = set()
        while lacking := self._first_lacking(sent):
            worker, module, why = lacking
            needed = self._find_sent(module) if module else None
            if needed is None or needed.key in offered:
                raise PayoffError(
                    "A worker lacks what this work needs.",
                    where=f"worker {worker}",
                    why=why,
                    remedy="Install the same plugins on every machine, and start its worker anew.",
                )
            offered.add(needed.key)
            self._send(needed)

    def _first_lacking(self, sent: bytes) -> tuple[str, str, str] | None:
        """A worker that cannot take some work, the module that it lacks, and why; or None."""
        found = self.on_every_worker(why_not_taken, sent)
        return next((((worker, *why)) for worker, why in sorted(found.items()) if why[1]), None)

    def _send(self, needed: Taken) -> None:
        """Have every worker take something, those too that are yet to come."""
        from core.kernels.cluster_setup import TakeFirst

        try:
            self.client.register_plugin(TakeFirst(needed))
        except PayoffError as refusal:
            self.client.unregister_worker_plugin(needed.key)  # those to come do without
            raise PayoffError(
                "A plugin that this work needs is of no use on a worker.",
                where=str(self._address),
                why=str(refusal),
                remedy="Leave its metrics out, or evaluate on one computer.",
            ) from refusal

    # ------------------------------------------------------------ running

    def submit(self, function: Callable[[Task], Summary], task: Task) -> TaskFuture:
        """Begin ``function(task)`` on a worker."""
        self._check_sent(function, task)
        future: TaskFuture = self.client.submit(function, task, pure=False)
        return future

    def compute(self, works: Sequence[Any]) -> list[Any]:
        """Begin works that are delayed, in Dask's sense; a future each, with its ``key``."""
        futures: list[Any] = self.client.compute(list(works))
        return futures

    def sharing(self, value: Any) -> SharingRunner:
        """A runner of ``function(value, task)``; the value is sent to every worker once."""
        return SharingRunner(self, self.client.scatter(value, broadcast=True, hash=False))

    def as_completed(self, futures: Iterable[TaskFuture]) -> Iterator[TaskFuture]:
        """Futures in the order in which they end."""
        import distributed

        ended: Any = distributed.as_completed
        return iter(ended(list(futures), loop=self.client.loop))

    def cancel(self, futures: Iterable[TaskFuture]) -> None:
        """Take back what has not begun, and wait for what has."""
        left: list[Any] = list(futures)
        if not left:
            return
        self.client.cancel(left)
        # A future that is taken back has ended at once; what its worker is at has not.
        keys, until = frozenset(future.key for future in left), time.monotonic() + LOST_WITHIN
        with suppress(PayoffError, OSError):  # what is lost writes nothing for us any more
            while self.client.status == "running" and time.monotonic() < until:
                if not any(self.on_every_worker(knows_any, keys).values()):
                    return
                time.sleep(0.05)


class SharingRunner:
    """Runs functions of a shared value and a task on a cluster."""

    def __init__(self, runner: ClusterRunner, shared: Any) -> None:
        self._runner, self._shared = runner, shared
        self.width, self.in_process = runner.width, runner.in_process
        self.as_completed, self.cancel = runner.as_completed, runner.cancel

    def submit(self, function: Callable[..., Summary], task: Task) -> TaskFuture:
        """Begin ``function(value, task)`` on a worker."""
        future: TaskFuture = self._runner.client.submit(function, self._shared, task, pure=False)
        return future


CERTIFICATES = tuple(
    f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
)
"""Variables of the environment that name the files of who asks; Dask reads them."""


def _require_certificates(address: str) -> None:
    """Refuse an address of a scheduler with certificates where none are named."""
    from distributed.security import Security

    named: Any = Security
    if named().get_connection_args("client")["ssl_context"] is None:
        raise PayoffError(
            "This scheduler takes nobody without a certificate.",
            where=address,
            why="None is named here.",
            remedy=f"Set {CERTIFICATES[0]}, {CERTIFICATES[1]} and {CERTIFICATES[2]} to their "
            "files before Payoff is started; or give a distributed.Client with its own.",
        )


def _be_quiet() -> None:
    """No lines that the library logs, to the end of the process: what is lost is said in words.

    Some come from its thread when the connection is closed already; in the frozen program, whose
    modules have no paths, it calls the logger of its client by the file's name alone.
    """
    for name in ("distributed", "distributed.client", "client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _refuse_lost(address: str, reason: BaseException, is_there: bool) -> None:
    """Refuse in words what ended the work of a cluster, where that was the cluster itself.

    ``is_there``: whether the scheduler still answered.

    Raises
    ------
    PayoffError
    """
    from distributed.client import (
        ClosedClientError,
        FutureCancelledError,
        FuturesCancelledError,
    )
    from distributed.comm.core import CommClosedError
    from distributed.scheduler import KilledWorker, NoValidWorkerError, NoWorkerError

    if isinstance(reason, KilledWorker):
        raise PayoffError(
            "A piece of the work has ended every worker that took it.",
            where=address,
            why=f"The last was {reason.last_worker.address}. Its memory may not suffice.",
            remedy="Give each worker more (payoff worker ADDRESS --memory), or the run less "
            "(memory=).",
        ) from reason
    if isinstance(reason, NoValidWorkerError | NoWorkerError):
        raise PayoffError(
            "The cluster has lost its last worker.",
            where=address,
            remedy="Start one on each machine: payoff worker ADDRESS; and ask again.",
        ) from reason
    lost = (FutureCancelledError, FuturesCancelledError, ClosedClientError, CommClosedError)
    if isinstance(reason, lost) or (isinstance(reason, OSError) and not is_there):
        raise PayoffError(
            "The cluster was lost.",
            where=address,
            why="Its scheduler has ended, or is out of reach.",
            remedy="Start it and its workers again, and ask again.",
        ) from reason


def refuse_other(worker: str, name: str, theirs: str, own: str) -> None:
    """Refuse a worker that is another program.

    Raises
    ------
    PayoffError
    """
    if name == "arithmetic":
        raise PayoffError(
            "A worker rounds in another way.",
            where=f"worker {worker}: {theirs}; here: {own}",
            why="Its processor or system gives logarithms other last digits.",
            remedy="Use machines of one kind and one operating system.",
        )
    raise PayoffError(
        f"A worker has another {name}.",
        where=f"worker {worker}: {name} {theirs}; here: {own}",
        remedy="Install the same package of Payoff on every machine.",
    )


def first_unseen(files: Sequence[Any], see: Callable[[Any], str]) -> str:
    """What is wrong with the first file that is not as it should be; empty where all are."""
    return next((text for text in map(see, files) if text), "")


def knows_any(keys: frozenset[str], dask_worker: Any) -> bool:
    """Whether a worker is at one of these tasks, or has yet to hear that it is taken back."""
    return not keys.isdisjoint(dask_worker.state.tasks)


def why_not_taken(sent: bytes) -> tuple[str, str]:
    """The module that pickled work lacks here, if one, and why it cannot be read; or nothing."""
    try:
        pickle.loads(sent)
    except Exception as reason:
        module = reason.name if isinstance(reason, ModuleNotFoundError) else None
        return module or "", f"{type(reason).__name__}: {reason}".split("\n")[0]
    return "", ""


__all__ = ["LOCAL", "ClusterRunner", "SharingRunner", "worker_facts"]
