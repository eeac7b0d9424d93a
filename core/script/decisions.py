"""``payoff.decide``: each case's decision and what all of them are worth, for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core import data as tables
from core.data import LoadedTable, printed
from core.decisions import (
    CaseDecisions,
    CaseTotals,
    DecisionProblem,
    LeafCases,
    ModelScores,
    Words,
    advise_matrix,
    analyse,
    case_columns,
    check_old_priors,
    complete_posteriors,
    decide_cases,
    interval_problem,
    profit_chart,
    total_cases,
)
from core.decisions.class_tables import decision_table, prediction_table
from core.decisions.outputs import output_columns, with_input_marks
from core.decisions.rankings import rankings
from core.decisions.threshold_forms import Thresholds, thresholds_of
from core.document.matrix_model import MatrixKind
from core.document.model import OldPriorKind, TargetSpec
from core.document.results import Advice, AppliedShift, DecisionResult
from core.script.amount_inputs import case_amounts, cells_and_shares
from core.script.decide_checks import (
    check_posteriors,
    check_spelling,
    check_sums,
    cost_warnings,
    number_of,
)
from core.script.decision_studies import DecisionStudies
from core.script.number_inputs import check_scores, jensen_gap, knots_of, leaf_cases, number_scores
from core.script.number_studies import (
    MapTables,
    Number,
    break_even_table,
    joined_models,
    what_if_table,
    winner_tables,
)
from core.script.session import ScriptData, rows_of, table_of
from payoff.errors import PayoffError
from payoff.types import BoolArray, CodeArray, FloatArray, IntArray

Matrix = Mapping[Any, Sequence[float | str]]
Costs = Sequence[float | str]


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
    kept: IntArray | None = None  # numbers of the rows that ``rows=`` kept; None = all

    @property
    def table(self) -> pd.DataFrame:
        """D_, EP_ or EL_, CP_, BP_, IC_, ROI_ with the target's name, _WARN_ and ``outputs``.

        P_ come along wherever posteriors were corrected.
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
        place = 0 if level is None else _place(self.problem.levels, level)
        return pd.DataFrame(
            rankings(
                self.problem, self.model, self.cases, bins=bins, by=by, level=place, as_em=as_em
            )
        )

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


def decide(
    data: ScriptData,
    *,
    matrix: Matrix,
    kind: str = "profit",
    decisions: Sequence[str] | None = None,
    target: str | None = None,
    posteriors: Mapping[Any, str] | None = None,
    predicted: str | None = None,
    priors: Mapping[Any, float] | None = None,
    prior_range: tuple[float, float] | None = None,
    old_priors: Mapping[Any, float] | str | None = None,
    costs: Costs | None = None,
    amount: str | None = None,
    weight: str | None = None,
    acting: str | None = None,
    do_nothing: str | None = None,
    quantiles: Mapping[float, str] | None = None,
    leaf: str | None = None,
    leaf_training: str | None = None,
    leaf_honest: bool = False,
    outputs: Sequence[str] = (),
    rows: str | None = None,
) -> Decisions:
    """Decide each case of a categorical or an interval target.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    matrix : {level or knot: [consequence per decision]}
        Knots are values of an interval target; between them consequences run in straight lines,
        which go on beyond the outer knots. With ``amount`` a cell may be a formula that is a
        straight line in it: "=0.08*amount", "=amount - 4".
    kind : {"profit", "loss", "revenue"}
    decisions : list of str, optional
        Names in the matrix's order; left out = "1", "2", ...
    target : str, optional
        Column of the known outcome; left out = decisions and expected values only.
    posteriors : {level: column}
        One level may be left out: its chance is what the others leave.
    predicted : str
        For an interval target, in place of ``posteriors``: the column of predictions.
    priors, old_priors : {level: share}, optional
        With ``old_priors`` posteriors are corrected, ``old_priors="data"`` takes the class shares
        of the data; without, posteriors are taken as corrected and only totals are weighted.
    prior_range : (float, float), optional
        Shares between which the event's prior lies: intervals then hold for all of them.
    costs : list, optional
        One per decision, a number or a column name.
    amount : str, optional
        Column with the amount of each case (a loan, a transaction), for classes. A case without one
        is marked C and not decided.
    weight : str, optional
        Column of frequencies.
    acting, do_nothing : str, optional
        The decision that counts as acting, and the one that does nothing.
    quantiles : {level: column}, optional
        Predicted quantiles of an interval target: expected consequences are averaged over each
        case's distribution; ``predicted`` may then be left out (the distribution's mean).
    leaf : str, optional
        Column that names the leaf of a decision tree: all cases of a leaf get one decision, by
        consequences and costs averaged over its cases. IC_, ROI_ and CP_ have the own cost.
    leaf_training : str, optional
        Column of 0 and 1: the cases to average over; left out = all.
    leaf_honest : bool
        Average over the outcomes of the leaf's cases in place of what the tree predicts.
    outputs : sequence of {"P", "I", "U", "F", "R"}
        Further columns of ``.table``: corrected posteriors, predicted class (printed, and as a
        value), actual class, residuals before the correction.
    rows : str, optional
        Only rows for which this condition is true: 'age >= 30 and region = "N"'.
        The index of ``.table`` then has the numbers of the rows that were kept, from 0.

    Returns
    -------
    Decisions

    Raises
    ------
    PayoffError
        Naming what does not fit, with row, column and value where there is one.
    """
    is_interval = predicted is not None or bool(quantiles)
    check_scores(posteriors, is_interval, priors)
    table = rows_of(table_of(data), rows)
    names = tuple(decisions) if decisions else numbered(matrix)
    problem, warnings = problem_of(
        table,
        matrix,
        names,
        kind=kind_of(kind),
        target=target,
        is_interval=is_interval,
        priors=priors,
        prior_range=prior_range,
        costs=costs,
        amount=amount,
        weight=weight,
        acting=acting or "",
        do_nothing=do_nothing,
    )
    leaves = None
    if leaf is not None:
        leaves = leaf_cases(table, leaf, training=leaf_training, is_honest=leaf_honest)
    if is_interval:
        model, said = number_scores(table, predicted, quantiles, leaves)
    else:
        model, said = _model(table, problem.levels, posteriors or {}, problem, old_priors, leaves)
    cases = decide_cases(problem, model, with_posteriors=True)
    decided = Decisions(
        target=target or "target",
        problem=problem,
        model=model,
        cases=cases,
        totals=None if problem.outcome is None else total_cases(problem, cases),
        warnings=(*warnings, *said, *cost_warnings(table, costs, problem)),
        outputs=tuple(outputs),
        kept=table.row_numbers,
    )
    output_columns(problem, model, cases, decided.target, decided.outputs)  # refuses at once
    return decided


