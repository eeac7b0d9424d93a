"""What ``payoff.decide`` returns: each case's decision and what all of them are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from core.assembly.decide.decided_table import (
    DecidedTable,
)
from core.data import LoadedTable, printed
from core.decisions import (
    CaseDecisions,
    CaseTotals,
    DecisionProblem,
    DecisionWorkspace,
    ModelScores,
    advise_matrix,
    analyse,
    case_columns,
    profit_chart,
    total_cases,
)
from core.decisions.advice.threshold_forms import Thresholds, thresholds_of
from core.decisions.limits.capacity import best_within
from core.decisions.passes.case_values import CaseValues, values_of
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.passes.workspace import Analysis, AnalysisState
from core.decisions.studies.case_list import case_list, order_of
from core.decisions.studies.gap import gap_of, left_by_class
from core.decisions.studies.hold_out import (
    HoldOut,
    hold_out,
    planned_columns,
)
from core.decisions.studies.outputs import (
    decision_table,
    output_columns,
    prediction_table,
    with_input_marks,
)
from core.decisions.studies.rankings import rankings
from core.decisions.studies.swap import Way, compare_ways, way_at_depth, way_by_rule
from core.document.data.model import RowUse
from core.document.model import Document
from core.document.results import Advice, AppliedShift, DecisionResult, PairedDifference, RowsNote
from core.document.scripts.form import as_described
from core.document.studies.decided_cases import CapacityResult, GapResult, SwapSet
from core.kernels import fitting_threads
from core.questions.decide import Capacity, Gap
from core.questions.lanes import Unwatched, Watch
from core.questions.question import Answer, Question
from core.script.decide.tables import (
    MapTables,
    Number,
    break_even_table,
    jensen_gap,
    joined_models,
    text_column,
    what_if_table,
    winner_tables,
)
from core.script.session import engine
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

Asked = TypeVar("Asked", bound=Question[Any])
Study = TypeVar("Study")

SORTS = ("expected", "roi", "gap", "chance", "computed", "best", "missed")


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """What ``payoff.decide`` returns; totals are NaN without a known outcome.

    Amounts are in the user's sense: for ``kind="loss"`` positive = money lost.
    """

    target: str
    problem: DecisionProblem
    model: ModelScores
    cases: CaseDecisions
    totals: CaseTotals | None
    warnings: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    lacks_input: BoolArray | None = None
    checks: tuple[Advice, ...] = ()  # of ``payoff.apply``: how like the evaluated rows they are
    shift: AppliedShift | None = None
    held_out: BoolArray | None = None
    planned: CaseDecisions | None = None  # before cases were kept out of the action
    kept: IntArray | None = None  # numbers of the rows that ``rows=`` kept; None = all
    made: DecidedTable | None = field(default=None, repr=False)  # by what document, from what rows
    source: LoadedTable | None = field(default=None, repr=False)  # kept: questions are asked of it
    is_of_document: bool = field(default=False, repr=False)  # its cases are these very cases

    @property
    def document(self) -> Document:
        """The document that a person would have made in the window of the same arguments."""
        assert self.made is not None  # decided from data, by arguments or by a project
        return self.made.document

    def ask(self, question: Question[Answer]) -> Answer:
        """What the window is answered when it asks the same of this document.

        Parameters
        ----------
        question : Question
            One of the records in ``payoff.questions``: Capacity(most_actions=100), Gap(model="p").

        Raises
        ------
        PayoffError
            Where the rows lack what the question needs, its work refuses, or the rule averages
            leaves over other rows than these.
        """
        assert self.made is not None  # decided from data, by arguments or by a project
        if self.made.has_means_of_other_rows:
            raise PayoffError(
                f"'{self.made.model}' decides by averages of leaves over the project's rows.",
                why="A question about these rows would average over them.",
                remedy="Ask the project, or decide these rows by a rule of their own.",
            )
        return engine().ask(self.document, as_described(question))

    @property
    def table(self) -> pd.DataFrame:
        """D_, EP_ or EL_, CP_, BP_, IC_, ROI_ with the target's name, _WARN_ and ``outputs``.

        D_ and _WARN_ are categoricals: each text is kept once.

        P_ come along wherever posteriors were corrected; after ``hold_out`` HOLDOUT_, PLANNED_D_
        and PLANNED_EP_ say who is kept out, and what was planned.
        """
        letters = list(self.outputs)
        if self.cases.posteriors is not None and "P" not in letters:
            letters.insert(0, "P")
        with fitting_threads(self.cases.decision.shape[0]):
            columns = self._columns(letters)
        # What is made here belongs to the table; posteriors and costs are those of the cases.
        is_shared = bool(letters) or self.cases.investment is not None
        return pd.DataFrame(columns, index=self.kept, copy=is_shared)

    def _columns(self, letters: list[str]) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        columns |= output_columns(self.problem, self.model, self.cases, self.target, letters)
        columns.update(case_columns(self.problem, self.cases, self.target, texts=text_column))
        columns["_WARN_"] = with_input_marks(columns["_WARN_"], self.lacks_input)
        if self.held_out is not None:
            columns[f"HOLDOUT_{self.target}"] = self.held_out.astype(np.int64)
        if self.planned is not None:
            columns |= planned_columns(self.problem, self.planned, self.target)
        return columns

    @property
    def total(self) -> float:
        """Realised total, classes weighted to the priors."""
        return self.totals.total if self.totals else float("nan")

    @property
    def average(self) -> float:
        """Realised total divided by all cases."""
        return self.totals.average if self.totals else float("nan")

    @property
    def expected_total(self) -> float:
        """What the posteriors promise; over all cases where no outcome is known."""
        if self.totals:
            return self.totals.expected_total
        usable = self.cases.expected[self._counts]
        weight = self._frequency[self._counts]
        return self.problem.sense * float(np.sum(usable * weight))

    @property
    def best_total(self) -> float:
        """What perfect foresight would bring."""
        return self.totals.best_total if self.totals else float("nan")

    @property
    def roi(self) -> float:
        """Total divided by the total investment cost; NaN without costs."""
        return self.totals.roi if self.totals else float("nan")

    @property
    def counts(self) -> pd.DataFrame:
        """Cases by level and decision (without an outcome: one row, "all")."""
        names = list(self.problem.decisions)
        if self.totals:
            return pd.DataFrame(self.totals.counts, index=list(self.problem.levels), columns=names)
        chosen = self.cases.decision[self._counts]
        weight = self._frequency[self._counts]
        sums = np.bincount(chosen, weights=weight, minlength=len(names))[: len(names)]
        return pd.DataFrame([sums], index=["all"], columns=names)

    @property
    def prior_weights(self) -> dict[str, float]:
        """Weight of a case of each level in totals."""
        weights = self.totals.prior_weights if self.totals else np.ones(len(self.problem.levels))
        return dict(zip(self.problem.levels, map(float, weights), strict=True))

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % intervals of total and average."""
        if self.totals:
            return self.totals.intervals
        nothing = (float("nan"), float("nan"))
        return {"total": nothing, "average": nothing}

    def profit_chart(self, bins: int = 20) -> pd.DataFrame:
        """Score rankings by depth, ties shared proportionally; the last row is the total."""
        return pd.DataFrame(profit_chart(self.problem, self.model, bins=bins))

    @property
    def jensen_gap(self) -> dict[str, float]:
        """What taking predictions as exact would misjudge, with ``quantiles``.

        ``expected``: the sum of what decisions promise over each case's distribution less what they
        would promise at the prediction; ``changed``: the share of cases that get another decision.
        """
        return jensen_gap(self.problem, self.model, self.cases)

    def prediction_table(self) -> pd.DataFrame:
        """Actual by predicted class: cases, their shares, and both weighted to the priors."""
        return pd.DataFrame(prediction_table(self.problem, self.model, self.cases))

    def decision_table(self) -> pd.DataFrame:
        """Actual class (or band of a number) by decision, with what each cell brought."""
        return pd.DataFrame(decision_table(self.problem, self.model, self.cases))

    def rankings(
        self,
        bins: int = 20,
        *,
        by: str = "chance",
        level: str | None = None,
        as_em: bool = False,
    ) -> pd.DataFrame:
        """Response, captured response, lift, gain, profit and ROI by depth, base and best beside.

        ``by``: "chance" sorts by the posterior of ``level`` (the first; a number: by prediction),
        "expected" by expected profit. ``as_em`` adds the profits that charts of SAS Enterprise
        Miner draw.
        """
        place = 0 if level is None else self._level_place(level)
        return pd.DataFrame(
            rankings(
                self.problem, self.model, self.cases, bins=bins, by=by, level=place, as_em=as_em
            )
        )

    def _level_place(self, level: str) -> int:
        """The place of a level by its name, or the refusal that lists them."""
        levels = self.problem.levels
        if printed(level) not in levels:
            raise PayoffError(
                f"There is no level '{level}'.", why=f"There are {', '.join(levels)}."
            )
        return levels.index(printed(level))

    def thresholds(self) -> Thresholds:
        """Break-even chance (``rule``), regions, diagonal form, equivalent priors, chart.

        What the profit chart says is NaN without a known outcome. With ``quantiles`` there is no
        ``rule``: the whole distribution of a case decides.
        """
        try:
            profit = self._analysis().models[0] if self.totals else None
        except PayoffError:
            profit = None  # too large for a profit chart
        found = thresholds_of(self.problem, profit)
        if self.model.quantiles is not None:
            return replace(found, rule=None, kind="none")
        return found

    def break_even(
        self, *, others: Sequence[Decisions] = (), is_kept: bool = False
    ) -> pd.DataFrame:
        """Where the rule, the best model, and whether it pays, change; a row per number.

        Values below and above the present one: ``rule`` a decision starts or stops being chosen,
        ``winner`` another model brings most (with ``others``, results on the same rows),
        ``beaten`` a constant rule does as well, ``zero`` the best total crosses 0. ``never_from``:
        one of two decisions is better whatever the chance. ``is_kept`` keeps present decisions.
        """
        return break_even_table(self.problem, self._beside(others), is_kept=is_kept)

    def winner_map(
        self,
        x: Number,
        y: Number,
        *,
        x_range: tuple[float, float] | None = None,
        y_range: tuple[float, float] | None = None,
        steps: int | None = None,
        others: Sequence[Decisions] = (),
    ) -> MapTables:
        """The best model or constant rule over two numbers.

        ``x``, ``y``: (level, decision) for a cell, a decision for its constant cost, or "prior".
        """
        models = self._beside(others)
        return winner_tables(self.problem, models, (x, y), (x_range, y_range), steps)

    def what_if(
        self, settings: Mapping[Number, float], *, others: Sequence[Decisions] = ()
    ) -> pd.DataFrame:
        """Totals with numbers at other values, decisions kept and made again, and the changes."""
        return what_if_table(self.problem, self._beside(others), settings)

    @property
    def best_range(self) -> tuple[float, float]:
        """Lowest and highest depth that cannot be told apart from the best (paired, 95 %)."""
        return self._analysis().models[0].best_range

    def capacity(
        self,
        most_actions: float | None = None,
        most_money: float | None = None,
        *,
        price: float | None = None,
        units: Sequence[float] | None = None,
    ) -> CapacityResult:
        """The best decisions under "at most N actions" and "at most an amount of money".

        ``points[0]`` holds profit, counts and shadow prices within the limits, ``free[0]`` those
        without, ``curves[0]`` the best profit against the capacity. Amounts are profits.

        Parameters
        ----------
        most_actions, most_money : float, optional
        price : float, optional
            What one action costs where no costs are given; left out: the most it can lose.
        units : list of float, optional
            What each decision counts as; left out: 1 for every decision but doing nothing.
        """
        question = Capacity(
            most_actions=most_actions,
            most_money=most_money,
            price=price,
            units=None if units is None else tuple(units),
        )
        return self._answered(question, best_within)

    def case_list(
        self,
        sort: str = "expected",
        *,
        descending: bool = True,
        decision: str | None = None,
        most: int | None = None,
    ) -> pd.DataFrame:
        """The cases one by one, sorted, all or those of one decision.

        Parameters
        ----------
        sort : {"expected", "roi", "gap", "chance", "computed", "best", "missed"}
            gap: to the second best decision; missed: best possible less realised.
        descending : bool
        decision : str, optional
        most : int, optional
            How many at the most.
        """
        if sort not in SORTS:
            raise PayoffError(
                f"Cases cannot be sorted by '{sort}'.", remedy=f"There are {', '.join(SORTS)}."
            )
        problem = self.problem
        listed = case_list(problem, self.model)
        order = order_of(listed.column(sort), is_descending=descending)
        if decision is not None:
            if decision not in problem.decisions:
                known = ", ".join(problem.decisions)
                raise PayoffError(f"There is no decision '{decision}'.", remedy=f"Known: {known}.")
            place = problem.decisions.index(decision)
            order = order[listed.decided.decision[order] == place]
        order = order if most is None else order[:most]
        sense = problem.sense
        names = np.asarray([*problem.decisions, ""])
        chosen = listed.decided.decision[order]
        columns = {
            "row": order + 1,
            "chance": listed.probability[order],
            "decision": names[np.where(chosen == UNDECIDED, len(names) - 1, chosen)],
            "expected": sense * listed.decided.expected[order],
            "gap": listed.gap[order],
            "realised": sense * listed.decided.computed[order],
            "best": sense * listed.decided.best[order],
        }
        if listed.decided.roi is not None:
            columns["roi"] = listed.decided.roi[order]
        if listed.break_even is not None:
            columns["break_even"] = listed.break_even[order]
        columns["marks"] = listed.decided.warnings[order]
        return pd.DataFrame(columns)

    def gap(self) -> GapResult:
        """Expected against realised profit by depth, a verdict, and the worth of better ranking."""
        return self._answered(Gap(model=self.model.name), gap_of)

    def left_on_the_table(self) -> pd.DataFrame:
        """Best possible less realised profit by class and decision, weighted to the priors."""
        state = self._state()
        values = values_of(state, state.models[0])
        left, _ = left_by_class(values, values.own_decision())
        return pd.DataFrame(left, index=list(state.problem.levels), columns=list(values.names))

    def against(self, other: Decisions, *, depth: float | None = None) -> PairedDifference:
        """This result's money less another's on the same cases, under this result's matrix.

        Each at its own rule, or both at the same ``depth`` (share of the cases acted on).
        """
        return swap_set(self, other, first_depth=depth, second_depth=depth).difference

    def hold_out(self, share: float, *, seed: int = 20261) -> tuple[Decisions, HoldOut]:
        """Keep a random share of the chosen out of the action, to measure its effect.

        The first of the two is decided anew, with a column HOLDOUT_ in its table; the second says
        what that costs and the smallest effect it could show.
        """
        held = hold_out(self.problem, self.model, self.cases, share=share, seed=seed)
        totals = None if self.totals is None else total_cases(self.problem, held.decided)
        kept = held.is_held if self.held_out is None else self.held_out | held.is_held
        planned = self.planned or held.planned
        changed = replace(self, cases=held.decided, totals=totals, held_out=kept, planned=planned)
        return changed, held

    @property
    def advice(self) -> tuple[Advice, ...]:
        """What the matrix linter says, reasons for missing totals first."""
        notes = self.totals.notes if self.totals else ()
        missing = tuple(Advice(state="warning", text=note) for note in (*notes, *self.warnings))
        if self.totals is None:
            return missing
        try:
            return (*missing, *self._analysis().advice)
        except PayoffError as refusal:  # no curve can be drawn; the matrix can be read all the same
            described = Advice(state="warning", text=refusal.what, detail=refusal.remedy)
            return (*missing, *advise_matrix(self.problem), described)

    def _beside(self, others: Sequence[Decisions]) -> tuple[ModelScores, ...]:
        return joined_models(self.model, [other.model for other in others])

    def _answered(self, question: Asked, work: Callable[[Analysis, Asked, Watch], Study]) -> Study:
        """Ask the document what it can say of these cases; else work it out from them."""
        problem = self.problem
        if self.is_of_document and problem.outcome is not None and not problem.is_interval:
            answer: Study = self.ask(question)
            return answer
        return work(self._studied(), question, Unwatched())

    def _studied(self) -> Analysis:
        """The analysis of the decided cases, and the rows that it is about."""
        state = self._state()
        return Analysis(state=state, rows=_rows_note(state))

    def _state(self) -> AnalysisState:
        return _judged_state(self.problem, self.model)

    def _analysis(self) -> DecisionResult:
        if self.totals is None:
            raise PayoffError(
                "There is no outcome to judge the rule by.",
                remedy="Name the target column of rows whose outcome is known.",
            )
        return analyse(self.problem, (self.model,))

    @property
    def _frequency(self) -> FloatArray:
        given = self.problem.frequency
        return np.ones(len(self.cases.decision)) if given is None else given

    @property
    def _counts(self) -> Any:
        return (self.cases.marks == 0) & np.isfinite(self.cases.expected)


