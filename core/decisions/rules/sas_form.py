"""A decision rule as a SAS DATA step: assignments and IF statements only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.decisions.rules.parts import SMALL_REST, SMALLEST, RuleParts

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
    costs = dict(parts.costs)
    mass = " + ".join(f"_q{place}" for place in range(parts.levels))
    for decision, name in enumerate(parts.decisions):
        terms = [
            f"_q{place} * {_number(parts.gain[place][decision])}" for place in range(parts.levels)
        ]
        value = " + ".join(terms)
        if parts.shares is not None:
            shares = " + ".join(
                f"_q{place} * {_number(parts.shares[place][decision])}"
                for place in range(parts.levels)
            )
            value = f"({value}) + ({shares}) * _m"
        if decision in costs:
            value = f"({value}) - _k{decision} * ({mass})"
        yield f"_a{decision} = {value}; /* {_comment(name)} */"


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
