"""What scoring code of any language needs of a decision rule: inputs, numbers, names of results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.decisions.cases import CaseDecisions, case_columns, decide_cases
from core.decisions.priors import SMALLEST_SUM, prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.rules.rule import Rule
from core.document.decisions.matrix_model import MatrixKind
from core.document.files.export_folder import KEY, NOTE, free_name
from payoff.errors import PayoffError
from payoff.types import AnyArray, FloatArray

SMALLEST = SMALLEST_SUM
SMALL_REST = 1e-12
"""What three and more classes leave for the last one counts as 0 below this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInputs:
    """Columns that a rule reads.

    Attributes
    ----------
    target : str
        Name of the outcome, in the names of the results.
    posteriors : tuple of (level, column)
        In the order of the rule's levels; column None = what the others leave (one at most).
    percents : tuple of str
        Posterior columns written as 0 to 100.
    """

    target: str
    posteriors: tuple[tuple[str, str | None], ...]
    percents: tuple[str, ...] = ()

    @property
    def rest(self) -> int | None:
        """The class whose posterior is what the others leave."""
        places = [i for i, (_level, column) in enumerate(self.posteriors) if column is None]
        return places[0] if places else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleParts:
    """A rule as plain numbers.

    ``gain[t][d]`` is the consequence in the sense of profit with constant costs taken off;
    ``ratio`` the factor of each posterior (-1: must be 0), None where they are taken as they stand;
    ``costs`` (decision, column) pairs of costs by case; ``shares[t][d]`` what one unit of the
    column ``amount`` adds to ``gain[t][d]``, None where cells follow no amount.
    """

    rule: Rule
    inputs: RuleInputs
    gain: tuple[tuple[float, ...], ...]
    ratio: tuple[float, ...] | None
    costs: tuple[tuple[int, str], ...]
    tolerance: float
    is_loss: bool
    key: str
    note: str
    shares: tuple[tuple[float, ...], ...] | None = None
    amount: str = ""

    @property
    def levels(self) -> int:
        """Number of classes."""
        return len(self.gain)

    @property
    def decisions(self) -> tuple[str, ...]:
        """Names in order; the first wins ties."""
        return self.rule.decisions

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that the code reads, each once."""
        named = [column for _level, column in self.inputs.posteriors if column is not None]
        spent = [column for _place, column in self.costs]
        return tuple(dict.fromkeys([*named, *spent, *([self.amount] if self.shares else [])]))

    @property
    def by_case(self) -> tuple[str, ...]:
        """Working names of what each case has of its own beside chances: costs and the amount."""
        names = [f"_k{place}" for place, _column in self.costs]
        return (*names, "_m") if self.shares else tuple(names)

    @property
    def rest(self) -> int | None:
        """The class whose posterior is what the others leave."""
        return self.inputs.rest

    @property
    def outputs(self) -> tuple[str, str, str]:
        """Names of decision, expected consequence and warning."""
        letter = "L" if self.is_loss else "P"
        target = self.inputs.target
        return f"D_{target}", f"E{letter}_{target}", "_WARN_"


def rule_parts(rule: Rule, inputs: RuleInputs) -> RuleParts:
    """The numbers of a rule.

    Raises
    ------
    PayoffError
        If levels and posterior columns do not fit, or an input is called as a result.
    """
    levels = tuple(level for level, _column in inputs.posteriors)
    left = [level for level, column in inputs.posteriors if column is None]
    if levels != rule.levels or len(left) > 1:
        raise PayoffError(
            "The posterior columns do not fit the rule.",
            why=f"The rule has the levels {', '.join(rule.levels)}; columns are given for "
            f"{', '.join(level for level, column in inputs.posteriors if column)}.",
            remedy="Name a column per level; one may be left out.",
        )
    one = {column: np.zeros(1) for _decision, column in rule.cost_columns}
    if rule.shares is not None:
        one[rule.amount_column] = np.zeros(1)
    problem = rule.problem(costs=one)
    ratio = prior_ratio(problem, rule.scores(np.zeros((len(levels), 1))))
    shares = None if problem.amounts is None else problem.sense * problem.amounts.slopes
    taken = {column for _level, column in inputs.posteriors if column} | set(one)
    parts = RuleParts(
        rule=rule,
        inputs=inputs,
        gain=_rows(problem.class_gains),
        ratio=None if ratio is None else tuple(float(value) for value in ratio),
        costs=tuple((rule.decisions.index(name), column) for name, column in rule.cost_columns),
        tolerance=problem.tie_tolerance,
        is_loss=rule.kind is MatrixKind.LOSS,
        key=free_name(KEY, taken),
        note=free_name(NOTE, taken | {KEY}),
        shares=None if shares is None else _rows(shares),
        amount=rule.amount_column,
    )
    clash = taken & set(parts.outputs)
    if clash:
        raise PayoffError(
            f"The rule has an input called '{min(clash)}', as a result is.",
            remedy="Rename the column.",
        )
    return parts


def _rows(table: FloatArray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(value) for value in row) for row in table)


def posterior_table(inputs: RuleInputs, arrays: dict[str, FloatArray]) -> FloatArray:
    """Posteriors (levels, n) from columns as they stand in a table."""
    rows, levels = len(next(iter(arrays.values()))), len(inputs.posteriors)
    table = np.empty((levels, rows))
    for place, (_level, column) in enumerate(inputs.posteriors):
        if column is not None:
            divisor = 100.0 if column in inputs.percents else 1.0
            table[place] = arrays[column] / divisor
    rest = inputs.rest
    if rest is not None:
        others = [place for place in range(levels) if place != rest]
        table[rest] = 1.0 - table[others].sum(axis=0)
        if levels > 2:
            table[rest][np.abs(table[rest]) < SMALL_REST] = 0.0
    return table


def decided_by_rule(
    parts: RuleParts, arrays: dict[str, FloatArray]
) -> tuple[DecisionProblem, CaseDecisions]:
    """What the program decides for columns of a table."""
    problem = parts.rule.problem(costs=arrays)
    scores: ModelScores = parts.rule.scores(posterior_table(parts.inputs, arrays))
    return problem, decide_cases(problem, scores)


def expected_results(parts: RuleParts, arrays: dict[str, FloatArray]) -> dict[str, AnyArray]:
    """The results of the program by name, in the order of ``outputs``."""
    problem, cases = decided_by_rule(parts, arrays)
    found = case_columns(problem, cases, parts.inputs.target)
    return {name: found[name] for name in parts.outputs}
