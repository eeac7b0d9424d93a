"""What ``payoff.decide`` returns: each case's decision and what all of them are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from core.data import LoadedTable, printed
from core.decisions import (
    CaseDecisions,
    CaseTotals,
    DecisionProblem,
    ModelScores,
    advise_matrix,
    analyse,
    case_columns,
    profit_chart,
)
from core.decisions.studies.class_tables import decision_table, prediction_table
from core.decisions.studies.outputs import output_columns, with_input_marks
from core.decisions.studies.rankings import rankings
from core.decisions.threshold_forms import Thresholds, thresholds_of
from core.document.model import Document
from core.document.results import Advice, AppliedShift, DecisionResult
from core.engine.jobs.decide.record import planned_columns
from core.engine.jobs.decide.saving import DecidedTable
from core.script.decide.number_studies import (
    MapTables,
    Number,
    break_even_table,
    jensen_gap,
    joined_models,
    what_if_table,
    winner_tables,
)
from core.script.decide.studies import DecisionStudies
from core.script.session import engine
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class Decisions(DecisionStudies):
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

    @property
    def document(self) -> Document:
        """The document that a person would have made in the window of the same arguments."""
        assert self.made is not None  # decided from data, by arguments or by a project
        return self.made.document

    def ask(self, kind: str, arguments: object) -> Any:
        """What the window is answered when it asks the same of this document.

        Parameters
        ----------
        kind : str
            A kind of job of ``core.engine.messages``.
        arguments : object
            The record of that kind, about ``document``.
        """
        return engine().run(kind, arguments)

    @property
    def table(self) -> pd.DataFrame:
        """D_, EP_ or EL_, CP_, BP_, IC_, ROI_ with the target's name, _WARN_ and ``outputs``.

        P_ come along wherever posteriors were corrected; after ``hold_out`` HOLDOUT_, PLANNED_D_
        and PLANNED_EP_ say who is kept out, and what was planned.
        """
        letters = list(self.outputs)
        if self.cases.posteriors is not None and "P" not in letters:
            letters.insert(0, "P")
        columns: dict[str, Any] = {}
        columns |= output_columns(self.problem, self.model, self.cases, self.target, letters)
        columns.update(case_columns(self.problem, self.cases, self.target))
        columns["_WARN_"] = with_input_marks(columns["_WARN_"], self.lacks_input)
        if self.held_out is not None:
            columns[f"HOLDOUT_{self.target}"] = self.held_out.astype(np.int64)
        if self.planned is not None:
            columns |= planned_columns(self.problem, self.planned, self.target)
        return pd.DataFrame(columns, index=self.kept)

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

    def _beside(self, others: Sequence[Decisions]) -> tuple[ModelScores, ...]:
        return joined_models(self.model, [other.model for other in others])

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
            said = Advice(state="warning", text=refusal.what, detail=refusal.remedy)
            return (*missing, *advise_matrix(self.problem), said)

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
