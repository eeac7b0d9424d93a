"""The jobs behind tabs What-if, Break-even and Winner map, on a document."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.decisions.matrix_model import (
    CellFormula,
    CostSpec,
    NumberKind,
    NumberRef,
    NumberSetting,
    Scenario,
)
from core.document.decisions.numbers import UseNumbers
from core.document.studies.moving_numbers import MapAxis
from core.engine.messages import Ask
from core.questions.decide import BreakEven, Totals, WhatIf, WinnerMap
from payoff.errors import PayoffError
from tests.helpers.factories.goal_seek import mailing

ACT = NumberRef(kind=NumberKind.CELL, level="yes", decision="Act")
WAIT = NumberRef(kind=NumberKind.CELL, level="no", decision="Wait")
PRIOR = NumberRef(kind=NumberKind.PRIOR, level="yes")


def total_of(engine, document, model="good"):
    result = engine.ask(document, Totals())
    return next(entry.total.value for entry in result.models if entry.model == model)


def test_parameters_of_a_template_come_first_in_break_even(engine, document):
    answer = engine.ask(mailing(document), BreakEven())
    assert [row.kind for row in answer.numbers] == ["parameter"] * 2 + ["cell"] * 4
    assert answer.numbers[1].name == "a letter costs"
    crossing = answer.numbers[1].beaten[1]
    assert crossing is not None
    at = mailing(document)
    for value, pays in ((crossing.value - 1e-6, True), (crossing.value + 1e-6, False)):
        matrix = replace(at.matrix, parameters=(("response_value", 10.0), ("letter_cost", value)))
        best = max(total_of(engine, replace(at, matrix=matrix), m) for m in ("good", "rough"))
        assert (best > 1e-9) is pays
    assert answer.rows.text.startswith("validation rows")


def test_kept_decisions_are_asked_for(engine, document):
    answer = engine.ask(document, BreakEven(is_kept=True))
    assert answer.is_kept
    assert all(row.rule == (None, None) for row in answer.numbers)


def test_constant_costs_and_priors_have_their_rows(engine, document):
    matrix = replace(document.matrix, costs=(CostSpec(amount=0.5), CostSpec(column="cost")))
    changed = replace(document, matrix=matrix, priors=(("yes", 0.2), ("no", 0.8)))
    answer = engine.ask(changed, BreakEven())
    assert [row.kind for row in answer.numbers[-2:]] == ["cost", "prior"]
    assert answer.numbers[-2].decision == "Act"


def test_formulas_move_their_cells_as_parameters(engine, document):
    matrix = replace(
        document.matrix,
        parameters=(("margin", 10.0), ("letter", 2.0)),
        formulas=(
            CellFormula(level="yes", decision="Act", text="margin - letter"),
            CellFormula(level="no", decision="Act", text="-letter"),
        ),
    )
    changed = replace(document, matrix=matrix)
    answer = engine.ask(changed, BreakEven())
    own = {row.name: row for row in answer.numbers}
    template = engine.ask(mailing(document), BreakEven())
    worded = {row.name: row for row in template.numbers}
    assert own["letter"].beaten[1].value == pytest.approx(worded["a letter costs"].beaten[1].value)
    tried = engine.ask(changed, WhatIf())
    names = [entry.name for entry in tried.numbers]
    assert "letter" in names
    assert "Act, yes" not in names  # it follows its formula


def test_a_parameter_that_bends_is_left_out_and_named(engine, document):
    matrix = replace(
        document.matrix,
        parameters=(("share", 0.5),),
        formulas=(CellFormula(level="yes", decision="Act", text="8 / (1 + share)"),),
        cells=((8 / 1.5, 0.0), (-2.0, 0.0)),
    )
    answer = engine.ask(replace(document, matrix=matrix), BreakEven())
    assert all(row.kind != "parameter" for row in answer.numbers)
    assert any("share" in text for text in answer.warnings)


def test_the_map_chooses_axes_and_takes_others(engine, document):
    answer = engine.ask(mailing(document), WinnerMap(steps=5))
    assert (answer.x.name, answer.y.name) == ("a response brings", "a letter costs")
    assert answer.winner.shape == (5, 5)
    assert answer.is_exact
    requested = Ask.of(document, WinnerMap(x=MapAxis(number=ACT, low=0.0, high=16.0), steps=5))
    answer = engine.run("decide.winner_map", requested)
    assert answer.x.number == ACT
    assert (answer.x.low, answer.x.high, answer.x.now) == (0.0, 16.0, 8.0)
    assert answer.y.number.decision == "Act"
    middle = total_of(engine, document)
    assert answer.now_profit == pytest.approx(middle)


def test_costs_by_case_make_the_map_coarse_to_fine(engine, document):
    matrix = replace(document.matrix, costs=(CostSpec(column="cost"), CostSpec()))
    answer = engine.ask(replace(document, matrix=matrix), WinnerMap(steps=11))
    assert answer.cases == answer.rows.rows == 1000
    assert answer.error == 0.0


def test_an_unknown_axis_is_refused(engine, document):
    axis = MapAxis(number=PRIOR, low=0.1, high=0.2)
    with pytest.raises(PayoffError, match="cannot be an axis"):
        engine.ask(document, WinnerMap(x=axis))


def test_what_if_gives_what_decide_gives_once_the_numbers_are_used(engine, document):
    settings = (
        NumberSetting(number=ACT, value=6.0),
        NumberSetting(number=NumberRef(kind=NumberKind.COST, decision="Act"), value=0.25),
    )
    answer = engine.ask(document, WhatIf(settings=settings))
    used = UseNumbers(settings=settings, resolved=answer.resolved).apply(document)
    found = {entry.model: entry for entry in answer.models}
    for model in ("good", "rough"):
        assert found[model].now.value == pytest.approx(total_of(engine, document, model))
        assert found[model].remade.value == pytest.approx(total_of(engine, used, model))
    assert "above" in answer.rule_text


def test_a_template_cell_is_tried_at_the_parameters_tried(engine, document):
    worded = mailing(document)
    cell = NumberRef(kind=NumberKind.CELL, level="yes", decision="Mail")
    letter = NumberRef(kind=NumberKind.PARAMETER, name="letter_cost")
    settings = (
        NumberSetting(number=cell, value=5.0),
        NumberSetting(number=letter, value=3.0),
    )
    answer = engine.ask(worded, WhatIf(settings=settings))
    assert answer.resolved == ((7.0, 0.0), (-3.0, 0.0))
    used = UseNumbers(settings=settings, resolved=answer.resolved).apply(worded)
    assert used.matrix.cells == ((5.0, 0.0), (-3.0, 0.0))
    assert answer.models[0].remade.value == pytest.approx(total_of(engine, used))


def test_scenarios_are_worked_out_side_by_side(engine, document):
    good = Scenario(name="Less", settings=(NumberSetting(number=ACT, value=6.0),))
    gone = Scenario(
        name="Gone",
        settings=(NumberSetting(number=replace(ACT, decision="Call"), value=6.0),),
    )
    changed = replace(document, scenarios=(good, gone))
    answer = engine.ask(changed, WhatIf())
    less, lost = answer.scenarios
    tried = engine.ask(document, WhatIf(settings=good.settings))
    best = max(tried.models, key=lambda entry: entry.remade.value)
    assert (less.best_model, less.remade) == (best.model, pytest.approx(best.remade.value))
    assert less.changes == (("Act, yes", "money", 8.0, 6.0),)
    assert "Call" in lost.refusal
    assert np.isnan(lost.remade)


def test_a_range_of_the_prior_reaches_the_totals(engine, document):
    priors = replace(document, priors=(("yes", 0.2), ("no", 0.8)))
    narrow = engine.ask(priors, Totals()).models[0].total
    wide = engine.ask(replace(priors, prior_range=(0.15, 0.25)), Totals())
    assert wide.models[0].total.low < narrow.low
    assert "15.0 to 25.0" in wide.holds_fixed


def test_a_parameter_that_is_a_share_of_an_amount_is_tried_as_one(engine, document):
    """ "margin" 0.05 of the amount: 5 %, as break-even says it; "fee" is money."""
    formulas = (
        CellFormula(level="yes", decision="Act", text="margin * amount - fee"),
        CellFormula(level="no", decision="Act", text="-fee"),
    )
    matrix = replace(
        document.matrix,
        parameters=(("margin", 0.05), ("fee", 2.0)),
        formulas=formulas,
        cells=((-2.0, 0.0), (-2.0, 0.0)),
        amount="cost",
    )
    changed = replace(document, matrix=matrix)
    units = {entry.name: entry.unit for entry in engine.ask(changed, WhatIf()).numbers}
    assert (units["margin"], units["fee"]) == ("share", "money")
    rows = {row.name: row.unit for row in engine.ask(changed, BreakEven()).numbers}
    assert (rows["margin"], rows["fee"]) == ("share", "money")
