"""``payoff.uplift``: what treating brings, for scripts."""

from __future__ import annotations

from core.assembly.uplift.cases import true_effects
from core.assembly.uplift.prepared import prepared_uplift
from core.document.views import EXPERIMENT
from core.engine.context import JobContext
from core.script.requests import called_with_fields_of
from core.script.session import engine, loaded_table
from core.script.uplift.document import POINTWISE, UpliftRequest, uplift_document
from core.script.uplift.result import UpliftEvaluation


@called_with_fields_of(UpliftRequest)
def uplift(request: UpliftRequest) -> UpliftEvaluation:
    """Judge rankings by predicted uplift on an experiment.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    outcome : str
        0/1, any number, or two levels.
    treatment : str
        Column of the arm as assigned.
    scores : str, list of str or {name: column}
        Predicted uplift, or anything that ranks: higher = treat first.
    propensity : str, optional
        Column of the chance of being treated, or "estimate": boosted trees on ``covariates``,
        cross-fitted. Left out = the share of the treated, whose estimation errors include.
    weight : str, optional
        Case weights; weight 2 = the row twice. With fractions they are sampling weights: rows are
        the cases that were seen.
    nu : float, "optimal", "area" or "pointwise"
        Baseline of V_nu.
    true_effect : str, optional
        Column of the true effect, where it is known.
    covariates : list of str, optional
        Columns known before the treatment: the guard looks whether they tell the arms apart.
    treated, control : level, optional
        The arms compared; needed where they cannot be told by their names, or there are more.
    event : level, optional
        Of an outcome of levels, the one that counts.
    clip : float, optional
        Keep propensities this far from 0 and 1.
    planned_share : float, optional
        Share of the treated as planned, for the sample-ratio test.
    drawn_by_lot : bool, optional
        What is known of the assignment.
    seed : int
        Of cross-fitting and of the guard's sample of rows.
    missing_outcomes : {"refuse", "leave_out"}
        What to do where rows have no outcome: say how many and which, or judge without them.

    Returns
    -------
    UpliftEvaluation

    Raises
    ------
    PayoffError
        Naming column, row and value.
    """
    source = loaded_table(request.data)
    document = uplift_document(source, request)
    context = JobContext(engine().workbench)
    made = prepared_uplift(EXPERIMENT.of(document), context)
    return UpliftEvaluation(
        made,
        document=document,
        source=source,
        true_effect=true_effects(document, source, made.cases.rows),
        is_pointwise=request.nu == POINTWISE,
    )
