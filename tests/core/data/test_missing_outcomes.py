"""Rows without an outcome: counted, named, and left out only after that was allowed (case 28)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import payoff
from core import data
from core.document.commands import OpenData, SetTarget
from core.document.data.commands import SetMissingOutcomes, SetRowFilter
from core.document.data.model import MissingOutcomes, MissingOutcomesError, RowUse
from core.document.files.codec import from_plain, to_plain
from core.document.model import Document, TargetSpec
from core.document.studies.data import OutcomeGaps
from core.engine.local import LocalEngine
from core.engine.messages import Ask
from core.questions.compare import CompareModels
from core.questions.data import RowsWithoutOutcome
from main import main
from payoff.errors import PayoffError

ROWS = 120
GAPS = (5, 9, 40, 41, 77, 90)


def columns(**further: object) -> dict[str, object]:
    outcome: list[object] = np.random.default_rng(1).integers(0, 2, ROWS).tolist()
    for row in GAPS:
        outcome[row] = None
    return {"responded": outcome, "p_gbm": np.linspace(0.1, 0.9, ROWS), **further}


def opened(**further: object) -> tuple[data.LoadedTable, Document]:
    table = data.from_data(columns(**further))
    summary = table.summary
    document = OpenData(
        data=summary.data,
        roles=summary.roles,
        target=summary.target,
        split=summary.split,
        missing_outcomes=MissingOutcomes.ASK,
    ).apply(Document(rows_used=RowUse.ALL))
    return table, replace(document, rows_used=RowUse.ALL)


def test_case_28_nothing_is_computed_before_it_is_allowed():
    table, document = opened()
    with pytest.raises(MissingOutcomesError) as refused:
        data.usable_rows(table, document)
    assert "6 of 120 rows have no outcome in 'responded'" in refused.value.what
    assert "data rows 6, 10, 41, 42, 78 …" in refused.value.where
    assert "missing_outcomes='leave_out'" in refused.value.remedy
    assert "--missing-outcomes leave_out" in refused.value.remedy
    allowed = SetMissingOutcomes(missing_outcomes=MissingOutcomes.LEAVE_OUT).apply(document)
    rows, note = data.usable_rows(table, allowed)
    assert not set(GAPS) & set(rows.tolist())
    assert note.dropped == (("outcome not known", 6),)


def test_case_28_rows_to_decide_have_no_outcome_by_nature():
    use = ["validation"] * ROWS
    for row in GAPS:
        use[row] = "to decide"
    table, document = opened(use=use)
    document = replace(document, rows_used=RowUse.VALIDATION)
    assert not data.rows_without_outcome(table, document).any()
    assert len(data.usable_rows(table, document)[0]) == ROWS - 6
    use[GAPS[0]] = "validation"  # one that should have an outcome
    table, document = opened(use=use)
    with pytest.raises(MissingOutcomesError, match=r"1 of 120 rows has no outcome.*data row 6\b"):
        data.usable_rows(table, replace(document, rows_used=RowUse.VALIDATION))


def test_case_28_a_row_filter_that_names_them_is_an_answer():
    table, document = opened()
    filtered = SetRowFilter(where="responded is not missing").apply(document)
    assert len(data.usable_rows(table, filtered)[0]) == ROWS - 6


def test_case_28_an_interval_outcome_with_nan_is_asked_about_too():
    amount = np.linspace(1, 9, ROWS)
    amount[3] = np.nan
    table = data.from_data({"amount": amount, "pred_gbm": amount + 1})
    document = Document(
        data=table.data,
        target=TargetSpec(column="amount", kind="interval"),
        rows_used=RowUse.ALL,
        missing_outcomes=MissingOutcomes.ASK,
    )
    with pytest.raises(MissingOutcomesError, match="data row 4"):
        data.usable_rows(table, document)


def test_case_28_another_outcome_and_another_file_are_asked_about_anew():
    _, document = opened()
    allowed = SetMissingOutcomes(missing_outcomes=MissingOutcomes.LEAVE_OUT).apply(document)
    target = allowed.target
    assert target is not None
    renamed = SetTarget(target=replace(target, labels=("no", "yes"))).apply(allowed)
    assert renamed.missing_outcomes is MissingOutcomes.LEAVE_OUT
    other = SetTarget(target=TargetSpec(column="bought", kind="interval")).apply(allowed)
    assert other.missing_outcomes is MissingOutcomes.ASK
    assert data  # the window opens files with ASK; a change of the same table keeps the answer
    again = OpenData(
        data=allowed.data, roles=allowed.roles, target=target, split=allowed.split
    ).apply(allowed)
    assert again.missing_outcomes is MissingOutcomes.LEAVE_OUT


def test_case_28_projects_saved_before_leave_them_out_as_they_did():
    _, document = opened()
    kept = to_plain(document)
    assert from_plain(Document, kept).missing_outcomes is MissingOutcomes.ASK
    del kept["missing_outcomes"]
    assert from_plain(Document, kept).missing_outcomes is MissingOutcomes.LEAVE_OUT


def test_case_28_the_engine_counts_and_refuses_until_it_is_allowed():
    engine = LocalEngine()
    table, document = opened()
    engine.add_table(table)
    gaps = engine.ask(document, RowsWithoutOutcome())
    assert gaps == OutcomeGaps(rows=6, total=120, words="data rows 6, 10, 41, 42, 78 …")
    requested = Ask.of(document, CompareModels(resamples=0))
    with pytest.raises(MissingOutcomesError):
        engine.run("compare.models", requested)
    allowed = SetMissingOutcomes(missing_outcomes=MissingOutcomes.LEAVE_OUT).apply(document)
    found = engine.run("compare.models", replace(requested, document=allowed))
    assert found.rows.rows == ROWS - 6
    with pytest.raises(MissingOutcomesError):  # taken back, the rows read before do not serve
        engine.run("compare.models", requested)


def test_case_28_scripts_say_it():
    given = columns()
    with pytest.raises(PayoffError, match="6 of 120 rows have no outcome"):
        payoff.evaluate(given, outcome="responded", scores="p_gbm", intervals=False)
    found = payoff.evaluate(
        given,
        outcome="responded",
        scores="p_gbm",
        intervals=False,
        missing_outcomes="leave_out",
    )
    assert found.result.rows.rows == ROWS - 6
    with pytest.raises(PayoffError, match="There are: refuse, leave_out"):
        payoff.evaluate(given, outcome="responded", scores="p_gbm", missing_outcomes="drop")
    rule = {
        "matrix": {1: [10.0, 0.0], 0: [-1.0, 0.0]},
        "posteriors": {1: "p_gbm"},
        "target": "responded",
    }
    with pytest.raises(PayoffError, match="6 of 120 rows have no outcome"):
        payoff.decide(given, **rule)
    decided = payoff.decide(given, **rule, missing_outcomes="leave_out")
    assert len(decided.table) == ROWS  # decided they are all the same
    with pytest.raises(PayoffError, match="6 of 120 rows have no outcome"):
        payoff.calibrate(given, outcome="responded", score="p_gbm")
    with pytest.raises(PayoffError, match="6 of 120 rows have no outcome"):
        payoff.bound(given, outcome="responded", scores="p_gbm")
    arms = {**given, "treated": [0, 1] * (ROWS // 2)}
    requested = {"outcome": "responded", "treatment": "treated", "scores": "p_gbm"}
    with pytest.raises(PayoffError, match="6 of 120 rows have no outcome"):
        payoff.uplift(arms, **requested)
    assert payoff.uplift(arms, **requested, missing_outcomes="leave_out").rows == ROWS - 6


def test_case_28_the_command_line_says_it(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    given = columns()
    outcomes, probabilities = given["responded"], given["p_gbm"]
    assert isinstance(outcomes, list)
    assert isinstance(probabilities, np.ndarray)
    rows = zip(outcomes, probabilities, strict=True)
    lines = [f"{'' if y is None else y},{p:.4f}" for y, p in rows]
    path.write_text("\n".join(["responded,p_gbm", *lines]) + "\n", "utf-8")
    verb = ["evaluate", str(path), "--outcome", "responded", "--score", "gbm=p_gbm"]
    assert main(verb) == 2
    described = capsys.readouterr().err
    assert "6 of 120 rows have no outcome" in described
    assert "--missing-outcomes leave_out" in described
    assert main([*verb, "--missing-outcomes", "leave_out"]) == 0
    assert '"rows"' in capsys.readouterr().out
