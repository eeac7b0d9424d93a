"""Page Models: where it starts, the chooser, inputs and settings."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QComboBox

from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary
from core.document.training_results import TrainResult
from gui.pages.models.widget import ModelsPage
from gui.pages.models.words import target_facts
from gui.widgets import HelpButton
from tests.gui.models.steps import press
from tests.helpers.answers.models import (
    INPUTS,
    TRAINED,
    curves_at,
    document_with_inputs,
    offered,
    summary_of,
)
from tests.helpers.harness import ModelsHarness, open_models


def test_starts_with_settings_that_can_be_trained_at_once(harness: ModelsHarness) -> None:
    draft = harness.page.presenter.draft
    assert draft is not None
    assert draft.features == INPUTS
    assert draft.distribution == "bernoulli"
    assert draft.train_rows == (RowUse.TRAIN,)
    assert draft.stop_rows == (RowUse.VALIDATION,)
    assert harness.page.inspector.train.isEnabled()
    assert harness.page.inspector.facts.text() == "50,000 training rows, judged on validation rows"
    assert "train" in harness.page.chart._empty_text.text()


def test_settings_that_were_changed_are_not_called_good(harness: ModelsHarness) -> None:
    """After a refused training "these are good settings" stood above what had been refused."""
    presenter, state = harness.page.presenter, harness.page.inspector.state
    assert state.text() == "Not trained yet. These are good settings to start with."
    presenter.take_draft(replace(presenter.draft, min_cases_in_node=5_000))
    assert state.text() == "Not trained yet. Reset brings good settings to start with."
    presenter.reset()
    assert "These are good settings" in state.text()


def test_without_an_outcome_nothing_is_asked_and_nothing_refused(session, engine, qtbot) -> None:
    document = replace(document_with_inputs(has_trained=False), target=None)
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    page = ModelsPage(session)
    qtbot.addWidget(page)
    page.show()
    assert engine.of_kind("models.distributions") == []
    assert page.inspector.facts.text() == "Choose the target above first."
    assert "once it is chosen" in page.chooser.text.text()  # nothing is under way


def test_what_fits_is_asked_as_soon_as_the_columns_of_a_project_are_known(
    session, engine, qtbot
) -> None:
    page = ModelsPage(session)
    qtbot.addWidget(page)
    document = document_with_inputs(has_trained=False)
    session.project.take_document(document)
    assert engine.of_kind("models.distributions") == []
    session.project.summary = summary_of(document)
    for _ in range(2):
        session.project.summary_changed.emit(session.project.summary)
    assert len(engine.of_kind("models.distributions")) == 1


def test_a_file_without_training_rows_trains_in_folds(session, engine, qtbot) -> None:
    document = document_with_inputs(has_trained=False, has_training_rows=False)
    harness = open_models(session, engine, qtbot, document)
    draft = harness.page.presenter.draft
    assert draft is not None
    assert (draft.train_rows, draft.stop_rows, draft.cv_folds) == ((RowUse.VALIDATION,), (), 5)
    assert "did not see it" in harness.page.inspector.stopping.rows["patience"].note.text()


def test_the_steps_say_what_was_chosen(harness: ModelsHarness) -> None:
    words = {key: button.text() for key, button in harness.page.steps.buttons.items()}
    assert words == {
        "target": "respond, yes or no",
        "inputs": "8 of 15",
        "distribution": "Bernoulli",
        "settings": "1,000 trees",
    }
    press(harness, harness.page.steps.buttons["inputs"])
    assert harness.page.panels.currentWidget() is harness.page.inputs_panel


def test_only_questions_with_a_distribution_are_asked(harness: ModelsHarness) -> None:
    questions = harness.page.chooser.questions
    assert questions is not None
    assert list(questions._buttons) == ["yes_no", "count", "time"]
    assert questions.choice() == "yes_no"


def test_a_distribution_is_explained_and_taken(harness: ModelsHarness) -> None:
    chooser = harness.page.chooser
    assert chooser.title.text() == "Chance of yes"
    assert "respond has two values, 5.0\u00a0% respond" in chooser.fit_words.text()
    assert "e<sup>F</sup>" in chooser.formula.text()
    assert chooser.picture.isVisible()
    chooser.list.setCurrentRow(1)
    assert harness.page.presenter.draft.distribution == "adaboost"
    assert harness.page.steps.buttons["distribution"].text() == "AdaBoost"


def test_the_outcomes_values_are_those_inside_the_row_filter(harness: ModelsHarness) -> None:
    document = harness.session.project.document
    target = replace(document.target, kind="multiclass", levels=("1", "0", "2"), labels=())
    filtered = replace(document, target=target, split=replace(document.split, where="age > 9"))
    summary = harness.session.project.summary
    assert target_facts(filtered, summary, None) == "respond, one of several"
    counted = replace(offered(), outcome=(("1", 30), ("0", 70), ("2", 0)))
    assert target_facts(filtered, summary, counted) == "respond has two values, where age > 9"
    pair = replace(filtered, target=document.target)
    counted = replace(offered(), outcome=(("1", 30), ("0", 70)))
    words = target_facts(pair, summary, counted)
    assert words == "respond has two values, 30.0\u00a0% respond, where age > 9"


def test_an_unfit_distribution_says_why_and_is_not_taken(harness: ModelsHarness) -> None:
    chooser = harness.page.chooser
    assert chooser.questions is not None
    press(harness, chooser.questions._buttons["count"])
    chooser.list.setCurrentRow(0)
    assert "a count needs more" in chooser.fit_words.text()
    assert harness.page.presenter.draft.distribution == "bernoulli"
    harness.page.presenter.refresh()  # the page is come back to: words and list are of one question
    assert "a count needs more" in chooser.fit_words.text()


def test_a_question_takes_the_usual_distribution_for_it(harness: ModelsHarness) -> None:
    chooser, presenter = harness.page.chooser, harness.page.presenter
    assert chooser.questions is not None
    press(harness, chooser.questions._buttons["time"])
    assert presenter.draft.distribution == "coxph"
    assert chooser.list.currentRow() == 0
    press(harness, chooser.questions._buttons["count"])  # of none that fits
    assert presenter.draft.distribution == "coxph"
    press(harness, chooser.questions._buttons["yes_no"])
    assert presenter.draft.distribution == "bernoulli"


def test_a_plugin_speaks_for_itself_and_brings_its_parameter(harness: ModelsHarness) -> None:
    harness.page.chooser.list.setCurrentRow(3)
    assert harness.page.chooser.title.text() == "Focal loss"
    assert harness.page.chooser.text.text() == "Looks at hard cases."
    assert not harness.page.chooser.picture.isVisible()
    fields = harness.page.settings_panel.findChildren(
        type(harness.page.inspector.editor("n_trees"))
    )
    focus = next(field for field in fields if field.accessibleName() == "Focus")
    focus.choose(3.0)
    assert harness.page.presenter.draft.distribution_params == (("gamma", 3.0),)


def test_what_is_offered_anew_leaves_the_folds_that_were_typed(harness: ModelsHarness) -> None:
    page, presenter = harness.page, harness.page.presenter
    page.show_step("settings")
    offered = presenter.offered
    assert offered is not None
    kind = type(page.inspector.editor("n_trees"))
    fields = page.settings_panel.findChildren(kind)
    folds = next(field for field in fields if field.accessibleName() == "Folds")
    page.window().activateWindow()
    folds.setFocus()
    harness.qtbot.waitUntil(folds.hasFocus)
    folds.selectAll()
    harness.qtbot.keyClicks(folds, "1")
    anew = replace(offered, distributions=tuple(replace(i) for i in offered.distributions))
    page.settings_panel.show_draft(presenter.draft, harness.session.project.document, anew)
    presenter.offered = anew
    harness.qtbot.keyClicks(folds, "7")
    harness.qtbot.keyClick(folds, Qt.Key.Key_Return)
    assert presenter.draft.cv_folds == 17
    QCoreApplication.processEvents()
    fields = page.settings_panel.findChildren(kind)
    assert [f.value() for f in fields if f.accessibleName() == "Folds"][-1] == 17


def test_a_time_needs_the_column_that_says_whether_the_event_was_seen(
    harness: ModelsHarness,
) -> None:
    draft = harness.page.presenter.draft
    harness.page.presenter.take_draft(replace(draft, distribution="coxph"))
    assert not harness.page.inspector.train.isEnabled()
    assert "which column tells whether the event" in harness.page.inspector.facts.text()
    choose_column(harness, "Event was seen", "age")
    assert harness.page.inspector.train.isEnabled()
    choose_column(harness, "Watched from", "tenure")
    choose_column(harness, "Compared within", "region")
    taken = harness.page.presenter.draft
    assert (taken.event, taken.entry, taken.strata) == ("age", "tenure", "region")
    assert not {"age", "tenure", "region"} & set(taken.features)
    for caption in ("Event was seen", "Watched from", "Compared within"):
        assert len(help_of(harness, caption)) > 60


def choose_column(harness: ModelsHarness, caption: str, column: str | None) -> None:
    """Name a column in the panel of step Settings."""
    combos = harness.page.settings_panel.findChildren(QComboBox)
    combo = next(entry for entry in combos if entry.accessibleName() == caption)
    combo.setCurrentIndex(combo.findData(column))
    combo.activated.emit(combo.currentIndex())


def help_of(harness: ModelsHarness, caption: str) -> str:
    buttons = harness.page.settings_panel.findChildren(HelpButton)
    return next(b.content().text for b in buttons if b.content().title == caption)


def test_a_column_has_one_part_only(harness: ModelsHarness) -> None:
    draft = harness.page.presenter.draft
    harness.page.presenter.take_draft(
        replace(draft, distribution="coxph", event="age", monotone=(("tenure", 1),))
    )
    choose_column(harness, "Watched from", "age")
    assert (harness.page.presenter.draft.event, harness.page.presenter.draft.entry) == (None, "age")
    choose_column(harness, "Event was seen", "tenure")
    assert harness.page.presenter.draft.monotone == ()


def test_further_columns_are_guessed_by_name_and_go_with_their_distribution(
    harness: ModelsHarness,
) -> None:
    page = harness.page
    summary = harness.session.project.summary
    marks = ColumnSummary(name="had_event", kind="integer", rows=90_000, missing=0, distinct=2)
    harness.session.project.summary = replace(summary, columns=(*summary.columns, marks))
    page.chooser.distribution_chosen.emit("coxph")
    assert page.presenter.draft.event == "had_event"
    page.chooser.distribution_chosen.emit("bernoulli")
    assert page.presenter.draft.event is None


def test_inputs_are_ticked_and_a_constant_column_says_why_not(harness: ModelsHarness) -> None:
    panel = harness.page.inputs_panel
    texts = [panel.list.item(place).text() for place in range(panel.list.count())]
    constant = panel.list.item(len(INPUTS))
    assert "the same in every row" in texts[len(INPUTS)]
    assert not constant.flags() & Qt.ItemFlag.ItemIsEnabled
    panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert harness.page.presenter.draft.features == INPUTS[1:]
    press(harness, panel.none)
    assert harness.page.presenter.draft.features == ()
    assert harness.page.inspector.facts.text() == "Choose at least one input."
    press(harness, panel.usual)
    assert harness.page.presenter.draft.features == INPUTS


def turn(harness: ModelsHarness, column: str, words: str) -> None:
    """Open the menu of directions and choose for a column."""
    menu = harness.page.inspector.direction_menu
    menu.aboutToShow.emit()
    line = next(a for a in menu.actions() if a.text().endswith(column)).menu()
    next(action for action in line.actions() if action.text() == words).trigger()


def test_a_number_may_rise_or_fall_only_and_levels_have_no_direction(
    harness: ModelsHarness,
) -> None:
    inspector = harness.page.inspector
    presenter = harness.page.presenter
    presenter.take_draft(replace(presenter.draft, features=("customer", *INPUTS)))
    turn(harness, "age", "Only falling")
    turn(harness, "visits", "Only rising")
    assert presenter.draft.monotone == (("age", -1), ("visits", 1))
    assert inspector.direction.text() == "2 inputs"
    assert inspector.direction_note.text() == "Rising: visits. Falling: age."
    inspector.direction_menu.aboutToShow.emit()
    texts = [action.text() for action in inspector.direction_menu.actions()]
    assert not any("customer" in text for text in texts)
    assert "↘  age" in texts
    turn(harness, "age", "Either way")
    assert presenter.draft.monotone == (("visits", 1),)


def test_settings_go_to_the_engine(harness: ModelsHarness) -> None:
    inspector = harness.page.inspector
    for field, text in (
        (inspector.editor("n_trees"), "300"),
        (inspector.editor("interaction_depth"), "2"),
        (inspector.editor("shrinkage"), "0.02"),
        (inspector.editor("min_cases_in_node"), "25"),
        (inspector.editor("bag_fraction"), "60"),
        (inspector.editor("patience"), "80"),
        (inspector.editor("seed"), "7"),
    ):
        field.selectAll()
        harness.qtbot.keyClicks(field, text)
        harness.qtbot.keyClick(field, Qt.Key.Key_Return)
    turn(harness, INPUTS[0], "Only rising")
    press(harness, inspector.train)
    settings = harness.trained_with().settings
    assert (settings.n_trees, settings.interaction_depth) == (300, 2)
    assert (settings.shrinkage, settings.min_cases_in_node) == (0.02, 25)
    assert (settings.bag_fraction, settings.patience, settings.seed) == (0.6, 80, 7)
    assert settings.monotone == ((INPUTS[0], 1),)
    assert settings.name == "gbm 1"
    assert not settings.model_hash


def test_a_trained_model_is_trained_on(trained_bench: ModelsHarness) -> None:
    harness, page = trained_bench, trained_bench.page
    assert page.presenter.chosen == "gbm 1"
    assert page.inspector.train_on.isVisible()
    page.inspector.further.selectAll()
    harness.qtbot.keyClicks(page.inspector.further, "260")
    harness.qtbot.keyClick(page.inspector.further, Qt.Key.Key_Return)
    press(harness, page.inspector.train_on_button)
    settings = harness.trained_with().settings
    assert (settings.name, settings.model_hash) == ("gbm 1", TRAINED.model_hash)
    assert (settings.n_trees, settings.patience) == (TRAINED.trees + 260, 0)
    assert not page.inspector.train_on.isVisible()  # not while it grows
    names = [row.name for row in page.models.rows()]
    assert names.count("gbm 1") == 1
    model = replace(settings, model_hash="c" * 64, trees=1500, trees_used=1400)
    harness.answer("train", TrainResult(model=model, curves=curves_at("gbm 1", 1500, 1500)))
    assert harness.session.project.document.trained_model("gbm 1").trees == 1500
    assert page.inspector.train_on.isVisible()
    harness.session.project.undo()
    assert harness.session.project.document.trained_model("gbm 1").trees == TRAINED.trees


def test_a_new_model_cannot_be_trained_on(harness: ModelsHarness) -> None:
    assert not harness.page.inspector.train_on.isVisible()


def test_a_few_whole_numbers_are_classes_or_a_number(harness: ModelsHarness) -> None:
    summary = harness.session.project.summary
    levels = (("0", 60_000), ("1", 20_000), ("2", 10_000))
    grade = ColumnSummary(
        name="respond", kind="integer", rows=90_000, missing=0, distinct=3, levels=levels
    )
    others = tuple(c for c in summary.columns if c.name != "respond")
    harness.session.project.summary = replace(summary, columns=(*others, grade))
    harness.page.presenter.refresh()
    harness.page.show_step("target")
    panel = harness.page.target_panel
    assert panel.reading_row.isVisible()
    assert panel.reading.choice() == "classes"
    press(harness, panel.reading._buttons["number"])
    target = harness.session.project.document.target
    assert (target.column, target.kind, target.levels) == ("respond", "interval", ())
    assert harness.session.project.document.matrix.levels == ("0", "100")  # rows are numbers now
    assert panel.reading.choice() == "number"
    press(harness, panel.reading._buttons["classes"])
    assert harness.session.project.document.target.levels == ("2", "0", "1")
    assert harness.session.project.document.matrix is not None


def test_judged_on_nothing_keeps_all_trees(harness: ModelsHarness) -> None:
    inspector = harness.page.inspector
    inspector.editor("judge").setCurrentIndex(2)
    inspector.editor("judge").activated.emit(2)
    assert harness.page.presenter.draft.stop_rows == ()
    assert not inspector.editor("patience").isEnabled()
    assert "All trees are kept" in inspector.stopping.rows["patience"].note.text()
    press(harness, inspector.reset)
    assert harness.page.presenter.draft.stop_rows == (RowUse.VALIDATION,)
