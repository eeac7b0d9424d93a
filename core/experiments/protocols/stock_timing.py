"""Stock timing: a back-test of linear buy, sell and hold models on daily prices.

Days 1 to 70 train, days 71 to 80 test. A row is a stock in a slot of days; its conditions are the
daily columns of the three days before the slot.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.data import LoadedTable
from core.document.experiments.results import DataFacts
from core.document.experiments.spec import ExperimentSpec
from core.experiments.market import Market
from core.experiments.protocols.columns import number, require_columns
from core.experiments.protocols.price_checks import PriceRows, check_prices
from core.experiments.seeds import Stream, stream
from core.experiments.study import Study
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import AnyArray, FloatArray, IntArray

DATE, STOCK = "date", "stock_id"
PRICES = ("open", "high", "low", "close")
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
