"""Break-even against exact fractions: every place where anything may change is looked at."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations

import numpy as np
import pytest

from core.decisions import DecisionProblem, ModelScores
from core.decisions.sensitivity.break_even import break_even, has_nothing
from core.decisions.sensitivity.changes import changes_of
from core.document.model import OldPriorKind


def exact(value):
    """The number that was meant: a short decimal or a ratio of small numbers."""
    return F(float(value)).limit_denominator(10_000)


class Small:
    """A small problem in fractions, and the same in floats."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.levels = int(draw.choice([2, 2, 2, 3]))
        self.decisions = int(draw.choice([2, 2, 3]))
        self.rows = int(draw.integers(3, 12))
        steps = int(draw.choice([4, 5, 10]))
        unit = F(1, int(draw.choice([1, 2, 10])))
        self.probabilities = [self.posteriors(draw, steps) for _ in range(int(draw.integers(1, 4)))]
        self.outcome = draw.integers(0, self.levels, self.rows)
        self.outcome[: self.levels] = np.arange(self.levels)
        self.frequency = [F(int(k)) for k in draw.integers(1, 4, self.rows)]
        cells = draw.integers(-6, 9, (self.levels, self.decisions))
        if draw.random() < 0.7:
            cells[:, -1] = 0
        if self.decisions == 3 and draw.random() < 0.3:
            cells[:, 1] = cells[:, 0]  # equal consequences
        self.cells = [[unit * int(v) for v in row] for row in cells]
        self.costs = [F(0)] * self.decisions
        self.has_costs = bool(draw.random() < 0.4)
        if self.has_costs:
            self.costs = [unit * int(v) for v in draw.integers(0, 3, self.decisions)]
        self.case_costs = None
        if draw.random() < 0.25:
            self.case_costs = [unit * int(v) for v in draw.integers(0, 3, self.rows)]
            self.costs[0] = F(0)
        self.priors = None
        if draw.random() < 0.4:
            parts = draw.integers(1, 5, self.levels)
            self.priors = [F(int(v), int(parts.sum())) for v in parts]
        self.old = None
        if self.priors is not None and draw.random() < 0.5:
            parts = draw.integers(1, 5, self.levels)
            self.old = [F(int(v), int(parts.sum())) for v in parts]

    def posteriors(self, draw, steps):
        cuts = np.sort(draw.integers(0, steps + 1, (self.rows, self.levels - 1)), axis=1)
        edges = np.hstack(
            [np.zeros((self.rows, 1), int), cuts, np.full((self.rows, 1), steps, dtype=int)]
        )
        return [[F(int(v), steps) for v in row] for row in np.diff(edges, axis=1)]

    def problem(self):
        given = {}
        if self.has_costs:
            given["cost_amounts"] = np.array([float(v) for v in self.costs])
        if self.case_costs is not None:
            given["cost_columns"] = {0: np.array([float(v) for v in self.case_costs])}
        if self.priors is not None:
            given["priors"] = np.array([float(v) for v in self.priors])
        return DecisionProblem(
            levels=tuple("abc"[: self.levels]),
            decisions=("Act", "Call", "Rest")[: self.decisions],
            cells=np.array([[float(v) for v in row] for row in self.cells]),
            outcome=self.outcome.astype(np.int32),
            frequency=np.array([float(v) for v in self.frequency]),
            **given,
        )

    def models(self):
        old = None if self.old is None else np.array([float(v) for v in self.old])
        kind = OldPriorKind.UNKNOWN if old is None else OldPriorKind.TRAINED_AT
        return tuple(
            ModelScores(
                name=f"m{place}",
                posteriors=np.array([[float(v) for v in row] for row in table]).T.copy(),
                old_kind=kind,
                old_priors=old,
            )
            for place, table in enumerate(self.probabilities)
        )

    # ------------------------------------------------------------ at one value of a number

    def at(self, change, step):
        """Consequences, factors of chances and class weights with a number a step away."""
        gain = [
            [self.cells[t][d] - self.costs[d] for d in range(self.decisions)]
            for t in range(self.levels)
        ]
        shares = self.priors
        if change.delta is not None:
            for t in range(self.levels):
                for d in range(self.decisions):
                    gain[t][d] += step * exact(change.delta[t, d])
        elif shares is not None:
            rest = sum(shares[1:])
            shares = [shares[0] + step, *(s - step * s / rest for s in shares[1:])]
        if shares is None:
            return gain, [F(1)] * self.levels, [F(1)] * self.levels
        size = sum(self.frequency)
        own = [
            sum(f for f, t in zip(self.frequency, self.outcome, strict=True) if t == level)
            for level in range(self.levels)
        ]
        weight = [share * size / count for share, count in zip(shares, own, strict=True)]
        if self.old is None:
            return gain, [F(1)] * self.levels, weight
        return gain, [s / o for s, o in zip(shares, self.old, strict=True)], weight

    def cost_of(self, row, decision):
        return self.case_costs[row] if self.case_costs is not None and decision == 0 else F(0)

    def expected(self, table, row, place):
        """What every decision promises in a case."""
        gain, mass, _ = place
        parts = [table[row][t] * mass[t] for t in range(self.levels)]
        return [
            sum(p * (gain[t][d] - self.cost_of(row, d)) for t, p in enumerate(parts))
            for d in range(self.decisions)
        ]

    def realised(self, row, decision, place):
        gain, _, weight = place
        level = self.outcome[row]
        value = gain[level][decision] - self.cost_of(row, decision)
        return weight[level] * self.frequency[row] * value

    def totals(self, place):
        """Totals of models and constant rules; the decisions used by each model."""
        own, used = [], []
        for table in self.probabilities:
            chosen = []
            for row in range(self.rows):
                expected = self.expected(table, row, place)
                chosen.append(expected.index(max(expected)))
            own.append(sum(self.realised(row, d, place) for row, d in enumerate(chosen)))
            used.append(set(chosen))
        fixed = [
            sum(self.realised(row, d, place) for row in range(self.rows))
            for d in range(self.decisions)
        ]
        return own, fixed, used

    # ------------------------------------------------------------ where anything may change

    def knots(self, change):
        """Every step at which a case may change its decision."""
        here, there = self.at(change, F(0)), self.at(change, F(1))
        found = set()
        for table in self.probabilities:
            for row in range(self.rows):
                start = self.expected(table, row, here)
                slope = [
                    b - a for a, b in zip(start, self.expected(table, row, there), strict=True)
                ]
                for d, e in combinations(range(self.decisions), 2):
                    if slope[d] != slope[e]:
                        found.add((start[e] - start[d]) / (slope[d] - slope[e]))
        return found

    def places(self, change):
        """Steps at which something may change, rising: knots, and where totals cross between."""
        knots = sorted(self.knots(change) | {F(0)})
        found = set(knots)
        ends = zip([knots[0] - 1000, *knots], [*knots, knots[-1] + 1000], strict=True)
        for a, b in ends:
            one, other = a + (b - a) / 3, a + 2 * (b - a) / 3
            lines = []
            for first, second in zip(self.flat(change, one), self.flat(change, other), strict=True):
                slope = (second - first) / (other - one)
                lines.append((first - slope * one, slope))
            for (i, s), (j, t) in combinations(lines, 2):
                if s != t and a < (j - i) / (s - t) < b:
                    found.add((j - i) / (s - t))
        return sorted(found)

    def flat(self, change, step):
        own, fixed, _ = self.totals(self.at(change, step))
        return [*own, *fixed, F(0)]


