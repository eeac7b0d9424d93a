"""The job behind the view of rankings on page Decide."""

from __future__ import annotations

import numpy as np

from core.assembly.analysis import model_named, study_state
from core.assembly.threads import fair_threads
from core.decisions.cases import decide_cases
from core.decisions.studies.class_tables import prediction_table
from core.decisions.studies.rankings import rankings
from core.document.studies.rankings import RankingsArguments, RankingsResult
from core.engine.context import JobContext


def work_out_rankings(arguments: RankingsArguments, context: JobContext) -> RankingsResult:
    """Predicted classes, and response and money by depth, of one model."""
    with fair_threads(context):
        context.progress(None, "Working out totals")
        state, note = study_state(arguments.document, context)
        problem = state.problem
        scores = model_named(state, arguments.model).scores
        context.progress(None, "Ranking cases")
        cases = decide_cases(problem, scores, with_posteriors=True)
        columns = rankings(problem, scores, cases, bins=arguments.bins, by=arguments.by, as_em=True)
        predicted = adjusted = np.zeros((0, 0))
        if not problem.is_interval:
            width = len(problem.levels)
            cells = prediction_table(problem, scores, cases)
            predicted = np.reshape(cells["cases"], (width, width)).astype(np.float64)
            adjusted = np.reshape(cells["adjusted_cases"], (width, width)).astype(np.float64)
        return RankingsResult(
            rows=note,
            model=arguments.model,
            by=arguments.by,
            levels=problem.levels,
            has_priors=problem.priors is not None,
            names=tuple(columns),
            values=np.array(list(columns.values())),
            predicted=predicted,
            adjusted=adjusted,
        )
