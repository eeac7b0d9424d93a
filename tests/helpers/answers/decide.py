"""Made-up answers to the studies' questions, in the numbers of the synthetic mailing."""

from __future__ import annotations

import math

import numpy as np

from core.document.data.results import RowsPage
from core.document.results import ApplyResult, Estimate, PairedDifference, RowsNote, SaveResult
from core.document.studies.decided_cases import (
    MEAN,
    SCORE,
    SPREAD,
    AucWorth,
    BasisLine,
    BasisResult,
    CapacityCurve,
    CapacityPoint,
    CapacityResult,
    CaseCloud,
    CasesPage,
    GapResult,
    GapStretch,
    RankingsResult,
    SwapGroup,
    SwapSet,
    SwapSide,
)
from core.document.studies.decision_files import HoldOutResult
from core.document.studies.reconciling import Cause, ColumnMatch, Reconciliation, RowMismatch
from core.questions.decide import Basis, Capacity, CasesOneByOne, Gap, HoldOutPlan, Rankings, Swap

NOTE = RowsNote(use="all", text="validation data, 20,000 rows", rows=20_000)
MODELS = ("gbm 2", "logit", "agency")
CASES = 20_000


def estimate(value: float, half: float = 100.0) -> Estimate:
    """A value with a symmetric interval."""
    return Estimate(
        value=value, low=value - half, high=value + half, holds_fixed="if 5.0 % respond"
    )


def capacity(asked: Capacity) -> CapacityResult:
    """Profit rises like a root up to 4,268 letters; a limit binds below."""
    limit = asked.most_actions if asked.most_money is None else asked.most_money / 1.6
    used = min(limit if limit is not None else math.inf, 4268.0)
    is_money = asked.most_actions is None and asked.most_money is not None
    grid = np.linspace(0.0, CASES * (1.6 if is_money else 1.0), 41)
    unit = grid / (1.6 if is_money else 1.0)
    profit = 12_294.0 * np.sqrt(np.minimum(unit, 4268.0) / 4268.0)
    curves = tuple(
        CapacityCurve(
            model=model,
            capacity=grid,
            profit=profit - 1000.0 * place,
            low=profit - 1000.0 * place - 600.0,
            high=profit - 1000.0 * place + 600.0,
            expected=profit,
            price=np.where(unit < 4268.0, 1.5, 0.0),
            saturation=4268.0,
        )
        for place, model in enumerate(MODELS)
    )
    free = tuple(_point(model, 4268.0, "none") for model in MODELS)
    bound = "none" if used >= 4268.0 else "money" if is_money else "actions"
    return CapacityResult(
        rows=NOTE,
        resource="money" if is_money else "actions",
        limit=asked.most_money if is_money else asked.most_actions,
        most_actions=asked.most_actions,
        most_money=asked.most_money,
        cases=float(CASES),
        acting=("Mail",),
        price=1.6 if asked.price is None else asked.price,
        price_reason="no cost is given: the most that an action can lose",
        curves=curves,
        points=tuple(_point(model, used, bound) for model in MODELS),
        free=free,
        holds_fixed="if 5.0 % respond",
        seconds=0.1,
    )


def _point(model: str, used: float, binding: str) -> CapacityPoint:
    profit = 12_294.0 * math.sqrt(used / 4268.0) - 1000.0 * MODELS.index(model)
    return CapacityPoint(
        model=model,
        binding=binding,
        actions=used,
        money=1.6 * used,
        depth=used / CASES,
        profit=estimate(profit, 600.0),
        expected=profit + 50.0,
        action_price=1.53 if binding == "actions" else 0.0,
        money_price=0.96 if binding == "money" else 0.0,
        realised_price=math.nan if binding == "none" else 1.31,
        counts=(("Mail", used), ("Do nothing", CASES - used)),
    )


def cases(asked: CasesOneByOne) -> CasesPage:
    """Case 0 is best by any key; the other end is asked for by a rising order."""
    count = CASES if asked.decision is None else 4268 if asked.decision == "Mail" else 15_732
    places = np.arange(asked.start, min(asked.start + asked.count, count))
    row = places + 1 if asked.is_descending else count - places
    probability = 1.0 / (row + 1.0)
    return CasesPage(
        start=asked.start,
        cases=count,
        all_cases=CASES,
        ids=tuple(f"K{value:06d}" for value in row),
        row=row.astype(np.int64),
        outcome=tuple("responds" if value % 20 == 0 else "does not respond" for value in row),
        decision=tuple("Mail" if value > 0.0625 else "Do nothing" for value in probability),
        probability=probability,
        expected=np.maximum(25.6 * probability - 1.6, 0.0),
        gap=np.abs(25.6 * probability - 1.6),
        computed=np.full(len(row), -1.6),
        best=np.zeros(len(row)),
        roi=None,
        break_even=None,
        warnings=tuple("P" if value == 3 else "" for value in row),
    )


