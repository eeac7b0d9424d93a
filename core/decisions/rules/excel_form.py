"""A decision rule as an Excel workbook: cases, their decisions as formulas, and the rule's numbers.

Sheet *Cases* holds inputs and results, *Rule* the numbers that decide (they may be changed there),
*Steps* what lies between them, a row for each case. Whoever has other cases writes them over the
inputs, and copies the last row of *Cases* and of *Steps* down as far as they go.
"""

from __future__ import annotations

import datetime
import functools
import io
import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from xlsxwriter import Workbook
from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell

from core.decisions.rules.parts import SMALL_REST, SMALLEST, RuleParts
from core.document.files.spreadsheet import is_risky
from payoff.types import AnyArray, FloatArray

CASES, RULE, STEPS = "Cases", "Rule", "Steps"
_FIRST = 1  # row of the first case, counted from 0
_GAIN = 2  # row of the first class on sheet Rule
_DAY = datetime.datetime(2000, 1, 1)  # the same rule gives the same bytes
_MISSING = -1.0  # a chance that is not there: no chance is negative


def rule_to_excel(
    parts: RuleParts, columns: dict[str, FloatArray], results: dict[str, AnyArray]
) -> bytes:
    """Return the workbook of a rule.

    Parameters
    ----------
    parts : RuleParts
    columns : mapping of column to array (n,)
        The columns that the rule reads, of the cases on the first sheet.
    results : mapping of name to array (n,)
        What is decided for them: shown until the formulas are worked out anew.
    """
    stream = io.BytesIO()
    with Workbook(stream, {"in_memory": True, "strings_to_formulas": False}) as book:
        book.set_properties({"created": _DAY})
        sheets = {name: book.add_worksheet(name) for name in (CASES, RULE, STEPS)}
        write = _Writer(book)
        _write_rule(sheets[RULE], write, parts)
        _write_cases(sheets[CASES], write, parts, columns, results)
        steps = _Steps(parts, columns)
        write.head(sheets[STEPS], tuple(_step_names(parts)))
        for place, name in enumerate(_step_names(parts)):
            write.formulas(sheets[STEPS], place, steps.formulas[name], steps.values[name])
    return stream.getvalue()


class _Writer:
    """Cells that no spreadsheet takes for something else."""

    def __init__(self, book: Any) -> None:
        self._guarded = book.add_format({"quote_prefix": True})

    def cell(self, sheet: Any, row: int, column: int, value: object) -> None:
        """Write a text or a number; NaN and empty texts stay empty."""
        if isinstance(value, str):
            if value:
                sheet.write_string(row, column, value, self._guarded if is_risky(value) else None)
        elif not math.isnan(number := float(value)):  # type: ignore[arg-type]
            sheet.write_number(row, column, number)

    def formulas(self, sheet: Any, column: int, formula: str, shown: AnyArray) -> None:
        """Write a formula for every case, with what it gives."""
        for row, value in enumerate(shown, start=_FIRST):
            cell: str | float = str(value) if isinstance(value, str) else float(value)
            if not isinstance(cell, str) and math.isnan(cell):
                cell = ""
            sheet.write_formula(row, column, formula.replace("{row}", str(row + 1)), None, cell)

    def head(self, sheet: Any, names: Sequence[str]) -> None:
        """Write the names of columns, which stay in sight."""
        for place, name in enumerate(names):
            self.cell(sheet, 0, place, name)
        sheet.freeze_panes(1, 0)


# ---------------------------------------------------------------- Rule


def _write_rule(sheet: Any, write: _Writer, parts: RuleParts) -> None:
    """The numbers of a rule, each in the cell that ``_gain`` and the others below name."""
    title = "What a decision brings, by class; constant costs are taken off"
    write.cell(sheet, 0, 0, title + ("; losses are negative" if parts.is_loss else ""))
    heads = [*parts.decisions, "factor of the chance"]
    shares = [f"{name}, for 1 of {parts.amount}" for name in parts.decisions]
    for place, head in enumerate([*heads, *(shares if parts.shares else [])], start=1):
        write.cell(sheet, 1, place, head)
    for level in range(parts.levels):
        row = _GAIN + level
        factor = 1.0 if parts.ratio is None else parts.ratio[level]
        slopes = parts.shares[level] if parts.shares else ()
        write.cell(sheet, row, 0, parts.rule.levels[level])
        for place, number in enumerate([*parts.gain[level], factor, *slopes], start=1):
            write.cell(sheet, row, place, number)
    row = _GAIN + parts.levels + 1
    write.cell(sheet, row, 0, "a later decision must be better by more than")
    write.cell(sheet, row, 1, parts.tolerance)
    write.cell(sheet, row + 1, 0, "a factor below 0: the model has never seen that class")
    sheet.set_column(0, 0, 44)


def _on_rule(row: int, column: int) -> str:
    return f"{RULE}!{xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True)}"


