"""Training in the engine: live curves, Stop, checkpoints, folds, and the way into every page."""

from dataclasses import replace

import numpy as np
import pytest

from core.assembly.cases import cases_of
from core.assembly.context import table_of
from core.assembly.models.trained import stopping_rows, training_rows
from core.document.commands import AddTrainedModel, RemoveModel, SetRole, SetRowsUsed
from core.document.data.commands import AddRows
from core.document.data.model import DataRecipe, FileRef, ReaderSettings, RowsSpec, RowUse
from core.document.data.opening import roles_beside, with_recipe
from core.document.decisions.model_commands import SetCalibration
from core.document.model import OldPriorKind, Role, RoleAssignment, SplitSpec
from core.document.studies.compare import ShiftSide
from core.document.studies.data import MakeTableArguments
from core.document.training_results import GROWING, TrainingCurves
from core.engine.context import JobContext
from core.engine.jobs.models import training
from core.engine.local import LocalEngine
from core.engine.messages import (
    ApplyArguments,
    SaveArguments,
    TrainArguments,
)
from core.questions.compare import CompareModels, FitCalibration, Shift
from core.questions.decide import AtDepth, Resamples, Totals
from payoff.errors import PayoffError, StoppedError
from plugins.distributions.hooks import payoff_register_distributions
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


@pytest.fixture(scope="module")
def trained(engine, raw):
    """A project with one trained model."""
    result = train(engine, raw_document(raw), settings())
    return AddTrainedModel(model=result.model).apply(raw_document(raw))


def train(engine, document, wanted, **calls):
    return engine.run("train", TrainArguments(document=document, settings=wanted), **calls)


def calibration(engine, document):
    cases = cases_of(document, JobContext(engine.workbench))
    return next(iter(cases.posteriors.values()))


def auc_of(engine, document):
    result = engine.ask(document, CompareModels(resamples=20))
    return next(c.estimate.value for c in result.cells if c.metric == "auc"), result


def test_a_trained_model_joins_every_page(engine, trained, tmp_path):
    auc, judged = auc_of(engine, trained)
    assert auc > 0.75
    assert judged.rows.rows == 300
    assert any("number of trees of 'trees' was chosen on 300" in text for text in judged.warnings)
    decided = engine.ask(trained, Totals())
    assert decided.models[0].total.value > decided.act_on_all
    reading = engine.ask(trained, AtDepth(depth=0.3))
    assert reading.cases[0] == 90
    drawn = engine.ask(trained, Resamples(resamples=20))
    assert drawn.resamples == 20
    path = str(tmp_path / "decisions.csv")
    saved = engine.run("save_decisions", SaveArguments(document=trained, model="trees", path=path))
    assert saved.rows == 1_200
    assert any("600 of these rows trained 'trees'" in text for text in saved.warnings)


def test_the_rule_applies_to_new_raw_columns(engine, trained, tmp_path):
    fresh = raw_columns(rows=200, seed=99)
    for gone in ("answer", "use", "class", "amount", "count", "weight"):
        del fresh[gone]
    path = write_csv(tmp_path / "new.csv", fresh)
    arguments = ApplyArguments(document=trained, model="trees", path=path, reader=ReaderSettings())
    applied = engine.run("apply", arguments)
    assert applied.rows == 200
    assert sum(count for _, count in applied.counts) == 200
    assert len({row[1] for row in applied.preview.rows}) > 20
    del fresh["income"]
    path = write_csv(tmp_path / "lacking.csv", fresh)
    with pytest.raises(PayoffError, match="lacks a column the rule needs: 'income'"):
        engine.run("apply", replace(arguments, path=path))


def test_curves_grow_while_the_trees_do(engine, raw):
    reported = []
    result = train(
        engine,
        raw_document(raw),
        settings(n_trees=55),
        on_progress=lambda *event: reported.append(event),
    )
    curves = [partial for _, _, partial in reported if isinstance(partial, TrainingCurves)]
    done = [entry.done for entry in curves]
    assert done == sorted(done)
    assert {25, 50} <= set(done)  # every checkpoint is told
    assert all(len(entry.train) == entry.done == len(entry.trees) for entry in curves)
    assert curves[-1].checkpoint.trees == 50
    assert sum(share for _, share in curves[-1].influence) == pytest.approx(1.0)
    final = result.curves
    assert final.no_model > final.valid[0] > final.valid.min()
    assert final.train[-1] < final.train[0]
    assert final.best_trees == int(np.argmin(final.valid)) + 1 == result.model.trees_used
    assert result.model.choice == "deviance of the rows that judge"
    assert np.isfinite(final.oob).all()


