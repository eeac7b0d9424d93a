"""The questions of page Decide."""

from __future__ import annotations

from dataclasses import field

from core.document.data.model import ReaderSettings
from core.document.decisions.matrix_model import MatrixSpec, NumberSetting
from core.document.results import CursorReading, DecisionResult, ResampleResult
from core.document.studies.decided_cases import (
    BINS,
    BY_CHANCE,
    BasisResult,
    CapacityResult,
    CaseCloud,
    CasesPage,
    GapResult,
    RankingsResult,
    SwapSet,
    SwapSide,
)
from core.document.studies.decision_files import HoldOutResult, ListResult, WorkbookChanges
from core.document.studies.moving_numbers import (
    BreakEvenResult,
    GoalSeekResult,
    MapAxis,
    RuleChangeResult,
    WhatIfResult,
    WinnerMapResult,
)
from core.document.studies.reconciling import Reconciliation
from core.document.views import AT_CURSOR, DECISION, RANKED, SCENARIOS
from core.questions.asked import Unit
from core.questions.fields import FieldOption
from core.questions.lanes import Lane
from core.questions.needs import CARRIED, RULE, RULE_OF_CLASSES
from core.questions.question import Question, assumed, given, question
from core.questions.suggestions import (
    a_tenth_better,
    all_models,
    half_of_its_cost,
    half_of_the_rule,
    orders_of_ranking,
    seed_of_the_project,
    usual_hold_out,
    usual_list,
    usual_model,
    why_no_seed,
    why_not_as_em,
)

_ANALYSIS = "core.assembly.analysis:analysis_of"
_NUMBERS = "core.assembly.decide.numbers:moving_numbers"


@question(
    "decide.totals",
    title="Totals",
    reads=RANKED,
    needs=RULE,
    work="core.assembly.decide.deciding:decide_models",
    lane=Lane.QUICK,
    is_stored=True,
    kernels=20,
    of_parts="core.assembly.pieces.decide:decide_parts",
    parts_lane=Lane.LONG,
)
class Totals(Question[DecisionResult]):
    """What every model is worth under the matrix: totals, charts by depth, best depth, advice."""


@question(
    "decide.at_depth",
    title="At a depth",
    reads=RANKED,
    needs=RULE,
    work="core.assembly.decide.deciding:read_at_depth",
    lane=Lane.QUICK,
    of_parts="core.assembly.pieces.decide:read_parts_at_depth",
)
class AtDepth(Question[CursorReading]):
    """Exact values where the best share of the cases is acted on.

    ``with_differences``: also the paired differences at the depth. They look at every case, all
    else comes from kept sums; a cursor on the move does without.
    """

    depth: float = given("Depth", unit=Unit.SHARE, at_least=0, at_most=1)
    with_differences: bool = given("With paired differences", default=True)


@question(
    "decide.resamples",
    title="Paired resamples",
    reads=RANKED,
    needs=RULE,
    work="core.assembly.decide.deciding:draw_resamples",
    lane=Lane.BACKGROUND,
    is_stored=True,
    kernels=25,
)
class Resamples(Question[ResampleResult]):
    """Paired resamples at the rules and at a depth: how often one model is ahead of another."""

    depth: float | None = given("Depth", default=None, unit=Unit.SHARE, at_least=0, at_most=1)
    resamples: int = given("Resamples", default=1000)


@question(
    "decide.capacity",
    title="Capacity",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    inputs=_ANALYSIS,
    work="core.decisions.limits.capacity:best_within",
    view="core.presentation.decide.views:capacity",
)
class Capacity(Question[CapacityResult]):
    """The best decisions under "at most N actions" and "at most an amount of money"."""

    most_actions: float | None = given(
        "{Cases} {done} at most",
        default=None,
        unit=Unit.CASES,
        lowest=0.0,
        step=100.0,
        suggest=half_of_the_rule,
        box=True,
    )
    most_money: float | None = given(
        "Money spent at most",
        default=None,
        unit=Unit.MONEY,
        lowest=0.0,
        step=100.0,
        decimals=0,
        suggest=half_of_its_cost,
        box=False,
    )
    price: float | None = assumed(
        "One {case} {done} costs", default=None, unit=Unit.MONEY, at_least=0.0, step=0.1
    )
    units: tuple[float, ...] | None = assumed(
        "What each decision counts as", default=None, unit=Unit.CASES
    )


@question(
    "decide.gap",
    title="Expected against realised",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    inputs=_ANALYSIS,
    work="core.decisions.studies.gap:gap_of",
    view="core.presentation.decide.views:gap",
)
class Gap(Question[GapResult]):
    """Expected against realised profit of one model, and what was left on the table."""

    model: str = given("Model", is_subject=True)