def problem_of(
    table: LoadedTable,
    matrix: Matrix,
    names: tuple[str, ...],
    *,
    kind: MatrixKind,
    target: str | None,
    is_interval: bool,
    priors: Mapping[Any, float] | None,
    prior_range: tuple[float, float] | None = None,
    costs: Costs | None,
    amount: str | None,
    weight: str | None = None,
    acting: str = "",
    do_nothing: str | None = None,
) -> tuple[DecisionProblem, tuple[str, ...]]:
    """The problem that the arguments of ``decide`` describe, and what is to be said of it."""
    if is_interval and amount is not None:
        raise PayoffError(
            "Amounts per case need classes, and the outcome is a number.",
            where=f"amount {amount}",
            remedy="Leave it out: the rows of the matrix are values of the outcome itself.",
        )
    cells, shares = cells_and_shares(matrix, names, has_amount=amount is not None)
    frequency = None if weight is None else tables.summable_column(table, weight, "weight")
    amounts, columns = _costs(table, costs, names)
    if is_interval:
        actual = None
        if target is not None:
            actual = tables.column_as_float(table, target, role="outcome")
        problem = interval_problem(
            knots=knots_of(matrix),
            decisions=names,
            cells=cells,
            kind=kind,
            actual=actual,
            frequency=frequency,
            cost_amounts=amounts,
            cost_columns=columns,
            acting=acting,
            do_nothing=do_nothing,
            words=Words(number=target or "value"),
        )
        return problem, ()
    levels = _levels(matrix)
    outcome, warnings = _outcome(table, target, levels)
    amounts_of_cases, said = case_amounts(table, amount, shares)
    problem = DecisionProblem(
        levels=levels,
        decisions=names,
        cells=cells,
        kind=kind,
        outcome=outcome,
        frequency=frequency,
        priors=_shares(priors, levels, "priors"),
        cost_amounts=amounts,
        cost_columns=columns,
        acting=acting,
        do_nothing=do_nothing,
        prior_range=prior_range,
        amounts=amounts_of_cases,
    )
    return problem, (*warnings, *said)


def _place(levels: tuple[str, ...], level: str) -> int:
    if printed(level) not in levels:
        raise PayoffError(f"There is no level '{level}'.", why=f"There are {', '.join(levels)}.")
    return levels.index(printed(level))


