"""A decision workbook read back: which numbers and decisions somebody has changed in it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.data import LoadedTable, column_as_text
from core.decisions.rules.code_forms import RuleInputs, RuleParts, expected_results, rule_parts
from core.decisions.rules.export import CASES, RULE, WRITTEN
from core.decisions.rules.rule import Rule
from core.document.files.codec import from_plain
from core.document.studies.decision_files import DecisionChange, NumberChange, WorkbookChanges
from payoff.errors import PayoffError
from payoff.types import FloatArray

LoadSheet = Callable[[str], LoadedTable]
_SAME = 1e-12
_AGAIN = "Hand the rule over again, and change numbers and decisions only."


@dataclass(frozen=True, slots=True)
class _Written:
    """What the workbook held when it was written."""

    parts: RuleParts
    columns: dict[str, FloatArray]
    decisions: list[str]


@dataclass(frozen=True, slots=True)
class _Case:
    """A row of sheet Cases: its row there, its number, its inputs and its decision."""

    row: int
    key: str
    inputs: tuple[float, ...]
    decision: str


def read_workbook_changes(path: str, load_sheet: LoadSheet) -> WorkbookChanges:
    """Compare a workbook with what the program wrote into it.

    Parameters
    ----------
    path : str
        What messages call it.
    load_sheet : callable
        Gives the cells of a sheet by its name, without a header and with no row left out.

    Raises
    ------
    PayoffError
        For a workbook that is none of a rule, or whose sheets no longer are as they were written,
        naming sheet, row, column and value.
    """
    written = _read_written(path, load_sheet)
    grid = _cells(load_sheet(RULE))
    numbers, others = _number_changes(path, grid, written.parts)
    read = _read_cases(path, _cells(load_sheet(CASES)), written.parts)
    cases = [_with_all_digits(case, written) for case in read]
    repeated = Counter(case.key for case in cases)
    known = {str(row): row - 1 for row in range(1, len(written.decisions) + 1)}
    kept = [case for case in cases if case.key in known and repeated[case.key] == 1]
    added = [case for case in cases if case not in kept]
    own = _decided(changed_rule(written.parts.rule, numbers), written.parts.inputs, kept)
    before = [written.decisions[known[case.key]] for case in kept]
    is_stale = [case.decision for case in kept] == before and own != before and not others
    decisions = tuple(
        DecisionChange(
            case=case.key,
            row=case.row,
            before=old,
            after=new if is_stale else case.decision,
            by_hand=not others and not is_stale and case.decision != new,
        )
        for case, old, new in zip(kept, before, own, strict=True)
        if (new if is_stale else case.decision) != old
    )
    names = written.parts.columns
    held = [[float(written.columns[name][known[case.key]]) for name in names] for case in kept]
    return WorkbookChanges(
        path=path,
        cases=len(written.decisions),
        numbers=numbers,
        others=others,
        decisions=decisions,
        changed_inputs=tuple(
            case.key
            for case, old in zip(kept, held, strict=True)
            if not np.array_equal(case.inputs, old, equal_nan=True)
        ),
        added=tuple(case.row for case in added),
        removed=tuple(key for key in known if key not in {case.key for case in kept}),
        is_stale=is_stale,
    )


def changed_rule(rule: Rule, numbers: tuple[NumberChange, ...]) -> Rule:
    """The rule with numbers of a workbook in the place of its own."""
    cells = [list(row) for row in rule.cells]
    shares = None if rule.shares is None else [list(row) for row in rule.shares]
    for change in numbers:
        row, column = rule.levels.index(change.level), rule.decisions.index(change.decision)
        if not change.is_share:
            cells[row][column] = change.after
        elif shares is not None:
            shares[row][column] = change.after
    return replace(
        rule,
        cells=tuple(tuple(row) for row in cells),
        shares=None if shares is None else tuple(tuple(row) for row in shares),
    )


def _decided(rule: Rule, inputs: RuleInputs, cases: list[_Case]) -> list[str]:
    """What the program decides for cases of the sheet."""
    if not cases:
        return []
    parts = rule_parts(rule, inputs)
    held = np.array([case.inputs for case in cases], dtype=np.float64)
    arrays = {name: held[:, place] for place, name in enumerate(parts.columns)}
    return [str(one) for one in expected_results(parts, arrays)[parts.outputs[0]]]


def _with_all_digits(case: _Case, written: _Written) -> _Case:
    """A case with its inputs as they were written: a workbook keeps 16 digits, which move ties."""
    row = int(case.key) - 1 if case.key.isdecimal() else -1
    if not 0 <= row < len(written.decisions):
        return case
    held = np.array([written.columns[name][row] for name in written.parts.columns])
    are_same = np.isclose(case.inputs, held, rtol=_SAME, atol=0.0, equal_nan=True)
    return replace(case, inputs=tuple(np.where(are_same, held, case.inputs).tolist()))


# ---------------------------------------------------------------- sheets


def _cells(table: LoadedTable) -> list[list[str]]:
    """The cells of a sheet as texts, row by row; empty ones are blank."""
    columns = [[cell or "" for cell in column_as_text(table, name)] for name in table.columns]
    return [[cell.strip() for cell in row] for row in zip(*columns, strict=True)]


def _read_written(path: str, load_sheet: LoadSheet) -> _Written:
    try:
        text = "".join(row[0][1:-1] for row in _cells(load_sheet(WRITTEN)))
        record = json.loads(text)
        rule, inputs = from_plain(Rule, record["rule"]), from_plain(RuleInputs, record["inputs"])
        columns = {
            name: np.array([math.nan if v is None else v for v in values], dtype=np.float64)
            for name, values in record["columns"].items()
        }
        return _Written(rule_parts(rule, inputs), columns, list(record["decisions"]))
    except (PayoffError, ValueError, KeyError, TypeError) as error:
        raise PayoffError(
            "This is no decision workbook that can be read back.",
            where=f"{path}, sheet {WRITTEN}",
            why=f"The hidden sheet with what was written is not whole ({error}).",
            remedy=_AGAIN,
        ) from None


def _number_changes(
    path: str, grid: list[list[str]], parts: RuleParts
) -> tuple[tuple[NumberChange, ...], tuple[str, ...]]:
    """Numbers of the matrix that are others than before; words on what else was changed."""
    rule, count = parts.rule, len(parts.decisions)
    heads = [*parts.decisions]
    top = next((at for at, row in enumerate(grid) if row[1 : 1 + count] == heads), None)
    lines = grid[top + 1 : top + 1 + parts.levels] if top is not None else []
    if [line[0] for line in lines] != list(rule.levels):
        raise PayoffError(
            "The classes or decisions of the workbook are not those that were handed over.",
            where=f"{path}, sheet {RULE}",
            why=f"Decisions were {', '.join(parts.decisions)}, classes {', '.join(rule.levels)}.",
            remedy=_AGAIN,
        )
    numbers: list[NumberChange] = []
    others: list[str] = []
    sense = -1.0 if parts.is_loss else 1.0
    for level, line in enumerate(lines):

        def number(place: int, line: list[str] = line, level: int = level) -> float:
            where = f"{path}, sheet {RULE}, class {rule.levels[level]}, column {place + 1}"
            return _number(line[place] if place < len(line) else "", where)

        for decision, name in enumerate(parts.decisions):
            pairs = [(False, 1 + decision, parts.gain[level][decision], rule.cells)]
            if parts.shares is not None and rule.shares is not None:
                share = parts.shares[level][decision]
                pairs.append((True, 2 + count + decision, share, rule.shares))
            for is_share, place, before, held in pairs:
                change = number(place) - before
                if abs(change) > _SAME * max(1.0, abs(before)):
                    old = held[level][decision]
                    new = old + sense * change
                    numbers.append(
                        NumberChange(
                            level=rule.levels[level],
                            decision=name,
                            before=old,
                            after=float(f"{new:.12g}"),
                            is_share=is_share,
                        )
                    )
        factor = 1.0 if parts.ratio is None else parts.ratio[level]
        if abs(number(1 + count) - factor) > _SAME * max(1.0, abs(factor)):
            others.append(f"the factor of the chance of “{rule.levels[level]}”")
    return tuple(numbers), tuple(others)


def _read_cases(path: str, grid: list[list[str]], parts: RuleParts) -> list[_Case]:
    """The rows of sheet Cases."""
    wanted = [parts.key, *parts.columns, parts.outputs[0]]
    head = grid[0] if grid else []
    lacking = [name for name in wanted if name not in head]
    if lacking:
        raise PayoffError(
            f"The sheet lacks the column '{lacking[0]}'.",
            where=f"{path}, sheet {CASES}, row 1",
            why=f"It was written with {', '.join(wanted)}.",
            remedy=_AGAIN,
        )
    places = [head.index(name) for name in wanted]
    cases = []
    for row, line in enumerate(grid[1:], start=2):
        key, *inputs, decision = (line[place] for place in places)
        if not any((key, *inputs, decision)):
            continue
        values = tuple(
            _number(text, f"{path}, sheet {CASES}, row {row}, column {name}") if text else math.nan
            for text, name in zip(inputs, parts.columns, strict=True)
        )
        cases.append(_Case(row, key.removesuffix(".0"), values, decision))
    return cases


def _number(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise PayoffError(
            "A cell of the workbook is to hold a number.",
            where=f"{where}, value '{text}'",
            remedy="Write a number there; a formula has to be worked out by the spreadsheet.",
        ) from None


__all__ = ["changed_rule", "read_workbook_changes"]
