"""Rows without a value in an outcome of the experiment's own: asked about like the project's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.commands import SetTarget
from core.document.data.commands import SetMissingOutcomes, SetRowFilter
from core.document.data.model import MissingOutcomes, MissingOutcomesError
from core.document.files.codec import from_plain, to_plain
from core.document.model import Document, TargetSpec
from core.document.studies.data import OutcomeGaps
from core.document.uplift.commands import SetMissingUpliftOutcomes, SetUpliftOutcome
from core.questions.uplift import ExperimentGaps, Uplift
from tests.helpers.factories.experiment import ROWS, columns, document_with_gaps, missing_in_arms

LEAVE_OUT = SetMissingUpliftOutcomes(missing_outcomes=MissingOutcomes.LEAVE_OUT)


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    return document_with_gaps(engine, tmp_path_factory.mktemp("own"))


def ask(engine, document):
    return engine.ask(document, Uplift(draws=32))


def test_case_28_another_outcome_of_the_experiment_is_asked_about(engine, document):
    ask(engine, document)  # the project's outcome has no gaps
    chosen = SetUpliftOutcome(outcome="spend").apply(document)
    rows = missing_in_arms(columns())
    gaps = engine.ask(chosen, ExperimentGaps())
    assert gaps == OutcomeGaps(
        rows=len(rows),
        total=ROWS,
        words="data rows " + ", ".join(str(row + 1) for row in rows[:5]) + " …",
    )
    with pytest.raises(MissingOutcomesError) as refused:
        ask(engine, chosen)
    assert f"{len(rows)} of 3,000 rows have no outcome in 'spend'" in refused.value.what
    assert "page Uplift" in refused.value.remedy
    found = ask(engine, LEAVE_OUT.apply(chosen))
    assert ("'spend' not known", len(rows)) in found.rows.dropped
    with pytest.raises(MissingOutcomesError):  # taken back, what was read before does not serve
        ask(engine, chosen)


def test_case_28_a_row_filter_that_names_them_is_an_answer(engine, document):
    chosen = SetUpliftOutcome(outcome="spend").apply(document)
    filtered = SetRowFilter(where="spend is not missing").apply(chosen)
    gaps = engine.ask(filtered, ExperimentGaps())
    assert gaps.rows == 0
    assert ask(engine, filtered).outcome == "spend"


def test_case_28_the_answer_stays_with_the_column_it_was_given_for(document):
    chosen = LEAVE_OUT.apply(SetUpliftOutcome(outcome="spend").apply(document))
    same = SetUpliftOutcome(outcome="spend").apply(chosen)
    assert same.uplift.missing_outcomes is MissingOutcomes.LEAVE_OUT
    other = SetUpliftOutcome(outcome="x").apply(chosen)
    assert other.uplift.missing_outcomes is MissingOutcomes.ASK
    back = SetUpliftOutcome(outcome="spend").apply(other)
    assert back.uplift.missing_outcomes is MissingOutcomes.ASK
    # the project's outcome becomes another one: the experiment keeps the old and its answer
    named = replace(document, uplift=replace(document.uplift, outcome="bought"))
    for described in MissingOutcomes:
        before = SetMissingOutcomes(missing_outcomes=described).apply(named)
        after = SetTarget(target=TargetSpec(column="spend", kind="interval")).apply(before)
        assert after.uplift.missing_outcomes is described
        assert after.missing_outcomes is MissingOutcomes.ASK


def test_case_28_projects_saved_before_leave_them_out_as_they_did(engine, document):
    chosen = SetUpliftOutcome(outcome="spend").apply(document)
    plain = to_plain(chosen)
    assert from_plain(Document, plain) == chosen
    del plain["uplift"]["missing_outcomes"]
    before = from_plain(Document, plain)
    assert before.uplift.missing_outcomes is MissingOutcomes.LEAVE_OUT
    assert ask(engine, before).outcome == "spend"
