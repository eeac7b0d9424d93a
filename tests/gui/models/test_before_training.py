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


def say(bench: ModelsHarness, *checks: TrainingCheck) -> None:
    """The engine finds faults."""
    bench.page.presenter.offered = with_checks(*checks)
    bench.page.presenter.refresh()


def test_nothing_is_said_where_nothing_is_wrong(bench: ModelsHarness) -> None:
    assert not bench.page.before.isVisible()
    say(bench, check("follow_up_time", Mending.INPUT, column="constant"))
    assert not bench.page.before.isVisible()  # the column is no input


@pytest.mark.parametrize("code", ["follow_up_time", "consequence"])
def test_an_input_is_left_out_and_comes_back(bench: ModelsHarness, code: str) -> None:
    say(bench, check(code, Mending.INPUT))
    (button,) = bench.page.before.buttons
    assert button.text() == "Leave it out"
    press(bench, button)
    assert bench.session.project.document.role_of("age").role is Role.IGNORED
    inputs = tuple(
        replace(info, is_usual=False) if info.column == "age" else info for info in offered().inputs
    )
    bench.answer("models.distributions", replace(offered(), inputs=inputs))
    assert "age" not in bench.page.presenter.draft.features
    assert not bench.page.before.isVisible()
    bench.session.project.undo()
    bench.answer("models.distributions", with_checks(check(code, Mending.INPUT)))
    assert bench.session.project.document.role_of("age").role is Role.INPUT
    assert "age" in bench.page.presenter.draft.features
    assert bench.page.before.isVisible()


def test_mending_keeps_what_was_set_by_hand(bench: ModelsHarness) -> None:
    presenter = bench.page.presenter
    presenter.take_draft(replace(presenter.draft, n_trees=77, level_penalty=0.0))
    say(bench, check("consequence", Mending.INPUT))
    press(bench, bench.page.before.buttons[0])
    bench.answer("models.distributions", offered())
    assert (presenter.draft.n_trees, presenter.draft.level_penalty) == (77, 0.0)


def test_times_of_zero_are_left_out_by_the_row_filter(bench: ModelsHarness) -> None:
    say(bench, check("zero_times", Mending.ROWS, expression="`age` > 0"))
    assert bench.page.before.buttons[0].text() == "Leave them out"
    press(bench, bench.page.before.buttons[0])
    assert bench.session.project.document.split.where == "`age` > 0"
    bench.session.project.undo()
    assert bench.session.project.document.split.where == ""


def test_a_constant_outcome_leads_to_another(bench: ModelsHarness) -> None:
    say(bench, check("constant_outcome", Mending.ROWS, column="respond"))
    assert bench.page.before.buttons[0].text() == "Choose another outcome"
    with bench.qtbot.waitSignal(bench.session.page_requested) as asked:
        press(bench, bench.page.before.buttons[0])
    assert asked.args == [PageId.DATA]


def test_the_logarithm_of_an_exposure_becomes_the_offset(bench: ModelsHarness, monkeypatch) -> None:
    made: list[DerivedColumn] = []

    def derive(column, on_end, *, of, page):
        made.append(column)
        assert page is PageId.MODELS
        on_end(None)

    monkeypatch.setattr(bench.session.tables, "derive", derive)
    say(bench, check("unlogged_exposure", Mending.OFFSET, expression="log(`age`)"))
    assert bench.page.before.buttons[0].text() == "Take Poisson with this offset"
    press(bench, bench.page.before.buttons[0])
    draft = bench.page.presenter.draft
    assert made == [DerivedColumn(name="log age", text="log(`age`)")]
    assert (draft.offset, draft.distribution) == ("log age", "poisson")
    assert "age" not in draft.features
    assert not bench.page.before.isVisible()


def test_many_levels_for_few_rows_are_said_in_words(bench: ModelsHarness) -> None:
    note = "'age' has 40 levels in 400 rows, 10.0 a level."
    inputs = tuple(
        replace(info, note=note) if info.column == "age" else info for info in offered().inputs
    )
    bench.page.presenter.offered = replace(offered(), inputs=inputs)
    bench.page.presenter.refresh()
    (fault,) = bench.page.before.faults
    assert (fault.check.text, fault.button) == (note, "Leave it out")


def test_rare_categories_are_shrunk_by_themselves_or_not_at_all(bench: ModelsHarness) -> None:
    inspector, presenter = bench.page.inspector, bench.page.presenter
    field = inspector.editor("level_penalty")
    assert not field.isEnabled()  # no input is a column of categories
    features = (*presenter.draft.features, "customer")
    presenter.take_draft(replace(presenter.draft, features=features))
    assert field.isEnabled()
    assert field.currentText() == "automatic"
    field.setCurrentIndex(field.findText("off, as gbm"))
    field.activated.emit(field.currentIndex())
    assert presenter.draft.level_penalty == 0.0
