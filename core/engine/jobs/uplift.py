"""The job that writes who is to be treated, with a record beside the file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from core import data
from core.assembly.context import table_of
from core.assembly.uplift.page import spec_with_prices
from core.assembly.uplift.prepared import PreparedUplift, prepared_uplift
from core.document.files.codec import to_plain
from core.document.files.guarded import check_targets
from core.document.model import Document, Role
from core.document.results import SaveResult
from core.document.studies.uplift import SaveUpliftArguments
from core.document.uplift.model import UpliftSpec
from core.engine.context import JobContext
from core.engine.jobs.decide.saving import (
    RECORD_SUFFIX,
    data_record,
    file_record,
    kept_columns,
    versions,
    write_record,
)
from core.uplift.choice import gain_interval, offer_of
from core.uplift.page_figures import best_choice, prices_from
from core.uplift.ranked.curves import chosen_nu
from core.uplift.ranked.ranking import UpliftRanking
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import AnyArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """Where treating ends: cases that score at least ``threshold`` are treated."""

    depth: float
    threshold: float
    gain: float
    low: float
    high: float
    cross_fitted: float | None
    how: str

    @property
    def honest_gain(self) -> tuple[str, float]:
        """The gain to go by: where these rows chose the depth, what the halves say."""
        if self.depth == 0.0 or self.cross_fitted is None or np.isnan(self.cross_fitted):
            return "expected net gain", self.gain
        return "expected net gain, cross-fitted", self.cross_fitted


def save_uplift(arguments: SaveUpliftArguments, context: JobContext) -> SaveResult:
    """Write the decision of every row of the data.

    Raises
    ------
    PayoffError
        As page Uplift; for a model that does not rank these cases, or a file that would
        overwrite the data.
    """
    document = arguments.document
    made = prepared_uplift(document, context)
    ranking = made.rankings.get(arguments.model)
    if ranking is None:
        known = ", ".join(made.rankings) or "none"
        raise PayoffError(f"No ranking is called '{arguments.model}'.", why=f"There are: {known}.")
    table = table_of(document, context)
    check_targets([arguments.path, arguments.path + RECORD_SUFFIX])
    cut = _cut_of(ranking, spec_with_prices(document, context), arguments.depth, document.seed)
    score = made.kept[arguments.model][0].score
    columns = {
        **kept_columns(document, table, arguments.keep_columns),
        **_decided(made, score, cut.threshold),
    }
    context.progress(None, f"Writing {Path(arguments.path).name}")
    data.write_columns(arguments.path, columns)
    warnings = _warnings(made, score)
    record = _record(arguments, made, cut, columns, score, warnings, context)
    record_path = write_record(arguments.path, record)
    return SaveResult(
        path=arguments.path,
        record_path=record_path,
        rows=table.rows,
        columns=tuple(columns),
        totals=(cut.honest_gain,),
        warnings=warnings,
    )


def _cut_of(ranking: UpliftRanking, spec: UpliftSpec, depth: float | None, seed: int) -> _Cut:
    """The best depth at the prices, or the given one."""
    if depth is None:
        best = best_choice(ranking, spec, seed)
        return _Cut(
            depth=best.depth,
            threshold=np.inf if best.is_nobody else best.threshold,
            gain=best.gain,
            low=best.gain_low,
            high=best.gain_high,
            cross_fitted=best.cross_fitted,
            how="the best depth at these prices, read on these rows",
        )
    if not 0.0 <= depth <= 1.0:
        raise PayoffError(f"The share {depth:g} cannot be treated.", why="It lies from 0 to 1.")
    how = "the depth at the cursor"
    group = int(np.searchsorted(ranking.depth, depth * (1 - 1e-12)))
    if depth == 0.0:
        return _Cut(
            depth=0.0, threshold=np.inf, gain=0.0, low=0.0, high=0.0, cross_fitted=None, how=how
        )
    prices = prices_from(spec)
    nu = chosen_nu(ranking, spec.nu)
    low, high = gain_interval(ranking, prices, group + 1, nu=nu)
    return _Cut(
        depth=float(ranking.depth[group]),
        threshold=float(ranking.thresholds[group]),
        gain=float(offer_of(ranking, prices, nu).gain[group + 1]),
        low=low,
        high=high,
        cross_fitted=None,
        how=how,
    )


def _decided(made: PreparedUplift, score: FloatArray, threshold: float) -> dict[str, AnyArray]:
    """The arm each case is to get, and the score that says so; empty where there is no score."""
    cases = made.cases
    arms = np.array([cases.arms.control, cases.arms.treated, ""])
    place = np.where(np.isnan(score), 2, (score >= threshold).astype(np.int64))
    return {f"D_{cases.treatment}": arms[place], f"U_{cases.outcome}": score}


def _warnings(made: PreparedUplift, score: FloatArray) -> tuple[str, ...]:
    found = list(made.notes)
    missing = int(np.isnan(score).sum())
    if missing:
        found.append(
            f"{counted(missing, 'row has', 'rows have')} no score, and no decision either."
        )
    if made.guard.state == "error":
        found.append(f"{made.guard.headline} The gain may not be what treating brings.")
    return tuple(found)


def _record(
    arguments: SaveUpliftArguments,
    made: PreparedUplift,
    cut: _Cut,
    columns: dict[str, Any],
    score: FloatArray,
    warnings: tuple[str, ...],
    context: JobContext,
) -> dict[str, Any]:
    """What a later reader needs to repeat the file, as plain JSON values."""
    document, cases = arguments.document, made.cases
    spec, table = spec_with_prices(document, context), table_of(document, context)
    return {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "project": document.name,
        "file": file_record(arguments.path, table.rows, tuple(columns)),
        "data": data_record(table, document.column_of(Role.ID)),
        "experiment": {
            "treatment": cases.treatment,
            "treated": cases.arms.treated,
            "control": cases.arms.control,
            "outcome": cases.outcome,
            "event": cases.event,
            "cases": made.experiment.total,
            "check": made.guard.headline,
        },
        "model": arguments.model,
        "prices": {
            "value": spec.value,
            "contact": spec.contact,
            "redemption": spec.redemption,
            "from_matrix": to_plain(_matrix_of(document)),
        },
        "cut_off": {
            "rule": "treat the cases whose score is at least the threshold",
            "how": cut.how,
            "depth": cut.depth,
            "threshold": to_plain(cut.threshold),
        },
        "expected_net_gain": {
            "value": to_plain(cut.gain),
            "low": to_plain(cut.low),
            "high": to_plain(cut.high),
            "cross_fitted": to_plain(cut.cross_fitted),
            "of": "the evaluated cases, were they all at hand again",
        },
        "counts": {
            "treated": int(np.sum(score >= cut.threshold)),
            "not treated": int(np.sum(score < cut.threshold)),
            "without a decision": int(np.isnan(score).sum()),
        },
        "seed": document.seed,
        "warnings": list(warnings),
    }


def _matrix_of(document: Document) -> Any:
    return document.matrix if document.uplift.follows_matrix else None