def best_totals(small, problem, place):
    """The totals of the models, of the best constant rule, and the decisions of the first model."""
    own, fixed, used = small.totals(place)
    return own, max(fixed if has_nothing(problem) else [*fixed, F(0)]), used[0]


def first_changes(small, change, problem, side):
    """The step nearest to 0 on a side at which each event happens, exactly; None: never.

    What would hold just beyond a bound of the number counts as happening at the bound.
    """
    way = sorted((p for p in small.places(change) if p * side >= 0), key=abs)
    own, fixed, used = best_totals(small, problem, small.at(change, F(0)))
    present, ahead, above = own.index(max(own)), max(own) > fixed, max(own) > 0
    found = dict.fromkeys(("winner", "beaten", "zero", "rule"))
    for step, following in zip(way, [*way[1:], way[-1] + side * 10**6], strict=True):
        near, far = (
            small.at(change, step + (following - step) * part) for part in (F(1, 3), F(2, 3))
        )
        one, other = best_totals(small, problem, near), best_totals(small, problem, far)
        end_own = max(2 * b - a for a, b in zip(one[0], other[0], strict=True))
        end_fixed = 2 * other[1] - one[1]
        events = {
            "winner": (one[0][present] < max(one[0]), False),
            "beaten": ((max(one[0]) > one[1]) != ahead, ahead and end_own == end_fixed),
            "zero": ((max(one[0]) > 0) != above, above and end_own == 0),
            "rule": (one[2] != used, False),
        }
        for name, (is_now, is_at_end) in events.items():
            if found[name] is None and (is_now or is_at_end):
                found[name] = step if is_now else following
    end = change.low if side < 0 else change.high
    if not np.isfinite(end):
        return found
    return within(small, change, problem, found, side * exact(abs(end - change.now)))


