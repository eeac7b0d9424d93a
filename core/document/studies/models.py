"""Trained models, what is asked and answered.

What window and engine say to each other about model files: another program's, and ONNX.

One case explained: what each input adds, the decision, and what would change it.

How a trained model learned, and what it is worth by the number of its trees.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document, TrainedModel, TreeRule
from core.document.training_results import TrainingCurves
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportModelArguments:
    """-> ModelImported. Kind "import_model": a model file of LightGBM or XGBoost.

    ``name`` is that of the model in the document.
    """

    document: Document
    path: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelImported:
    """A model on the shelf, to be added by AddTrainedModel."""

    model: TrainedModel
    program: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOnnxArguments:
    """-> OnnxWritten. Kind "export_onnx": a trained model of the document as an ONNX file."""

    document: Document
    model: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxWritten:
    """A file that was written; ``notes`` say what is not in it."""

    path: str
    trees: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePart:
    """What one input adds to the score of the case."""

    column: str
    value: str  # as it stands in the data; empty = missing
    amount: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """The smallest change of one input alone that brings another decision."""

    column: str
    old: str
    new: str
    decision: str
    passed: float  # share of the cases with values in between; NaN for levels
    prediction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OneCaseResult:
    """What page Explain shows of one case. ``base`` + all amounts (+ offset) = ``score``."""

    model: str
    row: int
    rows: int  # of the table
    name: str  # the case's id as it stands in the data, or "Row 12"
    outputs: tuple[str, ...]
    output: int
    base: float
    score: float
    base_prediction: float  # what is predicted of a case of which nothing is known
    prediction: float
    is_chance: bool
    parts: tuple[CasePart, ...]  # largest first, the offset among them
    outcome: str = ""  # as it is known; empty where it is not
    decision: str = ""  # by the rule or the cut-off; empty where there is none
    no_decision: str = ""  # why there is none
    changes: tuple[CaseChange, ...] = ()  # the smallest first
    tried_rows: int = 0  # rows whose values were tried; all of the table, or a draw


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
