"""Stock timing: a back-test of linear buy, sell and hold models on daily prices.

Days 1 to 70 train, days 71 to 80 test. A row is a stock in a slot of days; its conditions are the
daily columns of the three days before the slot.

Checks of daily prices: every stock on the same days, prices that can be, no future dates.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.data import LoadedTable
from core.document.experiments.results import DataFacts
from core.document.experiments.spec import ExperimentSpec
from core.experiments.market import Market
from core.experiments.protocols.columns import number, require_columns
from core.experiments.study import Stream, Study, stream
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import AnyArray, FloatArray, IntArray

PRICES = ("open", "high", "low", "close")
FEWEST_STOCKS = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PriceRows:
    """Stocks that are kept and where their days stand.

    Attributes
    ----------
    stocks : tuple of str
        Sorted.
    places : int64 (stocks, days)
        Rows of the table.
    warnings : tuple of str
    """

    stocks: tuple[str, ...]
    places: IntArray
    warnings: tuple[str, ...]


def check_prices(table: LoadedTable, *, days: int, least: int) -> PriceRows:
    """Find the first ``days`` trading days of every stock that has ``least`` rows.

    Raises
    ------
    PayoffError
        For a date twice, a date that is none or lies ahead, a price that is not positive, a high
        below the low: with stock and date.
    """
    stocks = [str(value) for value in table.require_column("stock_id").to_pylist()]
    written = table.require_column("date").to_pylist()
    dates = [
        _date_of(value, f"{table.path}, data row {row + 1:,}, stock {stock}, date '{value}'")
        for row, (stock, value) in enumerate(zip(stocks, written, strict=True))
    ]
    _check_amounts(table, stocks, dates)
    by_stock: dict[str, dict[datetime.date, int]] = {}
    for row, (stock, date) in enumerate(zip(stocks, dates, strict=True)):
        known = by_stock.setdefault(stock, {})
        if date in known:
            raise PayoffError(
                f"Stock {stock} has the date {date.isoformat()} twice.",
                where=f"{table.path}, data rows {known[date] + 1:,} and {row + 1:,}",
            )
        known[date] = row
    short = sorted(stock for stock, known in by_stock.items() if len(known) < least)
    long_enough = {s: known for s, known in by_stock.items() if len(known) >= least}
    if not long_enough:
        raise PayoffError(
            f"No stock has {counted(least, 'day')}.",
            where=table.path,
            remedy="The protocol trains on 70 days and tests on 10, with some days before.",
        )
    calendar = _calendar(long_enough, days)
    gaps = {
        stock: next(day for day in calendar if day not in known)
        for stock, known in long_enough.items()
        if any(day not in known for day in calendar)
    }
    kept = tuple(sorted(stock for stock in long_enough if stock not in gaps))
    if len(kept) < FEWEST_STOCKS:
        raise PayoffError(
            f"Only {counted(len(kept), 'stock has', 'stocks have')} all {counted(days, 'day')}.",
            where=table.path,
            why=f"{len(short)} have fewer than {counted(least, 'day')}, {len(gaps)} have gaps.",
            remedy=f"An experiment needs {FEWEST_STOCKS} or more.",
        )
    places = np.array([[long_enough[stock][day] for day in calendar] for stock in kept], np.int64)
    return PriceRows(stocks=kept, places=places, warnings=_warnings(short, gaps, least))


def _date_of(value: object, where: str) -> datetime.date:
    """A date as date, timestamp, 2024-01-31 or 20240131."""
    found: datetime.date | None = None
    if isinstance(value, datetime.datetime):
        found = value.date()
    elif isinstance(value, datetime.date):
        found = value
    else:
        text = str(value).replace("-", "").replace("/", "").strip()[:8]
        try:
            found = datetime.datetime.strptime(text, "%Y%m%d").date()
        except ValueError:
            found = None
    if found is None:
        raise PayoffError("A cell is no date.", where=where, remedy="Write dates as 2024-01-31.")
    if found > datetime.date.today():
        raise PayoffError("A date lies in the future.", where=where)
    return found


def _check_amounts(table: LoadedTable, stocks: list[str], dates: list[datetime.date]) -> None:
    """Prices above 0, and highs not below lows."""
    values = {name: number(table, name) for name in PRICES}

    def refuse(row: int, what: str) -> PayoffError:
        return PayoffError(
            what,
            where=f"{table.path}, data row {row + 1:,}, stock {stocks[row]}, "
            f"{dates[row].isoformat()}",
            remedy="Mend the row, or leave the stock out.",
        )

    for name, prices in values.items():
        bad = np.flatnonzero(~(prices > 0.0))
        if len(bad):
            raise refuse(int(bad[0]), f"The {name} is {prices[bad[0]]:g}; a price is above 0.")
    crossed = np.flatnonzero(values["high"] < values["low"])
    if len(crossed):
        raise refuse(int(crossed[0]), "The high lies below the low.")


def _calendar(
    by_stock: dict[str, dict[datetime.date, int]], days: int
) -> tuple[datetime.date, ...]:
    """The first days on which at least half of the stocks were traded."""
    counts = Counter(day for known in by_stock.values() for day in known)
    usual = sorted(day for day, count in counts.items() if 2 * count >= len(by_stock))
    if len(usual) < days:
        raise PayoffError(
            f"Only {counted(len(usual), 'day is', 'days are')} shared by half of the stocks.",
            why=f"The protocol needs {days}.",
        )
    return tuple(usual[:days])


def _warnings(short: list[str], gaps: dict[str, datetime.date], least: int) -> tuple[str, ...]:
    found = []
    if short:
        found.append(
            counted(
                len(short),
                f"stock with under {counted(least, 'day')} is",
                f"stocks with under {counted(least, 'day')} are",
            )
            + f" left out: {_some(short)}."
        )
    if gaps:
        named = [f"{stock} ({day.isoformat()})" for stock, day in sorted(gaps.items())]
        found.append(
            counted(len(gaps), "stock with a missing day is", "stocks with a missing day are")
            + f" left out: {_some(named)}."
        )
    return tuple(found)


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")


DATE, STOCK = "date", "stock_id"
TRADE = ("volume", "amount", "outstanding_share", "turnover")
HOLDERS = ("positive_return_rate", "average_cost")
COSTS_90 = ("cost90_low", "cost90_high", "cost90_mid")
COSTS_70 = ("cost70_low", "cost70_high", "cost70_mid")
DAILY = (*PRICES, *TRADE, *HOLDERS, *COSTS_90, *COSTS_70)
LEFT_OUT = "outstanding_share"  # constant over 90 days: paper mode has 15 daily columns
DAYS, TRAIN_DAYS, LAGS = 80, 70, 3
LEAST_DAYS = 89


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Days of a back-test, counted from 0."""

    first: int
    days: int
    in_train: bool


