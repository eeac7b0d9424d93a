"""The cases of a fit: input columns, outcome and roles, as plain arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from payoff.types import FloatArray, IntArray

InputArray: TypeAlias = NDArray[Any]
"""float64 or float32 (n,): a number, or the level's number of a nominal column. NaN = missing;
``UNSEEN`` = a level the model does not know."""

UNSEEN = -1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class InputColumn:
    """What a model knows of an input column.

    Attributes
    ----------
    name : str
    levels : tuple of str
        Printed forms of the levels in code order; empty for a number.
    is_ordered : bool
        Whether the levels are ranks: split like numbers.
    """

    name: str
    levels: tuple[str, ...] = ()
    is_ordered: bool = False

    @property
    def is_nominal(self) -> bool:
        """Whether splits send sets of levels to either side."""
        return bool(self.levels) and not self.is_ordered


@dataclass(frozen=True, slots=True)
class Inputs:
    """Input columns side by side.

    Attributes
    ----------
    columns : tuple of InputColumn
    arrays : tuple of float arrays (n,)
        May be views into ``matrix``.
    matrix : float array (n, F) or None
        All columns as one row-major matrix where there is one: binning then reads each row once.
    """

    columns: tuple[InputColumn, ...]
    arrays: tuple[InputArray, ...]
    matrix: InputArray | None = None

    @property
    def n_rows(self) -> int:
        """Number of cases, the same in every column."""
        return int(self.arrays[0].shape[0]) if self.arrays else 0

    def take(self, rows: IntArray) -> Inputs:
        """The cases with these row numbers."""
        return Inputs(self.columns, tuple(array[rows] for array in self.arrays))

    def values(self) -> FloatArray:
        """All columns as float64 (F, n), C-contiguous."""
        table = np.empty((len(self.arrays), self.n_rows))
        for place, array in enumerate(self.arrays):
            table[place] = array
        return table


def inputs_of_matrix(
    matrix: InputArray, names: Sequence[str] = (), columns: Sequence[InputColumn] = ()
) -> Inputs:
    """Inputs from a float (n, F) matrix; columns default to numbers called x0, x1 ..."""
    width = matrix.shape[1]
    names = names or [f"x{place}" for place in range(width)]
    known = tuple(columns) or tuple(InputColumn(name=name) for name in names)
    is_row_major = matrix.flags.c_contiguous and not any(item.is_nominal for item in known)
    arrays = tuple(matrix[:, place] for place in range(width))
    return Inputs(known, arrays, matrix if is_row_major else None)


@dataclass(frozen=True, kw_only=True)
class TrainingCases:
    """What a model is fitted to. The first ``n_train`` cases train, the others only judge.

    Attributes
    ----------
    inputs : Inputs
    outcome : float64 (n,)
        The number, 0/1, or class numbers.
    weight : float64 (n,) or None
    offset : float64 (n,) or (K, n) or None
        Added to the score of each case.
    group : int64 (n,) or None
        Number of the group (query, subject) of each case.
    extras : mapping of role to array (n,)
        Further columns that the distribution reads, by the name of the role.
    n_train : int or None
        None = all.
    n_classes : int
        Classes of the outcome; 1 for numbers.
    counts_cases : bool
        Whole weights say how often a case was seen; False: how many others it stands for.
    """

    inputs: Inputs
    outcome: FloatArray
    weight: FloatArray | None = None
    offset: FloatArray | None = None
    group: IntArray | None = None
    extras: Mapping[str, InputArray] = field(default_factory=dict)
    n_train: int | None = None
    n_classes: int = 1
    counts_cases: bool = True

    @property
    def n_rows(self) -> int:
        """Number of cases, the same in every column."""
        return int(self.outcome.shape[0])

    @property
    def train_rows(self) -> int:
        """Number of cases that train."""
        return self.n_rows if self.n_train is None else self.n_train

    def take(self, rows: IntArray, n_train: int | None = None) -> TrainingCases:
        """The cases with these row numbers, the first ``n_train`` of which train."""
        offset = self.offset
        return TrainingCases(
            inputs=self.inputs.take(rows),
            outcome=self.outcome[rows],
            weight=None if self.weight is None else self.weight[rows],
            offset=None if offset is None else offset[..., rows],
            group=None if self.group is None else self.group[rows],
            extras={name: array[rows] for name, array in self.extras.items()},
            n_train=n_train,
            n_classes=self.n_classes,
            counts_cases=self.counts_cases,
        )