def within(small, change, problem, found, limit):
    """What happens before a bound of the number, or is so at the bound itself."""
    kept = {
        name: step for name, step in found.items() if step is not None and abs(step) < abs(limit)
    }
    now = best_totals(small, problem, small.at(change, F(0)))
    end = best_totals(small, problem, small.at(change, limit))
    present = now[0].index(max(now[0]))
    rest = [total for place, total in enumerate(end[0]) if place != present]
    events = {
        "winner": bool(rest) and max(rest) >= end[0][present],
        "beaten": (max(end[0]) > end[1]) != (max(now[0]) > now[1]),
        "zero": (max(end[0]) > 0) != (max(now[0]) > 0),
        "rule": end[2] != now[2],
    }
    for name, happens in events.items():
        if found[name] is not None and found[name] == limit and happens:
            kept[name] = found[name]
    return {name: kept.get(name) for name in found}


def compared(seed, numbers):
    """Compare some of a small problem's numbers; how many crossings there were."""
    seen = 0
    small = Small(seed)
    problem, models = small.problem(), small.models()
    every = changes_of(problem)
    drawn = np.random.default_rng(seed).permutation(len(every))[:numbers]
    changes = tuple(every[place] for place in drawn)
    answer = break_even(problem, models, changes=changes)
    for change, row in zip(changes, answer.numbers, strict=True):
        for place, side in enumerate((-1, 1)):
            wanted = first_changes(small, change, problem, side)
            for name, step in wanted.items():
                crossing = getattr(row, name)[place]
                where = f"seed {seed}, {row.name}, {name}, side {side}, wanted {step}"
                if step is None:
                    assert crossing is None, f"{where}, got {crossing}"
                    continue
                assert crossing is not None, where
                seen += 1
                value = float(exact(row.now) + step)
                assert crossing.value == pytest.approx(value, abs=1e-9, rel=1e-9), where
                assert np.isfinite(crossing.total), where
                if step == 0 or row.now != 0:
                    assert np.isfinite(crossing.distance), where
    return seen


def test_break_even_is_what_exact_fractions_say():
    assert sum(compared(seed, 2) for seed in range(20)) > 40


def test_lines_of_two_decisions_that_are_one_but_for_rounding_meet_nowhere():
    assert compared(597, 99) == 20


@pytest.mark.soak
@pytest.mark.timeout(7_200)  # exact fractions, hundreds of problems
def test_every_number_of_hundreds_of_problems():
    assert sum(compared(seed, 99) for seed in range(720)) > 5_000
