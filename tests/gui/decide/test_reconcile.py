"""The page says that a file brings decisions along, and the dialog compares them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.document.studies.reconciling import carried_columns
from core.questions.decide import Reconcile
from gui.pages.decide.dialogs.reconcile import ReconcileDialog
from gui.shell.commands.needs import needs_question
from payoff import PayoffError
from tests.helpers.answers.decide import DIFFERENT
from tests.helpers.forms import choose_data
from tests.helpers.harness import DecideHarness


def with_carried(harness: DecideHarness) -> None:
    data = harness.document.data
    assert data is not None
    columns = (*data.columns, "D_RESPOND", "EP_RESPOND")
    harness.session.project.take_document(
        replace(harness.document, data=replace(data, columns=columns))
    )
    harness.show()


def compared(harness: DecideHarness, qtbot: QtBot) -> ReconcileDialog:
    with qtbot.waitSignal(harness.queue.job_ended):
        return ReconcileDialog(harness.session, harness.page)


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        (("y", "D_Y", "EP_y", "IC_Y"), {"D": "D_Y", "EP": "EP_y", "IC": "IC_Y"}),
        (("y", "D_other", "EP_other"), {"D": "D_other", "EP": "EP_other"}),
        (("y", "d_day", "p_y"), {}),
        (("y", "D_a", "EP_a", "D_b", "EP_b"), {}),
        (("y", "EL_y", "CL_y", "ROI_y"), {"EL": "EL_y", "CL": "CL_y", "ROI": "ROI_y"}),
    ],
)
def test_columns_are_found_by_the_name_of_the_outcome(
    columns: tuple[str, ...], found: dict[str, str]
) -> None:
    assert carried_columns(columns, "Y") == found


def test_the_page_says_so_and_leads_there(harness: DecideHarness) -> None:
    assert "EP_" in needs_question("decide.reconcile", harness.session)
    with_carried(harness)
    assert needs_question("decide.reconcile", harness.session) == ""
    texts = [label.text() for label in harness.page.meaning.findChildren(QLabel)]
    assert "The file brings decisions along: D_RESPOND, EP_RESPOND." in texts
    links = [b.text() for b in harness.page.meaning.findChildren(QPushButton)]
    assert "Compare with them" in links


def test_the_dialog_compares_with_the_chosen_model(harness: DecideHarness, qtbot: QtBot) -> None:
    with_carried(harness)
    harness.engine.answers["decide.reconcile"] = lambda _requested: DIFFERENT
    dialog = compared(harness, qtbot)
    assert harness.engine.arguments_of("decide.reconcile") == [Reconcile(model="gbm 2")]
    assert dialog.view is not None
    assert "10 of 1,000 rows differ" in dialog.panel.sentences[0].text()
    assert [table.accessibleName() for table in dialog.panel.tables] == [
        "Columns of the file beside ours",
        "First rows that differ",
    ]


def test_another_model_is_compared_anew(harness: DecideHarness, qtbot: QtBot) -> None:
    with_carried(harness)
    harness.engine.answers["decide.reconcile"] = lambda requested: replace(
        DIFFERENT, model=requested.model, different=0, columns=DIFFERENT.columns[1:], causes=()
    )
    dialog = compared(harness, qtbot)
    with qtbot.waitSignal(harness.queue.job_ended):
        choose_data(dialog.form.editor("model"), "logit")
    assert dialog.view is not None
    assert dialog.view.title.endswith("against logit")
    assert len(dialog.panel.tables) == 1


def test_a_refusal_is_shown(harness: DecideHarness, qtbot: QtBot) -> None:
    def refuse(_requested: object) -> object:
        raise PayoffError("“x” is no amount.", where="scored.csv, line 8")

    harness.engine.answers["decide.reconcile"] = refuse
    dialog = compared(harness, qtbot)
    assert "line 8" in dialog.panel.sentences[0].text()
    assert not dialog.panel.tables
