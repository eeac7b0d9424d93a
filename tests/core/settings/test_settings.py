"""Settings survive a restart; damaged ones are set aside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.document.data.model import ReaderSettings
from core.settings import MAXIMUM_RECENT, RecentProject, Settings, SettingsStore


def recent(number: int, *, pinned: bool = False) -> RecentProject:
    return RecentProject(
        path=f"/p/{number}.payoff", name=str(number), opened_at="2026-01-01", is_pinned=pinned
    )


def test_settings_are_read_again(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "s" / "settings.json")
    store.change(Settings(theme="dark").with_recent(recent(1)))
    assert SettingsStore(tmp_path / "s" / "settings.json").settings == store.settings


def test_damaged_settings_are_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theme": 3}')
    assert SettingsStore(path).settings == Settings()
    assert path.with_suffix(".damaged").exists()


def test_recent_is_newest_first_bounded_and_keeps_pins() -> None:
    settings = Settings().with_recent(recent(0, pinned=True))
    for number in range(1, 30):
        settings = settings.with_recent(recent(number))
    names = [entry.name for entry in settings.recent]
    assert names[:3] == ["0", "29", "28"]
    assert len(names) == MAXIMUM_RECENT
    again = settings.with_recent(recent(0))
    assert again.recent[0].is_pinned
    assert "29" not in [e.name for e in settings.without_recent("/p/29.payoff").recent]


def test_what_another_program_wrote_meanwhile_is_kept(tmp_path):
    window = SettingsStore(tmp_path / "settings.json")
    window.change(replace(window.settings, theme="dark"))
    terminal = SettingsStore(tmp_path / "settings.json")
    terminal.change(replace(terminal.settings, plugins_off=("org.example.own",)))
    window.change(replace(window.settings, last_folder="/data"))
    kept = SettingsStore(tmp_path / "settings.json").settings
    assert (kept.theme, kept.last_folder) == ("dark", "/data")
    assert kept.plugins_off == ("org.example.own",)
    assert window.settings == kept
    terminal.read_again()
    assert terminal.settings == kept
    (tmp_path / "settings.json").unlink()
    terminal.read_again()  # nothing to be read: what is known stays
    terminal.change(replace(terminal.settings, theme="light"))
    assert SettingsStore(tmp_path / "settings.json").settings == replace(kept, theme="light")


def test_a_project_reached_through_a_link_is_one_line_of_the_recent_list(tmp_path: Path) -> None:
    place, link = tmp_path / "plan.payoff", tmp_path / "link.payoff"
    place.write_bytes(b"")
    link.symlink_to(place)
    by_place = replace(recent(1, pinned=True), path=str(place))
    settings = Settings().with_recent(by_place)
    settings = settings.with_recent(replace(recent(1), path=str(link)))
    assert [(entry.path, entry.is_pinned) for entry in settings.recent] == [(str(link), True)]
    assert [entry.path for entry in settings.with_recent(by_place).recent] == [str(place)]


def test_how_a_file_is_read_is_remembered_whatever_path_leads_to_it(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    settings = Settings().with_reader(str(tmp_path / "b.csv"), ReaderSettings(delimiter=";"))
    settings = settings.with_reader(str(tmp_path / "a.csv"), ReaderSettings(delimiter=","))
    found = settings.reader_of(str(tmp_path / "b.csv"))
    assert found is not None
    assert found.delimiter == ","
    assert len(settings.readers) == 1
