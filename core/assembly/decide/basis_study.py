"""The tab Basis of page Decide: ways to decide beside each other."""

from __future__ import annotations

import numpy as np

from core.assembly.analysis import analysis_of
from core.assembly.bases import ReadBasis
from core.assembly.cases import cases_of, own_scores
from core.assembly.context import AssemblyContext
from core.assembly.missing_models import without_lost_models
from core.decisions.decision_bases import way_lines
from core.document.model import Document
from core.document.studies.decided_cases import (
    HONEST,
    LEAF,
    SCORE,
    SPREAD,
    BasisResult,
)
from core.questions.decide import Basis


def compare_bases(document: Document, question: Basis, context: AssemblyContext) -> BasisResult:
    """A model's decisions by each case's own score beside those by averages."""
    document = without_lost_models(document, context)[0]
    analysis = analysis_of(document, context)
    state, model = analysis.state, analysis.model(question.model).scores
    cases = cases_of(document, context)
    read = cases.basis(question.model)
    weighted = float(np.nan_to_num(state.class_weight) @ state.rows.class_cases)
    if read is None:
        return BasisResult(rows=analysis.rows, model=model.name, used=SCORE, cases=weighted)
    context.progress(None, "Deciding every way")
    own = next(entry for entry in own_scores(document, cases) if entry.name == model.name)
    spread = read.quantiles
    return BasisResult(
        rows=analysis.rows,
        model=model.name,
        used=_used(read),
        cases=weighted,
        lines=way_lines(state, read.given_to(own)),
        levels=() if spread is None else tuple(float(level) for level in spread.levels),
        leaves=0 if read.leaf is None else len(np.unique(read.leaf.code)),
        crossed=0 if spread is None else spread.crossed,
        tail=0.0 if spread is None else float(spread.levels[0] + 1.0 - spread.levels[-1]),
        has_own_quantiles=model.name in cases.spreads,
        holds_fixed=state.holds_fixed,
    )


def _used(read: ReadBasis) -> str:
    if not read.is_used:
        return SCORE
    if read.leaf is None:
        return SPREAD
    return HONEST if read.leaf.is_honest else LEAF
