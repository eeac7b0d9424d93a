"""The report for the committee: what it says of projects, and the same bytes at both doors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import main
from core.document.data.model import MissingOutcomes
from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.starting_matrix import lending_matrix, starting_matrix
from core.document.model import TargetSpec, TrainedModel
from core.document.report.commands import BOARD, COMMITTEE, TEMPLATES, PutAllOnReport
from core.document.results import Advice, Estimate
from core.presentation.report.committee import MOST_LINES, board_page, committee
from core.presentation.report.entries import own_entry
from core.presentation.report.making import making_block
from core.presentation.view import View
from core.questions.compare import CompareModels
from core.script.command_line import arguments
from tests.helpers.answers.synthetic import make_decisions, make_document, make_evaluation


def made(document=None, decisions=None, evaluation="usual") -> dict[str, View]:
    document = document or make_document()
    found = make_evaluation() if evaluation == "usual" else evaluation
    views = committee(document, decisions or make_decisions(), found)
    return {view.key.partition("/")[2]: view for view in views}


def said(view: View) -> str:
    cells = [cell for table in view.tables for row in table.texts() for cell in row]
    text = " | ".join((*view.sentences, *cells, *view.notes))
    return text.replace("\u00a0", " ")


def test_the_usual_project():
    views = made()
    assert tuple(f"committee/{key}" for key in views) == COMMITTEE
    assert views["question"].sentences == (
        "Which customers should get “Mail”, and what is that worth?",
        "The other choice is “Do nothing”. Outcome: respond.",
        "Decided by the model gbm 2, compared with logit and agency.",
    )
    assert "validation rows, 20,000 of 40,000" in said(views["data"])
    assert "responds 5.00 %" in said(views["data"])
    assert views["decision"].sentences[0].startswith("Mail a customer when the chance")
    assert "By this rule 20.5 % of the customers get “Mail”." in said(views["decision"])
    decisions = make_decisions()
    assert f"{decisions.models[0].total.value:,.0f}" in views["money"].figure
    assert "Mailing all: −€ 6,400; doing nothing: € 0." in said(views["money"])
    assert views["certainty"].tables[0].texts()[1][0] == "Profit less that of logit"
    assert "p = 0.002" in said(views["certainty"])
    assert "AUC" in said(views["certainty"])
    assert "✓ Both decisions can win." in said(views["checked"])


def test_amounts_that_nobody_has_set_are_an_open_point():
    """A total of 1 for a hit and -1 for a miss is no money of the reader's."""
    document = make_document()
    assert "Nobody has said" not in said(made(document)["open"])
    begun = replace(document, matrix=starting_matrix(document.target))
    words = (
        "⚠ Nobody has said what a decision earns: it is assumed that “Act” brings 1 on “responds”"
    )
    assert said(made(begun)["open"]).startswith(words)
    lends = replace(
        begun, target=TargetSpec(column="status", kind="binary", levels=("default", "repaid"))
    )
    lends = replace(lends, matrix=lending_matrix(lends.target, "loan"))
    assert "⚠ Assumed until you say otherwise: lending “repaid” earns 5 %" in said(
        made(lends)["open"]
    )


def test_cells_that_are_shares_of_an_amount_are_said_as_that():
    """A matrix of 5 % and -45 % of the loan is none of zeros."""
    document, decisions = make_document(), make_decisions()
    assert document.matrix is not None
    lends = replace(document, matrix=replace(document.matrix, amount="loan"))
    shares = np.array([[0.05, 0.0], [-0.45, 0.075]])
    cells = np.array([[0.0, 0.0], [0.0, 12.0]])
    made_so = replace(decisions, cells=cells, shares=shares)
    for views in (made(lends, made_so)["decision"], making_block(lends, made_so, "1", "")):
        table = views.tables[0].texts()
        rows = [tuple(text.replace("\u00a0", " ") for text in row[1:]) for row in table]
        assert rows == [("5 % of loan", "0.00"), ("−45 % of loan", "12.00 + 7.5 % of loan")]


