"""``payoff.decide``: each case decided by a matrix, for scripts."""

from __future__ import annotations

from core.decisions import decide_cases, total_cases
from core.decisions.studies.outputs import output_columns
from core.script.decide.checks import check_outcomes, cost_warnings
from core.script.decide.decisions import Decisions
from core.script.decide.problem_inputs import problem_of, scores_of
from core.script.decide.request import DecideRequest
from core.script.decide.saving import recorded_rule
from core.script.requests import called_with_fields_of
from core.script.session import rows_of, table_of


@called_with_fields_of(DecideRequest)
def decide(request: DecideRequest) -> Decisions:
    """Decide each case of a categorical or an interval target.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    matrix : {level or knot: [consequence per decision]}
        Knots are values of an interval target; between them consequences run in straight lines,
        which go on beyond the outer knots. With ``amount`` a cell may be a formula that is a
        straight line in it: "=0.08*amount", "=amount - 4".
    kind : {"profit", "loss", "revenue"}
    decisions : list of str, optional
        Names in the matrix's order; left out = "1", "2", ...
    target : str, optional
        Column of the known outcome; left out = decisions and expected values only.
    posteriors : {level: column}
        One level may be left out: its chance is what the others leave.
    predicted : str
        For an interval target, in place of ``posteriors``: the column of predictions.
    priors, old_priors : {level: share}, optional
        With ``old_priors`` posteriors are corrected, ``old_priors="data"`` takes the class shares
        of the data; without, posteriors are taken as corrected and only totals are weighted.
    prior_range : (float, float), optional
        Shares between which the event's prior lies: intervals then hold for all of them.
    costs : list, optional
        One per decision, a number or a column name.
    amount : str, optional
        Column with the amount of each case (a loan, a transaction), for classes. A case without one
        is marked C and not decided.
    weight : str, optional
        Column of frequencies.
    acting, do_nothing : str, optional
        The decision that counts as acting, and the one that does nothing.
    quantiles : {level: column}, optional
        Predicted quantiles of an interval target: expected consequences are averaged over each
        case's distribution; ``predicted`` may then be left out (the distribution's mean).
    leaf : str, optional
        Column that names the leaf of a decision tree: all cases of a leaf get one decision, by
        consequences and costs averaged over its cases. IC_, ROI_ and CP_ have the own cost.
    leaf_training : str, optional
        Column of 0 and 1: the cases to average over; left out = all.
    leaf_honest : bool
        Average over the outcomes of the leaf's cases in place of what the tree predicts.
    outputs : sequence of {"P", "I", "U", "F", "R"}
        Further columns of ``.table``: corrected posteriors, predicted class (printed, and as a
        value), actual class, residuals before the correction.
    rows : str, optional
        Only rows for which this condition is true: 'age >= 30 and region = "N"'.
        The index of ``.table`` then has the numbers of the rows that were kept, from 0.
    missing_outcomes : {"refuse", "leave_out"}
        With ``target``, where rows have no outcome: say how many and which, or decide them and
        leave them out of what was realised.

    Returns
    -------
    Decisions

    Raises
    ------
    PayoffError
        Naming what does not fit, with row, column and value where there is one.
    """
    return _decided(request)


def _decided(request: DecideRequest) -> Decisions:
    """Read what is asked, choose for every case and add up what the choices brought."""
    request.check_scores()
    table = rows_of(table_of(request.data), request.rows)
    problem, warnings = problem_of(table, request)
    model, said = scores_of(table, request, problem)
    if request.target is not None:
        check_outcomes(table, request.target, request.missing_outcomes)
    cases = decide_cases(problem, model, with_posteriors=True)
    decided = Decisions(
        target=request.target or "target",
        problem=problem,
        model=model,
        cases=cases,
        totals=None if problem.outcome is None else total_cases(problem, cases),
        warnings=(*warnings, *said, *cost_warnings(table, request.costs, problem)),
        outputs=tuple(request.outputs),
        kept=table.row_numbers,
        recorded=recorded_rule(table, request, problem, model),
    )
    output_columns(problem, model, cases, decided.target, decided.outputs)  # refuses at once
    return decided
