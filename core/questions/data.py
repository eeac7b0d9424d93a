"""The questions of page Data."""

from __future__ import annotations

from core.document.data.model import JoinSpec
from core.document.data.results import ColumnDetail, RowsPage
from core.document.studies.data import (
    ExpressionResult,
    JoinReport,
    OutcomeGaps,
    Overlap,
    TableOrder,
)
from core.document.views import BY_CLASS, FILTERED, TABLE, USES
from core.questions.lanes import Lane
from core.questions.needs import DATA, OUTCOME
from core.questions.question import Question, given, question


@question(
    "data.rows",
    title="Rows of the table",
    reads=FILTERED,
    needs=(DATA,),
    work="core.assembly.page_data:page_of_rows",
    lane=Lane.QUICK,
    of_parts="core.assembly.pieces.look:page_of_parts",
)
class TableRows(Question[RowsPage]):
    """Cells of some rows as text, at most 2,000 at once, in the file's order or another."""

    start: int = given(
        "First row", default=0, help="counted from 0 in the order asked for", at_least=0
    )
    count: int = given("How many", default=100, at_least=0)
    order: TableOrder = given(
        "Order", default=TableOrder(), help="sorted, searched, or rows of the row filter only"
    )


@question(
    "data.column",
    title="A column by class",
    reads=BY_CLASS,
    needs=(DATA,),
    work="core.assembly.page_data:describe_column",
    view="core.presentation.data:column_by_class",
    lane=Lane.QUICK,
    is_stored=True,
    of_parts="core.assembly.pieces.look:describe_first_rows",
)
class ColumnByClass(Question[ColumnDetail]):
    """One column at a glance, and its distribution within each class of the outcome.

    Only rows for which the row filter is true are counted by class.
    """

    column: str = given("Column", is_subject=True)


@question(
    "data.overlap",
    title="Rows in common",
    reads=USES,
    needs=(DATA,),
    work="core.assembly.page_data:compare_uses",
)
class RowsInCommon(Question[Overlap]):
    """Which rows of train, validation and test have one id, or the same values."""


@question(
    "data.outcome_gaps",
    title="Rows without an outcome",
    reads=USES,
    needs=(DATA, OUTCOME),
    work="core.assembly.page_data:count_outcome_gaps",
    of_parts="core.assembly.pieces.look:count_gaps_of_parts",
)
class RowsWithoutOutcome(Question[OutcomeGaps]):
    """How many rows have no outcome though they should, and which are the first.

    Rows outside the row filter, and rows that a column says are to decide, should have none.
    """


@question(
    "data.join",
    title="A join tried",
    reads=TABLE,
    needs=(DATA,),
    work="core.assembly.page_data:try_join",
)
class TryJoin(Question[JoinReport]):
    """What setting columns of another file beside the rows would do; nothing is changed."""

    join: JoinSpec = given("Join", help="another file, the columns that match, those to take")


@question(
    "data.expression",
    title="An expression tried",
    reads=TABLE,
    needs=(DATA,),
    work="core.assembly.page_data:try_expression",
    lane=Lane.QUICK,
)
class TryExpression(Question[ExpressionResult]):
    """What an expression over the columns gives; nothing is changed.

    One that cannot be read is no failure: the answer says why.
    """

    text: str = given("Expression")
    is_filter: bool = given("A row filter", default=False)
