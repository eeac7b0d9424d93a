"""The rule alone: all that is needed to decide the cases of another file, outcome or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.decisions.amounts import CaseAmounts
from core.decisions.number_targets.rule import interval_problem, predicted_scores
from core.decisions.problem import DecisionProblem, ModelScores
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from payoff.errors import PayoffError
from payoff.types import CodeArray, FloatArray

Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A decision rule of one model, as plain data; equal rules decide equally.

    ``cost_columns`` are (decision, column) pairs: the file must have these columns. With ``knots``
    the target is a number, and ``levels`` are the bands that begin at them. With ``shares`` cells
    are ``cells`` + ``shares`` x the column ``amount_column``; ``amount_scale`` judges ties.
    """

    model: str
    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    kind: MatrixKind
    cells: tuple[Numbers, ...]
    acting: str
    do_nothing: str | None
    cost_amounts: Numbers
    cost_columns: tuple[tuple[str, str], ...]
    priors: Numbers | None
    old_kind: OldPriorKind
    old_priors: Numbers | None
    tie_tolerance: float
    knots: Numbers | None = None
    shares: tuple[Numbers, ...] | None = None
    amount_column: str = ""
    amount_scale: float = 0.0

    def problem(
        self,
        *,
        outcome: CodeArray | None = None,
        actual: FloatArray | None = None,
        frequency: FloatArray | None = None,
        costs: Mapping[str, FloatArray] | None = None,
    ) -> DecisionProblem:
        """The decision problem on new cases.

        Parameters
        ----------
        outcome : array (n,) of int32, optional
            Classes; with knots it follows from ``actual``.
        actual : array (n,), optional
            The outcome where it is a number.
        frequency : array (n,), optional
        costs : mapping of column name to array (n,), optional
            Every column named in ``cost_columns``, and ``amount_column`` where there are shares.

        Raises
        ------
        PayoffError
            If one of these columns is missing.
        """
        given = costs or {}
        for decision, column in self.cost_columns:
            if column not in given:
                raise PayoffError(
                    f"The cost of “{decision}” stands in the column '{column}', which is missing.",
                    where=f"column {column}",
                    remedy="Add the column, or give a constant cost.",
                )
        columns = {
            self.decisions.index(decision): given[column] for decision, column in self.cost_columns
        }
        if self.knots is not None:
            return interval_problem(
                knots=self.knots,
                decisions=self.decisions,
                cells=np.array(self.cells, dtype=np.float64),
                kind=self.kind,
                actual=actual,
                frequency=frequency,
                cost_amounts=np.array(self.cost_amounts),
                cost_columns=columns,
                acting=self.acting,
                do_nothing=self.do_nothing,
            )
        return DecisionProblem(
            levels=self.levels,
            decisions=self.decisions,
            cells=np.array(self.cells, dtype=np.float64),
            kind=self.kind,
            outcome=outcome,
            frequency=frequency,
            priors=None if self.priors is None else np.array(self.priors),
            cost_amounts=np.array(self.cost_amounts),
            cost_columns=columns,
            acting=self.acting,
            do_nothing=self.do_nothing,
            amounts=self._amounts(given),
        )

    def _amounts(self, given: Mapping[str, FloatArray]) -> CaseAmounts | None:
        if self.shares is None:
            return None
        if self.amount_column not in given:
            raise PayoffError(
                f"Amounts stand in the column '{self.amount_column}', which is missing.",
                where=f"column {self.amount_column}",
                remedy="Add the column: cells of the matrix are shares of it.",
            )
        return CaseAmounts(
            values=given[self.amount_column],
            slopes=np.array(self.shares, dtype=np.float64),
            name=self.amount_column,
            scale=self.amount_scale,
        )

    def scores(self, posteriors: FloatArray) -> ModelScores:
        """The model's posteriors on new cases, (levels, n), with what it was trained at."""
        return ModelScores(
            name=self.model,
            posteriors=posteriors,
            old_kind=self.old_kind,
            old_priors=None if self.old_priors is None else np.array(self.old_priors),
        )

    def predictions(self, predicted: FloatArray) -> ModelScores:
        """The model's predictions on new cases, (n,), of a rule with knots."""
        return predicted_scores(self.model, predicted)


def rule_of(
    problem: DecisionProblem, model: ModelScores, *, cost_columns: Mapping[str, str] | None = None
) -> Rule:
    """The rule behind an analysis.

    Parameters
    ----------
    problem : DecisionProblem
    model : ModelScores
    cost_columns : mapping of decision to column name, optional
        Names of the columns behind ``problem.cost_columns``.

    Raises
    ------
    PayoffError
        If a cost column has no name.
    """
    names = cost_columns or {}
    columns = []
    for decision in sorted(problem.cost_columns):
        name = problem.decisions[decision]
        if name not in names:
            raise PayoffError(f"The cost column of “{name}” has no name.", where="costs")
        columns.append((name, names[name]))
    amounts, held = problem.cost_amounts, problem.amounts
    return Rule(
        model=model.name,
        levels=problem.levels,
        decisions=problem.decisions,
        kind=problem.kind,
        cells=tuple(_numbers(row) for row in problem.cells),
        acting=problem.decisions[problem.acting_index],
        do_nothing=problem.do_nothing,
        cost_amounts=(0.0,) * len(problem.decisions) if amounts is None else _numbers(amounts),
        cost_columns=tuple(columns),
        priors=None if problem.priors is None else _numbers(problem.priors),
        old_kind=model.old_kind,
        old_priors=None if model.old_priors is None else _numbers(model.old_priors),
        tie_tolerance=problem.tie_tolerance,
        knots=None if problem.knots is None else _numbers(problem.knots),
        shares=None if held is None else tuple(_numbers(row) for row in held.slopes),
        amount_column="" if held is None else held.name,
        amount_scale=0.0 if held is None else held.tie_scale,
    )


def _numbers(values: FloatArray) -> Numbers:
    return tuple(float(value) for value in values)
