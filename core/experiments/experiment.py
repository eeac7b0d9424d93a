"""An experiment from its parts to its table: rows, bench, journal, runs, summary.

The journal of an experiment: every finished run is a line, so that a crash costs one run.

The first line names the experiment (a hash of its parts and rows). Numbers are written in full, so
that a table read back is the table that was written. A last line cut short counts as not written.

All runs of an experiment: on threads of this process, in processes, or on a Dask cluster.

Runs go out in batches of whole splits; after each batch finished runs are in the journal, progress
is told and Stop is read. The final table does not depend on batches, workers or order.

From single runs to the table and what is said of each sampler and learner.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.data import LoadedTable
from core.document.experiments.results import (
    ConditionState,
    DataFacts,
    ExperimentResult,
    GroupSummary,
    RunTable,
)
from core.document.experiments.spec import SAMPLERS, ExperimentSpec
from core.document.files.codec import to_plain
from core.document.files.guarded import (
    check_targets,
    make_folder,
    refusals_of,
    write_file,
)
from core.experiments.bounds import METHODS, conditions_of
from core.experiments.learners import (
    OUTSIDE,
    OWN_TREES,
    USUAL_DISTRIBUTIONS,
    FindDistribution,
    is_installed,
)
from core.experiments.losses import LossSource, check_confidence
from core.experiments.protocols import made_up_rows, study_of
from core.experiments.runs import Around, ExperimentRunner, RunKey, RunRecord
from core.experiments.study import Study
from core.experiments.systems import FindSystem, check_system
from core.kernels import threads
from core.kernels.cluster import ClusterRunner
from core.kernels.task_runners import run_tasks_bounded
from payoff.counting import counted
from payoff.errors import PayoffError, StoppedError, no_such

FORMAT = 1
WHAT = "The journal of the runs"
_BEGINNING = b'{"experiment": "'


def name_of(spec: ExperimentSpec, study: Study, stamp: str = "") -> str:
    """What tells one experiment from another: its parts and its rows, not where the file lies.

    ``stamp`` is the state of the plugins that take part.
    """
    digest = hashlib.sha256()
    plain = to_plain(replace(spec, path="file" if spec.path else ""))
    digest.update(json.dumps([FORMAT, plain, stamp], sort_keys=True).encode())
    digest.update(study.conditions.tobytes())
    digest.update(b"" if study.outcome is None else study.outcome.tobytes())
    for additional in (study.test, study.blocks):  # where time splits the rows, and what they share
        digest.update(b"" if additional is None else additional.tobytes())
    if study.market is not None:
        for prices in (study.market.features, study.market.trade, study.market.last):
            digest.update(prices.tobytes())
    return digest.hexdigest()[:40]


class Journal:
    """Finished runs in a file; without a path in memory only.

    Parameters
    ----------
    path : Path or None
    name : str
        From ``name_of``; a file of another experiment is refused.
    """

    def __init__(self, path: Path | None, name: str) -> None:
        self.path = path
        self.records: dict[RunKey, RunRecord] = {}
        if path is None:
            return
        check_targets([path])
        with refusals_of(path, WHAT):
            kept = path.read_bytes() if path.is_file() else b""
        if kept and not kept.startswith(_BEGINNING[: len(kept)]):
            raise PayoffError(
                "The journal of the runs is damaged, or is another file.",
                where=str(path),
                why="It does not begin as a journal does.",
                remedy="Name another file, or one that is not there yet.",
            )
        whole = kept[: kept.rfind(b"\n") + 1]
        if whole:
            self._read(whole.splitlines(), name)
        make_folder(path.parent)
        if not whole:
            head = json.dumps({"experiment": name, "format": FORMAT}) + "\n"
            write_file(path, head.encode("utf-8"), what=WHAT)
        elif len(whole) < len(kept):  # a line cut short
            self._write(b"", after=len(whole))

    def _read(self, lines: list[bytes], name: str) -> None:
        where = str(self.path)
        try:
            head = json.loads(lines[0])
            records = [_record(json.loads(line)) for line in lines[1:]]
        except (ValueError, KeyError, TypeError, AttributeError) as reason:
            raise PayoffError(
                "The journal of the runs is damaged.",
                where=where,
                remedy="Move the file away to start anew.",
            ) from reason
        if head.get("experiment") != name:
            raise PayoffError(
                "The journal belongs to another experiment.",
                where=where,
                why="Its parts or rows are not those asked for.",
                remedy="Name another journal, or remove the file to start anew.",
            )
        self.records = {record.key: record for record in records}

    def add(self, records: Iterable[RunRecord]) -> None:
        """Keep finished runs: on disk before they are announced."""
        fresh = list(records)
        if self.path is not None:
            text = "".join(json.dumps(_plain(record)) + "\n" for record in fresh)
            self._write(text.encode("utf-8"))
        self.records.update((record.key, record) for record in fresh)

    def _write(self, lines: bytes, after: int | None = None) -> None:
        """Put lines at the end, or after so many bytes; those that fail leave nothing behind."""
        assert self.path is not None
        with refusals_of(self.path, WHAT), self.path.open("rb+") as file:
            end = file.seek(0, os.SEEK_END) if after is None else after
            try:
                file.truncate(end)
                file.seek(end)
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                with contextlib.suppress(OSError):
                    file.truncate(end)
                raise


def _plain(record: RunRecord) -> dict[str, Any]:
    values = asdict(record)
    key = values.pop("key")
    flat = {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in values.items()
    }
    return {**key, **flat}


def _record(plain: dict[str, Any]) -> RunRecord:
    key = RunKey(
        sampler=str(plain.pop("sampler")),
        system=int(plain.pop("system")),
        split=int(plain.pop("split")),
        learner=str(plain.pop("learner")),
    )
    values: dict[str, Any] = {
        name: math.nan if value is None else value for name, value in plain.items()
    }
    return RunRecord(key=key, **values)


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
    elif backend == "dask":
        batches = _on_cluster(runner, missing, should_stop, address)
    else:
        batches = _in_processes(runner, missing, count, should_stop)
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


def _on_cluster(
    runner: ExperimentRunner, places: list[Place], should_stop: Callable[[], bool], address: str
) -> Iterator[Records]:
    """Runs as they end, by the workers of a Dask cluster; the study is sent to each once."""
    if not address:
        raise PayoffError("No scheduler is named.", remedy="--backend dask ADDRESS")
    with ClusterRunner(address) as cluster, suppress(StoppedError):
        sharing = cluster.sharing(runner)
        work: Callable[..., Records] = run_place
        yield from run_tasks_bounded(sharing, work, places, should_stop=should_stop)


def _in_processes(
    runner: ExperimentRunner, places: list[Place], workers: int, should_stop: Callable[[], bool]
) -> Iterator[Records]:
    """Batches of runs in processes of joblib's."""
    from joblib import Parallel, delayed, parallel_config

    with parallel_config("loky", inner_max_num_threads=1):
        parallel = Parallel(n_jobs=workers)
        size = max(4 * workers, 16)
        for start in range(0, len(places), size):
            if should_stop():
                return
            batch = places[start : start + size]
            yield from parallel(delayed(run_place)(runner, place) for place in batch)


