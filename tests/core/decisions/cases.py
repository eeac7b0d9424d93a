"""Problems for tests, and the same answers worked out case by case in plain Python."""

import itertools
import math

import numpy as np

from core.decisions import DecisionProblem, ModelScores
from core.decisions.limits.capacity import best_within
from core.decisions.passes.workspace import Analysis
from core.decisions.studies.gap import gap_of
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from core.document.results import RowsNote
from core.questions.decide import Capacity, Gap
from core.questions.lanes import Unwatched

ALL_ROWS = RowsNote(use="all", text="all rows", rows=0)
MAIL = np.array([[24.0, 0.0], [-1.6, 0.0]])
THREE = np.array([[24.0, 30.0, 0.0], [-1.6, -2.9, 0.0]])
ROWS = 600
LEND = np.array([[-5.0, 0.0], [1.0, 0.0]])  # acting pays off where the event is rare
WIDE = np.array([[15.0, 0.0, 3.0, 1.0], [-1.5, 0.0, 2.0, 4.0], [3.0, 2.0, 1.0, -2.0]])


def posteriors(rows, levels, seed=1, *, steps=0):
    """Posteriors (levels, rows); ``steps`` > 0 makes ties."""
    draw = np.random.default_rng(seed)
    table = draw.dirichlet(np.ones(levels), size=rows).T
    if steps:
        table = np.round(table[:1] * steps) / steps
        table = np.vstack([table, *[(1.0 - table) / (levels - 1)] * (levels - 1)])
    if levels == 2:
        table[1] = 1.0 - table[0]
    return np.ascontiguousarray(table)


def outcome_of(table, seed=2):
    """Outcomes drawn from posteriors."""
    draw = np.random.default_rng(seed).random(table.shape[1])
    return np.minimum((draw > np.cumsum(table, axis=0)).sum(axis=0), len(table) - 1).astype(
        np.int32
    )


def mail_problem(table, cells=MAIL, **settings):
    names = {2: ("Mail", "Do nothing"), 3: ("Mail", "Call", "Do nothing"), 1: ("Mail",)}
    settings.setdefault("decisions", names.get(cells.shape[1], tuple("abcdefgh"[: cells.shape[1]])))
    settings.setdefault("levels", tuple(str(i) for i in range(cells.shape[0])))
    settings.setdefault("outcome", outcome_of(table))
    return DecisionProblem(cells=cells, **settings)


def model(table, name="m", old=None):
    kind = OldPriorKind.UNKNOWN if old is None else OldPriorKind.TRAINED_AT
    return ModelScores(name=name, posteriors=table, old_kind=kind, old_priors=old)


def setting(name):  # noqa: PLR0911 - one return per name, as in a table
    """A problem and a model, by name."""
    draw = np.random.default_rng(12)
    table = posteriors(ROWS, 2, steps=25)
    old = np.array([0.5, 0.5])
    if name == "mail":
        return mail_problem(table), model(table)
    if name == "mail with priors":
        return mail_problem(table, priors=np.array([0.05, 0.95])), model(table, old=old)
    if name == "lend":
        return mail_problem(table, LEND, priors=np.array([0.2, 0.8])), model(table, old=old)
    if name == "one decision":
        return mail_problem(table, MAIL[:, :1]), model(table)
    if name == "frequency":
        weight = draw.integers(1, 4, ROWS).astype(float)
        return mail_problem(table, frequency=weight, priors=np.array([0.3, 0.7])), model(table)
    if name == "loss":
        cells = np.array([[0.0, 5.0], [1.0, 0.0]])
        return mail_problem(table, cells, kind=MatrixKind.LOSS), model(table)
    if name == "three decisions":
        return mail_problem(table, THREE, priors=np.array([0.1, 0.9])), model(table, old=old)
    if name == "costs":
        columns = {0: np.round(draw.random(ROWS) * 4, 1)}
        return mail_problem(table, cost_columns=columns, cost_amounts=np.array([0, 0.2])), model(
            table
        )
    if name == "not complements":
        loose = table * np.array([[1.0], [0.9]])
        return mail_problem(table, outcome=mail_problem(table).outcome), model(loose)
    wide = posteriors(ROWS, 3, steps=15)
    weight = draw.random(ROWS) + 0.5
    return mail_problem(wide, WIDE, frequency=weight, priors=np.array([0.2, 0.3, 0.5])), model(wide)


SETTINGS = (
    "mail",
    "mail with priors",
    "lend",
    "one decision",
    "frequency",
    "loss",
    "three decisions",
    "costs",
    "not complements",
    "three classes",
)


# ------------------------------------------------------------------ by hand


def corrected(problem, scores):
    """Posteriors after the correction to the priors, by the odds formula."""
    if problem.priors is None or scores.old_priors is None:
        return scores.posteriors
    ratio = (problem.priors / problem.priors.sum()) / (scores.old_priors / scores.old_priors.sum())
    table = scores.posteriors * ratio[:, None]
    return table / table.sum(axis=0)


