"""Reading and writing matrices through the engine; matrices that do not suit the outcome."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.assembly.matrix import check_knots
from core.document.data.model import ReaderSettings
from core.document.decisions.matrix_model import MatrixSpec
from core.document.studies.decision_files import (
    ExportRuleArguments,
    MatrixStyle,
    ReadMatrixArguments,
    Rows,
    WriteMatrixArguments,
)
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments, SaveArguments
from core.engine.options import EngineOptions
from core.questions.decide import Reconcile, Totals
from payoff import PayoffError
from plugins.decision_matrices.donation import DONATION
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv


@pytest.fixture(scope="module")
def engine():
    return LocalEngine(EngineOptions())


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("matrix") / "scored.csv", scored_columns())
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    return scored_document(loaded.data)


def templated(document, template, **parameters):
    matrix = replace(
        document.matrix,
        template=template,
        cells=(),
        decisions=(),
        acting="",
        do_nothing=None,
        parameters=tuple(parameters.items()),
    )
    return replace(document, matrix=matrix)


def test_a_template_is_written_with_the_cells_it_works_out(engine, document, tmp_path):
    churn = templated(document, "payoff.churn", offer=20.0)
    path = str(tmp_path / "m.csv")
    written = engine.run(
        "write_matrix", WriteMatrixArguments(document=churn, path=path, style=MatrixStyle.PREDICTED)
    )
    assert written.axes == "PREDICTED down, ACTUAL across"
    assert written.warnings == ()
    found = engine.run("read_matrix", ReadMatrixArguments(document=document, path=path))
    assert isinstance(found.matrix, MatrixSpec)
    assert found.file.rows is Rows.DECIDED
    assert found.matrix.decisions == ("Offer", "Do nothing")
    assert found.matrix.cells == (
        (pytest.approx(0.3 * 180 - 1), 0.0),
        (pytest.approx(-21.0), 0.0),
    )
    assert found.matrix.levels == document.target.levels


def test_costs_by_case_of_a_template_are_said_to_be_missing(engine, document, tmp_path):
    fraud = templated(document, "payoff.fraud_review")
    arguments = WriteMatrixArguments(
        document=fraud, path=str(tmp_path / "m.json"), style=MatrixStyle.JSON
    )
    (warning,) = engine.run("write_matrix", arguments).warnings
    assert "Fraud review" in warning


def test_the_linter_speaks_before_the_matrix_is_taken(engine, document, tmp_path):
    path = tmp_path / "m.csv"
    levels = document.target.levels
    path.write_text(f"ACTUAL,Act,Rest\n{levels[0]},-5,0\n{levels[1]},-1,0\n")
    found = engine.run("read_matrix", ReadMatrixArguments(document=document, path=str(path)))
    assert any("can never win" in advice.text for advice in found.advice)


def test_a_matrix_for_a_number_refuses_classes(engine, document):
    with pytest.raises(PayoffError, match="outcome that is a number"):
        engine.ask(templated(document, "payoff.donation"), Totals())


def test_fraud_review_takes_the_cost_of_each_review_from_the_data(engine, tmp_path):
    columns = scored_columns()
    plain = write_csv(tmp_path / "plain.csv", columns)
    columns["review_cost"] = [4.0 if row % 4 == 1 else 1e6 for row in range(len(columns["use"]))]
    own = write_csv(tmp_path / "own.csv", columns)
    results = []
    for path in (plain, own):
        loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
        document = templated(scored_document(loaded.data), "payoff.fraud_review")
        results.append(engine.ask(document, Totals()))
    usual, by_case = (result.models[0] for result in results)
    assert by_case.rule_depth < 0.6 * usual.rule_depth  # who costs a million is never reviewed
    assert usual.rule_depth > 0.0


def test_decisions_in_the_file_are_reconciled(engine, document, tmp_path):
    """Our own saved decisions agree; a document that says otherwise is told why."""
    path = str(tmp_path / "saved.csv")
    engine.run(
        "save_decisions",
        SaveArguments(
            document=document,
            model="good",
            path=path,
            columns=("D", "EP", "CP"),
            keep_columns=("case_id", "outcome", "p_good", "p_rough", "cost", "use"),
        ),
    )
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    here = scored_document(loaded.data)
    found = engine.ask(here, Reconcile(model="good"))
    assert found.agrees
    assert [entry.column for entry in found.columns] == ["D_outcome", "EP_outcome", "CP_outcome"]
    turned = replace(here.matrix, cells=((-8.0, 0.0), (2.0, 0.0)))
    other = replace(here, matrix=turned)
    found = engine.ask(other, Reconcile(model="good"))
    assert found.causes[0].left == 0
    assert "signs" in found.causes[0].text
    with pytest.raises(PayoffError, match="no model"):
        engine.ask(here, Reconcile(model="none"))
    with pytest.raises(PayoffError, match="carries no decisions"):
        engine.ask(document, Reconcile(model="good"))


def test_the_rule_is_handed_over_with_costs_that_a_template_works_out(engine, tmp_path):
    columns = scored_columns()
    columns["review_cost"] = [4.0 + row % 3 for row in range(len(columns["use"]))]
    path = write_csv(tmp_path / "own.csv", columns)
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    document = templated(scored_document(loaded.data), "payoff.fraud_review")
    arguments = ExportRuleArguments(document=document, model="good", folder=str(tmp_path / "over"))
    made = engine.run("export_rule", arguments)
    assert made.inputs == ("p_good", "COST_Review")
    assert "“Fraud review” works these out" in made.notes[0]
    assert set(made.files) == {item.name for item in (tmp_path / "over").iterdir()}


def test_costs_that_are_the_same_for_all_are_part_of_the_rule(engine, document, tmp_path):
    fraud = templated(document, "payoff.fraud_review")
    made = engine.run(
        "export_rule",
        ExportRuleArguments(document=fraud, model="rough", folder=str(tmp_path / "over")),
    )
    assert made.inputs == ("p_rough",)
    assert made.notes == ()
    contract = json.loads((tmp_path / "over" / "contract.json").read_text("utf-8"))
    assert contract["rule"]["cost_amounts"] == [4.0, 0.0]


def contract_of(folder):
    return json.loads((folder / "contract.json").read_text("utf-8"))


def test_chances_in_percent_are_divided_by_the_code_too(engine, tmp_path):
    columns = scored_columns()
    columns["p_good"] = [100.0 * value for value in columns["p_good"]]
    path = write_csv(tmp_path / "percent.csv", columns)
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    document = scored_document(loaded.data)
    roles = tuple(
        replace(entry, is_percent=True) if entry.column == "p_good" else entry
        for entry in document.roles
    )
    document = replace(document, roles=roles)
    made = engine.run(
        "export_rule",
        ExportRuleArguments(document=document, model="good", folder=str(tmp_path / "over")),
    )
    assert made.inputs == ("p_good",)
    assert "0 to 100" in contract_of(tmp_path / "over")["inputs"][0]["meaning"]
    assert "/ 100.0" in (tmp_path / "over" / "decide.py").read_text("utf-8")


def test_chances_that_are_not_those_of_the_column_get_columns_of_their_own(
    engine, document, tmp_path, monkeypatch
):
    """Whatever worked the chances out: the code must not read the column as if it held them."""
    from core.assembly.decide import decided_table

    honest = decided_table.model_scores

    def halved(document, cases):
        return tuple(
            replace(scores, posteriors=np.ascontiguousarray(scores.posteriors[::-1]))
            for scores in honest(document, cases)
        )

    monkeypatch.setattr(decided_table, "model_scores", halved)
    made = engine.run(
        "export_rule",
        ExportRuleArguments(document=document, model="good", folder=str(tmp_path / "over")),
    )
    assert made.inputs == ("P_outcomeyes", "P_outcomeno")
    assert "as they are used here" in made.notes[0]


def test_a_matrix_of_values_comes_in_for_a_number(engine, document, tmp_path):
    path = tmp_path / "gifts.csv"
    path.write_text("ACTUAL,Ask,Do nothing\n100,99.32,0\n0,-0.68,0\n")
    target = replace(document.target, kind="interval", levels=())
    number = replace(document, target=target)
    found = engine.run("read_matrix", ReadMatrixArguments(document=number, path=str(path)))
    assert found.matrix.levels == ("0", "100")
    assert found.matrix.cells == ((-0.68, 0.0), (99.32, 0.0))
    assert found.matrix.do_nothing == "Do nothing"
    path.write_text("ACTUAL,Ask,Do nothing\nmuch,99.32,0\n0,-0.68,0\n")
    with pytest.raises(PayoffError) as refused:
        engine.run("read_matrix", ReadMatrixArguments(document=number, path=str(path)))
    assert refused.value.where.endswith("row much")


def test_a_worded_matrix_of_knots_keeps_its_rows(document):
    number = replace(document.target, kind="interval", levels=())
    matrix = replace(document.matrix, cells=(), levels=("0", "100"))
    check_knots(DONATION, matrix, number)
    with pytest.raises(PayoffError, match="has the rows 0, 100, the matrix 0, 50"):
        check_knots(DONATION, replace(matrix, levels=("0", "50")), number)
