"""What is shown of one answer, at every door: on a tab, in the report, without a window.

A view has slots and no layout beyond "beside" and "below"; what does not fit is made by hand
around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.presentation.chart import Chart
from core.presentation.table import Table

State: TypeAlias = Literal["", "ok", "warning", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a person can do with an answer: a button below its words.

    ``name`` says what it does ("move_cursor"), ``value`` to what; ``help`` also says why it cannot
    be done, where ``is_possible`` is not.
    """

    name: str
    label: str
    value: float
    help: str = ""
    is_possible: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One answer as it is shown.

    Attributes
    ----------
    key : str
        What the report knows it by: the question's key ("decide/capacity"), which ``show`` sets,
        behind it what tells several answers of one question apart, which the view function sets.
        An entry that is no question's has a key of its own.
    figure, interval : str
        The one big number, and its interval.
    sentences : tuple of str
        What it says.
    strong : int
        Which sentence stands out, from 0.
    state : str
        "ok", "warning" or "error": the sign before it; empty = none. Of an error the figures are
        none to go by: they are grey.
    tables, charts, notes, actions
        Below it or beside it; notes are small print.
    by_row : tuple of View
        Where a row of the first table can be chosen: what is said and drawn of each row, in place
        of this view's own sentences and charts, which are those of the first.
    asked : str
        The question that was answered, as JSON of its fields; empty where it is no question's.
    stamp, made_at : str
        What it was made from, and when (ISO 8601, UTC): set by who keeps it.
    """

    key: str = ""
    title: str
    subtitle: str = ""
    figure: str = ""
    interval: str = ""
    sentences: tuple[str, ...] = ()
    strong: int = 0
    state: State = ""
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    by_row: tuple[View, ...] = ()
    asked: str = ""
    stamp: str = ""
    made_at: str = ""
