"""Card "What this means": the rule in one sentence, its reason, and what the linter found."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.document.markup import Html, joined
from core.document.model import Document
from core.document.results import Advice, DecisionResult
from core.document.studies.reconciling import carried_columns
from gui.theme import icon
from gui.widgets import Card, HelpText, IconLabel, RichLabel, Rule, TextLabel, clear_layout, strong
from gui.widgets.help_button import Popover, ReadingPopover

_CUT = re.compile(r"((?:above|below|more than|less than)\s+[^\s.,]*[\d.,\s\u00a0]*\d\s*\u00a0?%?)")
# The link stands under the words it belongs to, without a button's padding.
_FLUSH = (
    "QPushButton { padding: 0; border: none; } QPushButton:focus { text-decoration: underline; }"
)
_GRAVE = ("warning", "error")
_SIGNS = {"ok": ("check", "gain"), "warning": ("warning", "loss"), "error": ("cross", "error")}


class MeaningCard(Card):
    """Plain language first, then one line per finding with its sign."""

    link_followed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "What this means",
            help_text=HelpText(
                title="Reading the matrix",
                text=(
                    "The matrix says from which chance on acting pays. Below stand checks of the "
                    "matrix, the priors and the chances; none of them changes a number."
                ),
                formula="p* = (d − c) / ((a − b) + (d − c))",
                reference="Two classes and two decisions; rows (a, b) and (c, d)",
            ),
            parent=parent,
        )
        self.more = self._link("")
        self.more.setToolTip("What else was checked")
        self.more.clicked.connect(self.tell_more)
        self.more.hide()
        self.add_header_widget(self.more)
        self.rule = RichLabel("", "lead", wraps=True)
        self.reason = TextLabel("", "quiet", wraps=True)
        self.line = Rule()
        self.findings = QVBoxLayout()
        self.findings.setSpacing(8)
        self.body.addWidget(self.rule)
        self.body.addWidget(self.reason)
        self.body.addWidget(self.line)
        self.body.addLayout(self.findings)
        self.body.addStretch(1)
        self.body.addLayout(self._make_links())
        self._shown: tuple[Advice, ...] | None = None
        self._lines: list[QWidget] = []
        self._hidden: tuple[Advice, ...] = ()
        self._reading: tuple[tuple[str, str], ...] = ()

    def show_result(self, result: DecisionResult | None, also: tuple[Advice, ...] = ()) -> None:
        """Show the reading and the advice of a result, and what else the page has to say."""
        self.rule.setText(bold_cut(result.rule_text) if result else "")
        self.rule.setAccessibleName(result.rule_text if result else "")
        self.reason.setText(result.rule_reason if result else "")
        self.rule.setToolTip(self.reason.text())
        self._reading = result.threshold_reading if result else ()
        self.thresholds.setEnabled(bool(self._reading))
        self.probabilities.setEnabled(result is not None)
        self.probabilities.setVisible(result is None or not result.knots)  # a number has no chances
        advice = (*also, *findings_of(result)) if result else ()
        if advice != self._shown:
            self._shown = advice
            clear_layout(self.findings)
            self._lines = [self._finding(entry) for entry in advice]
            for line in self._lines:
                self.findings.addWidget(line)
        self._show_only(len(self._lines))

    def fit(self, height: int, width: int) -> None:
        """Show as much as a height has room for; the rest is a click away.

        What is fine gives way first, the reason of the rule next, warnings last; the rule stays.
        """
        grave, count = self._count_grave(), len(self._lines)
        steps = [(shown, True) for shown in range(count, grave - 1, -1)]
        steps += [(shown, False) for shown in range(grave, -1, -1)]
        for shown, has_reason in steps:
            self._show_only(shown, has_reason=has_reason)
            if self._needs(width) <= height:
                return

    def _needs(self, width: int) -> int:
        """Height of what is shown."""
        layout = self.layout()
        if layout is None:
            return 0
        self.findings.invalidate()  # a layout within is not told at once
        layout.invalidate()
        return layout.totalHeightForWidth(width)

    def _count_grave(self) -> int:
        """How many findings are warnings or worse."""
        return sum(entry.state in _GRAVE for entry in self._shown or ())

    def _show_only(self, count: int, *, has_reason: bool = True) -> None:
        """The gravest findings, in their order, and how many more there are."""
        advice = self._shown or ()
        by_weight = sorted(range(len(advice)), key=lambda k: advice[k].state not in _GRAVE)
        kept = set(by_weight[:count])
        for place, line in enumerate(self._lines):
            line.setVisible(place in kept)
        self._hidden = tuple(entry for k, entry in enumerate(advice) if k not in kept)
        self.reason.setVisible(has_reason and bool(self.reason.text()))
        self.line.setVisible(bool(kept))
        self.more.setVisible(bool(self._hidden))
        self.more.setText(f"{len(self._hidden):d} more…")
        is_grave = any(entry.state in _GRAVE for entry in self._hidden)
        self.more.setIcon(icon("warning", "loss") if is_grave else QIcon())

    def _make_links(self) -> QHBoxLayout:
        """What explains more: thresholds in other words, and chances fitted anew."""
        row = QHBoxLayout()
        row.setSpacing(16)
        self.thresholds = self._link("Thresholds explained")
        self.probabilities = self._link("Scores into chances…")
        self.thresholds.setToolTip(
            "Break-even, diagonal form, priors that do the same, two ways of working"
        )
        self.probabilities.setToolTip(
            "Fit chances to the outcomes: logistic, isotonic or by bands, cross-fitted"
        )
        self.thresholds.clicked.connect(self.explain_thresholds)
        self.probabilities.clicked.connect(lambda: self.link_followed.emit("chances"))
        row.addWidget(self.thresholds)
        row.addWidget(self.probabilities)
        row.addStretch(1)
        return row

    @staticmethod
    def _link(words: str) -> QPushButton:
        link = QPushButton(words)
        link.setProperty("kind", "link")
        link.setStyleSheet(_FLUSH)
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        return link

    def explain_thresholds(self) -> Popover:
        """Every threshold of the matrix in plain words."""
        popover = ReadingPopover("Thresholds of this matrix", self._reading, self)
        popover.show_at(self.thresholds)
        return popover

    def tell_more(self) -> Popover:
        """The findings that have no room on the card, with their details."""
        parts = tuple((entry.text, entry.detail) for entry in self._hidden)
        popover = ReadingPopover("Also checked", parts, self)
        popover.show_at(self.more)
        return popover

    def _finding(self, entry: Advice) -> QWidget:
        line = QWidget()
        grid = QGridLayout(line)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        name, role = _SIGNS.get(entry.state, ("info", "quiet"))
        grid.addWidget(IconLabel(name, role, 16), 0, 0, Qt.AlignmentFlag.AlignTop)
        words = TextLabel(entry.text, wraps=True)
        words.setToolTip(entry.detail)
        states = {"ok": "fine", "warning": "warning", "error": "wrong"}
        words.setAccessibleName(f"{states.get(entry.state, '')}: {entry.text} {entry.detail}")
        grid.addWidget(words, 0, 1)
        if entry.link:
            link = self._link(self._link_words(entry.link))
            link.clicked.connect(lambda: self.link_followed.emit(entry.link))
            grid.addWidget(link, 1, 1, Qt.AlignmentFlag.AlignLeft)
        return line

    def _link_words(self, link: str) -> str:
        words = {
            "calibration": "Show calibration",
            "compare": "Compare the models",
            "data": "Look at the data",
            "priors": "Go to the priors",
            "matrix": "Go to the matrix",
            "costs": "Go to the costs",
            "reconcile": "Compare with them",
            "acting": "Choose the acting decision",
            "chances": "Turn the score into chances…",
        }
        return words.get(link, "Show")


def bold_cut(text: str) -> Html:
    """The rule with its cut-off in bold."""
    found = _CUT.search(text)
    if found is None:
        return joined((text,))
    head, tail = text[: found.start()], text[found.end() :]
    return joined((head, strong(found[1]), tail))


def findings_of(result: DecisionResult) -> tuple[Advice, ...]:
    """What the linter found, then warnings that belong to the whole result."""
    described = {entry.text for entry in result.advice}
    extra = tuple(
        Advice(state="warning", text=text) for text in result.warnings if text not in described
    )
    return (*result.advice, *extra)


def carried_advice(document: Document) -> tuple[Advice, ...]:
    """Says that the file brings decisions of another program along, if it does."""
    data, target = document.data, document.target
    found = carried_columns(data.columns, target.column) if data and target else {}
    if not found:
        return ()
    names = "The file brings decisions along: %s."
    return (Advice(state="info", text=names % ", ".join(found.values()), link="reconcile"),)
