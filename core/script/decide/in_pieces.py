"""``payoff.decide`` of data that are read in pieces: folders of parts, batches, ``memory=``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from core.assembly.pieces.decide import decide_plan
from core.assembly.pieces.opened import Pieces
from core.decisions import CaseDecisions, DecisionProblem
from core.document.data.expressions import column_names
from core.document.data.limits import DECIDE, LIMITS, not_in_pieces
from core.document.data.model import DataRef
from core.document.results import DecisionResult
from core.scale.deciding import DecidePlan, StreamedDecision, decide_source
from core.scale.reading import OutcomeSummary, refuse_full_posteriors, refuse_unknown_outcomes
from core.script.decide.decisions import Decisions
from core.script.decide.document import decide_document, refuse_levels
from core.script.decide.request import DecideRequest
from core.script.files.pieces import opened_pieces, outcome_levels, refuse_arguments
from core.script.session import loaded_table
from payoff.counting import counted

MOST_LEVELS = 1_000
FOLD_SEED = 20261
_READABLE = frozenset(
    {
        *("target", "problem", "model", "totals", "warnings", "analysis", "profit_curve"),
        *("total", "average", "expected_total", "best_total", "roi", "counts", "prior_weights"),
        *("intervals", "thresholds", "best_range", "advice", "streamed"),
    }
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DecisionsInPieces(Decisions):
    """What ``payoff.decide`` returns of data that were read in pieces.

    Whatever needs the cases themselves is refused; ``problem`` and ``model`` hold none.
    """

    streamed: StreamedDecision

    def __getattribute__(self, name: str) -> Any:
        """Refuse what is made of the cases."""
        if not name.startswith("_") and name not in _READABLE:
            raise not_in_pieces("decided cases", f"'{name}'")
        return super().__getattribute__(name)

    def __repr__(self) -> str:
        """The total and how many cases it is of."""
        cases = counted(self.streamed.rows, "case")
        return f"<decisions on {cases} read in pieces: {self.total:,.6g}>"

    @property
    def analysis(self) -> DecisionResult:
        """The analysis as page Decide shows it; amounts are profits.

        Raises
        ------
        PayoffError
            Where profit by depth is not made of such data, saying why.
        """
        return self._analysis()

    @property
    def profit_curve(self) -> pd.DataFrame:
        """Profit if the best are acted on, at 1,001 depths, with pointwise 95 % limits."""
        found = self._analysis().models[0]
        names = ("depth", "cases", "threshold", "profit", "low", "high", "expected")
        return pd.DataFrame({name: getattr(found, name) for name in names})

    def _analysis(self) -> DecisionResult:
        if self.streamed.result is None:
            limit = replace(LIMITS["weighted depths"], why=self.streamed.no_result)
            raise limit.refusal("profit by depth of these cases")
        return self.streamed.result


def decide_in_pieces(request: DecideRequest) -> Decisions | pa.Table:
    """Decide rows piece by piece; never more than memory allows is held.

    Small data are given back as one table, to be decided as any other.

    Raises
    ------
    PayoffError
        For arguments that need all cases at once, with what would help; for data that cannot be
        read or judged, with file and row.
    """
    columns = _columns(request)
    with opened_pieces(request, columns) as pieces:
        if pieces.is_small:
            return pieces.as_table()
        refuse_arguments(request, DECIDE)
        if request.target is None:
            raise not_in_pieces("unknown outcomes")
        request.check()
        plan, outcome = _plan(request, pieces, pieces.source.require(columns))
        found = decide_source(
            pieces.source,
            plan,
            pieces.budget,
            pieces.runner,
            progress=pieces.context.progress,
            should_stop=pieces.context.should_stop,
        )
        return DecisionsInPieces(
            target=request.target or "",
            problem=plan.problem,
            model=plan.scores,
            cases=_no_cases(plan.problem),
            totals=found.totals,
            warnings=_warnings(found, pieces, plan, outcome),
            streamed=found,
        )


def _columns(request: DecideRequest) -> tuple[str, ...]:
    """All columns that the request reads."""
    names = [request.target, request.predicted, request.weight, request.amount, request.leaf]
    names += [*(request.posteriors or {}).values(), *(request.quantiles or {}).values()]
    names += [cost for cost in request.costs or () if isinstance(cost, str)]
    names += column_names(request.rows) if request.rows else ()
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _plan(
    request: DecideRequest, pieces: Pieces, columns: tuple[str, ...]
) -> tuple[DecidePlan, OutcomeSummary]:
    """What is asked, as the document of page Decide says it."""
    assert request.target is not None
    outcome = outcome_levels(
        pieces, request.target, request.rows, request.missing_outcomes, MOST_LEVELS
    )
    request = replace(request, old_priors=_old_priors(request, outcome))
    table = loaded_table(pieces.head(columns))
    named = tuple((request.posteriors or {}).keys())
    levels = tuple(str(level) for level in named)
    classes = (*levels, *(level for level in outcome.levels() if level not in levels))
    is_named = isinstance(request.matrix, str)
    document = decide_document(table, request, pieces.context, classes if is_named else ())
    document = replace(
        document, data=DataRef(path=pieces.source.name, rows=pieces.source.rows, columns=columns)
    )
    refuse_unknown_outcomes(outcome, document)
    refuse_full_posteriors(document)
    assert document.target is not None
    if not outcome.too_many and set(outcome.levels()) - set(document.target.levels):
        refuse_levels(document.target, tuple(outcome.levels()))
    return decide_plan(document, table, pieces, columns), outcome


def _old_priors(request: DecideRequest, outcome: OutcomeSummary) -> Any:
    """Old priors that are those of the data as shares by level."""
    if request.old_priors != "data":
        return request.old_priors
    if request.rows is not None or request.weight is not None:
        raise not_in_pieces("priors of the data")
    counts = outcome.levels()
    known = counts if isinstance(request.matrix, str) else {str(k): 0 for k in request.matrix}
    shares = {level: float(counts.get(level, 0)) for level in known}
    total = sum(shares.values()) or 1.0
    return {level: share / total for level, share in shares.items()}


def _no_cases(problem: DecisionProblem) -> CaseDecisions:
    none, codes = np.empty(0), np.empty(0, dtype=np.uint8)
    shape = (len(problem.levels), len(problem.decisions))
    return CaseDecisions(
        decision=codes,
        expected=none,
        computed=none,
        best=none,
        investment=None,
        roi=None,
        marks=codes,
        posteriors=None,
        class_decision_cases=np.zeros(shape),
        class_decision_expected=np.zeros(shape),
    )


def _warnings(
    found: StreamedDecision, pieces: Pieces, plan: DecidePlan, outcome: OutcomeSummary
) -> tuple[str, ...]:
    target = plan.document.target
    assert target is not None
    unknown = {k: n for k, n in outcome.levels().items() if k not in target.levels}
    listed = ", ".join(f"'{k}' ({counted(n, 'row')})" for k, n in list(unknown.items())[:8])
    about = (f"Values of '{target.column}' that are none of its levels: {listed}.",)
    return (
        pieces.budget.note(found.pieces),
        *pieces.source.notes,
        *(about if unknown else ()),
        *(f"{counted(rows, 'row')} left out: {reason}." for reason, rows in found.dropped),
        *((found.no_result,) if found.no_result else ()),
    )


__all__ = ["DecisionsInPieces", "decide_in_pieces"]
