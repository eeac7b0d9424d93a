"""The jobs on rules and matrices in files.

The job that applies a rule to another file: no outcome needed, totals named as expected.

The job that hands the document's rule over to other systems.

The jobs that read a matrix from a file and write the document's matrix to one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from core import data
from core.assembly.cases import prior_warnings
from core.assembly.context import table_of
from core.assembly.decide.decided_table import (
    DecidedTable,
    cursor_cut_off,
    decide_table,
)
from core.assembly.decide.lists import check_new_cases, decided_cases, level_lines
from core.assembly.matrix import Matrix, matrix_of
from core.data import LoadedTable, column_as_float
from core.decisions import ModelScores, rule_of
from core.decisions.matrices.fitting import advice_on, fitted_matrix, knot_matrix
from core.decisions.matrices.reading import read_matrix_file
from core.decisions.matrices.writing import write_matrix_file
from core.decisions.rules.code_forms import RuleInputs, posterior_table
from core.decisions.rules.export import named_costs, write_rule_folder
from core.document.data.results import RowsPage
from core.document.model import Document, OldPriorKind, Role, TargetSpec
from core.document.results import Advice, AppliedShift, ApplyResult
from core.document.studies.decision_files import (
    ExportRuleArguments,
    MatrixFile,
    MatrixImport,
    MatrixWritten,
    ReadMatrixArguments,
    Rows,
    RuleExported,
    WriteMatrixArguments,
)
from core.engine.context import JobContext
from core.engine.jobs.decide.saving import (
    write_decisions,
)
from core.engine.messages import ApplyArguments
from core.questions.needs import named_classes, named_target
from payoff.errors import PayoffError
from payoff.types import FloatArray

PREVIEW_ROWS = 100


def apply_rule(arguments: ApplyArguments, context: JobContext) -> ApplyResult:
    """Decide the rows of another file by the document's rule; save them if asked to.

    The file needs the columns of the rule (chances, costs), not the outcome; levels and columns
    are checked before anything is decided.
    """
    document = arguments.document
    table = _table(arguments, context)
    checks = data.check_same_roles(table, document, (arguments.model,))
    use_cursor = arguments.save is not None and arguments.save.use_cursor
    cut = cursor_cut_off(document, arguments.model, context) if use_cursor else None
    everyone = replace(document, split=replace(document.split, where=""))
    decided = decide_table(table, everyone, arguments.model, cut, context, evaluated=document)
    decided = replace(decided, document=document)  # the record names the project's filter
    shift, lines = shift_of(decided, context)
    warnings = (
        *checks,
        *filter_warnings(document),
        *decided.cases.warnings,
        *prior_warnings(document, arguments.model),
    )
    saved = None
    if arguments.save is not None:
        request = replace(arguments.save, document=document, model=arguments.model)
        saved = write_decisions(decided, request, warnings, context)
    totals = dict(decided.totals)
    columns, page = _preview(decided)
    return ApplyResult(
        path=arguments.path,
        rows=table.rows,
        expected_total=totals.get("expected_total", float("nan")),
        counts=decided.counts,
        realised_total=totals.get("realised_total"),
        saved=saved,
        preview=page,
        preview_columns=columns,
        warnings=warnings,
        checks=lines,
        shift=shift,
    )


def filter_warnings(document: Document) -> tuple[str, ...]:
    """That a row filter of the project leaves no case of another file out."""
    where = document.split.where
    if not where:
        return ()
    return (
        f"The project's numbers come from rows where {where}; here every row of the file is "
        "decided, whether that is true of it or not.",
    )


def shift_of(
    decided: DecidedTable, context: JobContext
) -> tuple[AppliedShift | None, tuple[Advice, ...]]:
    """How like the evaluated rows some decided cases are, with levels never seen."""
    new = decided_cases(decided.problem, decided.scores, decided.decided.decision)
    shift, lines = check_new_cases(new, decided.evaluated, decided.model, decided.cut, context)
    unseen = level_lines(decided.table, decided.evaluated, decided.model, context)
    return shift, (*lines, *unseen)


def _table(arguments: ApplyArguments, context: JobContext) -> LoadedTable:
    table = context.tables.read(arguments.path, arguments.reader, context)
    known = arguments.document.data
    if known is not None:
        table = data.with_derived_columns(table, known.recipe.derived)
    context.tables.keep(table)
    return table


def _preview(decided: DecidedTable) -> tuple[tuple[str, ...], RowsPage]:
    """The first rows: id (or row number), chance of the event or prediction, decision, amount."""
    target = decided.document.target
    assert target is not None
    rows = min(PREVIEW_ROWS, decided.table.rows)
    identity = decided.document.column_of(Role.ID)
    has_identity = identity is not None and identity in decided.table.kinds
    first = [str(number) for number in range(1, rows + 1)]
    if has_identity and identity is not None:
        first = data.column_as_text(decided.table, identity)[:rows]
    scores = decided.scores.predicted
    if scores is None:
        corrected = decided.decided.posteriors
        scores = (decided.scores.posteriors if corrected is None else corrected)[0]
    money = decided.problem.sense * decided.decided.expected
    if not decided.has_probabilities:
        scores, money = np.full_like(scores, np.nan), np.full_like(money, np.nan)
    names = decided.names
    cells = tuple(
        (first[row], _short(scores[row]), str(names[row]), _short(money[row]))
        for row in range(rows)
    )
    letter = "L" if decided.problem.sense < 0 else "P"
    headings = (
        identity if has_identity and identity is not None else "row",
        f"P_{target.column}{target.event}",
        f"D_{target.column}",
        f"E{letter}_{target.column}",
    )
    return headings, RowsPage(start=0, rows=cells)


def _short(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.6g}"


def export_document(arguments: ExportRuleArguments, context: JobContext) -> RuleExported:
    """Write the folder, with examples from the document's data."""
    table = table_of(arguments.document, context)
    decided = decide_table(table, arguments.document, arguments.model, None, context)
    context.progress(None, "Writing the rule")
    return export_decided_rule(decided, arguments.folder)