def cloud(_requested: object) -> CaseCloud:
    """Two hundred cases of which half lie above the diagonal."""
    probability = np.linspace(0.0, 0.5, 200)
    return CaseCloud(
        probability=probability,
        break_even=probability[::-1].copy(),
        is_acted=probability > probability[::-1],
        is_event=np.arange(200) % 7 == 0,
        cases=CASES,
        mean_break_even=0.25,
        acts_above=True,
        acted_share=0.213,
        acted_share_at_mean=0.187,
        expected_gain=812.0,
        realised_gain=640.0,
    )


def no_cloud(asked: object) -> CaseCloud:
    """Nothing differs from case to case."""
    whole = cloud(asked)
    nothing = np.zeros(0)
    return CaseCloud(
        probability=nothing,
        break_even=nothing,
        is_acted=whole.is_acted[:0],
        is_event=whole.is_event[:0],
        cases=0,
        mean_break_even=math.nan,
        acts_above=True,
        acted_share=math.nan,
        acted_share_at_mean=math.nan,
        expected_gain=math.nan,
        realised_gain=math.nan,
        reason="All share one break-even chance.",
    )


def _name(side: SwapSide) -> str:
    return (
        f"{side.model} at its rule"
        if side.depth is None
        else f"{side.model}, best {side.depth:.1%}"
    )


def rankings(asked: Rankings) -> RankingsResult:
    """Four bins; Enterprise Miner's chart ends at three times the total."""
    lines = {
        "depth": [0.25, 0.5, 0.75, 1.0],
        "cases": [5000.0] * 4,
        "response": [14.0, 4.0, 1.5, 0.5],
        "cumulative_captured": [70.0, 90.0, 97.5, 100.0],
        "lift": [2.8, 0.8, 0.3, 0.1],
        "total": [9000.0, 1000.0, 0.0, 0.0],
        "cumulative_total": [9000.0, 10_000.0, 10_000.0, 10_000.0],
        "expected_cumulative_total": [9500.0, 10_400.0, 10_400.0, 10_400.0],
        "cumulative_average": [1.8, 1.0, 0.67, 0.5],
        "base_average": [0.5] * 4,
        "em_cumulative_total": [27_000.0, 30_000.0, 30_000.0, 30_000.0],
        "em_cumulative_average": [5.4, 3.0, 2.0, 1.5],
        "em_base_cumulative_average": [0.5, 1.0, 1.5, 2.0],
    }
    counts = np.array([[200.0, 800.0], [300.0, 18_700.0]])
    return RankingsResult(
        rows=NOTE,
        model=asked.model,
        by=asked.by,
        levels=("1", "0"),
        has_priors=True,
        names=tuple(lines),
        values=np.array(list(lines.values())),
        predicted=counts,
        adjusted=counts,
        as_em=asked.as_em,
    )


def swap(asked: Swap) -> SwapSet:
    """1,000 move out and 1,500 in; the first way earns 1,638 more."""
    groups = (
        _group("both", 3000.0, 0.21, 11_000.0, 11_000.0),
        _group("first", 1000.0, 0.08, 594.0, 0.0),
        _group("second", 1500.0, 0.035, 0.0, -1044.0),
        _group("neither", 14_500.0, 0.013, 0.0, 0.0),
    )
    return SwapSet(
        rows=NOTE,
        first=_name(asked.first),
        second=_name(asked.second),
        first_depth=0.2,
        second_depth=0.225,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        groups=groups,
        everyone=_group("all", 20_000.0, 0.05, 11_594.0, 9956.0),
        difference=PairedDifference(
            first=_name(asked.first),
            second=_name(asked.second),
            metric="profit of the swap",
            estimate=estimate(1638.0, 700.0),
            p_value=0.00001,
        ),
        moves=(),
        judged_by="",
        holds_fixed="if 5.0 % respond",
        models=(asked.first.model, asked.second.model),
    )


def _group(name: str, count: float, rate: float, first: float, second: float) -> SwapGroup:
    return SwapGroup(
        name=name,
        cases=count,
        class_cases=(count * rate, count * (1 - rate)),
        event_rate=estimate(rate, 0.01),
        first=first,
        second=second,
        difference=estimate(first - second, 400.0),
    )


