"""A script's answers are about the table it gave, and let go of it when they go."""

import gc
import weakref

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import payoff
from core.data import LoadedTable, from_data
from core.document.data.model import DataRef, ReaderSettings, RowUse
from core.document.data.opening import with_rows_of_part
from core.document.model import Document, ModelChoice
from core.document.studies.data import TableOrder
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments
from core.questions.compare import CompareModels
from core.questions.data import TableRows
from core.script.session import engine, loaded_table
from payoff.errors import PayoffError


@pytest.fixture(scope="module")
def whole() -> pa.Table:
    draw = np.random.default_rng(5)
    outcome = draw.integers(0, 2, 2400)
    strength = np.repeat([0.4, 1.5], 1200)  # the second half is told apart better
    good = 1 / (1 + np.exp(-strength * (2 * outcome - 1) - draw.normal(size=2400)))
    return pa.table({"y": outcome, "p": good, "q": 1 - good})


def area(table, score="p") -> float:
    found = payoff.evaluate(table, outcome="y", scores=score, metrics=["auc"], intervals=False)
    return found.value("auc", score)


def by_hand(table, score="p") -> float:
    outcome, score = (np.asarray(table[name].to_numpy()) for name in ("y", score))
    ranks = pd.Series(score).rank().to_numpy()
    events = outcome == 1
    n, m = events.sum(), (~events).sum()
    return float((ranks[events].sum() - n * (n + 1) / 2) / (n * m))


def test_each_slice_of_a_table_gets_its_own_answer(whole):
    for part in (whole.slice(0, 1200), whole.slice(1200, 1200), whole.slice(600, 1200)):
        assert area(part) == pytest.approx(by_hand(part), abs=1e-12)


def test_exchanged_names_and_categories_get_their_own_answers(whole):
    exchanged = whole.rename_columns(["y", "q", "p"])
    assert area(exchanged) == pytest.approx(1 - area(whole), abs=1e-12)
    frame = whole.to_pandas().assign(y=pd.Categorical.from_codes(whole["y"], ["no", "yes"]))
    turned = frame.assign(y=frame["y"].cat.rename_categories({"no": "yes", "yes": "no"}))
    assert area(turned) == pytest.approx(1 - area(frame), abs=1e-12)


def tables_alive() -> list[LoadedTable]:
    gc.collect()
    return [entry for entry in gc.get_objects() if issubclass(type(entry), LoadedTable)]


def test_a_table_lives_as_long_as_the_answer_made_from_it(whole):
    part = whole.slice(100, 900)
    found = payoff.evaluate(part, outcome="y", scores=["p", "q"], resamples=20)
    kept = weakref.ref(found.source)
    del part
    gc.collect()
    assert len(found.chart("roc", resamples=0)) > 0  # the engine still finds it
    assert len(found.by("q", resamples=0)) > 0
    again = payoff.evaluate(whole.slice(100, 900), outcome="y", scores="p", intervals=False)
    assert again.source is kept()  # of equal tables there is one
    del again
    assert len(found.chart("gains", resamples=0)) > 0
    document = found.document
    del found
    gc.collect()
    assert kept() is None
    with pytest.raises(PayoffError, match="no longer there"):
        engine().ask(document, CompareModels(resamples=0))


def test_no_answer_of_a_script_pins_its_table(whole):
    before = {id(table) for table in tables_alive()}
    matrix = {"1": [10.0, 0.0], "0": [-5.0, 0.0]}
    draw = np.random.default_rng(1)
    trial = whole.append_column("t", pa.array(draw.integers(0, 2, whole.num_rows)))
    found = [
        payoff.decide(whole, matrix=matrix, target="y", posteriors={"1": "p"}),
        payoff.uplift(trial, outcome="y", treatment="t", scores="p"),
        payoff.calibrate(whole, outcome="y", score="p", folds=2),
        payoff.bound(whole, outcome="y", scores="p"),
    ]
    assert found
    found.clear()
    assert not [table for table in tables_alive() if id(table) not in before]


def test_chosen_rows_are_data_of_their_own(whole):
    table = from_data(whole)
    some = table.with_rows(np.arange(1200, 2400))
    both = loaded_table(table), loaded_table(some)
    assert both[0].summary.data != both[1].summary.data
    assert area(some) == pytest.approx(by_hand(whole.slice(1200, 1200)), abs=1e-12)
    assert area(table) == pytest.approx(by_hand(whole), abs=1e-12)


def test_a_file_of_the_name_of_the_data_is_not_read_instead(whole, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").write_text("y,p\n1,0.5\n0,0.5\n")
    found = payoff.evaluate(whole, outcome="y", scores="p", intervals=False)
    engine().workbench.cache.keep_only(lambda key: False)
    assert found.chart("roc", resamples=0)["y"].nunique() > 3


def test_two_sheets_of_a_workbook_are_two_tables(tmp_path):
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as book:
        for sheet, cells in (("May", [2, 3, 1]), ("June", [3, 1, 2])):
            pd.DataFrame({"n": cells}).to_excel(book, sheet_name=sheet, index=False)
    bench = LocalEngine()
    shown = []
    for sheet in ("May", "June"):
        reader = ReaderSettings(part=sheet)
        summary = bench.run("load", LoadArguments(path=str(path), reader=reader))
        document = Document(data=summary.data)
        order = TableOrder(sort="n")
        page = bench.ask(document, TableRows(start=0, count=3, order=order))
        shown.append((page.rows, document.data_hash))
    assert shown[0][0] == shown[1][0] == (("1",), ("2",), ("3",))
    assert shown[0][1] != shown[1][1]  # a model trained on one has not seen the other's rows


def test_an_older_project_means_the_sheet_it_reads():
    sheet = DataRef(
        path="b.xlsx",
        content_hash="f",
        rows=1,
        columns=(),
        size_bytes=1,
        reader=ReaderSettings(part="May"),
    )
    choice = ModelChoice(model="m", metric="auc", rows_used=RowUse.ALL, data_hash="f")
    document = with_rows_of_part(Document(data=sheet, choice=choice))
    assert document.choice.data_hash == document.data_hash == sheet.rows_hash != "f"
    assert with_rows_of_part(document) == document
