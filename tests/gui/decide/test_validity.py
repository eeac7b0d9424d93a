"""Under a red finding no total and no save stays as if nothing were wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.commands import SetOldPriors
from core.document.model import OldPriorKind
from core.document.results import Advice
from core.presentation.compare.metrics import metric_warnings
from core.presentation.decide.headline import headline_of as headline_of_decide
from gui.pages.decide.dialogs.apply_rule import ApplyRuleDialog
from gui.pages.decide.dialogs.save_decisions import SaveDecisionsDialog
from gui.pages.decide.validity import invalid_of
from gui.session.headline import headline_of
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation
from tests.helpers.harness import DecideHarness

TWICE = Advice(state="error", text="gbm 2: the chances look corrected twice.", model="gbm 2")


def judged(harness: DecideHarness, advice: tuple[Advice, ...]) -> None:
    """Page Decide with these findings."""
    harness.session.results.decisions = replace(harness.session.results.decisions, advice=advice)
    harness.page.show_all()


@pytest.mark.parametrize(
    ("advice", "model", "is_void"),
    [
        (TWICE, "gbm 2", True),
        (TWICE, "logit", False),  # another model's chances are as they were
        (TWICE, None, False),
        (replace(TWICE, state="warning"), "gbm 2", False),
        (replace(TWICE, model=""), "gbm 2", False),
    ],
)
def test_whose_totals_are_void(advice, model, is_void):
    found = invalid_of(replace(make_decisions(), advice=(advice,)), model)
    assert (found is not None) is is_void
    assert invalid_of(None, model) is None


def test_the_total_is_grey_says_why_and_one_button_mends_it(harness: DecideHarness, qtbot) -> None:
    card = harness.page.headline
    assert card.number.property("textRole") == "number"
    assert card.invalid.isHidden()
    assert card.mend.isHidden()
    judged(harness, (TWICE,))
    assert card.number.property("textRole") == "quietNumber"
    assert "corrected twice. Its totals and decisions rest on" in card.invalid.text()
    assert {block.amount.property("textRole") for block in card.blocks} == {"quiet"}
    assert not harness.page.buttons.save.isEnabled()
    assert not harness.page.buttons.apply.isEnabled()
    assert "corrected twice" in harness.page.buttons.save.toolTip()
    card.mend.click()
    kept = harness.session.project.document.model("gbm 2").old_priors
    assert kept.kind is OldPriorKind.CORRECTED
    judged(harness, ())
    assert card.number.property("textRole") == "number"
    assert card.mend.isHidden()
    assert harness.page.buttons.save.isEnabled()


def test_dialogs_write_nothing_that_rests_on_it(harness: DecideHarness, qtbot) -> None:
    judged(harness, (TWICE,))
    for make in (SaveDecisionsDialog, ApplyRuleDialog):
        dialog = make(harness.session)
        qtbot.addWidget(dialog)
        assert not dialog.save_button.isEnabled()
        assert "corrected twice" in dialog.problem()


def test_home_shows_no_amount_that_is_void() -> None:
    result = replace(make_decisions(), advice=(TWICE,))
    shown = headline_of(make_document(), result, 0.2)
    assert (shown.best_model, shown.profit) == ("", None)
    assert headline_of(make_document(), make_decisions(), 0.2).best_model == "gbm 2"


@pytest.mark.parametrize("model", ["gbm 2", "logit"])
def test_home_says_what_decide_says(model: str) -> None:
    """Of the model that page Decide stands at, whether or not another one earns more there."""
    document = replace(make_document(), reference_model=model)
    result = make_decisions()
    shown = headline_of(document, result, 0.2)
    told = headline_of_decide(document, result, 0.2, None, None)
    assert told is not None
    assert (shown.best_model, shown.profit) == (told.model, pytest.approx(told.estimate.value))


def test_home_shows_no_amount_that_is_undefined() -> None:
    """It may be undefined at the depth of the cursor for one model, and known for the others."""
    result = make_decisions()
    known = headline_of(make_document(), result, 0.2)
    other = next(entry for entry in result.models if entry.model != known.best_model)
    undefined = replace(other, profit=np.full_like(other.profit, np.nan))
    models = tuple(undefined if entry is other else entry for entry in result.models)
    shown = headline_of(make_document(), replace(result, models=models), 0.2)
    assert (shown.best_model, shown.profit) == (known.best_model, known.profit)


def test_the_metric_table_says_it_too() -> None:
    evaluation, decisions = make_evaluation(), make_decisions()
    fair = metric_warnings(evaluation, decisions)
    described, *others = metric_warnings(evaluation, replace(decisions, advice=(TWICE,)))
    assert described.startswith("gbm 2: the chances look corrected twice.")
    assert tuple(others) == fair


def test_the_step_that_mends_it_is_the_answer_to_the_question() -> None:
    found = invalid_of(replace(make_decisions(), advice=(TWICE,)), "gbm 2")
    assert isinstance(found.mend, SetOldPriors)
    assert found.mend.model == "gbm 2"
