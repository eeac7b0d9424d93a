"""What every page has: a 52 px header with title and controls, and room below on the grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.document.model import Document
from gui.pages.report.button import ReportButton
from gui.pages.report.parts import ReportPart
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.labels import ElidedLabel, TextLabel

if TYPE_CHECKING:
    from core.presentation.known_figures import KnownFigure

_NO_LIMIT = 16_777_215  # Qt's own


class PageHeader(QWidget):
    """Title, controls beside it, and actions at the right end.

    Where there is no room for all, boxes shrink to the words that are chosen, then captions go
    before a control is cut: what is in a box says what it is, and so does its tool tip.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        sizes = current_theme().sizes
        self.setFixedHeight(sizes.header)
        row = QHBoxLayout(self)
        row.setContentsMargins(sizes.page_margin, 2, sizes.page_margin, 4)
        row.setSpacing(8)
        self.title = TextLabel(title, "title")
        row.addWidget(self.title)
        row.addSpacing(8)
        self.left = QHBoxLayout()
        self.left.setSpacing(8)
        self.right = QHBoxLayout()
        self.right.setSpacing(8)
        row.addLayout(self.left)
        row.addStretch(1)
        row.addLayout(self.right)
        self._captions: list[TextLabel] = []
        self._has_captions = True

    def add_left(self, widget: QWidget, caption: str = "") -> TextLabel:
        """Put a control after the title, with a quiet caption before it, which is returned."""
        label = TextLabel(caption, "quiet")
        if caption:
            label.setBuddy(widget)
            self.left.addWidget(label)
            self._captions.append(label)
            if not widget.accessibleName():
                widget.setAccessibleName(caption)
            if not widget.toolTip():
                widget.setToolTip(caption)
        self.left.addWidget(widget)
        return label

    def needed_width(self) -> int:
        """What title and controls would like to have together."""
        for layout in (self.left, self.right, self.layout()):
            if layout is not None:
                layout.invalidate()  # inner layouts keep their old hints until they are laid out
        return self._laid_out_width()

    def _laid_out_width(self) -> int:
        """The same just after a layout, whose hints are those of now."""
        left_out = 0 if self._has_captions else sum(self._caption_widths())
        return self.sizeHint().width() + left_out

    def minimumSizeHint(self) -> QSize:
        """Without the captions: they go before the window keeps from getting narrower."""
        hint = super().minimumSizeHint()
        shown = sum(self._caption_widths()) if self._has_captions else 0
        return QSize(hint.width() - shown, hint.height())

    def _caption_widths(self) -> list[int]:
        return [label.sizeHint().width() for label in self._captions if not label.isHidden()]

    def _fit_captions(self) -> None:
        """Show the captions where all have room: texts and boxes that shorten themselves make some.

        Qt has laid the row out by now. To invalidate it here would ask for the next layout, which
        would come here again, without end.
        """
        texts = [text for text in self.findChildren(ElidedLabel) if not text.isHidden()]
        spare = sum(text.sizeHint().width() - text.minimumSizeHint().width() for text in texts)
        for box in self.findChildren(ChoiceBox):
            if box.minimumWidth() and not box.isHidden():
                hint = min(box.sizeHint().width(), box.maximumWidth())
                spare += max(0, hint - box.minimumWidth())
        has_captions = self._laid_out_width() - spare <= self.width()
        if has_captions != self._has_captions:
            self._has_captions = has_captions
            for label in self._captions:
                label.setMaximumWidth(_NO_LIMIT if has_captions else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_captions()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # a box has longer words, or a control came
            self._fit_captions()
        return super().event(event)

    def add_right(self, widget: QWidget) -> None:
        """Put an action at the right end; the primary one last."""
        self.right.addWidget(widget)


class Page(QWidget):
    """A page of the window. Fill ``header`` and ``body``; ``on_shown`` tells that it appears."""

    def __init__(self, session: Session, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        sizes = current_theme().sizes
        frame = QVBoxLayout(self)
        frame.setContentsMargins(0, 0, 0, 0)
        frame.setSpacing(0)
        self.header = PageHeader(title)
        frame.addWidget(self.header)
        self.body = QVBoxLayout()
        self.body.setContentsMargins(sizes.page_margin, 0, sizes.page_margin, sizes.gap)
        self.body.setSpacing(sizes.gap)
        frame.addLayout(self.body, 1)

    @property
    def is_behind(self) -> bool:
        """Whether another page of the window is in front.

        What is not seen need not follow every change: ``on_shown`` shows it as it is by then.
        """
        stack = self.parentWidget()
        return isinstance(stack, QStackedWidget) and stack.currentWidget() is not self

    def in_front(self, show: Callable[[], object]) -> Callable[..., None]:
        """Return a slot that shows something unless the page ``is_behind``."""

        def follow(*_sent: object) -> None:
            if not self.is_behind:
                show()

        return follow

    def on_shown(self) -> None:
        """The page has come to the front."""

    def show_part(self, part: str) -> None:
        """Bring a tab to the front, or open a study, by its name on this page."""
        raise ValueError(f"{type(self).__name__} has no part {part!r}")

    def known_figures(self) -> tuple[KnownFigure, ...]:
        """Figures that the page shows beside the project's metrics and money."""
        return ()

    # ------------------------------------------------------------ the report

    def join_report(self, key: PageId) -> ReportButton:
        """Offer what the page shows for the report: by this button, charts by their own as well."""
        self.session.report.adopt(key, self)
        return ReportButton(self.session.report, key)

    def report_parts(self) -> tuple[ReportPart, ...]:
        """What can be put on the report."""
        return ()

    def report_document(self) -> Document | None:
        """What the figures shown were worked out from; None while there are none."""
        return self.session.project.document
