"""What the readers of other programs' model files have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from core.boosting.importers.trees import ImportedTree
from core.boosting.inputs import InputColumn
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedModel:
    """A model file taken apart; K scores per case, trees of K outputs in turn.

    Attributes
    ----------
    program : str
        "LightGBM" or "XGBoost".
    objective : str
        As the file has it.
    distribution : str or None
        The id of the distribution with the same response; None = there is none.
    parameters : mapping of str to float
        Parameters of the distribution.
    known_objectives : tuple of str
        Those that have a counterpart.
    columns : tuple of InputColumn
    trees : tuple of ForeignTree
    initial : float64 (K,)
    notes : tuple of str
        What a user should know.
    """

    program: str
    objective: str
    distribution: str | None
    parameters: Mapping[str, float]
    known_objectives: tuple[str, ...]
    columns: tuple[InputColumn, ...]
    trees: tuple[ImportedTree, ...]
    initial: FloatArray
    notes: tuple[str, ...] = ()


def reading(what: str, read: Callable[..., Answer], *arguments: Any) -> Answer:
    """Read a part of a file; whatever is not as it should be becomes a refusal naming the part."""
    try:
        return read(*arguments)
    except PayoffError:
        raise
    except KeyError as error:
        raise PayoffError(
            "The model file is damaged.", where=what, why=f"There is no {error}."
        ) from error
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError) as error:
        raise PayoffError("The model file is damaged.", where=what, why=str(error)) from error


def same_length(arrays: Mapping[str, np.ndarray[Any, Any]], size: int) -> None:
    """Refuse arrays of other lengths than the tree has nodes."""
    for name, array in arrays.items():
        if array.shape != (size,):
            raise ValueError(
                f"'{name}' has {counted(array.size, 'entry', 'entries')} for "
                f"{counted(size, 'node')}"
            )


def number_after(values: FloatArray) -> FloatArray:
    """From which number on ``x <= value`` is false, NaN where it never is."""
    after = np.nextafter(values, math.inf)
    return np.where(np.isinf(after), np.nan, after)


def columns_of(
    names: Sequence[str], levels: Mapping[int, Sequence[str]]
) -> tuple[InputColumn, ...]:
    """Input columns; those with levels are nominal."""
    for place, found in levels.items():
        if len(set(found)) != len(found):
            raise PayoffError(
                f"The input '{names[place]}' has a level twice.",
                why="Levels match by their printed form, in which 1 and '1' are one.",
            )
    return tuple(
        InputColumn(name=name, levels=tuple(levels.get(place, ())))
        for place, name in enumerate(names)
    )