def slots_of(slot_days: int) -> tuple[Slot, ...]:
    """Slots of equal length, or one each to train and to test (``slot_days`` 0)."""
    if slot_days == 0:
        return (
            Slot(first=LAGS, days=TRAIN_DAYS - LAGS, in_train=True),
            Slot(first=TRAIN_DAYS, days=DAYS - TRAIN_DAYS, in_train=False),
        )
    if not 1 <= slot_days <= DAYS - TRAIN_DAYS:
        raise PayoffError(
            f"A slot of {counted(slot_days, 'day')} does not fit.",
            why=f"{counted(DAYS - TRAIN_DAYS, 'day is', 'days are')} there to test on.",
        )
    train = range(TRAIN_DAYS - slot_days, LAGS - 1, -slot_days)
    test = range(TRAIN_DAYS, DAYS - slot_days + 1, slot_days)
    return tuple(Slot(first=day, days=slot_days, in_train=True) for day in sorted(train)) + tuple(
        Slot(first=day, days=slot_days, in_train=False) for day in test
    )


def stock_timing_study(table: LoadedTable, spec: ExperimentSpec) -> Study:
    """Stocks by slots, their prices, and what was dropped."""
    require_columns(table, (DATE, STOCK, *DAILY), "stock timing")
    daily = [name for name in DAILY if not (spec.is_paper and name == LEFT_OUT)]
    if spec.columns:
        require_columns(table, spec.columns, "stock timing")
        daily = list(spec.columns)
    rows = check_prices(table, days=DAYS, least=LEAST_DAYS)
    slots = slots_of(spec.slot_days)
    values = {name: number(table, name) for name in {*daily, "open", "close"}}
    features = np.stack([values[name][rows.places] for name in daily], axis=2)
    features = np.nan_to_num(features, nan=0.0)
    cubes = {name: values[name][rows.places] for name in ("open", "close")}
    return _assemble(table, rows, slots, daily, features, cubes["open"], cubes["close"])


