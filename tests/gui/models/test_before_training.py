"""Page Models: what is wrong before a training, with the buttons that mend it and undo."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.data.model import DerivedColumn
from core.document.model import Role
from core.document.training_results import DistributionsResult, Mending, TrainingCheck
from gui.shell.page_list import PageId
from tests.gui.models.steps import press
from tests.helpers.answers.models import offered
from tests.helpers.harness import ModelsHarness


def check(code: str, mending: Mending, column: str = "age", expression: str = "") -> TrainingCheck:
    return TrainingCheck(
        code=code, column=column, text=f"{column}: {code}", mending=mending, expression=expression
    )


def with_checks(*checks: TrainingCheck) -> DistributionsResult:
    counts = tuple(
        replace(info, fits=True) if info.id == "poisson" else info
        for info in offered().distributions
    )
    return replace(offered(), checks=checks, distributions=counts)


def say(harness: ModelsHarness, *checks: TrainingCheck) -> None:
    """The engine finds faults."""
    harness.page.presenter.offered = with_checks(*checks)
    harness.page.presenter.refresh()


def test_nothing_is_said_where_nothing_is_wrong(harness: ModelsHarness) -> None:
    assert not harness.page.before.isVisible()
    say(harness, check("follow_up_time", Mending.INPUT, column="constant"))
    assert not harness.page.before.isVisible()  # the column is no input


@pytest.mark.parametrize("code", ["follow_up_time", "consequence"])
def test_an_input_is_left_out_and_comes_back(harness: ModelsHarness, code: str) -> None:
    say(harness, check(code, Mending.INPUT))
    (button,) = harness.page.before.buttons
    assert button.text() == "Leave it out"
    press(harness, button)
    assert harness.session.project.document.role_of("age").role is Role.IGNORED
    inputs = tuple(
        replace(info, is_usual=False) if info.column == "age" else info for info in offered().inputs
    )
    harness.answer("models.distributions", replace(offered(), inputs=inputs))
    assert "age" not in harness.page.presenter.draft.features
    assert not harness.page.before.isVisible()
    harness.session.project.undo()
    harness.answer("models.distributions", with_checks(check(code, Mending.INPUT)))
    assert harness.session.project.document.role_of("age").role is Role.INPUT
    assert "age" in harness.page.presenter.draft.features
    assert harness.page.before.isVisible()


def test_mending_keeps_what_was_set_by_hand(harness: ModelsHarness) -> None:
    presenter = harness.page.presenter
    presenter.take_draft(replace(presenter.draft, n_trees=77, level_penalty=0.0))
    say(harness, check("consequence", Mending.INPUT))
    press(harness, harness.page.before.buttons[0])
    harness.answer("models.distributions", offered())
    assert (presenter.draft.n_trees, presenter.draft.level_penalty) == (77, 0.0)


def test_times_of_zero_are_left_out_by_the_row_filter(harness: ModelsHarness) -> None:
    say(harness, check("zero_times", Mending.ROWS, expression="`age` > 0"))
    assert harness.page.before.buttons[0].text() == "Leave them out"
    press(harness, harness.page.before.buttons[0])
    assert harness.session.project.document.split.where == "`age` > 0"
    harness.session.project.undo()
    assert harness.session.project.document.split.where == ""


def test_a_constant_outcome_leads_to_another(harness: ModelsHarness) -> None:
    train = harness.page.inspector.train
    assert train.isEnabled()
    stops = replace(check("constant_outcome", Mending.ROWS, column="respond"), stops=True)
    say(harness, stops)
    assert (train.isEnabled(), train.toolTip()) == (False, "There is nothing to learn.")
    assert harness.page.before.buttons[0].text() == "Choose another outcome"
    with harness.qtbot.waitSignal(harness.session.page_requested) as requested:
        press(harness, harness.page.before.buttons[0])
    assert requested.args == [PageId.DATA]


def test_the_logarithm_of_an_exposure_becomes_the_offset(
    harness: ModelsHarness, monkeypatch
) -> None:
    made: list[DerivedColumn] = []

    def derive(column, on_end, *, of, page):
        made.append(column)
        assert page is PageId.MODELS
        on_end(None)

    monkeypatch.setattr(harness.session.tables, "derive", derive)
    say(harness, check("unlogged_exposure", Mending.OFFSET, expression="log(`age`)"))
    assert harness.page.before.buttons[0].text() == "Take Poisson with this offset"
    press(harness, harness.page.before.buttons[0])
    draft = harness.page.presenter.draft
    assert made == [DerivedColumn(name="log age", text="log(`age`)")]
    assert (draft.offset, draft.distribution) == ("log age", "poisson")
    assert "age" not in draft.features
    assert not harness.page.before.isVisible()


def test_many_levels_for_few_rows_are_said_in_words(harness: ModelsHarness) -> None:
    note = "'age' has 40 levels in 400 rows, 10.0 a level."
    inputs = tuple(
        replace(info, note=note) if info.column == "age" else info for info in offered().inputs
    )
    harness.page.presenter.offered = replace(offered(), inputs=inputs)
    harness.page.presenter.refresh()
    (fault,) = harness.page.before.faults
    assert (fault.check.text, fault.button) == (note, "Leave it out")


def test_rare_categories_are_shrunk_by_themselves_or_not_at_all(harness: ModelsHarness) -> None:
    inspector, presenter = harness.page.inspector, harness.page.presenter
    field = inspector.editor("level_penalty")
    assert not field.isEnabled()  # no input is a column of categories
    features = (*presenter.draft.features, "customer")
    presenter.take_draft(replace(presenter.draft, features=features))
    assert field.isEnabled()
    assert field.currentText() == "automatic"
    field.setCurrentIndex(field.findText("off, as gbm"))
    field.activated.emit(field.currentIndex())
    assert presenter.draft.level_penalty == 0.0