def test_early_stopping_ends_sooner(engine, raw):
    result = train(engine, raw_document(raw), settings(n_trees=2_000, patience=10))
    assert result.model.trees == result.model.trees_used + 10
    assert not result.was_stopped


def test_stop_keeps_the_trees(engine, raw):
    seen = []

    def tell(_fraction, _stage, partial):
        seen.append(partial)

    def enough():
        return any(entry is not None and entry.done >= 25 for entry in seen)

    result = train(
        engine, raw_document(raw), settings(n_trees=5_000), on_progress=tell, should_stop=enough
    )
    assert result.was_stopped
    assert 25 <= result.model.trees < 200
    document = AddTrainedModel(model=result.model).apply(raw_document(raw))
    assert auc_of(engine, document)[0] > 0.7


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("folds", [0, 2])
def test_stop_keeps_the_trees_whenever_it_comes(engine, raw, folds):
    """Also while a checkpoint is written, after which the training tells how far it is."""
    wanted = settings(n_trees=60, cv_folds=folds, stop_rows=())
    asks = grown = 0
    is_ending = False

    def stops_at(place):
        nonlocal asks
        asks += 1
        return asks > place

    def tell(_fraction, _stage, partial):
        nonlocal grown
        grown = partial.done if partial is not None else 0

    place = 0
    while not is_ending:
        place += 1
        asks = grown = 0
        try:
            result = train(
                engine,
                raw_document(raw),
                wanted,
                on_progress=tell,
                should_stop=lambda: stops_at(place),  # noqa: B023 - called before the next round
            )
        except StoppedError:
            assert not grown
        else:
            assert result.model.trees >= max(1, grown)
            assert result.was_stopped == (asks > place)
            is_ending = not result.was_stopped
    assert place > 60


def test_stop_before_the_first_tree_leaves_nothing(engine, raw):
    with pytest.raises(StoppedError):
        train(engine, raw_document(raw), settings(), should_stop=lambda: True)


def test_a_checkpoint_continues_to_the_same_model(engine, raw):
    """What a dead engine left behind: at most 25 trees are grown again."""
    checkpoints = []

    def die(_fraction, _stage, partial):
        if isinstance(partial, TrainingCurves) and partial.checkpoint is not None:
            checkpoints.append(partial.checkpoint)
            if partial.done >= 50:
                raise SystemExit("the engine died")

    document = raw_document(raw)
    wanted = settings(n_trees=70, seed=11, name="lost")
    with pytest.raises(SystemExit):
        train(engine, document, wanted, on_progress=die)
    assert checkpoints[-1].trees == 50
    continued = train(engine, document, checkpoints[-1]).model
    whole = train(engine, document, wanted).model
    assert continued.trees == whole.trees == 70
    assert continued.model_hash == whole.model_hash
    kept = AddTrainedModel(model=checkpoints[-1]).apply(document)
    assert calibration(engine, kept).shape == (2, 300)


def test_a_model_that_is_complete_is_not_continued(engine, trained):
    model = trained.trained_model("trees")
    with pytest.raises(PayoffError, match="has 60 trees already"):
        train(engine, trained, model)
    longer = train(engine, trained, replace(model, n_trees=80)).model
    assert longer.trees == 80


def test_continuing_on_other_rows_is_refused(engine, trained):
    model = replace(trained.trained_model("trees"), n_trees=80, train_rows=(RowUse.TEST,))
    with pytest.raises(PayoffError, match="cannot be continued"):
        train(engine, trained, model)


def test_training_rows_are_judged_out_of_fold(engine, raw):
    document = SetRowsUsed(rows_used=RowUse.TRAIN).apply(raw_document(raw))
    plain = AddTrainedModel(model=train(engine, document, settings()).model).apply(document)
    result = train(engine, document, settings(cv_folds=3, name="crossed"))
    crossed = AddTrainedModel(model=result.model).apply(document)
    assert result.model.choice == "cross-validation"
    assert np.isfinite(result.curves.crossed).all()
    flattered, plain_result = auc_of(engine, plain)
    fair, crossed_result = auc_of(engine, crossed)
    assert fair < flattered - 0.03
    assert any("they flatter it" in text for text in plain_result.warnings)
    assert any("3 folds that did not see them" in text for text in crossed_result.warnings)