@question(
    "decide.swap",
    title="Swap set",
    reads=SCENARIOS,
    needs=RULE_OF_CLASSES,
    work="core.assembly.decide.deciding:swap_ways",
    view="core.presentation.decide.swap:swaps",
)
class Swap(Question[SwapSet]):
    """Who is treated otherwise by one of two models, depths or scenarios, and what that brings."""

    first: SwapSide = given("First", help="a model, at a depth or by a scenario's rule")
    second: SwapSide = given("Second", help="a model, at a depth or by a scenario's rule")


@question(
    "decide.basis",
    title="Ways to decide",
    reads=DECISION,
    needs=RULE,
    work="core.assembly.decide.deciding:compare_bases",
    view="core.presentation.decide.cases:basis",
)
class Basis(Question[BasisResult]):
    """A model's decisions by each case's own score beside those by averages."""

    model: str = given("Model", is_subject=True)


@question(
    "decide.rankings",
    title="Score rankings",
    reads=DECISION,
    needs=RULE,
    inputs=_ANALYSIS,
    work="core.decisions.studies.rankings:ranked_cases",
    view="core.presentation.decide.cases:score_rankings",
)
class Rankings(Question[RankingsResult]):
    """Predicted classes, and response and money by depth, of one model."""

    model: str = given("Model", is_subject=True)
    by: str = given(
        "Sorted by", default=BY_CHANCE, options=orders_of_ranking, help="chance or expected"
    )
    bins: int = given("Bins", default=BINS)
    as_em: bool = given(
        "as SAS EM",
        default=False,
        help="Set the profits that charts of SAS Enterprise Miner draw beside these",
        why_not=why_not_as_em,
    )


@question(
    "decide.break_even",
    title="Break-even",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    inputs=_NUMBERS,
    work="core.decisions.sensitivity.break_even:break_evens",
    view="core.presentation.decide.numbers:break_even_values",
)
class BreakEven(Question[BreakEvenResult]):
    """The value of every number at which the rule, the best model or its worth changes."""

    is_kept: bool = given(
        "Present decisions are kept",
        default=False,
        options=(
            FieldOption(value=False, words="Decisions made again"),
            FieldOption(value=True, words="Decisions kept"),
        ),
        is_in_sight=True,
    )


@question(
    "decide.goal_seek",
    title="Goal seek",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    work="core.assembly.decide.numbers:seek_goal",
    view="core.presentation.decide.numbers:wanted_total",
)
class GoalSeek(Question[GoalSeekResult]):
    """The value of every number, and the quality of a model, that would bring a wanted total.

    A total as the matrix tells it: of a loss matrix, money lost.
    """

    total: float = given(
        "Wanted in total",
        unit=Unit.MONEY,
        help="by the rule of the chosen model, decisions made again",
        suggest=a_tenth_better,
        is_relative=True,
    )


@question(
    "decide.winner_map",
    title="Winner map",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    inputs=_NUMBERS,
    work="core.decisions.sensitivity.winner_map:map_of_numbers",
    view="core.presentation.decide.views:winners",
)
class WinnerMap(Question[WinnerMapResult]):
    """The best model, or the best one decision for all cases, at every setting of two numbers."""

    x: MapAxis | None = given("Across", default=None, help="left out: a number is chosen")
    y: MapAxis | None = given("Up", default=None, help="left out: a number is chosen")
    steps: int = given("Points on each axis", default=0, help="0: as many as are quick", at_least=0)


@question(
    "decide.what_if",
    title="What-if",
    reads=SCENARIOS,
    needs=RULE_OF_CLASSES,
    work="core.assembly.decide.numbers:try_numbers",
    view="core.presentation.decide.numbers:numbers_tried",
    lane=Lane.QUICK,
)
class WhatIf(Question[WhatIfResult]):
    """Every model's total with numbers at other values, and the scenarios side by side."""

    settings: tuple[NumberSetting, ...] = given("Numbers at other values", default=())


@question(
    "decide.change",
    title="What a change brings",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    work="core.assembly.decide.numbers:compare_with_former",
    view="core.presentation.decide.numbers:rule_change",
    lane=Lane.QUICK,
)
class RuleChange(Question[RuleChangeResult]):
    """What the numbers of the rule bring beside those it had before, on the same cases."""

    matrix: MatrixSpec = given("Former matrix", help="of the same classes and decisions")
    priors: tuple[tuple[str, float], ...] | None = given(
        "Former shares in real life", default=None, help="class and share; left out: of the data"
    )


