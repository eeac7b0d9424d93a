"""The sample: scored cases, sorted once, as general metrics and checks see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from payoff.class_order import own_order
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import AnyArray, CodeArray, FloatArray, IntArray, OrderArray
from payoff.vocabulary import Task

Scalar = TypeVar("Scalar", bound=np.generic)
Kept = TypeVar("Kept")
RankingCall = Callable[[FloatArray], tuple[OrderArray, IntArray]]


class Sample:
    """Scored cases with known outcome.

    Resamples and priors change ``weight`` only, never ``order`` (see ``reweighted``). Arrays are
    read-only views.

    Parameters
    ----------
    outcome : array (n,)
        Classes: integer codes into ``labels``, the event first (code 0). Numbers: float64.
    score : array (n,), optional
        What ranks the cases, highest first; left out = the first row of ``prediction``.
    prediction : array (K, n), optional
        Posteriors in the order of ``labels``, or predicted values.
    weight : array (n,), optional
        Case weights, 0 or more; left out = 1 each.
    labels : tuple of str
        Printed levels, the event first; empty for numbers.
    task : Task, optional
        Left out = binary or multiclass by ``labels``, else regression.
    roles : mapping of str to array (n,)
        Further columns: "treatment", "group", "time", "consequences" ...
    class_order : tuple of str
        The levels in their own order, where it was declared; see ``class_places``.
    order : array (n,) of uint32, optional
        Row numbers by descending score, ties by row number; computed when left out.
    group_ends : array (groups,) of int64, optional
        For each group of equal scores the position in ``order`` after its last case.
    ranking : function of the score, optional
        Gives ``order`` and ``group_ends`` when one of them is first asked for.

    Raises
    ------
    PayoffError
        For lengths that differ, missing scores, codes outside the labels, negative weights.
    """

    outcome: CodeArray | FloatArray
    score: FloatArray
    posteriors: FloatArray
    weight: FloatArray
    labels: tuple[str, ...]
    class_order: tuple[str, ...]
    roles: Mapping[str, AnyArray]
    task: Task

    def __init__(
        self,
        outcome: ArrayLike,
        score: ArrayLike | None = None,
        *,
        prediction: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        labels: tuple[str, ...] = (),
        task: Task | None = None,
        roles: Mapping[str, ArrayLike] | None = None,
        class_order: tuple[str, ...] = (),
        order: OrderArray | None = None,
        group_ends: IntArray | None = None,
        ranking: RankingCall | None = None,
    ) -> None:
        self.labels = tuple(labels)
        self.class_order = tuple(class_order)
        self.task = task or _task_of(self.labels)
        self.outcome = _outcomes(outcome, has_levels=bool(self.labels))
        if self.outcome.ndim != 1:
            raise PayoffError("The outcome must be one column.", where="sample, outcome")
        self.posteriors, self.score = _predictions(self.outcome.shape[0], score, prediction)
        self.weight = _weights(self.outcome.shape[0], weight)
        self.roles = MappingProxyType(
            {name: self._role(name, values) for name, values in (roles or {}).items()}
        )
        self._check_codes()
        self._kept: dict[str, Any] = {}
        self._weighed: dict[str, Any] = {}
        self._rank = ranking or _plain_ranking
        if order is not None:
            ends = ends_of_ties(self.score, order) if group_ends is None else group_ends
            self._kept["payoff ranking"] = (_frozen(order), _frozen(ends))

    def __len__(self) -> int:
        return int(self.outcome.shape[0])

    @property
    def class_places(self) -> IntArray:
        """The place of each level of ``labels`` in the levels' own order, (classes,).

        The order is the declared one, else that of numbers, else that of the texts: which level is
        the event does not matter.
        """
        order = self.class_order or own_order(self.labels)
        return np.array([order.index(level) for level in self.labels], dtype=np.int64)

    @property
    def order(self) -> OrderArray:
        """Row numbers by descending score, ties by row number. uint32 (n,)."""
        return self._ranking()[0]

    @property
    def group_ends(self) -> IntArray:
        """For each group of equal scores the position in ``order`` after its last case."""
        return self._ranking()[1]

    def _ranking(self) -> tuple[OrderArray, IntArray]:
        def make() -> tuple[OrderArray, IntArray]:
            """Rank the cases by the score, once for all draws."""
            order, ends = self._rank(self.score)
            return _frozen(order), _frozen(ends)

        return self.kept("payoff ranking", make)

    def kept(self, name: str, make: Callable[[], Kept], *, by_weight: bool = False) -> Kept:
        """What several metrics or resamples share, made once.

        Parameters
        ----------
        name : str
            The same for the same thing; begin it with the metric's id.
        make : function ()
            Called the first time.
        by_weight : bool
            Whether it depends on the weights: then it is shared by metrics of this sample, and a
            resample makes its own. Otherwise ``make`` must not look at ``weight``.
        """
        kept = self._weighed if by_weight else self._kept
        if name not in kept:
            kept[name] = make()
        found: Kept = kept[name]
        return found

    def release(self) -> None:
        """Forget what was kept by weight; it is made again when it is asked for."""
        self._weighed.clear()

    @property
    def total_weight(self) -> float:
        """Sum of the weights."""
        return self.kept("payoff weight", lambda: float(self.weight.sum()), by_weight=True)

    @property
    def class_weight(self) -> FloatArray:
        """Weight of each class, (classes,); empty for numbers."""
        if not self.labels:
            return np.empty(0)
        return self.kept("payoff class weight", self._class_weight, by_weight=True).copy()

    def _class_weight(self) -> FloatArray:
        totals = np.bincount(self.outcome, self.weight, len(self.labels))
        return totals.astype(np.float64, copy=False)

    def cumulative(self, role: str) -> FloatArray:
        """Cumulative weighted sum at the ends of the groups of equal scores, (groups,).

        Parameters
        ----------
        role : str
            "all": the weight; "event": the weight of the first level; "others": the weight of all
            other levels; a label: the weight of that level; "outcome" (numbers) or the name of a
            further column: weight times its value.

        Raises
        ------
        PayoffError
            If the role is none of these.
        """
        if self.labels and role in ("all", "event", "others"):
            events, others = self.kept("payoff cumulative", self._cumulate, by_weight=True)
            if role == "all":
                return events + others
            return events if role == "event" else others
        running = np.cumsum((self.weight * self._measure(role))[self.order])
        return running[self.group_ends - 1]

    def _cumulate(self) -> tuple[FloatArray, FloatArray]:
        """Cumulative weight of the first level and of all others at the ends of the groups."""
        is_event = self.kept("payoff ranked events", lambda: (self.outcome == 0)[self.order])
        ranked = self.weight[self.order]
        ends = self.group_ends - 1
        events = np.cumsum(np.where(is_event, ranked, 0.0))[ends]
        others = np.cumsum(np.where(is_event, 0.0, ranked))[ends]
        return _frozen(events), _frozen(others)

    def reweighted(self, weight: ArrayLike) -> Sample:
        """Return the same cases in the same order with other weights."""
        other = object.__new__(Sample)
        other.__dict__.update(self.__dict__)
        other.weight = _weights(len(self), weight)
        other._weighed = {}
        return other

    def against_rest(self, level: int) -> Sample:
        """Return the binary sample of one level against all others, ranked by its posterior."""
        probability = self.posteriors[level]
        return Sample(
            np.where(self.outcome == level, 0, 1),
            prediction=np.vstack([probability, 1.0 - probability]),
            weight=self.weight,
            labels=(self.labels[level], "others"),
            roles=dict(self.roles),
        )

    def _measure(self, role: str) -> FloatArray:
        measure: AnyArray
        if role == "all":
            measure = np.ones(len(self))
        elif role in self.roles:
            measure = self.roles[role]
        elif role in self.labels:
            measure = self.outcome == self.labels.index(role)
        elif role == "outcome" and not self.labels:
            measure = self.outcome
        else:
            known = ", ".join(("all", "event", "others", *self.labels, *self.roles))
            raise PayoffError(f"The sample has no role '{role}'.", remedy=f"Known roles: {known}.")
        return measure.astype(np.float64)

    def _role(self, name: str, values: ArrayLike) -> AnyArray:
        column: AnyArray = np.asarray(values)
        if column.shape != (len(self),):
            raise PayoffError(
                f"The column '{name}' has shape {column.shape}, not ({len(self)},).",
                where=f"sample, {name}",
            )
        return _frozen(column)

    def _check_codes(self) -> None:
        if not self.labels or not len(self):
            return
        if self.outcome.min() < 0 or self.outcome.max() >= len(self.labels):
            row = int(np.argmax((self.outcome < 0) | (self.outcome >= len(self.labels))))
            raise PayoffError(
                f"The outcome code {self.outcome[row]} is not among "
                f"{counted(len(self.labels), 'level')}.",
                where=f"sample, row {row + 1}",
            )


def descending_order(score: FloatArray) -> OrderArray:
    """Row numbers by descending score; rows of equal score keep their order. uint32 (n,)."""
    return np.argsort(-score, kind="stable").astype(np.uint32)


def _plain_ranking(score: FloatArray) -> tuple[OrderArray, IntArray]:
    order = descending_order(score)
    return order, ends_of_ties(score, order)


def ends_of_ties(score: FloatArray, order: OrderArray) -> IntArray:
    """Positions after the last case of each group of equal scores, int64 (groups,)."""
    ranked = score[order]
    if ranked.size == 0:
        return np.empty(0, dtype=np.int64)
    changes = np.flatnonzero(ranked[1:] != ranked[:-1]) + 1
    return np.append(changes, ranked.size).astype(np.int64)


def _task_of(labels: tuple[str, ...]) -> Task:
    if not labels:
        return Task.REGRESSION
    return Task.BINARY if len(labels) == 2 else Task.MULTICLASS


def _outcomes(outcome: ArrayLike, *, has_levels: bool) -> CodeArray | FloatArray:
    if has_levels:
        return _frozen(np.ascontiguousarray(outcome, dtype=np.int32))
    return _frozen(np.ascontiguousarray(outcome, dtype=np.float64))


def _frozen(values: NDArray[Scalar]) -> NDArray[Scalar]:
    view = values.view()
    view.flags.writeable = False
    return view


def _predictions(
    rows: int, score: ArrayLike | None, prediction: ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Return (K, n) predictions and the (n,) ranking score, checked."""
    if score is None and prediction is None:
        raise PayoffError("A sample needs a score or predictions.", where="sample")
    if prediction is None:
        prediction = np.asarray(score, dtype=np.float64)[np.newaxis, :]
    table = np.ascontiguousarray(np.atleast_2d(np.asarray(prediction, dtype=np.float64)))
    ranking = table[0] if score is None else np.ascontiguousarray(score, dtype=np.float64)
    if table.shape[1] != rows or ranking.shape != (rows,):
        raise PayoffError(
            f"There are {counted(rows, 'outcome')}, but "
            f"{counted(table.shape[1], 'prediction')} and "
            f"{counted(ranking.shape[0], 'score')}.",
            where="sample",
        )
    if rows and np.isnan(ranking.min()):
        row = int(np.argmax(np.isnan(ranking)))
        raise PayoffError(
            "A score is missing.",
            where=f"sample, row {row + 1}",
            remedy="Leave out cases without a score.",
        )
    return _frozen(table), _frozen(ranking)


def _weights(rows: int, weight: ArrayLike | None) -> FloatArray:
    if weight is None:
        return _frozen(np.ones(rows))
    values = np.ascontiguousarray(weight, dtype=np.float64)
    if values.shape != (rows,):
        raise PayoffError(
            f"There are {counted(rows, 'outcome')}, but {counted(values.shape[0], 'weight')}.",
            where="sample, weight",
        )
    # A NaN makes both comparisons false.
    if len(values) and not (values.min() >= 0.0 and values.max() < np.inf):
        row = int(np.argmax(~(np.isfinite(values) & (values >= 0))))
        raise PayoffError(
            f"The weight {values[row]:g} is not possible.",
            where=f"sample, row {row + 1}",
            why="A weight must be a finite number, 0 or more.",
        )
    return _frozen(values)
