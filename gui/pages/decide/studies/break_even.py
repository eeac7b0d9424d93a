"""Tab Break-even: for every number, the value at which rule, best model or worth change."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.document.model import Document
from core.document.studies.break_even import (
    BreakEvenResult,
    BreakEvenRow,
    Crossing,
    nearest,
)
from core.document.wording import UNDEFINED
from core.presentation.labels import Labels, capitalised
from core.presentation.numbers import distance_words, setting_words
from core.presentation.table import Cell, Table
from core.questions.decide import BreakEven
from gui.pages.decide.studies.break_even_words import (
    ends_header,
    ends_of,
    ends_tip,
    line_words,
    sentence_words,
    winner_tip,
)
from gui.pages.decide.studies.shift import ShiftFigure, ShiftTable
from gui.pages.decide.studies.study import Study
from gui.parts import HelpButton, HelpText, TextLabel
from gui.parts.form import FormLook, QuestionForm
from gui.workspace import Workspace

FAR = 10.0  # times its present value: shown quietly, nobody expects a number to move that far


class BreakEvenStudy(Study):
    """A row per number; the nearest change of each kind, both sides in the tool tip."""

    asks = BreakEven

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.sentence = TextLabel("", "body", wraps=True)
        self.form = QuestionForm(BreakEven, ("is_kept",), FormLook.LINE, has_labels=False)
        self.form.asked_anew.connect(self.refresh)
        self.form.show_for(workspace.form_context())
        self.table = ShiftTable("Break-even values")
        self.note = TextLabel("", "note", wraps=True)
        self.result: BreakEvenResult | None = None
        line = QHBoxLayout()
        line.setContentsMargins(2, 6, 0, 0)
        line.setSpacing(12)
        line.addWidget(self.sentence, 1)
        line.addWidget(self._help())
        line.addWidget(self.form)
        self.body.addLayout(line)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self.note)

    def _help(self) -> HelpButton:
        return HelpButton(
            HelpText(
                title="Break-even",
                text=(
                    "One number moves, all others stay. Decisions are made again at each value, or "
                    "kept as they are now. Shown is the value nearest to the present one at which "
                    "a decision starts or stops being chosen by the rule, another model is best, "
                    "or the best model is no better than the same decision for all cases or, where "
                    "profits are told, earns nothing. Exact for the cases at hand: each case's own "
                    "switch is found."
                ),
                formula="T(v) = Σᵢ Fᵢ w Q(Tᵢ, D(i; v); v)",
                reference="Own derivation; totals as on tab Totals",
            )
        )

    # ------------------------------------------------------------ asking

    def title(self) -> str:
        return "Break-even"

    def wish(self, document: Document) -> BreakEven | None:
        question: BreakEven = self.form.question()
        return question

    # ------------------------------------------------------------ showing

    def show_answer(self, document: Document, answer: BreakEvenResult) -> None:
        self.result = answer
        words = Labels.of(document)
        self.sentence.setText(sentence_words(answer, words))
        self.table.show_content(self._rows(document, answer, words))
        self.note.setText(self._note(answer))

    def _rows(self, document: Document, result: BreakEvenResult, words: Labels) -> Table:
        header = (
            "If this number moves alone",
            "Now",
            "Rule flips at",
            "",
            "Another wins at",
            "",
            "Model",
            ends_header(result),
            "",
        )
        series = {model.name: model.series for model in document.models}
        rows = tuple(self._row(row, result, words, series) for row in result.numbers)
        helps = (
            "",
            "",
            f"A decision starts or stops being chosen by the rule of {result.model}",
            "Distance from the present value",
            "Another model has the best total",
            "Distance from the present value",
            "The model that then wins",
            (
                "Where the same decision for all cases draws level with the best model, or the "
                "model's total crosses 0. Profit may have risen on the way."
            ),
            "Distance from the present value",
        )
        return Table(columns=header, rows=rows, help=helps)

    def _row(
        self,
        row: BreakEvenRow,
        result: BreakEvenResult,
        words: Labels,
        series: dict[str, int],
    ) -> tuple[Cell, ...]:
        now = setting_words(row.now, row.unit, words.currency)
        winner = nearest(row.winner, row.now)
        who = Cell(text=UNDEFINED, role="quiet", is_left=True)
        if winner is not None:
            who = Cell(text=winner.becomes, series=series.get(winner.becomes, 0), is_left=True)
        ends = min(
            ends_of(row, words),
            key=lambda entry: abs(entry.value - row.now),
            default=None,
        )
        return (
            Cell(text=capitalised(row.name), is_left=True, exact=self._never(row, words)),
            Cell(text=now),
            *self._pair(row, nearest(row.rule, row.now), self._rule_tip(row, words), words),
            *self._pair(row, winner, winner_tip(row, words), words),
            who,
            *self._pair(row, ends, ends_tip(row, result, words), words),
        )

    def _pair(
        self, row: BreakEvenRow, crossing: Crossing | None, tip: str, words: Labels
    ) -> tuple[Cell, Cell]:
        if crossing is None:
            return Cell(text="never", role="quiet", exact=tip), Cell()
        is_far = abs(crossing.distance) > FAR
        text = setting_words(crossing.value, row.unit, words.currency)
        step = crossing.distance
        if row.now == 0:  # no share of 0: the bar says the side only
            step = 0.5 if crossing.value > 0 else -0.5
        return (
            Cell(text=text, role="quiet" if is_far else "text", exact=tip),
            ShiftFigure(
                text=distance_words(crossing.value, row.now, row.unit),
                role="quiet",
                shift=step,
                exact=tip,
            ),
        )

    # ------------------------------------------------------------ words

    def _never(self, row: BreakEvenRow, words: Labels) -> str:
        if row.never is None:
            return ""
        at = setting_words(row.never, row.unit, words.currency)
        return f"From {at} on one decision is the better one whatever the chance is."

    def _rule_tip(self, row: BreakEvenRow, words: Labels) -> str:
        lines = []
        for crossing in row.rule:
            if crossing is None:
                continue
            change = (
                "“%s” starts being chosen"
                if crossing.starts
                else "“%s” is no longer chosen for any case"
            )
            lines.append(line_words(row, crossing, change % crossing.becomes, words))
        return "\n".join(lines) or "The same decisions stay in use at every value."

    def _note(self, result: BreakEvenResult) -> str:
        kept = (
            "Every case keeps its present decision."
            if result.is_kept
            else "Decisions are made again at each value."
        )
        rows = result.rows.text
        parts = [kept, f"Exact for these rows ({rows})." if rows else ""]
        return " ".join(part for part in (*parts, *result.warnings) if part)