def consequence(problem, row, level, decision):
    """Q(i, t, d) in the sense of profit."""
    sign = -1.0 if problem.kind is MatrixKind.LOSS else 1.0
    cost = 0.0 if problem.cost_amounts is None else problem.cost_amounts[decision]
    if decision in problem.cost_columns:
        cost = problem.cost_columns[decision][row]
    return sign * problem.cells[level, decision] - cost


def first_best(values, tolerance):
    best = 0
    for place in range(1, len(values)):
        if values[place] > values[best] + tolerance:
            best = place
    return best


def by_hand(problem, scores):
    """Per case: decision, rest decision (None = do nothing), expected by decision, class."""
    table = corrected(problem, scores)
    tolerance = np.abs(problem.cells).max() * 2.0**-41
    names = range(len(problem.decisions))
    others = [d for d in names if d != problem.acting_index]
    found = []
    for row in range(table.shape[1]):
        expected = [
            math.fsum(
                table[level, row] * consequence(problem, row, level, d)
                for level in range(table.shape[0])
            )
            for d in names
        ]
        rest = None
        if others:
            rest = others[first_best([expected[d] for d in others], tolerance)]
        found.append((first_best(expected, tolerance), rest, expected, int(problem.outcome[row])))
    return found


def class_weights(problem, counted):
    frequency = np.ones(len(counted)) if problem.frequency is None else problem.frequency
    cases = np.array(
        [frequency[counted & (problem.outcome == t)].sum() for t in range(len(problem.levels))]
    )
    if problem.priors is None:
        return np.ones(len(cases)), cases
    return problem.priors / problem.priors.sum() * cases.sum() / cases, cases


def profit_by_hand(problem, scores, depth, *, is_firm=False, by_rule=False):
    """(total, expected total, variance, class cases within) at a depth, case by case."""
    cases = by_hand(problem, scores)
    counted = np.ones(len(cases), dtype=bool)
    weights, sizes = class_weights(problem, counted)
    frequency = np.ones(len(cases)) if problem.frequency is None else problem.frequency
    acting = problem.acting_index

    def advantage(case):
        return case[2][acting] - (0.0 if case[1] is None else case[2][case[1]])

    if len(problem.levels) == 2 and len(problem.decisions) <= 2 and not problem.cost_columns:
        gain = consequence(problem, 0, 0, acting) - consequence(problem, 0, 1, acting)
        if len(problem.decisions) == 2:
            other = 1 - acting
            gain -= consequence(problem, 0, 0, other) - consequence(problem, 0, 1, other)
        keys = scores.posteriors[0] * math.copysign(1.0, gain)
    else:
        keys = np.array([advantage(case) for case in cases])
    order = sorted(range(len(cases)), key=lambda row: -keys[row])
    target = depth * float(np.sum(weights * sizes))
    share = np.zeros(len(cases))
    reached = 0.0
    for _, group in itertools.groupby(order, key=lambda row: keys[row]):
        rows = list(group)
        size = sum(weights[cases[row][3]] * frequency[row] for row in rows)
        part = min(1.0, max(0.0, (target - reached) / size)) if size > 0 else 1.0
        share[rows] = part
        reached += size
    values, expected, within = [], 0.0, np.zeros(len(sizes))
    for row, (own, rest, hoped, level) in enumerate(cases):
        act = share[row]
        if by_rule:
            value, hope = consequence(problem, row, level, own), hoped[own]
        elif is_firm:
            value, hope = act * consequence(problem, row, level, own), act * hoped[own]
        else:
            base = 0.0 if rest is None else consequence(problem, row, level, rest)
            hope_base = 0.0 if rest is None else hoped[rest]
            value = base + act * (consequence(problem, row, level, acting) - base)
            hope = hope_base + act * (hoped[acting] - hope_base)
        values.append(value)
        weight = weights[level] * frequency[row]
        expected += weight * hope
        within[level] += weight * act
    values = np.array(values)
    return (
        float(np.sum(weights[problem.outcome] * frequency * values)),
        expected,
        variance_by_hand(problem, values, weights, sizes, frequency),
        within,
    )


def variance_by_hand(problem, values, weights, sizes, frequency):
    """Variance of the total when cases are drawn again (within their class if priors are given)."""
    total = 0.0
    groups = (
        [np.flatnonzero(problem.outcome == t) for t in range(len(sizes))]
        if problem.priors is not None
        else [np.arange(len(values))]
    )
    for rows in groups:
        if len(rows) == 0:
            continue
        size = frequency[rows].sum()
        mean = np.sum(frequency[rows] * values[rows]) / size
        weight = weights[problem.outcome[rows[0]]] if problem.priors is not None else 1.0
        total += weight**2 * np.sum(frequency[rows] * (values[rows] - mean) ** 2)
    return float(total)


def capacity_of(state, **limits):
    """The best decisions of an analysis within limits."""
    return best_within(Analysis(state=state, rows=ALL_ROWS), Capacity(**limits), Unwatched())


def gap_of_first(state):
    """Expected against realised profit of the first model of an analysis."""
    inputs = Analysis(state=state, rows=ALL_ROWS)
    return gap_of(inputs, Gap(model=state.models[0].scores.name), Unwatched())