def _gain(level: int, decision: int) -> str:
    return _on_rule(_GAIN + level, 1 + decision)


def _factor(parts: RuleParts, level: int) -> str:
    return _on_rule(_GAIN + level, 1 + len(parts.decisions))


def _share(parts: RuleParts, level: int, decision: int) -> str:
    return _on_rule(_GAIN + level, 2 + len(parts.decisions) + decision)


def _tolerance(parts: RuleParts) -> str:
    return _on_rule(_GAIN + parts.levels + 1, 1)


# ---------------------------------------------------------------- Cases


def _write_cases(
    sheet: Any,
    write: _Writer,
    parts: RuleParts,
    columns: dict[str, FloatArray],
    results: dict[str, AnyArray],
) -> None:
    write.head(sheet, [parts.key, *parts.columns, *parts.outputs])
    for place, name in enumerate(parts.columns, start=1):
        for row, value in enumerate(columns[name], start=_FIRST):
            write.cell(sheet, row, place, value)
    for row in range(_FIRST, _FIRST + len(next(iter(columns.values())))):
        write.cell(sheet, row, 0, float(row))
    formulas = _result_formulas(parts)
    for place, (name, formula) in enumerate(zip(parts.outputs, formulas, strict=True)):
        write.formulas(sheet, 1 + len(parts.columns) + place, formula, results[name])
    sheet.set_column(1, 3 + len(parts.columns), 16)


def _result_formulas(parts: RuleParts) -> tuple[str, str, str]:
    """Decision, its expected consequence and the mark of a case, from its row of the steps."""
    places = {name: xl_col_to_name(place) for place, name in enumerate(_step_names(parts))}
    last = len(parts.decisions)
    mark, best, choice = (
        f"{STEPS}!{places[name]}{{row}}" for name in ("mark", f"best {last}", f"choice {last}")
    )
    names = f"{_on_rule(1, 1)}:{_on_rule(1, last).partition('!')[2]}"
    sign = "-" if parts.is_loss else ""
    return (
        f'=IF({mark}="",INDEX({names},1,{choice}),"")',
        f'=IF({mark}="",{sign}{best},"")',
        f"={mark}",
    )


# ---------------------------------------------------------------- Steps


