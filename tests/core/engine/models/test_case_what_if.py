"""One case with other inputs: every number recomputed from a file in which the case has them."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.commands import AddTrainedModel
from core.document.decisions.matrix_model import CostSpec
from core.engine.messages import TrainArguments
from core.presentation.labels import Labels
from core.presentation.models.explain import case_what_if
from core.questions.explain import CaseWhatIf, FindCase, OneCase
from payoff.errors import PayoffError
from tests.helpers.factories.number_outcomes import (
    number_document,
    ranking_columns,
    ranking_settings,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_document, settings

TRIED = (("age", "44"), ("income", "1234.5"), ("region", "west"))


def with_model(engine, document, wanted):
    model = engine.run("train", TrainArguments(document=document, settings=wanted)).model
    return AddTrainedModel(model=model).apply(document)


@pytest.fixture(scope="module")
def trained(engine, raw):
    return with_model(engine, raw_document(raw), settings())


def ask(engine, document, row, inputs=(), **more):
    name = document.models[0].name
    return engine.ask(document, CaseWhatIf(model=name, row=row, inputs=inputs, **more))


def moved_file(engine, document, columns, row, inputs, path):
    """The document of a file in which the case itself has the values tried."""
    other = {name: list(values) for name, values in columns.items()}
    for name, text in inputs:
        is_number = isinstance(other[name][0], (int, float, type(None)))
        other[name][row] = (float(text) if text else None) if is_number else text
    return replace(document, data=load(engine, write_csv(path, other)))


@pytest.mark.parametrize("inputs", [(), TRIED, (("income", ""),), (("age", "300"),)])
def test_every_number_is_that_of_a_file_with_these_values(
    engine, trained, columns, tmp_path, inputs
):
    row = 12
    found = ask(engine, trained, row, inputs)
    there = moved_file(engine, trained, columns, row, inputs, tmp_path / "there.csv")
    expected = engine.ask(there, OneCase(model="trees", row=row))
    assert found.now.prediction == expected.prediction
    assert found.now.score == expected.score
    assert found.now.decision == expected.decision
    assert [(p.column, p.amount) for p in found.parts] == [
        (p.column, p.amount) for p in expected.parts
    ]
    assert found.base + sum(p.amount for p in found.parts) == pytest.approx(found.now.score)
    probability = found.now.prediction
    np.testing.assert_allclose(
        found.now.money, [8 * probability - 2 * (1 - probability), 0.0], atol=1e-12
    )
    best = int(np.argmax(found.now.money))
    assert found.now.decision == found.decisions[best]
    before = engine.ask(trained, OneCase(model="trees", row=row))
    assert (found.before.prediction, found.before.decision) == (before.prediction, before.decision)
    assert {entry.column for entry in found.moved} == {name for name, _ in inputs}


def test_costs_and_amounts_that_are_inputs_follow_what_is_tried(engine, trained):
    costs = (CostSpec(column="age"), CostSpec(amount=0.25))
    document = replace(trained, matrix=replace(trained.matrix, costs=costs))
    found = ask(engine, document, 12, (("age", "44"),))
    probability = found.now.prediction
    expected = [8 * probability - 2 * (1 - probability) - 44.0, -0.25]
    np.testing.assert_allclose(found.now.money, expected, atol=1e-12)
    own = found.before.prediction
    age = next(entry.own_value for entry in found.inputs if entry.column == "age")
    assert found.before.money[0] == pytest.approx(8 * own - 2 * (1 - own) - age)


def test_ranges_are_those_of_the_rows_that_trained(engine, trained, columns):
    found = ask(engine, trained, 12)
    rows = [place for place, use in enumerate(columns["use"]) if use == "train"]
    facts = {entry.column: entry for entry in found.inputs}
    ages = columns["age"][rows]
    assert (facts["age"].low, facts["age"].high) == (ages.min(), ages.max())
    assert facts["age"].is_whole
    assert not facts["noise"].is_whole
    assert facts["region"].levels == ("north", "south", "west")
    assert "600 rows" in found.rows_text
    shares = [entry.influence for entry in found.inputs]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1.0)


@pytest.mark.parametrize("along", ["age", "income", "region"])
def test_the_curve_is_what_the_case_would_be_at_every_value(engine, trained, along):
    found = ask(engine, trained, 12, (("noise", "0.5"),), along=along)
    curve = found.curve
    places = range(len(curve.x))
    if not curve.levels:  # the middle of a span, and its left end, where the tree turns right
        assert (np.diff(curve.x) >= 0).all()
        places = np.linspace(0, len(curve.x) // 2 - 1, 12).round().astype(int) * 2
    for place in places:
        text = curve.levels[place] if curve.levels else repr(float(curve.x[place]))
        moved = ask(engine, trained, 12, (("noise", "0.5"), (along, text)))
        assert moved.now.prediction == curve.y[place]
    missing = ask(engine, trained, 12, (("noise", "0.5"), (along, "")))
    assert missing.now.prediction == curve.at_missing
    facts = next(entry for entry in found.inputs if entry.column == along)
    view = case_what_if(found, Labels.of(trained))
    chart = view.charts[1]
    now = next(points for points in chart.points if points.name == "now")
    assert (now.x[0], now.y[0]) == (facts.tried_value, found.now.prediction)


def test_the_smallest_change_flips_and_nothing_between_does(engine, trained, columns):
    """Searched over every span between split points, also those that hold no value."""
    tried = 0
    for row in range(40):
        found = ask(engine, trained, row)
        numbers = [flip for flip in found.flips if flip.column in ("age", "noise")]
        for flip in numbers[:1]:
            value = float(flip.new.replace("\u202f", "").replace(",", "").replace("−", "-"))
            moved = ask(engine, trained, row, ((flip.column, repr(value)),), along=flip.column)
            assert moved.now.decision == flip.decision != found.now.decision
            own = next(e.own_value for e in moved.inputs if e.column == flip.column)
            low, high = sorted((own, value))
            inside = [x for x in moved.curve.x if low < x < high]
            held = np.sort(columns[flip.column])
            span = held[(held > low) & (held < high)]
            for x in (*inside[:: max(1, len(inside) // 5)], *span[:: max(1, len(span) // 5)]):
                if np.isclose(x, value):
                    continue
                between = ask(engine, trained, row, ((flip.column, repr(float(x))),))
                nearer_edge = abs(x - own) >= abs(value - own) * 0.999
                assert between.now.decision == found.now.decision or nearer_edge
            tried += 1
        if tried >= 3:
            break
    assert tried


@pytest.mark.parametrize("kind", ["classes", "number", "count", "quantiles"])
def test_every_loss_of_the_program_is_tried(engine, raw, columns, tmp_path, kind):
    target, more = {
        "classes": ("class", {"distribution": "multinomial"}),
        "number": ("amount", {"distribution": "gaussian"}),
        "count": ("count", {"distribution": "poisson"}),
        "quantiles": (
            "amount",
            {"distribution": "multi_quantile", "distribution_params": (("quantiles", 3),)},
        ),
    }[kind]
    document = with_model(
        engine, raw_document(raw, target), settings(target=target, n_trees=20, **more)
    )
    output = 1 if kind in ("classes", "quantiles") else 0
    found = ask(engine, document, 12, TRIED, output=output, along="age")
    there = moved_file(engine, document, columns, 12, TRIED, tmp_path / "there.csv")
    expected = engine.ask(there, OneCase(model="trees", row=12, output=output))
    assert found.now.prediction == expected.prediction
    assert found.base + sum(p.amount for p in found.parts) == pytest.approx(found.now.score)
    assert bool(found.now.decision) == (kind == "classes")
    assert bool(found.no_decision) != bool(found.now.decision)
    case_what_if(found, Labels.of(document))


@pytest.mark.parametrize("kind", ["survival", "ranking"])
def test_risks_and_rankings_need_no_matrix(engine, tmp_path, kind):
    if kind == "survival":
        columns, wanted = survival_columns(), survival_settings(n_trees=20)
        target, inputs = "days", ("age", "smoker", "noise")
    else:
        columns, wanted = ranking_columns(), ranking_settings(n_trees=20)
        target, inputs = "grade", ("match", "age", "noise")
    data = load(engine, write_csv(tmp_path / "file.csv", columns))
    document = with_model(engine, number_document(data, target, inputs), wanted)
    tried = (("age", "55"),)
    found = ask(engine, document, 4, tried, along="age")
    there = moved_file(engine, document, columns, 4, tried, tmp_path / "there.csv")
    expected = engine.ask(there, OneCase(model=wanted.name, row=4))
    assert found.now.score == expected.score
    assert (found.now.decision, found.now.money, found.decisions) == ("", (), ())
    assert found.no_decision == "No decisions are set up on page Decide."
    assert found.curve is not None
    view = case_what_if(found, Labels.of(document))
    assert view.tables == ()
    assert {step.role for step in view.charts[0].steps if not step.is_total} == {"accent"}


def test_other_models_are_tried_too(engine, trained):
    second = settings(name="stumps", interaction_depth=1, features=("age", "region"))
    document = with_model(engine, trained, second)
    found = ask(engine, document, 12, TRIED)
    (other,) = found.others
    own = engine.ask(document, CaseWhatIf(model="stumps", row=12, inputs=(TRIED[0], TRIED[2])))
    assert (other.model, other.now, other.before) == ("stumps", own.now, own.before)


def test_values_and_inputs_that_are_not_there_are_refused(engine, trained):
    with pytest.raises(PayoffError, match="no input 'agee'"):
        ask(engine, trained, 12, (("agee", "4"),))
    with pytest.raises(PayoffError, match="no level 'east'"):
        ask(engine, trained, 12, (("region", "east"),))
    with pytest.raises(PayoffError, match="is not a number"):
        ask(engine, trained, 12, (("age", "old"),))
    with pytest.raises(PayoffError, match="no row 1,201"):
        ask(engine, trained, 1200)


def test_a_case_is_found_by_row_id_and_place(engine, trained, columns):
    scores = [
        engine.ask(trained, OneCase(model="trees", row=row)).prediction
        for row in range(0, 1200, 100)
    ]
    first = engine.ask(trained, FindCase(model="trees", rank=1))
    assert first.score >= max(scores)
    last = engine.ask(trained, FindCase(model="trees", rank=1200))
    assert last.score <= min(scores)
    for found in (first, last):
        assert engine.ask(trained, FindCase(model="trees", row=found.row)) == found
        assert engine.ask(trained, FindCase(model="trees", case_id=found.id)) == found
        assert found.id == columns["case_id"][found.row]
    for wrong in ({"rank": 1201}, {"rank": 0}, {"row": -1}, {"case_id": "nobody"}, {}):
        with pytest.raises(PayoffError):
            engine.ask(trained, FindCase(model="trees", **wrong))
