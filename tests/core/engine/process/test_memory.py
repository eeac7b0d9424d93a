"""The engine's memory: shared markers, the bounded cache, and what is refused before a job runs."""

import gc
import multiprocessing
import threading

import pytest

from core.assembly.tables import ByteCache
from core.engine.shared_memory import SharedState
from core.questions.lanes import Lane


@pytest.fixture
def shared():
    return SharedState(multiprocessing.get_context("spawn"))


def test_a_marker_names_plugin_stage_and_limit(shared):
    assert shared.plugin_in(Lane.LONG) is None
    with shared.in_plugin(Lane.LONG, "org.example.größe", "import", 2.5):
        inside = shared.plugin_in(Lane.LONG)
        assert (inside.plugin, inside.stage, inside.limit) == ("org.example.größe", "import", 2.5)
        assert shared.plugin_in(Lane.QUICK) is None
    assert shared.plugin_in(Lane.LONG) is None


def test_markers_nest_and_every_entry_is_a_new_one(shared):
    with shared.in_plugin(Lane.QUICK, "outer", "use"):
        first = shared.plugin_in(Lane.QUICK)
        with shared.in_plugin(Lane.QUICK, "inner", "use"):
            assert shared.plugin_in(Lane.QUICK).plugin == "inner"
        after = shared.plugin_in(Lane.QUICK)
        assert after.plugin == "outer"
        assert after.entry > first.entry


def test_a_marker_stays_when_the_call_raises_only_until_it_is_left(shared):
    with pytest.raises(RuntimeError), shared.in_plugin(Lane.LONG, "org.raises", "use"):
        raise RuntimeError
    assert shared.plugin_in(Lane.LONG) is None


def test_long_names_are_cut_and_cleared(shared):
    shared.enter_plugin(Lane.LONG, "x" * 2_000, "use", 0.0)
    assert shared.plugin_in(Lane.LONG).plugin.startswith("xxx")
    assert shared.plugin_in(Lane.QUICK) is None
    shared.clear_markers()
    assert shared.plugin_in(Lane.LONG) is None


def test_the_least_recently_used_value_goes_first():
    cache = ByteCache(max_bytes=100)
    for name in ("a", "b"):
        cache.put(name, name, 40)
    assert cache.get("a") == "a"
    cache.put("c", "c", 40)
    assert cache.get("b") is None
    assert cache.get("a") == "a"
    cache.put("large", "large", 1_000)
    assert cache.get("large") == "large"
    assert cache.get("a") is None


class Own:
    """A value that cannot be made again."""


def test_a_value_that_others_hold_is_known_as_long_as_they_do():
    cache, own = ByteCache(max_bytes=1), Own()
    assert cache.hold("own", own, "own") is own
    assert cache.hold("own", Own(), "own") is own  # one of each
    cache.put("b", "b", 50)
    cache.put("c", "c", 50)
    assert cache.get("own") is own
    del own
    gc.collect()
    assert cache.get("own") is None


def test_two_threads_make_a_value_once():
    cache = ByteCache(max_bytes=100)
    started, made = threading.Event(), []

    def make():
        started.set()
        made.append(1)
        threading.Event().wait(0.05)
        return "value", 1

    found = []
    threads = [
        threading.Thread(target=lambda: found.append(cache.get_or_make("key", make)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["value"] * 4
    assert made == [1]


def test_a_value_that_cannot_be_made_is_tried_again():
    cache = ByteCache(max_bytes=100)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_make("key", lambda: (1 // 0, 1))
    assert cache.get_or_make("key", lambda: ("value", 1)) == "value"


def test_what_was_being_made_when_the_memory_was_cleared_is_not_kept():
    cache = ByteCache(max_bytes=100)
    started, may_end = threading.Event(), threading.Event()
    found = {}

    def old(name):
        def make():
            started.set()
            may_end.wait(10)
            return f"old {name}", 1

        found[name] = cache.get_or_make(("scores" if name == "s" else "table", name), make)

    threads = [threading.Thread(target=old, args=(name,)) for name in ("s", "t")]
    for thread in threads:
        started.clear()
        thread.start()
        assert started.wait(10)
    cache.keep_only(lambda key: key[0] == "table")  # plugins have changed
    may_end.set()
    for thread in threads:
        thread.join()
    assert found == {"s": "old s", "t": "old t"}  # who began before ends as it began
    assert cache.get_or_make(("scores", "s"), lambda: ("new s", 1)) == "new s"
    assert cache.get(("scores", "s")) == "new s"
    assert cache.get(("table", "t")) == "old t"  # no plugin made it


def test_what_was_made_from_a_held_value_goes_with_it() -> None:
    cache, own = ByteCache(1 << 20), Own()
    cache.hold(("table", "a1"), own, "a1")
    cache.put(("cases", ("a1", "reader"), 3), "made from it", 8)
    cache.put(("cases", ("b2", "reader"), 3), "made from another", 8)
    del own
    gc.collect()
    cache.put("next", "value", 8)
    assert cache.get(("cases", ("a1", "reader"), 3)) is None
    assert cache.get(("cases", ("b2", "reader"), 3)) == "made from another"