def _judged_state(problem: DecisionProblem, model: ModelScores) -> AnalysisState:
    if problem.outcome is None:
        raise PayoffError(
            "There is no outcome to judge the rule by.",
            remedy="Name the target column of rows whose outcome is known.",
        )
    workspace = DecisionWorkspace()
    analyse(problem, (model,), workspace=workspace)
    assert workspace.state is not None  # it was just analysed
    return workspace.state


def _rows_note(state: AnalysisState) -> RowsNote:
    rows = state.rows.rows
    return RowsNote(use=RowUse.ALL, text=f"rows that count, {rows:,}", rows=rows)


# ---------------------------------------------------------------- two decision results


@dataclass(frozen=True, kw_only=True)
class _Judged:
    """One of two decision results on the rows that count in both."""

    state: AnalysisState
    values: CaseValues
    label: str


def swap_set(
    first: Decisions,
    second: Decisions,
    *,
    first_depth: float | None = None,
    second_depth: float | None = None,
    judge: str = "first",
) -> SwapSet:
    """Who moves between two ways to decide the same rows: models, depths or matrices.

    Parameters
    ----------
    first, second : Decisions
        Of the same rows with the same levels; models, matrices and priors may differ.
    first_depth, second_depth : float, optional
        Act on the best share of cases instead of by the rule.
    judge : {"first", "second"}
        Whose matrix and priors count the money; it must know all decisions of the other.

    Returns
    -------
    SwapSet
        Groups "both", "first", "second" and "neither" with cases by class, rate of the first class,
        money of both ways, and the paired difference with its 95 % interval.

    Raises
    ------
    PayoffError
        If the two do not decide the same cases, or ``judge`` is not known.
    """
    if judge not in ("first", "second"):
        raise PayoffError(
            f"judge={judge!r} is not known.",
            remedy="Give 'first' or 'second': whose matrix counts.",
        )
    one, other = _on_common_rows(first, second)
    judging = one if judge == "first" else other
    ways = [
        _way(entry, depth, judging.values)
        for entry, depth in zip((one, other), (first_depth, second_depth), strict=True)
    ]
    return compare_ways(
        judging.state.problem,
        judging.values,
        ways[0],
        ways[1],
        rows=_rows_note(judging.state),
        judged_by=judging.label,
    )


