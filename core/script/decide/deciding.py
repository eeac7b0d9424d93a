"""``payoff.decide``: each case decided by a matrix, for scripts.

What ``payoff.decide`` refuses or warns of beyond what every document is checked for.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.cases import all_cases, cases_of, outcome_of
from core.assembly.decide.decided_table import (
    DecidedTable,
    decide_own_rows,
)
from core.data import LoadedTable, encode_levels, place_of
from core.decisions import total_cases
from core.decisions.studies.outputs import output_columns
from core.document.decisions.formulas import AMOUNT
from core.document.model import Document, SplitSpec
from core.engine.context import JobContext
from core.kernels import fitting_threads
from core.script.decide.decisions import Decisions
from core.script.decide.document import NO_OUTCOME, decide_document, refuse_levels
from core.script.decide.request import DecideRequest
from core.script.files.pieces import is_in_pieces
from core.script.requests import called_with_fields_of
from core.script.session import chosen_rows, engine, loaded_table
from payoff.counting import counted
from payoff.types import BoolArray


def check_levels(table: LoadedTable, document: Document, context: JobContext) -> None:
    """Refuse levels of the matrix that the data write with other capitals, or lack wholly."""
    target = document.target
    assert target is not None  # every document of a request has one
    if not target.levels or target.column not in table.kinds:
        return
    _, warnings = outcome_of(table, target, context)
    if not warnings:
        return  # the matrix knows every value
    refuse_levels(target, tuple(encode_levels(table, target.column)[1]))


def decided_warnings(made: DecidedTable) -> tuple[str, ...]:
    """What is to be said of the cases that were decided: what was read, amounts and costs."""
    crossed = 0 if made.scores.quantiles is None else made.scores.quantiles.crossed
    described = (
        f"The quantiles of {counted(crossed, 'case crosses', 'cases cross')}: they were put "
        "in order.",
    )
    return (
        *made.cases.warnings,
        *(described if crossed else ()),
        *_amount_warnings(made),
        *_cost_warnings(made),
    )


def _amount_warnings(made: DecidedTable) -> tuple[str, ...]:
    """Warn of amounts that are missing (those cases are marked C), or that change nothing."""
    column, amounts = made.matrix.spec.amount, made.problem.amounts
    if column is None:
        return ()
    if amounts is None:
        return (f"No cell of the matrix says {AMOUNT}, so '{column}' changes nothing.",)
    words = "amounts are missing: these cases are marked C"
    return _first_of(made.table, column, ~np.isfinite(amounts.values), words)


def _cost_warnings(made: DecidedTable) -> tuple[str, ...]:
    """Warn of costs that are missing (those cases are marked C) or below zero."""
    warnings: list[str] = []
    for decision, values in made.problem.cost_columns.items():
        column = made.matrix.spec.costs[decision].column or ""
        costs = f"costs of “{made.problem.decisions[decision]}” are"
        for is_bad, words in (
            (~np.isfinite(values), "missing: these cases are marked C"),
            (values < 0, "below 0: a cost that brings money"),
        ):
            warnings += _first_of(made.table, column, is_bad, f"{costs} {words}")
    return tuple(warnings)


def _first_of(table: LoadedTable, column: str, is_bad: BoolArray, words: str) -> tuple[str, ...]:
    """How many values of a column are so, and where the first is."""
    bad = np.flatnonzero(is_bad)
    if not len(bad):
        return ()
    where = place_of(table, int(bad[0]), column)
    return (f"{len(bad):,} of {len(is_bad):,} {words}. The first: {where}.",)


@called_with_fields_of(DecideRequest)
def decide(request: DecideRequest) -> Decisions:
    """Decide each case of a categorical or an interval target.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table, mapping of column name to 1-D array, or Arrow batches
        Read in pieces as by ``payoff.evaluate``, a Dask DataFrame too.
    matrix : {level or knot: [consequence per decision]}, or the id of a plugin's matrix
        "payoff.direct_mail(letter_cost=2)" is an id with a parameter; its first row is the event,
        the level whose posterior stands first. Knots are values of an interval target; between them
        consequences run in straight lines, which go on beyond the outer knots. With ``amount`` a
        cell may be a formula that is a straight line in it: "=0.08*amount", "=amount - 4".
    kind : {"profit", "loss", "revenue"}, optional
        Left out = profit, or what the plugin's matrix is.
    decisions : list of str, optional
        Names in the matrix's order; left out = "1", "2", ..., or those of the plugin.
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
    memory : bytes or text, optional
        How much memory to take at most: "4 GB". A Parquet file of any size is then read in pieces,
        as a folder of parts and Arrow batches always are; left out for these: half of what is free.
    scratch : path, optional
        Folder for what is written meanwhile: 8 bytes a row.
    dask : text or distributed.Client, optional
        Where the pieces are read: the address of a Dask scheduler, "local" for processes of this
        computer, or a client; left out: threads of this process. ``memory`` is each worker's.

    Returns
    -------
    Decisions
        Of data read in pieces totals, the rule and profit by depth; what needs the cases themselves
        is refused when it is asked.

    Raises
    ------
    PayoffError
        Naming what does not fit, with row, column and value where there is one.
    """
    if is_in_pieces(request.data, request.memory, request.dask):
        from core.script.decide.in_pieces import decide_in_pieces

        found = decide_in_pieces(request)
        if isinstance(found, Decisions):
            return found
        request = replace(request, data=found, memory=None, dask=None)
    return _decided(request)


def _decided(request: DecideRequest) -> Decisions:
    """Make the document that is asked about, and decide the rows that it is about."""
    request.check()
    source = loaded_table(request.data)
    table = chosen_rows(source, request.rows)
    with fitting_threads(table.rows):
        return _decided_rows(request, source, table)


def _decided_rows(request: DecideRequest, source: LoadedTable, table: LoadedTable) -> Decisions:
    context = JobContext(engine().workbench)
    document = decide_document(table, request, context)
    check_levels(table, document, context)
    if table is source:
        cases = cases_of(document, context)
    else:  # rows that do not count are not looked at
        cases = all_cases(table, replace(document, split=SplitSpec()), request.score_name, context)
    made = decide_own_rows(table, document, cases, context)
    decided = Decisions(
        target=request.target or NO_OUTCOME,
        problem=made.problem,
        model=made.scores,
        cases=made.decided,
        totals=None if made.problem.outcome is None else total_cases(made.problem, made.decided),
        warnings=decided_warnings(made),
        outputs=tuple(request.outputs),
        kept=table.row_numbers,
        made=made,
        source=source,
        is_of_document=table is source,
    )
    output_columns(made.problem, made.scores, made.decided, decided.target, decided.outputs)
    return decided
