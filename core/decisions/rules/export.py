"""The hand-over folder of a decision rule: SQL, Python, SAS, contract and expected results."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np

from core.decisions.rules.examples import ROWS, RuleExamples, rule_examples
from core.decisions.rules.excel_form import rule_to_excel
from core.decisions.rules.parts import RuleInputs, RuleParts, expected_results, rule_parts
from core.decisions.rules.python_form import rule_to_python
from core.decisions.rules.rule import Rule
from core.decisions.rules.sas_form import LONGEST, rule_to_sas
from core.decisions.rules.sql_form import DIALECTS, rule_to_sql
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
from payoff.types import AnyArray, FloatArray
from payoff.version import __version__

PYTHON = "decide.py"
SAS = "decide.sas"
EXCEL = "decide.xlsx"
TIES = "A later decision must be better by more than max|cell| x 2^-41; else the earlier one stays."


def write_rule_folder(
    rule: Rule, inputs: RuleInputs, columns: dict[str, FloatArray], folder: Path
) -> tuple[str, ...]:
    """Write the hand-over folder of a rule; returns the names of its files.

    Parameters
    ----------
    rule : Rule
    inputs : RuleInputs
    columns : mapping of column to array (n,)
        Posterior and cost columns of cases to take examples from, as they stand in the data.
    folder : Path
        Made where it is not there. An earlier hand-over in it is replaced.

    Raises
    ------
    PayoffError
        If there are no cases, names clash, the folder holds something else, or cannot be written.
    """
    files = rule_files(rule, inputs, columns)
    write_export(folder, files)
    return tuple(files)


def rule_files(rule: Rule, inputs: RuleInputs, columns: dict[str, FloatArray]) -> dict[str, bytes]:
    """The files of a hand-over by name, the contract last."""
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
        "inputs": [_input(parts, name, columns[name]) for name in parts.columns],
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


def _input(parts: RuleParts, name: str, array: FloatArray) -> dict[str, Any]:
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
        "3. payoff check-handover THAT_FILE --folder THIS_FOLDER --tolerance 1e-12",
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
