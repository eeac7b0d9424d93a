"""The result store: round trip, names, bound, damage, atomic files."""

import dataclasses
import threading

import numpy as np
import pytest

from core.document.data.model import DataRef
from core.document.data.results import ColumnDetail
from core.document.model import Document
from core.engine.messages import Ask
from core.engine.store import ResultStore, result_ref
from core.questions.data import ColumnByClass
from payoff.errors import PayoffError
from tests.helpers.answers import synthetic
from tests.helpers.factories.scored import detail


def assert_same(first, second):
    """Equal records, arrays by value and type, NaN equal to NaN."""
    assert type(first) is type(second)
    if dataclasses.is_dataclass(first):
        for item in dataclasses.fields(first):
            assert_same(getattr(first, item.name), getattr(second, item.name))
    elif isinstance(first, np.ndarray):
        assert first.dtype == second.dtype
        np.testing.assert_array_equal(first, second)
    elif isinstance(first, tuple):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    else:
        np.testing.assert_equal(first, second)


@pytest.fixture
def store(tmp_path):
    return ResultStore(tmp_path / "results", 1 << 20)


def test_a_result_comes_back_as_it_was(store):
    assert store.put("data.column-a", detail(50))
    assert_same(store.get("data.column-a"), detail(50))


def test_an_unknown_name_gives_nothing(store):
    assert store.get("data.column-missing") is None
    assert store.get("nosuchkind-1") is None
    for name in ("../etc", "data.column-/x", ""):
        with pytest.raises(PayoffError):
            store.put(name, detail(1))


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other", "text"])
def test_a_damaged_file_counts_as_absent(store, damage):
    store.put("data.column-a", detail(200))
    path = next(store.folder.glob("*.result"))
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "flip":
        content[len(content) // 2] ^= 0xFF
    elif damage == "empty":
        content = bytearray()
    elif damage == "text":
        content = bytearray(b"not an archive")
    else:
        np.savez(path.with_suffix(".npz"), json=np.frombuffer(b'{"start": 1}', dtype=np.uint8))
        content = bytearray(path.with_suffix(".npz").read_bytes())
    path.write_bytes(content)
    assert store.get("data.column-a") is None
    assert not path.exists()
    store.put("data.column-a", detail(200))
    assert store.get("data.column-a") is not None


def test_no_pickle_is_ever_read(store, tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    path = store.folder / "data.column-a.result"
    with path.open("wb") as file:
        np.savez(file, json=np.array([Trap()], dtype=object))
    assert store.get("data.column-a") is None
    assert not (tmp_path / "sprung").exists()


def test_the_least_recently_used_goes_first(tmp_path):
    store = ResultStore(tmp_path, max_bytes=200_000)
    names = [f"data.column-{index}" for index in range(5)]
    for name in names:
        assert store.put(name, detail(2_000))  # about 32 kB each
    assert store.get(names[0]) is not None  # used again: newer than the others
    for index in range(5, 9):
        store.put(f"data.column-{index}", detail(2_000))
        assert store.bytes_used() <= 200_000
    assert store.get(names[0]) is not None
    assert store.get(names[1]) is None
    assert store.get("data.column-8") is not None


def test_a_result_larger_than_the_bound_is_kept_alone(tmp_path):
    store = ResultStore(tmp_path, max_bytes=1_000)
    store.put("data.column-a", detail(500))
    store.put("data.column-b", detail(500))
    assert store.get("data.column-a") is None
    assert store.get("data.column-b") is not None


def test_a_full_disk_costs_the_copy_not_the_job(tmp_path, monkeypatch, caplog):
    store = ResultStore(tmp_path)
    monkeypatch.setattr(np, "savez", lambda *a, **k: (_ for _ in ()).throw(OSError("disk full")))
    assert not store.put("data.column-a", detail(5))
    assert list(tmp_path.iterdir()) == []
    assert "disk full" in caplog.text


def test_readers_see_whole_results_while_they_are_replaced(store):
    store.put("data.column-a", detail(500))
    wrong = []

    def read():
        for _ in range(60):
            found = store.get("data.column-a")
            if not isinstance(found, ColumnDetail):
                wrong.append(found)

    reader = threading.Thread(target=read)
    reader.start()
    for size in range(500, 560):
        store.put("data.column-a", detail(size))
    reader.join()
    assert wrong == []


def test_names_depend_on_all_that_decides_a_result():
    data = DataRef(path="a.csv", content_hash="1", rows=2, columns=("a",), size_bytes=3)
    arguments = Ask.of(Document(data=data), ColumnByClass(column="a"))
    names = {
        result_ref("data.column", arguments, "1", "v1"),
        result_ref("decide.totals", arguments, "1", "v1"),
        result_ref(
            "data.column",
            dataclasses.replace(arguments, question=ColumnByClass(column="b")),
            "1",
            "v1",
        ),
        result_ref("data.column", arguments, "2", "v1"),
        result_ref("data.column", arguments, "1", "v2"),
    }
    assert len(names) == 5
    assert result_ref("data.column", arguments, "1", "v1") in names


def test_whole_results_of_a_page_survive(store):
    for kind, result in (
        ("compare.models", synthetic.make_evaluation(2_000)),
        ("decide.totals", synthetic.make_decisions(2_000)),
    ):
        store.put(f"{kind}-x", result)
        assert_same(store.get(f"{kind}-x"), result)
