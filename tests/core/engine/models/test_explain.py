"""What page Explain and the choices of page Models get."""

from dataclasses import replace

import numpy as np
import pytest

from core.assembly.context import table_of
from core.assembly.models.trained import boosted_model
from core.assembly.models.training_plan import plan_training
from core.document.commands import AddTrainedModel
from core.document.data.model import RowUse
from core.document.model import ModelSpec, Role, SplitSpec
from core.engine.context import JobContext
from core.engine.messages import TrainArguments
from core.questions.explain import Distributions, Explain
from core.script.boost.model import Model
from payoff.errors import PayoffError
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


@pytest.fixture(scope="module")
def trained(engine, raw):
    wanted = settings(monotone=(("age", 1),))
    arguments = TrainArguments(document=raw_document(raw), settings=wanted)
    return AddTrainedModel(model=engine.run("train", arguments).model).apply(raw_document(raw))


def explain(engine, document, **wanted):
    return engine.ask(document, Explain(model="trees", **wanted))


def test_influence_tells_signal_from_noise(engine, trained):
    found = {entry.column: entry for entry in explain(engine, trained, shuffles=True).influence}
    assert sum(entry.influence for entry in found.values()) == pytest.approx(100.0)
    assert found["income"].influence > found["noise"].influence
    age = found["age"]
    assert 0 < age.shuffled_low <= age.shuffled <= age.shuffled_high
    assert age.shuffled > 5 * abs(found["noise"].shuffled)


def test_the_rows_that_were_shuffled_are_named(engine, raw):
    """Without rows that judge, those that trained the model are shuffled: that flatters."""
    judged = raw_document(raw)
    roles = tuple(
        replace(entry, role=Role.IGNORED) if entry.role is Role.ROW_USE else entry
        for entry in judged.roles
    )
    split = SplitSpec(shares=(1.0, 0.0, 0.0))
    alone = replace(judged, roles=roles, split=split)
    found = []
    for document in (judged, alone):
        made = engine.run("train", TrainArguments(document=document, settings=settings())).model
        known = explain(engine, AddTrainedModel(model=made).apply(document), shuffles=True)
        found.append(known.shuffled_rows)
    assert found[0].endswith("that judged its training")
    assert found[1].endswith("which flatters")


def test_a_script_shuffles_as_the_page_does(engine, trained, raw, tmp_path):
    page = {entry.column: entry for entry in explain(engine, trained, shuffles=True).influence}
    model = boosted_model(trained.trained_model("trees"), JobContext(engine.workbench))
    model = replace(model, roles={**model.roles, "target": raw_document(raw).target.column})
    rows = plan_training(
        table_of(trained, JobContext(engine.workbench)),
        trained,
        trained.trained_model("trees"),
        JobContext(engine.workbench),
    )
    table = table_of(trained, JobContext(engine.workbench)).with_rows(rows.judging_rows)
    found = Model(model, table).permutation_importance(
        table, seed=trained.seed, n_trees=trained.trained_model("trees").trees_used
    )
    assert next(iter(found.index)) == max(page, key=lambda name: page[name].shuffled)
    for name, entry in page.items():
        assert found.loc[name].tolist() == pytest.approx(
            [entry.shuffled, entry.shuffled_low, entry.shuffled_high], abs=1e-12
        )


def test_a_curve_follows_the_monotone_constraint_inside_its_band(engine, trained):
    (curve,) = explain(engine, trained, columns=("age",)).curves
    assert (np.diff(curve.y[0]) >= 0).all()
    assert (curve.low <= curve.y).all()
    assert (curve.y <= curve.high).all()
    assert 0 < curve.y.min() < curve.y.max() < 1  # chances, not link scores
    assert curve.rug[0] >= 18
    assert np.isnan(curve.at_missing).all()


def test_levels_and_missing_values_have_their_points(engine, trained):
    region, income = explain(engine, trained, columns=("region", "income")).curves
    assert region.levels == ("north", "south", "west")
    assert region.y[0].argmax() == 2
    assert income.missing_share == pytest.approx(1 / 11, abs=0.01)
    assert 0 < income.at_missing[0] < 1


def test_a_map_averages_to_its_curves_and_tells_the_interaction(engine, trained):
    result = explain(engine, trained, columns=("region",), pairs=(("age", "region"),))
    (surface,) = result.maps
    assert surface.values.shape == (1, 3, len(surface.x))
    assert surface.y_levels == ("north", "south", "west")
    assert 0 <= surface.interaction[0] < 0.5
    assert (np.diff(surface.values[0], axis=1) >= -1e-12).all()
    assert result.rows_text == "300 rows of the rows used that did not train it"
    assert any("age rises" in note for note in result.notes)


def test_partners_are_the_strongest_other_inputs_with_the_h_of_their_maps(engine, trained):
    found = explain(engine, trained, together=("age",), pairs=(("age", "region"),))
    used = {entry.column for entry in found.influence if entry.influence > 0}
    by_name = {entry.columns[1]: entry.strength for entry in found.interactions}
    assert by_name.keys() == used - {"age"}
    np.testing.assert_array_equal(by_name["region"], found.maps[0].interaction)


