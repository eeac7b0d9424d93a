"""The jobs that read a matrix from a file and write the document's matrix to one."""

from __future__ import annotations

from core.assembly.matrix import Matrix, matrix_of
from core.decisions.matrices.fitting import advice_on, fitted_matrix, knot_matrix
from core.decisions.matrices.reading import read_matrix_file
from core.decisions.matrices.writing import write_matrix_file
from core.document.model import OldPriorKind
from core.document.studies.decision_files import (
    MatrixFile,
    MatrixImport,
    MatrixWritten,
    ReadMatrixArguments,
    Rows,
    WriteMatrixArguments,
)
from core.engine.context import JobContext
from core.questions.needs import named_target
from payoff.errors import PayoffError


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
    chosen = document.model(document.reference_model or "")
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
