"""One run of an experiment: draw, split, fit, judge; it depends on its place and nothing else.

What a learner sees: conditions and T(S) side by side, scaled by the training rows alone.

Subjects: random linear models, drawn independently of the conditions they will meet.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np

from core.document.experiments.spec import FORMS, SAMPLERS, ExperimentSpec
from core.experiments.bounds import compute_error_bound
from core.experiments.learners import FindDistribution, FitSettings, Fitted, fit_learner
from core.experiments.losses import LossSource
from core.experiments.study import Stream, Study, split_rows, stream
from core.experiments.systems import draw_system
from core.kernels import own_kernel
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.systems import DrawnSystem, EvaluationSystem, Subjects
from payoff.types import FloatArray, IntArray


@own_kernel
def _moments(raw: FloatArray, rows: IntArray, mean: FloatArray, scale: FloatArray) -> None:
    """Mean and standard deviation of the columns over some rows; NaN cells are left out."""
    width = raw.shape[1]
    count = np.zeros(width)
    mean[:] = 0.0
    scale[:] = 0.0
    for row in rows:
        line = raw[row]
        for place in range(width):
            known = not np.isnan(line[place])
            count[place] += 1.0 if known else 0.0
            mean[place] += line[place] if known else 0.0
    for place in range(width):
        mean[place] = mean[place] / count[place] if count[place] > 0.0 else 0.0
    for row in rows:
        line = raw[row]
        for place in range(width):
            apart = line[place] - mean[place]
            scale[place] += apart * apart if not np.isnan(apart) else 0.0
    for place in range(width):
        spread = np.sqrt(scale[place] / count[place]) if count[place] > 0.0 else 0.0
        scale[place] = spread if spread > 0.0 else 1.0


@own_kernel
def _write_scaled(
    raw: FloatArray,
    rows: IntArray,
    fill: FloatArray,
    mean: FloatArray,
    scale: FloatArray,
    out: FloatArray,
) -> None:
    for place in range(rows.shape[0]):
        line, target = raw[rows[place]], out[place]
        for column in range(raw.shape[1]):
            value = line[column]
            value = fill[column] if np.isnan(value) else value
            target[column] = (value - mean[column]) / scale[column]


class Scaling:
    """Medians, means and standard deviations of the training rows."""

    def __init__(self, raw: FloatArray, train: IntArray) -> None:
        width = raw.shape[1]
        self.fill = np.zeros(width)
        for column in np.flatnonzero(np.isnan(raw).any(axis=0)):
            known = raw[train, column]
            known = known[~np.isnan(known)]
            self.fill[column] = np.median(known) if len(known) else 0.0
        self.mean, self.scale = np.empty(width), np.empty(width)
        _moments(raw, train, self.mean, self.scale)

    def apply(self, raw: FloatArray, rows: IntArray) -> FloatArray:
        """The scaled columns of some rows, float64 (rows, p)."""
        out = np.empty((len(rows), raw.shape[1]))
        _write_scaled(raw, rows, self.fill, self.mean, self.scale, out)
        return out


def with_flags(conditions: FloatArray) -> FloatArray:
    """Conditions with a 0/1 column more for each that has gaps."""
    missing = np.isnan(conditions)
    flags = missing[:, missing.any(axis=0)].astype(np.float64)
    return np.ascontiguousarray(np.hstack([conditions, flags]))


def open_uniform(draw: np.random.Generator, shape: tuple[int, ...]) -> tuple[FloatArray, int]:
    """Uniform numbers with both ends left out, and how many had to be drawn again."""
    u = draw.random(shape)
    redrawn = 0
    while True:
        at_end = (u <= 0.0) | (u >= 1.0)
        count = int(at_end.sum())
        if not count:
            return u, redrawn
        redrawn += count
        u[at_end] = draw.random(count)


def draw_subjects(
    draw: np.random.Generator,
    rows: int,
    parameters: int,
    sampler: str,
    *,
    form: str = "auto",
    mean: tuple[float, ...] = (),
    root: FloatArray | None = None,
) -> Subjects:
    """Draw a subject for every row.

    Parameters
    ----------
    sampler : str
        "sigmoid" (theta = ln(u / (1 - u)), standard logistic), "arctan" (theta = tan(pi (u - 1/2)),
        standard Cauchy, which has no mean), "gaussian" (N(mean, covariance)).
    form : str
        T(S): "theta", or "uniform" / "auto": u - 1/2 for sigmoid and arctan.
    mean : tuple of float
        Of gaussian subjects; empty = 0.
    root : float64 (d, d), optional
        From ``covariance_root``; None = the identity.
    """
    if sampler not in SAMPLERS:
        raise no_such("sampler", sampler, SAMPLERS)
    if form not in FORMS:
        raise PayoffError(f"T(S) cannot be '{form}'.", remedy=f"There are: {', '.join(FORMS)}.")
    if sampler == "gaussian":
        theta = draw.standard_normal((rows, parameters))
        if root is not None:
            theta = theta @ root.T
        if mean:
            theta = theta + np.asarray(mean)
        return Subjects(theta=theta, features=theta)
    u, redrawn = open_uniform(draw, (rows, parameters))
    theta = np.log(u / (1.0 - u)) if sampler == "sigmoid" else np.tan(math.pi * (u - 0.5))
    return Subjects(theta=theta, features=theta if form == "theta" else u - 0.5, redrawn=redrawn)


def check_mean(mean: tuple[float, ...], parameters: int) -> None:
    """Refuse a mean of another length."""
    if mean and len(mean) != parameters:
        raise PayoffError(
            f"The mean has {counted(len(mean), 'value')} for {counted(parameters, 'parameter')}.",
            where="gaussian sampling",
        )


def covariance_root(
    covariance: tuple[tuple[float, ...], ...], parameters: int
) -> FloatArray | None:
    """A matrix whose product with its transpose is the covariance; None for the identity.

    Raises
    ------
    PayoffError
        For a matrix of another size, that is not symmetric, or has a negative eigenvalue.
    """
    if not covariance:
        return None
    where = "gaussian sampling, covariance"
    widths = {len(row) for row in covariance}
    if len(covariance) != parameters or widths != {parameters}:
        shown = f"{len(covariance)} x {'/'.join(str(w) for w in sorted(widths))}"
        raise PayoffError(
            f"The covariance is {shown}; a subject has {counted(parameters, 'parameter')}.",
            where=where,
        )
    matrix = np.asarray(covariance, dtype=np.float64)
    if not np.isfinite(matrix).all():
        raise PayoffError("The covariance holds a number that is not finite.", where=where)
    gap = np.abs(matrix - matrix.T)
    if gap.max() > 1e-10 * max(1.0, float(np.abs(matrix).max())):
        row, column = np.unravel_index(int(gap.argmax()), gap.shape)
        raise PayoffError(
            "The covariance is not symmetric.",
            where=f"{where}, row {row + 1}, column {column + 1}",
            why=f"{matrix[row, column]:g} stands opposite {matrix[column, row]:g}.",
        )
    values, vectors = np.linalg.eigh(matrix)
    if values[0] < -1e-10 * max(1.0, float(values[-1])):
        raise PayoffError(
            "The covariance is not positive semidefinite.",
            where=where,
            why=f"Its smallest eigenvalue is {values[0]:.4g}.",
            remedy="Every combination of parameters needs a variance of 0 or more.",
        )
    root: FloatArray = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


EFFECT_RANGE = (0.0, 4.0)
"""Squared error of a difference of two outcomes in [0, 1]."""


Around = Callable[[str, str], AbstractContextManager[object]]


def _no_watch(kind: str, name: str) -> AbstractContextManager[object]:
    """The context where nobody watches plugins."""
    del kind, name
    return nullcontext()


@dataclass(frozen=True, slots=True, order=True)
class RunKey:
    """The place of a run: names of sampler and learner, numbers of system and split."""

    sampler: str
    system: int
    split: int
    learner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """What a run found; the columns of ``RunTable``."""

    key: RunKey
    n_train: int
    n_test: int
    error: float
    variance: float
    bound: float
    chance: float
    effect_error: float
    effect_variance: float
    effect_bound: float
    clipped: int
    worse_than_start: int


@dataclass(frozen=True, slots=True, eq=False)
class RunInputs:
    """What the runs of one sampler and system share."""

    subjects: Subjects
    others: Subjects
    system: DrawnSystem
    raw: FloatArray  # (n, conditions + T(S))
    raw_others: FloatArray


class ExperimentRunner:
    """A study with settled parts, ready to run; grounds are kept while their runs come.

    Parameters
    ----------
    study : Study
    spec : ExperimentSpec
        Settled.
    system : EvaluationSystem
        The kind that the parts name.
    find_distribution : callable, optional
        For boosted trees.
    around : callable, optional
        ``around("system" or "learner", name)``: a context for calls of plugins.
    """

    def __init__(
        self,
        study: Study,
        spec: ExperimentSpec,
        system: EvaluationSystem,
        find_distribution: FindDistribution | None = None,
        around: Around = _no_watch,
    ) -> None:
        self.study = study
        self.spec = spec
        self.system = system
        self.around = around
        self.find_distribution = find_distribution
        check_mean(spec.mean, study.parameters)
        self._root = covariance_root(spec.covariance, study.parameters)
        flagged = spec.missing_flags and bool(np.isnan(study.conditions).any())
        self._conditions = with_flags(study.conditions) if flagged else study.conditions
        self._grounds: dict[tuple[str, int], RunInputs] = {}
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, object]:
        kept = self.__dict__.copy()
        kept["_grounds"], kept["_lock"] = {}, None  # each process draws its own
        return kept

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def places(self) -> Iterator[RunKey]:
        """The places of all runs, in the order of the final table."""
        spec = self.spec
        for sampler in spec.samplers:
            for system in range(spec.systems):
                for split in range(spec.splits):
                    for learner in spec.learners:
                        yield RunKey(sampler, system, split, learner)

    def ground(self, sampler: str, system: int) -> RunInputs:
        """Subjects, system and design of one sampler and system."""
        with self._lock:
            found = self._grounds.get((sampler, system))
            if found is None:
                found = self._draw_ground(sampler, system)
                while len(self._grounds) >= 3:  # runs come in order: older ones are done
                    self._grounds.pop(next(iter(self._grounds)))
                self._grounds[sampler, system] = found
            return found

    def _subjects(self, purpose: Stream, sampler: str, system: int) -> Subjects:
        spec = self.spec
        return draw_subjects(
            stream(spec.seed, purpose, sampler, system),
            self.study.rows,
            self.study.parameters,
            sampler,
            form=spec.subject_form,
            mean=spec.mean,
            root=self._root,
        )

    def _draw_ground(self, sampler: str, system: int) -> RunInputs:
        spec = self.spec
        subjects = self._subjects(Stream.SUBJECTS, sampler, system)
        others = self._subjects(Stream.OTHER_SUBJECTS, sampler, system)
        draw = stream(spec.seed, Stream.SYSTEM, sampler, system)
        with self.around("system", self.system.id):
            drawn = draw_system(self.study, subjects, draw, self.system, spec)
        raw, raw_others = (
            np.ascontiguousarray(np.hstack([self._conditions, entry.features]))
            for entry in (subjects, others)
        )
        return RunInputs(subjects, others, drawn, raw, raw_others)

    def run(self, sampler: str, system: int, split: int) -> tuple[RunRecord, ...]:
        """Every learner on one split of one system."""
        spec = self.spec
        ground = self.ground(sampler, system)
        draw = stream(spec.seed, Stream.SPLIT, sampler, system, split)
        train, test = split_rows(self.study, draw, spec.test_share)
        scaling = Scaling(ground.raw, train)
        x_train, x_test = scaling.apply(ground.raw, train), scaling.apply(ground.raw, test)
        x_other = scaling.apply(ground.raw_others, test)
        outcome = ground.system.outcome
        y_train, y_test = outcome[train], outcome[test]
        seed = stream(spec.seed, Stream.LEARNER, sampler, system, split).integers(2**31 - 1)
        settings = FitSettings(seed=int(seed), find_distribution=self.find_distribution)
        answer = ground.system.answer
        with self.around("system", self.system.id):
            effect = answer(test, _take(ground.subjects, test))
            effect = effect - answer(test, _take(ground.others, test))
        chance = float(np.mean((outcome - outcome.mean()) ** 2))
        records = []
        for learner in spec.learners:
            key = RunKey(sampler, system, split, learner)
            with self.around("learner", learner):
                fitted = fit_learner(learner, x_train, y_train, settings)
                records.append(
                    self._judge(
                        key, fitted, (x_test, x_other), (y_test, effect), (train, test), chance
                    )
                )
        return tuple(records)

    def _judge(
        self,
        key: RunKey,
        fitted: Fitted,
        inputs: tuple[FloatArray, FloatArray],
        outcomes: tuple[FloatArray, FloatArray],
        parts: tuple[IntArray, IntArray],
        chance: float,
    ) -> RunRecord:
        predicted = fitted.predict(inputs[0])
        clipped = int(np.count_nonzero((predicted < 0.0) | (predicted > 1.0)))
        predicted = np.clip(predicted, 0.0, 1.0)
        moved = predicted - np.clip(fitted.predict(inputs[1]), 0.0, 1.0)
        loss = (predicted - outcomes[0]) ** 2
        effect_loss = (moved - outcomes[1]) ** 2
        return RunRecord(
            key=key,
            n_train=len(parts[0]),
            n_test=len(loss),
            error=float(loss.mean()),
            variance=_variance(loss),
            bound=self._bound(loss, (0.0, 1.0), parts[1]),
            chance=chance,
            effect_error=float(effect_loss.mean()),
            effect_variance=_variance(effect_loss),
            effect_bound=self._bound(effect_loss, EFFECT_RANGE, parts[1]),
            clipped=clipped,
            worse_than_start=int(fitted.worse_than_start),
        )

    def _bound(self, loss: FloatArray, span: tuple[float, float], test: IntArray) -> float:
        """The upper limit; by blocks of days where rows share them, NaN where all share one."""
        spec, blocks = self.spec, self.study.blocks
        if blocks is None:
            found = compute_error_bound(
                loss, method=spec.bound, confidence=spec.confidence, loss_range=span
            )
            return found.high
        if len(np.unique(blocks[test])) < 2:
            return float("nan")
        return compute_error_bound(
            loss,
            method="student_t",
            confidence=spec.confidence,
            loss_range=span,
            source=LossSource(clusters=blocks[test]),
        ).high


def _take(subjects: Subjects, rows: IntArray) -> Subjects:
    return Subjects(theta=subjects.theta[rows], features=subjects.features[rows])


def _variance(loss: FloatArray) -> float:
    return float(loss.var(ddof=1)) if len(loss) > 1 else float("nan")
