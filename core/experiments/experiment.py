"""An experiment from its parts to its table: rows, bench, journal, runs, summary."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

from core.data import LoadedTable
from core.document.experiments.results import ConditionState, DataFacts, ExperimentResult
from core.document.experiments.spec import SAMPLERS, ExperimentSpec
from core.experiments.bounds import METHODS, conditions_of
from core.experiments.journal import Journal, name_of
from core.experiments.learners import (
    OUTSIDE,
    OWN_TREES,
    USUAL_DISTRIBUTIONS,
    FindDistribution,
    is_installed,
)
from core.experiments.losses import LossSource, check_confidence
from core.experiments.protocols import made_up_rows, study_of
from core.experiments.running import Throttle, run_all
from core.experiments.runs import Around, ExperimentRunner
from core.experiments.study import Study
from core.experiments.summary import run_table, summarise_runs
from core.experiments.systems import FindSystem, check_system
from payoff.counting import counted
from payoff.errors import PayoffError, no_such

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
    bench = ExperimentRunner(study, settled, system, _named(settled, find_distribution))
    if around is not None:
        bench.around = around
    note = bench.ground(settled.samplers[0], 0).system.note
    name = name_of(settled, study, stamp)
    book = Journal(journal(name), name)
    told = [-math.inf]

    def tell(pace: Throttle) -> None:
        now = time.monotonic()
        if now - told[0] >= TELL_SECONDS or pace.done == pace.wanted:
            told[0] = now
            on_result(_result(bench, spec, book, pace, began, note))

    run_all(
        bench,
        book,
        on_progress=tell,
        should_stop=should_stop,
        backend=backend,
        address=address,
        workers=workers,
    )
    done = sum(key in book.records for key in bench.places())
    last = Throttle(
        done=done, wanted=settled.fits, seconds_left=math.nan if done < settled.fits else 0
    )
    return _result(bench, spec, book, last, began, note)


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
    bench: ExperimentRunner,
    spec: ExperimentSpec,
    book: Journal,
    pace: Throttle,
    began: float,
    note: str,
) -> ExperimentResult:
    settled, study = bench.spec, bench.study
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
    told = conditions_of(METHODS[spec.bound], LossSource(ids=study.ids), (0.0, 1.0), tested, tested)
    marks = {ConditionState.MET: "checked", ConditionState.ASSUMED: "assumed"}
    lines = [f"{entry.text} ({marks.get(entry.state, 'broken')})" for entry in told]
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
