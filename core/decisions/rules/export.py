"""The export folder of a decision rule: SQL, Python, SAS, contract and expected results.

Rows that show what a rule does: cases of the data, exact ties, and what cannot be decided.

Names for costs by case, so that a rule can ask for them elsewhere.

A decision rule as an Excel workbook: cases, their decisions as formulas, and the rule's numbers.

Sheet *Cases* holds inputs and results, *Rule* the numbers that decide (they may be changed there),
*Steps* what lies between them, a row for each case. Whoever has other cases writes them over the
inputs, and copies the last row of *Cases* and of *Steps* down as far as they go.
"""

from __future__ import annotations

import csv
import datetime
import functools
import io
import json
import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
from xlsxwriter import Workbook
from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell

from core.decisions.problem import DecisionProblem
from core.decisions.rules.code_forms import (
    DIALECTS,
    LONGEST,
    SMALL_REST,
    SMALLEST,
    RuleInputs,
    RuleParts,
    expected_results,
    rule_parts,
    rule_to_python,
    rule_to_sas,
    rule_to_sql,
)
from core.decisions.rules.rule import Rule
from core.document.files.codec import to_plain
from core.document.files.export_folder import (
    CONTRACT,
    EXPECTED,
    FORMAT,
    FORMULA_SIGNS,
    README,
    TABLE,
    VERSION,
    with_contract,
    write_export,
)
from core.document.files.spreadsheet import is_risky
from payoff.errors import PayoffError
from payoff.types import AnyArray, FloatArray
from payoff.version import __version__

ROWS = 200
PROBES = 80
MOST_TIES = 40

AS_IS = "a case of the data"

Case = dict[str, float]


@dataclass(frozen=True, slots=True)
class RuleExamples:
    """``ROWS`` rows of the columns that the rule reads, with a word on each."""

    columns: dict[str, FloatArray]
    notes: tuple[str, ...]


def rule_examples(parts: RuleParts, columns: dict[str, FloatArray]) -> RuleExamples:
    """Pick cases evenly from the data and add those that other systems get wrong.

    Raises
    ------
    PayoffError
        If there is no case.
    """
    rows = len(next(iter(columns.values())))
    if rows == 0:
        raise PayoffError("There are no cases to take examples from.")
    kept = min(rows, ROWS - PROBES)
    picked = np.linspace(0, rows - 1, kept).round().astype(np.int64)
    bases = [{name: float(columns[name][row]) for name in parts.columns} for row in picked]
    usable = [case for case in bases if all(np.isfinite(list(case.values())))] or bases
    probes = list(islice(cycle(list(_probes(parts, usable))), ROWS - kept))
    cases = [*bases, *(case for case, _note in probes)]
    return RuleExamples(
        columns={name: np.array([case[name] for case in cases]) for name in parts.columns},
        notes=(AS_IS,) * kept + tuple(note for _case, note in probes),
    )


def _probes(parts: RuleParts, bases: list[Case]) -> Iterator[tuple[Case, str]]:
    """All rows worth showing; each changes a case of the data."""
    turn = cycle(bases)
    yield from islice(_ties(parts, next(turn)), MOST_TIES)
    for _level, column in parts.inputs.posteriors:
        if column is None:
            continue
        most = 100.0 if column in parts.inputs.percents else 1.0
        for value, note in (
            (np.nan, f"{column} is missing"),
            (most * 1.5, f"{column} is above {most:g}"),
            (-0.25, f"{column} is negative"),
        ):
            yield next(turn) | {column: value}, note
    for place in range(parts.levels):
        probabilities = [1.0 if other == place else 0.0 for other in range(parts.levels)]
        yield (
            _with_probabilities(parts, next(turn), probabilities),
            f"certainly {_level_name(parts, place)}",
        )
    if parts.rest is None:
        yield _with_probabilities(parts, next(turn), [0.0] * parts.levels), "every chance is 0"
    for place, column in parts.costs:
        yield next(turn) | {column: np.nan}, f"the cost of {parts.decisions[place]} is missing"
    if parts.shares is not None:
        yield next(turn) | {parts.amount: np.nan}, "the amount is missing"
        yield next(turn) | {parts.amount: 0.0}, "the amount is 0"


def _level_name(parts: RuleParts, place: int) -> str:
    return parts.inputs.posteriors[place][0]


def _with_probabilities(parts: RuleParts, case: Case, probabilities: list[float]) -> Case:
    changed = dict(case)
    for (_level, column), probability in zip(parts.inputs.posteriors, probabilities, strict=True):
        if column is not None:
            changed[column] = probability * (100.0 if column in parts.inputs.percents else 1.0)
    return changed


