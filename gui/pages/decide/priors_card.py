"""Card "How common each outcome is": in these data, where the model was trained, in real life."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from core.document.commands import SetOldPriors
from core.document.decisions.commands import SetPriors
from core.document.markup import Content, joined, tag
from core.document.model import Document, OldPriorKind, OldPriors
from core.document.results import DecisionResult, ModelProfit
from core.document.wording import UNDEFINED, format_count, format_share
from core.presentation.decide.figures import profit_of
from gui.pages.decide.prior_range import PriorRangeLine
from gui.theme import text_font
from gui.widgets import (
    Card,
    ElidedLabel,
    HelpText,
    IconLabel,
    NumberField,
    RichLabel,
    TextLabel,
    clear_layout,
)
from gui.widgets.fields.entries import decimals_for

SUM_SLACK = 1e-6
SHARE = 58  # pixels of a field of a share: "11.2 %"
NAME = 60  # of a model's name at the head of its shares: "scorecard"
INNER = 20  # of them its frame and what stands free beside the text
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
# Fields of the second column read as text until they are pointed at or edited.
_FLAT = (
    "QToolButton { padding: 0; }"
    "QLineEdit { padding: 0 4px; }"
    'QLineEdit[flat="true"]:!focus:!hover { border-color: transparent; background: transparent; }'
)


class PriorsCard(Card):
    """Three sets of class shares side by side, and what the correction does to the chances."""

    command_requested = Signal(object)
    editing_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "How common each outcome is",
            help_text=HelpText(
                title="Priors",
                text=(
                    "A model trained where the outcome is more common than in real life gives "
                    "chances that are too high. They are corrected once, from the shares it was "
                    "trained at to those of real life, and totals are weighted in the same way."
                ),
                formula="P′(t) ∝ P(t) · prior(t) / old prior(t)",
                reference="SAS Enterprise Miner, Decisions",
            ),
            parent=parent,
        )
        self.setStyleSheet(_FLAT)
        self._document = Document()
        self._is_compact = False
        self._model = ""
        self._shares: dict[str, float] = {}
        self._pending: dict[str, float] = {}
        self.real_life: dict[str, NumberField] = {}
        self.trained_at: dict[str, NumberField] = {}
        self._levels: tuple[str, ...] = ()
        self._in_data: dict[str, RichLabel] = {}
        self._words: dict[str, ElidedLabel] = {}
        self._trained_text: dict[str, TextLabel] = {}
        self.grid = QGridLayout()
        self.grid.setContentsMargins(4, 0, 0, 0)
        self.grid.setHorizontalSpacing(2)
        self.grid.setVerticalSpacing(3)
        self.grid.setColumnStretch(0, 1)
        self.body.addLayout(self.grid)
        self.origin = self._make_origin()
        self.body.addWidget(self._make_sum())
        self.range_line = PriorRangeLine()
        self.range_line.command_requested.connect(self.command_requested)
        self.range_line.editing_finished.connect(self.editing_finished)
        self.add_header_widget(self.range_line.offer)
        self.body.addWidget(self.range_line)
        self.probabilities = TextLabel("", "note", wraps=True)
        self.probabilities.setContentsMargins(4, 0, 0, 0)
        self.body.addWidget(self.probabilities)
        self.body.addWidget(self._make_warning())

    # ------------------------------------------------------------ parts

    def _make_origin(self) -> QToolButton:
        """The head of the second column is where its meaning is chosen."""
        origin = QToolButton()
        origin.setFont(text_font("note"))
        origin.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(origin)
        self.origin_actions: dict[OldPriorKind, QAction] = {}
        for kind, words in (
            (OldPriorKind.TRAINED_AT, "&Trained at the shares below"),
            (OldPriorKind.CORRECTED, "Already &corrected to real life: used as they are"),
            (OldPriorKind.UNKNOWN, "&Not known: used as they are"),
        ):
            action = menu.addAction(words)
            action.setCheckable(True)
            action.triggered.connect(lambda _on, kind=kind: self._on_origin(kind))
            self.origin_actions[kind] = action
        origin.setMenu(menu)
        return origin

    def _make_sum(self) -> QWidget:
        self.sum_line = QWidget()
        row = QHBoxLayout(self.sum_line)
        row.setContentsMargins(4, 0, 0, 0)
        row.setSpacing(8)
        self.sum_words = TextLabel("", "note", wraps=True)
        self.fill_button = _link("Fill the rest")
        self.fill_button.clicked.connect(self.fill_rest)
        self.as_data_button = _link("As in these data")
        self.as_data_button.clicked.connect(lambda: self._send(None))
        row.addWidget(self.sum_words, 1)
        row.addWidget(self.fill_button)
        row.addWidget(self.as_data_button)
        return self.sum_line

    def _make_warning(self) -> QWidget:
        self.warning = QWidget()
        row = QHBoxLayout(self.warning)
        row.setContentsMargins(4, 0, 0, 0)
        row.setSpacing(8)
        self.warning_text = TextLabel("", "plainNote", wraps=True)
        row.addWidget(IconLabel("warning", "loss", 14), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.warning_text, 1)
        self.warning.hide()
        return self.warning

    def _build_rows(self, levels: tuple[str, ...]) -> None:
        clear_layout(self.grid)
        self.real_life, self.trained_at = {}, {}
        self._in_data, self._words, self._trained_text = {}, {}, {}
        self.origin = self._make_origin()
        for column, words in (
            (0, "Outcome"),
            (1, "In these data"),
            (3, "In real life"),
        ):
            head = TextLabel(words, "note")
            head.setContentsMargins(0, 0, 0, 4)
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            self.grid.addWidget(head, 0, column, side | Qt.AlignmentFlag.AlignBottom)
        bottom = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        self.grid.addWidget(self.origin, 0, 2, bottom)
        for row, level in enumerate(levels, start=1):
            self._build_row(row, level)
        self._levels = levels

    def _build_row(self, row: int, level: str) -> None:
        words, share = ElidedLabel(level), RichLabel("")
        share.setAlignment(_RIGHT)
        trained = TextLabel("", "note")
        trained.setAlignment(_RIGHT)
        field, old = self._share_field(), self._share_field()
        old.setProperty("flat", "true")
        old.setFixedWidth(SHARE)
        field.value_changed.connect(lambda value: self._on_share(level, value))
        field.value_committed.connect(lambda _value: self.editing_finished.emit())
        old.value_changed.connect(lambda value: self._on_old(level, value))
        old.value_committed.connect(lambda _value: self.editing_finished.emit())
        for column, widget in enumerate((words, share, trained, field)):
            self.grid.addWidget(widget, row, column)
        self.grid.addWidget(old, row, 2, Qt.AlignmentFlag.AlignRight)
        self._words[level], self._in_data[level] = words, share
        self._trained_text[level] = trained
        self.trained_at[level], self.real_life[level] = old, field

    @staticmethod
    def _share_field() -> NumberField:
        field = NumberField(
            0.0, decimals=1, minimum=0.0, maximum=1.0, unit="%", factor=100.0, step=0.5
        )
        field.setFixedWidth(SHARE)
        return field

    def set_compact(self, is_compact: bool) -> None:
        """On a low page the mean chances are the tool tip of the title."""
        super().set_compact(is_compact)
        self._is_compact = is_compact
        self.probabilities.setVisible(bool(self.probabilities.text()) and not is_compact)

    # ------------------------------------------------------------ showing

    def show_document(
        self,
        document: Document,
        result: DecisionResult | None,
        *,
        probabilities_are_fresh: bool = True,
    ) -> None:
        """Show the shares of a document and what the engine found in its rows.

        ``probabilities_are_fresh``: the mean chances are of the models and shares there are.
        """
        if document.data != self._document.data:
            self._pending = {}  # what was being typed was of other data
        self._document = document
        levels = document.target.levels if document.target else ()
        if levels != self._levels:
            self._pending = {}
            self._build_rows(levels)
        self._shares = _data_shares(result, levels)
        chosen = profit_of(result, document.reference_model) if result else None
        self._model = document.reference_model or (chosen.model if chosen else "")
        for level in levels:
            self._show_row(document, result, level)
        self._fit_shares()
        self._show_origin()
        self._show_sum()
        self.range_line.show_document(document)
        if probabilities_are_fresh:
            self._show_probabilities(document, result, chosen)
        else:
            self._show_probabilities(document, None, None)

    def _fit_shares(self) -> None:
        """All fields of a column as wide as the longest of their shares: 80.95 %."""
        for fields in (self.real_life.values(), self.trained_at.values()):
            texts = [field.fontMetrics().horizontalAdvance(field.text()) for field in fields]
            for field in fields:
                field.setFixedWidth(max(SHARE, max(texts) + INNER))

    def _show_row(self, document: Document, result: DecisionResult | None, level: str) -> None:
        word = document.target.label(level) if document.target else level
        self._words[level].set_full_text(word)
        share = self._shares.get(level, float("nan"))
        text: Content = UNDEFINED
        if result is not None and level in result.levels:
            count = float(result.class_cases[result.levels.index(level)])
            text = joined((f"{format_count(count)} ", tag("small", f"({format_share(share)})")))
        self._in_data[level].setText(text)
        priors = dict(document.priors or ())
        field = self.real_life[level]
        field.setAccessibleName(f"Share of “{word}” in real life")
        if level not in self._pending:
            values = _normalised(priors) or self._shares
            value = values.get(level, share)
            _show_share(field, value, _decimals(values.values()))
        self._show_old_share(document, level, word)

    def _show_old_share(self, document: Document, level: str, word: str) -> None:
        model = document.model(self._model)
        old = model.old_priors if model else OldPriors()
        is_known = old.kind is OldPriorKind.TRAINED_AT
        field, text = self.trained_at[level], self._trained_text[level]
        field.setVisible(is_known)
        text.setVisible(not is_known)
        field.setAccessibleName(f"Share of “{word}” where {self._model} was trained")
        if is_known:
            shares = dict(old.shares)
            _show_share(field, shares.get(level, float("nan")), _decimals(shares.values()))
        else:
            is_corrected = old.kind is OldPriorKind.CORRECTED
            text.setText("as it is" if is_corrected else "not known")

    def _show_origin(self) -> None:
        model = self._document.model(self._model)
        kind = model.old_priors.kind if model else OldPriorKind.UNKNOWN
        for entry, action in self.origin_actions.items():
            action.setChecked(entry is kind)
        words = {
            OldPriorKind.TRAINED_AT: "trained at",
            OldPriorKind.CORRECTED: "corrected",
            OldPriorKind.UNKNOWN: "trained at",
        }[kind]
        metrics = self.origin.fontMetrics()
        name = metrics.elidedText(self._model, Qt.TextElideMode.ElideMiddle, NAME)
        self.origin.setText(f"{name} ▾\n{words}")
        tip = f"At which shares {self._model} was trained"
        self.origin.setToolTip(tip)
        self.origin.setAccessibleName(tip)
        self.origin.setEnabled(model is not None)

    def _show_sum(self) -> None:
        total = self._entered_sum()
        is_off = bool(self._pending) and abs(total - 1) > SUM_SLACK
        has_own = self._document.priors is not None
        self.sum_words.setText(
            f"They add up to {format_share(total)}, not to 100 %." if is_off else ""
        )
        self.fill_button.setVisible(is_off)
        self.as_data_button.setVisible(has_own and not is_off and self._differs_from_data())
        self.sum_line.setVisible(is_off or not self.as_data_button.isHidden())

    def _differs_from_data(self) -> bool:
        priors = _normalised(dict(self._document.priors or ()))
        return any(abs(priors.get(k, 0.0) - v) > 5e-4 for k, v in self._shares.items())

    def _show_probabilities(
        self, document: Document, result: DecisionResult | None, chosen: ModelProfit | None
    ) -> None:
        """The mean chance before and after the correction, beside the share in these rows.

        Of a score without chances there is none.
        """
        lines: list[str] = []
        details: list[str] = []
        if result is not None and chosen is not None and chosen.has_probabilities:
            is_binary = len(result.levels) == 2
            for level in result.levels[:1] if is_binary else result.levels:
                index = result.levels.index(level)
                word = document.target.label(level) if document.target else level
                figures_of = (
                    format_share(float(chosen.mean_probability_before[index])),
                    format_share(float(chosen.mean_probability_after[index])),
                    format_share(self._shares.get(level, float("nan"))),
                )
                name = "Mean chance" if is_binary else f"“{word}”"
                lines.append("{} {} as predicted, {} as used; here {}.".format(name, *figures_of))
                details.append(
                    (
                        "Mean chance of “{}”: {} as predicted, {} as the totals count it: "
                        "corrected where that was said, and weighted to real life. Share of "
                        "these rows: {}."
                    ).format(word, *figures_of)
                )
        self.probabilities.setToolTip("\n".join(details))
        self.probabilities.setText("\n".join(lines))
        self.probabilities.setVisible(bool(lines) and not self._is_compact)
        if self.header is not None:
            self.header.setToolTip(self.probabilities.toolTip())
        warnings = chosen.warnings if chosen is not None else ()
        self.warning_text.setText("\n".join(warnings))
        self.warning.setVisible(bool(warnings))

    # ------------------------------------------------------------ what the user does

    def _on_share(self, level: str, value: float) -> None:
        self._pending[level] = value
        if len(self._levels) == 2:
            other = next(entry for entry in self._levels if entry != level)
            self._pending = {level: value, other: 1.0 - value}
            self.real_life[other].set_value(1.0 - value)
        if abs(self._entered_sum() - 1) <= SUM_SLACK:
            self._send(tuple((entry, self._entered(entry)) for entry in self._levels))
        self._show_sum()

    def _entered(self, level: str) -> float:
        return self._pending.get(level, self.real_life[level].value())

    def _entered_sum(self) -> float:
        return sum(self._entered(level) for level in self._levels)

    def fill_rest(self) -> None:
        """Give what is missing to 100 % to the classes not typed, in proportion to the data."""
        open_levels = [level for level in self._levels if level not in self._pending]
        if not open_levels:
            largest = max(self._levels, key=lambda level: self._shares.get(level, 0.0))
            self._pending.pop(largest)
            open_levels = [largest]
        left = 1.0 - sum(self._pending.values())
        if left < 0:
            self.sum_words.setText("What was typed is already more than 100 %.")
            return
        weights = [max(self._shares.get(level, 0.0), 0.0) for level in open_levels]
        total = sum(weights)
        parts = [w / total if total > 0 else 1 / len(weights) for w in weights]
        filled = dict(zip(open_levels, (left * part for part in parts), strict=True))
        priors = tuple(
            (level, self._pending.get(level, filled.get(level, 0.0))) for level in self._levels
        )
        self._send(priors)
        self.editing_finished.emit()

    def _send(self, priors: tuple[tuple[str, float], ...] | None) -> None:
        self._pending = {}
        self.command_requested.emit(SetPriors(priors=priors))

    def _on_origin(self, kind: OldPriorKind) -> None:
        model = self._document.model(self._model)
        if model is None or model.old_priors.kind is kind:
            self._show_origin()
            return
        shares = model.old_priors.shares or tuple(
            (level, self._shares.get(level, 1 / len(self._levels))) for level in self._levels
        )
        self._request_old(OldPriors(kind=kind, shares=shares))
        self.editing_finished.emit()

    def _on_old(self, level: str, value: float) -> None:
        model = self._document.model(self._model)
        if model is None:
            return
        shares = dict(model.old_priors.shares)
        shares[level] = value
        if len(self._levels) == 2:
            other = next(entry for entry in self._levels if entry != level)
            shares[other] = 1.0 - value
        ordered = tuple((entry, shares.get(entry, 0.0)) for entry in self._levels)
        self._request_old(OldPriors(kind=OldPriorKind.TRAINED_AT, shares=ordered))

    def _request_old(self, old: OldPriors) -> None:
        self.command_requested.emit(SetOldPriors(model=self._model, old_priors=old))


def _data_shares(result: DecisionResult | None, levels: tuple[str, ...]) -> dict[str, float]:
    """Share of each class among the rows used, by their weights: what totals take for given."""
    if result is None:
        return {}
    total = float(result.class_cases.sum())
    counts = dict(zip(result.levels, result.class_cases, strict=True))
    return {
        level: float(counts.get(level, 0.0)) / total if total > 0 else float("nan")
        for level in levels
    }


def _normalised(priors: dict[str, float]) -> dict[str, float]:
    total = sum(priors.values())
    return {level: share / total for level, share in priors.items()} if total > 0 else {}


def _show_share(field: NumberField, share: float, decimals: int) -> None:
    """A share; nothing where it is not known yet, never that of other data."""
    is_known = math.isfinite(share)
    field.setEnabled(is_known)
    if is_known:
        field.set_decimals(decimals)
        field.set_value(share)
    else:
        field.clear()


def _decimals(shares: Iterable[float]) -> int:
    """As many for all shares of a column: one, two below 1 %, more where one of them has them."""
    known = [share for share in shares if math.isfinite(share)]
    least = (2 if 0 < share < 0.01 else 1 for share in known)
    return max(
        (
            decimals_for(100.0 * share, few, exact=False)
            for share, few in zip(known, least, strict=True)
        ),
        default=1,
    )


def _link(text: str) -> QPushButton:
    button = QPushButton(text)
    button.setProperty("kind", "link")
    return button
