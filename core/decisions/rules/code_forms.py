"""A decision rule as code of other systems.

What scoring code of any language needs of a decision rule: inputs, numbers, names of results.

A decision rule as a Python module of its own: the standard library only.

A decision rule as a SAS DATA step: assignments and IF statements only.

A decision rule as one SQL statement, in two dialects: SQLite, and DuckDB or PostgreSQL.

Each common table expression does one step of the program's own arithmetic in the same order, so
that expected values agree to the last bits and ties are broken alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from core.decisions.passes.cases import CaseDecisions, case_columns, decide_cases
from core.decisions.priors import SMALLEST_SUM, prior_ratio
from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.rules.rule import Rule
from core.document.decisions.matrix_model import MatrixKind
from core.document.files.export_folder import KEY, NOTE, TABLE, free_name
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


_HEAD = '''"""Decides cases by a rule; needs the standard library only.

    import decide
    decide.decide({{"column": value, ...}})    # None, NaN, "" or an absent name is a missing value
                                              # -> (decision, expected, warning)

    python decide.py cases.csv decided.csv
"""

import csv
import math
import os
import sys

KEY = {key!r}
OUTPUTS = {outputs!r}
DECISIONS = {decisions!r}
POSTERIORS = {posteriors!r}  # per class; None: what the others leave
PERCENTS = {percents!r}  # columns written as 0 to 100
COSTS = {costs!r}  # decision -> column
GAIN = {gain!r}  # per class: what each decision brings, constant costs taken off
AMOUNT = {amount!r}  # column with the amount of the case; empty: there is none
SHARES = {shares!r}  # per class: what one unit of the amount adds to each decision
RATIO = {ratio!r}  # prior / old prior per class; below 0: the class was never trained on
TOLERANCE = {tolerance!r}  # a later decision must be better by more than this
SIGN = {sign!r}  # -1.0: results are losses


'''

_BODY = '''def _number(case, name):
    value = case.get(name)
    if value is None or value == "":
        return math.nan
    return float(value)


def _posteriors(case):
    found = [None if name is None else _number(case, name) for name in POSTERIORS]
    for place, name in enumerate(POSTERIORS):
        if name in PERCENTS:
            found[place] = found[place] / 100.0
    if None in found:
        rest = 0.0
        for value in found:
            if value is not None:
                rest = rest + value
        rest = 1.0 - rest
        if len(found) > 2 and abs(rest) < {small}:
            rest = 0.0
        found[found.index(None)] = rest
    return found


def _is_bad(chances):
    for place, chance in enumerate(chances):
        if not 0.0 <= chance <= 1.0 or (RATIO and RATIO[place] < 0.0 and chance > 0.0):
            return True
    return not any(chance > 0.0 for chance in chances)


def _corrected(chances):
    if not RATIO:
        return chances
    weighed = [chance * max(ratio, 0.0) for chance, ratio in zip(chances, RATIO)]
    total = _sum(weighed)
    if not total > {smallest}:
        total = 1.0
    return [value / total for value in weighed]


def _sum(values):
    total = 0.0
    for value in values:
        total = total + value
    return total


def _mean(chances, table, decision):
    value = chances[0] * table[0][decision]
    for place in range(1, len(chances)):
        value = value + chances[place] * table[place][decision]
    return value


def _value(chances, decision, cost, amount):
    value = _mean(chances, GAIN, decision)
    if SHARES:
        value = value + _mean(chances, SHARES, decision) * amount
    return value if cost is None else value - cost * _sum(chances)


def decide(case):
    """Decision, expected consequence and warning; None where the case cannot be decided."""
    chances = _posteriors(case)
    costs = {{place: _number(case, name) for place, name in COSTS.items()}}
    warning = "P" if _is_bad(chances) else ""
    amount = _number(case, AMOUNT) if SHARES else 0.0
    if not all(math.isfinite(value) for value in [*costs.values(), amount]):
        warning += "C"
    if warning:
        return None, None, warning
    chances = _corrected(chances)
    best, chosen = _value(chances, 0, costs.get(0), amount), 0
    for place in range(1, len(DECISIONS)):
        value = _value(chances, place, costs.get(place), amount)
        if value > best + TOLERANCE:
            best, chosen = value, place
    return DECISIONS[chosen], SIGN * best, warning


def main(source, target):
    if os.path.exists(target) and os.path.samefile(source, target):
        sys.exit("The decisions would overwrite the cases.")
    with open(source, newline="", encoding="utf-8-sig") as cases, open(
        target, "w", newline="", encoding="utf-8"
    ) as decided:
        writer = csv.writer(decided, lineterminator="\\n")
        writer.writerow([KEY, *OUTPUTS])
        for place, case in enumerate(csv.DictReader(cases), start=1):
            decision, expected, warning = decide(case)
            shown = "" if expected is None else repr(expected)
            writer.writerow([case.get(KEY, place), decision or "", shown, warning])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("python decide.py cases.csv decided.csv")
    main(sys.argv[1], sys.argv[2])
'''


def rule_to_python(parts: RuleParts) -> str:
    """Source of a module with ``decide(case)``, also a program for CSV files."""
    head = _HEAD.format(
        key=parts.key,
        outputs=parts.outputs,
        decisions=parts.decisions,
        posteriors=tuple(column for _level, column in parts.inputs.posteriors),
        percents=parts.inputs.percents,
        costs=dict(parts.costs),
        gain=parts.gain,
        amount=parts.amount,
        shares=parts.shares,
        ratio=parts.ratio,
        tolerance=parts.tolerance,
        sign=-1.0 if parts.is_loss else 1.0,
    )
    return head + _BODY.format(small=repr(SMALL_REST), smallest=repr(SMALLEST))


LONGEST = 32
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}\Z")


def rule_to_sas(parts: RuleParts, table: str = "cases", result: str = "decided") -> str:
    """A DATA step that reads a data set and adds decision, expected consequence and warning.

    Numbers are doubles in SAS too, and the arithmetic is that of the program in the same order.
    """
    decision, _expected, warning = (sas_name(name) for name in parts.outputs)
    width = max(len(name.encode("utf-8")) for name in parts.decisions)
    lines = [
        f"data {result};",
        f"  set {table};",
        f"  length {decision} $ {width} {warning} $ 2;",
        *(f"  {line}" for line in _statements(parts)),
        f"  drop {' '.join(_working_names(parts))};",
        "run;",
    ]
    return "\n".join(lines) + "\n"


def sas_name(name: str) -> str:
    """A variable name; one that is none by SAS's rules as a name literal ('my column'n)."""
    if _NAME.match(name):
        return name
    return "'" + name[:LONGEST].replace("'", "''") + "'n"


