"""Whether two sets of rows, or two files, are alike: the population stability index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from core.document.data.model import RowUse
from core.document.data.row_defaults import uses_there
from core.document.studies.shift import ColumnShift, ShiftResult, ShiftSide
from core.document.wording import format_number
from core.questions.compare import Shift
from gui.dialogs.second_file import HowItIsRead, reader_of_new_cases
from gui.pages.compare.study_dialog import StudyDialog
from gui.pages.compare.words import use_words
from gui.plots import ChartCard, ChartSpec, CursorState
from gui.plots.spec import AxisSpec, BarsSpec, ReadingLine
from gui.workspace import Workspace

_FILE = "another file"
_SIGNS = {
    "stable": "✓ stable",
    "too few cases": "too few cases to tell",
    "shifted": "▲ shifted",
    "another population": "▲▲ another population",
}
_WIDTH = 0.4


class ShiftChart(ChartCard):
    """Shares of the cases by bin, then and now, of one column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._column: ColumnShift | None = None
        self._names = ("", "")
        super().__init__(parent, is_compact=True)

    def show_column(self, column: ColumnShift | None, names: tuple[str, str]) -> None:
        """Draw the bins of a column."""
        self._column, self._names = column, names
        self.refresh()
        self.set_cursor(0.0)

    def make_spec(self) -> ChartSpec | None:
        column = self._column
        if column is None:
            return None
        x = np.arange(len(column.bins), dtype=np.float64)
        top = float(max(column.then.max(), column.now.max()))
        bars = (
            BarsSpec(
                name=self._names[0], series=-1, x=x, y=column.then, offset=-_WIDTH / 2, width=_WIDTH
            ),
            BarsSpec(
                name=self._names[1], series=0, x=x, y=column.now, offset=_WIDTH / 2, width=_WIDTH
            ),
        )
        return ChartSpec(
            kind="shift",
            title=column.name,
            subtitle="share of the cases by value",
            x_axis=AxisSpec(
                label="", quantity="number", low=-0.6, high=len(x) - 0.4, words=column.bins
            ),
            y_axis=AxisSpec(label="share", quantity="percent", low=0.0, high=top, last_tick=1.0),
            bars=bars,
            definition=(
                "Population stability index = sum over bins of (now - then) x ln(now / then); "
                "below 0.1 stable, above 0.25 another population."
            ),
            headroom=64,  # for the box: bars fill the width
        )

    def make_state(self, depth: float) -> CursorState | None:
        column = self._column
        if column is None:
            return None
        lines = tuple(
            ReadingLine(
                name=name, value="", series=series, is_bar=True, is_hidden=name in self.hidden
            )
            for name, series in zip(self._names, (-1, 0), strict=True)
        )
        head = f"index {format_number(column.index, 3)}"
        return CursorState(x=None, head=head, note="", lines=lines)

    def depth_at(self, x: float, y: float) -> float | None:
        return None


def verdict_words(result: ShiftResult) -> str:
    """What has shifted, and of what it cannot be told: too few cases are no sign of rest."""
    moved = [e.name for e in result.columns if e.verdict in ("shifted", "another population")]
    unknown = [e.name for e in result.columns if e.verdict == "too few cases"]
    if not result.columns:
        return "There is nothing to compare: no score and no input is in both."
    parts = [f"Shifted: {', '.join(moved)}."] if moved else []
    if unknown:
        parts.append(f"Too few cases to tell: {', '.join(unknown)}.")
    if len(moved) + len(unknown) < len(result.columns) and not moved:
        parts.append("Nothing else has shifted." if unknown else "Nothing has shifted.")
    return " ".join(parts)


