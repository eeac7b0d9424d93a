"""Evaluated rows with the id of a training row: refused, left out or counted, on every page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.commands import AddTrainedModel
from core.document.data.commands import SetSharedIds
from core.document.data.model import ReaderSettings, RowUse, SharedIds
from core.document.model import Document, Role, RoleAssignment, SplitSpec
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments, TrainArguments
from core.questions.compare import CompareModels
from core.questions.uplift import Uplift
from payoff.errors import PayoffError
from tests.helpers.factories.experiment import ROWS, columns, document_of
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile

SHARED = 40  # people who are in training rows and in test rows


@pytest.fixture(scope="module")
def campaign(engine, tmp_path_factory) -> Document:
    """An experiment in which the first people of the test rows were in training rows too."""
    table = columns()
    half = ROWS // 2
    people = [f"p{n:05d}" for n in range(ROWS)]
    people[half : half + SHARED] = people[:SHARED]
    table["person"] = people
    table["use"] = ["train"] * half + ["test"] * half
    path = write_csv(tmp_path_factory.mktemp("shared") / "campaign.csv", table)
    loaded = engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))
    plain = document_of(engine, tmp_path_factory.mktemp("plain"))
    document = replace(
        plain,
        data=loaded.data,
        rows_used=RowUse.TEST,
        split=SplitSpec(column="use", meaning=(("train", RowUse.TRAIN), ("test", RowUse.TEST))),
    )
    # Without inputs the guard has no model of the treatment to train, which takes the most time.
    kept = (entry for entry in plain.roles if entry.role is not Role.INPUT)
    return document.with_roles((*kept, RoleAssignment(column="person", role=Role.ID)))


def test_page_uplift_refuses_leaves_out_or_counts(engine, campaign):
    def ask(shared_ids: SharedIds, **changes: object):
        document = SetSharedIds(shared_ids=shared_ids).apply(replace(campaign, **changes))
        return engine.ask(document, Uplift(draws=0))

    with pytest.raises(PayoffError, match="have the id of a training row") as caught:
        ask(SharedIds.REFUSE)
    assert "column person, data rows 1 and 1,501, value 'p00000'" in caught.value.where
    assert caught.value.why.startswith(f"{SHARED} of 1,500 rows do")
    assert "Which rows count" in caught.value.remedy
    apart, counted = ask(SharedIds.LEAVE_OUT), ask(SharedIds.COUNT)
    assert ("'person' stands in training rows too", SHARED) in apart.rows.dropped
    lost = counted.cases - apart.cases
    assert 0 < lost <= SHARED  # those of the third arm were no cases in either
    arms = columns()["arm"][1_500 : 1_500 + SHARED]
    assert lost == sum(arm != "phone" for arm in arms)
    everything = ask(SharedIds.REFUSE, rows_used=RowUse.ALL)  # training rows too, as asked for
    assert everything.cases > counted.cases


@pytest.fixture(scope="module")
def trained(engine, tmp_path_factory) -> Document:
    """A project whose rows are drawn: only the model says which of them trained."""
    columns = raw_columns()
    rows = len(columns["case_id"])
    columns["case_id"][rows - SHARED :] = columns["case_id"][:SHARED]
    path = write_csv(tmp_path_factory.mktemp("shared") / "raw.csv", columns)
    drawn = SplitSpec(shares=(0.5, 0.0, 0.5))
    document = raw_document(load(engine, path), split=drawn, rows_used=RowUse.TEST)
    roles = tuple(entry for entry in document.roles if entry.role is not Role.ROW_USE)
    document = document.with_roles(roles)
    wanted = settings(n_trees=10, stop_rows=())
    model = engine.run("train", TrainArguments(document=document, settings=wanted)).model
    return AddTrainedModel(model=model).apply(document)


def evaluated(engine: LocalEngine, document: Document, shared_ids: SharedIds):
    document = SetSharedIds(shared_ids=shared_ids).apply(document)
    return engine.ask(document, CompareModels(resamples=0))


def test_rows_that_trained_a_model_here_count_as_training_rows(engine, trained):
    with pytest.raises(PayoffError, match="have the id of a training row"):
        evaluated(engine, trained, SharedIds.REFUSE)
    apart = evaluated(engine, trained, SharedIds.LEAVE_OUT)
    counted = evaluated(engine, trained, SharedIds.COUNT)
    ((reason, lost),) = apart.rows.dropped
    assert reason == "'case_id' stands in training rows too"
    assert 0 < lost <= 2 * SHARED
    assert counted.rows.rows - apart.rows.rows == lost
    aucs = [
        next(cell.estimate.value for cell in result.cells if cell.metric == "auc")
        for result in (apart, counted)
    ]
    assert np.isfinite(aucs).all()
    assert aucs[0] != aucs[1]


def test_a_model_that_is_there_already_is_held_against_rows_used_afterwards(engine, trained):
    """Other rows, or another filter, chosen after the training do not hide what it saw."""
    later = replace(trained, split=replace(trained.split, seed=99))
    assert trained.models[0].trained is not None
    with pytest.raises(PayoffError, match="have the id of a training row"):
        evaluated(engine, later, SharedIds.REFUSE)
    filtered = replace(trained, split=replace(trained.split, where='region = "north"'))
    with pytest.raises(PayoffError, match="have the id of a training row"):
        evaluated(engine, filtered, SharedIds.REFUSE)