def sas_text(text: str) -> str:
    """A text in single quotes, in which SAS resolves no macros."""
    return "'" + text.replace("'", "''") + "'"


def _number(value: float) -> str:
    text = repr(value)
    return f"({text})" if value < 0 else text


def _statements(parts: RuleParts) -> Iterator[str]:
    yield from _reading(parts)
    yield from _checking(parts)
    yield from _correcting(parts)
    yield from _valuing(parts)
    yield from _choosing(parts)
    yield from _results(parts)


def _reading(parts: RuleParts) -> Iterator[str]:
    for place, (level, column) in enumerate(parts.inputs.posteriors):
        if column is not None:
            scale = " / 100" if column in parts.inputs.percents else ""
            yield f"_p{place} = {sas_name(column)}{scale}; /* chance of {_comment(level)} */"
    if parts.rest is not None:
        others = [f"_p{place}" for place in range(parts.levels) if place != parts.rest]
        level = _comment(parts.inputs.posteriors[parts.rest][0])
        yield f"_p{parts.rest} = 1 - ({' + '.join(others)}); /* chance of {level} */"
        if parts.levels > 2:
            yield f"if abs(_p{parts.rest}) < {SMALL_REST!r} then _p{parts.rest} = 0;"
    for place, column in parts.costs:
        yield f"_k{place} = {sas_name(column)}; /* cost of {_comment(parts.decisions[place])} */"
    if parts.shares is not None:
        yield f"_m = {sas_name(parts.amount)}; /* amount of the case */"


def _comment(text: str) -> str:
    """A text that ends no comment."""
    return text.replace("*/", "* /").replace(";", ",")


def _checking(parts: RuleParts) -> Iterator[str]:
    """A missing value is below every number in SAS, so "0 or more" leaves it out."""
    good = [f"_p{place} >= 0 and _p{place} <= 1" for place in range(parts.levels)]
    good.append(f"({' or '.join(f'_p{place} > 0' for place in range(parts.levels))})")
    good += [f"_p{i} = 0" for i, ratio in enumerate(parts.ratio or ()) if ratio < 0]
    yield "_bad = 1;"
    yield f"if {' and '.join(good)} then _bad = 0;"
    yield "_lost = 0;"
    yield from (f"if missing({name}) then _lost = 1;" for name in parts.by_case)


def _correcting(parts: RuleParts) -> Iterator[str]:
    if parts.ratio is None:
        yield from (f"_q{place} = _p{place};" for place in range(parts.levels))
        return
    for place, ratio in enumerate(parts.ratio):
        yield f"_c{place} = _p{place} * {_number(max(ratio, 0.0))};"
    yield f"_sum = {' + '.join(f'_c{place}' for place in range(parts.levels))};"
    yield f"if not (_sum > {SMALLEST!r}) then _sum = 1;"
    yield from (f"_q{place} = _c{place} / _sum;" for place in range(parts.levels))