def _ties(parts: RuleParts, case: Case) -> Iterator[tuple[Case, str]]:
    """Chances at which two decisions are worth the same, and their neighbours a bit away."""
    costs = dict(parts.costs)
    gain = np.array(parts.gain)
    if parts.shares is not None:
        gain = gain + np.array(parts.shares) * case[parts.amount]
    for first in range(len(parts.decisions)):
        for second in range(first + 1, len(parts.decisions)):
            spent = [case[costs[place]] if place in costs else 0.0 for place in (first, second)]
            apart = [float(r[first] - r[second]) - (spent[0] - spent[1]) for r in gain]
            for one in range(parts.levels):
                for other in range(one + 1, parts.levels):
                    yield from _tie(parts, case, (first, second), (one, other), apart)


def _tie(
    parts: RuleParts,
    case: Case,
    pair: tuple[int, int],
    classes: tuple[int, int],
    apart: list[float],
) -> Iterator[tuple[Case, str]]:
    one, other = classes
    if not apart[one] * apart[other] < 0.0:
        return
    probability = -apart[other] / (apart[one] - apart[other])
    if parts.ratio is not None:  # back to the chance before the correction
        up, down = parts.ratio[one], parts.ratio[other]
        if up <= 0.0 or down <= 0.0:
            return
        probability = (probability / up) / (probability / up + (1.0 - probability) / down)
    names = " and ".join(f"“{parts.decisions[place]}”" for place in pair)
    for value, words in (
        (probability, "are worth the same"),
        (float(np.nextafter(probability, 1.0)), "are worth the same but for rounding"),
        (float(np.nextafter(probability, 0.0)), "are worth the same but for rounding"),
        (min(1.0, probability * (1.0 + 1e-9)), "are worth almost the same"),
        (probability * (1.0 - 1e-9), "are worth almost the same"),
    ):
        probabilities = [0.0] * parts.levels
        probabilities[one], probabilities[other] = value, 1.0 - value
        yield _with_probabilities(parts, case, probabilities), f"{names} {words}"


PREFIX = "COST_"


def named_costs(
    problem: DecisionProblem, columns: Mapping[str, str]
) -> tuple[DecisionProblem, dict[str, str], tuple[str, ...]]:
    """The problem with every cost by case named, or constant where it is the same for all.

    Parameters
    ----------
    problem : DecisionProblem
    columns : mapping of decision to column
        Costs that stand in columns of the data.

    Returns
    -------
    problem : DecisionProblem
    names : mapping of decision to column
        Costs without a column of their own are called COST_ and the decision.
    made_up : tuple of str
        Those names.
    """
    amounts = np.zeros(len(problem.decisions))
    if problem.cost_amounts is not None:
        amounts = np.array(problem.cost_amounts, dtype=np.float64)
    kept: dict[int, FloatArray] = {}
    names: dict[str, str] = {}
    made_up: list[str] = []
    for place, costs in sorted(problem.cost_columns.items()):
        decision = problem.decisions[place]
        if decision not in columns and costs.size and (costs == costs[0]).all():
            amounts[place] = costs[0]
            continue
        kept[place] = costs
        names[decision] = columns.get(decision, f"{PREFIX}{decision}")
        if decision not in columns:
            made_up.append(names[decision])
    return replace(problem, cost_amounts=amounts, cost_columns=kept), names, tuple(made_up)


CASES, RULE, STEPS = "Cases", "Rule", "Steps"
WRITTEN = "As written"
"""Hidden: what the workbook held when it was written, to tell what was changed since."""
_PIECE = 30_000  # characters of a cell, which holds 32,767
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
        _write_record(book.add_worksheet(WRITTEN), parts, columns, results)
    return stream.getvalue()


def _write_record(
    sheet: Any, parts: RuleParts, columns: dict[str, FloatArray], results: dict[str, AnyArray]
) -> None:
    """The rule, the inputs and the decisions as JSON, on a hidden sheet."""
    record = {
        "rule": to_plain(parts.rule),
        "inputs": to_plain(parts.inputs),
        "columns": {
            name: [None if math.isnan(value) else float(value) for value in columns[name]]
            for name in parts.columns
        },
        "decisions": [str(name) for name in results[parts.outputs[0]]],
    }
    text = json.dumps(record, ensure_ascii=True)
    for row, start in enumerate(range(0, len(text), _PIECE)):
        sheet.write_string(row, 0, f"|{text[start : start + _PIECE]}|")
    sheet.hide()


