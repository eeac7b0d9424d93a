"""``payoff plugins``: installed, turned off and on, removed, from the command line."""

import contextlib
import json
import zipfile
from dataclasses import replace

import pytest

import main
from core.engine.options import EngineOptions
from core.engine.plugin_use import PluginLock
from core.script import session
from core.script.command_line import verbs
from core.settings import SettingsStore, settings_path
from tests.helpers.factories.plugins import manifest, metric_code, write_file_plugin


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PAYOFF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(session, "_engines", {})


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own.payoff-plugin"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("plugin.toml", manifest())
        archive.writestr("own.py", metric_code())
    return path


def run(tmp_path, *arguments):
    """The exit code and the answer."""
    out = tmp_path / "answer.json"
    out.unlink(missing_ok=True)
    code = main.main(["plugins", *map(str, arguments), "--json", str(out)])
    return code, json.loads(out.read_text("utf-8")) if out.exists() else None


def state(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "_engines", {})  # another start
    _, answer = run(tmp_path)
    found = [entry for entry in answer["plugins"] if entry["plugin"] == "org.example.own"]
    return found[0]["state"] if found else None


def test_a_plugin_from_file_to_gone(tmp_path, file, monkeypatch, capsys):
    assert state(tmp_path, monkeypatch) is None
    code, answer = run(tmp_path, "install", file)
    assert code == 0
    assert [entry["plugin"] for entry in answer["installed"]] == ["org.example.own"]
    described = capsys.readouterr().err
    assert "installed: own 1.2.0" in described
    assert "with your own rights" in described
    assert state(tmp_path, monkeypatch) == "active"
    assert run(tmp_path, "off", "org.example.own")[1] == {"off": ["org.example.own"]}
    assert state(tmp_path, monkeypatch) == "off"
    assert run(tmp_path, "on", "org.example.own")[1] == {"off": []}
    assert state(tmp_path, monkeypatch) == "active"
    assert run(tmp_path, "remove", "org.example.own")[0] == 0
    assert state(tmp_path, monkeypatch) is None


def test_only_some_plugins_and_their_calls_told(tmp_path, file, monkeypatch, capfd):
    run(tmp_path, "install", file)
    monkeypatch.setattr(session, "_engines", {})
    _, answer = run(tmp_path, "--only-plugins", "org.example.other")
    states = {entry["plugin"]: entry["state"] for entry in answer["plugins"]}
    assert states["org.example.own"] == "off"
    assert states["payoff.metrics"] == "active"
    _, answer = run(tmp_path, "--safe-mode")
    assert all(entry["plugin"].startswith("payoff.") for entry in answer["plugins"])
    capfd.readouterr()
    run(tmp_path, "--trace-hooks", "--only-plugins", "org.example.own")
    reported = capfd.readouterr().err
    assert "plugin org.example.own: import, " in reported
    assert "plugin payoff.metrics: import, " in reported
    assert " ms" in reported


def test_a_change_waits_for_a_window_whose_job_uses_plugins(tmp_path, file, monkeypatch, capsys):
    run(tmp_path, "install", file)
    window = PluginLock(EngineOptions())
    assert window.begin_use(keeps_turn=True)
    capsys.readouterr()
    for action, name in (("install", file), ("remove", "org.example.own")):
        code, answer = run(tmp_path, action, name, "--no-wait")
        assert (code, answer) == (2, None)
        described = capsys.readouterr().err
        assert "at work in a window" in described
        assert "--no-wait" in described
    assert window.begin_use(keeps_turn=True)  # who refused does not wait either
    assert state(tmp_path, monkeypatch) == "active"
    paused = []

    def pause(_seconds):
        paused.append(capsys.readouterr().err)
        window.end_use()

    monkeypatch.setattr(verbs.time, "sleep", pause)
    code, answer = run(tmp_path, "remove", "org.example.own")
    assert (code, answer) == (0, {"removed": ["org.example.own"]})
    (waiting,) = paused
    assert "waiting until that has ended" in waiting
    assert state(tmp_path, monkeypatch) is None
    assert window.begin_use(keeps_turn=True)
    window.end_use()


def test_giving_up_the_wait_changes_nothing(tmp_path, file, monkeypatch):
    run(tmp_path, "install", file)
    window = PluginLock(EngineOptions())
    assert window.begin_use(keeps_turn=True)

    def interrupt(_seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(verbs.time, "sleep", interrupt)
    with contextlib.suppress(KeyboardInterrupt):
        assert run(tmp_path, "remove", "org.example.own")[0] != 0
    window.end_use()
    assert window.begin_use(keeps_turn=True)  # its turn was given back
    window.end_use()
    assert state(tmp_path, monkeypatch) == "active"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["install"], "needs a name"),
        (["install", "nowhere.zip"], "no such file"),
        (["remove", "org.example.nobody"], "No plugin 'org.example.nobody'"),
        (["off", "org.example.nobody"], "There is no plugin"),
        (["list", "x"], "takes no names"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, capsys, arguments, words):
    code, answer = run(tmp_path, *arguments)
    assert code != 0
    assert answer is None
    assert words in capsys.readouterr().err


def test_shared_folders_come_from_environment_and_settings(tmp_path, monkeypatch):
    """Both are found by the verb; a plugin there is not removed."""
    for number, name in enumerate(("one", "two")):
        folder = tmp_path / name
        folder.mkdir()
        write_file_plugin(folder / "own.py", metric_code(name), plugin=f"org.example.p{number}")
    monkeypatch.setenv("PAYOFF_PLUGINS", str(tmp_path / "one"))
    store = SettingsStore(settings_path())
    store.path.parent.mkdir(parents=True, exist_ok=True)
    store.change(replace(store.settings, plugin_folders=(str(tmp_path / "two"),)))
    code, answer = run(tmp_path)
    shared = {p["plugin"]: p["state"] for p in answer["plugins"] if p["source"] == "shared folder"}
    assert (code, shared) == (0, {"org.example.p0": "active", "org.example.p1": "active"})
    assert run(tmp_path, "remove", "org.example.p0")[0] != 0
    assert (tmp_path / "one" / "own.py").is_file()
