"""Shared by tests of number studies."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from core.decisions.problem import DecisionProblem, ModelScores
from core.decisions.sensitivity.break_even import break_even
from core.decisions.sensitivity.changes import (
    MovingNumbers,
    changes_of,
    default_range,
    tried_number,
)
from core.decisions.sensitivity.what_if import what_if
from core.decisions.sensitivity.winner_map import map_of_numbers
from core.document.decisions.matrix_model import NumberKind, NumberRef
from core.document.model import Document
from core.document.results import RowsNote
from core.document.studies.moving_numbers import MapAxis, ScenarioOutcome, TriedNumber, WhatIfResult
from core.questions.decide import BreakEven, WhatIf, WinnerMap
from core.questions.lanes import Unwatched
from gui.pages.decide.studies import Study
from tests.helpers.answers.synthetic import MODELS
from tests.helpers.harness import DecideHarness

MAIL = NumberRef(kind=NumberKind.CELL, level="1", decision="Mail")

LETTER = NumberRef(kind=NumberKind.CELL, level="0", decision="Mail")

NOTE = RowsNote(use="validation", text="validation rows, 3,000 of 6,000", rows=3000)

Kind = TypeVar("Kind", bound=Study)


def mailing(cells: tuple[tuple[float, float], ...] = ((24.0, 0.0), (-1.6, 0.0))) -> DecisionProblem:
    draw = np.random.default_rng(1)
    probability = draw.beta(0.5, 6.0, 3000)
    return DecisionProblem(
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=np.array(cells),
        outcome=(draw.random(3000) > probability).astype(np.int32),
        do_nothing="Do nothing",
        labels=("responds", "does not respond"),
    )


def scores() -> tuple[ModelScores, ...]:
    draw = np.random.default_rng(1)
    probability = draw.beta(0.5, 6.0, 3000)
    found = []
    for place, name in enumerate(MODELS):
        odds = probability / (1 - probability) * np.exp(0.6 * place * draw.normal(size=3000))
        seen = odds / (1 + odds)
        found.append(ModelScores(name=name, posteriors=np.vstack([seen, 1 - seen])))
    return tuple(found)


def tried_numbers(problem: DecisionProblem) -> tuple[TriedNumber, ...]:
    return tuple(tried_number(change, problem) for change in changes_of(problem))


def answer_break_even(asked: object) -> object:
    assert isinstance(asked, BreakEven)
    return break_even(mailing(), scores(), is_kept=asked.is_kept, rows=NOTE)


def answer_map(asked: object) -> object:
    assert isinstance(asked, WinnerMap)
    problem = mailing()
    drawn = replace(
        asked,
        x=asked.x or axis_around(problem, MAIL),
        y=asked.y or axis_around(problem, LETTER),
        steps=21,
    )
    inputs = MovingNumbers(problem=problem, models=scores(), changes=changes_of(problem), rows=NOTE)
    return map_of_numbers(inputs, drawn, Unwatched())


def axis_around(problem: DecisionProblem, number: NumberRef) -> MapAxis:
    change = next(change for change in changes_of(problem) if change.number == number)
    low, high = default_range(change, problem)
    return MapAxis(number=number, low=low, high=high)


def answer_what_if(asked: object, seen: Document) -> object:
    assert isinstance(asked, WhatIf)
    problem = mailing()
    cells = problem.cells.copy()
    for setting in asked.settings:
        row = problem.levels.index(setting.number.level)
        cells[row, problem.decisions.index(setting.number.decision)] = setting.value
    outcomes = tuple(
        ScenarioOutcome(
            name=entry.name,
            changes=(("Mail, responds", "money", 24.0, entry.settings[0].value),),
            kept_model=MODELS[0],
            kept=1000.0,
            best_model=MODELS[1],
            remade=1250.0,
        )
        for entry in seen.scenarios
    )
    return WhatIfResult(
        rows=NOTE,
        numbers=tried_numbers(problem),
        models=what_if(problem, replace(problem, cells=cells), scores()),
        rule_text="Mail a customer when the chance of a response is above 9 %.",
        resolved=((24.0, 0.0), (-1.6, 0.0)),
        scenarios=outcomes,
        holds_fixed="if 5.0 % respond",
        seconds=0.0,
    )


def open_tab(harness: DecideHarness, kind: type[Kind]) -> Kind:
    harness.engine.answers.update(
        {
            "decide.break_even": answer_break_even,
            "decide.winner_map": answer_map,
            "decide.what_if": lambda requested: answer_what_if(requested, harness.document),
        }
    )
    tabs = harness.page.tables.tabs
    for place in range(tabs.count()):
        study = tabs.widget(place)
        if isinstance(study, kind):
            tabs.setCurrentIndex(place)
            return study
    raise AssertionError(f"there is no tab {kind.__name__}")