def _valuing(parts: RuleParts) -> Iterator[str]:
    for decision, (name, value) in enumerate(
        zip(parts.decisions, _expectations(parts, _number), strict=True)
    ):
        yield f"_a{decision} = {value}; /* {_comment(name)} */"


def _expectations(parts: RuleParts, number: Callable[[float], str]) -> Iterator[str]:
    """Each decision's expected consequence, in numbers as a language writes them."""
    levels, costs = range(parts.levels), dict(parts.costs)

    def weighed(cells: tuple[tuple[float, ...], ...], decision: int) -> str:
        return " + ".join(f"_q{place} * {number(cells[place][decision])}" for place in levels)

    for decision in range(len(parts.decisions)):
        value = weighed(parts.gain, decision)
        if parts.shares is not None:
            value = f"({value}) + ({weighed(parts.shares, decision)}) * _m"
        if decision in costs:
            mass = " + ".join(f"_q{place}" for place in levels)
            value = f"({value}) - _k{decision} * ({mass})"
        yield value


def _choosing(parts: RuleParts) -> Iterator[str]:
    yield "_d = 0;"
    yield "_v = _a0;"
    for place in range(1, len(parts.decisions)):
        yield f"if _a{place} > _v + {parts.tolerance!r} then _d = {place};"
        yield f"if _d = {place} then _v = _a{place};"


def _results(parts: RuleParts) -> Iterator[str]:
    decision, expected, warning = (sas_name(name) for name in parts.outputs)
    yield f"{decision} = ' ';"
    yield f"{expected} = .;"
    yield f"{warning} = ' ';"
    is_good = "_bad = 0 and _lost = 0"
    for place, name in enumerate(parts.decisions):
        yield f"if {is_good} and _d = {place} then {decision} = {sas_text(name)};"
    yield f"if {is_good} then {expected} = {'-' if parts.is_loss else ''}_v;"
    for bad, lost, mark in ((1, 0, "P"), (0, 1, "C"), (1, 1, "PC")):
        yield f"if _bad = {bad} and _lost = {lost} then {warning} = '{mark}';"