def run_place(runner: ExperimentRunner, place: Place) -> Records:
    """One split, in another process; the study is kept between runs of the same worker."""
    return runner.run(*place)


_WHOLE = ("n_train", "n_test", "clipped", "worse_than_start")
_NUMBERS = (
    "error",
    "variance",
    "bound",
    "chance",
    "effect_error",
    "effect_variance",
    "effect_bound",
)


def run_table(spec: ExperimentSpec, records: Mapping[RunKey, RunRecord]) -> RunTable:
    """The runs in the order of sampler, system, split and learner, whatever order they ended in."""
    place = {name: index for index, name in enumerate(spec.samplers)}
    learner = {name: index for index, name in enumerate(spec.learners)}
    known = [r for r in records.values() if r.key.sampler in place and r.key.learner in learner]
    known.sort(
        key=lambda r: (place[r.key.sampler], r.key.system, r.key.split, learner[r.key.learner])
    )
    whole: dict[str, Any] = {
        name: np.array([getattr(r, name) for r in known], np.int64) for name in _WHOLE
    }
    numbers: dict[str, Any] = {
        name: np.array([getattr(r, name) for r in known], float) for name in _NUMBERS
    }
    return RunTable(
        samplers=spec.samplers,
        learners=spec.learners,
        sampler=np.array([place[r.key.sampler] for r in known], np.int64),
        system=np.array([r.key.system for r in known], np.int64),
        split=np.array([r.key.split for r in known], np.int64),
        learner=np.array([learner[r.key.learner] for r in known], np.int64),
        **whole,
        **numbers,
    )


