"""The one big number, and what it is compared with."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.document.commands import Command
from core.document.decisions.chosen_depth import DepthWorth, chosen_for
from core.document.markup import filled, joined
from core.document.model import ChartMode, Document
from core.document.results import CursorReading, DecisionResult, Estimate, ResampleResult
from core.document.wording import (
    NBSP,
    format_certainty,
    format_money,
    format_money_interval,
    format_share,
)
from core.presentation import decide_figures as figures
from core.presentation.decide_figures import Against, AtDepth
from core.presentation.labels import Labels
from core.presentation.table import common_scale
from gui.pages.decide.validity import Invalid, invalid_of
from gui.parts import (
    Card,
    EstimateBar,
    HelpButton,
    HelpText,
    MoneyLabel,
    RichLabel,
    Rule,
    TextLabel,
    strong,
)


class AgainstBlock(QWidget):
    """One comparison: what with, the difference with its arrow, interval and a line of words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self.title = TextLabel("", "quiet", wraps=True)
        self.amount = MoneyLabel()
        self.interval = TextLabel("", "note", wraps=True)
        self.words = TextLabel("", "note", wraps=True)
        column.addWidget(self.title)
        column.addSpacing(3)
        column.addWidget(self.amount)
        column.addSpacing(1)
        column.addWidget(self.interval)
        column.addWidget(self.words)
        column.addStretch(1)

    def show_against(self, title: str, against: Against, currency: str, words: str) -> None:
        """Show a difference; an interval that holds 0 is marked as uncertain."""
        self.title.setText(title)
        is_known = math.isfinite(against.low) and math.isfinite(against.high)
        certain = not is_known or against.low > 0 or against.high < 0
        self.amount.set_amount(against.value, currency, certain=certain)
        self.interval.setText(format_money_interval(against.low, against.high) if is_known else "")
        self.interval.setVisible(is_known)
        self.words.setText(words)
        self.words.setVisible(bool(words))


