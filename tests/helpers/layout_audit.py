"""What a designer objects to, found by going over the widgets of a window that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QAccessible, QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QTableView,
    QTextEdit,
    QToolButton,
    QWidget,
)

from core.presentation.view import Cell
from gui.charts.fonts import text_width
from gui.charts.view import ChartView
from gui.pages.data.header import ColumnHeader
from gui.theme import strengthen, tabular, text_font
from gui.widgets.labels import ElidedLabel
from gui.widgets.tables.figure_table import FIGURE, SWATCH, FigureHeader, ResultTable

CONTROLS = (
    QAbstractButton,
    QComboBox,
    QLineEdit,
    QAbstractSpinBox,
    QAbstractItemView,
    QSlider,
    QTextEdit,
    QPlainTextEdit,
    QTabBar,
)


def shown(root: QWidget) -> Iterator[QWidget]:
    """The widgets below one that are there to be seen, scrolled out of sight or not."""
    for widget in root.findChildren(QWidget):
        if widget.isVisibleTo(root) and widget.isVisible() and widget.width() > 0:
            yield widget


def where(widget: QWidget) -> str:
    """A widget's place: classes from the page down to it."""
    names = []
    step: QWidget | None = widget
    while step is not None and len(names) < 4:
        names.append(type(step).__name__)
        step = step.parentWidget()
    return " < ".join(names)


def cut_texts(root: QWidget) -> list[str]:
    """Labels, buttons, boxes, tabs and headers that are smaller than what they say."""
    found = []
    for widget in shown(root):
        lack = _lack(widget)
        if lack:
            found.append(f"{lack}: {where(widget)}")
    return found


def _lack(widget: QWidget) -> str:
    if isinstance(widget, ElidedLabel):
        is_cut = widget.text() != widget.full_text() and "…" in widget.text()
        return f"elided {widget.text()!r}" if is_cut else ""
    if isinstance(widget, QLabel):
        return _label_lack(widget)
    if isinstance(widget, (QPushButton, QToolButton, QCheckBox, QRadioButton)):
        is_icon = isinstance(widget, QToolButton) and (
            widget.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly
        )
        lack = 0 if is_icon else _button_width(widget) - widget.width()
        return f"button {widget.text()!r} lacks {lack}" if widget.text() and lack > 0 else ""
    if isinstance(widget, QComboBox):
        return box_lack(widget)
    if isinstance(widget, QLineEdit):
        return _line_lack(widget)
    if isinstance(widget, QTabBar):
        return _tabs_lack(widget)
    if isinstance(widget, QHeaderView):
        return _header_lack(widget)
    return ""


def _button_width(button: QAbstractButton) -> int:
    """The width that a button needs; one that is drawn heavier when it is on, with such words."""
    if button.property("segment"):
        room = 20 if button.property("small") else 24  # what the style sheet keeps beside words
        return QFontMetrics(text_font(bold=True)).horizontalAdvance(button.text()) + room
    return button.sizeHint().width()


def _label_lack(label: QLabel) -> str:
    text = label.text()
    if not text or label.pixmap().width() > 0:
        return ""
    if label.wordWrap():
        lack = label.heightForWidth(label.width()) - label.height()
        return f"text {text[:50]!r} lacks {lack} lines' pixels" if lack > 2 else ""
    wide = label.sizeHint().width() - label.width()
    high = label.fontMetrics().height() - label.height()
    if wide > 0:
        return f"label {text[:50]!r} lacks {wide}"
    return f"label {text[:50]!r} lacks {high} in height" if high > 1 else ""


def box_lack(box: QComboBox) -> str:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    inner = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
    )
    icon = box.iconSize().width() + 4 if not option.currentIcon.isNull() else 0
    lack = box.fontMetrics().horizontalAdvance(box.currentText()) + icon - inner.width()
    return f"box {box.currentText()!r} lacks {lack}" if lack > 0 else ""


def _line_lack(line: QLineEdit) -> str:
    text = line.text() or line.placeholderText()
    option = QStyleOptionFrame()
    line.initStyleOption(option)
    element = QStyle.SubElement.SE_LineEditContents
    room = line.style().subElementRect(element, option, line).width() - 4
    lack = line.fontMetrics().horizontalAdvance(text) - room
    return f"field {text[:50]!r} lacks {lack}" if lack > 0 else ""


