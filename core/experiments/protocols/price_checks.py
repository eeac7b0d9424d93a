"""Checks of daily prices: every stock on the same days, prices that can be, no future dates."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import dataclass

import numpy as np

from core.data import LoadedTable
from core.experiments.protocols.columns import number
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import IntArray

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