class _Writer:
    """Cells that no spreadsheet takes for something else."""

    def __init__(self, book: Any) -> None:
        self._guarded = book.add_format({"quote_prefix": True})

    def cell(self, sheet: Any, row: int, column: int, value: object) -> None:
        """Write a text or a number; NaN and empty texts stay empty."""
        if isinstance(value, str):
            if value:
                sheet.write_string(row, column, value, self._guarded if is_risky(value) else None)
        elif not math.isnan(number := float(value)):  # type: ignore[arg-type]  # texts went before
            sheet.write_number(row, column, number)

    def formulas(self, sheet: Any, column: int, formula: str, shown: AnyArray) -> None:
        """Write a formula for every case, with what it gives."""
        sheet._prepare_formula = _as_it_is  # else 29 newer functions are looked for in each cell
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


def _as_it_is(formula: str, expand_future_functions: bool = False) -> str:
    """A formula of functions that every spreadsheet has, in the place of xlsxwriter's own way."""
    return formula.removeprefix("=")


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
            cell, held = _input_cell(parts, column), self._columns[column]
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
            lacking = ",".join(f"NOT(ISNUMBER({_input_cell(parts, name)}))" for name in own)
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
            text = f"({text})+({'+'.join(slopes)})*N({_input_cell(parts, parts.amount)})"
            rise = _added(v * parts.shares[n][decision] for n, (_, v) in enumerate(probabilities))
            found = found + rise * np.nan_to_num(self._columns[parts.amount])
        own = dict(parts.costs)
        if decision in own:
            whole = "+".join(cell for cell, _ in probabilities)
            text = f"({text})-N({_input_cell(parts, own[decision])})*({whole})"
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


def _input_cell(parts: RuleParts, name: str) -> str:
    return f"{CASES}!${xl_col_to_name(1 + parts.columns.index(name))}{{row}}"


def _by_case(parts: RuleParts) -> list[str]:
    """Columns of costs and of the amount: a case that lacks one is not decided."""
    named = [column for _place, column in parts.costs]
    return list(dict.fromkeys([*named, *([parts.amount] if parts.shares else [])]))


PYTHON = "decide.py"
SAS = "decide.sas"
EXCEL = "decide.xlsx"
TIES = "A later decision must be better by more than max|cell| x 2^-41; else the earlier one stays."


def write_rule_folder(
    rule: Rule, inputs: RuleInputs, columns: dict[str, FloatArray], folder: Path
) -> tuple[str, ...]:
    """Write the export folder of a rule; returns the names of its files.

    Parameters
    ----------
    rule : Rule
    inputs : RuleInputs
    columns : mapping of column to array (n,)
        Posterior and cost columns of cases to take examples from, as they stand in the data.
    folder : Path
        Made where it is not there. An earlier export in it is replaced.

    Raises
    ------
    PayoffError
        If there are no cases, names clash, the folder holds something else, or cannot be written.
    """
    files = rule_files(rule, inputs, columns)
    write_export(folder, files)
    return tuple(files)


def rule_files(rule: Rule, inputs: RuleInputs, columns: dict[str, FloatArray]) -> dict[str, bytes]:
    """The files of an export by name, the contract last."""
    parts = rule_parts(rule, inputs)
    examples = rule_examples(parts, columns)
    results = expected_results(parts, examples.columns)
    texts = {f"decide_{dialect.key}.sql": rule_to_sql(parts, dialect) for dialect in DIALECTS}
    texts |= {
        PYTHON: rule_to_python(parts),
        SAS: rule_to_sas(parts),
        EXPECTED: _expected_csv(parts, examples, results),
        README: _readme(parts),
    }
    files = {name: text.encode("utf-8") for name, text in texts.items()}
    files[EXCEL] = rule_to_excel(parts, examples.columns, results)
    return with_contract(files, _contract(parts, columns))


# ---------------------------------------------------------------- expected.csv


