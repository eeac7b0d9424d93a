"""All runs of an experiment: on threads of this process, in processes, or on a Dask cluster.

Runs go out in batches of whole splits; after each batch finished runs are in the journal, progress
is told and Stop is read. The final table does not depend on batches, workers or order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from core.experiments.journal import Journal
from core.experiments.learners import OWN_TREES
from core.experiments.runs import ExperimentRunner, RunRecord
from core.kernels import threads
from payoff.errors import PayoffError, no_such

BACKENDS = ("threads", "processes", "dask")

Place = tuple[str, int, int]
Records = tuple[RunRecord, ...]
OnProgress = Callable[["Throttle"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttle:
    """How far an experiment is; ``seconds_left`` NaN until something is known."""

    done: int
    wanted: int
    seconds_left: float


def run_all(
    runner: ExperimentRunner,
    journal: Journal,
    *,
    on_progress: OnProgress,
    should_stop: Callable[[], bool],
    backend: str = "threads",
    address: str = "",
    workers: int | None = None,
) -> bool:
    """Run what the journal does not have yet.

    Parameters
    ----------
    on_progress : callable
        Called after finished runs, from this thread.
    should_stop : callable
        Asked between runs; finished runs stay in the journal.
    backend : str
        "threads", "processes" (joblib's own) or "dask" (a scheduler at ``address``).

    Returns
    -------
    bool
        True when every run is done.
    """
    if backend not in BACKENDS:
        raise no_such("backend", backend, BACKENDS)
    wanted = list(runner.places())
    done_before = sum(key in journal.records for key in wanted)
    missing = _missing_places(runner, journal)
    began = time.monotonic()
    on_progress(Throttle(done=done_before, wanted=len(wanted), seconds_left=float("nan")))
    count = workers or _usual_workers(runner, backend)
    if backend == "threads":
        batches = _on_threads(runner, missing, count, should_stop)
    else:
        batches = _by_joblib(runner, missing, count, should_stop, backend, address)
    per_split = len(runner.spec.learners)
    finished = 0
    for records in batches:
        journal.add(records)
        finished += len(records)
        left = len(missing) * per_split - finished
        spent = time.monotonic() - began
        pace = Throttle(
            done=len(wanted) - max(0, left),
            wanted=len(wanted),
            seconds_left=spent / finished * left,
        )
        on_progress(pace)
    return all(key in journal.records for key in wanted)


def _usual_workers(runner: ExperimentRunner, backend: str) -> int:
    """Runs side by side; the program's own trees use all threads for one fit themselves."""
    grows_trees = any(name.partition(":")[0] == OWN_TREES for name in runner.spec.learners)
    return 1 if grows_trees and backend == "threads" else threads()


def _missing_places(runner: ExperimentRunner, journal: Journal) -> list[Place]:
    """Splits with a learner that is not in the journal, in the order of the table."""
    places: dict[Place, None] = {}
    for key in runner.places():
        if key not in journal.records:
            places[key.sampler, key.system, key.split] = None
    return list(places)


def _on_threads(
    runner: ExperimentRunner, places: list[Place], workers: int, should_stop: Callable[[], bool]
) -> Iterator[Records]:
    """Runs as they end; a few are out at a time, so that Stop waits for these only."""
    waiting = iter(places)
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="payoff-run") as pool:
        running: set[Future[Records]] = set()
        try:
            while not should_stop():
                while len(running) < workers + 1 and (place := next(waiting, None)) is not None:
                    running.add(pool.submit(runner.run, *place))
                if not running:
                    return
                ended, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in sorted(ended, key=lambda f: f.result()[0].key):
                    yield future.result()
        finally:
            for future in running:
                future.cancel()
        for future in running:  # stopped: what was under way is kept
            if not future.cancelled():
                yield future.result()


def _by_joblib(
    runner: ExperimentRunner,
    places: list[Place],
    workers: int,
    should_stop: Callable[[], bool],
    backend: str,
    address: str,
) -> Iterator[Records]:
    """Batches of runs by joblib."""
    from joblib import Parallel, delayed

    with _joblib_backend(backend, address, runner):
        parallel = Parallel(n_jobs=workers if backend == "processes" else -1)
        size = max(4 * workers, 16) if backend == "processes" else 256
        for start in range(0, len(places), size):
            if should_stop():
                return
            batch = places[start : start + size]
            yield from parallel(delayed(run_place)(runner, place) for place in batch)


def run_place(runner: ExperimentRunner, place: Place) -> Records:
    """One split, in another process; the study is kept between runs of the same worker."""
    return runner.run(*place)


def _joblib_backend(
    backend: str, address: str, runner: ExperimentRunner
) -> AbstractContextManager[Any]:
    from joblib import parallel_config

    if backend == "processes":
        config: AbstractContextManager[Any] = parallel_config("loky", inner_max_num_threads=1)
        return config
    try:
        from distributed import Client
    except ImportError as reason:
        raise PayoffError(
            "A Dask cluster needs the package distributed.",
            remedy="Install dask[distributed] here and on the cluster, or use threads.",
        ) from reason
    if not address:
        raise PayoffError("No scheduler is named.", remedy="--backend dask ADDRESS")
    try:
        client: Any = Client(address, timeout=10)  # type: ignore[no-untyped-call, unused-ignore]  # an extra: may be absent
    except (OSError, ValueError) as reason:
        raise PayoffError(
            "The Dask scheduler does not answer.", where=address, why=f"{reason}."
        ) from reason
    return _DaskSession(client, runner)


class _DaskSession(AbstractContextManager[Any]):
    """joblib on a Dask cluster, the study sent to the workers once."""

    def __init__(self, client: Any, runner: ExperimentRunner) -> None:
        from joblib import parallel_config

        self._client = client
        self._config = parallel_config("dask", scatter=[runner])

    def __enter__(self) -> Any:
        return self._config.__enter__()

    def __exit__(self, *reason: Any) -> None:
        self._config.__exit__(*reason)
        self._client.close()