def test_what_cannot_be_explained_is_refused(engine, trained):
    with pytest.raises(PayoffError, match="no input 'case_id'"):
        explain(engine, trained, columns=("case_id",))
    with pytest.raises(PayoffError, match="two different columns"):
        explain(engine, trained, pairs=(("age", "age"),))
    imported = ModelSpec(name="imported")
    document = replace(trained, models=(*trained.models, imported))
    with pytest.raises(PayoffError, match="cannot be explained"):
        engine.ask(document, Explain(model="imported"))


# ---------------------------------------------------------------- distributions


def watches_of(result, distribution):
    return next(e.watches for e in result.distributions if e.id == distribution)


def test_a_yes_or_no_greys_the_others_with_a_reason(engine, raw):
    result = engine.ask(raw_document(raw), Distributions())
    by_id = {entry.id: entry for entry in result.distributions}
    fitting = {name for name, entry in by_id.items() if entry.fits}
    by_money = {"expected_profit", "expected_profit_classes"}
    assert fitting == {"bernoulli", "adaboost", "huberized", "multinomial"} | by_money
    assert [name for name, entry in by_id.items() if entry.is_usual] == ["bernoulli"]
    assert by_id["poisson"].reason.startswith("It fits a number of 0 or more; 'answer' has")
    assert by_id["coxph"].needs == ("event",)
    assert all(entry.help and entry.formula and entry.label for entry in result.distributions)
    assert dict(result.rows) == {"train": 600, "validation": 300, "test": 300, "to_decide": 0}
    assert {"deviance", "profit", "auc"} <= dict(watches_of(result, "bernoulli")).keys()


def test_a_number_with_zeros_cannot_be_gamma(engine, raw):
    document = raw_document(raw, target="count")
    result = engine.ask(document, Distributions())
    by_id = {entry.id: entry for entry in result.distributions}
    assert by_id["poisson"].fits
    assert not by_id["gamma"].fits
    assert "goes from 0 to" in by_id["gamma"].reason
    assert by_id["quantile"].parameters[0].default > 0
    assert "profit" not in dict(watches_of(result, "gaussian"))


def test_inputs_say_whether_they_can_train(engine, raw):
    result = engine.ask(raw_document(raw), Distributions())
    by_name = {entry.column: entry for entry in result.inputs}
    usual = {name for name, entry in by_name.items() if entry.is_usual}
    assert usual == {"age", "income", "region", "noise"}
    assert by_name["case_id"].reason == "It is different in every row."
    assert not by_name["answer"].can_train
    assert by_name["income"].missing == 110


def test_rows_used_do_not_matter_to_the_choices(engine, raw):
    document = raw_document(raw, rows_used=RowUse.TEST)
    first = engine.ask(document, Distributions())
    second = engine.ask(raw_document(raw), Distributions())
    assert first.rows == second.rows


def test_what_is_offered_for_a_training_counts_the_rows_of_the_filter(engine, tmp_path):
    columns = raw_columns()
    columns["noise"] = [None if region == "west" else 1.0 for region in columns["region"]]
    columns["weight"] = [2 if region == "west" else 3 for region in columns["region"]]
    data = load(engine, write_csv(tmp_path / "raw.csv", columns))
    document = raw_document(data, "class")
    whole = engine.ask(document, Distributions())
    assert dict(whole.outcome) == {
        level: columns["class"].count(level) for level in ("high", "middle", "low")
    }
    where = 'region = "west" and class != "low"'
    document = replace(document, split=replace(document.split, where=where))
    result = engine.ask(document, Distributions())
    rows = [
        place
        for place, region in enumerate(columns["region"])
        if region == "west" and columns["class"][place] != "low"
    ]
    classes = [columns["class"][place] for place in rows]
    assert dict(result.outcome) == {
        "high": classes.count("high"),
        "middle": classes.count("middle"),
        "low": 0,
    }
    found = {entry.column: entry for entry in result.inputs}
    assert found["region"].levels == 1
    assert found["region"].reason == "It is the same in every row."
    assert found["income"].missing == sum(columns["income"][place] is None for place in rows)
    assert found["noise"].reason == "It has no value."
    assert found["weight"].reason == "It is the same in every row."


def test_values_outside_the_row_filter_do_not_say_which_loss_fits(engine, tmp_path):
    columns = raw_columns()
    columns["count"] = [-1 if age < 30 else 2 for age in columns["age"]]
    data = load(engine, write_csv(tmp_path / "raw.csv", columns))
    document = raw_document(data, "count")

    def fits(document):
        infos = engine.ask(document, Distributions()).distributions
        return next(info.fits for info in infos if info.id == "poisson")

    assert not fits(document)
    assert fits(replace(document, split=replace(document.split, where="age >= 30")))


def test_an_explanation_stays_within_the_row_filter(engine, raw):
    document = raw_document(raw)
    split = replace(document.split, where="age < 24")
    document = replace(document, split=split)
    few = settings(train_rows=(RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST), stop_rows=())
    model = engine.run("train", TrainArguments(document=document, settings=few)).model
    document = AddTrainedModel(model=model).apply(document)
    result = explain(engine, document, columns=("age",))
    assert result.rows_text.endswith("of all rows (all of them trained it), where age < 24")
    assert result.curves[0].rug.max() < 24
