"""A decision workbook that somebody changed, beside what the program wrote into it."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.context import AssemblyContext
from core.assembly.numbers import resolved_cells
from core.data import LoadedTable, load
from core.decisions.rules.workbook_changes import read_workbook_changes
from core.document.data.model import ReaderSettings
from core.document.model import Document
from core.document.studies.rule_hand_over import WorkbookChanges
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

    def load_sheet(name: str) -> LoadedTable:
        settings = ReaderSettings(
            part=name, has_header=False, missing_marks=("",), left_out=(), number_texts=False
        )
        readers = context.tables.find_readers
        return load(question.path, settings, should_stop=context.should_stop, find_readers=readers)

    found = read_workbook_changes(question.path, load_sheet)
    return replace(found, resolved=resolved_cells(document, context))