def test_other_rows_are_scored_alike_with_and_without_folds(engine, raw):
    document = raw_document(raw, rows_used=RowUse.TEST)
    result = train(engine, document, settings(cv_folds=3, name="crossed"))
    crossed = AddTrainedModel(model=result.model).apply(document)
    plain = replace(train(engine, document, settings()).model, trees_used=result.model.trees_used)
    alone = AddTrainedModel(model=plain).apply(document)
    np.testing.assert_array_equal(calibration(engine, crossed), calibration(engine, alone))


def test_a_shift_of_scores_says_that_one_side_trained_the_model(engine, raw):
    """Scores of folds beside those of all trees "shifted" where every input was stable."""
    document = raw_document(raw)
    crossed = train(engine, document, settings(cv_folds=3, name="crossed")).model
    plain = replace(crossed, name="plain", cv_folds=0)
    project = AddTrainedModel(model=crossed).apply(document)
    project = AddTrainedModel(model=plain).apply(project)

    def add_warning(then: RowUse, now: RowUse) -> tuple[str, ...]:
        sides = Shift(then=ShiftSide(use=then), now=ShiftSide(use=now))
        return engine.ask(project, sides).warnings

    folds, none = add_warning(RowUse.TRAIN, RowUse.TEST)
    assert folds.startswith(
        "crossed learned from 100.0\N{NO-BREAK SPACE}% of the rows then and 0.0"
    )
    assert "scored by models of its folds" in folds
    assert "nearer to what happened" in none
    assert (
        add_warning(RowUse.VALIDATION, RowUse.TEST) == add_warning(RowUse.TRAIN, RowUse.TRAIN) == ()
    )


def test_old_priors_are_the_weighted_shares(engine, raw):
    result = train(engine, raw_document(raw), settings(weight="weight", n_trees=5))
    columns = raw_columns()
    rows = [index for index, use in enumerate(columns["use"]) if use == "train"]
    weight = columns["weight"][rows]
    is_event = np.array([columns["answer"][row] == "yes" for row in rows])
    entry = AddTrainedModel(model=result.model).apply(raw_document(raw)).model("trees")
    assert entry.old_priors.kind is OldPriorKind.TRAINED_AT
    shares = dict(entry.old_priors.shares)
    assert shares["yes"] == pytest.approx(weight[is_event].sum() / weight.sum(), abs=1e-12)


@pytest.mark.parametrize(
    ("watch", "is_higher"), [("profit", True), ("auc", True), ("brier", False)]
)
def test_any_figure_can_stop_the_training(engine, raw, watch, is_higher):
    result = train(engine, raw_document(raw), settings(watch=watch, n_trees=400, patience=20))
    curves = result.curves
    seen = ~np.isnan(curves.watched)
    best = (np.nanargmax if is_higher else np.nanargmin)(curves.watched)
    assert curves.is_higher_better is is_higher
    assert seen.sum() == result.model.trees // 10
    assert curves.trees[best] == result.model.trees_used < 400


def test_watched_profit_is_what_decide_shows(engine, raw):
    result = train(engine, raw_document(raw), settings(watch="profit", n_trees=20, patience=100))
    document = AddTrainedModel(model=result.model).apply(raw_document(raw))
    shown = engine.ask(document, Totals()).models[0].total.value
    assert np.nanmax(result.curves.watched) == pytest.approx(shown, rel=1e-12)


def test_several_classes(engine, raw):
    document = raw_document(raw, target="class")
    wanted = settings(distribution="multinomial", target="class", n_trees=15)
    document = AddTrainedModel(model=train(engine, document, wanted).model).apply(document)
    found = calibration(engine, document)
    assert found.shape == (3, 300)
    np.testing.assert_allclose(found.sum(axis=0), 1.0, atol=1e-12)
    result = engine.ask(document, CompareModels(resamples=0))
    accuracy = next(c.estimate.value for c in result.cells if c.metric == "accuracy")
    assert accuracy > 0.5


def test_an_interval_target(engine, raw):
    document = raw_document(raw, target="amount")
    wanted = settings(distribution="gaussian", target="amount", offset=None)
    result = train(engine, document, wanted)
    assert result.model.class_shares == ()
    document = AddTrainedModel(model=result.model).apply(document)
    judged = engine.ask(document, CompareModels(resamples=0))
    rmse = next(c.estimate.value for c in judged.cells if c.metric == "rmse")
    amounts = raw_columns()["amount"][2::4]
    assert rmse < 0.7 * amounts.std()


