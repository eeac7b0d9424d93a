"""Trained models, what is asked and answered.

What window and engine say to each other about model files: another program's, and ONNX.

One case explained: what each input adds, the decision, and what would change it.

How a trained model learned, and what it is worth by the number of its trees.
"""

from __future__ import annotations

import math
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
    is_probability: bool
    parts: tuple[CasePart, ...]  # largest first, the offset among them
    level: str = ""  # the class whose chance is predicted; empty of a number
    outcome: str = ""  # as it is known; empty where it is not
    decision: str = ""  # by the rule or the cut-off; empty where there is none
    no_decision: str = ""  # why there is none
    changes: tuple[CaseChange, ...] = ()  # the smallest first
    tried_rows: int = 0  # rows whose values were tried; all of the table, or a draw


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCase:
    """A case by its row, its id and its place among all rows.

    ``rank`` counts from 1 over ``rows``, the highest prediction first, earlier rows first among
    equals; ``score`` is that prediction. ``id`` is empty where no column names the cases.
    """

    row: int
    rows: int
    id: str
    rank: int
    score: float
    what: str  # the prediction that orders: "chance of responders"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseInput:
    """One input of a model, as a slider or a list of choices needs it.

    Attributes
    ----------
    column : str
    levels : tuple of str
        Empty for a number.
    low, high : float
        Range of a number over the rows that ``rows_text`` of the answer names; NaN without any.
    is_whole : bool
        Whether every number there is whole.
    own, tried : str
        The case's value as it stands in the data, and the one tried; empty = missing.
    own_value, tried_value : float
        The same as numbers (the place of a level); NaN = missing.
    influence : float
        Share of what the model's trees gained, 0 to 1: sliders stand in its order.
    """

    column: str
    levels: tuple[str, ...]
    low: float
    high: float
    is_whole: bool
    own: str
    tried: str
    own_value: float
    tried_value: float
    influence: float

    @property
    def is_moved(self) -> bool:
        """Whether another value than the case's own is tried."""
        values = self.own_value, self.tried_value
        return values[0] != values[1] and not all(map(math.isnan, values))


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseVerdict:
    """What a model says of a case, and what the rule makes of it.

    ``money``: the expected profit of each decision, costs taken off; empty where there is no rule.
    """

    prediction: float
    score: float
    decision: str = ""
    money: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherVerdict:
    """What another model says of the case, with its own inputs and with those tried."""

    model: str
    before: CaseVerdict
    now: CaseVerdict
    no_decision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseCurve:
    """The prediction of one case over the values of one input, all others as they are tried.

    The steps of a number are exact: between two places of ``x`` the prediction is that of the left
    one up to the right one, where it jumps. ``x`` counts the levels of a nominal input.
    """

    column: str
    levels: tuple[str, ...]
    x: FloatArray
    y: FloatArray
    at_missing: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseWhatIfResult:
    """A case with inputs at other values. ``base`` + all amounts of ``parts`` = ``now.score``.

    ``before`` is the case as it stands in the data. ``flips``: the smallest changes of one input
    alone, from the values tried, that bring another decision; the smallest first.
    """

    model: str
    row: int
    rows: int
    name: str
    outputs: tuple[str, ...]
    output: int
    is_probability: bool
    level: str  # the class whose chance is predicted; empty of a number
    outcome: str
    inputs: tuple[CaseInput, ...]
    rows_text: str  # whose range the sliders have
    base: float
    base_prediction: float
    parts: tuple[CasePart, ...]
    before: CaseVerdict
    now: CaseVerdict
    decisions: tuple[str, ...] = ()
    no_decision: str = ""
    curve: CaseCurve | None = None
    flips: tuple[CaseChange, ...] = ()
    is_searched: bool = False  # whether ``flips`` were looked for
    tried_rows: int = 0
    others: tuple[OtherVerdict, ...] = ()
    seconds: float = 0.0

    @property
    def moved(self) -> tuple[CaseInput, ...]:
        """The inputs at other values than the case's own."""
        return tuple(entry for entry in self.inputs if entry.is_moved)


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
