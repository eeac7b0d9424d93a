"""``payoff.uplift``: what treating brings, for scripts.

The document that a person would have made of what ``payoff.uplift`` is asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.assembly.uplift.cases import true_effects
from core.assembly.uplift.data import read_arms
from core.assembly.uplift.prepared import prepared_uplift
from core.data import LoadedTable, printed
from core.document.data.model import BadValues, RowUse
from core.document.model import Document, Role, RoleAssignment
from core.document.uplift.model import UpliftSpec
from core.document.views import EXPERIMENT
from core.engine.context import JobContext
from core.script.files.pieces import is_in_pieces
from core.script.requests import called_with_fields_of
from core.script.session import engine, loaded_table, missing_outcomes_of
from core.script.uplift.request import POINTWISE, UpliftRequest
from core.script.uplift.result import UpliftEvaluation

_CLOSEST = 0.01  # estimated chances are never closer to 0 and 1


def uplift_document(table: LoadedTable, request: UpliftRequest) -> Document:
    """The document of a request, over all rows of a table.

    Both arms are named in it, as their names tell them or as they were given.

    Raises
    ------
    PayoffError
        For a column that is not there, a baseline that is none, and arms that cannot be told.
    """
    nu, roles = request.baseline, _roles(table, request)
    arms = read_arms(table, request.treatment, _level(request.treated), _level(request.control))
    is_estimated = request.propensity == "estimate" and "estimate" not in table.kinds
    spec = UpliftSpec(
        treatment=request.treatment,
        treated=arms.treated,
        control=arms.control,
        outcome=request.outcome,
        event=_level(request.event),
        missing_outcomes=missing_outcomes_of(request.missing_outcomes),
        propensity=None if is_estimated else request.propensity,
        estimates_propensity=is_estimated,
        clip=max(_CLOSEST, request.clip or 0.0),
        column_clip=None if is_estimated else request.clip,
        planned_share=request.planned_share,
        drawn_by_lot=request.drawn_by_lot,
        nu=nu,
        true_effect=request.true_effect,
    )
    document = Document(
        name="",
        data=table.data,
        rows_used=RowUse.ALL,
        seed=request.seed,
        bad_values=BadValues.REFUSE_GAPS,
        uplift=spec,
    )
    return document.with_roles(roles)


def _roles(table: LoadedTable, request: UpliftRequest) -> tuple[RoleAssignment, ...]:
    """What the columns that were named are for, and the one that tells the cases apart."""
    roles = [
        RoleAssignment(column=column, role=Role.SCORE, model=name)
        for name, column in request.score_columns.items()
    ]
    roles.append(RoleAssignment(column=request.treatment, role=Role.TREATMENT))
    if request.weight is not None:
        roles.append(RoleAssignment(column=request.weight, role=Role.WEIGHT))
    roles += [RoleAssignment(column=column, role=Role.INPUT) for column in request.covariates or ()]
    for entry in roles:
        table.require_column(entry.column)
    named = {request.outcome, *(entry.column for entry in roles)}
    return (*roles, *table.ids_besides(named))


def _level(given: Any) -> str:
    """A level in its printed form, or an empty text."""
    return "" if given is None else printed(given)


@called_with_fields_of(UpliftRequest)
def uplift(request: UpliftRequest) -> UpliftEvaluation:
    """Judge rankings by predicted uplift on an experiment.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table, mapping of column name to 1-D array, or Arrow batches
        Read in pieces as by ``payoff.evaluate``, a Dask DataFrame too.
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
    memory : bytes or text, optional
        How much memory to take at most: "4 GB". A Parquet file of any size is then read in pieces,
        as a folder of parts and Arrow batches always are; left out for these: half of what is free.
    scratch : path, optional
        Folder for what is written meanwhile: 8 bytes a row and score; 8 more with weights, 24 more
        with chances of treatment or amounts as outcomes, 64 more with both.
    dask : text or distributed.Client, optional
        Where the pieces are read: the address of a Dask scheduler, "local" for processes of this
        computer, or a client; left out: threads of this process. ``memory`` is each worker's.

    Returns
    -------
    UpliftEvaluation
        Of data read in pieces areas and curves; what needs the cases themselves is refused when it
        is asked.

    Raises
    ------
    PayoffError
        Naming column, row and value.
    """
    if is_in_pieces(request.data, request.memory, request.dask):
        from core.script.uplift.in_pieces import uplift_in_pieces

        found = uplift_in_pieces(request)
        if isinstance(found, UpliftEvaluation):
            return found
        request = replace(request, data=found, memory=None, dask=None)
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
