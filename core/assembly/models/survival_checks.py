"""What survival times should make one think of: times of 0, one event, two units, perfect rankings.

Errors name the place in the file; warnings stand before the figures.
"""

from __future__ import annotations

import numpy as np

from core.data import LoadedTable, encode_levels, place_of
from core.document.model import Document, Role
from core.evaluation import EvaluationProblem
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

_APART = 30.0  # times as long as the next shorter one: days beside months, hours beside days
_HEAP = 0.05  # share of the cases on either side of that gap
_FEWEST = 20  # cases, below which a gap says nothing


def check_intervals(
    table: LoadedTable,
    document: Document,
    rows: IntArray,
    time: FloatArray,
    entry: FloatArray,
) -> None:
    """Refuse rows that end before they begin, and rows of one id that overlap.

    Parameters
    ----------
    rows : (n,) rows of the table
    time, entry : (n,) where each row ends and begins

    Raises
    ------
    PayoffError
        Naming the line of the first such row.
    """
    target = document.target.column if document.target is not None else ""
    wrong = np.flatnonzero(~(entry < time))
    if len(wrong):
        place = int(wrong[0])
        raise PayoffError(
            f"A case enters at {entry[place]:g} and ends at {time[place]:g}.",
            where=place_of(table, int(rows[place]), target),
            why=f"A case must enter before its end. {_how_many(len(wrong))}",
            remedy="Mend the times, or leave these rows out by the row filter.",
        )
    column = document.column_of(Role.ID)
    if column is None or document.column_of(Role.ENTRY) is None:
        return
    who = encode_levels(table, column)[0][rows].astype(np.int64)
    order = np.lexsort((entry, who))
    is_same = (who[order[1:]] == who[order[:-1]]) & (who[order[1:]] >= 0)
    overlaps = np.flatnonzero(is_same & (entry[order[1:]] < time[order[:-1]]))
    if len(overlaps):
        place, before = int(order[overlaps[0] + 1]), int(order[overlaps[0]])
        raise PayoffError(
            f"Two rows of one '{column}' overlap in time.",
            where=f"{place_of(table, int(rows[place]), target)} and "
            f"{place_of(table, int(rows[before]), target)}",
            why=f"One ends at {time[before]:g}, the next begins at {entry[place]:g}: the case "
            f"would be counted twice. {_how_many(len(overlaps))}",
            remedy="Cut the rows where the next begins, or give each row an id of its own.",
        )


def _how_many(number: int) -> str:
    return f"{counted(number, 'row is', 'rows are')} so." if number > 1 else "One row is so."


def time_warnings(problem: EvaluationProblem) -> tuple[str, ...]:
    """Times of 0, one event, two units, and risks in the exact order of the events."""
    if "event" not in problem.extras or "time" not in problem.extras:
        return ()
    columns = {role: np.asarray(values, np.float64) for role, values in problem.extras.items()}
    time, event = columns["time"], columns["event"] == 1.0
    found = []
    zeros = np.flatnonzero(time == 0.0)
    if len(zeros):
        positive = time[time > 0.0]
        least = f", {positive.min():g}," if len(positive) else ""
        found.append(
            f"{counted(len(zeros), 'case has', 'cases have')} the time 0, the first in "
            f"{problem.row_text(int(zeros[0]))}"
            ": they count as under observation at 0 only. Leave them out by the row filter (time > "
            f"0), or give them the smallest time seen{least} by a derived column."
        )
    if event.sum() == 1:
        found.append(
            f"One event only, in {problem.row_text(int(np.argmax(event)))}: every figure rests on "
            "this case."
        )
    found += _two_units(time)
    entry = columns.get("entry", np.zeros(len(time)))
    strata = columns.get("strata", np.zeros(len(time)))
    for model in problem.models:
        risk = model.prediction
        if risk is not None and is_monotone(time, event, entry, strata, risk):
            found.append(
                f"{model.name}: at every event the case with the highest risk had it. The partial "
                "likelihood rises without end: a coefficient of these risks is infinite and would "
                "not converge. Check whether they know the outcome (leakage)."
            )
    return tuple(found)


def _two_units(time: FloatArray) -> list[str]:
    """A warning where times lie in two heaps so far apart that they look like two units."""
    times = np.sort(time[time > 0.0])
    if len(times) < _FEWEST:
        return []
    least = max(1, int(np.ceil(_HEAP * len(times))))
    steps = times[least : len(times) - least + 1] / times[least - 1 : len(times) - least]
    place = least - 1 + int(np.argmax(steps))
    below, above = times[place], times[place + 1]
    if above / below < _APART:
        return []
    return [
        f"{counted(place + 1, 'time is', 'times are')} at most {below:g}, the other "
        f"{len(times) - place - 1:,} at least "
        f"{above:g}, and none lies between: are they in two units (days and months, say)? If so, "
        "bring them to one by a derived column."
    ]


def is_monotone(
    time: FloatArray,
    event: np.ndarray[tuple[int], np.dtype[np.bool_]],
    entry: FloatArray,
    strata: FloatArray,
    risk: FloatArray,
) -> bool:
    """Whether each event hit the highest risk under observation, at least once above another's.

    All arrays are (n,). Late entry is taken as early (more rivals): True is then still true.
    """
    is_above = False
    for stratum in np.unique(strata):
        inside = strata == stratum
        order = np.argsort(time[inside], kind="stable")[::-1]
        times, risks, seen = time[inside][order], risk[inside][order], event[inside][order]
        highest = np.maximum.accumulate(risks)
        lowest = np.minimum.accumulate(risks)
        last = np.searchsorted(-times, -times, side="right") - 1  # of all with this time or later
        if (risks[seen] < highest[last][seen]).any():
            return False
        is_above |= bool((risks[seen] > lowest[last][seen]).any())
    return is_above and bool(event.any())
