"""Every plugin ends active or quarantined with stage, message and traceback; others go on."""

import os
import signal
import sys
import time
import zipfile
from contextlib import contextmanager

import numpy as np
import pytest

from core.extensions import Registry
from payoff import PayoffError
from payoff.hooks import HOOKS
from payoff.testing.results import ConformanceSheet
from tests.helpers.factories.plugins import manifest, metric_code, write_file_plugin, write_plugin

BUILT_IN = {"payoff.curves", *(f"payoff.{family}" for family in HOOKS)}


def discover(*folders, **settings):
    return Registry.discover(folders, has_packages=False, **settings)


def states(registry):
    return {state.plugin: state for state in registry.states()}


def test_built_ins_come_through_the_same_door(tmp_path):
    registry = discover(tmp_path)
    assert {name for name, state in states(registry).items() if state.state == "active"} == BUILT_IN
    assert all(state.source == "built in" for state in registry.states())
    assert registry.metric("poisson_deviance").form == "row_mean"
    assert not registry.is_third_party(registry.metric("auc"))
    assert registry.sheet("payoff.metrics").passed


def test_what_ships_is_checked_when_it_is_asked_for_only(tmp_path, monkeypatch):
    looked_at = []

    def note(spec):
        looked_at.append(spec.id)
        return ConformanceSheet(subject=spec.id, results=())

    monkeypatch.setattr("core.extensions.registry.check_spec", note)
    registry = discover(tmp_path, check_again=True)
    assert not looked_at
    registry.release("payoff.decision_matrices")
    assert looked_at == [spec.id for spec in registry.matrices()]
    registry.release("payoff.decision_matrices")
    assert len(looked_at) == 2 * len(registry.matrices())


def test_a_shared_folder_is_read_after_the_user_s_own(tmp_path):
    """Its plugins are served, not written to; of one id the user's own counts."""
    own, shared = tmp_path / "own", tmp_path / "shared"
    for folder in (own, shared):
        folder.mkdir()
        write_file_plugin(folder / "two.py", metric_code("two"), plugin="org.example.two")
    write_file_plugin(shared / "one.py", metric_code("one"), plugin="org.example.one")
    before = sorted(place.name for place in shared.iterdir())
    gone = tmp_path / "drive that is away"
    registry = discover(own, shared=[gone, shared], cache_folder=tmp_path / "cache")
    found = [(s.plugin, s.source, s.state) for s in registry.states() if s.source != "built in"]
    assert found[:2] == [
        ("org.example.two", "user folder", "active"),
        ("org.example.one", "shared folder", "active"),
    ]
    assert found[2][1:] != ("shared folder", "active")
    assert registry.is_third_party(registry.metric("one"))
    assert sorted(place.name for place in shared.iterdir()) == before


def test_folder_file_and_archive(tmp_path):
    write_plugin(tmp_path / "one", metric_code("one"), plugin="org.example.one")
    write_file_plugin(tmp_path / "two.py", metric_code("two"), plugin="org.example.two")
    with zipfile.ZipFile(tmp_path / "three.zip", "w") as archive:
        archive.writestr("three/plugin.toml", manifest("org.example.three"))
        archive.writestr("three/own.py", metric_code("three", imports="from .helper import ONE"))
        archive.writestr("three/helper.py", "ONE = 1\n")
    registry = discover(tmp_path, cache_folder=tmp_path / "cache")
    found = states(registry)
    for name in ("one", "two", "three"):
        state = found[f"org.example.{name}"]
        assert state.state == "active", (state.why, state.traceback)
        assert state.source == "user folder"
        assert state.adds == (f"metric {name}: Own miss",)
        assert registry.is_third_party(registry.metric(name))


