"""Page Uplift in the real window on real experiments: guard, curve, training, prices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from PySide6.QtWidgets import QMenu

from core.document.commands import SetRole, SetSplit
from core.document.model import Role, RoleAssignment
from core.document.uplift.commands import SetDrawnByLot, SetPropensity
from tests.helpers.program import Program
from tests.helpers.shared_data import SHARED

AFTER_THE_ALERT = ("attending", "duration", "duration_of_alert", "discharge_to_home", "direct_cost")

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.timeout(560),  # the first training of a machine compiles
]


class Journey:
    """One file in the window, from opening to what to do."""

    def __init__(self, program: Program, path: Path) -> None:
        self.program, self.space, self.window = program, program.session, program.window
        self.name = path.stem
        self.space.project.history.mark_saved()
        dialog = self.window.files.import_file(str(path))
        program.wait(dialog._load.isEnabled)
        dialog.accept()
        program.wait(lambda: self._is_open(path))
        program.settle()

    def _is_open(self, path: Path) -> bool:
        data = self.space.project.document.data
        return (
            data is not None and data.path == str(path) and self.space.project.summary is not None
        )

    def show(self):
        self.window.show_page("uplift")
        self.page = self.window.pages["uplift"]
        return self.page

    def pick(self, combo, text: str) -> None:
        place = combo.findText(text)
        assert place >= 0, [combo.itemText(i) for i in range(combo.count())]
        combo.setCurrentIndex(place)
        combo.activated.emit(place)

    def wait(self, is_reached=lambda result: True) -> object:
        """Wait for the whole answer to what is asked now."""
        page = self.page

        def is_there() -> bool:
            result = page.result
            is_idle = not page._request.is_busy
            return is_idle and result is not None and is_reached(result)

        self.program.wait(is_there, 300)
        self.program.settle()
        return page.result

    def split(self, train: float, validation: float) -> None:
        shares = (train, validation, round(1 - train - validation, 6))
        document = self.space.project.document
        assert self.space.project.execute(SetSplit(split=replace(document.split, shares=shares)))

    def target(self, column: str) -> None:
        models = self._models_page()
        place = models.target.findText(column)
        assert place >= 0
        models.target.setCurrentIndex(place)
        models.target.activated.emit(place)
        self.program.settle()

    def _models_page(self):
        self.window.show_page("models")
        return self.window.pages["models"]

    def train(self, index: int, name: str) -> None:
        """Choose an entry of the menu Train, and wait until the ranking is measured."""
        menu: QMenu = self.page.train.menu()
        menu.aboutToShow.emit()
        menu.actions()[index].trigger()
        self.wait(lambda result: any(m.model == name for m in result.models))

    def look(self, step: str) -> None:
        self.program.picture(f"{self.name}-{step}")


@pytest.mark.soak
def test_an_e_mail_experiment_of_three_arms(home):
    journey = Journey(home, SHARED / "hillstrom" / "hillstrom.csv")
    journey.target("visit")
    journey.split(0.5, 0.5)
    page = journey.show()
    journey.pick(page.bar.treatment, "segment")
    journey.pick(page.bar.treated, "Mens E-Mail")
    result = journey.wait(lambda found: found.treated == "Mens E-Mail")
    assert result.control == "No E-Mail"
    assert result.guard.state == "ok"
    assert result.effects[0].effect.effect == pytest.approx(0.0766, abs=0.01)
    assert not result.models
    journey.look("1-no-model")
    journey.space.project.execute(SetDrawnByLot(drawn_by_lot=True, planned_share=0.5))
    journey.train(0, "two models")
    journey.train(2, "response")
    journey.train(1, "treatment as input")
    result = journey.wait(lambda found: len(found.models) == 3 and found.draws > 0)
    page._set_price("value", 12.0)
    page._set_price("contact", 0.15)
    result = journey.wait(lambda found: found.models[0].choice.spent > 0)
    best = result.models[0].choice
    assert best.low <= best.gain <= best.high
    assert best.gain == pytest.approx(12 * best.incremental - 0.15 * best.cases, rel=1e-9)
    assert len(result.models[0].variants) == 10
    journey.look("2-models")
    journey.space.results.move_cursor(0.3, finished=True)
    assert page.chart.view.state.x == pytest.approx(0.3)
    qini = next(f for f in result.models[0].named if f.name == "qini_auc_score")
    page.variants.pasted.setText(f"{qini.value:.5f}")
    assert "scikit-uplift" in page.variants.answer.text()
    journey.look("3-cursor")
    page.variants.pasted.setText("")
    journey.pick(page.bar.outcome, "spend")
    result = journey.wait(lambda found: found.outcome == "spend")
    assert not result.is_binary
    journey.look("4-spend")


@pytest.mark.soak
def test_a_promotion_with_its_costs(home):
    journey = Journey(home, SHARED / "starbucks_promo" / "training.csv")
    journey.target("purchase")
    journey.split(0.5, 0.5)
    page = journey.show()
    journey.pick(page.bar.treatment, "Promotion")
    journey.wait(lambda found: found.treated == "Yes")
    journey.train(0, "two models")
    page._set_price("value", 10.0)
    page._set_price("contact", 0.15)
    result = journey.wait(lambda found: found.models[0].choice.spent > 0 and found.draws > 0)
    choice = result.models[0].choice
    assert choice.gain_of_all < choice.gain
    assert 0 < choice.depth < 1
    journey.look("models")


@pytest.mark.soak
def test_an_alert_trial(home):
    journey = Journey(home, SHARED / "aki_alert_elaia1" / "elaia1.csv")
    journey.target("composite_outcome")
    for column in AFTER_THE_ALERT:  # what came of the alert, under names that do not say so
        if journey.space.project.document.role_of(column) is not None:
            assignment = RoleAssignment(column=column, role=Role.IGNORED)
            journey.space.project.execute(SetRole(assignment=assignment))
    page = journey.show()
    journey.pick(page.bar.treatment, "alert")
    result = journey.wait(lambda found: found.treatment == "alert")
    share = next(line for line in result.guard.checks if line.key == "share")
    assert share.state == "ok"  # columns that came of the alert may well tell the arms apart
    assert any("measured after the treatment" in text for text in result.warnings)
    low, high = result.effects[0].effect.low, result.effects[0].effect.high
    assert low < 0 < high
    journey.look("no-model")


def test_no_experiment_is_said_so(home, tmp_path):
    data = pd.read_csv(SHARED / "ihdp" / "ihdp_npci_1.csv", header=None)
    names = ["treatment", "y", "y_other", "mu0", "mu1", *(f"x{k}" for k in range(1, 26))]
    data.columns = names
    data["p_effect"] = data.mu1 - data.mu0
    path = tmp_path / "ihdp.csv"
    data.drop(columns=["y_other", "mu0", "mu1"]).to_csv(path, index=False)
    journey = Journey(home, path)
    journey.target("y")
    page = journey.show()
    journey.pick(page.bar.treatment, "treatment")
    journey.pick(page.bar.treated, "1")
    result = journey.wait(lambda found: found.treated == "1")
    assert result.rows.rows == 747  # a file that came with scores is judged on all of its rows
    assert result.guard.state == "error"
    journey.split(0.0, 0.5)
    result = journey.wait(lambda found: found.rows.rows < 400)  # 71 of them treated
    assert result.guard.state != "ok"
    reported = next(line for line in result.guard.checks if line.key == "predictable")
    assert reported.state != "ok", reported
    journey.split(0.0, 0.0)
    result = journey.wait(lambda found: found.rows.rows == 747)
    assert result.guard.state == "error"
    assert "not a random split" in result.guard.headline
    journey.look("guard")
    journey.space.project.execute(SetPropensity(is_estimated=True))
    result = journey.wait(lambda found: found.has_propensity)
    assert result.guard.state == "warning"
    journey.look("estimated")


def test_job_training_of_few_cases(home):
    journey = Journey(home, SHARED / "lalonde" / "lalonde.csv")
    page = journey.show()
    journey.pick(page.bar.treatment, "Training")
    journey.pick(page.bar.outcome, "Wage_1978")
    result = journey.wait(lambda found: found.outcome == "Wage_1978")
    effect = result.effects[0].effect
    assert effect.low < 1794.34 < effect.high
    journey.look("no-model")
