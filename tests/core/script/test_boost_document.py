"""``payoff.boost`` and page Models are one: the document of a script trains the same trees."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import payoff
from core.boosting import read_model
from core.document.commands import RemoveModel
from core.document.data.model import RowUse
from core.document.files.codec import from_plain, to_plain
from core.document.files.project import Headline, read_project, save_project
from core.document.model import Document, LevelOrder, Role
from core.engine.messages import TrainArguments
from core.questions.compare import CompareModels
from core.questions.explain import Explain, OneCase, QuantileCheck
from core.script.session import engine
from tests.core.script.boost_cases import (
    COX,
    NUMBER,
    RANK,
    SIZE,
    SIZES,
    TRAININGS,
    YES,
    arguments_of,
    make_table,
)

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile

FEW = {"n_trees": 8}


def boosted(name):
    requested = arguments_of(name)
    return payoff.boost(
        make_table(), **(requested if "early_stopping" in requested else requested | FEW)
    )


def trained_again(model, **changed):
    """What the window's job gives when it is asked to train as the model's document says."""
    trained = model.document.trained_model("Model")
    blank = RemoveModel(model="Model").apply(model.document)
    settings = replace(trained, model_hash="", trees=0, trees_used=0, choice="", **changed)
    return engine().run("train", TrainArguments(document=blank, settings=settings))


def trees_of(trained):
    path = engine().workbench.model_store.path(trained.model_hash)
    return read_model(path, engine().registry.distribution)


def same_trees(one, other):
    first, second = one.pieces(), other.pieces()
    return all(np.array_equal(first[name], second[name], equal_nan=True) for name in first)


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("name", TRAININGS)
def test_the_windows_job_grows_the_trees_of_the_script(name):
    model = boosted(name)
    result = trained_again(model)
    again = trees_of(result.model)
    np.testing.assert_array_equal(again.initial, model.boosted.initial)
    assert again.columns == model.boosted.columns
    assert again.classes == model.classes
    assert (again.n_train, again.n_rows) == (model.boosted.n_train, model.boosted.n_rows)
    assert again.n_trees >= model.n_trees
    assert same_trees(again.first_trees(model.n_trees).forest, model.boosted.forest)
    reported = model.document.trained_model("Model")
    assert result.model.class_shares == reported.class_shares
    assert result.model.trained_rows == reported.trained_rows == model.boosted.n_train
    if model.boosted.cross_validation is not None:
        np.testing.assert_array_equal(again.cross_validation.deviance, model.cv_deviance)
        np.testing.assert_array_equal(
            again.cross_validation.fold, model.boosted.cross_validation.fold
        )


def test_rows_that_were_left_out_are_not_looked_at():
    """A text among the weights, and a third answer, in rows that do not count."""
    table = make_table().assign(weight=make_table().weight.map(repr))
    outside = table.index[table.a < -1]
    table.loc[outside[0], "weight"] = "none"
    table.loc[outside[1], "answer"] = "perhaps"
    model = payoff.boost(table, **(YES | FEW), weight="weight", rows="a >= -1", seed=5)
    clean = payoff.boost(table[table.a >= -1], **(YES | FEW), weight="weight", seed=5)
    assert same_trees(model.boosted.forest, clean.boosted.forest)
    assert len(model.source.table) == len(table)
    assert model.data.rows == len(table) - len(outside)
    assert model.document.split.where == "a >= -1"


def test_the_document_says_what_was_asked():
    model = boosted("which act together")
    trained = model.document.trained_model("Model")
    assert trained.interactions == (("a", "b"), ("c", "town"))
    assert (trained.max_depth, trained.n_trees, trained.trees_used) == (2, 8, 8)
    assert model.document.target.levels == ("yes", "no")
    assert model.document.target.event == "yes"
    assert model.document.column_of(Role.TARGET) == "answer"
    assert model.document.columns_of(Role.INPUT) == tuple(YES["features"])
    assert model.document.rows_used is RowUse.ALL
    judged = boosted("judged").document
    assert judged.rows_used is RowUse.VALIDATION
    assert judged.trained_model("Model").stopped_rows == 0  # no row chose the number of trees
    stopped = boosted("stopped early").document.trained_model("Model")
    assert stopped.patience == 8
    assert stopped.choice == "early stopping"
    assert stopped.stopped_rows == 192
    ordered = boosted("ordered as said").document.target
    assert ordered.order == tuple(SIZES)
    assert sorted(ordered.levels) == sorted(SIZES)
    classes = boosted("classes").document
    assert classes.target.levels[0] == "small"  # the event: the rarest
    assert classes.trained_model("Model").levels == (
        LevelOrder(column="kind", levels=("big", "none", "small")),
    )


def test_a_weight_of_zero_is_one_of_the_training_alone():
    table = make_table().assign(some=np.where(np.arange(len(make_table())) % 5, 1.0, 0.0))
    model = payoff.boost(table, **(NUMBER | FEW), weight="some")
    assert model.document.column_of(Role.WEIGHT) is None
    assert same_trees(trees_of(trained_again(model).model).forest, model.boosted.forest)
    assert boosted("folds").document.column_of(Role.WEIGHT) == "weight"


def test_a_project_file_keeps_every_setting(tmp_path):
    for name in ("ordered input", "as gbm", "some rows", "time between", "lists in folds"):
        document = boosted(name).document
        plain = json.loads(json.dumps(to_plain(document)))
        assert from_plain(Document, plain) == document
        path = tmp_path / f"{name}.payoff"
        model_store = engine().workbench.model_store
        path = save_project(path, document, Headline(), model_store)
        assert read_project(path, model_store).document == document
        for record in plain["models"]:  # an earlier program knew nothing of these
            for field in ("interactions", "max_depth", "precision", "levels", "upper"):
                del record["trained"][field]
        del plain["split"]["in_order"]
        old = from_plain(Document, plain)
        assert old.trained_model("Model").levels == ()
        assert not old.split.in_order


def test_questions_about_the_model_are_answered_as_the_script_answers():
    model = payoff.boost(make_table(), **YES, n_trees=20, interaction_depth=2, train_fraction=0.7)
    explained = model.ask(Explain(model="Model", shuffles=True, columns=("a",)))
    shares = {entry.column: 100 * entry.influence for entry in explained.influence}
    assert shares == pytest.approx(
        {c: 100 * s for c, s in model.relative_influence().items()}, abs=1e-9
    )
    rise = model.permutation_importance(seed=model.document.seed)
    for entry in explained.influence:
        assert entry.shuffled == rise.importance[entry.column]
        assert (entry.shuffled_low, entry.shuffled_high) == (
            rise.low[entry.column],
            rise.high[entry.column],
        )
    case = model.ask(OneCase(model="Model", row=5))
    added = model.contributions(make_table().iloc[[5]])
    assert case.base == pytest.approx(added.base[0], abs=1e-12)
    for part in case.parts:
        assert part.amount == pytest.approx(added[part.column][0], abs=1e-12)
    judged = model.ask(CompareModels(resamples=0))
    assert judged.rows.rows == 480 - 336
    probabilities = payoff.evaluate(
        make_table().assign(p=model.predict(make_table(), kind="response"))[336:],
        outcome="answer",
        scores="p",
        event="yes",
        intervals=False,
    )
    found = {cell.metric: cell.estimate.value for cell in judged.cells}
    assert found["auc"] == probabilities.value("auc", "p")


def test_quantiles_are_checked_by_a_question():
    requested = arguments_of("quantiles") | {"train_fraction": 0.6}
    model = payoff.boost(make_table(), **requested)
    found = model.ask(QuantileCheck(model="Model"))
    assert found.is_fresh
    assert found.rows.rows == 192
    outcome = make_table().number[288:].to_numpy()
    predicted = model.predict(make_table()[288:], kind="response")
    below = (outcome[:, None] <= np.maximum.accumulate(predicted, axis=1)).mean(axis=0)
    np.testing.assert_allclose(found.below, below, atol=1e-12)


def test_a_continued_model_and_one_with_fewer_trees_have_their_own_document():
    model = payoff.boost(make_table(), **YES, n_trees=8, seed=5)
    longer = model.continue_training(4)
    assert longer.document.trained_model("Model").trees == 12
    assert same_trees(trees_of(trained_again(longer).model).forest, longer.boosted.forest)
    shorter = replace(model, boosted=model.boosted.first_trees(3, "oob"))
    trained = shorter.document.trained_model("Model")
    assert (trained.trees, trained.trees_used, trained.choice) == (3, 3, "oob")
    assert model.document.trained_model("Model").trees == 8


def test_a_model_of_a_file_has_no_document(tmp_path):
    path = tmp_path / "m.payoffmodel"
    payoff.boost(make_table(), **YES, n_trees=3).save(path)
    model = payoff.load_model(path)
    for ask in (lambda: model.document, lambda: model.ask(Explain(model="Model"))):
        with pytest.raises(payoff.PayoffError, match="read from a file, without its data"):
            ask()


def test_a_loaded_model_judges_other_data_as_it_was_trained(tmp_path):
    for requested in (YES, COX, RANK, SIZE | {"levels": {"plain_size": SIZES}}):
        path = tmp_path / "m.payoffmodel"
        model = payoff.boost(make_table(), **requested, n_trees=5)
        model.save(path)
        again = payoff.load_model(path).permutation_importance(make_table(), seed=4)
        pd.testing.assert_frame_equal(again, model.permutation_importance(make_table(), seed=4))


def test_an_ordered_outcome_is_watched_and_shared_out_by_its_levels():
    """Classes stand in their own order in the model, and the event first in the target."""
    requested = {"target": "level", "distribution": "ordinal", "features": ["a", "b", "c"]}
    table = make_table().sample(frac=1.0, random_state=3)
    model = payoff.boost(table, **requested, n_trees=20, train_fraction=0.6)
    target = model.document.target
    order = ("8", *(level for level in target.levels if level != "8"))
    document = replace(model.document, target=replace(target, levels=order))
    document = RemoveModel(model="Model").apply(document)
    settings = replace(
        model.document.trained_model("Model"), model_hash="", patience=0, watch="log_loss"
    )
    result = engine().run("train", TrainArguments(document=document, settings=settings))
    shares = table.level[:288].astype(str).value_counts(normalize=True)
    assert dict(result.model.class_shares) == pytest.approx(shares.to_dict())
    judged = payoff.boost(table, **requested, n_trees=20, train_fraction=0.6).ask(
        CompareModels(resamples=0)
    )
    loss = {cell.metric: cell.estimate.value for cell in judged.cells}["log_loss"]
    assert result.curves.watched[19] == pytest.approx(loss, rel=1e-9)