class HeadlineCard(Card):
    """Total at the cursor with its interval, against doing nothing, all, and the best rival.

    Where the total is none to go by it is grey, with the reason and the step that mends it.
    """

    mending_wanted = Signal(Command)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=0, parent=parent)
        # A tab that takes the chart's room must get it, not this card.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.title = RichLabel("", "quiet")
        self.help = HelpButton(HelpText(title="Total profit", text=""))
        self.number = TextLabel("", "number")
        self.bar = EstimateBar()
        self.bar.setMaximumWidth(112)
        self.interval = TextLabel("", "note", wraps=True)
        self.per_thousand = TextLabel("", "note")
        self.invalid = TextLabel("", "error", wraps=True)
        self.mend = QPushButton()
        self.mend.setProperty("small", True)
        self.mend.clicked.connect(lambda _checked: self._mend())
        self._wrong: Invalid | None = None
        self.blocks = (AgainstBlock(), AgainstBlock(), AgainstBlock())
        self._rules: list[Rule] = []
        self.title_words = ""
        self._is_compact = False
        self._row = row = QHBoxLayout()
        row.setContentsMargins(16, 9, 12, 7)
        row.setSpacing(16)
        row.addWidget(self._make_main(), 34)
        for block in self.blocks:
            rule = Rule(vertical=True)
            self._rules.append(rule)
            row.addWidget(rule)
            row.addWidget(block, 20)
        self.body.addLayout(row)

    def _make_main(self) -> QWidget:
        main = QWidget()
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.help)
        head.addStretch(1)
        self._number_line = QHBoxLayout()
        self._number_line.setSpacing(16)
        self._number_line.addWidget(self.number)
        self._interval_line = QHBoxLayout()
        self._interval_line.setSpacing(10)
        self._interval_line.addWidget(self.bar, 1)
        self._interval_line.addWidget(self.interval, 3)
        column.addLayout(head)
        column.addLayout(self._number_line)
        column.addLayout(self._interval_line)
        column.addWidget(self.per_thousand)
        column.addWidget(self.invalid)
        column.addWidget(self.mend, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return main

    def _mend(self) -> None:
        if self._wrong is not None:
            self.mending_wanted.emit(self._wrong.mend)

    def _show_validity(self, wrong: Invalid | None) -> None:
        """Grey the figures that are none to go by, and say why."""
        self._wrong = wrong
        self.number.set_role("quietNumber" if wrong else "number")
        self.invalid.setText(wrong.reason if wrong else "")
        self.mend.setText(wrong.words if wrong else "")
        for widget in (self.invalid, self.mend):
            widget.setVisible(wrong is not None)

    def set_compact(self, is_compact: bool) -> None:
        """Stand closer where the window is low: the bar beside the number, one line less."""
        if is_compact == self._is_compact:
            return
        self._is_compact = is_compact
        self._row.setContentsMargins(16, 4 if is_compact else 9, 12, 3 if is_compact else 7)
        self.per_thousand.setVisible(not is_compact)
        for block in self.blocks:
            block.title.set_role("note" if is_compact else "quiet")
        if is_compact:
            self._number_line.insertWidget(1, self.bar, 1)
        else:
            self._interval_line.insertWidget(0, self.bar, 1)

    # ------------------------------------------------------------ showing

    def show_result(
        self,
        document: Document,
        result: DecisionResult | None,
        depth: float,
        reading: CursorReading | None,
        resamples: ResampleResult | None,
    ) -> None:
        """Show the total at a depth; None empties the card."""
        chosen = figures.profit_of(result, document.reference_model) if result else None
        self.setVisible(chosen is not None)
        if result is None or chosen is None:
            return
        self._show_validity(invalid_of(result, chosen.model))
        words = Labels.of(document, result)
        points = [figures.at_depth(entry, depth, reading) for entry in result.models]
        point = next(entry for entry in points if entry.model == chosen.model)
        worth = figures.worth_of(chosen, point)
        self._show_title(document, words, point, worth)
        self._show_number(document, result, words, points, point, worth)
        self._show_against(document, result, words, point, worth)
        self._show_rival(result, words, points, point, reading, resamples)
        if self._wrong is not None:
            for block in self.blocks:
                block.amount.set_role("quiet")

    def _show_title(
        self, document: Document, words: Labels, point: AtDepth, worth: DepthWorth
    ) -> None:
        amount = "Total loss" if words.is_loss else "Total profit"

        share = format_share(point.depth)
        if document.chart_mode is ChartMode.FIRM:
            text = "%s of the best %s, each its own decision, %s"
            further: tuple[str, ...] = (point.model,)
        else:
            text, further = "%s, best %s %s, %s", (words.done, point.model)
        tail = ", cross-fitted" if worth.is_crossfitted else ""
        self.title_words = text % (amount, share, *further) + tail
        self.title.setText(joined((filled(text, amount, strong(share), *further), tail)))

    def _show_number(
        self,
        document: Document,
        result: DecisionResult,
        words: Labels,
        points: list[AtDepth],
        point: AtDepth,
        worth: DepthWorth,
    ) -> None:
        shown = worth.estimate
        self.number.setText(words.money(shown.value))
        self.number.setToolTip(f"{words.shown(shown.value):,.2f}")
        text = interval_words(worth, words, result.holds_fixed)
        self.interval.setText(text)
        mine = self._estimate(words, shown)
        estimates = [mine if entry is point else self._estimate(words, entry) for entry in points]
        model = document.model(point.model)
        self.bar.set_estimate(mine, common_scale(estimates), model.series if model else 0, text)
        weight = float(result.class_weight.sum())
        each = 1000 * words.shown(shown.value) / weight if weight > 0 else float("nan")
        decimals = 0 if abs(each) >= 100 else 2
        money = format_money(each, words.currency, decimals=decimals)
        self.per_thousand.setText(f"per 1,000 {words.cases}: {money}")
        self.help.set_content(
            HelpText(
                title="Total loss" if words.is_loss else "Total profit",
                text=f"{self._asked(document, words, point, worth)} {text}. {result.rows.text}",
                formula="Σᵢ F(i) · C(i) · Paw(T(i))",
                reference="SAS Enterprise Miner, Decisions, total profit with priors",
            )
        )

    def _asked(self, document: Document, words: Labels, point: AtDepth, worth: DepthWorth) -> str:
        """What the big number is the answer to."""
        brought = words.verbs.brought
        if worth.is_crossfitted:
            text = (
                "What these %s would really have %s if each half of them had been decided to the "
                "depth that the other half chose."
            )
            return text % (words.cases, brought)
        best = format_share(point.depth)
        if document.chart_mode is ChartMode.FIRM:
            text = (
                "What these %s would really have %s if each of the best %s had got its own "
                "decision and the others none."
            )
            return text % (words.cases, brought, best)
        text = "What these %s would really have %s if the best %s had been %s and the others not."
        return text % (words.cases, brought, best, words.done)

    @staticmethod
    def _estimate(words: Labels, read: AtDepth | Estimate) -> Estimate:
        low, high = words.interval(read.low, read.high)
        value = read.value if isinstance(read, Estimate) else read.profit
        return Estimate(value=words.shown(value), low=low, high=high)

    def _show_against(
        self,
        document: Document,
        result: DecisionResult,
        words: Labels,
        point: AtDepth,
        worth: DepthWorth,
    ) -> None:
        resting, acting = words.resting, words.acting_on_all
        pairs = (
            (self.blocks[0], resting, figures.against_resting(document, result, point, worth)),
            (self.blocks[1], acting, figures.against_all(document, result, point, worth)),
        )
        for block, name, against in pairs:
            title = "Less loss than %s" if words.is_loss else "Against %s"
            block.show_against(
                title % name, against, words.currency, self._other_words(words, name, against)
            )

    def _other_words(self, words: Labels, name: str, against: Against) -> str:
        """What the other way brings: "mailing all loses € 6,400"."""
        money = format_money(abs(against.other_profit), words.currency)
        earns = "costs" if words.is_loss and not against.other_profit else "earns"
        verb = earns if against.other_profit >= 0 else "loses"
        return f"{name} {verb} {money}".replace(f"{words.currency} ", f"{words.currency}{NBSP}")

    def _show_rival(
        self,
        result: DecisionResult,
        words: Labels,
        points: list[AtDepth],
        point: AtDepth,
        reading: CursorReading | None,
        resamples: ResampleResult | None,
    ) -> None:
        block, rule = self.blocks[2], self._rules[2]
        rival = figures.best_rival(points, point.model)
        block.setVisible(rival is not None)
        rule.setVisible(rival is not None)
        if rival is None:
            return
        against = figures.against_model(point, rival, reading, resamples)
        title = "Less loss than %s, same depth" if words.is_loss else "Against %s, same depth"
        text = ""
        if figures.decide_alike(against.value, against.low, against.high, point.profit):
            text = "the same decisions"
        else:
            text = format_certainty(
                against.ahead, against.resamples, against.p_value, against.level
            )
            flattered = chosen_for(result.models, point.depth, (point.model, rival.model))
            if flattered:
                said = f"these rows chose this depth for {flattered}, which flatters it"
                text = f"{text}; {said}" if text else said
        block.show_against(title % rival.model, against, words.currency, text)


def interval_words(worth: DepthWorth, words: Labels, held: str) -> str:
    """The interval of the big number; where it is cross-fitted, what these rows say themselves."""
    ends = words.interval(worth.estimate.low, worth.estimate.high)
    held = (worth.estimate.holds_fixed or held).replace(" %", f"{NBSP}%")
    text = f"{format_money_interval(*ends)}, 95{NBSP}% {held}".rstrip()
    if worth.flattered is None:
        return text
    said = "; %s on the rows that chose this depth, which flatters"
    return text + said % words.money(worth.flattered.value)