def _working_names(parts: RuleParts) -> list[str]:
    levels, decisions = range(parts.levels), range(len(parts.decisions))
    names = [*(f"_p{i}" for i in levels), *parts.by_case]
    if parts.ratio is not None:
        names += [*(f"_c{i}" for i in levels), "_sum"]
    names += [*(f"_q{i}" for i in levels), *(f"_a{i}" for i in decisions)]
    return [*names, "_bad", "_lost", "_d", "_v"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlDialect:
    """What differs between databases: the name of a double, and how one is written."""

    key: str
    label: str
    double: str
    literal: str

    def number(self, value: float) -> str:
        """A number that the database holds as exactly this double."""
        text = self.literal.format(repr(value))
        return f"({text})" if value < 0 else text

    def cast(self, column: str) -> str:
        """A column as a double."""
        return f"CAST({quoted_column(column)} AS {self.double})"


SQLITE = SqlDialect(key="sqlite", label="SQLite 3.35 and later", double="REAL", literal="{}")
POSTGRES = SqlDialect(
    key="duckdb_postgresql",
    label="DuckDB 0.9 and later, PostgreSQL 12 and later",
    double="FLOAT8",
    literal="CAST('{}' AS FLOAT8)",
)
DIALECTS = (SQLITE, POSTGRES)


def rule_to_sql(parts: RuleParts, dialect: SqlDialect, table: str = TABLE) -> str:
    """A SELECT that gives each row of a table its decision, expected consequence and warning."""
    steps = [("given", _given(parts, dialect, table))]

    def add(name: str, columns: list[str]) -> None:
        if columns:
            source = steps[-1][0]
            steps.append((name, f"SELECT *, {', '.join(columns)} FROM {source}"))

    add("whole", _rest(parts, dialect))
    add("rounded", _rounded_rest(parts, dialect))
    add("checked", _checks(parts))
    add("weighed", _weighed(parts, dialect))
    add("summed", _summed(parts))
    add("corrected", _corrected(parts, dialect))
    add("valued", _values(parts, dialect))
    add("choice_0", ["0 AS _d0", "_a0 AS _v0"])
    tolerance = dialect.number(parts.tolerance)
    for place in range(1, len(parts.decisions)):
        is_better = f"_a{place} > _v{place - 1} + {tolerance}"
        add(
            f"choice_{place}",
            [
                f"CASE WHEN {is_better} THEN {place} ELSE _d{place - 1} END AS _d{place}",
                f"CASE WHEN {is_better} THEN _a{place} ELSE _v{place - 1} END AS _v{place}",
            ],
        )
    body = ",\n".join(f"{name} AS MATERIALIZED (\n  {text}\n)" for name, text in steps)
    head = f"-- {dialect.label}. Table {table}: the columns of contract.json, and {parts.key}.\n"
    return f"{head}WITH {body}\n{_final(parts, steps[-1][0])}\n"


def quoted_column(name: str) -> str:
    """A name in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """A text in single quotes."""
    return "'" + text.replace("'", "''") + "'"


def _given(parts: RuleParts, dialect: SqlDialect, table: str) -> str:
    columns = [quoted_column(parts.key)]
    for place, (_level, column) in enumerate(parts.inputs.posteriors):
        if column is not None:
            is_percent = column in parts.inputs.percents
            scale = f" / {dialect.number(100.0)}" if is_percent else ""
            columns.append(f"{dialect.cast(column)}{scale} AS _p{place}")
    columns += [f"{dialect.cast(column)} AS _k{place}" for place, column in parts.costs]
    if parts.shares is not None:
        columns.append(f"{dialect.cast(parts.amount)} AS _m")
    return f"SELECT {', '.join(columns)} FROM {quoted_column(table)}"


def _others(parts: RuleParts) -> list[str]:
    return [f"_p{place}" for place in range(parts.levels) if place != parts.rest]


def _rest(parts: RuleParts, dialect: SqlDialect) -> list[str]:
    if parts.rest is None:
        return []
    name = f"_p{parts.rest}" if parts.levels == 2 else "_rest"
    return [f"{dialect.number(1.0)} - ({' + '.join(_others(parts))}) AS {name}"]


def _rounded_rest(parts: RuleParts, dialect: SqlDialect) -> list[str]:
    if parts.rest is None or parts.levels == 2:
        return []
    small, zero = dialect.number(SMALL_REST), dialect.number(0.0)
    return [f"CASE WHEN ABS(_rest) < {small} THEN {zero} ELSE _rest END AS _p{parts.rest}"]


def _checks(parts: RuleParts) -> list[str]:
    """1 where a posterior is bad; 1 where a cost or the amount is missing or infinite."""
    good = [f"_p{place} >= 0.0 AND _p{place} <= 1.0" for place in range(parts.levels)]
    good.append(f"({' OR '.join(f'_p{place} > 0.0' for place in range(parts.levels))})")
    for place, ratio in enumerate(parts.ratio or ()):
        if ratio < 0:
            good.append(f"_p{place} = 0.0")
    columns = [f"CASE WHEN {' AND '.join(good)} THEN 0 ELSE 1 END AS _bad"]
    if parts.by_case:
        known = " AND ".join(f"{name} - {name} = 0.0" for name in parts.by_case)
        columns.append(f"CASE WHEN {known} THEN 0 ELSE 1 END AS _lost")
    return columns


def _weighed(parts: RuleParts, dialect: SqlDialect) -> list[str]:
    if parts.ratio is None:
        return []
    return [
        f"_p{place} * {dialect.number(max(ratio, 0.0))} AS _c{place}"
        for place, ratio in enumerate(parts.ratio)
    ]


def _summed(parts: RuleParts) -> list[str]:
    if parts.ratio is None:
        return []
    return [f"{' + '.join(f'_c{place}' for place in range(parts.levels))} AS _sum"]


def _corrected(parts: RuleParts, dialect: SqlDialect) -> list[str]:
    if parts.ratio is None:
        return [f"_p{place} AS _q{place}" for place in range(parts.levels)]
    divisor = (
        f"CASE WHEN _sum > {dialect.number(SMALLEST)} THEN _sum ELSE {dialect.number(1.0)} END"
    )
    return [f"_c{place} / {divisor} AS _q{place}" for place in range(parts.levels)]


def _values(parts: RuleParts, dialect: SqlDialect) -> list[str]:
    values = _expectations(parts, dialect.number)
    return [f"{value} AS _a{decision}" for decision, value in enumerate(values)]


def _final(parts: RuleParts, source: str) -> str:
    last = len(parts.decisions) - 1
    decision, expected, warning = (quoted_column(name) for name in parts.outputs)
    is_good = "_bad = 0 AND _lost = 0" if parts.by_case else "_bad = 0"
    names = " ".join(
        f"WHEN {place} THEN {text_literal(name)}" for place, name in enumerate(parts.decisions)
    )
    sign = "-" if parts.is_loss else ""
    marks = "CASE WHEN _bad = 1 THEN 'P' ELSE '' END"
    if parts.by_case:
        marks += " || CASE WHEN _lost = 1 THEN 'C' ELSE '' END"
    return (
        f"SELECT {quoted_column(parts.key)},\n"
        f"  CASE WHEN {is_good} THEN CASE _d{last} {names} END END AS {decision},\n"
        f"  CASE WHEN {is_good} THEN {sign}_v{last} END AS {expected},\n"
        f"  {marks} AS {warning}\n"
        f"FROM {source}"
    )