def export_decided_rule(decided: DecidedTable, folder: str) -> RuleExported:
    """Write the folder of the rule that decided a table."""
    document, model = decided.document, decided.model
    scores = decided.scores
    if scores.leaf is not None:
        raise PayoffError(
            f"'{model}' decides by averages of leaves.",
            why="The rule of a case is then in no formula of its own chances and costs.",
            remedy="Let it decide by each case's own score (tab Basis), or save its decisions.",
        )
    problem, names, made_up = named_costs(decided.problem, _cost_columns(decided))
    inputs, columns, notes = _inputs(decided.table, document, model, scores)
    for place, costs in problem.cost_columns.items():
        columns[names[problem.decisions[place]]] = costs
    if problem.amounts is not None:
        columns[problem.amounts.name] = problem.amounts.values
    if made_up:
        label = decided.matrix.plugin.label
        notes = (*notes, f"{', '.join(made_up)}: “{label}” works these out by case.")
    rule = rule_of(problem, scores, cost_columns=names)
    files = write_rule_folder(rule, inputs, columns, Path(folder))
    return RuleExported(folder=folder, files=files, inputs=tuple(columns), notes=notes)


def _cost_columns(decided: DecidedTable) -> dict[str, str]:
    spec = decided.matrix.spec
    return {
        decision: cost.column
        for decision, cost in zip(spec.decisions, spec.costs, strict=False)
        if cost.column
    }


def _inputs(
    table: LoadedTable, document: Document, model: str, scores: ModelScores
) -> tuple[RuleInputs, dict[str, FloatArray], tuple[str, ...]]:
    """Posterior columns of a model, where they hold the chances that are really used."""
    target = named_classes(document)
    if document.trained_model(model) is not None:
        words = f"chances of “{model}”, whose trees are handed over apart"
        return _named_probabilities(target, scores, words)
    inputs, columns = _columns_of(table, document, model, target)
    held, used = posterior_table(inputs, columns), scores.posteriors.copy()
    for probabilities in (held, used):  # a case that lacks one has none
        probabilities[:, np.isnan(probabilities).any(axis=0)] = np.nan
    if not np.array_equal(held, used, equal_nan=True):
        words = f"chances of “{model}” as they are used here, not as its columns hold them"
        return _named_probabilities(target, scores, words)
    return inputs, columns, ()


