"""A decision rule as one SQL statement, in two dialects: SQLite, and DuckDB or PostgreSQL.

Each common table expression does one step of the program's own arithmetic in the same order, so
that expected values agree to the last bits and ties are broken alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.decisions.rules.parts import SMALL_REST, SMALLEST, RuleParts
from core.document.files.export_folder import TABLE


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
    costs = dict(parts.costs)
    mass = " + ".join(f"_q{place}" for place in range(parts.levels))
    columns = []
    for decision in range(len(parts.decisions)):
        terms = [
            f"_q{place} * {dialect.number(parts.gain[place][decision])}"
            for place in range(parts.levels)
        ]
        value = " + ".join(terms)
        if parts.shares is not None:
            shares = " + ".join(
                f"_q{place} * {dialect.number(parts.shares[place][decision])}"
                for place in range(parts.levels)
            )
            value = f"({value}) + ({shares}) * _m"
        if decision in costs:
            value = f"({value}) - _k{decision} * ({mass})"
        columns.append(f"{value} AS _a{decision}")
    return columns


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