def test_the_matrix_of_a_number_names_the_values_that_its_amounts_are_of():
    """A case below 4 does not get the amount of 0: counts have bands, amounts have values."""
    document = replace(make_document(), target=TargetSpec(column="claims", kind="interval"))
    decisions = make_decisions()
    counted = replace(decisions, levels=("below 4", "4 and more"), knots=("0", "4"))
    for views in (made(document, counted)["decision"], making_block(document, counted, "1", "")):
        assert [row[0] for row in views.tables[0].texts()] == ["0", "4"]
        assert "these values of claims" in said(views)
        assert "straight lines between them" in said(views)
    assert "straight lines" not in said(making_block(make_document(), decisions, "1", ""))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"warnings": ("Few cases.",)}, "⚠ Few cases."),
        (
            {"advice": (Advice(state="error", text="Corrected twice.", model="gbm 2"),)},
            "⚠ Corrected twice. Its totals and decisions rest on chances that are wrong.",
        ),
        (
            {"advice": (Advice(state="warning", text="Rough.", model="agency"),)},
            "⚠ On which rows gbm 2 was trained",  # of another model: no point of this one
        ),
        ({"advice": (Advice(state="info", text="By the way."),)}, "its scores came with the data"),
    ],
)
def test_what_was_warned_of_is_open(changes, expected):
    found = said(made(decisions=replace(make_decisions(), **changes))["open"])
    assert expected in found
    assert "Rough." not in found


def test_a_difference_that_may_be_none_is_open():
    decisions = make_decisions()
    pair = decisions.differences[0]
    level = replace(pair, estimate=Estimate(value=50.0, low=-100.0, high=200.0))
    views = made(decisions=replace(decisions, differences=(level, *decisions.differences[1:])))
    assert f"gbm 2 and {pair.second} cannot be told apart by profit" in said(views["open"])


def test_no_rows_without_an_outcome_are_no_open_point():
    """Where there are any, nothing is worked out before it is said what becomes of them."""
    unsaid = replace(make_document(), missing_outcomes=MissingOutcomes.ASK)
    assert "without an outcome" not in said(made(unsaid)["open"])


def test_losses_are_losses():
    decisions = make_decisions()
    models = tuple(
        replace(
            entry,
            total=Estimate(value=-500.0, low=-620.0, high=-380.0),
            average=Estimate(value=-0.5, low=-0.62, high=-0.38),
        )
        for entry in decisions.models
    )
    document = make_document()
    document = replace(document, matrix=replace(document.matrix, kind=MatrixKind.LOSS))
    lost = replace(decisions, kind=MatrixKind.LOSS.value, models=models)
    views = made(document, lost)
    assert views["money"].title == "What it loses"
    assert views["money"].figure.replace("\u00a0", " ") == "€ 500"
    assert views["money"].interval.startswith("380 to 620")


def test_a_score_that_only_ranks_has_no_total():
    decisions = make_decisions()
    nan = float("nan")
    none = Estimate(value=nan, low=nan, high=nan, note="It says no chances.")
    first = replace(decisions.models[0], total=none, has_probabilities=False, rule_depth=nan)
    views = made(decisions=replace(decisions, models=(first, *decisions.models[1:])))
    assert views["money"].sentences == ("It says no chances.",)
    assert "nan" not in " ".join(said(view) for view in views.values()).lower()


def test_without_metrics_nothing_is_said_of_them():
    views = made(evaluation=None)
    assert "AUC" not in said(views["certainty"])
    assert committee(make_document(), replace(make_decisions(), models=()), None) == ()


def test_the_command_line_knows_every_template():
    assert set(arguments.TEMPLATES) == set(TEMPLATES)


def test_a_template_without_a_report_is_refused(capsys):
    assert main.main(["run", "x.payoff", "--template", "committee"]) == 2


