"""Dask DataFrames: the digits of the same rows in a folder, however many partitions they have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import payoff
from core.engine.context import StoppedError
from core.script.files.pieces import watched_by
from payoff.errors import PayoffError
from tests.core.scale.decisions import KINDS, decision_figures, pieces
from tests.core.scale.parts import coarse_cases, digits, scored_cases, uplift_digits, write_parts
from tests.helpers.cluster import client_of_two_workers

dataframes = pytest.importorskip("dask.dataframe")
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of the cluster's own making
    pytest.mark.timeout(400),  # the first call compiles
]
ROWS = 270_000
EVALUATED: dict[str, Any] = {
    "outcome": "outcome",
    "scores": ["first", "second"],
    "metrics": ["auc", "ks", "log_loss"],
    "resamples": 32,
}
JUDGED: dict[str, Any] = {
    "outcome": "outcome",
    "treatment": "arm",
    "scores": {"fine": "first", "coarse": "second"},
    "event": "yes",
    "treated": 1,
    "control": 0,
}


@pytest.fixture(scope="module")
def cases() -> pa.Table:
    arm = pa.array(np.arange(ROWS) % 2)
    return scored_cases(ROWS).append_column("arm", arm)


@pytest.fixture(scope="module")
def folder(cases: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parts(cases, tmp_path_factory.mktemp("three") / "parts", 3)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with client_of_two_workers(set_as_default=False) as found:
        yield found


def collection(cases: pa.Table, partitions: int) -> Any:
    return dataframes.from_pandas(cases.to_pandas(), npartitions=partitions)


@pytest.mark.soak
def test_an_evaluation_has_the_digits_of_a_folder(cases: pa.Table, folder: Path) -> None:
    known = digits(payoff.evaluate(folder, **EVALUATED))
    for partitions in (1, 7):
        found = payoff.evaluate(collection(cases, partitions), **EVALUATED)
        assert digits(found) == known, partitions


def test_decisions_have_the_digits_of_a_folder(cases: pa.Table, folder: Path) -> None:
    kind = KINDS["three decisions, priors"]
    found = pieces(collection(cases, 4), **kind)
    assert decision_figures(found) == decision_figures(pieces(folder, **kind))


def test_uplift_has_the_digits_of_a_folder_and_its_draws(cases: pa.Table, folder: Path) -> None:
    here, there = (payoff.uplift(data, **JUDGED) for data in (folder, collection(cases, 4)))
    assert uplift_digits(there) == uplift_digits(here)
    drawn = [found.area("generalised", "fine", draws=32) for found in (here, there)]
    assert drawn[0] == drawn[1]


@pytest.mark.soak
def test_partitions_are_made_on_the_cluster(client: Any, tmp_path: Path) -> None:
    asked = {**EVALUATED, "scores": "first", "metrics": ["auc", "ks"]}
    few_ranges = coarse_cases(ROWS)
    known = digits(payoff.evaluate(write_parts(few_ranges, tmp_path / "parts", 2), **asked))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    plain = collection(few_ranges, 5)
    for data in (plain, client.persist(plain)):
        assert digits(payoff.evaluate(data, dask=client, scratch=scratch, **asked)) == known
    assert list(scratch.iterdir()) == []


@pytest.mark.soak
def test_scores_from_partitions_to_parts(
    client: Any, cases: pa.Table, folder: Path, tmp_path: Path
) -> None:
    model = payoff.boost(
        scored_cases(3_000),
        target="outcome",
        features=["first"],
        n_trees=5,
        distribution="bernoulli",
    )
    data = collection(cases, 3)
    given: dict[str, tuple[Any, Any]] = {
        "folder": (folder, None),
        "here": (data, None),
        "there": (data, client),
    }
    records = []
    for name, (rows, dask) in given.items():
        done = payoff.predict_to_parts(model, rows, tmp_path / name, keep=["region"], dask=dask)
        assert done.rows == ROWS
        records.append(json.loads((tmp_path / name / "_record.json").read_text("utf-8")))
    assert records[0] == records[1] == records[2]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(given)


@pytest.mark.soak
def test_what_cannot_be_made_or_judged_names_the_partition(client: Any, cases: pa.Table) -> None:
    frame = cases.to_pandas()
    frame.loc[200_003, "first"] = 1.5
    bad = dataframes.from_pandas(frame, npartitions=3)
    with pytest.raises(PayoffError) as refusal:
        payoff.evaluate(bad, **EVALUATED)
    assert "data.partitions[2], data row 20004" in refusal.value.where
    broken = collection(cases, 3).map_partitions(_fail_on_the_last, meta=frame.iloc[:0])
    for dask in (None, client):
        with pytest.raises(PayoffError, match="partition cannot be made") as refusal:
            payoff.evaluate(broken, dask=dask, **EVALUATED)
        assert refusal.value.where == "data.partitions[2]"
        assert "ZeroDivisionError: the last one" in refusal.value.why


def _fail_on_the_last(frame: pd.DataFrame) -> pd.DataFrame:
    if frame.index[-1] == ROWS - 1:
        raise ZeroDivisionError("the last one")
    return frame


def test_columns_that_are_not_there_and_other_collections(cases: pa.Table) -> None:
    with pytest.raises(PayoffError, match="no column 'third'"):
        payoff.evaluate(collection(cases, 2), **{**EVALUATED, "scores": "third"})
    with pytest.raises(PayoffError, match="of type Series has no rows and columns"):
        payoff.evaluate(collection(cases, 2)["first"], **EVALUATED)
    with pytest.raises(PayoffError, match="Dask DataFrame cannot be read here"):
        payoff.boost(
            collection(cases, 2), target="outcome", features=["first"], distribution="bernoulli"
        )


def test_partitions_without_rows_and_few_rows(cases: pa.Table) -> None:
    few = cases.slice(0, 20_000)
    data = collection(few, 4)
    known = digits(payoff.evaluate(few, **EVALUATED))
    assert digits(payoff.evaluate(data, **EVALUATED)) == known
    half = data.map_partitions(_begin, 9_000, meta=few.to_pandas().iloc[:0])
    known = digits(payoff.evaluate(few.slice(0, 9_000), **EVALUATED))
    assert digits(payoff.evaluate(half, **EVALUATED)) == known
    with pytest.raises(PayoffError, match="No part has a row"):
        payoff.evaluate(half.map_partitions(_begin, 0), **EVALUATED)


def _begin(frame: pd.DataFrame, rows: int) -> pd.DataFrame:
    return frame[frame.index < rows]


@pytest.mark.soak
def test_progress_and_stop(client: Any, cases: pa.Table) -> None:
    for dask in (None, client):
        said: list[str] = []

        def hear(
            _fraction: float | None, words: str, *_more: object, said: list[str] = said
        ) -> None:
            said.append(words)
            if words == "Making 2 of 5 partitions":
                raise StoppedError

        with watched_by(hear), pytest.raises(StoppedError):
            payoff.evaluate(collection(cases, 5), dask=dask, **EVALUATED)
        assert said == ["Making 1 of 5 partitions", "Making 2 of 5 partitions"]
