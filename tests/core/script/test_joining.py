"""payoff.join, payoff.overlap, join= of payoff.read, and rows= of the functions that judge."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import payoff
from core.document.data.model import FileRef, JoinSpec
from core.questions.data import TryJoin
from payoff.errors import PayoffError

SCORES = {"id": ["1", "2", "3", "4"], "p_gbm": [0.9, 0.2, 0.6, 0.4]}


def test_rows_stay_and_columns_come():
    found = payoff.join(SCORES, {"id": [3.0, 1.0, 9.0], "bad": ["yes", "no", "no"]}, on="id")
    assert found.table.column("bad").to_pylist() == ["no", None, "yes", None]
    assert found.table.column("id").to_pylist() == SCORES["id"]
    report = found.report
    assert (report.matched, report.unmatched, report.unused) == (2, 2, 1)
    assert report.unmatched_examples == ("2", "4")
    assert report.unused_examples == ("9",)


@pytest.mark.parametrize(
    ("own", "other", "settings", "matched"),
    [
        (["1", "2"], ["1.0", " 2"], {}, 2),
        (["1", "2"], [1, 2], {}, 2),
        (["Yes", "no"], ["yes", "no"], {}, 1),
        (["Yes", "no"], ["yes", "no"], {"ignore_case": True}, 2),
        (["007", "010"], [7, 10], {"ignore_zeros": True}, 2),
        ([True, False], ["TRUE", "false"], {}, 2),
        (["a", None], ["a", None], {}, 1),  # a row without a key has no partner
        (["a ", "b"], ["a", "b"], {}, 2),
    ],
)
def test_spellings_of_one_key(own, other, settings, matched):
    found = payoff.join({"k": own}, {"k": other, "x": [1.0, 2.0]}, on="k", **settings)
    assert found.report.matched == matched


def test_spellings_are_listed_before_anything_is_taken():
    own = {"k": ["1", "2", "2", "A"]}
    found = payoff.join(own, {"k": ["1", "2.0", "a"], "x": [1, 2, 3]}, on="k", ignore_case=True)
    assert found.spellings.values.tolist() == [["2", "2.0", 2], ["A", "a", 1]]


def test_a_repeated_key_is_refused_where_its_rows_differ():
    other = {"id": ["1", "1", "2"], "bad": ["yes", "no", "no"]}
    with pytest.raises(PayoffError, match="stands in several rows") as caught:
        payoff.join(SCORES, other, on="id")
    assert "Such as 1" in caught.value.why
    taken = payoff.join(SCORES, other, on="id", take_first=True)
    assert taken.table.column("bad").to_pylist()[:2] == ["yes", "no"]
    same = {"id": ["1", "1", "2"], "bad": ["yes", "yes", "no"]}
    assert payoff.join(SCORES, same, on="id").report.repeated_other == 1


def test_a_key_of_two_columns_and_other_names():
    own = {"shop": ["A", "A", "B"], "day": [1, 2, 1]}
    other = {"branch": ["A", "B", "A"], "date": ["2", "1", "1"], "sales": [5.0, 7.0, 9.0]}
    found = payoff.join(own, other, on={"shop": "branch", "day": "date"}, columns={"sales": "s"})
    assert found.table.column("s").to_pylist() == [9.0, 5.0, 7.0]


def test_the_key_is_found_where_it_can_be():
    ids = [f"K{n}" for n in range(50)]
    own = {"customer": ids, "age": list(range(50))}
    found = payoff.join(own, {"cust_no": ids[::-1], "bad": [0, 1] * 25})
    assert found.report.matched == 50
    with pytest.raises(PayoffError, match="No columns look like a common key"):
        payoff.join({"x": [1.5, 2.5]}, {"y": [1.5, 2.5]})


def test_no_match_says_what_would_help():
    with pytest.raises(PayoffError, match="No row finds a partner") as caught:
        payoff.join({"k": ["A", "B"]}, {"k": ["a", "b"], "x": [1, 2]}, on="k")
    assert "ignore_case=True" in caught.value.why


def test_a_column_that_is_there_already_is_refused():
    with pytest.raises(PayoffError, match="a column called 'p_gbm' already"):
        payoff.join(SCORES, {"id": ["1"], "p_gbm": [0.5]}, on="id")


def test_the_report_is_the_answer_to_the_question_of_a_join(tmp_path: Path):
    own, other = tmp_path / "own.csv", tmp_path / "other.csv"
    pd.DataFrame({"id": ["1", "02", "x", "9"], "n": range(4)}).to_csv(own, index=False)
    pd.DataFrame({"id": ["1.0", "2", "X"], "region": ["n", "s", "w"]}).to_csv(other, index=False)
    joined = payoff.join(own, other, on="id", ignore_zeros=True)
    spec = JoinSpec(
        file=FileRef(path=str(other), content_hash="", size_bytes=0),
        keys=(("id", "id"),),
        columns=(("region", "region"),),
        ignores_zeros=True,
    )
    project = payoff.new_project(own, guess=False)
    assert project.ask(TryJoin(join=spec)) == joined.report
    assert joined.report.matched == 2


def test_reading_with_a_join(tmp_path: Path):
    pd.DataFrame(SCORES).to_csv(tmp_path / "scores.csv", index=False)
    pd.DataFrame({"id": [1, 2, 3, 4], "bad": [1, 0, 1, 0]}).to_csv(tmp_path / "o.csv", index=False)
    table = payoff.read(tmp_path / "scores.csv", join={"path": tmp_path / "o.csv", "on": "id"})
    assert table.column("bad").to_pylist() == [1, 0, 1, 0]
    with pytest.raises(PayoffError, match="names no file"):
        payoff.read(tmp_path / "scores.csv", join={"on": "id"})


def test_overlap_of_train_and_test():
    data = {
        "use": ["train", "train", "test", "test", "train"],
        "id": ["a", "b", "b", "c", "a"],
        "x": [1.0, 2.0, 3.0, 1.0, 5.0],
    }
    found = payoff.overlap(data, rows="use", id="id").set_index(["by", "first", "second"])
    assert found.loc[("id", "train", "test"), "rows"] == 1
    assert found.loc[("id", "train", "test"), "example"] == "b"
    assert found.loc[("id", "train", "train"), ["first_row", "second_row"]].tolist() == [1, 5]
    assert found.loc[("row", "train", "test"), ["first_row", "second_row"]].tolist() == [1, 4]
    assert payoff.overlap({"use": ["train", "test"], "x": [1, 2]}, rows="use").empty


def people() -> pd.DataFrame:
    draw = np.random.default_rng(1)
    probability = draw.uniform(0.02, 0.98, 300)
    return pd.DataFrame(
        {
            "p": probability,
            "bad": (draw.uniform(size=300) < probability).astype(int),
            "age": draw.integers(18, 80, 300),
            "region": draw.choice(["N", "S"], 300),
        }
    )


WHERE = 'age >= 30 and region = "N"'


def test_evaluating_some_rows_is_evaluating_a_table_of_them():
    data = people()
    kept = data[(data["age"] >= 30) & (data["region"] == "N")]
    some = payoff.evaluate(data, outcome="bad", scores="p", rows=WHERE, intervals=False)
    alone = payoff.evaluate(kept, outcome="bad", scores="p", intervals=False)
    assert some.value("auc", "p") == alone.value("auc", "p")
    assert some.result.rows.rows == len(kept)
    assert WHERE in some.result.rows.text


def test_deciding_some_rows_keeps_their_numbers():
    data = people()
    kept = data[(data["age"] >= 30) & (data["region"] == "N")]
    arguments = {"matrix": {"1": [5.0, 0.0], "0": [-1.0, 0.0]}, "target": "bad"}
    some = payoff.decide(data, posteriors={"1": "p"}, rows=WHERE, **arguments)
    alone = payoff.decide(kept, posteriors={"1": "p"}, **arguments)
    assert some.total == alone.total
    assert some.table.index.tolist() == kept.index.tolist()
    with pytest.raises(PayoffError, match="no rows where age > 200"):
        payoff.decide(data, posteriors={"1": "p"}, rows="age > 200", **arguments)


def test_chances_and_trees_take_some_rows():
    data = people()
    fitted = payoff.calibrate(data, outcome="bad", score="p", rows="age >= 50", folds=3)
    assert fitted.spec.fitted_rows == int((data["age"] >= 50).sum())
    model = payoff.boost(
        data, target="bad", distribution="bernoulli", features=["p"], n_trees=3, rows="age >= 50"
    )
    assert model.boosted.n_train == int((data["age"] >= 50).sum())


def test_a_fault_in_a_kept_row_is_named_by_its_own_number():
    data = people().astype({"p": object})
    data.loc[7, "p"] = "oops"
    data.loc[7, ["age", "region"]] = [60, "N"]
    with pytest.raises(PayoffError) as caught:
        payoff.decide(
            data.astype({"p": str}),
            matrix={"1": [5.0, 0.0], "0": [-1.0, 0.0]},
            posteriors={"1": "p"},
            rows=WHERE,
        )
    assert "data row 8" in caught.value.where
