"""Columns and rows added to the data: the engine makes the table, then a command takes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from core.document.data.commands import (
    AddColumns,
    AddRows,
    ChangeTable,
    DeriveColumn,
    TakeAway,
    without_column,
)
from core.document.data.opening import roles_beside, with_join, with_recipe
from core.document.decisions.starting_matrix import starting_matrix
from core.document.studies.data import MakeTableArguments
from core.questions.needs import require_data
from gui.session.request import Request
from gui.shell.page_list import PageId
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.data.model import (
        DataRecipe,
        DataRef,
        DerivedColumn,
        JoinSpec,
        RowsSpec,
        RowUse,
    )
    from core.document.data.results import TableSummary
    from gui.session.project import Project

OnEnd = Callable[[Exception | None], None]


class TableChanges(QObject):
    """Asks the engine for the changed table; what was there stays if it fails."""

    page_requested = Signal(object)  # PageId

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._project = project
        self.is_taking = False  # a table is being changed: other data do not come

    def add_columns(
        self, join: JoinSpec, on_end: OnEnd | None = None, *, of: QObject | None = None
    ) -> None:
        """Set columns of another file beside the rows; ``of``: whose callback it is."""
        self._make(AddColumns, with_join(self._data(), join), on_end, of)

    def add_rows(
        self,
        own_use: RowUse,
        rows: tuple[RowsSpec, ...],
        on_end: OnEnd | None = None,
        *,
        of: QObject | None = None,
    ) -> None:
        """Take the rows of further files; ``of``: whose callback it is."""
        data = self._data()
        taken = set(data.columns) - {data.recipe.use_column if data.recipe.rows else ""}
        name = data.recipe.use_column
        while name in taken:
            name += "_"
        recipe = replace(
            data.recipe, own_use=own_use, use_column=name, rows=(*data.recipe.rows, *rows)
        )
        self._make(AddRows, with_recipe(data, recipe), on_end, of)

    def derive(
        self,
        column: DerivedColumn,
        on_end: OnEnd | None = None,
        *,
        of: QObject | None = None,
        page: PageId = PageId.DATA,
    ) -> None:
        """Work a column out from others; ``of``: whose callback it is, ``page``: what is shown."""
        data = self._data()
        recipe = replace(data.recipe, derived=(*data.recipe.derived, column))
        self._make(DeriveColumn, with_recipe(data, recipe), on_end, of, page)

    def make_again(self, recipe: DataRecipe) -> None:
        """Make the table anew after the file itself was read in another way."""
        if not recipe.is_empty:
            self._make(ChangeTable, with_recipe(self._data(), recipe))

    def take_away(self, column: str) -> None:
        """Take a derived column, or the join that a column came with, away again."""
        try:
            self._make(TakeAway, without_column(self._data(), column))
        except PayoffError as refusal:
            self._project.post(refusal)

    def _data(self) -> DataRef:
        return require_data(self._project.document)

    def _make(
        self,
        command: type[ChangeTable],
        data: DataRef,
        on_end: OnEnd | None = None,
        of: QObject | None = None,
        page: PageId = PageId.DATA,
    ) -> None:
        from core.document.data.results import TableSummary

        before = self._project.document.data

        def on_result(result: TableSummary) -> None:
            self._take(command, result, page)
            if on_end is not None and (of is None or isValid(of)):
                on_end(None)

        def on_error(error: Exception) -> None:
            if on_end is not None and (of is None or isValid(of)):
                on_end(error)
            else:
                self._project.post(error)

        Request(self, self._project).run(
            "make_table",
            MakeTableArguments(data=data),
            TableSummary,
            title="Putting the table together",
            on_result=on_result,
            on_error=on_error,
            is_wanted=lambda: self._project.document.data == before,
        )

    def _take(self, command: type[ChangeTable], summary: TableSummary, page: PageId) -> None:
        project = self._project
        document, old = project.document, project.summary
        target = document.target or summary.target
        matrix = None
        if target is not None:
            matrix = starting_matrix(target, summary.columns)
        project.summary = summary  # first: the command finds the summary of its data there
        change = command(
            data=summary.data,
            roles=roles_beside(document, summary),
            target=target,
            split=summary.split if command is AddRows else document.split,
            matrix=matrix,
        )
        self.is_taking = True
        try:
            taken = project.execute(change)
        finally:
            self.is_taking = False
        if not taken:
            project.summary = old
            return
        project.finish_editing()
        project.take_summary(summary)
        self.page_requested.emit(page)  # that of the data has its columns and warnings