@question(
    "decide.cases",
    title="Cases",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    work="core.assembly.decide.case_pages:page_of_cases",
    lane=Lane.QUICK,
)
class CasesOneByOne(Question[CasesPage]):
    """Some cases of the list, sorted and filtered, with what each promises and brought.

    ``sort`` among ``core.document.studies.decided_cases.SORTS``; ``decision``: only the cases that
    get it ("" = those without one); ``within``: only the best cases down to a depth.
    """

    model: str = given("Model", is_subject=True)
    sort: str = given("Sorted by", default="expected")
    is_descending: bool = given("Highest first", default=True)
    decision: str | None = given("Decision", default=None)
    within: float | None = given(
        "Down to a depth of", default=None, unit=Unit.SHARE, at_least=0, at_most=1
    )
    start: int = given("First case", default=0, at_least=0)
    count: int = given("How many", default=200, unit=Unit.CASES, at_least=0)


@question(
    "decide.case_page",
    title="Further cases",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    work="core.assembly.decide.case_pages:page_of_cases",
    lane=Lane.QUICK,
)
class NextCases(CasesOneByOne, Question[CasesPage]):
    """A further page of the list of cases.

    A question of its own: of two of one kind the quick lane keeps the newest, and a page of the old
    list must not take the place of a new list.
    """


@question(
    "decide.case_cloud",
    title="Break-evens of cases",
    reads=DECISION,
    needs=RULE_OF_CLASSES,
    work="core.assembly.decide.case_pages:cloud_of_cases",
    view="core.presentation.decide.cases:case_cloud",
)
class CasesAsPoints(Question[CaseCloud]):
    """Chances against the cases' own break-evens, of at most so many cases, drawn by the seed."""

    model: str = given("Model", is_subject=True)
    most: int = given("Cases at most", default=3000, unit=Unit.CASES, at_least=1)


@question(
    "decide.hold_out",
    title="Hold-out",
    reads=AT_CURSOR,
    needs=RULE,
    work="core.assembly.decide.lists:weigh_hold_out",
    view="core.presentation.decide.lists:kept_out",
    lane=Lane.QUICK,
)
class HoldOutPlan(Question[HoldOutResult]):
    """What keeping a share of the chosen cases out of the action would cost and could show."""

    model: str = given("Model", is_subject=True)
    share: float = given(
        "Keep a random share of the chosen out, to measure the effect",
        unit=Unit.SHARE,
        help=(
            "They get the decision that does nothing and 1 in the column HOLDOUT_. Where only "
            "some decisions are written they stand in a file of their own, not in the list."
        ),
        lowest=0.0,
        highest=0.9,
        decimals=1,
        suggest=usual_hold_out,
        box=False,
    )
    seed: int = given(
        "Seed",
        default=20261,
        at_least=0,
        highest=2**31 - 1,
        suggest=seed_of_the_project,
        why_not=why_no_seed,
    )
    use_cursor: bool = given("Decide by the depth at the cursor", default=False)
    path: str = given("Another file", default="")
    reader: ReaderSettings = field(default_factory=ReaderSettings)


@question(
    "decide.expect_list",
    title="A list of a size",
    reads=AT_CURSOR,
    needs=RULE,
    work="core.assembly.decide.lists:expect_list",
    view="core.presentation.decide.lists:expected_list",
)
class ExpectList(Question[ListResult]):
    """What a list of so many cases like the evaluated ones is expected to bring."""

    model: str = given("Model", is_subject=True)
    cases: int = given(
        "{Cases} of the list", unit=Unit.CASES, lowest=1, step=1000, suggest=usual_list
    )
    use_cursor: bool = given("Act on the best share at the cursor", default=False)


@question(
    "decide.workbook",
    title="Decision workbook read back",
    reads=DECISION,
    needs=RULE,
    work="core.assembly.decide.workbook:read_workbook",
    view="core.presentation.decide.lists:workbook_changes",
)
class Workbook(Question[WorkbookChanges]):
    """What somebody changed in ``decide.xlsx``: numbers of the rule, decisions, rows.

    ``path`` is the workbook of a rule that was handed over, saved again by a spreadsheet.
    """

    path: str = given("Workbook", default="")


@question(
    "decide.reconcile",
    title="Decisions in the file",
    reads=RANKED,
    needs=(*RULE, CARRIED),
    work="core.assembly.decide.lists:reconcile_decisions",
    view="core.presentation.decide.lists:decisions_in_file",
)
class Reconcile(Question[Reconciliation]):
    """Decisions that the file brings along beside those of the rule, row by row, and the cause.

    They stand in columns named as SAS names them: D_, EP_ or EL_, CP_, BP_, IC_ and ROI_ with the
    name of the outcome, or in ``columns``: letters and column. Rows that the row filter lets
    through are all compared, whatever rows the project judges by.
    """

    model: str = given("Model", is_subject=True, options=all_models, suggest=usual_model)
    tolerance: float = given("Tolerance", default=1e-6, help="of amounts, times those above 1")
    columns: tuple[tuple[str, str], ...] = given(
        "Columns", default=(), help="letters and column; left out: by their names", meets=CARRIED
    )
