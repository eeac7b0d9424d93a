"""The words of decisions for every door.

The verbs of money: what a decision brings in a project of profits, and loses in one of losses.

Amounts in results are profits, higher is better. A sentence about a loss matrix turns them round:
a gain of 5 is 5 less that was lost. Window, report and engine take their verbs from here.

How fitted chances are named: on charts, in records and in reports.

Whether the totals of a model may be read at all: for the window, the report and saved files.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.document.data.model import RowUse
from core.document.model import CalibrationMethod, CalibrationSpec, ModelSpec
from core.document.results import DecisionResult
from payoff.counting import counted, counted_of


@dataclass(frozen=True, slots=True)
class AmountWords:
    """How sentences speak of the money of one project."""

    is_loss: bool

    @property
    def name(self) -> str:
        """The amount itself: "profit" or "loss"."""
        return "loss" if self.is_loss else "profit"

    @property
    def bring(self) -> str:
        """After "would": "bring" or "lose"."""
        return "lose" if self.is_loss else "bring"

    @property
    def brings(self) -> str:
        """What a decision does: "brings" or "loses"."""
        return "loses" if self.is_loss else "brings"

    @property
    def earns(self) -> str:
        """What a model does: "earns" or "loses"."""
        return "loses" if self.is_loss else "earns"

    @property
    def realised(self) -> str:
        """What it did: "brought" or "lost"."""
        return "lost" if self.is_loss else "brought"

    @property
    def came_in(self) -> str:
        """What happened to the money: "came in" or "was lost"."""
        return "was lost" if self.is_loss else "came in"

    def more(self, gain: float) -> str:
        """Whether a gain is more or less of the amount: a gain is less that was lost."""
        return "less" if (gain < 0) != self.is_loss else "more"

    def gains(self, amount: str) -> str:
        """After "would": a gain of an amount, "earn € 5" or "save € 5"."""
        return f"{'save' if self.is_loss else 'earn'} {amount}"


METHOD_WORDS = {
    CalibrationMethod.LOGISTIC: "logistic",
    CalibrationMethod.ISOTONIC: "isotonic",
    CalibrationMethod.BANDS: "by bands",
}
_LONG_WORDS = {
    CalibrationMethod.LOGISTIC: "a logistic curve (Platt)",
    CalibrationMethod.ISOTONIC: "isotonic regression",
    CalibrationMethod.BANDS: "bands of equal size",
}
_ROWS_WORDS = {
    RowUse.TRAIN: "training rows",
    RowUse.VALIDATION: "validation rows",
    RowUse.TEST: "test rows",
    RowUse.TO_DECIDE: "rows to decide",
    RowUse.ALL: "all rows",
}


def probabilities_words(probabilities: CalibrationSpec, rows_used: RowUse, data_hash: str) -> str:
    """In short: "isotonic, cross-fitted", or whose outcomes made them where others are looked at.

    >>> isotonic = CalibrationSpec(method=CalibrationMethod.ISOTONIC)
    >>> probabilities_words(isotonic, RowUse.VALIDATION, "")
    'isotonic, cross-fitted'
    """
    how = METHOD_WORDS[probabilities.method]
    if data_hash != probabilities.data_hash:
        return f"{how}, fitted to other data"
    if rows_used is probabilities.rows:
        return f"{how}, cross-fitted"
    if RowUse.ALL in (rows_used, probabilities.rows):
        return f"{how}, cross-fitted where fitted"
    return f"{how}, fitted to {_ROWS_WORDS[probabilities.rows]}"


def probabilities_sentence(model: ModelSpec, rows_used: RowUse, data_hash: str) -> str:
    """What a reader must know of a model's fitted chances on rows of some data; empty without."""
    probabilities = model.calibration
    if probabilities is None:
        return ""
    words = _ROWS_WORDS[probabilities.rows]
    where = counted(probabilities.fitted_rows, words.replace("rows", "row"), words)
    if data_hash != probabilities.data_hash:
        how = f"fitted to {where} of other data"
    elif rows_used is probabilities.rows or RowUse.ALL in (rows_used, probabilities.rows):
        how = (
            f"cross-fitted on {where}: each of them has its chance from the other "
            f"{counted_of(probabilities.folds - 1, probabilities.folds, 'fold')} "
            f"(seed {probabilities.seed})"
        )
    else:
        how = f"fitted to {where}, none of which is looked at here"
    return f"{model.name}: chances by {_LONG_WORDS[probabilities.method]} of its scores, {how}."


def void_reason(result: DecisionResult | None, model: str | None) -> str:
    """Why the totals of a model are none to go by; empty where they are.

    The red advice about a model is one: its chances were corrected to the priors twice.
    """
    advice = result.advice if result is not None else ()
    for entry in advice:
        if entry.state == "error" and model and entry.model == model:
            return f"{entry.text} Its totals and decisions rest on chances that are wrong."
    return ""
