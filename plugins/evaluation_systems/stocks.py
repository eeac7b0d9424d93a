"""Evaluation systems of the stock experiment: synthetic returns among real ones, own trades."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import payoff
from payoff.counting import counted_of
from payoff.systems import SystemAnswer
from payoff.types import BoolArray, FloatArray, IntArray

SYNTHETIC_SHARE = 0.85
"""Share of the rows (or of each amount) that the stock experiment replaces."""
_TRADE_PRICES = (payoff.TradePrice.OPEN, payoff.TradePrice.CLOSE_BEFORE)


def _by_rank(amounts: FloatArray, train: BoolArray) -> Callable[[FloatArray], FloatArray]:
    """The training part's empirical distribution function."""
    known = np.sort(amounts[train])

    def rank(values: FloatArray) -> FloatArray:
        placed: FloatArray = np.searchsorted(known, values, side="right") / len(known)
        return placed

    return rank


def _synthetic(
    rows: payoff.SystemRows, subjects: payoff.Subjects, random: np.random.Generator
) -> tuple[FloatArray, SystemAnswer]:
    """g(EC) + Theta1 T(S) with g fitted to the real returns of the training rows."""
    market = rows.market()
    phi = np.hstack([np.ones((rows.count, 1)), rows.conditions])
    train = market.in_train
    fitted, *_ = np.linalg.lstsq(phi[train], market.returns[train], rcond=1e-8)
    base = phi @ fitted
    of_subject = random.standard_normal(rows.parameters)
    if not rows.is_paper:  # as much spread as the real returns have, else they would not count
        part = subjects.features @ of_subject
        of_subject *= float(market.returns[train].std()) / max(float(part.std()), 1e-300)

    def other(places: IntArray, others: payoff.Subjects) -> FloatArray:
        moved: FloatArray = base[places] + others.features @ of_subject
        return moved

    return base + subjects.features @ of_subject, other


def _draw_mixed_rows(
    rows: payoff.SystemRows,
    subjects: payoff.Subjects,
    random: np.random.Generator,
    parameters: payoff.Parameters,
) -> payoff.DrawnSystem:
    """Reading A: 85 % of the rows have a synthetic outcome, the others keep their real return."""
    del parameters
    score, other = _synthetic(rows, subjects, random)
    returns = rows.market().returns
    changed = np.zeros(rows.count, dtype=bool)
    count = round(SYNTHETIC_SHARE * rows.count)
    changed[random.permutation(rows.count)[:count]] = True
    amount = np.where(changed, score, returns)
    rank = _by_rank(amount, rows.market().in_train)

    def answer(places: IntArray, others: payoff.Subjects) -> FloatArray:
        return rank(np.where(changed[places], other(places, others), returns[places]))

    note = (
        f"{counted_of(rows.count - count, rows.count, 'row', verbs='keeps/keep')} their "
        "real return: they carry no "
    )
    note += "information on the subject."
    return payoff.DrawnSystem(outcome=rank(amount), answer=answer, note=note)


def _draw_mixed_amounts(
    rows: payoff.SystemRows,
    subjects: payoff.Subjects,
    random: np.random.Generator,
    parameters: payoff.Parameters,
) -> payoff.DrawnSystem:
    """Reading B: every outcome is 0.85 times synthetic plus 0.15 times real."""
    del parameters
    score, other = _synthetic(rows, subjects, random)
    rest = (1.0 - SYNTHETIC_SHARE) * rows.market().returns
    amount = SYNTHETIC_SHARE * score + rest
    rank = _by_rank(amount, rows.market().in_train)
    return payoff.DrawnSystem(
        outcome=rank(amount),
        answer=lambda places, others: rank(SYNTHETIC_SHARE * other(places, others) + rest[places]),
    )


def _draw_trading(
    rows: payoff.SystemRows,
    subjects: payoff.Subjects,
    random: np.random.Generator,
    parameters: payoff.Parameters,
) -> payoff.DrawnSystem:
    """What the subject's own decisions earn at real prices."""
    del random
    market, cost = rows.market(), parameters["cost"]
    price = _TRADE_PRICES[int(parameters["price"])]

    def earned(places: IntArray, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        return market.earned(places, theta, cost=cost, price=price)

    amount, tied_up = earned(np.arange(rows.count, dtype=np.int64), subjects.theta)
    rank = _by_rank(amount, market.in_train)
    share = np.divide(amount, tied_up, out=np.zeros(rows.count), where=tied_up > 0.0)
    note = "The system is the market itself: every draw differs by its subjects only. In the first "
    note += f"draw they earn {100.0 * share.mean():.2f} % of the most capital they have tied up; "
    note += f"{np.mean(tied_up > 0.0):.0%} of them trade, the others earn 0."
    return payoff.DrawnSystem(
        outcome=rank(amount),
        answer=lambda places, others: rank(earned(places, others.theta)[0]),
        note=note,
    )


MIX_ROWS = payoff.EvaluationSystem(
    id="mix_rows",
    label="85 % synthetic rows",
    help="85 % of the rows get a synthetic return that follows the subject; others keep theirs.",
    formula="g(EC) + Theta1 T(S) in 85 % of the rows, the real return in the others; then ranks",
    draw=_draw_mixed_rows,
    needs=(payoff.SystemNeed.PRICES,),
    protocols=("stock_timing",),
    reference="Yan 2025 (arXiv 2503.21138v1), B.2, reading A",
)
MIX_AMOUNTS = payoff.EvaluationSystem(
    id="mix_amounts",
    label="85 % synthetic amounts",
    help="Every row's return is 85 % synthetic, following the subject, and 15 % real.",
    formula="0.85 (g(EC) + Theta1 T(S)) + 0.15 real return; then ranks",
    draw=_draw_mixed_amounts,
    needs=(payoff.SystemNeed.PRICES,),
    protocols=("stock_timing",),
    reference="Yan 2025 (arXiv 2503.21138v1), B.2, reading B",
)
TRADING = payoff.EvaluationSystem(
    id="trading",
    label="Own trades",
    help="What the subject's own buying and selling earns at the real prices.",
    formula="money at the end less money at the start; then ranks",
    draw=_draw_trading,
    needs=(payoff.SystemNeed.PRICES,),
    protocols=("stock_timing",),
    parameters=(
        payoff.Parameter(
            name="cost",
            words="Cost of a trade",
            default=0.0,
            minimum=0.0,
            unit=payoff.NumberUnit.MONEY,
            help="Per share bought or sold.",
        ),
        payoff.Parameter(
            name="price",
            words="Price of a trade",
            default=0.0,
            kind=payoff.ParameterKind.CHOICE,
            choices=("open of the day", "close of the day before"),
            help="Both look no further ahead than the decision.",
        ),
    ),
    reference="Yan 2025 (arXiv 2503.21138v1), B.2",
)
