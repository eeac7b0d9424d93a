"""Priors, what models were trained at, costs: what is typed becomes the right command."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.decisions.matrix_model import CostSpec, MatrixSpec
from core.document.model import OldPriorKind, OldPriors, Role, RoleAssignment, TargetSpec
from core.presentation.charts.depths import depth_head
from core.presentation.labels import Labels
from tests.helpers.answers.synthetic import make_decisions, make_document
from tests.helpers.harness import DecideHarness


def priors(harness: DecideHarness) -> dict[str, float]:
    return dict(harness.document.priors or ())


def test_of_two_shares_the_other_follows(harness: DecideHarness) -> None:
    field = harness.page.priors.real_life["1"]
    field.value_changed.emit(0.08)
    assert priors(harness) == {"1": pytest.approx(0.08), "0": pytest.approx(0.92)}
    assert harness.page.priors.real_life["0"].value() == pytest.approx(0.92)


def test_priors_typed_in_one_go_are_one_step(harness: DecideHarness) -> None:
    field = harness.page.priors.real_life["1"]
    for value in (0.1, 0.12):
        field.value_changed.emit(value)
    harness.session.project.undo()
    assert priors(harness) == {"1": 0.05, "0": 0.95}


def test_priors_can_go_back_to_the_data(harness: DecideHarness) -> None:
    harness.page.priors.real_life["1"].value_changed.emit(0.2)
    button = harness.page.priors.as_data_button
    assert not button.isHidden()
    button.click()
    assert harness.document.priors is None


def test_shares_in_the_data_are_shown_with_counts(harness: DecideHarness) -> None:
    shown = harness.page.priors._in_data["1"].text()
    assert shown == "1,000 <small>(5.0\u00a0%)</small>"


def test_the_mean_chance_stands_before_and_after_beside_the_rows(harness: DecideHarness) -> None:
    text = harness.page.priors.probabilities.text()
    assert "24.8\u00a0%" in text
    assert "here 5.0\u00a0%" in text
    assert "Mean chance of “responds”" in harness.page.priors.probabilities.toolTip()


def three_class_desk(harness: DecideHarness) -> DecideHarness:
    document = make_document()
    levels = ("a", "b", "c")
    document = replace(
        document,
        target=TargetSpec(column="respond", kind="multiclass", levels=levels),
        matrix=MatrixSpec(
            template="payoff.profit",
            kind=document.matrix.kind if document.matrix else "profit",
            levels=levels,
            decisions=("Act", "Wait"),
            cells=((5.0, 0.0), (1.0, 0.0), (-2.0, 0.0)),
            acting="Act",
        ),
        priors=None,
    )
    harness.session.project.take_document(document)
    base = make_decisions()
    models = tuple(
        replace(
            entry,
            mean_probability_before=np.array([0.2, 0.3, 0.5]),
            mean_probability_after=np.array([0.2, 0.3, 0.5]),
            class_cases=np.vstack([entry.class_cases, entry.class_cases[:1] * 0]),
            counts=np.vstack([entry.counts, [0.0, 0.0]]),
            profits=np.vstack([entry.profits, [0.0, 0.0]]),
        )
        for entry in base.models
    )
    result = replace(
        base,
        levels=levels,
        class_counts=np.array([100.0, 400.0, 500.0]),  # rows; their weights make them 1,000 cases
        class_cases=np.array([200.0, 300.0, 500.0]),
        class_weight=np.array([200.0, 300.0, 500.0]),
        decisions=("Act", "Wait"),
        cells=np.array([[5.0, 0.0], [1.0, 0.0], [-2.0, 0.0]]),
        acting="Act",
        rest="Wait",
        models=models,
    )
    harness.show(result, exact=False)
    return harness


def test_of_three_shares_the_rest_is_filled_in_proportion(harness: DecideHarness) -> None:
    three_class_desk(harness)
    card = harness.page.priors
    card.real_life["a"].value_changed.emit(0.6)
    assert harness.document.priors is None, "shares that do not add up are not taken"
    assert "not to 100" in card.sum_words.text()
    card.fill_button.click()
    shares = priors(harness)
    assert shares["a"] == pytest.approx(0.6)
    assert shares["b"] == pytest.approx(0.4 * 300 / 800)
    assert sum(shares.values()) == pytest.approx(1.0)


def test_shares_in_these_data_are_of_cases_not_of_rows(harness: DecideHarness) -> None:
    """Totals weigh rows: the shares that stand where none are given are those of the weights."""
    three_class_desk(harness)
    card = harness.page.priors
    assert [card.real_life[level].value() for level in "abc"] == [0.2, 0.3, 0.5]
    assert "here 20.0" in card.probabilities.text().splitlines()[0]


def test_rows_with_weights_are_not_called_cases(harness: DecideHarness) -> None:
    document = make_document()
    weighted = replace(
        document, roles=(*document.roles, RoleAssignment(column="n", role=Role.WEIGHT))
    )
    look = Labels.of(weighted)
    assert depth_head(look, 0.1, 59.0) == "Best 10.0\u00a0%: 59 rows"
    assert depth_head(look, 0.1, 1.0) == "Best 10.0\u00a0%: 1 row"
    assert depth_head(Labels.of(document), 0.1, 59.0) == "Best 10.0\u00a0%: 59"
    harness.session.project.take_document(weighted)
    harness.show(make_decisions(), exact=False)
    assert harness.page.choices.rows.currentText().endswith(" rows")


def test_every_class_of_three_has_its_mean_chance(harness: DecideHarness) -> None:
    three_class_desk(harness)
    assert len(harness.page.priors.probabilities.text().splitlines()) == 3


def test_already_corrected_and_not_known_are_chosen_in_the_head(harness: DecideHarness) -> None:
    actions = harness.page.priors.origin_actions
    assert actions[OldPriorKind.TRAINED_AT].isChecked()
    actions[OldPriorKind.CORRECTED].trigger()
    model = harness.document.model("gbm 2")
    assert model is not None
    assert model.old_priors.kind is OldPriorKind.CORRECTED
    assert harness.page.priors.trained_at["1"].isHidden()
    harness.page.priors.origin_actions[OldPriorKind.UNKNOWN].trigger()
    model = harness.document.model("gbm 2")
    assert model is not None
    assert model.old_priors.kind is OldPriorKind.UNKNOWN


def test_shares_trained_at_belong_to_the_chosen_model(harness: DecideHarness) -> None:
    harness.page.priors.trained_at["1"].value_changed.emit(0.3)
    model, other = harness.document.model("gbm 2"), harness.document.model("logit")
    assert model is not None
    assert other is not None
    assert dict(model.old_priors.shares) == {"1": 0.3, "0": pytest.approx(0.7)}
    assert other.old_priors == OldPriors()


def test_a_double_correction_is_warned_of(harness: DecideHarness) -> None:
    base = make_decisions()
    warning = "The mean chance already fits real life: correcting it again would count twice."
    first = replace(base.models[0], warnings=(warning,))
    harness.show(replace(base, models=(first, *base.models[1:])))
    assert not harness.page.priors.warning.isHidden()
    assert harness.page.priors.warning_text.text() == warning
    harness.show(base)
    assert harness.page.priors.warning.isHidden()


def test_costs_are_none_an_amount_or_a_column(harness: DecideHarness) -> None:
    roles = (*harness.document.roles, RoleAssignment(column="postage", role=Role.COST))
    harness.session.project.take_document(replace(harness.document, roles=roles))
    card = harness.page.costs
    assert card.form.isHidden()
    card.mode.activated.emit(card.mode.findData("amount"))
    card.form.editor("Mail").choose(0.7)
    assert harness.document.matrix is not None
    assert harness.document.matrix.costs == (CostSpec(amount=0.7), CostSpec())
    card.mode.activated.emit(card.mode.findData("column"))
    assert harness.document.matrix.costs == (CostSpec(column="postage"), CostSpec())
    box = card.form.editor("Do nothing")
    box.activated.emit(box.findData("postage"))
    assert harness.document.matrix.costs[1] == CostSpec(column="postage")
    card.mode.activated.emit(card.mode.findData("none"))
    assert harness.document.matrix.costs == ()


def test_the_card_speaks_of_the_users_cases(harness: DecideHarness) -> None:
    header = harness.page.costs.header
    assert header is not None
    assert header.title.text() == "Extra cost per customer"


def test_of_a_score_without_chances_no_mean_chance_is_told(harness: DecideHarness) -> None:
    card, decided = harness.page.priors, make_decisions()
    ranked = replace(decided.models[0], has_probabilities=False)
    assert card.probabilities.text()
    bare = replace(decided, models=(ranked, *decided.models[1:]))
    card.show_document(harness.document, bare)
    assert card.probabilities.text() == ""


def test_shares_of_one_column_have_the_same_decimals(harness: DecideHarness) -> None:
    desk = three_class_desk(harness)
    desk.page.priors.real_life["a"].value_changed.emit(0.07875)
    desk.page.priors.real_life["b"].value_changed.emit(0.11175)
    desk.page.priors.fill_button.click()
    shown = [field.text() for field in desk.page.priors.real_life.values()]
    assert {len(text.split("\u00a0")[0].split(".")[1]) for text in shown} == {3}, shown