def test_a_removed_model_comes_back_by_its_file(engine, trained):
    gone = RemoveModel(model="trees").apply(trained)
    assert gone.models == ()
    again = AddTrainedModel(model=trained.trained_model("trees")).apply(gone)
    assert calibration(engine, again).shape == (2, 300)


def test_a_missing_model_file_is_named(raw, trained):
    other = LocalEngine()  # its shelf is empty
    with pytest.raises(
        PayoffError, match="file of the trained model 'trees' is missing"
    ) as refusal:
        other.ask(trained, Totals())
    assert trained.trained_model("trees").model_hash in refusal.value.where


def test_fifty_and_fifty_trees_are_a_hundred(engine, raw):
    document = raw_document(raw)
    first = train(engine, document, settings(n_trees=50, cv_folds=3)).model
    continued = train(engine, document, replace(first, n_trees=100))
    whole = train(engine, document, settings(n_trees=100, cv_folds=3))
    assert continued.model.trees == 100
    assert continued.model.trees_used == whole.model.trees_used
    np.testing.assert_array_equal(continued.curves.train, whole.curves.train)
    np.testing.assert_array_equal(continued.curves.crossed, whole.curves.crossed)
    documents = (AddTrainedModel(model=e.model).apply(document) for e in (continued, whole))
    first_probabilities, second_probabilities = (calibration(engine, entry) for entry in documents)
    np.testing.assert_array_equal(first_probabilities, second_probabilities)


def test_a_continued_training_keeps_the_best_of_what_was_watched(engine, raw):
    """More trees that are worse by the watched metric do not become the trees that are used."""
    document = raw_document(raw)
    first = train(engine, document, settings(watch="auc", n_trees=300, shrinkage=0.3)).model
    more = replace(first, n_trees=340)
    continued = train(engine, document, more).model
    assert continued.trees == 340
    assert continued.trees_used == first.trees_used


def test_levels_never_seen_are_named_before_the_rule_is_used(engine, trained, tmp_path):
    fresh = raw_columns(rows=200, seed=99)
    fresh["region"] = np.where(np.arange(200) < 30, "east", fresh["region"])
    path = write_csv(tmp_path / "east.csv", fresh)
    arguments = ApplyArguments(document=trained, model="trees", path=path, reader=ReaderSettings())
    applied = engine.run("apply", arguments)
    (line,) = (entry for entry in applied.checks if "never seen" in entry.text)
    assert line.text.startswith("region: 30 rows")
    assert "'east'" in line.text


def test_chances_of_trees_are_fitted_anew_and_leave_with_another_model(engine, trained):
    result = engine.ask(trained, FitCalibration(model="trees"))
    spec = result.options[1].spec
    assert spec.model_hash == trained.model("trees").trained.model_hash
    fitted = SetCalibration(model="trees", calibration=spec).apply(trained)
    assert not np.array_equal(calibration(engine, fitted), calibration(engine, trained))
    other = replace(trained.model("trees").trained, model_hash="another")
    again = AddTrainedModel(model=other).apply(fitted)
    assert again.model("trees").calibration is None


def test_without_rows_that_judge_no_tree_is_the_best(engine, raw):
    document = replace(raw_document(raw), split=SplitSpec(shares=(1.0, 0.0, 0.0)))
    result = train(engine, document, settings(n_trees=40, stop_rows=()))
    assert result.model.choice == ""
    assert result.model.trees_used == 40
    assert result.curves.best_trees == 0


def test_progress_counts_the_models_of_the_folds_too(engine, raw, monkeypatch):
    monkeypatch.setattr(training, "PARTIAL_SECONDS", 0.0)
    reported = []
    document = replace(raw_document(raw), split=SplitSpec(shares=(1.0, 0.0, 0.0)))
    wanted = settings(n_trees=30, cv_folds=3, stop_rows=(), name="crossed")
    train(engine, document, wanted, on_progress=lambda *event: reported.append(event))
    curves = [entry for _, _, entry in reported if isinstance(entry, TrainingCurves)]
    shares = [entry.fraction for entry in curves]
    assert shares == sorted(shares)
    own = [entry for entry in curves if entry.stage == GROWING]
    folds = [entry for entry in curves if entry.stage != GROWING]
    assert own[-1].fraction <= 0.25 + 1e-9  # a quarter of four models
    assert folds
    assert [fraction for fraction, _, entry in reported if entry is curves[-1]] == [shares[-1]]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bernoulli", "Bernoulli deviance"),
        ("gaussian", "Gaussian deviance"),
        ("poisson", "Poisson loss"),
        ("gamma", "Gamma loss"),
        ("tweedie", "Tweedie loss"),
    ],
)
def test_curves_are_called_deviance_only_where_they_are_the_metric(name, words):
    """The loss of counts keeps what a perfect prediction would lose; the deviance takes it off."""
    spec = next(s for s in payoff_register_distributions() if s.id == name)
    perfect = np.zeros(2)
    if spec.saturated is not None:
        spec.saturated(np.array([1.0, 2.0]), np.array([1.5]), perfect, 0, 2)
    assert training.loss_words(spec) == words
    assert words.endswith("loss") == perfect.any()


