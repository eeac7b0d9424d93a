"""Plugins installed, updated and removed from files; hostile files refused with nothing written."""

import hashlib
import io
import os
import stat
import struct
import zipfile

import pytest

from core.extensions import Registry
from core.extensions.installing import install, installed_versions, preview_plugins, remove
from payoff import PayoffError
from tests.helpers.factories.plugins import manifest, metric_code


def packed(path, members, sums=None):
    """An archive with a manifest; ``sums`` = names left out of SHA256SUMS, None = no list."""
    entries = [("plugin.toml", manifest()), ("own.py", metric_code()), *members]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in entries:
            archive.writestr(member, content)
        if sums is not None:
            lines = [
                f"{hashlib.sha256(content.encode()).hexdigest()}  {member}"
                for member, content in entries
                if member not in sums
            ]
            archive.writestr("SHA256SUMS", "\n".join(lines) + "\n")
    return path


def snapshot(folder):
    return sorted(str(place.relative_to(folder)) for place in folder.rglob("*"))


def state_of(registry):
    record = next(r for r in registry.records if r.plugin == "org.example.own")
    return record.why or record.state


def link(name, mode=stat.S_IFLNK):
    member = zipfile.ZipInfo(name)
    member.external_attr = (mode | 0o777) << 16
    return member


def encrypted(path):
    packed(path, [])
    content = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = content.find(signature)
        content[start + offset] |= 1
    path.write_bytes(bytes(content))


def lying(path):
    """The directory says that a member is small; it is not."""
    packed(path, [("big.bin", "\0" * 3_000_000)])
    content = bytearray(path.read_bytes())
    start = content.rfind(b"PK\x01\x02", 0, content.rfind(b"PK\x05\x06"))
    content[start + 24 : start + 28] = struct.pack("<I", 10)
    path.write_bytes(bytes(content))


def nested_manifest(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/b/c/plugin.toml", manifest())


HOSTILE_NAMES = [
    "../evil.py",
    "a/../../evil.py",
    "/etc/evil.py",
    "//host/share/evil.py",
    "a\\evil.py",
    "..\\evil.py",
    "C:evil.py",
    "C:/evil.py",
    "con",
    "con.txt",
    "a/PRN.py",
    "aux.py",
    "NUL",
    "com1.txt",
    "lpt9.py",
    "sub/../own.py",
    "more.zip",
    "more.tar",
    "more.gz",
    "more.7z",
    "more.xz",
    "more.bz2",
    "more.egg",
    "package.whl",
    "a/wheels.whl",
    "file:stream.py",
]
HOSTILE = {
    **{f"name {name}": [(name, "x")] for name in HOSTILE_NAMES},
    "link": [(link("link.py"), "/etc/passwd")],
    "device": [(link("device.py", stat.S_IFCHR), "")],
    "fifo": [(link("pipe.py", stat.S_IFIFO), "")],
    "socket": [(link("socket.py", stat.S_IFSOCK), "")],
    "case clash": [("OWN.py", "x")],
    "case clash in folders": [("a/x.py", "x"), ("A/X.PY", "y")],
    "bomb": [("zeros.bin", "\0" * (5 << 20))],
    "many": [(f"d/{number}.txt", "") for number in range(10_001)],
}
HOSTILE_FILES = {
    "encrypted": encrypted,
    "lying": lying,
    "no manifest": lambda path: zipfile.ZipFile(path, "w").close(),
    "deep manifest": nested_manifest,
    "no archive": lambda path: path.write_bytes(b"GIF89a" + bytes(100)),
    "cut off": lambda path: (packed(path, []), path.write_bytes(path.read_bytes()[:200])),
    "empty": lambda path: path.write_bytes(b""),
}


def test_there_are_forty_hostile_archives():
    assert len(HOSTILE) + len(HOSTILE_FILES) >= 40


@pytest.mark.parametrize("case", [*HOSTILE, *HOSTILE_FILES])
def test_a_hostile_archive_is_refused_and_nothing_is_written(tmp_path, case):
    path, folder = tmp_path / "bad.payoff-plugin", tmp_path / "own" / "plugins"
    if case in HOSTILE:
        packed(path, HOSTILE[case])
    else:
        HOSTILE_FILES[case](path)
    before = snapshot(tmp_path)
    with pytest.raises(PayoffError):
        install(path, folder)
    assert snapshot(folder) == []
    assert [name for name in snapshot(tmp_path) if name not in before] == ["own", "own/plugins"]


def test_what_a_file_would_install_is_said_before(tmp_path):
    path = packed(tmp_path / "good.payoff-plugin", [], sums=())
    (offer,) = preview_plugins(path, tmp_path / "plugins")
    assert offer.manifest.id == "org.example.own"
    assert offer.change == "new"
    assert offer.is_listed
    assert offer.files == 3
    assert not (tmp_path / "plugins").exists()


def test_installed_it_is_found_and_active(tmp_path):
    folder = tmp_path / "plugins"
    install(packed(tmp_path / "good.payoff-plugin", []), folder)
    assert snapshot(folder) == [
        "org.example.own",
        "org.example.own/own.py",
        "org.example.own/plugin.toml",
    ]
    registry = Registry.discover([folder], has_packages=False)
    assert state_of(registry) == "active"


@pytest.mark.parametrize(
    ("sums", "member", "words"),
    [
        (("own.py",), [], "not listed"),
        ((), [], ""),
    ],
)
def test_listed_files_are_compared_with_their_hashes(tmp_path, sums, member, words):
    path = packed(tmp_path / "listed.zip", member, sums=sums)
    if not words:
        assert install(path, tmp_path / "plugins")[0].is_listed
        return
    with pytest.raises(PayoffError, match="not as its author packed it") as refused:
        install(path, tmp_path / "plugins")
    assert words in refused.value.why


def test_a_changed_file_is_named(tmp_path):
    path = packed(tmp_path / "listed.zip", [], sums=())
    changed = tmp_path / "changed.zip"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content + b"# evil\n" if name == "own.py" else content)
    with pytest.raises(PayoffError) as refused:
        install(changed, tmp_path / "plugins")
    assert "own.py" in refused.value.where


