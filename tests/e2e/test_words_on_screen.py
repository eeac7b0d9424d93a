"""Every sentence that the window shows of a sample: no "1 customers", long float or raw id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QTableView,
    QWidget,
)

from core.engine.local import LocalEngine
from gui.pages.decide.matrix.matrix_model import MatrixTableModel
from gui.session.samples import sample_path
from gui.shell.dialogs.by_key import data_dialogs, early_dialogs, open_dialog
from gui.shell.page_list import PAGES
from gui.widgets.tables import TextTableModel
from gui.widgets.tables.cells import rows_of
from gui.widgets.tables.rows_model import RowsModel
from tests.helpers import layout_audit
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(500)  # every page; a cold machine compiles first
ROWS_READ = 40
WORDS = {"quantile", "pairwise", "uplift"}  # ids that are words of the language as well
# A list says that no costs are chosen; page Plugins names what scripts call a figure; what a loss
# is called in another program belongs to its source.
MEANT = (
    re.compile(r"^a value of the program 'None': 'None' in ChoiceBox < SectionTitle < CostCard"),
    re.compile(r"^a raw id '\w+': '(?:Curve|Metric|Loss|Matrix) \w+: "),
    re.compile(r"^a raw id '\w+': '.*R package gbm, distribution"),
)
FAULTS = {
    "a plural after 1": re.compile(
        r"(?<![\d.,:])1[ \u00a0](?!(?:less|plus|is|was|has|as|this|its|across|us|times)\b)[a-z]+s\b"
    ),
    "a share of 1": re.compile(r"%[ \u00a0]of[ \u00a0]1(?![\d,.%])"),
    "a float as the machine writes it": re.compile(r"\d\.\d{8,}|\d[eE][+-]\d"),
    "a value of the program": re.compile(r"\bNone\b|\bnan\b|\bNaN\b|<class|[A-Z]\w+\.[A-Z_]{3,}\b"),
    "a doubled word": re.compile(r"\b(\w+) \1\b"),
    "a plural of y": re.compile(r"\b(?:[a-z]*[bcdfghjklmnpqrstvwxz])?ys\b"),
}


def texts_of(root: QWidget) -> Iterator[tuple[str, str]]:
    """Every text of a window, with the place where it is shown."""
    for widget in layout_audit.shown(root):
        place = layout_audit.where(widget)
        described = [widget.toolTip(), widget.accessibleName()]
        if isinstance(widget, (QLabel, QAbstractButton)):
            described.append(re.sub(r"<[^>]+>", "", widget.text()))
        elif isinstance(widget, QComboBox):
            described += [widget.itemText(row) for row in range(widget.count())]
        elif isinstance(widget, QLineEdit):
            described.append(widget.placeholderText())
        elif isinstance(widget, QTabBar):
            described += [widget.tabText(tab) for tab in range(widget.count())]
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            described += _cells(widget.model())
        yield from ((text, place) for text in described if text)


def _cells(model: QAbstractItemModel) -> Iterator[str]:
    is_list = isinstance(model, QAbstractListModel)  # it keeps its number of columns to itself
    for column in range(1 if is_list else model.columnCount(QModelIndex())):
        yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        for row in range(min(model.rowCount(QModelIndex()), ROWS_READ)):
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                yield str(model.index(row, column).data(role) or "")


def raw_ids() -> re.Pattern[str]:
    """Ids of what plugins bring that stand in no sentence: losses, and all with a low line."""
    registry = LocalEngine().registry
    losses = registry.distributions()
    specs = (*registry.metrics(), *registry.matrices(), *losses)
    names = {spec.id for spec in specs if "_" in spec.id} | {spec.id for spec in losses}
    names -= {spec.label for spec in specs} | WORDS
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(sorted(map(re.escape, names)))})(?![\w.-])")


def faults_in(window: QWidget, own: frozenset[str], ids: re.Pattern[str]) -> list[str]:
    """What no person would write, in any text that is shown now; ``own`` are words of the file."""
    found = []
    for text, place in texts_of(window):
        words = text
        for name in own:
            words = words.replace(name, "·")
        for fault, pattern in (*FAULTS.items(), ("a raw id", ids)):
            hit = pattern.search(words)
            if hit is not None:
                found.append(f"{fault} {hit.group()!r}: {text[:120]!r} in {place}")
    return [line for line in found if not any(meant.search(line) for meant in MEANT)]


ROUNDED = re.compile(r"[+\u2212≈▲▼€$£\s\d,.]*(\d\.\d|\d,\d{3}|\d[ \u00a0]?%|[€$£][ \u00a0]?\d)")


def first_cells(view: QTableView) -> frozenset[tuple[int, int]]:
    """The cells that are read of a table of many rows; of few, no choice of them."""
    model = view.model()
    if model.rowCount() <= ROWS_READ:
        return frozenset()
    return frozenset((row, at) for row in range(ROWS_READ) for at in range(model.columnCount()))


def lost_digits(window: QWidget) -> list[str]:
    """Rounded numbers of tables that are shown now, behind which no number is known."""
    found = []
    for view in layout_audit.shown(window):
        own = (RowsModel, TextTableModel, MatrixTableModel)  # cells of files, and what is typed
        if not isinstance(view, QTableView) or isinstance(view.model(), own):
            continue
        names, rows = rows_of(view, first_cells(view))
        found += [
            f"{name}: {shown!r} in {layout_audit.where(view)}"
            for row in rows[:ROWS_READ]
            for name, (shown, numbers) in zip(names, row, strict=True)
            if not numbers and ROUNDED.match(shown) and not re.search("[A-Za-z]{3}", shown)
        ]
    return found


def in_soak(*keys: str) -> list[Any]:
    """Samples that only the long run goes through."""
    return [pytest.param(key, marks=pytest.mark.soak) for key in keys]


@pytest.mark.parametrize(
    "key", ["direct-mail", "voucher-test", *in_soak("loans", "trial", "claims")]
)
def test_what_the_window_says_of_a_sample(home: Program, key: str) -> None:
    session, window = home.session, home.window
    session.project.history.mark_saved()
    path = sample_path(key)
    assert path is not None
    window.files.open_path(path)
    home.wait(lambda: session.project.summary is not None)
    document, ids = session.project.document, raw_ids()
    assert document.data is not None
    own = frozenset({*document.data.columns, str(home.folder)})
    found, lost = [], []

    def look(at: QWidget) -> None:
        home.settle()
        found.extend(faults_in(at, own, ids))
        lost.extend(lost_digits(at))

    for entry in PAGES:
        window.show_page(entry.key)
        look(window)
    window.show_page("decide")
    tabs = window.pages["decide"].tables.tabs
    for place in range(tabs.count()):
        tabs.setCurrentIndex(place)
        look(window)
    for name in (*early_dialogs(), *data_dialogs()):
        dialog = open_dialog(name, session, window)
        look(dialog)
        dialog.close()
    QApplication.processEvents()
    assert not found, "\n".join(sorted(set(found)))
    assert not lost, "\n".join(sorted(set(lost)))


def test_the_faults_are_found(qtbot) -> None:
    """Each kind once, as it would be shown."""
    described = (
        "1 customers",
        "26.7 % of 1",
        "0.30000000000000004",
        "loss: gaussian",
        "Extra ys",
        "the the mean",
        "Role.TARGET",
    )
    for text in described:
        label = QLabel(text)
        holder = QWidget()
        qtbot.addWidget(holder)
        label.setParent(holder)
        holder.show()
        assert len(faults_in(holder, frozenset(), raw_ids())) == 1, text
    fine = QLabel("1 customer, 10 customers, 26.7 % of 10, 0.3333, Gaussian, days, 1 less")
    qtbot.addWidget(fine)
    holder = QWidget()
    qtbot.addWidget(holder)
    fine.setParent(holder)
    holder.show()
    assert not faults_in(holder, frozenset(), raw_ids())
