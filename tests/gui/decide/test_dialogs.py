"""Saving decisions and applying the rule elsewhere: the engine is asked for the right thing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.document.decisions.matrix_model import CostSpec, MatrixKind
from core.engine.messages import ApplyArguments, SaveArguments
from core.settings import SettingsStore
from gui.pages.decide.dialogs.apply_rule import ApplyRuleDialog
from gui.pages.decide.dialogs.save_decisions import SaveDecisionsDialog
from gui.widgets.fields.form import Form
from payoff.errors import PayoffError
from tests.helpers.answers import decide as answers
from tests.helpers.answers.decide import applied, saved
from tests.helpers.factories.loaded_file import make_preview
from tests.helpers.forms import choose_data
from tests.helpers.harness import DecideHarness


def tick(form: Form, name: str, is_on: bool) -> None:
    """Tick a box as a person does, or take its tick away."""
    box = form.editor(name)
    if box.isEnabled() and box.isChecked() != is_on:
        box.click()


@pytest.fixture
def saving(harness: DecideHarness, tmp_path: Path) -> SaveDecisionsDialog:
    dialog = SaveDecisionsDialog(harness.session, harness.page)
    dialog.file.set_text(str(tmp_path / "who.csv"))
    return dialog


def test_the_usual_choice_is_decision_and_expected_profit_by_the_rule(
    harness: DecideHarness, saving: SaveDecisionsDialog, tmp_path: Path
) -> None:
    assert saving.arguments() == SaveArguments(
        document=harness.document,
        model="gbm 2",
        path=str(tmp_path / "who.csv"),
        columns=("D", "EP"),
        decisions=(),
        keep_columns=("customer",),
        use_cursor=False,
    )


def test_every_choice_reaches_the_engine(
    harness: DecideHarness, saving: SaveDecisionsDialog, tmp_path: Path
) -> None:
    harness.session.results.move_cursor(0.31)
    dialog = SaveDecisionsDialog(harness.session, harness.page)
    tick(dialog.columns, "CP", True)
    tick(dialog.columns, "P", True)
    tick(dialog.columns, "EP", False)
    tick(dialog.decisions, "Do nothing", False)
    dialog.rule.editor("use_cursor").press(1)
    choose_data(dialog.rule.editor("model"), "logit")
    tick(dialog.kept, "p_agency", True)
    dialog.file.set_text(str(tmp_path / "who"))
    dialog.file.format.setCurrentIndex(1)
    dialog.file.format.activated.emit(1)
    dialog.accept()
    (requested,) = harness.engine.arguments_of("save_decisions")
    assert isinstance(requested, SaveArguments)
    assert requested.columns == ("D", "CP", "P")
    assert requested.decisions == ("Mail",)
    assert requested.use_cursor
    assert requested.document.cursor_depth == 0.31
    assert requested.model == "logit"
    assert requested.keep_columns == ("customer", "p_agency")
    assert requested.path.endswith("who.parquet")


def test_nothing_to_write_or_nowhere_to_write_is_said(
    saving: SaveDecisionsDialog, tmp_path: Path
) -> None:
    for name in saving.columns.rows:
        tick(saving.columns, name, False)
    assert not saving.save_button.isEnabled()
    assert "column" in saving.file.note.text()
    tick(saving.columns, "D", True)
    assert saving.save_button.isEnabled()
    saving.file.set_text(str(tmp_path / "no such folder" / "who.csv"))
    assert "There is no folder" in saving.file.note.text()
    assert not saving.save_button.isEnabled()


def test_a_file_that_stands_there_is_announced(saving: SaveDecisionsDialog, tmp_path: Path) -> None:
    (tmp_path / "who.csv").write_text("x")
    saving.file.set_text(str(tmp_path / "who.csv") + " ")
    saving.file.set_text(str(tmp_path / "who.csv"))
    assert "replaced" in saving.file.note.text()
    assert saving.save_button.isEnabled()


def test_return_on_cost_needs_a_cost(harness: DecideHarness, qtbot: QtBot) -> None:
    assert not SaveDecisionsDialog(harness.session, harness.page).columns.editor("ROI").isEnabled()
    assert harness.document.matrix is not None
    costs = (CostSpec(amount=1.0), CostSpec())
    matrix = replace(harness.document.matrix, costs=costs)
    harness.session.project.take_document(replace(harness.document, matrix=matrix))
    assert SaveDecisionsDialog(harness.session, harness.page).columns.editor("ROI").isEnabled()


def test_columns_of_a_loss_matrix_have_their_names(harness: DecideHarness) -> None:
    assert harness.document.matrix is not None
    matrix = replace(harness.document.matrix, kind=MatrixKind.LOSS)
    harness.session.project.take_document(replace(harness.document, matrix=matrix))
    dialog = SaveDecisionsDialog(harness.session, harness.page)
    assert dialog.columns.editor("EP").text().startswith("EL_respond")
    assert dialog.columns.editor("D").text().startswith("D_respond")


def test_saving_does_not_stop_the_window(
    harness: DecideHarness, saving: SaveDecisionsDialog, qtbot: QtBot
) -> None:
    harness.engine.answers["save_decisions"] = lambda arguments: saved(arguments.path)
    with qtbot.waitSignal(harness.session.project.message_posted) as posted:
        saving.accept()
    assert "Saved 3,000 rows" in str(posted.args[0])


@pytest.fixture
def applying(harness: DecideHarness, tmp_path: Path) -> ApplyRuleDialog:
    dialog = ApplyRuleDialog(harness.session, harness.page)
    dialog.path.setText(str(tmp_path / "autumn.csv"))
    return dialog


def looked(
    harness: DecideHarness, dialog: ApplyRuleDialog, qtbot: QtBot, **changes: object
) -> None:
    harness.engine.answers["apply"] = lambda arguments: applied(
        arguments.path,
        **changes,
    )
    with qtbot.waitSignal(harness.queue.job_ended):
        dialog.look()


def test_new_cases_are_read_as_was_said_of_their_file(
    harness: DecideHarness, applying: ApplyRuleDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    harness.session.settings = SettingsStore(tmp_path / "settings.json")
    assert applying.how.isHidden()
    looked(harness, applying, qtbot)
    assert not applying.how.isHidden()  # the way to the settings, should the file be refused
    settings = applying.how.ask()
    settings.show_preview(make_preview(applying.path.text(), rename_repeated=True))
    with qtbot.waitSignal(harness.queue.job_ended):
        settings.accept()
    requested = harness.engine.arguments_of("apply")[-1]
    assert requested.reader.rename_repeated is True
    assert requested.save is None


def test_looking_asks_for_nothing_to_be_saved(
    harness: DecideHarness, applying: ApplyRuleDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    looked(harness, applying, qtbot)
    (requested,) = harness.engine.arguments_of("apply")
    assert requested == ApplyArguments(
        document=harness.document,
        model="gbm 2",
        path=str(tmp_path / "autumn.csv"),
        reader=harness.document.data.reader,
        save=None,
    )


def test_what_was_checked_and_what_would_be_decided_is_shown(
    harness: DecideHarness, applying: ApplyRuleDialog, qtbot: QtBot
) -> None:
    looked(harness, applying, qtbot)
    texts = applying.checks.texts
    assert any("p_gbm" in text for text in texts)
    assert any("responds and does not respond" in text for text in texts)
    assert any("3,000 customers" in text for text in texts)
    assert any("not decided" in text for text in texts)
    words = dict(applying.panel.view.tables[0].rows)
    assert words["Expected total profit, from the chances"] == "€\u00a01,750"
    assert words["Mail"].startswith("620")
    assert not any("Realised" in caption for caption in words)
    assert applying.panel.tables[1].figures.content.columns == (
        "customer",
        "D_respond",
        "EP_respond",
    )


def test_a_file_that_does_not_fit_is_refused_with_the_reason(
    harness: DecideHarness, applying: ApplyRuleDialog, qtbot: QtBot
) -> None:
    def refuse(_arguments: object) -> object:
        raise PayoffError(
            "The file has no column p_gbm.", where="autumn.csv", remedy="Score it with gbm 2 first."
        )

    harness.engine.answers["apply"] = refuse
    with qtbot.waitSignal(harness.queue.job_ended):
        applying.look()
    (text,) = applying.checks.texts
    assert "no column p_gbm" in text
    assert "Score it" in text
    assert applying.outcome.isHidden()
    assert not applying.save_button.isEnabled()


def test_saving_writes_decisions_and_expected_profit_beside_the_file(
    harness: DecideHarness, applying: ApplyRuleDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    looked(harness, applying, qtbot)
    assert applying.file.text() == str(tmp_path / "autumn_decisions.csv")
    applying.save()
    requested = harness.engine.arguments_of("apply")[-1]
    assert isinstance(requested, ApplyArguments)
    assert requested.save is not None
    assert requested.save.columns == ("D", "EP")
    assert requested.save.path == str(tmp_path / "autumn_decisions.csv")


def test_decisions_never_replace_the_file_they_come_from(
    harness: DecideHarness, applying: ApplyRuleDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    looked(harness, applying, qtbot)
    applying.file.set_text(str(tmp_path / "autumn.csv"))
    assert not applying.save_button.isEnabled()
    assert "cannot replace" in applying.file.note.text()


def test_another_path_forgets_what_was_looked_at(
    harness: DecideHarness, applying: ApplyRuleDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    looked(harness, applying, qtbot)
    applying.path.setText(str(tmp_path / "winter.csv"))
    assert applying.applied is None
    assert not applying.save_button.isEnabled()


# ------------------------------------------------------------ hold-out


def test_a_hold_out_says_what_it_costs_and_shows(
    harness: DecideHarness, saving: SaveDecisionsDialog, qtbot: QtBot
) -> None:
    harness.engine.answers["decide.hold_out"] = answers.hold_out
    assert saving.arguments().hold_out == 0.0
    saving.hold_out.form.box("share").click()
    qtbot.waitUntil(lambda: "427 of 4,268 chosen customers" in saving.hold_out.note.text())
    assert "€\u00a01,119 of expected profit forgone" in saving.hold_out.note.text()
    assert "5.14 percentage points" in saving.hold_out.note.text()
    wanted = saving.arguments()
    assert (wanted.hold_out, wanted.hold_out_seed) == (0.1, harness.document.seed)
    saving.hold_out.form.editor("seed").choose(7)
    assert saving.arguments().hold_out_seed == 7


def test_a_small_hold_out_can_show_nothing(
    harness: DecideHarness, saving: SaveDecisionsDialog, qtbot: QtBot
) -> None:
    harness.engine.answers["decide.hold_out"] = answers.hold_out
    saving.hold_out.form.box("share").click()
    saving.hold_out.form.editor("share").choose(0.01)
    qtbot.waitUntil(lambda: "too few to show any effect" in saving.hold_out.note.text())


def test_the_hold_out_follows_model_and_cut(
    harness: DecideHarness, saving: SaveDecisionsDialog, qtbot: QtBot
) -> None:
    harness.engine.answers["decide.hold_out"] = answers.hold_out
    saving.hold_out.form.box("share").click()
    saving.rule.editor("use_cursor").press(1)
    choose_data(saving.rule.editor("model"), "logit")

    def last() -> tuple[str, bool] | None:
        requested = harness.engine.arguments_of("decide.hold_out")
        return (requested[-1].model, requested[-1].use_cursor) if requested else None

    qtbot.waitUntil(lambda: last() == ("logit", True))


def test_another_file_can_keep_cases_out_too(
    harness: DecideHarness, qtbot: QtBot, tmp_path: Path
) -> None:
    harness.engine.answers["decide.hold_out"] = answers.hold_out
    harness.engine.answers["apply"] = lambda _requested: applied(str(tmp_path / "new.csv"))
    dialog = ApplyRuleDialog(harness.session, harness.page)
    dialog.path.setText(str(tmp_path / "new.csv"))
    dialog.look()
    qtbot.waitUntil(lambda: dialog.applied is not None)
    dialog.hold_out.form.box("share").click()
    qtbot.waitUntil(lambda: "are kept out" in dialog.hold_out.note.text())
    (requested,) = harness.engine.arguments_of("decide.hold_out")
    assert requested.path == str(tmp_path / "new.csv")
    save = dialog.save_arguments().save
    assert save is not None
    assert (save.hold_out, save.hold_out_seed) == (0.1, harness.document.seed)


def test_the_ending_that_is_typed_is_the_format(
    saving: SaveDecisionsDialog, tmp_path: Path
) -> None:
    for name in ("who.xlsx", "who.parquet", "who.csv"):
        saving.file.set_text(str(tmp_path / name))
        assert saving.file.text().endswith(name)
        assert saving.file.format.currentData() == Path(name).suffix
