"""Decided cases, what is asked and answered.

The cases one by one: pages of a sorted list, and a picture of chances against break-evens.

Predicted classes and score rankings of one model, and what Enterprise Miner would draw.

A model's decisions by each case's own score, beside those averaged over quantiles or leaves.

The best decisions where only so much can be done: at most N actions, at most an amount of money.

Amounts are profits, as in all results.

Expected against realised profit, what was left on the table, and the worth of better ranking.

The swap set of two ways to decide: whom both act on, whom only one does, and the money of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import Estimate, PairedDifference, RowsNote
from payoff.types import BoolArray, FloatArray, IntArray

SORTS = ("expected", "roi", "gap", "chance", "computed", "best", "missed", "id", "row")


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesPage:
    """Some cases of the list, in its order. Amounts are profits; NaN where undefined.

    ``break_even``: the case's own chance at which acting begins to pay; None where it is the same
    for all, or where there is no such chance (three classes or decisions). ``roi`` is None without
    costs.
    """

    start: int
    cases: int  # of the whole list under the filter
    all_cases: int
    ids: tuple[str, ...]
    row: IntArray  # number in the file, from 1
    outcome: tuple[str, ...]
    decision: tuple[str, ...]
    probability: FloatArray  # of the event, as it decides
    expected: FloatArray
    gap: FloatArray  # to the second best decision
    computed: FloatArray
    best: FloatArray
    roi: FloatArray | None
    break_even: FloatArray | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseCloud:
    """Chances against the cases' own break-evens; empty, with ``reason``, where they do not differ.

    ``is_event``: the case was of the first class. ``shares`` of all cases: acted on by their own
    break-even, and by the mean one.
    """

    probability: FloatArray
    break_even: FloatArray
    is_acted: BoolArray
    is_event: BoolArray
    cases: int
    mean_break_even: float
    acts_above: bool
    acted_share: float
    acted_share_at_mean: float
    expected_gain: float  # of own break-evens over one for all, expected total
    realised_gain: float
    reason: str = ""


BY_CHANCE, BY_EXPECTED = "chance", "expected"
BINS = 20
"""Bins of depth: those of Enterprise Miner's Model Comparison."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingsResult:
    """What page Decide shows of one model's rankings; amounts in the user's sense.

    ``predicted`` and ``adjusted`` (actual class, predicted class) hold cases and prior-weighted
    cases; they are empty for a number, which has no predicted class. ``as_em``: profits as charts
    of SAS Enterprise Miner draw them are to be shown beside ours.
    """

    rows: RowsNote
    model: str
    by: str
    levels: tuple[str, ...]
    has_priors: bool
    names: tuple[str, ...]
    values: FloatArray  # (names, bins)
    predicted: FloatArray
    adjusted: FloatArray
    as_em: bool = False

    def column(self, name: str) -> FloatArray:
        """A column of the rankings, (bins,)."""
        line: FloatArray = self.values[self.names.index(name)]
        return line


SCORE = "score"  # each case's own prediction or chances
MEAN = "mean"  # the mean of each case's predicted distribution
SPREAD = "spread"  # consequences averaged over that distribution
LEAF = "leaf"  # the leaf's mean of what is predicted
HONEST = "honest"  # the leaf's mean of what its outcomes brought


@dataclass(frozen=True, slots=True, kw_only=True)
class BasisLine:
    """Decisions by one way. Amounts are profits, totals over the cases that count.

    ``expected`` is what this way itself promises of its decisions; ``averaged`` what the averages
    (over the distribution or the leaf) promise of the same decisions.
    """

    way: str
    expected: float
    averaged: float
    realised: Estimate
    difference: Estimate  # realised less that of the first way, paired
    changed: float  # weighted cases that the first way decides otherwise
    acted: float  # weighted cases that get the acting decision


@dataclass(frozen=True, slots=True, kw_only=True)
class BasisResult:
    """What the tab Basis shows of one model; ``used`` is the way that decides now.

    ``lines`` is empty where the model names neither quantiles nor leaves.
    """

    rows: RowsNote
    model: str
    used: str
    cases: float  # weighted cases that count
    lines: tuple[BasisLine, ...] = ()
    levels: tuple[float, ...] = ()  # of the quantiles
    leaves: int = 0
    crossed: int = 0  # cases whose quantiles had to be put in order
    tail: float = 0.0  # share of each distribution beyond the outer quantiles
    has_own_quantiles: bool = False  # the model predicts quantiles itself
    holds_fixed: str = ""


ACTIONS, MONEY = "actions", "money"

