"""Prices behind a stock experiment, and trading by a linear subject's decisions.

A decision on day t sees days t - 3 to t - 1 only. A subject buys one share, sells one it holds, or
does nothing; it never sells what it does not hold. What is left is sold at the last close.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.kernels import own_kernel
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray
from payoff.vocabulary import TradePrice

BUY, SELL, HOLD = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Market:
    """Prices by row of the study.

    Attributes
    ----------
    features : float64 (n, days, p)
        Standardised columns of each day; for day t of the slot the decision reads days before it.
        Starts ``lags`` days before the slot.
    trade : float64 (n, days)
        The price at which a decision of a day is carried out: its open.
    close_before : float64 (n, days)
        The same, where it is the close of the day before.
    last : float64 (n,)
        The close at the end of the slot.
    days : int64 (n,)
        Days of the row's slot.
    returns : float64 (n,)
        What buying on the first day and selling on the last brings, in currency.
    in_train : bool (n,)
    lags : int
    """

    features: FloatArray
    trade: FloatArray
    close_before: FloatArray
    last: FloatArray
    days: IntArray
    returns: FloatArray
    in_train: BoolArray
    lags: int


@own_kernel
def _action(features: FloatArray, day: int, lags: int, theta: FloatArray, score: FloatArray) -> int:
    """Buy, sell or hold by the largest score; ties hold."""
    width = features.shape[1]
    for choice in range(3):
        total, place = 0.0, choice * lags * width
        for lag in range(lags):
            line = features[day + lag]
            for column in range(width):
                total += theta[place] * line[column]
                place += 1
        score[choice] = total
    if score[BUY] > score[SELL] and score[BUY] > score[HOLD]:
        return BUY
    if score[SELL] > score[BUY] and score[SELL] > score[HOLD]:
        return SELL
    return HOLD


@own_kernel
def trade_rows(
    features: FloatArray,
    trade: FloatArray,
    last: FloatArray,
    days: IntArray,
    rows: IntArray,
    theta: FloatArray,
    lags: int,
    cost: float,
    out: FloatArray,
    tied_up: FloatArray,
) -> None:
    """Fill what each row's subject earns, and the most capital it had tied up.

    Parameters
    ----------
    features : float64 (n, days + lags, p)
        Entry ``d + lags`` is day d of the slot.
    theta : float64 (rows, 3 lags p)
    out, tied_up : float64 (rows,)
    """
    score = np.empty(3)
    for place in range(rows.shape[0]):
        row = rows[place]
        cash, held, lowest = 0.0, 0, 0.0
        for day in range(days[row]):
            action = _action(features[row], day, lags, theta[place], score)
            price = trade[row, day]
            if action == BUY:
                cash -= price + cost
                held += 1
            elif action == SELL and held > 0:
                cash += price - cost
                held -= 1
            lowest = min(lowest, cash)
        out[place] = cash + held * (last[row] - cost)
        tied_up[place] = -lowest


def traded(
    market: Market,
    rows: IntArray,
    theta: FloatArray,
    *,
    cost: float = 0.0,
    price: TradePrice = TradePrice.OPEN,
) -> tuple[FloatArray, FloatArray]:
    """Earnings of subjects on their rows in currency, and the largest capital tied up.

    ``cost`` is per share bought or sold. The close of the day itself would be known too late, so
    that no other price than the two is taken.
    """
    if price not in list(TradePrice):
        raise PayoffError(
            f"Trades cannot be made at '{price}'.",
            why="A decision of a day knows the days before; later prices would look ahead.",
            remedy=f"{' or '.join(TradePrice)}.",
        )
    prices = market.trade if price == TradePrice.OPEN else market.close_before
    out, tied_up = np.empty(len(rows)), np.empty(len(rows))
    trade_rows(
        market.features,
        prices,
        market.last,
        market.days,
        np.asarray(rows, dtype=np.int64),
        np.ascontiguousarray(theta),
        market.lags,
        float(cost),
        out,
        tied_up,
    )
    return out, tied_up
