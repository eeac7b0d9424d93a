"""The metric table: models down, metrics across, and profit at the cursor as the last column."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.document.compare.metric_words import metric_interval, metric_value
from core.document.compare.row_words import flattering_words
from core.document.decisions.amount_words import AmountWords
from core.document.decisions.chosen_depth import SAME, estimate_at, worth_at
from core.document.model import ChartMode
from core.document.plugin_results import MetricInfo
from core.document.results import (
    CursorReading,
    DecisionResult,
    Estimate,
    EvaluationResult,
    ModelProfit,
)
from core.document.wording import format_number, format_share, money_decimals
from core.presentation.labels import Labels
from core.presentation.table import common_scale
from gui.pages.compare.words import find_difference

CELL_ROLE = Qt.ItemDataRole.UserRole + 1  # MetricEntry
COLUMN_ROLE = Qt.ItemDataRole.UserRole + 2  # MetricColumn of a header section
MODEL_ROLE = Qt.ItemDataRole.UserRole + 3  # series of the row's model
MARK_ROLE = Qt.ItemDataRole.UserRole + 4  # why the row's figures flatter its model

PROFIT_KEY = "profit at the cursor"
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricEntry:
    """One cell as it is painted."""

    text: str
    estimate: Estimate
    scale: tuple[float, float]
    series: int
    is_best: bool
    is_tied: bool
    words: str  # tooltip and screen reader
    mark: str = ""  # "flattering: stopped here (2,000 rows)"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """One column: what it is, and its cells from the first model to the last."""

    info: MetricInfo
    note: str  # "↑ higher", "best 21.3 %"
    cells: tuple[MetricEntry, ...]


_NOTES = {"higher": "↑ higher", "lower": "↓ lower", "none": ""}


def metric_columns(result: EvaluationResult, look: Labels) -> tuple[MetricColumn, ...]:
    """The columns of an evaluation."""
    by_key = {(cell.metric, cell.model): cell for cell in result.cells}
    columns = []
    for info in result.metrics:
        found = [by_key.get((info.metric, model.name)) for model in look.models]
        scale = common_scale(cell.estimate for cell in found if cell is not None)
        cells = []
        for model, cell in zip(look.models, found, strict=True):
            estimate = cell.estimate if cell is not None else _unknown()
            mark = flattering_words(model.name, result.seen)
            cells.append(
                MetricEntry(
                    text=metric_value(info, estimate.value),
                    estimate=estimate,
                    scale=scale,
                    series=model.series,
                    is_best=cell is not None and cell.is_best,
                    is_tied=cell is not None and cell.is_tied and not cell.is_best,
                    words=_words(info, model.name, estimate, mark),
                    mark=mark,
                )
            )
        columns.append(MetricColumn(info=info, note=_NOTES[info.direction], cells=tuple(cells)))
    return tuple(columns)


def profit_column(
    result: DecisionResult, look: Labels, depth: float, reading: CursorReading | None
) -> MetricColumn:
    """Profit (or loss) of every model at the cursor; exact where the engine has read it there."""
    sign = -1.0 if look.is_loss else 1.0
    exact = reading if reading is not None and abs(reading.depth - depth) < SAME else None
    by_name = {entry.model: entry for entry in result.models}
    estimates = [
        _profit_at(by_name.get(model.name), depth, exact, sign, result.holds_fixed)
        for model in look.models
    ]
    values = [estimate.value for estimate in estimates]
    known = [value for value in values if math.isfinite(value)]
    best = (min(known) if look.is_loss else max(known)) if known else math.nan
    leader = look.models[values.index(best)].name if known else ""
    info = _profit_info(look)
    cells = tuple(
        MetricEntry(
            text=format_number(estimate.value, money_decimals(estimate.value)),
            estimate=estimate,
            scale=common_scale(estimates),
            series=model.series,
            is_best=model.name == leader,
            is_tied=model.name != leader and _is_tied(exact, leader, model.name),
            words=_words(info, model.name, estimate),
        )
        for model, estimate in zip(look.models, estimates, strict=True)
    )
    return MetricColumn(info=info, note=f"best {format_share(depth)}", cells=cells)


def _profit_info(look: Labels) -> MetricInfo:
    name = "Loss" if look.is_loss else "Profit"
    return MetricInfo(
        metric=PROFIT_KEY,
        title=f"{name}, {look.currency}" if look.currency else name,
        direction="lower" if look.is_loss else "higher",
        help=_profit_help(look),
        formula="sum of the consequences of each case's decision",
        reference="Follows the cursor; the matrix is on page Decide.",
        decimals=0,
        unit="money",
    )


def _profit_help(look: Labels) -> str:
    """What the column adds up, in the mode of the chart."""
    words = AmountWords(look.is_loss)
    if look.mode is ChartMode.FIRM:
        decided = "each with its own decision"
        return f"What the best {look.cases} up to the cursor {words.bring}, {decided}."
    return f"What acting on the best {look.cases} up to the cursor {words.brings} in all."


def _profit_at(
    entry: ModelProfit | None, depth: float, exact: CursorReading | None, sign: float, fixed: str
) -> Estimate:
    if entry is None:
        return _unknown()
    read = estimate_at(entry, depth, exact, held=fixed)
    worth = worth_at(entry, depth, read)
    shown, note = worth.estimate, ""
    if worth.flattered is not None:
        flattered = format_number(sign * worth.flattered.value, money_decimals(read.value))
        note = f"cross-fitted; on the rows that chose this depth {flattered}, which flatters"
    low, high = sorted((sign * shown.low, sign * shown.high))
    return replace(shown, value=sign * shown.value, low=low, high=high, note=note)


def _is_tied(exact: CursorReading | None, leader: str, model: str) -> bool:
    """Does the paired interval of the two hold 0?"""
    if exact is None:
        return False
    pairs = exact.differences
    found = find_difference(pairs, leader, model) or find_difference(pairs, model, leader)
    return found is not None and found.estimate.low <= 0 <= found.estimate.high


def _unknown() -> Estimate:
    return Estimate(value=math.nan, low=math.nan, high=math.nan, note="not computed")


def _words(info: MetricInfo, model: str, estimate: Estimate, mark: str = "") -> str:
    """A cell in words: value, interval, method, what is held fixed."""
    parts = [f"{info.title}, {model}: {metric_value(info, estimate.value)}"]
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        parts.append(f"95 % from {metric_interval(info, estimate.low, estimate.high)}")
    parts += [part for part in (estimate.method, estimate.holds_fixed, estimate.note, mark) if part]
    return "\n".join(parts)


class MetricTableModel(QAbstractTableModel):
    """Models in rows; column 0 is the model, the last one may be the profit at the cursor."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look: Labels | None = None
        self._columns: tuple[MetricColumn, ...] = ()
        self._profit: MetricColumn | None = None
        self._order: list[int] = []
        self._sorted: tuple[str, bool] | None = None  # title of a column, best (or first) first

    # ------------------------------------------------------------ order of the rows

    @property
    def sorted_by(self) -> tuple[int, bool] | None:
        """The section that sorts the rows and whether its best stands first; None = as given."""
        if self._sorted is None:
            return None
        titles = ["", *(column.info.title for column in self.columns())]
        title, is_best_first = self._sorted
        return (titles.index(title), is_best_first) if title in titles else None

    def sort_by(self, section: int) -> None:
        """Sort by a column, best first; again: worst first; a third time: as the models stand."""
        title = "" if section == 0 else self.columns()[section - 1].info.title
        before = self._sorted
        self.layoutAboutToBeChanged.emit()
        if before is None or before[0] != title:
            self._sorted = (title, True)
        else:
            self._sorted = (title, False) if before[1] else None
        self._sort()
        self.layoutChanged.emit()

    def _sort(self) -> None:
        models = self._look.models if self._look is not None else ()
        self._order = list(range(len(models)))
        found = self.sorted_by
        if found is None:
            return
        section, is_best_first = found
        if section == 0:
            self._order.sort(key=lambda row: models[row].name.lower(), reverse=not is_best_first)
            return
        column = self.columns()[section - 1]
        sign = 1.0 if column.info.direction == "lower" else -1.0

        def key(row: int) -> tuple[bool, float]:
            value = column.cells[row].estimate.value
            is_known = math.isfinite(value)
            return not is_known, (sign if is_best_first else -sign) * value if is_known else 0.0

        self._order.sort(key=key)

    # ------------------------------------------------------------ content

    def set_columns(
        self, look: Labels | None, columns: tuple[MetricColumn, ...], profit: MetricColumn | None
    ) -> None:
        """Show other columns."""
        self.beginResetModel()
        self._look, self._columns, self._profit = look, columns, profit
        self._sort()
        self.endResetModel()

    def set_profit(self, profit: MetricColumn | None) -> None:
        """Renew the last column only: the cursor has moved."""
        if (profit is None) != (self._profit is None):
            self.set_columns(self._look, self._columns, profit)
            return
        self._profit = profit
        last = self.columnCount() - 1
        if profit is not None and self.rowCount():
            for row in range(self.rowCount()):  # cell by cell: a range repaints the whole table
                cell = self.index(row, last)
                self.dataChanged.emit(cell, cell, [Qt.ItemDataRole.DisplayRole])

    def columns(self) -> tuple[MetricColumn, ...]:
        """All columns behind the model's name."""
        return (*self._columns, *((self._profit,) if self._profit is not None else ()))

    def place_of(self, row: int) -> int:
        """Where the cells of a row stand in its columns."""
        return self._order[row]

    def model_at(self, row: int) -> str:
        """The name of a row's model."""
        return self._look.models[self._order[row]].name if self._look is not None else ""

    def rowCount(self, parent: _Index | None = None) -> int:
        if self._look is None or (parent is not None and parent.isValid()):
            return 0
        return len(self._look.models)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 1 + len(self.columns())

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self._look is None:
            return None
        row = self._order[index.row()]
        if index.column() == 0:
            return self._model_data(row, role)
        entry = self.columns()[index.column() - 1].cells[row]
        if role == CELL_ROLE:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return entry.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            mark = ", best" if entry.is_best else ", not distinguishable" if entry.is_tied else ""
            return entry.words.replace("\n", ", ") + mark
        return None

    def _model_data(self, row: int, role: int) -> object:
        """What the first column says of a model."""
        assert self._look is not None
        model, mark = self._look.models[row], self._mark(row)
        if role == MODEL_ROLE:
            return model.series
        if role == MARK_ROLE:
            return mark
        if role == Qt.ItemDataRole.DisplayRole:
            return model.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{model.name}\n{mark}" if mark else model.name
        return None

    def _mark(self, row: int) -> str:
        return self._columns[0].cells[row].mark if self._columns else ""

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if section == 0:
            return "Model" if role == Qt.ItemDataRole.DisplayRole else None
        columns = self.columns()
        if section > len(columns):
            return None
        column = columns[section - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.info.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.info.help
        return column if role == COLUMN_ROLE else None
