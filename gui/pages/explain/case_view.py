"""The view One case of page Explain: plain words, steps, and what would change the decision."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.document.studies.one_case import CaseChange, CasePart, OneCaseResult
from core.document.wording import format_share
from gui.pages.explain.dependence import prediction_words
from gui.pages.explain.waterfall import Waterfall, signed
from gui.parts import Card, HelpText, NumberField, TextLabel
from gui.parts.scrolled import scrolled
from gui.theme import current_theme
from payoff.counting import counted

LEFT = 400
MOST_NAMED = 3


def case_sentences(result: OneCaseResult) -> tuple[str, ...]:
    """What is predicted of the case and why, a sentence each."""
    own = prediction_words(result.prediction, is_chance=result.is_chance)
    base = prediction_words(result.base_prediction, is_chance=result.is_chance)
    sentences = [
        (
            f"{result.name[:1].upper() + result.name[1:]}: "
            f"{result.outputs[result.output]} is {own}. Of a case of which nothing is "
            f"known it is {base}."
        )
    ]
    up = [part for part in result.parts if part.amount > 0][:MOST_NAMED]
    down = [part for part in result.parts if part.amount < 0][:MOST_NAMED]
    if up:
        sentences.append(f"Raised most by {_named(up)}.")
    if down:
        sentences.append(f"Lowered most by {_named(down)}.")
    if result.outcome:
        sentences.append(f"What happened: {result.outcome}.")
    return tuple(sentences)


def _named(parts: list[CasePart]) -> str:
    return ", ".join(
        f"{part.column} = {part.value or 'missing'} ({signed(part.amount)})" for part in parts
    )


def change_sentence(change: CaseChange, *, is_chance: bool) -> str:
    """A change in words, with how far it goes among the cases."""
    sentence = "{} {} instead of {}: {}, at {}".format(
        change.column,
        change.new,
        change.old or "missing",
        change.decision,
        prediction_words(change.prediction, is_chance=is_chance),
    )
    if math.isnan(change.passed):
        return sentence
    return sentence + f"; {format_share(change.passed)} of the cases lie between"


def decision_sentence(result: OneCaseResult) -> str:
    """The decision and whether one input alone could change it."""
    if not result.decision:
        return result.no_decision
    if not result.changes:
        rows = counted(result.tried_rows, "row")
        where = "all %s" if result.tried_rows == result.rows else "%s drawn"
        text = (
            "Its decision is %s. None of the values tried for one input alone, from %s, would "
            "change that."
        )
        return text % (result.decision, where % rows)
    return f"Its decision is {result.decision}. One of these changes alone would bring another:"


class RowField(NumberField):
    """The number of a row, from 1."""

    def setValue(self, row: int) -> None:
        """Choose a row, as typing its number does."""
        self.choose(float(row))


class CaseView(QWidget):
    """A row to choose, its words and its waterfall; ``row_chosen`` counts from 0."""

    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: OneCaseResult | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(current_theme().sizes.gap)
        row.addWidget(self._make_words())
        row.addWidget(self._make_steps(), 1)

    def _make_words(self) -> Card:
        card = Card("In words")
        card.setFixedWidth(LEFT)
        card.add_header_widget(TextLabel("Row", "quiet"))
        self.row = RowField(1.0, whole=True, minimum=1, maximum=1)
        self.row.setAccessibleName("Row of the data")
        self.row.setMinimumWidth(90)
        self.row.setToolTip("Row of the data; the arrow keys step")
        self.row.value_changed.connect(lambda value: self.row_chosen.emit(round(value) - 1))
        card.add_header_widget(self.row)
        self.sentences = TextLabel("", wraps=True)
        self.decision = TextLabel("", "section", wraps=True)
        self.changes = TextLabel("", wraps=True)
        self.note = TextLabel(
            (
                "These are changes of the model's answer, no advice: changing an input in real "
                "life need not change what happens."
            ),
            "note",
            wraps=True,
        )
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(14)
        for label in (self.sentences, self.decision, self.changes, self.note):
            column.addWidget(label)
        column.addStretch(1)
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        holder.setLayout(column)
        card.body.addWidget(
            scrolled(holder, name="What the model says of this case", is_sideways=True), 1
        )
        return card

    def _make_steps(self) -> Card:
        card = Card(
            "How the prediction comes about",
            " ",
            help_text=HelpText(
                title="Steps to a prediction",
                text=(
                    "The first line is what the model says of a case of which nothing is known. "
                    "Each input then adds its Shapley value: its mean effect over all orders in "
                    "which the inputs could have become known. The steps add up exactly on the "
                    "model's own scale (for chances the log of the odds)."
                ),
                formula="φ(j) = mean over orders of f(known before and j) − f(known before)",
                reference="Lundberg and others 2020, TreeSHAP, path dependent",
            ),
        )
        self.steps_card = card
        self.waterfall = Waterfall()
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.waterfall, 1)
        column.addStretch(0)
        card.body.addWidget(scrolled(holder, name="Steps to the prediction", is_sideways=True), 1)
        return card

    def set_rows(self, rows: int) -> None:
        """Rows that can be chosen."""
        self.row.set_range(1, max(1, rows))

    def show_case(self, result: OneCaseResult | None, refusal: str = "") -> None:
        """Show what is known of a case; None while it is worked out, or was refused."""
        self.result = result
        self.waterfall.show_case(result)
        assert self.steps_card.header is not None
        if result is None:
            self.sentences.setText(refusal or "Being worked out.")
            self.steps_card.header.set_note("")
            for label in (self.decision, self.changes, self.note):
                label.hide()
            return
        scale = "in log odds" if result.is_chance else "on the model's own scale"
        self.steps_card.header.set_note(f"{result.outputs[result.output]}, {scale}")
        self.sentences.setText("\n\n".join(case_sentences(result)))
        self.decision.setText(decision_sentence(result))
        self.decision.show()
        lines = [f"• {change_sentence(c, is_chance=result.is_chance)}" for c in result.changes]
        self.changes.setText("\n\n".join(lines))
        for label in (self.changes, self.note):
            label.setVisible(bool(lines))
