"""One case explained: parts that add up, its decision, and changes that really change it."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.commands import AddTrainedModel
from core.engine.messages import SaveArguments, TrainArguments
from core.questions.explain import OneCase
from payoff.errors import PayoffError
from tests.helpers.factories.number_outcomes import (
    number_document,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_document, settings


def with_model(engine, document, **changes):
    arguments = TrainArguments(document=document, settings=settings(**changes))
    return AddTrainedModel(model=engine.run("train", arguments).model).apply(document)


@pytest.fixture(scope="module")
def trained(engine, raw):
    return with_model(engine, raw_document(raw))


def case(engine, document, row, **more):
    return engine.ask(document, OneCase(model="trees", row=row, **more))


def test_parts_add_up_to_the_score_the_largest_first(engine, trained, columns):
    found = case(engine, trained, 11)
    assert found.base + sum(part.amount for part in found.parts) == pytest.approx(found.score)
    sizes = [abs(part.amount) for part in found.parts]
    assert sizes == sorted(sizes, reverse=True)
    assert found.prediction == pytest.approx(1 / (1 + np.exp(-found.score)))
    values = {part.column: part.value for part in found.parts}
    assert values["income"] == ""  # missing in every eleventh row
    assert float(values["age"]) == columns["age"][11]
    assert (found.name, found.outcome) == ("c000011", columns["answer"][11])


@pytest.mark.parametrize("depth", [None, 0.05, 0.95])
def test_the_decision_is_that_of_the_saved_file(engine, trained, tmp_path, depth):
    """By the rule, and by the cursor once it was moved."""
    trained = replace(trained, cursor_depth=depth)
    path = str(tmp_path / "out.csv")
    use_cursor = depth is not None
    arguments = SaveArguments(document=trained, model="trees", path=path, use_cursor=use_cursor)
    engine.run("save_decisions", arguments)
    text = (tmp_path / "out.csv").read_text("utf-8").splitlines()
    place = next(i for i, name in enumerate(text[0].split(",")) if name.startswith('"D_'))
    for row in range(0, 40, 7):
        assert case(engine, trained, row).decision == text[1 + row].split(",")[place].strip('"')


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("depth", [None, 0.4])
def test_each_change_brings_the_decision_it_names_and_no_smaller_one_does(
    engine, trained, columns, tmp_path, depth
):
    document = replace(trained, cursor_depth=depth)
    rows = [row for row in range(60) if case(engine, document, row).changes][:4]
    assert rows
    for row in rows:
        found = case(engine, document, row)
        for change in found.changes:
            assert change.decision != found.decision
            other = {name: list(values) for name, values in columns.items()}
            text = change.new.replace(",", "").replace("\u202f", "").replace("\u00a0", "")
            new = text if change.column == "region" else float(text)
            other[change.column][row] = new
            data = load(engine, write_csv(tmp_path / f"{row}_{change.column}.csv", other))
            moved = case(engine, replace(document, data=data), row)
            assert moved.decision == change.decision or depth is not None
            assert moved.prediction == pytest.approx(change.prediction)
        passed = [change.passed for change in found.changes if not np.isnan(change.passed)]
        assert passed == sorted(passed)
        assert all(0 < share <= 1 for share in passed)


def test_classes_and_documents_without_decisions(engine, raw, trained):
    document = with_model(
        engine, raw_document(raw, "class"), distribution="multinomial", target="class"
    )
    found = case(engine, document, 5, output=1)
    assert len(found.outputs) == 3
    assert found.outputs[found.output].startswith("chance of")
    assert found.base + sum(part.amount for part in found.parts) == pytest.approx(found.score)
    bare = case(engine, replace(trained, matrix=None), 3)
    assert (bare.decision, bare.changes) == ("", ())
    assert "page Decide" in bare.no_decision


def test_rows_and_models_that_are_not_there_are_refused(engine, trained):
    with pytest.raises(PayoffError, match="no row 1,201"):
        case(engine, trained, 1200)
    with pytest.raises(PayoffError, match="no model"):
        engine.ask(trained, OneCase(model="none", row=0))


def test_a_case_whose_outcome_decides_nothing_is_explained_all_the_same(engine, tmp_path, trained):
    """Risks over time say no amount; a matrix that came with the outcome refused the case whole."""
    columns = survival_columns()
    ref = load(engine, write_csv(tmp_path / "times.csv", columns))
    document = number_document(ref, "days", ("age", "smoker", "noise"))
    document = replace(document, matrix=trained.matrix)
    model = engine.run(
        "train", TrainArguments(document=document, settings=survival_settings(n_trees=20))
    ).model
    document = AddTrainedModel(model=model).apply(document)
    found = engine.ask(document, OneCase(model="hazards", row=4))
    assert found.base + sum(part.amount for part in found.parts) == pytest.approx(found.score)
    assert "is a survival outcome" in found.no_decision
    assert not found.decision
