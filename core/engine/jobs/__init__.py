"""The handlers of all job kinds: ``HANDLERS[kind](arguments, context) -> result``.

Each imports what it needs when it first runs, so that a preview does not wait for the metrics.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.document.results import (
    ApplyResult,
    ColumnDetail,
    CursorReading,
    DecisionResult,
    EvaluationResult,
    PluginsResult,
    PreviewResult,
    ResampleResult,
    RowsPage,
    SaveResult,
    TableSummary,
)
from core.document.studies.break_even import BreakEvenArguments, BreakEvenResult
from core.document.studies.what_if import WhatIfArguments, WhatIfResult
from core.document.studies.winner_map import WinnerMapArguments, WinnerMapResult
from core.document.training_results import DistributionsResult, ExplainResult, TrainResult
from core.engine.context import JobContext
from core.engine.messages import (
    ApplyArguments,
    ColumnArguments,
    CursorArguments,
    DecideArguments,
    DistributionsArguments,
    EvaluateArguments,
    ExplainArguments,
    LoadArguments,
    PluginsArguments,
    PreviewArguments,
    ResampleArguments,
    RowsArguments,
    SaveArguments,
    TrainArguments,
)
from core.engine.process import Handler


def _preview(arguments: PreviewArguments, context: JobContext) -> PreviewResult:
    from core.engine.jobs.tables import preview_file

    return preview_file(arguments, context)


def _load(arguments: LoadArguments, context: JobContext) -> TableSummary:
    from core.engine.jobs.tables import load_file

    return load_file(arguments, context)


def _rows(arguments: RowsArguments, context: JobContext) -> RowsPage:
    from core.engine.jobs.tables import read_rows

    return read_rows(arguments, context)


def _column(arguments: ColumnArguments, context: JobContext) -> ColumnDetail:
    from core.engine.jobs.tables import describe_column

    return describe_column(arguments, context)


def _evaluate(arguments: EvaluateArguments, context: JobContext) -> EvaluationResult:
    from core.engine.jobs.evaluating import evaluate_models

    return evaluate_models(arguments, context)


def _decide(arguments: DecideArguments, context: JobContext) -> DecisionResult:
    from core.engine.jobs.deciding import decide_cases

    return decide_cases(arguments, context)


def _cursor(arguments: CursorArguments, context: JobContext) -> CursorReading:
    from core.engine.jobs.deciding import read_at_depth

    return read_at_depth(arguments, context)


def _resample(arguments: ResampleArguments, context: JobContext) -> ResampleResult:
    from core.engine.jobs.deciding import draw_resamples

    return draw_resamples(arguments, context)


def _save_decisions(arguments: SaveArguments, context: JobContext) -> SaveResult:
    from core.engine.jobs.saving import save_decisions

    return save_decisions(arguments, context)


def _apply(arguments: ApplyArguments, context: JobContext) -> ApplyResult:
    from core.engine.jobs.applying import apply_rule

    return apply_rule(arguments, context)


def _plugins(arguments: PluginsArguments, context: JobContext) -> PluginsResult:
    from core.engine.jobs.listing import list_plugins

    return list_plugins(arguments, context)


def _train(arguments: TrainArguments, context: JobContext) -> TrainResult:
    from core.engine.jobs.training import train_model

    return train_model(arguments, context)


def _explain(arguments: ExplainArguments, context: JobContext) -> ExplainResult:
    from core.engine.jobs.explaining import explain_model

    return explain_model(arguments, context)


def _distributions(arguments: DistributionsArguments, context: JobContext) -> DistributionsResult:
    from core.engine.jobs.distributions import list_distributions

    return list_distributions(arguments, context)


def _break_even(arguments: BreakEvenArguments, context: JobContext) -> BreakEvenResult:
    from core.engine.jobs.break_even import find_break_even

    return find_break_even(arguments, context)


def _winner_map(arguments: WinnerMapArguments, context: JobContext) -> WinnerMapResult:
    from core.engine.jobs.winner_map import draw_winner_map

    return draw_winner_map(arguments, context)


def _what_if(arguments: WhatIfArguments, context: JobContext) -> WhatIfResult:
    from core.engine.jobs.what_if import try_numbers

    return try_numbers(arguments, context)


HANDLERS: Mapping[str, Handler] = {
    "preview": _preview,
    "load": _load,
    "rows": _rows,
    "column": _column,
    "evaluate": _evaluate,
    "decide": _decide,
    "cursor": _cursor,
    "resample": _resample,
    "save_decisions": _save_decisions,
    "apply": _apply,
    "plugins": _plugins,
    "train": _train,
    "explain": _explain,
    "distributions": _distributions,
    "break_even": _break_even,
    "winner_map": _winner_map,
    "what_if": _what_if,
}