def _on_common_rows(first: Decisions, second: Decisions) -> tuple[_Judged, _Judged]:
    counts = [len(decided.cases.decision) for decided in (first, second)]
    if counts[0] != counts[1]:
        raise PayoffError(
            "The two do not decide the same cases.",
            why=f"{counts[0]:,} against {counted(counts[1], 'row')}.",
        )
    one, other = first.problem.outcome, second.problem.outcome
    if one is None or other is None:
        raise PayoffError("Both need an outcome.", remedy="Name the target column in both.")
    if first.problem.levels != second.problem.levels or not np.array_equal(one, other):
        raise PayoffError(
            "The two have different outcomes.", remedy="Decide the same rows with the same levels."
        )
    is_counted = (first.cases.marks == 0) & (second.cases.marks == 0)
    labels = [first.model.name, second.model.name]
    if labels[0] == labels[1]:
        labels = [
            f"{label} ({word})" for label, word in zip(labels, ("first", "second"), strict=True)
        ]
    judged = []
    for decided, label in zip((first, second), labels, strict=True):
        given = decided.problem.frequency
        weight = np.where(is_counted, 1.0 if given is None else given, 0.0)
        state = _judged_state(replace(decided.problem, frequency=weight), decided.model)
        judged.append(_Judged(state=state, values=values_of(state, state.models[0]), label=label))
    return judged[0], judged[1]


def _way(entry: _Judged, depth: float | None, judge: CaseValues) -> Way:
    if depth is None:
        return way_by_rule(entry.state.problem, entry.values, entry.label, judge=judge)
    label = f"{entry.label}, best {depth:.1%}"
    return way_at_depth(entry.values, entry.state.models[0], depth, label, judge=judge)