def gap(asked: Gap) -> GapResult:
    """The chances of agency promise too much, the others keep their promise."""
    depth = np.linspace(0.0, 1.0, 51)
    expected = 12_000.0 * np.sin(depth * 3.0)
    off = -2000.0 if asked.model == "agency" else 100.0
    is_kept = asked.model != "agency"
    return GapResult(
        rows=NOTE,
        model=asked.model,
        depth=depth,
        expected=expected,
        realised=expected + off * depth,
        low=expected - 700.0,
        high=expected + 700.0,
        rule_depth=0.213,
        rule_expected=12_200.0,
        rule_realised=12_200.0 + off,
        rule_gap=estimate(off, 700.0),
        stretches=(
            GapStretch(first_depth=0.0, last_depth=1.0, expected=12_200.0, gap=estimate(off)),
        ),
        verdict=("The chances keep their promise: € 100 more came in.",)
        if is_kept
        else ("The chances promise too much: € 2,000 less came in.", "Most of all at the top."),
        is_kept=is_kept,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        left=np.array([[0.0, 6072.0], [5634.0, 0.0]]),
        left_cases=np.array([[0.0, 253.0], [3521.0, 0.0]]),
        left_total=11_706.0,
        best_total=24_000.0,
        best_profit=12_400.0,
        auc=AucWorth(auc=0.86, per_point=510.0, model_profit=12_233.0, method="two normal scores"),
        holds_fixed="if 5.0 % respond",
    )


def hold_out(asked: HoldOutPlan) -> HoldOutResult:
    """Of 4,268 chosen; a tiny share can show nothing."""
    held = round(asked.share * 4268)
    return HoldOutResult(
        chosen=4268,
        held=held,
        forgone=2.62 * held,
        event_rate=0.173,
        smallest_effect=0.0514 if held > 100 else math.nan,
        power=0.8,
        significance=0.05,
    )


def basis(asked: Basis) -> BasisResult:
    """Averaging over three quantiles decides 400 of 20,000 otherwise."""
    ways = (
        (SCORE, 9000.0, 7000.0, 6800.0),
        (MEAN, 8800.0, 7100.0, 6900.0),
        (SPREAD,) + (7400.0,) * 3,
    )
    lines = tuple(
        BasisLine(
            way=way,
            expected=expected,
            averaged=averaged,
            realised=estimate(came_in),
            difference=estimate(came_in - 6800.0, 50.0),
            changed=0.0 if way == SCORE else 400.0,
            acted=4200.0,
        )
        for way, expected, averaged, came_in in ways
    )
    return BasisResult(
        rows=NOTE,
        model=asked.model,
        used=SPREAD,
        cases=float(CASES),
        lines=lines,
        levels=(0.1, 0.5, 0.9),
        crossed=3,
        tail=0.1,
        holds_fixed="if 5.0 % respond",
    )


DIFFERENT = Reconciliation(
    path="scored.csv",
    model="gbm 2",
    rows=1000,
    columns=(
        ColumnMatch(
            column="D_respond",
            letter="D",
            equal=990,
            different=10,
            largest=0.0,
            first=(RowMismatch(row=7, where="line 8", ours="“Mail”", theirs="“Ignore”"),),
        ),
        ColumnMatch(
            column="EP_respond", letter="EP", equal=1000, different=0, largest=0.0, first=()
        ),
    ),
    different=10,
    causes=(Cause(text="Chances were corrected twice.", remedy="Correct once.", left=0),),
    tolerance=1e-6,
)


def applied(path: str = "new.csv", realised: float | None = None) -> ApplyResult:
    """What the engine says of another file."""
    return ApplyResult(
        path=path,
        rows=3000,
        expected_total=1750.5,
        counts=(("Mail", 620), ("Do nothing", 2380)),
        realised_total=realised,
        saved=None,
        preview=RowsPage(start=0, rows=(("1", "Mail", "3.20"), ("2", "Do nothing", "0.00"))),
        preview_columns=("customer", "D_respond", "EP_respond"),
        warnings=("2 rows have no chance of gbm 2: they are not decided.",),
    )


def saved(path: str) -> SaveResult:
    """What the engine says of a file it wrote."""
    return SaveResult(
        path=path,
        record_path=f"{path}.json",
        rows=3000,
        columns=("D_respond", "EP_respond"),
        totals=(("expected", 1750.5),),
    )