def _tabs_lack(bar: QTabBar) -> str:
    shown = [place for place in range(bar.count()) if bar.isTabVisible(place)]
    rects: list[QRect] = [bar.tabRect(place) for place in shown]
    if rects and rects[-1].right() > bar.width():
        return f"tabs lack {rects[-1].right() - bar.width()}"
    heavy = QFontMetrics(strengthen(bar.font()))  # as any of them is once it is in front
    room = 8 if bar.property("tight") else 24  # what the style sheet keeps beside the words
    for place, rect in zip(shown, rects, strict=True):
        lack = heavy.horizontalAdvance(bar.tabText(place)) + room - rect.width()
        if lack > 0:
            return f"tab {bar.tabText(place)!r} lacks {lack} once it is in front"
    return ""


def _header_lack(header: QHeaderView) -> str:
    if header.orientation() is not Qt.Orientation.Horizontal or header.model() is None:
        return ""
    # Qt draws the heads of what is selected in bold, where it may.
    metrics = QFontMetrics(text_font("note", bold=header.highlightSections()))
    cut = []
    for section in range(header.count()):
        words = str(header.model().headerData(section, Qt.Orientation.Horizontal) or "")
        lines = words.split("\n")
        if isinstance(header, FigureHeader):
            lines = header.lines(section, header.sectionSize(section))
        needed = max(metrics.horizontalAdvance(line) for line in lines)
        if isinstance(header, ColumnHeader):
            needed = 0  # names of columns may be as long as they like: elided, with a tool tip
        lack = needed + 6 - header.sectionSize(section)
        if lack > 0 and not header.isSectionHidden(section):
            cut.append(f"{words!r} lacks {lack}")
    return f"header {cut}" if cut else ""


def cut_cells(root: QWidget) -> list[str]:
    """Cells of tables whose text is wider than their column."""
    found = []
    for table in shown(root):
        if not isinstance(table, QTableView) or table.model() is None:
            continue
        first = max(table.rowAt(0), 0)
        for row in range(first, min(table.model().rowCount(), first + 30)):
            for column in range(table.model().columnCount()):
                index = table.model().index(row, column)
                lack = _cell_lack(table, index)
                if lack > 0:
                    found.append(f"cell {index.data()!r} lacks {lack}: {where(table)}")
    return found


def _cell_lack(table: QTableView, index: QModelIndex) -> int:
    text, column = index.data(), index.column()
    is_out = table.isColumnHidden(column) or table.columnSpan(index.row(), column) > 1
    if not isinstance(text, str) or not text or is_out:
        return 0
    room = table.columnWidth(column)
    figure = index.data(FIGURE)
    if not isinstance(figure, Cell):
        own = index.data(Qt.ItemDataRole.FontRole)
        metrics = QFontMetrics(own if isinstance(own, QFont) else table.font())
        sign = 20 if index.data(Qt.ItemDataRole.DecorationRole) is not None else 0
        return metrics.horizontalAdvance(text) + sign + 6 - room
    if figure.estimate is not None or (column == 0 and table.rowHeight(index.row()) > 28):
        return 0  # a bar, or a name in two lines
    if isinstance(table, ResultTable) and table.wraps(column):
        text = max(text.split(), key=len)  # its words take as many lines as they need
    font = tabular(strengthen(table.font()) if figure.is_bold else table.font())
    swatch = SWATCH if figure.series is not None else 0
    return QFontMetrics(font).horizontalAdvance(text) + swatch + 6 - room


def crowded_lines(root: QWidget) -> list[str]:
    """Lines of lists that overlap the next."""
    found = []
    for box in shown(root):
        if isinstance(box, QListWidget):
            rects = [box.visualItemRect(box.item(place)) for place in range(box.count())]
            shown_ones = [rect for rect in rects if rect.height() > 0]
            if any(a.bottom() >= b.top() for a, b in pairwise(shown_ones)):
                found.append(f"lines overlap: {where(box)}")
    return found


def crowded_ticks(root: QWidget) -> list[str]:
    """Words below a chart that cover one another, and flags wider than their chart."""
    found = []
    for view in shown(root):
        if not isinstance(view, ChartView) or view.chart_layout is None:
            continue
        layout, flag = view.chart_layout, view.geometry_of_cursor.flag
        ticks = zip(layout.x_ticks.values, layout.x_ticks.texts, strict=True)
        ends = [(layout.to_x(at), text_width(text) / 2) for at, text in ticks]
        if not layout.is_sparse and any(a + x > b - y for (a, x), (b, y) in pairwise(ends)):
            found.append(f"ticks {layout.x_ticks.texts} overlap: {where(view)}")
        if flag is not None and not 0 <= flag.left() <= flag.right() <= layout.width:
            found.append(f"a flag of {flag.width()} in {layout.width}: {where(view)}")
    return found