class _Steps:
    """What lies between inputs and results: name, formula and values of every step, in order.

    Sums go from left to right and ties are settled as the program does it. Values are written too:
    a spreadsheet that opens the file works out only what follows from a cell that is changed.
    """

    def __init__(self, parts: RuleParts, columns: dict[str, FloatArray]) -> None:
        self._parts, self._columns = parts, columns
        self._place = {name: xl_col_to_name(n) for n, name in enumerate(_step_names(parts))}
        self.formulas: dict[str, str] = {}
        self.values: dict[str, Any] = {}
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            self._probabilities()
            self._choices()

    def cell(self, name: str) -> str:
        """The cell of a step in the row of the case."""
        return f"${self._place[name]}{{row}}"

    def _add(self, name: str, formula: str, values: Any) -> None:
        self.formulas[name], self.values[name] = f"={formula}", values

    def _every(self, name: str) -> list[tuple[str, Any]]:
        """Cell and values of a step for each class."""
        names = [f"{name} {level + 1}" for level in range(self._parts.levels)]
        return [(self.cell(name), self.values[name]) for name in names]

    def _probabilities(self) -> None:
        parts = self._parts
        for level in sorted(range(parts.levels), key=lambda level: level == parts.rest):
            self._given(level)
        self._mark()
        for level, (cell, given) in enumerate(self._every("given")):
            if parts.ratio is None:
                self._add(f"weighed {level + 1}", cell, given)
                continue
            factor = max(parts.ratio[level], 0.0)
            self._add(
                f"weighed {level + 1}", f"{cell}*MAX({_factor(parts, level)},0)", given * factor
            )
        weighed = self._every("weighed")
        total, amount = "+".join(cell for cell, _ in weighed), _added(v for _, v in weighed)
        for level, (cell, own) in enumerate(weighed):
            if parts.ratio is None:
                self._add(f"chance {level + 1}", cell, own)
                continue
            whole = np.where(amount > SMALLEST, amount, 1.0)
            formula = f"{cell}/IF({total}>{SMALLEST!r},{total},1)"
            self._add(f"chance {level + 1}", formula, own / whole)

    def _given(self, level: int) -> None:
        """A chance as it stands in its column, or what the others leave."""
        parts = self._parts
        column = parts.inputs.posteriors[level][1]
        if column is not None:
            cell, held = _input(parts, column), self._columns[column]
            is_percent = column in parts.inputs.percents
            text = f"{cell}/100" if is_percent else cell
            share = held / 100.0 if is_percent else held
            values = np.where(np.isnan(held), _MISSING, share)
            self._add(f"given {level + 1}", f"IF(ISNUMBER({cell}),{text},{_MISSING:g})", values)
            return
        names = [f"given {n + 1}" for n in range(parts.levels) if n != level]
        rest = f"1-({'+'.join(map(self.cell, names))})"
        left = 1.0 - _added(self.values[name] for name in names)
        if parts.levels > 2:
            rest = f"IF(ABS({rest})<{SMALL_REST!r},0,{rest})"
            left = np.where(np.abs(left) < SMALL_REST, 0.0, left)
        self._add(f"given {level + 1}", rest, left)

    def _mark(self) -> None:
        """P where chances are none, C where a cost or the amount is missing."""
        parts, given = self._parts, self._every("given")
        texts = [f"OR({cell}<0,{cell}>1)" for cell, _ in given]
        bad = np.any([(values < 0) | (values > 1) for _, values in given], axis=0)
        if parts.ratio is not None:
            for level, (cell, values) in enumerate(given):
                texts.append(f"AND({_factor(parts, level)}<0,{cell}>0)")
                bad |= (parts.ratio[level] < 0.0) & (values > 0)
        texts.append(f"NOT(OR({','.join(f'{cell}>0' for cell, _ in given)}))")
        bad |= ~np.any([values > 0 for _, values in given], axis=0)
        marks = np.where(bad, "P", "")
        formula = f'IF(OR({",".join(texts)}),"P","")'
        own = _by_case(parts)
        if own:
            lacking = ",".join(f"NOT(ISNUMBER({_input(parts, name)}))" for name in own)
            formula += f'&IF(OR({lacking}),"C","")'
            lacks = np.any([~np.isfinite(self._columns[name]) for name in own], axis=0)
            marks = np.char.add(marks, np.where(lacks, "C", ""))
        self._add("mark", formula, marks)

    def _choices(self) -> None:
        parts = self._parts
        for decision in range(len(parts.decisions)):
            self._brings(decision)
        self._add("best 1", self.cell("brings 1"), self.values["brings 1"])
        self._add("choice 1", "1", np.ones(len(self.values["best 1"])))
        for number in range(2, len(parts.decisions) + 1):
            brings, best = self.cell(f"brings {number}"), self.cell(f"best {number - 1}")
            wins = f"{brings}>{best}+{_tolerance(parts)}"
            new, old = self.values[f"brings {number}"], self.values[f"best {number - 1}"]
            is_better, before = new > old + parts.tolerance, self.values[f"choice {number - 1}"]
            self._add(
                f"best {number}", f"IF({wins},{brings},{best})", np.where(is_better, new, old)
            )
            text = f"IF({wins},{number},{self.cell(f'choice {number - 1}')})"
            self._add(f"choice {number}", text, np.where(is_better, float(number), before))

    def _brings(self, decision: int) -> None:
        """What a decision is expected to bring a case, its own cost taken off."""
        parts, probabilities = self._parts, self._every("chance")
        text = "+".join(f"{cell}*{_gain(n, decision)}" for n, (cell, _) in enumerate(probabilities))
        found = _added(
            values * parts.gain[n][decision] for n, (_, values) in enumerate(probabilities)
        )
        if parts.shares:
            slopes = (
                f"{cell}*{_share(parts, n, decision)}" for n, (cell, _) in enumerate(probabilities)
            )
            text = f"({text})+({'+'.join(slopes)})*N({_input(parts, parts.amount)})"
            rise = _added(v * parts.shares[n][decision] for n, (_, v) in enumerate(probabilities))
            found = found + rise * np.nan_to_num(self._columns[parts.amount])
        own = dict(parts.costs)
        if decision in own:
            whole = "+".join(cell for cell, _ in probabilities)
            text = f"({text})-N({_input(parts, own[decision])})*({whole})"
            cost = np.nan_to_num(self._columns[own[decision]])
            found = found - cost * _added(values for _, values in probabilities)
        self._add(f"brings {decision + 1}", text, found)


def _added(values: Iterable[Any]) -> Any:
    """A sum from left to right."""
    return functools.reduce(operator.add, values)


def _step_names(parts: RuleParts) -> Iterator[str]:
    for name in ("given", "mark", "weighed", "chance"):
        yield from [name] if name == "mark" else (f"{name} {n + 1}" for n in range(parts.levels))
    yield from (f"brings {n + 1}" for n in range(len(parts.decisions)))
    for number in range(1, len(parts.decisions) + 1):
        yield from (f"best {number}", f"choice {number}")


def _input(parts: RuleParts, name: str) -> str:
    return f"{CASES}!${xl_col_to_name(1 + parts.columns.index(name))}{{row}}"


def _by_case(parts: RuleParts) -> list[str]:
    """Columns of costs and of the amount: a case that lacks one is not decided."""
    named = [column for _place, column in parts.costs]
    return list(dict.fromkeys([*named, *([parts.amount] if parts.shares else [])]))
