"""The record of a run as plain JSON values: what was asked, and what came out."""

from __future__ import annotations

import platform
from typing import Any

from core.document.decisions.words import chances_sentence
from core.document.files.codec import to_plain
from core.document.model import Document
from core.document.results import DecisionResult, Estimate, EvaluationResult
from payoff.types import FloatArray


def run_record(
    document: Document, evaluation: EvaluationResult, decisions: DecisionResult
) -> dict[str, Any]:
    """Everything a later reader needs to repeat the numbers, and the numbers."""
    return {
        "project": document.name,
        "data": to_plain(document.data) if document.data else None,
        "rows": {"used": decisions.rows.text, "dropped": to_plain(decisions.rows.dropped)},
        "seed": document.seed,
        "matrix": to_plain(document.matrix) if document.matrix else None,
        "cells": _rows(decisions.cells),
        "shares_of_amount": _rows(decisions.shares),
        "priors": to_plain(document.priors),
        "models": [_model_record(document, decisions, index) for index in range(_count(decisions))],
        "metrics": [
            {"metric": cell.metric, "model": cell.model, **_estimate(cell.estimate)}
            for cell in evaluation.cells
        ],
        "rule": decisions.rule_text,
        "advice": [{"state": entry.state, "text": entry.text} for entry in decisions.advice],
        "warnings": list(dict.fromkeys((*evaluation.warnings, *decisions.warnings))),
        "python": platform.python_version(),
    }


def _rows(cells: FloatArray | None) -> Any:
    return None if cells is None else to_plain(tuple(tuple(row) for row in cells.tolist()))


def _count(decisions: DecisionResult) -> int:
    return len(decisions.models)


def _model_record(document: Document, decisions: DecisionResult, index: int) -> dict[str, Any]:
    profit = decisions.models[index]
    settings = document.model(profit.model)
    return {
        "model": profit.model,
        "old_priors": to_plain(settings.old_priors) if settings else None,
        "chances": chances_sentence(settings, document.rows_used, document.data_hash)
        if settings
        else "",
        "total": _estimate(profit.total),
        "average": _estimate(profit.average),
        "expected_total": to_plain(float(profit.expected_total)),
        "best_total": to_plain(float(profit.best_total)),
        "roi": to_plain(float(profit.roi)),
        "rule_depth": to_plain(float(profit.rule_depth)),
        "best_depth": to_plain(float(profit.best_depth)),
        "best_profit": to_plain(float(profit.best_profit)),
        "best_profit_crossfitted": _estimate(profit.best_profit_crossfitted),
        "chart_end": to_plain(float(profit.chart_end)),
        "warnings": list(profit.warnings),
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": to_plain(float(estimate.value)),
        "low": to_plain(float(estimate.low)),
        "high": to_plain(float(estimate.high)),
        "method": estimate.method,
        "holds_fixed": estimate.holds_fixed,
        "note": estimate.note,
    }