def test_putting_them_on_twice_changes_nothing():
    once = PutAllOnReport(kinds=COMMITTEE).apply(make_document())
    assert [item.kind for item in once.report][-len(COMMITTEE) :] == list(COMMITTEE)
    assert PutAllOnReport(kinds=COMMITTEE).apply(once) == once


@pytest.mark.parametrize(("program", "is_known"), [("", True), ("LightGBM", False)])
def test_rows_of_a_model_file_of_another_program_are_not_said_to_be_fresh(program, is_known):
    document = make_document()
    trained = TrainedModel(
        name="gbm 2", distribution="bernoulli", target="respond", features=(), program=program
    )
    models = tuple(
        replace(entry, trained=trained) if entry.name == "gbm 2" else entry
        for entry in document.models
    )
    fair = replace(make_evaluation(), favoured="")
    views = made(replace(document, models=models), evaluation=fair)
    assert ("No row that is counted here trained" in said(views["checked"])) is is_known
    assert ("a model file of LightGBM" in said(views["open"])) is not is_known


def test_what_intervals_hold_fixed_is_said_once():
    document = make_document()
    (note,) = made(document=replace(document, priors=None))["certainty"].notes
    assert note == "The intervals are for new cases like these, and this model as it is."


def board(document=None, decisions=None, evaluation=None, missing=()):
    view = board_page(document or make_document(), decisions, evaluation, missing)
    return view, [tuple(row) for row in view.tables[0].texts()]


def test_the_board_page_says_what_the_pages_say():
    document, decisions, evaluation = make_document(), make_decisions(), make_evaluation()
    view, rows = board(document, decisions, evaluation)
    parts, head = {}, ""
    for name, line in rows:
        head = name or head
        parts.setdefault(head, []).append(line)
    assert list(parts) == ["Question", "Answer", "Money", "How sure", "Checked", "Open"]
    pages = made()
    assert (view.figure, view.interval) == (pages["money"].figure, pages["money"].interval)
    totals = own_entry("decide/totals", document, lambda question: decisions)
    assert view.figure.removeprefix("€\u00a0") in said(totals).replace("€ ", "")
    assert parts["Question"] == list(pages["question"].sentences)
    assert parts["Answer"] == list(pages["decision"].sentences)
    assert all(line in parts["Money"] for line in pages["money"].sentences)
    assert parts["How sure"][0].startswith(f"Total profit: {pages['money'].figure} (")
    assert all(len(described) <= MOST_LINES for described in parts.values())


def test_the_board_page_says_a_warning_once():
    advice = (Advice(state="warning", text="Rough chances."),)
    _, rows = board(decisions=replace(make_decisions(), advice=advice))
    assert [line for _, line in rows if "Rough" in line] == ["⚠ Rough chances."]


def test_the_board_page_says_what_is_missing():
    bare = replace(make_document(), matrix=None)

    def answer(question):
        assert isinstance(question, CompareModels)  # totals are not asked for: they would refuse
        return make_evaluation()

    view = own_entry(BOARD, bare, answer)
    assert "No decision matrix is set." in said(view)
    assert (view.figure, view.title) == ("", "What it is worth")
    _, rows = board(decisions=make_decisions(), missing=("The models were not judged.",))
    assert ("Open", "⚠ The models were not judged.") in rows


def test_the_board_page_keeps_to_its_lines():
    decisions = make_decisions()
    many = tuple(f"Warning {number}." for number in range(40))
    _, rows = board(decisions=replace(decisions, warnings=many), evaluation=make_evaluation())
    assert any(line.startswith("… and ") for _, line in rows)
    assert len(rows) <= 6 * MOST_LINES


def test_a_sentence_that_ends_with_a_hash_ends_with_one_full_stop():
    document = make_document()
    assert document.data is not None
    (note,) = made(document)["data"].notes
    assert note.endswith(f"SHA-256 beginning {document.data.own_hash[:16]}.")