def _levels(matrix: Matrix) -> tuple[str, ...]:
    return tuple(printed(level) for level in matrix)


def numbered(matrix: Matrix) -> tuple[str, ...]:
    """Names of decisions that have none: "1", "2" ..."""
    count = max((len(row) for row in matrix.values()), default=0)
    return tuple(str(index + 1) for index in range(count))


def kind_of(kind: str) -> MatrixKind:
    """The kind of a matrix by its word."""
    try:
        return MatrixKind(kind)
    except ValueError as reason:
        raise PayoffError(
            f"There is no kind of matrix called {kind!r}.", why="There are: profit, loss, revenue."
        ) from reason


def _outcome(
    table: LoadedTable, target: str | None, levels: tuple[str, ...]
) -> tuple[CodeArray | None, tuple[str, ...]]:
    if target is None:
        return None, ()
    kind = "binary" if len(levels) == 2 else "multiclass"
    check_spelling(table, target, levels)
    spec = TargetSpec(column=target, kind=kind, levels=levels)
    return tables.outcome_codes(table, spec)


def _costs(
    table: LoadedTable, costs: Costs | None, names: tuple[str, ...]
) -> tuple[FloatArray | None, dict[int, FloatArray]]:
    if costs is None:
        return None, {}
    if len(costs) != len(names):
        raise PayoffError(
            "Costs do not fit the decisions.",
            why=f"{len(costs)} costs, {len(names)} decisions.",
        )
    amounts = np.array(
        [
            0.0 if isinstance(cost, str) else number_of(cost, "A cost", f"decision {name}")
            for name, cost in zip(names, costs, strict=True)
        ]
    )
    columns = {}
    for index, cost in enumerate(costs):
        if isinstance(cost, str):
            columns[index] = tables.summable_column(table, cost, "cost")
    return amounts, columns


def _shares(
    given: Mapping[Any, float] | None, levels: tuple[str, ...], what: str
) -> FloatArray | None:
    if given is None:
        return None
    named = {
        printed(level): number_of(share, f"One of the {what}", f"level {printed(level)}")
        for level, share in given.items()
    }
    for level in (*levels, *named):
        if level not in named or level not in levels:
            raise PayoffError(
                f"The {what} do not fit the matrix.",
                where=f"level {level}",
                remedy=f"Give one share for each of {', '.join(levels)}.",
            )
    return np.array([named[level] for level in levels])


def _model(
    table: LoadedTable,
    levels: tuple[str, ...],
    posteriors: Mapping[Any, str],
    problem: DecisionProblem,
    old_priors: Mapping[Any, float] | str | None,
    leaf: LeafCases | None,
) -> tuple[ModelScores, tuple[str, ...]]:
    columns = {
        printed(level): tables.column_as_float(table, column, role="posterior")
        for level, column in posteriors.items()
    }
    names = {printed(level): column for level, column in posteriors.items()}
    warnings = check_posteriors(table, names, columns)
    chances = complete_posteriors(columns, levels)
    if len(columns) == len(levels) > 1:
        check_sums(table, chances, str(next(iter(posteriors.values()))))
    if isinstance(old_priors, str):
        old: FloatArray | None = _shares_of_data(old_priors, table, problem)
    else:
        old = _shares(old_priors, levels, "old priors")
    is_known = old is not None and problem.priors is not None
    model = ModelScores(
        name=", ".join(str(column) for column in posteriors.values()),
        posteriors=chances,
        old_kind=OldPriorKind.TRAINED_AT if is_known else OldPriorKind.CORRECTED,
        old_priors=old if is_known else None,
        leaf=leaf,
    )
    check_old_priors(problem.priors, model.old_priors, levels)
    return model, warnings


def _shares_of_data(word: str, table: LoadedTable, problem: DecisionProblem) -> FloatArray:
    if word != "data":
        raise PayoffError(
            f"old_priors={word!r} is not known.", remedy="Give {level: share} or 'data'."
        )
    if problem.outcome is None:
        raise PayoffError(
            "The class shares of the data are not known without an outcome.",
            where=table.path,
            remedy="Name the target column, or give old_priors as {level: share}.",
        )
    known = problem.outcome >= 0
    weight = problem.frequency[known] if problem.frequency is not None else None
    counts = np.bincount(problem.outcome[known], weights=weight, minlength=len(problem.levels))
    return np.asarray(counts / counts.sum(), dtype=np.float64)


__all__ = ["Decisions", "decide"]
