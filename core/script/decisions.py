"""``payoff.decide``: each case's decision and what all of them are worth, for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core import data as tables
from core.data import LoadedTable, printed
from core.decisions import (
    CaseDecisions,
    CaseTotals,
    DecisionProblem,
    ModelScores,
    analyse,
    case_columns,
    complete_posteriors,
    decide_cases,
    profit_chart,
    total_cases,
)
from core.document.model import MatrixKind, OldPriorKind, TargetSpec
from core.document.results import Advice, DecisionResult
from core.script.number_studies import (
    MapTables,
    Number,
    break_even_table,
    joined_models,
    what_if_table,
    winner_tables,
)
from core.script.session import ScriptData, table_of
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray

Matrix = Mapping[Any, Sequence[float]]
Costs = Sequence[float | str]


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

    @property
    def table(self) -> pd.DataFrame:
        """D_, EP_ or EL_, CP_, BP_, IC_, ROI_ with the target's name, P_ if corrected, _WARN_."""
        columns: dict[str, Any] = {}
        if self.cases.posteriors is not None:
            for level, chance in zip(self.problem.levels, self.cases.posteriors, strict=True):
                columns[f"P_{self.target}{level}"] = chance
        columns.update(case_columns(self.problem, self.cases, self.target))
        return pd.DataFrame(columns)

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

    def thresholds(self) -> float | None:
        """The chance of the event above which acting pays (two classes), or None."""
        return self._analysis().rule_threshold

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
        return (*missing, *self._analysis().advice) if self.totals else missing

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
    priors: Mapping[Any, float] | None = None,
    prior_range: tuple[float, float] | None = None,
    old_priors: Mapping[Any, float] | str | None = None,
    costs: Costs | None = None,
    weight: str | None = None,
    acting: str | None = None,
    do_nothing: str | None = None,
) -> Decisions:
    """Decide each case of a categorical target.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    matrix : {level: [consequence per decision]}, in row order
    kind : {"profit", "loss", "revenue"}
    decisions : list of str, optional
        Names in the matrix's order; left out = "1", "2", ...
    target : str, optional
        Column of the known outcome; left out = decisions and expected values only.
    posteriors : {level: column}
        One level may be left out: its chance is what the others leave.
    priors, old_priors : {level: share}, optional
        With ``old_priors`` posteriors are corrected, ``old_priors="data"`` takes the class shares
        of the data; without, posteriors are taken as corrected and only totals are weighted.
    prior_range : (float, float), optional
        Shares between which the event's prior lies: intervals then hold for all of them.
    costs : list, optional
        One per decision, a number or a column name.
    weight : str, optional
        Column of frequencies.
    acting, do_nothing : str, optional
        The decision that counts as acting, and the one that does nothing.

    Returns
    -------
    Decisions

    Raises
    ------
    PayoffError
        Naming what does not fit, with row, column and value where there is one.
    """
    if not posteriors:
        raise PayoffError(
            "No posterior column is named.", remedy="Give posteriors={level: column}."
        )
    table = table_of(data)
    levels = _levels(matrix)
    names = tuple(decisions) if decisions else _numbered(matrix)
    outcome, warnings = _outcome(table, target, levels)
    frequency = None if weight is None else tables.column_as_float(table, weight, role="weight")
    amounts, columns = _costs(table, costs, names)
    problem = DecisionProblem(
        levels=levels,
        decisions=names,
        cells=_cells(matrix, names),
        kind=_kind(kind),
        outcome=outcome,
        frequency=frequency,
        priors=_shares(priors, levels, "priors"),
        cost_amounts=amounts,
        cost_columns=columns,
        acting=acting or "",
        do_nothing=do_nothing,
        prior_range=prior_range,
    )
    model = _model(table, levels, posteriors, problem, old_priors)
    cases = decide_cases(problem, model, with_posteriors=True)
    totals = None if outcome is None else total_cases(problem, cases)
    return Decisions(
        target=target or "target",
        problem=problem,
        model=model,
        cases=cases,
        totals=totals,
        warnings=warnings,
    )


def _levels(matrix: Matrix) -> tuple[str, ...]:
    return tuple(printed(level) for level in matrix)


def _numbered(matrix: Matrix) -> tuple[str, ...]:
    count = max((len(row) for row in matrix.values()), default=0)
    return tuple(str(index + 1) for index in range(count))


def _kind(kind: str) -> MatrixKind:
    try:
        return MatrixKind(kind)
    except ValueError as reason:
        raise PayoffError(
            f"There is no kind of matrix called {kind!r}.", why="There are: profit, loss, revenue."
        ) from reason


def _cells(matrix: Matrix, names: tuple[str, ...]) -> FloatArray:
    for level, row in matrix.items():
        if len(row) != len(names):
            raise PayoffError(
                "The matrix has a hole.",
                where=f"row {printed(level)}",
                why=f"{len(row)} numbers for {len(names)} decisions.",
            )
    return np.array([[float(value) for value in row] for row in matrix.values()])


def _outcome(
    table: LoadedTable, target: str | None, levels: tuple[str, ...]
) -> tuple[CodeArray | None, tuple[str, ...]]:
    if target is None:
        return None, ()
    kind = "binary" if len(levels) == 2 else "multiclass"
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
    amounts = np.array([0.0 if isinstance(cost, str) else float(cost) for cost in costs])
    columns = {
        index: tables.column_as_float(table, cost, role="cost")
        for index, cost in enumerate(costs)
        if isinstance(cost, str)
    }
    return amounts, columns


def _shares(
    given: Mapping[Any, float] | None, levels: tuple[str, ...], what: str
) -> FloatArray | None:
    if given is None:
        return None
    named = {printed(level): float(share) for level, share in given.items()}
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
) -> ModelScores:
    columns = {
        printed(level): tables.column_as_float(table, column, role="posterior")
        for level, column in posteriors.items()
    }
    chances = complete_posteriors(columns, levels)
    if isinstance(old_priors, str):
        old: FloatArray | None = _shares_of_data(old_priors, table, problem)
    else:
        old = _shares(old_priors, levels, "old priors")
    is_known = old is not None and problem.priors is not None
    return ModelScores(
        name=", ".join(str(column) for column in posteriors.values()),
        posteriors=chances,
        old_kind=OldPriorKind.TRAINED_AT if is_known else OldPriorKind.CORRECTED,
        old_priors=old if is_known else None,
    )


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