def summarise_runs(runs: RunTable) -> tuple[GroupSummary, ...]:
    """One summary per sampler and learner that has runs."""
    found = []
    for sampler, name in enumerate(runs.samplers):
        for learner, learned in enumerate(runs.learners):
            mine = (runs.sampler == sampler) & (runs.learner == learner)
            if mine.any():
                found.append(_summary(runs, mine, name, learned))
    return tuple(found)


def _summary(runs: RunTable, mine: np.ndarray, sampler: str, learner: str) -> GroupSummary:
    error, effect = runs.error[mine], runs.effect_error[mine]
    bound, effect_bound = runs.bound[mine], runs.effect_bound[mine]
    known = np.isfinite(bound)
    return GroupSummary(
        sampler=sampler,
        learner=learner,
        runs=int(mine.sum()),
        mean=float(error.mean()),
        lowest=float(error.min()),
        highest=float(error.max()),
        bound=float(bound[known].max()) if known.any() else float("nan"),
        chance=float(runs.chance[mine].mean()),
        below_chance=float(np.mean(bound[known] < runs.chance[mine][known]))
        if known.any()
        else float("nan"),
        effect_mean=float(effect.mean()),
        effect_lowest=float(effect.min()),
        effect_highest=float(effect.max()),
        effect_bound=float(effect_bound[known].max()) if known.any() else float("nan"),
    )


OnResult = Callable[[ExperimentResult], None]
TELL_SECONDS = 0.4  # between two partial results


def check_spec(spec: ExperimentSpec, find_system: FindSystem) -> ExperimentSpec:
    """The settled parts; refuses what cannot be run."""
    settled = spec.settled()
    check_system(settled, find_system)
    check_confidence(settled.confidence)
    if settled.mode not in ("default", "paper"):
        raise PayoffError(f"There is no mode '{settled.mode}'.", remedy="default or paper.")
    if settled.bound not in METHODS or METHODS[settled.bound].needs_binary:
        raise PayoffError(
            f"The bound '{settled.bound}' does not fit squared errors.",
            remedy="hoeffding, kl, empirical_bernstein, prpl_eb, betting, student_t, "
            "bootstrap, bca.",
        )
    for sampler in settled.samplers:
        if sampler not in SAMPLERS:
            raise no_such("sampler", sampler, SAMPLERS)
    for learner in settled.learners:
        if not is_installed(learner):
            kind = learner.partition(":")[0]
            why = f"{OUTSIDE[kind]} is not installed." if kind in OUTSIDE else ""
            raise PayoffError(f"The learner '{learner}' cannot be used.", why=why)
    for name in ("systems", "splits"):
        if getattr(settled, name) < 1:
            raise PayoffError(f"{name} is {getattr(settled, name)}.", why="It must be 1 or more.")
    if len(set(settled.learners)) < len(settled.learners):
        raise PayoffError("A learner is named twice.")
    if len(set(settled.samplers)) < len(settled.samplers):
        raise PayoffError("A sampler is named twice.")
    return settled


def prepare(
    spec: ExperimentSpec, read: Callable[[str], LoadedTable], find_system: FindSystem
) -> Study:
    """Read the rows of an experiment, or make them up, and check them."""
    settled = check_spec(spec, find_system)
    table = read(settled.path) if settled.path else made_up_rows(settled)
    return study_of(table, settled)