def test_an_update_takes_the_place_and_says_so(tmp_path):
    folder = tmp_path / "plugins"
    install(packed(tmp_path / "one.zip", []), folder)
    newer = tmp_path / "two.zip"
    with zipfile.ZipFile(newer, "w") as archive:
        archive.writestr("plugin.toml", manifest(version="2.0"))
        archive.writestr("own.py", metric_code())
        archive.writestr("extra.py", "")
    assert preview_plugins(newer, folder)[0].change == "update"
    install(newer, folder)
    assert installed_versions(folder) == {"org.example.own": "2.0"}
    assert "org.example.own/extra.py" in snapshot(folder)
    assert preview_plugins(tmp_path / "one.zip", folder)[0].change == "older"
    assert preview_plugins(newer, folder)[0].change == "same"


def test_several_plugins_come_in_one_file_or_none(tmp_path):
    path, folder = tmp_path / "department.payoff-plugin", tmp_path / "plugins"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("first", "second"):
            archive.writestr(f"{name}/plugin.toml", manifest(f"org.example.{name}"))
            archive.writestr(f"{name}/own.py", metric_code(name))
    assert [offer.manifest.id for offer in install(path, folder)] == [
        "org.example.first",
        "org.example.second",
    ]
    assert set(installed_versions(folder)) == {"org.example.first", "org.example.second"}


def test_if_one_of_several_cannot_be_moved_nothing_is_changed(tmp_path, monkeypatch):
    path, folder = tmp_path / "department.zip", tmp_path / "plugins"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("first", "second"):
            archive.writestr(f"{name}/plugin.toml", manifest(f"org.example.{name}"))
            archive.writestr(f"{name}/own.py", metric_code(name))
    install(path, folder)
    before = snapshot(folder)
    real, calls = os.replace, []

    def fails_at_last(source, target):
        calls.append(source)
        if len(calls) == 4:
            raise OSError(28, "No space left on device", str(target))
        real(source, target)

    monkeypatch.setattr("core.extensions.installing.replace_path", fails_at_last)
    with pytest.raises(PayoffError, match="cannot be installed") as refused:
        install(path, folder)
    assert "No space left" in refused.value.why
    monkeypatch.undo()
    assert snapshot(folder) == before


def test_a_single_file_is_installed_by_its_id(tmp_path):
    source = tmp_path / "mine.py"
    lines = "".join(f"# {line}\n" for line in manifest(entry="mine").splitlines())
    source.write_text(f"# /// payoff\n{lines}# ///\n{metric_code()}", "utf-8")
    install(source, tmp_path / "plugins")
    assert snapshot(tmp_path / "plugins") == ["org.example.own.py"]


