"""Page Decide when the outcome is a number: rows, templates, tabs, the starting matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.document.data.results import ColumnSummary
from core.document.decisions.commands import AddKnot, MoveKnot, RemoveKnot
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.decisions.starting_matrix import starting_matrix
from core.document.model import Document, TargetSpec
from core.questions.decide import Gap
from gui.pages.decide.matrix.earns_card import EarnsCard
from gui.pages.decide.matrix.matrix_model import resolved_cells
from gui.pages.decide.matrix.meaning_card import MeaningCard
from gui.pages.decide.studies import Study
from tests.helpers.answers.synthetic import make_decisions, make_document
from tests.helpers.factories.matrices import MAILING
from tests.helpers.harness import DecideHarness

GIFT = TargetSpec(column="gift", kind="interval")
GIFTS = MatrixSpec(
    template="payoff.profit",
    kind=MatrixKind.PROFIT,
    levels=("0", "100"),
    decisions=("Mail", "Leave"),
    cells=((-2.0, 0.0), (98.0, 0.0)),
    acting="Mail",
    do_nothing="Leave",
)


@pytest.fixture
def card(qtbot: QtBot) -> EarnsCard:
    made = EarnsCard()
    qtbot.addWidget(made)
    donation = replace(MAILING, id="x.gifts", level_words=(), is_interval=True)
    made.show_document(Document(target=GIFT, matrix=GIFTS), None, (MAILING, donation))
    made.show()
    return made


def edit(card: EarnsCard, row: int, text: str) -> bool:
    model = card.matrix.matrix_model
    return model.setData(model.index(row, 0), text, Qt.ItemDataRole.EditRole)


def test_a_row_is_named_by_its_value_and_moved_by_typing_another(
    card: EarnsCard, qtbot: QtBot
) -> None:
    model = card.matrix.matrix_model
    head = model.headerData(0, Qt.Orientation.Horizontal)
    assert head == "If gift is…"
    assert model.data(model.index(1, 0)) == "100"
    with qtbot.waitSignal(card.command_requested) as sent:
        assert edit(card, 0, "2.5")
    assert sent.args == [MoveKnot(knot="0", value=2.5, resolved=GIFTS.cells)]
    with qtbot.assertNotEmitted(card.command_requested):
        assert not edit(card, 0, "some")
        assert edit(card, 0, "0")  # as it was
    assert "“some” is not a number" in card.problem.text()


def test_rows_are_added_and_removed_by_commands(card: EarnsCard, qtbot: QtBot) -> None:
    assert card.row_button.isVisible()
    with qtbot.waitSignal(card.command_requested) as sent:
        card.row_button.click()
    assert sent.args == [AddKnot(value=50.0, resolved=GIFTS.cells)]
    card.matrix.select_cell(1, 0)
    menu = card.more_menu()
    entry = next(a for a in menu.actions() if "Remove the row at 100" in a.text())
    with qtbot.waitSignal(card.command_requested) as sent:
        entry.trigger()
    assert sent.args == [RemoveKnot(knot="100", resolved=GIFTS.cells)]


def test_templates_made_for_classes_are_greyed_with_the_reason(card: EarnsCard) -> None:
    rows = {card.kind.itemData(row): row for row in range(card.kind.count())}
    tip = card.kind.itemData(rows["direct_mail"], Qt.ItemDataRole.ToolTipRole)
    fits = {key: card.kind.model().item(row).isEnabled() for key, row in rows.items()}
    assert tip == "For classes"
    assert not fits["direct_mail"]
    assert fits["x.gifts"]
    assert fits["payoff.loss"]


def test_classes_have_no_rows_to_add(harness: DecideHarness) -> None:
    assert not harness.page.earns.row_button.isVisible()
    assert harness.page.priors.isVisible()
    model = harness.page.earns.matrix.matrix_model
    assert model.knot_at(0) is None


def test_cells_of_a_worded_template_come_from_the_result(card: EarnsCard) -> None:
    cells = np.array([[-2.0, 0.0], [98.0, 0.0]])
    worded = replace(GIFTS, template="x.gifts", cells=())
    result = replace(
        make_decisions(),
        levels=("below 100", "100 and more"),
        knots=("0", "100"),
        cells=cells,
        decisions=("Mail", "Leave"),
    )
    assert resolved_cells(worded, result) == ((-2.0, 0.0), (98.0, 0.0))
    assert resolved_cells(replace(worded, levels=("0", "50")), result) == ()


class ClassStudy(Study):
    asks = Gap

    def request_for(self, document: Document) -> object | None:
        raise AssertionError("not to be asked of a number")


def test_a_tab_for_classes_says_so_instead_of_asking(harness: DecideHarness, qtbot: QtBot) -> None:
    harness.session.project.take_document(replace(make_document(), target=GIFT, matrix=GIFTS))
    study = ClassStudy(harness.session)
    qtbot.addWidget(study)
    study.show()
    qtbot.waitExposed(study)
    study.refresh()
    assert "is a number without classes" in study.message.text()


@pytest.mark.parametrize(
    ("low", "mean", "high", "knots", "act"),
    [
        (0.0, 7.8, 187.0, ("0", "200"), (-8.0, 192.0)),
        (-35.0, 0.4, 61.0, ("-40", "70"), (-40.4, 69.6)),
        (0.0, 0.0, 0.0, ("0", "100"), (-1.0, 99.0)),
    ],
)
def test_a_new_file_starts_from_round_knots_and_its_mean(
    low: float, mean: float, high: float, knots: tuple[str, str], act: tuple[float, float]
) -> None:
    column = ColumnSummary(
        name="gift",
        kind="number",
        rows=9,
        missing=0,
        distinct=9,
        minimum=low,
        maximum=high,
        mean=mean,
    )
    matrix = starting_matrix(GIFT, (column,))
    assert matrix.levels == knots
    assert tuple(row[0] for row in matrix.cells) == pytest.approx(act)
    assert [row[1] for row in matrix.cells] == [0.0, 0.0]
    assert starting_matrix(GIFT).levels == ("0", "100")


def test_a_number_is_not_offered_chances_from_its_scores(qtbot: QtBot) -> None:
    """The link opened a dialog that could only refuse, and a red job was left behind."""
    card = MeaningCard()
    qtbot.addWidget(card)
    card.show_result(make_decisions())
    assert not card.probabilities.isHidden()
    card.show_result(replace(make_decisions(), knots=("0", "100")))
    assert card.probabilities.isHidden()
