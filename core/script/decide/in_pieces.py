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
from core.document.data.model import DataRef
from core.document.results import DecisionResult
from core.scale.deciding import DecidePlan, StreamedDecision, decide_source
from core.scale.reading import OutcomeSummary, refuse_full_posteriors, refuse_unknown_outcomes
from core.script.decide.decisions import Decisions
from core.script.decide.document import decide_document, refuse_levels
from core.script.decide.request import DecideRequest
from core.script.files.pieces import opened_pieces, outcome_levels
from core.script.session import loaded_table
from payoff.counting import counted
from payoff.errors import PayoffError

MOST_LEVELS = 1_000
FOLD_SEED = 20261
_LEFT_OUT = {
    "predicted": "a number as the outcome",
    "quantiles": "predicted quantiles",
    "leaf": "leaves of a tree, which average over all cases",
    "amount": "amounts of cases: ties are judged by the largest of all",
    "outputs": "columns of cases; payoff.apply_to_parts writes decisions from parts to parts",
}
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
            raise PayoffError(
                f"'{name}' needs the cases themselves.",
                why="They were read in pieces and do not fit into memory.",
                remedy="Ask it of a sample; payoff.apply_to_parts writes decisions to parts.",
            )
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
            raise PayoffError(
                "There is no profit by depth of these cases.",
                why=self.streamed.no_result,
                remedy="Totals and intervals are there. Decide a sample for profit by depth.",
            )
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
        _refuse_arguments(request)
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


def _refuse_arguments(request: DecideRequest) -> None:
    for name, words in _LEFT_OUT.items():
        if getattr(request, name):
            raise PayoffError(
                f"{name}= is not possible where data are read in pieces.",
                why=f"There is no way yet for {words}."
                if name == "predicted"
                else f"It is about {words}.",
                remedy="Decide rows that fit into memory, or leave memory= out.",
            )
    if request.target is None:
        raise PayoffError(
            "No outcome is named.",
            why="Of data read in pieces totals of known outcomes are worked out.",
            remedy="Name the target; payoff.apply_to_parts decides new cases.",
        )


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
        raise PayoffError(
            "old_priors='data' is not possible with rows= or weight= where data are read in "
            "pieces.",
            remedy="Give the shares: old_priors={level: share}.",
        )
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