def run_experiment(
    spec: ExperimentSpec,
    read: Callable[[str], LoadedTable],
    *,
    find_system: FindSystem,
    find_distribution: FindDistribution | None = None,
    around: Around | None = None,
    stamp: str = "",
    journal: Callable[[str], Path | None] = lambda _name: None,
    on_result: OnResult = lambda _result: None,
    should_stop: Callable[[], bool] = lambda: False,
    backend: str = "threads",
    address: str = "",
    workers: int | None = None,
) -> ExperimentResult:
    """Run an experiment; stopped, it returns the runs that are done.

    Parameters
    ----------
    spec : ExperimentSpec
    read : callable
        Loads the table of a path.
    find_system : callable
        Evaluation systems by name.
    find_distribution : callable, optional
        Loss distributions by name, for boosted trees.
    around : callable, optional
        A context for every call of a third party's plugin; such runs stay in this process.
    stamp : str
        The state of the third parties' plugins that take part: another state, another journal.
    journal : callable
        The journal's path by the experiment's name; None keeps runs in memory only.
    on_result : callable
        Takes the experiment so far, every half second or so.
    should_stop : callable
    backend, address, workers
        See ``run_all``.
    """
    settled = check_spec(spec, find_system)
    if around is not None and backend != "threads":
        raise PayoffError(
            "Plugins of third parties take part in runs of this program only.",
            where=f"backend {backend}",
            why="Other processes do not have them.",
            remedy="Use threads, or learners and systems that come with Payoff.",
        )
    study = prepare(spec, read, find_system)
    began = time.monotonic()
    system = find_system(settled.system)
    runner = ExperimentRunner(study, settled, system, _named(settled, find_distribution))
    if around is not None:
        runner.around = around
    note = runner.inputs(settled.samplers[0], 0).system.note
    name = name_of(settled, study, stamp)
    book = Journal(journal(name), name)
    reported = [-math.inf]

    def tell(pace: Throttle) -> None:
        now = time.monotonic()
        if now - reported[0] >= TELL_SECONDS or pace.done == pace.wanted:
            reported[0] = now
            on_result(_result(runner, spec, book, pace, began, note))

    run_all(
        runner,
        book,
        on_progress=tell,
        should_stop=should_stop,
        backend=backend,
        address=address,
        workers=workers,
    )
    done = sum(key in book.records for key in runner.places())
    last = Throttle(
        done=done, wanted=settled.fits, seconds_left=math.nan if done < settled.fits else 0
    )
    return _result(runner, spec, book, last, began, note)


def _named(
    spec: ExperimentSpec, find_distribution: FindDistribution | None
) -> FindDistribution | None:
    """The distributions that the learners may ask for, as a lookup that other processes can take.

    Raises
    ------
    PayoffError
        Where one is not known, before anything runs.
    """
    trees = [name.partition(":")[2] for name in spec.learners if name.startswith(OWN_TREES)]
    if find_distribution is None or not trees:
        return None
    names = {*trees, *USUAL_DISTRIBUTIONS} - {""}
    return {name: find_distribution(name) for name in sorted(names)}.__getitem__


def _result(
    runner: ExperimentRunner,
    spec: ExperimentSpec,
    book: Journal,
    pace: Throttle,
    began: float,
    note: str,
) -> ExperimentResult:
    settled, study = runner.spec, runner.study
    runs = run_table(settled, book.records)
    return ExperimentResult(
        spec=spec,
        data=study.facts,
        runs=runs,
        groups=summarise_runs(runs),
        done=pace.done,
        wanted=pace.wanted,
        seconds_left=pace.seconds_left,
        seconds=time.monotonic() - began,
        bound_note=bound_note(study),
        conditions=(*_conditions(settled, study), *([note] if note else [])),
    )


def bound_note(study: Study) -> str:
    """Why a bound does not hold; empty where it does."""
    if study.blocks is None or study.test is None:
        return ""
    blocks = len(set(study.blocks[study.test].tolist()))
    if blocks < 2:
        return "Bound not valid: one time block. All stocks meet the market of the same days."
    return (
        f"Approximate: {counted(blocks, 'block')} of days, one mean loss each (Student t). "
        "Stocks share the "
        "market of a day."
    )


def _conditions(spec: ExperimentSpec, study: Study) -> tuple[str, ...]:
    """What the bound of a run takes for granted."""
    if study.blocks is not None:
        return (bound_note(study),)
    tested = round(study.rows * spec.test_share)
    reported = conditions_of(
        METHODS[spec.bound], LossSource(ids=study.ids), (0.0, 1.0), tested, tested
    )
    marks = {ConditionState.MET: "checked", ConditionState.ASSUMED: "assumed"}
    lines = [f"{entry.text} ({marks.get(entry.state, 'broken')})" for entry in reported]
    lines.append("Effect errors lie in 0 to 4; two subjects a row, so that rows stay independent.")
    lines.append(
        f"A bound belongs to one run: n is {tested:,}, never the runs times that. The largest of "
        "many bounds fails more often than one."
    )
    return tuple(lines)


def data_facts(
    spec: ExperimentSpec, read: Callable[[str], LoadedTable], find_system: FindSystem
) -> DataFacts:
    """What is found in the rows, without running anything."""
    return prepare(spec, read, find_system).facts