def _columns_of(
    table: LoadedTable, document: Document, model: str, target: TargetSpec
) -> tuple[RuleInputs, dict[str, FloatArray]]:
    given = document.posterior_columns(model)
    named = {level or target.event: column for level, column in given.items()}
    percents = [entry.column for entry in document.roles if entry.is_percent]
    inputs = RuleInputs(
        target=target.column,
        posteriors=tuple((level, named.get(level)) for level in target.levels),
        percents=tuple(column for column in named.values() if column in percents),
    )
    columns = {
        column: column_as_float(table, column, role="posterior") for column in named.values()
    }
    return inputs, columns


def _named_probabilities(
    target: TargetSpec, scores: ModelScores, words: str
) -> tuple[RuleInputs, dict[str, FloatArray], tuple[str, ...]]:
    """Chances that stand in no column of the data, as columns P_ of their own."""
    names = {level: f"P_{target.column}{level}" for level in target.levels}
    inputs = RuleInputs(target=target.column, posteriors=tuple(names.items()))
    columns = {
        names[level]: row for level, row in zip(target.levels, scores.posteriors, strict=True)
    }
    return inputs, columns, (f"{', '.join(columns)}: {words}.",)


def import_matrix(arguments: ReadMatrixArguments, context: JobContext) -> MatrixImport:
    """A file's matrix fitted to the document's outcome."""
    target = named_target(arguments.document)
    labels = tuple(target.label(level) for level in target.levels)
    file = read_matrix_file(
        arguments.path,
        rows=arguments.rows,
        kind=arguments.kind,
        levels=target.levels,
        labels=labels,
    )
    if not target.levels:
        return MatrixImport(file=file, matrix=knot_matrix(file), priors=None, advice=())
    matrix, priors = fitted_matrix(file, target)
    return MatrixImport(file=file, matrix=matrix, priors=priors, advice=advice_on(matrix, target))


def export_matrix(arguments: WriteMatrixArguments, context: JobContext) -> MatrixWritten:
    """Write the document's matrix, its cells worked out where a template gives them."""
    document = arguments.document
    matrix = matrix_of(document, context)
    if matrix.shares is not None:
        raise PayoffError(
            "The matrix cannot be written to a file.",
            why=f"Cells follow '{matrix.spec.amount}', and such files hold plain numbers only.",
            remedy="Hand the rule over instead: its code reads the column.",
        )
    file = _file_of(matrix, arguments)
    axes = write_matrix_file(arguments.path, file, arguments.style)
    has_own_costs = matrix.plugin.costs is not None and not matrix.spec.costs
    note = f"Costs that '{matrix.plugin.label}' works out by case are not in the file."
    return MatrixWritten(path=arguments.path, axes=axes, warnings=(note,) if has_own_costs else ())


def _file_of(matrix: Matrix, arguments: WriteMatrixArguments) -> MatrixFile:
    document, spec = arguments.document, matrix.spec
    chosen = document.model(document.outcome_reference)
    old = chosen.old_priors if chosen is not None else None
    is_known = old is not None and old.kind is OldPriorKind.TRAINED_AT
    return MatrixFile(
        path=arguments.path,
        levels=spec.levels,
        decisions=spec.decisions,
        cells=tuple(tuple(row) for row in matrix.cells.tolist()),
        kind=spec.kind,
        rows=Rows.ACTUAL,
        is_stated=True,
        style=arguments.style,
        acting=spec.acting,
        do_nothing=spec.do_nothing,
        costs=spec.costs,
        priors=document.priors or (),
        old_priors=old.shares if old is not None and is_known else (),
    )
