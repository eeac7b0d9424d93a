"""The tabs below the chart of page Decide on the sample, answered by the real engine."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from core.document.wording import format_money
from gui.pages.decide.dialogs.save_decisions import SaveDecisionsDialog
from gui.pages.decide.studies.capacity import CapacityStudy
from gui.pages.decide.studies.cases import CLOUD, CasesStudy
from gui.pages.decide.studies.gap import GapStudy
from gui.pages.decide.studies.swap import SwapStudy
from tests.e2e.decision_studies import opened
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(240)  # real window and engine; a cold machine compiles first


@pytest.fixture(scope="module")
def decided(program: Program, sample: Path) -> Program:
    program.session.files.open_project(str(sample))
    program.wait(lambda: program.session.results.decisions is not None, 100)
    program.window.show_page("decide")
    program.settle()
    return program


def chosen(program: Program):
    document = program.session.project.document
    name = document.reference_model
    return next(entry for entry in program.session.results.decisions.models if entry.model == name)


def test_without_a_limit_capacity_is_the_rule(decided: Program) -> None:
    study = opened(decided, CapacityStudy)
    decided.wait(lambda: study.view is not None)
    limited = study.panel.figure.text()
    study.form.box("most_actions").click()
    total = format_money(chosen(decided).total.value, decided.session.project.document.currency)
    decided.wait(lambda: study.panel.figure.text() == total)
    assert total != limited
    assert "does not bind" in study.panel.sentences[0].text()
    study.form.box("most_actions").click()
    decided.wait(lambda: study.panel.figure.text() == limited)
    study.panel.buttons[0].click()
    headline = decided.window.pages["decide"].headline
    decided.wait(lambda: headline.number.text() == limited)


def test_the_list_has_every_case_and_its_end(decided: Program) -> None:
    study = opened(decided, CasesStudy)
    decided.wait(lambda: study.model.rowCount() == 20_000)
    last = study.model.index(19_999, 0)
    study.table.scrollTo(last)
    decided.wait(lambda: bool(study.model.data(last)))
    study.view_choice.chosen.emit(CLOUD)
    decided.wait(lambda: study.cloud.view is not None)
    assert "share one break-even" in study.cloud.view.sentences[0]


def test_swap_set_and_headline_tell_the_same_difference(decided: Program) -> None:
    study = opened(decided, SwapStudy)
    pair = decided.session.results.decisions.differences[0]
    amount = format_money(abs(pair.estimate.value), decided.session.project.document.currency)
    decided.wait(lambda: study.view is not None and amount in study.view.sentences[0])


def test_gap_adds_up_with_the_totals(decided: Program) -> None:
    study = opened(decided, GapStudy)
    currency = decided.session.project.document.currency
    profit = chosen(decided)
    decided.wait(lambda: study.view is not None)
    assert format_money(profit.total.value, currency) in study.panel.sentences[1].text()
    assert format_money(profit.expected_total, currency) in study.panel.sentences[1].text()
    left = format_money(profit.best_total - profit.total.value, currency)
    assert left in study.view.tables[0].title


def test_a_mailing_list_with_a_hold_out(decided: Program, tmp_path: Path) -> None:
    page = decided.window.pages["decide"]
    dialog = page.open_save()
    assert isinstance(dialog, SaveDecisionsDialog)
    dialog.file.set_text(str(tmp_path / "mail.csv"))
    dialog.decisions.editor("Do nothing").click()
    dialog.hold_out.form.box("share").click()
    decided.wait(lambda: "are kept out" in dialog.hold_out.note.text())
    dialog.accept()
    decided.wait((tmp_path / "mail.csv.record.json").is_file)
    record = json.loads((tmp_path / "mail.csv.record.json").read_text("utf-8"))["hold_out"]
    with open(tmp_path / "mail.holdout.csv", encoding="utf-8", newline="") as file:
        apart = list(csv.DictReader(file))
    assert len(apart) == record["held_out"] == round(0.1 * record["chosen"])
    assert record["share"] == 0.1
    assert {row["D_responded"] for row in apart} == {"Do nothing"}
