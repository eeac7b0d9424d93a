"""What do you want to predict? The question first, then the distributions that answer it."""

from __future__ import annotations

import re

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from core.document.markup import Content, Html, joined, tag
from core.document.training_results import DistributionInfo, DistributionsResult
from gui.pages.models.next_model.loss_picture import LossPicture
from gui.pages.models.words import QUESTIONS, plain_of, question_of
from gui.theme import current_theme, text_font
from gui.widgets import Card, IconLabel, RichLabel, Segments, TextLabel, strong

_INFO = Qt.ItemDataRole.UserRole
_ROW = 40
LIST, WIDE_LIST = 168, 232  # width of the list of distributions
_LEAST = 520
_EDGES = 32
_NARROW = 720  # below this width the picture gives its room to the words
_MOVED = re.compile(r"\^(?:\(([^)]*)\)|([\w−]+))|_(\w)\b")  # raised, or lowered
Index = QModelIndex | QPersistentModelIndex


class _TwoLines(QStyledItemDelegate):
    """Plain title above the distribution's own name; one that does not fit is greyed."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        info: DistributionInfo = index.data(_INFO)
        view = self.parent()
        is_chosen = isinstance(view, QListWidget) and view.currentRow() == index.row()
        rect: QRect = option.rect
        painter.save()
        if is_chosen:
            painter.fillRect(rect, QColor(theme.selection))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), QColor(theme.accent))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(theme.accent))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        room = rect.adjusted(12, 4, -8, -4)
        painter.setFont(text_font("body", bold=is_chosen))
        painter.setPen(QColor(theme.text if info.fits else theme.disabled))
        title = painter.fontMetrics().elidedText(
            plain_of(info).title, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, title)
        painter.setFont(text_font("note"))
        quiet = theme.text if is_chosen else theme.quiet
        painter.setPen(QColor(quiet if info.fits else theme.disabled))
        note = painter.fontMetrics().elidedText(
            info.label, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom, note)
        painter.restore()


class DistributionChooser(Card):
    """Questions as buttons, distributions as a list, the chosen one explained."""

    distribution_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("What do you want to predict?", parent=parent)
        self.setMinimumWidth(_LEAST)  # what does not fit then hides itself
        self._result: DistributionsResult | None = None
        self._facts = ""
        self._distribution = ""
        self.questions: Segments | None = None
        self._requested: tuple[str, ...] = ()
        row = QHBoxLayout()
        row.setSpacing(16)
        self.list = QListWidget()
        self.list.setFixedWidth(LIST)
        self.list.setItemDelegate(_TwoLines(self.list))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Distributions")
        self.list.currentItemChanged.connect(self._on_current)
        row.addWidget(self.list)
        row.addLayout(self._make_words(), 1)
        self.picture = LossPicture()
        self.picture.hide()
        row.addWidget(self.picture)
        self.body.addLayout(row, 1)

    def _make_words(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        head = QHBoxLayout()
        head.setSpacing(8)
        self.title = TextLabel("", "section")
        self.label = TextLabel("", "note")
        head.addWidget(self.title)
        head.addWidget(self.label, 1)
        column.addLayout(head)
        self.text = TextLabel("", wraps=True)
        column.addWidget(self.text)
        self.choose_sign = IconLabel("check", "gain", 16)
        self.choose_words = RichLabel("", wraps=True)
        column.addLayout(_line(self.choose_sign, self.choose_words))
        self.fit_sign = IconLabel("check", "gain", 16)
        self.fit_words = RichLabel("", wraps=True)
        column.addLayout(_line(self.fit_sign, self.fit_words))
        self.formula = RichLabel("", wraps=True)
        column.addWidget(self.formula)
        column.addStretch(1)
        return column

    # ------------------------------------------------------------ showing

    def show_result(
        self, result: DistributionsResult | None, distribution: str, facts: str
    ) -> None:
        """Show what there is; ``facts`` says what the outcome is, for the line of the fit."""
        self._facts = facts
        if result is not self._result:
            self._result = result
            self._make_questions()
            self._distribution = ""
        if distribution != self._distribution:
            self._distribution = distribution
            info = self._find(distribution)
            if info is not None:
                self._show_question(question_of(info))
                return
        self._explain(self._find(self.explained_id()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_picture()

    def _show_picture(self) -> None:
        is_wide = self.width() >= _NARROW
        self.picture.setVisible(self.picture.has_lines and is_wide)
        assert self.header is not None
        needed = self.header.title.sizeHint().width() + _EDGES
        needed += self.questions.sizeHint().width() if self.questions is not None else 0
        self.header.title.setVisible(self.width() >= needed)  # else the questions take the row

    def explained_id(self) -> str:
        """The id of the distribution in view: the chosen one, else the first of its question."""
        item = self.list.currentItem() or self.list.item(0)
        info: DistributionInfo | None = item.data(_INFO) if item is not None else None
        return info.id if info is not None else self._distribution

    def _find(self, distribution: str) -> DistributionInfo | None:
        entries = self._result.distributions if self._result is not None else ()
        return next((e for e in entries if e.id == distribution), None)

    def _make_questions(self) -> None:
        """Only the questions that an installed distribution answers."""
        entries = self._result.distributions if self._result is not None else ()
        covered = {question_of(info) for info in entries}
        requested = tuple(key for key, _, _ in QUESTIONS if key in covered)
        if requested == self._requested:
            return
        self._requested = requested
        if self.questions is not None:
            self.questions.hide()
            self.questions.deleteLater()
        named = [(key, words) for key, words, _ in QUESTIONS if key in requested]
        self.questions = Segments(named, name="What do you want to predict?")
        for button in self.questions.findChildren(QPushButton):
            button.setProperty("small", "true")
        self.questions.chosen.connect(self._answer_question)
        self.add_header_widget(self.questions)

    def _answer_question(self, question: str) -> None:
        """Who chooses what is to be predicted takes the usual distribution for it, if one fits."""
        self._show_question(question)
        if self.list.currentRow() < 0 and self.list.count():
            info: DistributionInfo = self.list.item(0).data(_INFO)
            if info.fits:
                self.list.setCurrentRow(0)

    def _show_question(self, question: str) -> None:
        """List the distributions of a question; the one in use is chosen."""
        assert self.questions is not None
        self.questions.choose(question)
        entries = self._result.distributions if self._result is not None else ()
        shown = [info for info in entries if question_of(info) == question]
        shown.sort(key=lambda info: (not info.fits, not info.is_usual))
        self.list.blockSignals(True)
        self.list.clear()
        for info in shown:
            item = QListWidgetItem(plain_of(info).title)
            item.setData(_INFO, info)
            item.setToolTip(info.reason if not info.fits else "")
            self.list.addItem(item)
        self._fit_list()
        ids = [info.id for info in shown]
        place = ids.index(self._distribution) if self._distribution in ids else -1
        self.list.setCurrentRow(place)
        self.list.blockSignals(False)
        if place >= 0:
            self.list.scrollToItem(self.list.item(place))
        first = self._find(self._distribution) if place >= 0 else (shown[0] if shown else None)
        self._explain(first)

    def _fit_list(self) -> None:
        """As wide as the longest title, within reason, so that none is cut."""
        metrics = QFontMetrics(text_font("body", bold=True))
        titles = [self.list.item(row).text() for row in range(self.list.count())]
        widest = max((metrics.horizontalAdvance(title) for title in titles), default=0)
        self.list.setFixedWidth(min(max(LIST, widest + 24), WIDE_LIST))

    def _on_current(self, item: QListWidgetItem | None, _previous: object) -> None:
        if item is None:
            return
        info: DistributionInfo = item.data(_INFO)
        self._explain(info)
        if info.fits and info.id != self._distribution:
            self._distribution = info.id
            self.distribution_chosen.emit(info.id)

    def _explain(self, info: DistributionInfo | None) -> None:
        for widget in (self.choose_sign, self.choose_words, self.fit_sign, self.fit_words):
            widget.setVisible(info is not None)
        if info is None:
            self.title.setText("")
            self.label.setText("")
            self.text.setText(
                "What fits the target is listed here once it is chosen and looked at."
            )
            self.formula.setText("")
            self.picture.show_lines((), "")
            return
        plain = plain_of(info)
        self.title.setText(plain.title)
        self.label.setText(info.label)
        self.text.setText(plain.text)
        self.choose_sign.setVisible(bool(plain.choose))
        self.choose_words.setVisible(bool(plain.choose))
        self.choose_words.setText(joined((strong("Choose it"), plain.choose), " "))
        self._show_fit(info)
        formula = raised(info.formula)
        # No colour is written into the text: it would stay when the theme changes.
        self.formula.setText(joined((f"{'Loss'}:\u00a0 ", tag("i", formula))))
        self.formula.setToolTip(info.reference)
        axis = "error" if len(info.picture) == 1 else "score F"
        self.picture.show_lines(info.picture, axis)
        self._show_picture()

    def _show_fit(self, info: DistributionInfo) -> None:
        self.fit_sign.set_icon("check" if info.fits else "warning", "gain" if info.fits else "loss")
        head = "Fits your target:" if info.fits else "Does not fit your target:"
        tail = self._facts if info.fits else info.reason
        tail = tail or f"it takes {info.target_words}"
        self.fit_words.setText(joined((strong(head), f"{tail.rstrip('.')}."), " "))
        self.fit_words.setAccessibleName(f"{head} {tail}")


def raised(formula: str) -> Html:
    """A formula as rich text: what stands behind ^ is raised, a letter behind _ is lowered."""
    parts: list[Content] = []
    end = 0
    for found in _MOVED.finditer(formula):
        power = found[1] or found[2]
        moved = tag("sup", power) if power else tag("sub", found[3])
        parts += [formula[end : found.start()], moved]
        end = found.end()
    return joined((*parts, formula[end:]))


def _line(sign: QWidget, words: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(words, 1)
    return row
