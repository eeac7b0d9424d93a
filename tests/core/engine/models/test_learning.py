"""How a model learned, what it brings by number of trees, and a number chosen afterwards."""

from dataclasses import replace

import numpy as np
import pytest

import payoff
from core.assembly.context import table_of
from core.assembly.models.learning import CURVE_POINTS, curve_points
from core.assembly.models.training_plan import plan_training
from core.document.commands import AddTrainedModel, SetRole
from core.document.data.model import RowUse
from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.model_commands import SetTrees
from core.document.files.project import read_project
from core.document.model import Role, RoleAssignment, TreeRule, WeightKind
from core.document.scripts.script import script_of
from core.document.views import DECISION, LEARNED, MODELS
from core.engine.context import JobContext
from core.engine.messages import TrainArguments
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from core.questions.explain import Explain, OneCase, TreeNumbers
from payoff.errors import PayoffError
from tests.helpers.factories.number_outcomes import (
    number_document,
    ranking_columns,
    ranking_settings,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings

TREES = 60


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_csv(tmp_path_factory.mktemp("learning") / "raw.csv", raw_columns())


@pytest.fixture(scope="module")
def loaded(engine, path):
    return load(engine, path)


def trained(engine, loaded, target="answer", **asked):
    document = raw_document(loaded, target)
    document = replace(document, rows_used=RowUse.TEST)
    wanted = settings(**{"n_trees": TREES, "patience": 0, **asked})
    result = engine.run("train", TrainArguments(document=document, settings=wanted))
    return AddTrainedModel(model=result.model).apply(document), result


@pytest.fixture(scope="module")
def project(engine, loaded):
    return trained(engine, loaded)


def ask(engine, document):
    name = document.models[0].name
    return engine.ask(document, TreeNumbers(model=name))


def with_trees(document, trees, rule=TreeRule.HAND):
    return SetTrees(model=document.models[0].name, trees=trees, rule=rule).apply(document)


def test_the_file_keeps_the_curves_of_the_training(engine, project):
    document, result = project
    found = ask(engine, document).curves
    for name in ("trees", "train", "valid", "oob"):
        np.testing.assert_array_equal(getattr(found, name), getattr(result.curves, name))
    assert found.deviance_words == result.curves.deviance_words
    assert found.no_model == result.curves.no_model


def test_curves_of_many_trees_hold_every_one_of_few_that_were_looked_at():
    looks = np.arange(98, 2 * CURVE_POINTS, 101)
    kept = curve_points(2 * CURVE_POINTS, looks)
    assert np.isin(looks, kept).all()
    assert (kept[0], kept[-1]) == (0, 2 * CURVE_POINTS - 1)
    assert CURVE_POINTS < len(kept) <= CURVE_POINTS + len(looks)


def test_profit_by_number_of_trees_is_that_of_page_decide(engine, project):
    document, _ = project
    found = ask(engine, document)
    assert found.rows_text == "300 test rows"
    assert list(found.points) == list(range(1, TREES + 1))
    for trees in (1, 17, TREES):
        totals = engine.ask(with_trees(document, trees), Totals())
        assert found.profit[trees - 1] == pytest.approx(totals.models[0].total.value, abs=1e-9)


def test_the_loss_of_the_test_rows_is_the_deviance_of_page_compare(engine, project):
    document, _ = project
    found = ask(engine, document)
    for trees in (3, TREES):
        compared = engine.ask(with_trees(document, trees), CompareModels(resamples=0))
        cells = {cell.metric: cell.estimate.value for cell in compared.cells}
        assert 2 * cells["log_loss"] == pytest.approx(found.loss[trees - 1], rel=1e-9)


def test_every_rule_chooses_where_its_curve_is_lowest(engine, project):
    document, result = project
    found = ask(engine, document)
    chosen = {entry.rule: entry for entry in found.choices}
    assert chosen[TreeRule.VALIDATION].trees == int(np.argmin(result.curves.valid)) + 1
    assert chosen[TreeRule.TEST].trees == int(np.argmin(found.loss)) + 1
    assert chosen[TreeRule.ALL].trees == TREES
    assert 1 <= chosen[TreeRule.OUT_OF_BAG].trees <= TREES
    assert chosen[TreeRule.FOLDS].trees == 0
    assert chosen[TreeRule.FOLDS].why_not


def test_another_number_of_trees_asks_nothing_anew_of_learning_and_everything_else(project):
    document, _ = project
    other = with_trees(document, 5)
    assert LEARNED.key(other) == LEARNED.key(document)
    for view in (MODELS, DECISION):
        assert view.key(other) != view.key(document)


def test_what_predicts_follows_the_number(engine, project):
    document, _ = project
    name = document.models[0].name
    few = with_trees(document, 2)
    for question in (Explain(model=name, columns=("age",)), OneCase(model=name, row=3)):
        assert engine.ask(few, question) != engine.ask(document, question)
    shap = engine.ask(few, OneCase(model=name, row=3))
    assert shap.score == pytest.approx(shap.base + sum(part.amount for part in shap.parts))


def test_a_number_by_hand_says_which_rows_it_flatters(engine, project):
    document, _ = project
    totals = engine.ask(with_trees(document, 5), Totals())
    described = " ".join(totals.warnings)
    assert "chosen by hand, beside what it brings, on 300 of these rows" in described
    by_oob = engine.ask(with_trees(document, 5, TreeRule.OUT_OF_BAG), Totals())
    assert "chosen" not in " ".join(by_oob.warnings)


def test_rows_beside_which_trees_were_chosen_flatter_on_data_that_came_after_the_training(
    engine, project, tmp_path
):
    """What was looked at counts: its data and its split, whatever trained the model."""
    columns = {name: values[::-1] for name, values in raw_columns().items()}
    fresh = load(engine, write_csv(tmp_path / "next.csv", columns))
    later = replace(project[0], data=fresh)

    def warned(document):
        return " ".join(engine.ask(document, Totals()).warnings)

    assert "chosen by hand" in warned(with_trees(later, 5))
    assert "chosen" not in warned(replace(with_trees(project[0], 5), data=fresh))
    ignored = RoleAssignment(column="use", role=Role.IGNORED)
    drawn = SetRole(assignment=ignored).apply(later)  # half of the rows are test rows
    assert "chosen by hand" in warned(replace(with_trees(drawn, 5), roles=later.roles))


def test_the_training_s_own_number_comes_back(project):
    document, _ = project
    own = document.models[0].trained
    moved = with_trees(with_trees(document, 5), 9, TreeRule.TEST).models[0].trained
    assert (moved.trees_used, moved.choice, moved.tree_rule) == (9, "test", TreeRule.TEST)
    assert moved.as_it_ended == own
    back = SetTrees(model=own.name).apply(with_trees(document, 5))
    assert back == document


@pytest.mark.parametrize("trees", [0, TREES + 1])
def test_trees_that_are_not_there_are_refused(project, trees):
    with pytest.raises(PayoffError, match=r"has no .* to predict with"):
        with_trees(project[0], trees)


def test_folds_keep_their_own_number_and_say_so(engine, loaded):
    document, _ = trained(engine, loaded, cv_folds=3, stop_rows=())
    found = {entry.rule: entry.trees for entry in ask(engine, document).choices}
    assert found[TreeRule.FOLDS] == document.models[0].trained.trees_used
    document = replace(with_trees(document, 2), rows_used=RowUse.TRAIN)
    assert "trees and not 2" in " ".join(engine.ask(document, Totals()).warnings)


@pytest.mark.timeout(400)  # compiles the kernels of these losses where no cache holds them
@pytest.mark.parametrize("kind", ["survival", "ranking"])
def test_what_only_ranks_is_explained_and_learned_without_a_matrix(engine, tmp_path, kind):
    columns, target, wanted = {
        "survival": (survival_columns, "days", survival_settings),
        "ranking": (ranking_columns, "grade", ranking_settings),
    }[kind]
    loaded = load(engine, write_csv(tmp_path / "ranked.csv", columns()))
    requested = wanted(n_trees=20, patience=0)
    document = number_document(loaded, target, requested.features)
    result = engine.run("train", TrainArguments(document=document, settings=requested))
    document = AddTrainedModel(model=result.model).apply(document)
    assert document.matrix is None
    found = ask(engine, document)
    assert np.isfinite(found.curves.train).all()
    assert np.isfinite(found.loss).all()
    assert np.isnan(found.profit).all()
    assert found.no_profit
    case = engine.ask(document, OneCase(model=requested.name, row=3))
    assert case.score == pytest.approx(case.base + sum(part.amount for part in case.parts))
    assert not case.decision
    shown = engine.ask(document, Explain(model=requested.name, columns=(requested.features[0],)))
    assert shown.curves


def test_sampling_weights_count_no_cases(loaded, engine):
    document = raw_document(loaded)
    wanted = settings(weight="weight")
    context = JobContext(engine.workbench)
    table = table_of(document, context)
    for kind, counts in ((None, True), (WeightKind.FREQUENCY, True), (WeightKind.SAMPLING, False)):
        role = RoleAssignment(column="weight", role=Role.WEIGHT, weight_kind=kind)
        described = SetRole(assignment=role).apply(document)
        assert plan_training(table, described, wanted, context).cases.counts_cases is counts


def test_losses_are_watched_as_money_lost(engine, loaded):
    document = raw_document(loaded)
    lost = replace(
        document.matrix,
        kind=MatrixKind.LOSS,
        cells=tuple(tuple(-cell for cell in row) for row in document.matrix.cells),
    )
    wanted = settings(n_trees=TREES, patience=20, watch="profit")
    ends = [
        engine.run("train", TrainArguments(document=project, settings=wanted))
        for project in (document, replace(document, matrix=lost))
    ]
    assert ends[0].model.trees_used == ends[1].model.trees_used


def test_a_script_says_the_number_and_makes_it_again(path, tmp_path):
    project = payoff.new_project(str(path))
    project.set_target("answer", kind="binary", levels=("yes", "no"))
    project.train(
        name="a",
        distribution="bernoulli",
        target="answer",
        features=("age", "income"),
        n_trees=30,
        patience=0,
        bag_fraction=0.5,
    )
    project.set_trees("a", rule="out of bag")
    chosen = project.document.trained_model("a")
    assert chosen.tree_rule is TreeRule.OUT_OF_BAG
    text = script_of(project.document).text
    assert f'set_trees("a", trees={chosen.trees_used}, rule="out of bag")' in text.replace("'", '"')
    with pytest.raises(PayoffError, match="chooses no number"):
        project.set_trees("a", rule="cross-validation")
    project.save(tmp_path / "kept.payoff")
    assert read_project(tmp_path / "kept.payoff").document.trained_model("a") == chosen
