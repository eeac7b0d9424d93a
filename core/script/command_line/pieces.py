"""What the verbs answer of data that were read in pieces."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from core.scale.uplift.rankings import VARIANTS
from core.script.command_line.answering import Json
from core.script.decide.in_pieces import DecisionsInPieces
from core.script.uplift.in_pieces import UpliftInPieces


def pieces_options(parsed: argparse.Namespace) -> Json:
    """The options that say how data are read in pieces, as arguments of functions."""
    return {"memory": parsed.memory, "scratch": parsed.scratch, "dask": parsed.cluster}


def decided_pieces_json(decided: DecisionsInPieces) -> Json:
    """Totals and intervals, the rule, and the best depth where profit by depth is worked out."""
    counts = decided.counts
    answer: Json = {
        "cases": decided.streamed.rows,
        "total": decided.total,
        "total_interval": list(decided.intervals["total"]),
        "average": decided.average,
        "average_interval": list(decided.intervals["average"]),
        "expected_total": decided.expected_total,
        "best_total": decided.best_total,
        "roi": decided.roi,
        "prior_weights": decided.prior_weights,
        "counts": {
            str(level): {str(name): float(count) for name, count in row.items()}
            for level, row in counts.iterrows()
        },
        "dropped": dict(decided.streamed.dropped),
        "warnings": list(decided.warnings),
    }
    if decided.streamed.result is not None:
        model = decided.analysis.models[0]
        answer |= {
            "rule": decided.analysis.rule_text,
            "threshold": decided.thresholds().rule,
            "best_depth": model.best_depth,
            "best_profit": model.best_profit,
            "best_profit_crossfitted": asdict(model.best_profit_crossfitted),
            "advice": [{"state": a.state, "text": a.text} for a in decided.advice],
        }
    return answer


def uplift_pieces_json(found: UpliftInPieces) -> Json:
    """Every area of every score."""
    return {
        "cases": found.rows,
        "treated": found.treated,
        "control": found.control,
        "warnings": list(found.validity),
        "scores": {
            name: {
                "nu": found.nu[name],
                "areas": {variant: asdict(found.area(variant, name)) for variant in VARIANTS},
            }
            for name in found.nu
        },
    }
