"""LibSVM text becomes a table with a column per feature."""

from __future__ import annotations

import pytest

from core import data
from core.document.data.model import ReaderSettings
from payoff import PayoffError
from plugins.readers.libsvm import LIBSVM
from tests.core.data.helpers import cells
from tests.helpers.factories.files import load as load_file

TEXT = "2 1:0.5 3:-1e2  # a note\n\n0 2:7\n1\n"


def load(path, text, **settings):
    path.write_text(text, "utf-8")
    reader = ReaderSettings(**settings)
    return data.load(str(path), reader, find_readers=lambda: (LIBSVM,))


def test_what_is_not_written_is_zero(tmp_path):
    table = load(tmp_path / "a.libsvm", TEXT)
    assert table.columns == ("label", "f1", "f2", "f3")
    assert cells(table) == [("2", "0.5", "0", "-100"), ("0", "0", "7", "0"), ("1", "0", "0", "0")]
    assert any("3 features" in text for text in table.summary.warnings)


def test_queries_of_the_rows_or_of_a_file_beside_it(tmp_path):
    table = load(tmp_path / "rows.svm", "1 qid:7 1:2\n0 qid:9 0:1\n")
    assert table.columns == ("label", "query", "f0", "f1")
    assert cells(table) == [("1", "7", "0", "2"), ("0", "9", "1", "0")]
    (tmp_path / "rank.train.query").write_text("2\n1\n")
    table = load(tmp_path / "rank.train", TEXT, format="libsvm")
    assert [row[1] for row in cells(table)] == ["1", "1", "2"]
    (tmp_path / "rank.train.query").write_text("2\n2\n")
    with pytest.raises(PayoffError, match="do not add up") as caught:
        load(tmp_path / "rank.train", TEXT, format="libsvm")
    assert caught.value.why == "They name 4 rows; the file has 3."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 1:2\n0 1\n", "'1' is no feature"),
        ("1 1:2\n0 2:1 2:3\n", "'2:3' is no feature"),
        ("1 1:2\n0 1:x\n", "'x' is no number"),
        ("1 1:2\nyes 1:1\n", "'yes' is no number"),
        ("1 1:2\n1 900000:1\n", "too many columns"),
    ],
)
def test_a_fault_is_named_by_its_line(tmp_path, text, said):
    with pytest.raises(PayoffError, match=said) as caught:
        load(tmp_path / "bad.libsvm", text)
    assert "line 2" in caught.value.where


def test_a_file_without_features_is_refused(tmp_path):
    with pytest.raises(PayoffError, match="No row has a feature"):
        load(tmp_path / "bad.libsvm", "1\n0\n")


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path):
    path = tmp_path / "damaged.libsvm"
    path.write_bytes(b"1 1:2\n" * 6 + b"0 1:\xd5\n" + b"1 1:2\n")
    with pytest.raises(PayoffError, match="no text") as caught:
        data.load(str(path), find_readers=lambda: (LIBSVM,))
    assert caught.value.where == f"{path}, line 7"


@pytest.mark.parametrize("name", ["rank.train", "train.txt", "mslr.dat"])
def test_it_is_known_by_what_it_holds_whatever_its_name(tmp_path, name):
    text = "2 qid:1 1:0.5 3:-1e2\n0 qid:1 2:7 3:1\n1 qid:2 1:1 2:4\n"
    path = tmp_path / name
    path.write_text(text, "utf-8")
    table = load_file(path)
    assert table.columns == ("label", "query", "f1", "f2", "f3")
    path.write_text("a b:1 c:2\n1 2:3 x\n", "utf-8")
    assert "f1" not in load_file(path).columns