class ShiftDialog(StudyDialog):
    """Choose two sets of rows: scores and inputs in both, the largest shift first."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(
            workspace,
            "Shift of scores and inputs",
            (
                "Whether cases are like those the models were evaluated on, by the population "
                "stability index: below 0.1 stable, above 0.25 another population."
            ),
            parent,
        )
        self.resize(900, 640)
        document = workspace.document
        uses = [*uses_there(document.split), RowUse.TO_DECIDE, RowUse.ALL]
        entries: list[tuple[str, object]] = [(use_words(use), use) for use in uses]
        entries.append(("Another file…", _FILE))
        self.how: dict[QComboBox, HowItIsRead] = {}
        self.then = self._add_side("Then", entries)
        self.now = self._add_side("Now", entries)
        self.then.setCurrentIndex(0)
        self.now.setCurrentIndex(1 if len(uses) > 3 else len(uses) - 1)
        self.choices.addStretch(1)
        self._paths: dict[QComboBox, str] = {}
        self._result: ShiftResult | None = None
        self.chart = ShiftChart()
        self.chart.setMinimumHeight(230)
        self.chart.refused.connect(workspace.post)
        self.column.insertWidget(self.column.indexOf(self.table) + 1, self.chart, 1)
        self.then.activated.connect(lambda _row: self._choose(self.then))
        self.now.activated.connect(lambda _row: self._choose(self.now))
        self.table.selectionModel().currentRowChanged.connect(self._show_column)
        self.refresh()

    def _add_side(self, caption: str, entries: Sequence[tuple[str, object]]) -> QComboBox:
        """The choice of one set of rows, and behind it how its file is read."""
        combo = self.add_choice(caption, entries)
        self.how[combo] = HowItIsRead(self.workspace, lambda path: self.take_file(combo, path))
        self.how[combo].setAutoDefault(False)
        self.choices.addWidget(self.how[combo])
        return combo

    def _choose(self, combo: QComboBox) -> None:
        if combo.currentData() == _FILE:
            path, _ = QFileDialog.getOpenFileName(self, "Compare with the rows of a file")
            if path:
                self.take_file(combo, path)
                return
            combo.setCurrentIndex(0)
        self.how[combo].hide()
        self.refresh()

    def take_file(self, combo: QComboBox, path: str) -> None:
        """Compare with the rows of another file."""
        combo.setCurrentIndex(combo.findData(_FILE))
        combo.setItemText(combo.currentIndex(), path.replace("\\", "/").rsplit("/", 1)[-1])
        self._paths[combo] = path
        self.how[combo].show_for(path)
        self.refresh()

    def _side(self, combo: QComboBox) -> ShiftSide:
        data = combo.currentData()
        if data == _FILE:
            path = self._paths.get(combo, "")
            return ShiftSide(path=path, reader=reader_of_new_cases(self.workspace, path))
        return ShiftSide(use=RowUse(data))

    def refresh(self) -> None:
        """Compare the two sets of rows."""
        self.begin()
        self.say("Being worked out…")
        question = Shift(then=self._side(self.then), now=self._side(self.now))
        self.put(question, self._take)

    def _take(self, result: ShiftResult) -> None:
        self._result = result
        rows = [
            (
                entry.name,
                "score" if entry.is_score else "input",
                format_number(entry.index, 3),
                format_number(entry.noise, 3),
                _SIGNS[entry.verdict],
            )
            for entry in result.columns
        ]
        columns = (
            "Column",
            "Kind",
            "Index",
            "By chance up to",
            "Verdict",
        )
        self.show_rows(columns, rows, right=(2, 3), wide=4)
        text = verdict_words(result)
        notes = [f"{result.then_text}  →  {result.now_text}"]
        if result.left_out:
            notes.append(f"Only in one of the two: {', '.join(result.left_out)}.")
        self.say(text, notes)
        self.table.selectRow(0)
        self._show_column(self.table_model.index(0, 0))

    def _show_column(self, index: QModelIndex, _before: object = None) -> None:
        result = self._result
        if result is None or not 0 <= index.row() < len(result.columns):
            self.chart.show_column(None, ("", ""))
            return
        names = (result.then_text.split(",")[0], result.now_text.split(",")[0])
        if names[0] == names[1]:
            names = (f"{names[0]} then", f"{names[1]} now")
        self.chart.show_column(result.columns[index.row()], names)