NO_COST = "no cost is given"
"""How the reason of a price begins that is only assumed: nobody said what an action costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityCurve:
    """One model's best profit against what may be used up, on a common grid."""

    model: str
    capacity: FloatArray
    profit: FloatArray  # realised
    low: FloatArray
    high: FloatArray
    expected: FloatArray  # what the chances promise of the same decisions
    price: FloatArray  # what one more unit is expected to bring
    saturation: float  # beyond it more capacity changes nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityPoint:
    """One model's best decisions within the limits.

    ``action_price`` and ``money_price`` are the shadow prices: what one more action, one more unit
    of money, is expected to earn; 0 where that limit does not bind. ``realised_price`` is the same
    of the limit that binds as it really came in, over the twentieth before and after it (NaN where
    none binds).
    """

    model: str
    binding: str  # "none", "actions", "money", "both"
    actions: float
    money: float
    depth: float  # share of all cases acted on
    profit: Estimate
    expected: float
    action_price: float
    money_price: float
    realised_price: float
    counts: tuple[tuple[str, float], ...]  # decision -> prior-weighted cases


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityResult:
    """What the tab Capacity shows."""

    rows: RowsNote
    resource: str  # of the curves: ACTIONS or MONEY
    limit: float | None  # of that resource
    most_actions: float | None
    most_money: float | None
    cases: float  # prior-weighted
    acting: tuple[str, ...]  # decisions that count as an action
    price: float | None  # the price of an action that was assumed; None: costs are known
    price_reason: str
    curves: tuple[CapacityCurve, ...]
    points: tuple[CapacityPoint, ...]
    free: tuple[CapacityPoint, ...]  # without limits
    holds_fixed: str
    seconds: float

    def point(self, model: str) -> CapacityPoint | None:
        """The best decisions of a model within the limits."""
        return next((entry for entry in self.points if entry.model == model), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapStretch:
    """Some of the cases, by depth: what the chances promise of acting on them, and what came."""

    first_depth: float
    last_depth: float
    expected: float
    gap: Estimate  # realised less expected


@dataclass(frozen=True, slots=True, kw_only=True)
class AucWorth:
    """What one more point of AUC (0.01) would earn; NaN with ``method`` saying why.

    ``model_profit`` is the best profit of the distributions assumed at this AUC; how far the real
    best profit is from it says how far to trust the figure.
    """

    auc: float
    per_point: float
    model_profit: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GapResult:
    """What the tab Gap shows of one model. Amounts are profits; arrays lie on ``depth``.

    ``low`` and ``high``: where the realised profit should lie in 95 of 100 if the chances are
    right.
    """

    rows: RowsNote
    model: str
    depth: FloatArray
    expected: FloatArray
    realised: FloatArray
    low: FloatArray
    high: FloatArray
    rule_depth: float
    rule_expected: float
    rule_realised: float
    rule_gap: Estimate  # realised less expected at the rule
    stretches: tuple[GapStretch, ...]
    verdict: tuple[str, ...]  # sentences, the main one first
    is_kept: bool  # the gap's interval holds 0
    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    left: FloatArray  # (levels, decisions) best possible less realised, by the rule
    left_cases: FloatArray  # (levels, decisions) cases that lost something
    left_total: float
    best_total: float
    best_profit: float  # at the best depth of the chart
    auc: AucWorth
    holds_fixed: str


BOTH, FIRST, SECOND, NEITHER = "both", "first", "second", "neither"
GROUPS = (BOTH, FIRST, SECOND, NEITHER)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapSide:
    """One way to decide: a model at its rule, or its best cases down to a depth.

    With a scenario the rule is that of the scenario's matrix, priors and costs; the money is still
    counted by the document's own.
    """

    model: str
    depth: float | None = None  # None: every case gets its own decision
    scenario: str | None = None  # name of a scenario of the document; None: as the project has it


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapGroup:
    """Some of the cases, prior-weighted. Money is profit, realised."""

    name: str  # of GROUPS, or "all"
    cases: float
    class_cases: tuple[float, ...]
    event_rate: Estimate  # share of the first class
    first: float  # what the first way brings here
    second: float
    difference: Estimate  # first less second, case by case


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapSet:
    """What the tab Swap set shows. ``moves[a][b]``: cases from decision a to decision b."""

    rows: RowsNote
    first: str  # "gbm 2 at its rule"
    second: str
    first_depth: float  # share acted on
    second_depth: float
    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    groups: tuple[SwapGroup, ...]  # in the order of GROUPS
    everyone: SwapGroup
    difference: PairedDifference
    moves: tuple[tuple[float, ...], ...]  # empty where a way is a depth
    judged_by: str  # whose matrix the money is counted in
    holds_fixed: str
    models: tuple[str, str] = ("", "")  # whose scores the two ways go by

    def group(self, name: str) -> SwapGroup:
        """A group by its name."""
        return next(entry for entry in (*self.groups, self.everyone) if entry.name == name)
