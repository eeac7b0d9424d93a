"""Scores without chances on page Decide, the dialog that fits chances, lists and checks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.decisions.passes.model_state import with_ranks_only
from core.document.commands import SetRole
from core.document.model import (
    CalibrationMap,
    CalibrationMethod,
    CalibrationSpec,
    ChartMode,
    Document,
    Role,
)
from core.document.results import Advice, AppliedShift, Estimate, RowsNote
from core.document.studies.compare import CalibrationOption, CalibrationResult
from core.document.studies.decision_files import ListResult
from core.engine.messages import ApplyArguments, Ask
from core.presentation.labels import Labels
from core.questions.compare import FitCalibration
from core.questions.decide import ExpectList
from core.questions.fields import FieldOption
from gui.pages.data.dialogs.calibration import LESS, ProbabilitiesDialog
from gui.pages.decide.dialogs.apply_rule import ApplyRuleDialog
from gui.pages.decide.dialogs.save_decisions import SaveDecisionsDialog
from gui.pages.decide.dialogs.saving_fields import rule_fields
from payoff.errors import PayoffError
from tests.helpers.answers.decide import applied
from tests.helpers.answers.synthetic import make_decisions
from tests.helpers.forms import choose_data
from tests.helpers.harness import DecideHarness


@pytest.fixture
def ranking(harness: DecideHarness) -> DecideHarness:
    """The same mailing, where gbm 2 is a score in points."""
    entry = next(e for e in harness.document.roles if e.model == "gbm 2")
    points = replace(entry, role=Role.SCORE, level=None, is_guess=True)
    harness.session.project.execute(SetRole(assignment=points))
    decided = make_decisions()
    mode = ChartMode.ACT_ON_BEST
    harness.show(with_ranks_only(decided, frozenset({"gbm 2"}), "gbm 2", mode), exact=False)
    return harness


def spec_of(document: Document, method: CalibrationMethod) -> CalibrationSpec:
    levels = document.target.levels if document.target else ()
    return CalibrationSpec(
        method=method,
        maps=(CalibrationMap(slope=1.0),),
        columns=document.score_columns("gbm 2"),
        class_shares=tuple(zip(levels, (0.05, 0.95), strict=True)),
        fitted_rows=10_000,
        data_hash=document.data_hash,
        is_reversed=document.is_score_reversed("gbm 2"),
    )


def fitted(question: object, document: Document) -> CalibrationResult:
    assert isinstance(question, FitCalibration)
    line = np.linspace(0.01, 0.3, 10)

    def option(method: CalibrationMethod, loss: float) -> CalibrationOption:
        estimate = Estimate(value=loss, low=loss - 0.01, high=loss + 0.01)
        return CalibrationOption(
            spec=spec_of(document, method),
            brier=estimate,
            log_loss=estimate,
            predicted=line,
            observed=line,
            low=line - 0.005,
            high=line + 0.005,
        )

    losses = {
        CalibrationMethod.LOGISTIC: 0.16,
        CalibrationMethod.ISOTONIC: 0.15,
        CalibrationMethod.BANDS: 0.17,
    }
    return CalibrationResult(
        model=question.model,
        rows=RowsNote(use="validation", text="validation rows, 10,000 of 20,000", rows=10_000),
        options=tuple(option(method, loss) for method, loss in losses.items()),
        best=1,
        area=0.84,
        warnings=("The rarest class has 80 cases only.",),
    )


def test_a_score_without_chances_leaves_the_rule_unsaid(ranking: DecideHarness) -> None:
    page = ranking.page
    assert "no rule" in page.meaning.rule.text()
    assert not page.depths.rule_button.isEnabled()
    assert not page.buttons.apply.isEnabled()
    assert "score without chances" in page.buttons.apply.toolTip()
    # the cursor rests where the chart peaks
    ranking.session.results.move_cursor(None)
    chosen = ranking.session.results.chosen_profit()
    assert chosen is not None
    assert ranking.session.results.cursor_depth == chosen.best_depth
    assert "€" in page.headline.number.text()
    by_rule = page.tables.view_choice.model().item(1)
    assert not by_rule.isEnabled()
    assert not page.depths.mode.model().item(1).isEnabled()


def test_the_advice_leads_to_the_dialog(
    ranking: DecideHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(ranking.page, "open_probabilities", lambda: opened.append("chances"))
    links = ranking.page.meaning.findChildren(QPushButton)
    texts = [link.text() for link in links]
    links[texts.index("Turn the score into chances…")].click()
    assert opened == ["chances"]


def ways(dialog: SaveDecisionsDialog) -> tuple[FieldOption, ...]:
    """How the dialog offers to decide."""
    return rule_fields(dialog.asked, 0.2)[1].options


def test_saving_by_the_rule_is_greyed_until_there_are_chances(ranking: DecideHarness) -> None:
    dialog = SaveDecisionsDialog(ranking.session, ranking.page)
    assert [option.words for option in ways(dialog)] == ["By the cursor"]
    assert "score without chances" in dialog.rule.rows["use_cursor"].note.text()
    assert not dialog.columns.editor("EP").isEnabled()
    assert not dialog.probabilities_button.isHidden()
    assert dialog.arguments().columns == ("D",)
    choose_data(dialog.rule.editor("model"), "logit")
    assert [option.words for option in ways(dialog)] == ["By the rule", "By the cursor"]
    assert dialog.columns.editor("EP").isEnabled()
    assert dialog.probabilities_button.isHidden()


def open_dialog(harness: DecideHarness, qtbot: QtBot) -> ProbabilitiesDialog:
    harness.engine.answers["compare.chances"] = lambda requested: fitted(
        requested, harness.document
    )
    dialog = ProbabilitiesDialog(harness.session, "gbm 2")
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.result_shown is not None)
    return dialog


def test_every_way_is_shown_and_the_best_is_chosen(ranking: DecideHarness, qtbot: QtBot) -> None:
    dialog = open_dialog(ranking, qtbot)
    assert dialog.chosen_spec() == spec_of(ranking.document, CalibrationMethod.ISOTONIC)
    assert "84.0" in dialog.lead.text()
    assert dialog.chart.chart.series[dialog.result_shown.best].is_chosen
    dialog._group.button(0).setChecked(True)
    chosen = dialog.chosen_spec()
    assert chosen is not None
    assert chosen.method is CalibrationMethod.LOGISTIC
    report = ranking.session.report
    report.collect()
    dialog.chart._buttons["report"].click()
    assert report.is_on("compare/chances gbm 2")
    assert report.block("compare/chances gbm 2") is not None


def test_taking_chances_is_one_undo_step_and_named_on_charts(
    ranking: DecideHarness, qtbot: QtBot
) -> None:
    before = ranking.document
    dialog = open_dialog(ranking, qtbot)
    dialog.accept()
    model = ranking.document.model("gbm 2")
    assert model is not None
    assert model.calibration is not None
    assert not ranking.document.is_rank_only("gbm 2")
    look = Labels.of(ranking.document)
    assert look.provenance == "gbm 2: isotonic, cross-fitted"
    ranking.page.chart.set_result(make_decisions(), look)
    spec = ranking.page.chart.make_spec()
    assert spec is not None
    assert "gbm 2: isotonic, cross-fitted" in spec.subtitle
    ranking.session.project.undo()
    assert ranking.document == before


def test_the_direction_is_a_step_of_its_own_and_fits_anew(
    ranking: DecideHarness, qtbot: QtBot
) -> None:
    dialog = open_dialog(ranking, qtbot)
    dialog.direction.chosen.emit(LESS)
    assert ranking.document.is_score_reversed("gbm 2")
    requested = [entry.arguments for entry in ranking.engine.of_kind("compare.chances")]
    assert len(requested) == 2
    assert isinstance(requested[1], Ask)
    assert requested[1].document.is_score_reversed("gbm 2")


def test_a_refused_fit_says_why(ranking: DecideHarness, qtbot: QtBot) -> None:
    def refuse(_arguments: object) -> object:
        raise PayoffError("5 folds cannot be made.", remedy="Choose fewer folds, or more rows.")

    ranking.engine.answers["compare.chances"] = refuse
    dialog = ProbabilitiesDialog(ranking.session, "gbm 2")
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: bool(dialog.notes.texts))
    assert not dialog.take_button.isEnabled()


def test_thresholds_are_explained_from_the_card(harness: DecideHarness, qtbot: QtBot) -> None:
    reading = (("Break-even", "Acting pays above 6.25 %."), ("Two ways", "Never mix them."))
    harness.show(replace(make_decisions(), threshold_reading=reading))
    assert harness.page.meaning.thresholds.isEnabled()
    popover = harness.page.meaning.explain_thresholds()
    qtbot.addWidget(popover)
    assert "Break-even: Acting pays above" in popover.accessibleDescription()
    popover.close()
    harness.show(make_decisions())
    assert not harness.page.meaning.thresholds.isEnabled()


# ------------------------------------------------------------------ new cases


def test_a_list_is_named_as_expected_with_its_interval(
    harness: DecideHarness, qtbot: QtBot
) -> None:
    def expected(arguments: object) -> ListResult:
        assert isinstance(arguments, ExpectList)
        assert arguments.cases == 50_000
        return ListResult(
            cases=50_000,
            counts=(("Mail", Estimate(value=10_650, low=10_400, high=10_900)),),
            total=Estimate(value=61_000, low=55_000, high=67_000, holds_fixed="if 5 % respond"),
            rule="Mail above 6.25 %.",
            source="validation rows, 10,000 of 20,000",
        )

    harness.engine.answers["decide.expect_list"] = expected
    dialog = ApplyRuleDialog(harness.session, harness.page)
    dialog.list_form.editor("cases").choose(50_000)
    with qtbot.waitSignal(harness.queue.job_ended):
        dialog.expect()
    texts = dialog.checks.texts
    assert texts[0].startswith("Expected total profit of 50,000 customers: €\u00a061,000")
    assert "55,000 to 67,000" in texts[0]
    assert texts[1].startswith("Expected Mail: 10,650 (21.3\u00a0%), 10,400 to 10,900")
    assert "like them" in texts[2]
    assert not dialog.save_button.isEnabled()


def test_the_check_against_the_evaluated_rows_stands_before_saving(
    harness: DecideHarness, qtbot: QtBot, tmp_path: Path
) -> None:
    lines = (
        Advice(state="error", text="Scores come from another population (PSI 0.41)."),
        Advice(state="ok", text="“Mail” now 21.0 % of the customers, 20.5 % when evaluated."),
    )
    shift = AppliedShift(
        score_index=0.41,
        score_verdict="another population",
        decisions_index=0.01,
        decisions_verdict="stable",
        acted_then=0.205,
        acted_now=0.21,
        evaluated_rows=10_000,
    )

    def answer(arguments: object) -> object:
        assert isinstance(arguments, ApplyArguments)
        return replace(applied(arguments.path), checks=lines, shift=shift)

    harness.engine.answers["apply"] = answer
    dialog = ApplyRuleDialog(harness.session, harness.page)
    dialog.path.setText(str(tmp_path / "autumn.csv"))
    with qtbot.waitSignal(harness.queue.job_ended):
        dialog.look()
    texts = dialog.checks.texts
    assert lines[0].text in texts
    assert lines[1].text in texts