def test_a_weight_named_after_the_training_leaves_its_rows_known(engine, tmp_path):
    """Rows of weight 0 count nowhere from then on; that they trained the model stays known."""
    columns = raw_columns()
    columns["weight"] = [index % 5 for index in range(len(columns["weight"]))]
    ref = load(engine, write_csv(tmp_path / "weighted.csv", columns))
    document = SetRowsUsed(rows_used=RowUse.TRAIN).apply(raw_document(ref))
    crossed = train(engine, document, settings(cv_folds=3, name="crossed")).model
    project = AddTrainedModel(model=crossed).apply(document)
    weight = RoleAssignment(column="weight", role=Role.WEIGHT)
    _auc, judged = auc_of(engine, SetRole(assignment=weight).apply(project))
    assert any("3 folds that did not see them" in text for text in judged.warnings)
    plain = replace(crossed, name="plain", cv_folds=0)
    flattered = AddTrainedModel(model=plain).apply(SetRole(assignment=weight).apply(document))
    assert any("they flatter it" in text for text in auc_of(engine, flattered)[1].warnings)


def test_rows_of_a_training_are_known_beside_rows_that_were_added(engine, raw, tmp_path):
    """Drawn by lot of a file alone; then another one's rows stand below, and files say the use."""
    drawn = replace(raw_document(raw), split=SplitSpec(shares=(0.5, 0.25, 0.25)))
    roles = tuple(
        replace(entry, role=Role.IGNORED) if entry.role is Role.ROW_USE else entry
        for entry in drawn.roles
    )
    document = replace(drawn, roles=roles)
    model = train(engine, document, settings()).model
    before = context_rows(engine, AddTrainedModel(model=model).apply(document))
    more = write_csv(tmp_path / "more.csv", raw_columns(300, seed=8))
    additional = RowsSpec(file=FileRef(path=more), use=RowUse.TEST)
    recipe = DataRecipe(own_use=RowUse.VALIDATION, rows=(additional,))
    made = engine.run("make_table", MakeTableArguments(data=with_recipe(document.data, recipe)))
    project = AddTrainedModel(model=model).apply(document)
    roles = roles_beside(project, made)
    command = AddRows(data=made.data, roles=roles, target=project.target, split=made.split)
    added = command.apply(project)
    assert added.data.rows_hash != model.data_hash
    now = context_rows(engine, added)
    assert len(now[0]) == model.trained_rows
    for rows, earlier in zip(now, before, strict=True):
        np.testing.assert_array_equal(rows, earlier)


def context_rows(engine, document):
    """The rows that trained the model of a project, and those that stopped its training."""
    context = JobContext(engine.workbench)
    table, model = table_of(document, context), document.models[-1].trained
    return training_rows(table, document, model), stopping_rows(table, document, model)


def test_a_model_that_was_stopped_before_its_folds_is_flattered_by_its_rows(engine, raw):
    """That folds were wanted judges nothing: such a model once stood as the best, by 0.996."""
    document = SetRowsUsed(rows_used=RowUse.TRAIN).apply(raw_document(raw))
    grown = 0

    def tell(_fraction, _stage, partial):
        nonlocal grown
        grown = partial.done if partial is not None else 0

    wanted = settings(n_trees=5_000, cv_folds=3)
    stopped = train(engine, document, wanted, on_progress=tell, should_stop=lambda: grown >= 25)
    assert any("since it was stopped" in text for text in stopped.warnings)
    assert not stopped.model.has_folds
    judged = auc_of(engine, AddTrainedModel(model=stopped.model).apply(document))[1]
    assert any("they flatter it" in text for text in judged.warnings)
    assert [entry.how for entry in judged.seen] == ["trained"]
    assert "flatter" in judged.favoured