def sideways(root: QWidget) -> list[str]:
    """Scroll bars that run sideways."""
    found = []
    for area in shown(root):
        if isinstance(area, QAbstractScrollArea):
            bar = area.horizontalScrollBar()
            if bar.isVisible() and bar.maximum() > 0:
                found.append(f"scrolls sideways by {bar.maximum()}: {where(area)}")
    return found


def out_of_reach(root: QWidget) -> list[str]:
    """Contents wider than their area, which lets nobody scroll to what is hidden."""
    found = []
    for area in shown(root):
        if not isinstance(area, QScrollArea) or area.widget() is None:
            continue
        hidden = area.widget().width() - area.viewport().width()
        is_fixed = area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if hidden > 0 and is_fixed:
            found.append(f"hides {hidden} at the side: {where(area.widget())}")
    return found


def nameless(root: QWidget) -> list[str]:
    """Controls that take the focus of the keyboard and tell a screen reader nothing."""
    found = []
    for widget in shown(root):
        if widget.focusPolicy() is Qt.FocusPolicy.NoFocus or not widget.isEnabled():
            continue
        parent = widget.parentWidget()
        is_part = widget.focusProxy() is not None or widget.objectName() == "qt_spinbox_lineedit"
        is_viewport = isinstance(parent, QAbstractScrollArea) and parent.viewport() is widget
        if is_part or is_viewport:
            continue
        if not isinstance(widget, CONTROLS) and not widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            continue
        if not spoken(widget):
            found.append(where(widget))
    return found


def spoken(widget: QWidget) -> str:
    """What a screen reader says of a widget."""
    known = QAccessible.queryAccessibleInterface(widget)
    return known.text(QAccessible.Text.Name).strip() if known is not None else ""


def uneven_rows(root: QWidget) -> list[str]:
    """Buttons and boxes that stand side by side and differ in height."""
    kinds = (QPushButton, QComboBox, QLineEdit)
    groups: dict[tuple[int, int], list[QWidget]] = {}
    for widget in shown(root):
        if isinstance(widget, kinds) and widget.property("kind") != "link":
            parent = widget.parentWidget()
            if parent is None or isinstance(parent, (QAbstractSpinBox, QComboBox)):
                continue
            centre = widget.geometry().center().y()
            groups.setdefault((id(parent), round(centre / 8)), []).append(widget)
    found = []
    for group in groups.values():
        heights = {widget.height() for widget in group}
        if len(heights) > 1:
            described = [
                (getattr(w, "text", lambda: "")() or type(w).__name__, w.height()) for w in group
            ]
            found.append(f"heights {described}: {where(group[0])}")
    return found


def blind_focus(root: QWidget) -> list[str]:
    """Controls that look the same with the keyboard's focus and without."""
    found = []
    for widget in shown(root):
        if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or not widget.isEnabled():
            continue
        if widget.focusProxy() is not None or widget.visibleRegion().isEmpty():
            continue
        if isinstance(widget, QTableView) and not (widget.model() and widget.model().rowCount()):
            continue  # nothing in it that the ring could be around
        root.setFocus()
        frame = widget.parentWidget() if isinstance(widget, QLineEdit) else widget
        assert frame is not None
        before = frame.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if not widget.hasFocus():
            found.append(f"takes no focus: {where(widget)}")
        elif frame.grab().toImage() == before:
            found.append(f"looks the same with the focus: {where(widget)}")
    return found


def tab_order(page: QWidget, before: QWidget) -> list[QWidget]:
    """The controls of a page in the order in which Tab reaches them, from one before the page.

    By pressing Tab: asking Qt for the chain would have Python mistake each link for a parent.
    """
    order: list[QWidget] = []
    before.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(MOST_STOPS):
        focused = QApplication.focusWidget()
        if focused is None or (order and focused is order[0] and len(order) > 1):
            break
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        reached = QApplication.focusWidget()
        if reached is None or (order and not page.isAncestorOf(reached)):
            break
        if page.isAncestorOf(reached):
            order.append(reached)
    return order


MOST_STOPS = 120
CHART_LABELS = (
    cut_texts,
    cut_cells,
    sideways,
    out_of_reach,
    uneven_rows,
    crowded_lines,
    crowded_ticks,
)
CHECKS = (*CHART_LABELS, nameless, blind_focus)


def findings(root: QWidget) -> list[str]:
    """Everything that the checks find."""
    return [f"{check.__name__}: {line}" for check in CHECKS for line in dict.fromkeys(check(root))]
