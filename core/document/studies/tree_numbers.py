"""How a trained model learned, and what it is worth by the number of its trees."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import TreeRule
from core.document.training_results import TrainingCurves
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeChoice:
    """The number of trees that a rule chooses; 0 where it cannot, and why."""

    rule: TreeRule
    trees: int
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedResult:
    """The curves of a trained model's file, and its figures on rows that did not train it.

    Attributes
    ----------
    model : str
    curves : TrainingCurves
    choices : tuple of TreeChoice
        Every rule, whatever number of trees is used now.
    points : (p,) float64
        Numbers of trees, rising; the last is all of them.
    loss, profit : (p,) float64
        Mean loss and total profit of the rows by number of trees; NaN = not known.
    rows_text : str
        Which rows they are: "4,000 test rows"; empty where there are none.
    are_test_rows : bool
        False: they are those that judged the training.
    no_profit : str
        Why there is no profit; empty where there is one.
    """

    model: str
    curves: TrainingCurves
    choices: tuple[TreeChoice, ...]
    points: FloatArray
    loss: FloatArray
    profit: FloatArray
    rows_text: str = ""
    are_test_rows: bool = True
    no_profit: str = ""