def _expected_csv(parts: RuleParts, examples: RuleExamples, results: dict[str, AnyArray]) -> str:
    """Rows with their results; numbers in the shortest form that reads back the same."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([parts.key, *examples.columns, *results, parts.note])
    cells = [[_cell(value) for value in array] for array in examples.columns.values()]
    found = [[_cell(value) for value in array] for array in results.values()]
    writer.writerows(zip(range(1, ROWS + 1), *cells, *found, examples.notes, strict=True))
    return stream.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    number = float(value)
    return "" if np.isnan(number) else repr(number)


# ---------------------------------------------------------------- contract.json


def _contract(parts: RuleParts, columns: dict[str, FloatArray]) -> dict[str, Any]:
    decision, expected, warning = parts.outputs
    money = "loss" if parts.is_loss else "profit"
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"Payoff {__version__}",
        "what": "decision rule",
        "rule": to_plain(parts.rule),
        "ties": {"tolerance": parts.tolerance, "meaning": TIES},
        "correction": None
        if parts.ratio is None
        else dict(zip(parts.rule.levels, parts.ratio, strict=True)),
        "table": TABLE,
        "key": parts.key,
        "inputs": [_input_contract(parts, name, columns[name]) for name in parts.columns],
        "missing": {
            "meaning": "A case with a bad chance (mark P), without a cost or an amount (mark "
            "C) is not decided: decision and amount are missing.",
            "in_sql": None,
            "in_csv": "",
        },
        "outputs": [
            {"name": decision, "type": "text", "meaning": "the decision"},
            {"name": expected, "type": "number", "meaning": f"its expected {money}"},
            {"name": warning, "type": "text", "meaning": "P bad chance, C missing cost or amount"},
        ],
        "expected": {"file": EXPECTED, "rows": ROWS, "note": parts.note},
    }


def _input_contract(parts: RuleParts, name: str, array: FloatArray) -> dict[str, Any]:
    meanings = [
        f"the chance of '{level}', as the model gives it, 0 to "
        f"{'100' if name in parts.inputs.percents else '1'}"
        for level, column in parts.inputs.posteriors
        if column == name
    ]
    meanings += [
        f"the cost of '{parts.decisions[place]}' for the case"
        for place, column in parts.costs
        if column == name
    ]
    if parts.shares is not None and name == parts.amount:
        meanings.append("the amount of the case, which cells of the matrix are shares of")
    entry: dict[str, Any] = {
        "name": name,
        "type": "number",
        "meaning": "; ".join(meanings),
        "may_be_missing": True,
    }
    known = array[np.isfinite(array)]
    if len(known):
        entry["seen_from"], entry["seen_to"] = float(known.min()), float(known.max())
    return entry


# ---------------------------------------------------------------- README.txt


def _readme(parts: RuleParts) -> str:
    names = ", ".join(parts.outputs)
    sql = [f"decide_{dialect.key}.sql" for dialect in DIALECTS]
    priors = (
        "Chances are taken as they stand."
        if parts.ratio is None
        else "Chances are corrected to the priors here: hand them in as the model gives them, "
        "not corrected already."
    )
    lines = [
        f"A decision rule to run elsewhere: {' / '.join(parts.decisions)}.",
        "",
        f"{CONTRACT:26} the inputs, the rule, what is done with ties and missing values",
        *(
            f"{name:26} one SELECT over a table '{TABLE}'; {dialect.label}"
            for name, dialect in zip(sql, DIALECTS, strict=True)
        ),
        f"{PYTHON:26} for Python 3, no packages: python {PYTHON} cases.csv decided.csv",
        f"{SAS:26} a DATA step over a data set '{TABLE}'",
        f"{EXCEL:26} the same rows with the rule as formulas; other cases go over the inputs",
        f"{EXPECTED:26} {ROWS} rows with the results expected for them: {names}",
        "",
        priors,
        f"Ties: {TIES}",
        "",
        "How to prove that another system decides as this rule does:",
        f"1. Load {EXPECTED} there. An empty cell is a missing value (NULL).",
        f"2. Decide its rows; write '{parts.key}' and the results to a CSV or Parquet file.",
        "3. payoff verify-export THAT_FILE --folder THIS_FOLDER --tolerance 1e-12",
        "   It names the rows and columns that differ, the first and the worst.",
        "",
        f"The column '{parts.note}' says what a row is for: a case of the data, a tie of two",
        "decisions, or a value that cannot be decided. Rows of cases hold real values.",
        f"Leave {EXPECTED} as it is: saving it from a spreadsheet rounds numbers.",
        "SAS: the DATA step has been checked against these rows by a reader of its statements,",
        "not by SAS itself; compare it once as above.",
    ]
    long = [n for n in (*parts.columns, *parts.outputs) if len(n) > LONGEST]
    if long:
        lines += ["", f"SAS cuts names at {LONGEST} characters: {', '.join(long)}."]
    risky = [name for name in parts.decisions if name.startswith(FORMULA_SIGNS)]
    if risky:
        lines += [
            "",
            f"The decisions {', '.join(risky)} are written as they are: a spreadsheet may take "
            "them for formulas.",
        ]
    return "\n".join(lines) + "\n"