@pytest.mark.parametrize("is_folder", [True, False], ids=["folder", "file"])
def test_what_was_saved_twice_within_a_second_is_read_anew(tmp_path, monkeypatch, is_folder):
    """Python tells a changed source by its size and second: both are the same here."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    if is_folder:
        source = write_plugin(tmp_path / "saved", metric_code("one")) / "own.py"
    else:
        source = write_file_plugin(tmp_path / "saved.py", metric_code("one"))
    saved_at = (1_000_000_000, int(time.time()))
    for metric in ("one", "two"):
        source.write_text(source.read_text("utf-8").replace('id="one"', f'id="{metric}"'), "utf-8")
        os.utime(source, saved_at)
        (state,) = (entry for entry in discover(tmp_path).states() if entry.source == "user folder")
        assert state.adds == (f"metric {metric}: Own miss",), state


def test_plugins_with_modules_of_the_same_name_never_meet(tmp_path):
    for name in ("left", "right"):
        code = metric_code(name, imports="from . import helper")
        folder = write_plugin(tmp_path / name, code, plugin=f"org.example.{name}")
        (folder / "helper.py").write_text(f"WORD = {name!r}\n")
    registry = discover(tmp_path)
    words = [registry.metric(name).rows.__globals__["helper"].WORD for name in ("left", "right")]
    assert words == ["left", "right"]
    assert "helper" not in sys.modules


FAULTS = {
    "raises at import": ("raise RuntimeError('no luck')", "import", "RuntimeError: no luck"),
    "syntax": ("def (", "import", "SyntaxError"),
    "missing package": ("import nowhere_to_be_found", "import", "nowhere_to_be_found"),
    "exits": ("import sys\nsys.exit(0)", "import", "end the program"),
    "no hook": ("x = 1", "registration", "payoff_register_metrics is missing"),
    "unmarked hook": (
        "def payoff_register_metrics():\n    return []",
        "registration",
        "not marked as a hook",
    ),
    "misspelt hook": (
        "import payoff\n@payoff.hookimpl\ndef payoff_register_metric():\n    return []",
        "registration",
        "unknown hook 'payoff_register_metric'",
    ),
    "hook with an argument": (
        "import payoff\n@payoff.hookimpl\ndef payoff_register_metrics(app):\n    return []",
        "registration",
        "hook does not fit",
    ),
    "no list": (
        "import payoff\n@payoff.hookimpl\ndef payoff_register_metrics():\n    return 'auc'",
        "registration",
        "must return a list",
    ),
    "no spec": (
        "import payoff\n@payoff.hookimpl\ndef payoff_register_metrics():\n    return [1]",
        "registration",
        "EvaluationMetric specs, not int",
    ),
    "hook raises": (
        "import payoff\n@payoff.hookimpl\ndef payoff_register_metrics():\n    return 1 / 0",
        "registration",
        "ZeroDivisionError",
    ),
    "spec of a known id": (metric_code("auc"), "specs", "'auc' is in payoff.metrics already"),
    "bad id": (metric_code("Own-Miss"), "specs", "small letters"),
    "negative": (metric_code(factor="-1.0"), "conformance check", "Values lie in the stated range"),
    "missing values": (metric_code(factor="float('nan')"), "conformance check", "stated range"),
}


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_plugin_is_quarantined_and_the_others_go_on(tmp_path, fault):
    code, stage, words = FAULTS[fault]
    write_plugin(tmp_path / "bad", code)
    write_plugin(tmp_path / "good", metric_code("fine"), plugin="org.example.good")
    registry = discover(tmp_path)
    state = states(registry)["org.example.own"]
    assert (state.state, state.stage) == ("quarantined", stage)
    assert words in state.why
    if stage in ("import", "registration"):
        assert "Traceback" in state.traceback
    assert states(registry)["org.example.good"].state == "active"
    assert registry.metric("auc").id == "auc"
    assert registry.metric("fine").id == "fine"


def test_a_manifest_that_is_wrong_stops_before_the_code(tmp_path):
    folder = write_plugin(tmp_path / "bad", "raise SystemExit")
    (folder / "plugin.toml").write_text(manifest() + "license = 'MIT'\n")
    state = states(discover(tmp_path))["bad"]
    assert (state.state, state.stage) == ("quarantined", "manifest")
    assert "line 10, key license" in state.why


def test_families_must_agree_with_the_manifest(tmp_path):
    write_plugin(tmp_path / "bad", families='"metrics", "distributions"')
    assert (
        "payoff_register_distributions is missing"
        in states(discover(tmp_path))["org.example.own"].why
    )
    write_plugin(tmp_path / "worse", plugin="org.example.worse", families='"distributions"')
    assert states(discover(tmp_path))["org.example.worse"].state == "quarantined"


def test_two_plugins_with_one_id_are_both_named(tmp_path):
    write_plugin(tmp_path / "a")
    write_plugin(tmp_path / "b", metric_code("other"))
    registry = discover(tmp_path)
    second = registry.states()[-1]
    assert second.state == "quarantined"
    assert str(tmp_path / "a") in second.why
    assert str(tmp_path / "b") in second.why
    assert registry.metric("own_miss").id == "own_miss"


def test_a_reserved_id_is_refused(tmp_path):
    write_plugin(tmp_path / "bad", plugin="payoff.metrics2")
    assert "reserved" in states(discover(tmp_path))["payoff.metrics2"].why


def test_another_contract_is_told_apart_from_quarantine(tmp_path):
    write_plugin(tmp_path / "bad", "raise AssertionError", api=">=2,<3")
    state = states(discover(tmp_path))["org.example.own"]
    assert (state.state, state.stage) == ("does_not_fit", "contract version")
    assert ">=2,<3; here is 1.1" in state.why
    assert state.api == ">=2,<3"


def test_safe_mode_knows_built_ins_only(tmp_path):
    write_plugin(tmp_path / "own")
    assert set(states(discover(tmp_path, safe_mode=True))) == BUILT_IN


def test_a_plugin_that_is_turned_off_is_not_imported(tmp_path):
    write_plugin(tmp_path / "own", "raise AssertionError")
    state = states(discover(tmp_path, disabled=["org.example.own"]))["org.example.own"]
    assert (state.state, state.why) == ("off", "Turned off by you.")


def test_an_engine_that_runs_no_third_party_code_only_lists_it(tmp_path):
    write_plugin(tmp_path / "own", "raise AssertionError")
    registry = discover(tmp_path, runs_third_party=False)
    assert states(registry)["org.example.own"].state == "checking"
    with pytest.raises(PayoffError, match="no metric 'own_miss'"):
        registry.metric("own_miss")


def test_passed_checks_are_remembered_until_the_plugin_changes(tmp_path, monkeypatch):
    folder = write_plugin(tmp_path / "plugins" / "own")
    cache = tmp_path / "cache"
    assert states(discover(tmp_path / "plugins", cache_folder=cache))["org.example.own"].state == (
        "active"
    )

    def refuse(spec):
        raise AssertionError("the checks ran again")

    monkeypatch.setattr("core.extensions.registry.check_spec", refuse)
    registry = discover(tmp_path / "plugins", cache_folder=cache)
    assert states(registry)["org.example.own"].state == "active"
    assert registry.sheet("org.example.own").result("Row order and ties do not matter")
    (folder / "own.py").write_text(metric_code() + "\n# changed\n")
    again = discover(tmp_path / "plugins", cache_folder=cache)
    assert "the checks ran again" in states(again)["org.example.own"].why


def test_a_plugin_that_failed_in_use_stays_in_quarantine_until_it_changes(tmp_path):
    folder = write_plugin(tmp_path / "plugins" / "own")
    settings = {"quarantine_path": tmp_path / "quarantine.json"}
    registry = discover(tmp_path / "plugins", **settings)
    metric = registry.metric("own_miss")
    assert registry.owner(metric).plugin == "org.example.own"
    registry.quarantine("org.example.own", "running", "It did not answer for 20 seconds.")
    with pytest.raises(PayoffError, match="20 seconds"):
        registry.metric("own_miss")
    later = discover(tmp_path / "plugins", **settings)
    state = states(later)["org.example.own"]
    assert (state.state, state.stage) == ("quarantined", "running")
    assert later.release("org.example.own").state == "active"
    assert later.metric("own_miss").id == "own_miss"
    later.quarantine("org.example.own", "running", "Again.")
    (folder / "own.py").write_text(metric_code("own_miss") + "# mended\n")
    assert states(discover(tmp_path / "plugins", **settings))["org.example.own"].state == "active"


def test_checking_again_forgets_the_quarantine(tmp_path):
    write_plugin(tmp_path / "plugins" / "own")
    settings = {"quarantine_path": tmp_path / "quarantine.json"}
    discover(tmp_path / "plugins", **settings).quarantine("org.example.own", "running", "Once.")
    registry = discover(tmp_path / "plugins", check_again=True, **settings)
    assert states(registry)["org.example.own"].state == "active"


@pytest.mark.parametrize("text", ["", "[]", "{not json", '{"org.example.own": 3}'])
def test_damaged_memory_counts_as_empty(tmp_path, text):
    write_plugin(tmp_path / "plugins" / "own")
    (tmp_path / "conformance.json").write_text(text)
    (tmp_path / "quarantine.json").write_text(text)
    registry = discover(
        tmp_path / "plugins", cache_folder=tmp_path, quarantine_path=tmp_path / "quarantine.json"
    )
    assert states(registry)["org.example.own"].state == "active"


def test_the_watch_stands_around_every_call_of_third_party_code(tmp_path):
    write_plugin(tmp_path / "own")
    seen = []

    @contextmanager
    def watch(plugin, stage, limit):
        seen.append((plugin, stage, limit))
        yield
        seen.append((plugin, stage, "left"))

    discover(tmp_path, watch=watch)
    own = [entry for entry in seen if entry[0] == "org.example.own"]
    assert [entry[1] for entry in own[::2]] == ["import", "specs", "conformance check"]
    assert all(entry[2] == "left" for entry in own[1::2])
    assert all(entry[2] > 0 for entry in own[::2])
    assert {entry[2] for entry in seen if entry[0] == "payoff.metrics"} == {0.0, "left"}


CHANGES = {
    "the working folder": "import os\nos.chdir('/')\n",
    "environment variables": "import os\nos.environ['PATH'] = 'nowhere'\n",
    "signal handlers": "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n",
    "numpy's global random numbers": "import numpy\nnumpy.random.seed(1)\n",
    "the module search path": "import sys\nsys.path.insert(0, '/nowhere')\n",
    "the standard output": "import sys\nsys.stdout = sys.stderr\n",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_belongs_to_the_whole_program_is_put_back(tmp_path, change):
    write_plugin(tmp_path / "own", CHANGES[change] + metric_code())
    before = (os.getcwd(), os.environ["PATH"], list(sys.path), sys.stdout)
    handler, random = signal.getsignal(signal.SIGTERM), np.random.get_state()[1].copy()
    state = states(discover(tmp_path))["org.example.own"]
    assert (state.state, state.stage) == ("quarantined", "registration")
    assert change in state.why
    assert before == (os.getcwd(), os.environ["PATH"], list(sys.path), sys.stdout)
    assert signal.getsignal(signal.SIGTERM) == handler
    assert np.array_equal(np.random.get_state()[1], random)


def test_unknown_ids_are_refused_with_the_known_ones(tmp_path):
    registry = discover(tmp_path)
    for ask in (registry.metric, registry.distribution, registry.matrix):
        with pytest.raises(PayoffError, match="Known: ") as refused:
            ask("nothing")
        assert refused.value.what.startswith("There is no")


def test_the_stamp_of_a_spec_follows_its_plugin(tmp_path):
    folder = write_plugin(tmp_path / "own")
    first = discover(tmp_path)
    stamp = first.content_of(first.metric("own_miss"))
    (folder / "own.py").write_text(metric_code() + "# changed\n")
    second = discover(tmp_path)
    assert second.content_of(second.metric("own_miss")) != stamp
    assert second.content_of(second.metric("auc")) == first.content_of(first.metric("auc"))
