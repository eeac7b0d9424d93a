"""A decision workbook that somebody changed, beside what the program wrote into it."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.context import AssemblyContext
from core.assembly.decide.numbers import resolved_cells
from core.data import LoadedTable, ShouldStop, load, never_stop
from core.data.reading.choosing import FindReaders
from core.decisions.rules.workbook_changes import read_workbook_changes
from core.document.data.model import ReaderSettings
from core.document.model import Document
from core.document.studies.decision_files import WorkbookChanges
from core.questions.decide import Workbook
from payoff.errors import PayoffError


def read_workbook(
    document: Document, question: Workbook, context: AssemblyContext
) -> WorkbookChanges:
    """Compare a workbook with what was written into it.

    Of the document only the cells are looked at that take changed numbers over.

    Raises
    ------
    PayoffError
        For a workbook that is none of a rule, naming sheet, row, column and value.
    """
    if not question.path:
        raise PayoffError("Which workbook is to be read back?", remedy="Name decide.xlsx.")

    found = changes_in(question.path, context.tables.find_readers, context.should_stop)
    return replace(found, resolved=resolved_cells(document, context))


def changes_in(
    path: str, find_readers: FindReaders, should_stop: ShouldStop = never_stop
) -> WorkbookChanges:
    """Compare a workbook with what was written into it, without a project.

    Raises
    ------
    PayoffError
        As ``read_workbook``.
    """

    def load_sheet(name: str) -> LoadedTable:
        settings = ReaderSettings(
            part=name, has_header=False, missing_marks=("",), left_out=(), number_texts=False
        )
        return load(path, settings, should_stop=should_stop, find_readers=find_readers)

    return read_workbook_changes(path, load_sheet)
