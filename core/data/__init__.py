"""Tables: reading, roles, splits, what the engine reads from a table, and writing.

The file is read once into Arrow columns (``load``); every other function answers from a
``LoadedTable``. Each refusal is a ``PayoffError`` that names file, line, data row, column, value.
"""

from __future__ import annotations

from core.data.cancellation import (
    Progress,
    ShouldStop,
    listen_for_stop,
    never_stop,
    no_progress,
)
from core.data.combine.joining import likely_keys, match_rows
from core.data.combine.made_tables import build_table, with_derived_columns
from core.data.combine.overlap import find_overlap, overlap_warnings, rows_sharing_ids
from core.data.expressions import ExpressionValues, evaluate_expression, row_filter
from core.data.identity import content_hash, file_stamp, find_moved, remembered_hash, rows_identity
from core.data.levels import (
    FEW_LEVELS,
    count_levels,
    encode_levels,
    known_order,
    list_first_rows,
    outcome_codes,
    printed,
    sparse_levels_words,
)
from core.data.matching import check_same_roles, needed_columns
from core.data.probabilities import complete_posteriors, posterior_warnings, posteriors
from core.data.profile.row_order import column_ranks, ordered_rows
from core.data.profile.summary import (
    column_detail,
    ordered_page,
    rows_page,
    summarise_rows,
    texts_at,
)
from core.data.reading.loading import (
    arrow_of,
    as_table_of_its_own,
    from_data,
    is_collection,
    load,
)
from core.data.reading.memory import check_memory, free_memory
from core.data.reading.plain_numbers import plain_numbers
from core.data.reading.previewing import preview
from core.data.roles.guessing import guess_roles
from core.data.samples import (
    NEW_CUSTOMERS_FILE,
    SAMPLE_FILE,
    sample_document,
    write_sample,
)
from core.data.splits import (
    ROW_USE_CODES,
    UNKNOWN_USE,
    check_outcome,
    checked_rows,
    lacking_in_words,
    row_uses,
    rows_inside,
    rows_with_outcome_expected,
    rows_with_use,
    rows_without_outcome,
    select_rows,
    usable_rows,
)
from core.data.table import LoadedTable, RowPlaces
from core.data.values import (
    column_as_float,
    column_as_text,
    frequency,
    place_of,
    predictions,
    refuse_overflow,
    scores,
)
from core.data.writing import write_arrow, write_columns

__all__ = [
    "FEW_LEVELS",
    "NEW_CUSTOMERS_FILE",
    "ROW_USE_CODES",
    "SAMPLE_FILE",
    "UNKNOWN_USE",
    "ExpressionValues",
    "LoadedTable",
    "Progress",
    "RowPlaces",
    "ShouldStop",
    "arrow_of",
    "as_table_of_its_own",
    "build_table",
    "check_memory",
    "check_outcome",
    "check_same_roles",
    "checked_rows",
    "column_as_float",
    "column_as_text",
    "column_detail",
    "column_ranks",
    "complete_posteriors",
    "content_hash",
    "count_levels",
    "encode_levels",
    "evaluate_expression",
    "file_stamp",
    "find_moved",
    "find_overlap",
    "free_memory",
    "frequency",
    "from_data",
    "guess_roles",
    "is_collection",
    "known_order",
    "lacking_in_words",
    "likely_keys",
    "list_first_rows",
    "listen_for_stop",
    "load",
    "match_rows",
    "needed_columns",
    "never_stop",
    "no_progress",
    "ordered_page",
    "ordered_rows",
    "outcome_codes",
    "overlap_warnings",
    "place_of",
    "plain_numbers",
    "posterior_warnings",
    "posteriors",
    "predictions",
    "preview",
    "printed",
    "refuse_overflow",
    "remembered_hash",
    "row_filter",
    "row_uses",
    "rows_identity",
    "rows_inside",
    "rows_page",
    "rows_sharing_ids",
    "rows_with_outcome_expected",
    "rows_with_use",
    "rows_without_outcome",
    "sample_document",
    "scores",
    "select_rows",
    "sparse_levels_words",
    "summarise_rows",
    "texts_at",
    "usable_rows",
    "with_derived_columns",
    "write_arrow",
    "write_columns",
    "write_sample",
]