def _assemble(
    table: LoadedTable,
    rows: PriceRows,
    slots: Sequence[Slot],
    daily: Sequence[str],
    features: FloatArray,
    opened: FloatArray,
    closed: FloatArray,
) -> Study:
    """Rows of stock by slot; arrays by day are (stocks, days[, columns])."""
    stocks, width = features.shape[0], features.shape[2]
    count, longest = stocks * len(slots), max(slot.days for slot in slots)
    before = features[:, :TRAIN_DAYS].reshape(-1, width)
    spread = before.std(axis=0)
    spread[spread <= 0.0] = 1.0
    scaled = (features - before.mean(axis=0)) / spread
    seen = np.zeros((count, longest + LAGS, width))
    trade, before_open = np.zeros((count, longest)), np.zeros((count, longest))
    last, returns = np.empty(count), np.empty(count)
    conditions = np.empty((count, LAGS * width))
    numbers = np.arange(stocks) * len(slots)
    for place, slot in enumerate(slots):
        at, end = numbers + place, slot.first + slot.days
        conditions[at] = features[:, slot.first - LAGS : slot.first].reshape(stocks, -1)
        seen[at, : slot.days + LAGS] = scaled[:, slot.first - LAGS : end]
        trade[at, : slot.days] = opened[:, slot.first : end]
        before_open[at, : slot.days] = closed[:, slot.first - 1 : end - 1]
        last[at] = closed[:, end - 1]
        returns[at] = closed[:, end - 1] - opened[:, slot.first]
    which = np.tile(np.arange(len(slots)), stocks)
    in_train = np.array([slot.in_train for slot in slots])[which]
    days: IntArray = np.array([slot.days for slot in slots], np.int64)[which]
    market = Market(
        features=seen,
        trade=trade,
        close_before=before_open,
        last=last,
        days=days,
        returns=returns,
        in_train=in_train,
        lags=LAGS,
    )
    names = tuple(
        f"{name}, {counted(LAGS - lag, 'day')} before" for lag in range(LAGS) for name in daily
    )
    parameters = 3 * LAGS * width
    facts = DataFacts(
        source=table.path,
        rows=count,
        conditions=conditions.shape[1],
        parameters=parameters,
        prevalence=float("nan"),
        warnings=rows.warnings,
        notes=_notes(slots, width),
    )
    return Study(
        names=names,
        conditions=conditions,
        outcome=None,
        ids=np.array([f"{stock}/{slot}" for stock in rows.stocks for slot in range(len(slots))]),
        parameters=parameters,
        facts=facts,
        test=~in_train,
        blocks=which.astype(np.int64),
        market=market,
    )


def _notes(slots: Sequence[Slot], width: int) -> tuple[str, ...]:
    train = sum(slot.in_train for slot in slots)
    test = len(slots) - train
    word = "slot" if test == 1 else "slots"
    return (
        f"{counted(width, 'column')} a day, {LAGS} days back; a subject has "
        f"{counted(3 * LAGS * width, 'parameter')}.",
        f"Days 1 to {TRAIN_DAYS} train ({counted(train, 'slot')} a stock), the next "
        f"{DAYS - TRAIN_DAYS} test "
        f"({test} {word} of {counted(slots[-1].days, 'day')}).",
        "Decisions of a day see the days before it; trades are at the day's open, without "
        "cost, unless the system says otherwise.",
        "Returns in currency are turned into ranks of the training part, from 0 to 1.",
        "cost90_mid and cost70_mid are concentrations, and positive_return_rate the share of "
        "shares in profit: the source's names are taken over, not its meanings.",
    )


def simulate_stocks(stocks: int, seed: int) -> Mapping[str, AnyArray | list[str]]:
    """Made-up stocks: 90 trading days each, one market behind all of them."""
    draw = stream(seed, Stream.ROWS)
    days = LEAST_DAYS + 1
    market = draw.normal(0.0003, 0.010, days)
    beta = draw.normal(1.0, 0.3, (stocks, 1))
    move = beta * market + draw.normal(0.0, 0.018, (stocks, days))
    close = np.exp(draw.normal(2.6, 0.7, (stocks, 1))) * np.exp(np.cumsum(move, axis=1))
    opened = close * np.exp(draw.normal(0.0, 0.006, close.shape))
    high = np.maximum(opened, close) * np.exp(np.abs(draw.normal(0.0, 0.006, close.shape)))
    low = np.minimum(opened, close) * np.exp(-np.abs(draw.normal(0.0, 0.006, close.shape)))
    shares = np.exp(draw.normal(20.0, 0.8, (stocks, 1))) * np.ones(days)
    turnover = np.exp(draw.normal(-4.2, 0.5, close.shape))
    cost = np.cumsum(close, axis=1) / np.arange(1, days + 1)
    width = 0.05 + 0.1 * draw.random(close.shape)
    daily = {
        "open": opened,
        "high": high,
        "low": low,
        "close": close,
        "volume": np.round(shares * turnover),
        "amount": np.round(shares * turnover * close),
        "outstanding_share": np.round(shares),
        "turnover": turnover,
        "positive_return_rate": 1.0 / (1.0 + np.exp(-12.0 * (close / cost - 1.0))),
        "average_cost": cost,
        "cost90_low": cost * (1 - 2 * width),
        "cost90_high": cost * (1 + 2 * width),
        "cost90_mid": 2 * width,
        "cost70_low": cost * (1 - width),
        "cost70_high": cost * (1 + width),
        "cost70_mid": width,
    }
    dates = _trading_days(days)
    columns: dict[str, AnyArray | list[str]] = {
        DATE: dates * stocks,
        STOCK: np.repeat(600_001 + np.arange(stocks), days),
        "stock_name": [f"Made-up {place + 1}" for place in range(stocks) for _ in range(days)],
    }
    return columns | {name: values.reshape(-1) for name, values in daily.items()}


def _trading_days(count: int) -> list[str]:
    """Weekdays of a past year, without holidays."""
    found: list[str] = []
    day = datetime.date(2024, 1, 2)
    while len(found) < count:
        if day.weekday() < 5:
            found.append(day.isoformat())
        day += datetime.timedelta(days=1)
    return found
