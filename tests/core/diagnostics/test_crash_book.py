"""Crashes of plugins are counted, told once, forgiven, and after three a plugin stays off."""

from core.diagnostics import CrashBook
from core.extensions import Registry
from tests.helpers.factories.plugins import write_plugin


def test_crashes_are_counted_told_and_forgiven(tmp_path):
    book = CrashBook(tmp_path / "deep" / "crashes.json")
    assert book.crashes() == {}
    assert book.add("org.example.own", "import", "signal SIGSEGV") == 1
    (untold,) = book.untold()
    assert (untold.plugin, untold.why, untold.is_reported) == (
        "org.example.own",
        "signal SIGSEGV",
        False,
    )
    book.tell(["org.example.own"])
    assert book.untold() == []
    assert book.add("org.example.own", "metric own", "exit code 0") == 2
    assert book.untold()[0].stage == "metric own"
    assert book.disabled() == {}
    book.add("org.example.own", "metric own", "exit code 0")
    assert set(book.disabled()) == {"org.example.own"}
    book.forgive("org.example.own")
    assert book.crashes() == {}


def test_a_damaged_book_counts_as_empty(tmp_path):
    for text in ("", "[1, 2]", '{"a": 1}', '{"a": {"strange": 1}}'):
        (tmp_path / "crashes.json").write_text(text)
        assert CrashBook(tmp_path / "crashes.json").crashes() == {}
    assert CrashBook(tmp_path / "crashes.json").add("a", "", "") == 1


def test_after_three_crashes_a_plugin_is_off_with_the_reason(tmp_path):
    folder = write_plugin(tmp_path / "own")
    book = CrashBook(tmp_path / "crashes.json")
    for _ in range(3):
        book.add("org.example.own", "import", "It was ended by signal SIGSEGV.")
    registry = Registry.discover([folder], has_packages=False, crashed=book.disabled())
    state = registry.states()[-1]
    assert (state.state, state.stage) == ("off", "enabled")
    assert state.why == "Off after 3 crashes. The last one: It was ended by signal SIGSEGV."


def test_only_the_plugins_asked_for_take_part(tmp_path):
    folders = [write_plugin(tmp_path / "one", plugin="org.example.one")]
    code = (folders[0] / "own.py").read_text().replace("own_miss", "other_miss")
    folders.append(write_plugin(tmp_path / "two", code, plugin="org.example.two"))
    registry = Registry.discover(folders, has_packages=False, only=["org.example.two"])
    states = {entry.plugin: entry for entry in registry.states()}
    assert states["org.example.one"].state == "off"
    assert "asked for other plugins" in states["org.example.one"].why
    assert states["org.example.two"].state == "active"
    assert all(entry.state == "active" for entry in registry.states() if entry.source == "built in")


def test_one_plugin_is_checked_again_in_its_place(tmp_path):
    folders = [write_plugin(tmp_path / "one", plugin="org.example.one")]
    code = (folders[0] / "own.py").read_text().replace("own_miss", "other_miss")
    folders.append(write_plugin(tmp_path / "two", code, plugin="org.example.two"))
    registry = Registry.discover(folders, has_packages=False)
    before = [entry.plugin for entry in registry.states()]
    (folders[0] / "own.py").write_text("raise RuntimeError('changed')")
    registry.release("org.example.one")
    assert [entry.plugin for entry in registry.states()] == before
    states = {entry.plugin: entry.state for entry in registry.states()}
    assert states["org.example.one"] == "quarantined"
    assert states["org.example.two"] == "active"