def test_a_folder_is_copied_and_links_are_refused(tmp_path):
    source = tmp_path / "mine"
    source.mkdir()
    (source / "plugin.toml").write_text(manifest(), "utf-8")
    (source / "own.py").write_text(metric_code(), "utf-8")
    install(source, tmp_path / "plugins")
    assert "org.example.own/own.py" in snapshot(tmp_path / "plugins")
    (source / "link.py").symlink_to("/etc/hostname")
    with pytest.raises(PayoffError, match="has links"):
        install(source, tmp_path / "plugins")


def wheel(name):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("tiny_words/__init__.py", "GREETING = 'hello'\n")
        archive.writestr("tiny_words-1.0.dist-info/METADATA", "Name: tiny_words\nVersion: 1.0\n")
    return f"wheels/{name}", content.getvalue()


def test_a_package_that_comes_along_can_be_imported(tmp_path):
    folder = tmp_path / "plugins"
    code = "from tiny_words import GREETING\nassert GREETING == 'hello'\n" + metric_code()
    path = tmp_path / "with.payoff-plugin"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("plugin.toml", manifest())
        archive.writestr("own.py", code)
        archive.writestr(*wheel("tiny_words-1.0-py3-none-any.whl"))
    (offer,) = install(path, folder)
    assert offer.packages == ("tiny-words 1.0",)
    assert not (folder / "org.example.own" / "wheels").exists()
    registry = Registry.discover([folder], has_packages=False)
    assert state_of(registry) == "active"


def package(path, greeting):
    """A Python package with a manifest, as pip would build it; it imports itself by its name."""
    code = f"from own_words.greeting import GREETING\nassert GREETING == {greeting!r}\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("own_words/__init__.py", "")
        archive.writestr("own_words/greeting.py", f"GREETING = {greeting!r}\n")
        archive.writestr("own_words/plugin.toml", manifest())
        archive.writestr("own_words/own.py", code + metric_code())
        archive.writestr("own_words-1.0.dist-info/METADATA", "Name: own_words\nVersion: 1.0\n")
    return path


def test_a_package_is_a_plugin_by_itself_and_its_update_counts(tmp_path):
    folder = tmp_path / "plugins"
    for greeting in ("hello", "good morning"):  # in one process: nothing old stays imported
        path = package(tmp_path / "own_words-1.0-py3-none-any.whl", greeting)
        (offer,) = install(path, folder)
        assert offer.packages == ("own-words 1.0",)
        registry = Registry.discover([folder], has_packages=False)
        assert state_of(registry) == "active"
    assert [place.name for place in folder.iterdir()] == ["org.example.own"]
    with pytest.raises(PayoffError, match="another system"):
        install(package(tmp_path / "own_words-1.0-cp39-cp39-win_amd64.whl", "hello"), folder)
    assert state_of(Registry.discover([folder], has_packages=False)) == "active"


def test_a_package_for_another_system_is_refused(tmp_path):
    path = tmp_path / "with.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("plugin.toml", manifest())
        archive.writestr(*wheel("tiny_words-1.0-cp39-cp39-win_amd64.whl"))
    with pytest.raises(PayoffError, match="another system"):
        install(path, tmp_path / "plugins")
    assert snapshot(tmp_path / "plugins") == []


def test_removing_takes_all_of_it(tmp_path):
    folder = tmp_path / "plugins"
    install(packed(tmp_path / "good.zip", []), folder)
    remove("org.example.own", folder)
    assert snapshot(folder) == []
    with pytest.raises(PayoffError, match="No plugin"):
        remove("org.example.own", folder)


def test_a_plugin_for_another_version_is_refused(tmp_path):
    path = tmp_path / "future.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("plugin.toml", manifest(api=">=9"))
        archive.writestr("own.py", metric_code())
    with pytest.raises(PayoffError, match="does not fit"):
        install(path, tmp_path / "plugins")


def test_a_file_without_a_manifest_keeps_the_name_that_its_id_is_made_of(tmp_path):
    """The guide's own metric, handed on: dropped twice it is there once, under one id."""
    path = tmp_path / "mine.py"
    path.write_text('import payoff\n\n\n@payoff.metric("Mine")\ndef mine(outcome, score): ...\n')
    folder = tmp_path / "plugins"
    (first,) = install(path, folder)
    (second,) = install(path, folder)
    assert [place.name for place in folder.iterdir()] == ["mine.py"]
    assert (first.manifest.id, first.change) == ("own.mine", "new")
    assert (second.manifest.id, second.change) == ("own.mine", "same")
    remove("own.mine", folder)
    assert not list(folder.glob("*.py"))
