"""Manifests are read without importing anything; faults name the key and the line."""

import zipfile

import pytest

from payoff import PayoffError
from payoff.manifest import inline_manifest, parse_manifest, read_manifest

GOOD = """\
id = "org.example.hinge"
name = "Hinge loss"
version = "0.4.1"
api = ">=1,<2"
families = ["distributions"]
entry = "hinge"
licence = "MIT"
author = "R. Okafor"
description = "A loss for margins."
"""


def changed(key, line):
    lines = GOOD.splitlines()
    position = next(i for i, text in enumerate(lines) if text.startswith(key + " "))
    lines[position : position + 1] = [line] if line else []
    return "\n".join(lines)


def test_a_good_manifest():
    manifest = parse_manifest(GOOD)
    assert manifest.id == "org.example.hinge"
    assert manifest.families == ("distributions",)
    assert manifest.fits((1, 0))
    assert manifest.fits((1, 7))
    assert not manifest.fits((2, 0))


@pytest.mark.parametrize(
    ("api", "version", "fits"),
    [
        (">=1,<2", (1, 9), True),
        (">1.0", (1, 0), False),
        ("==1", (1, 0), True),
        ("!=1.1", (1, 1), False),
        ("<=1.2", (1, 2), True),
        (">=1.3", (1, 2), False),
    ],
)
def test_ranges_of_the_contract(api, version, fits):
    assert parse_manifest(changed("api", f'api = "{api}"')).fits(version) is fits


@pytest.mark.parametrize(
    ("key", "line", "words"),
    [
        ("id", "", "lacks the key 'id'"),
        ("entry", "", "lacks the key 'entry'"),
        ("id", 'id = "hinge"', "reverse domain"),
        ("id", 'id = "org.example.Hinge"', "reverse domain"),
        ("id", 'id = "org.con.hinge"', "reverse domain"),
        ("name", "name = 4", "must be a text"),
        ("name", 'name = "  "', "must be a text"),
        ("version", 'version = "new"', "no version"),
        ("api", 'api = "1.x"', "no range"),
        ("families", 'families = "distributions"', "list of texts"),
        ("families", "families = []", "list of texts"),
        ("families", 'families = ["losses"]', "no plugin family 'losses'"),
        ("families", 'families = ["metrics", "metrics"]', "named twice"),
        ("entry", 'entry = "../hinge"', "no module name"),
    ],
)
def test_faults_name_the_key_and_the_line(key, line, words):
    with pytest.raises(PayoffError, match=words) as refused:
        parse_manifest(changed(key, line), where="plugin.toml")
    assert f"key {key}" in refused.value.where
    if line:
        number = 1 + GOOD.splitlines().index(
            next(t for t in GOOD.splitlines() if t.startswith(key))
        )
        assert f"line {number}" in refused.value.where


def test_an_unknown_key_is_refused_with_its_line():
    with pytest.raises(PayoffError, match="unknown key 'license'") as refused:
        parse_manifest(GOOD + 'license = "MIT"\n')
    assert "line 10" in refused.value.where


def test_text_that_is_no_toml_names_the_line():
    with pytest.raises(PayoffError, match="not valid TOML") as refused:
        parse_manifest("id = 'a'\nname = \n")
    assert "line 2" in refused.value.where


def test_a_one_file_plugin_carries_its_manifest(tmp_path):
    block = "".join(f"# {line}\n" for line in GOOD.splitlines() if not line.startswith("entry"))
    source = f'"""A plugin."""\n\n# /// payoff\n{block}# ///\n\nraise SystemExit\n'
    path = tmp_path / "hinge.py"
    path.write_text(source)
    assert read_manifest(path).entry == "hinge"
    wrong = tmp_path / "wrong.py"
    wrong.write_text(source.replace('name = "Hinge loss"', "name = 4"))
    with pytest.raises(PayoffError) as refused:
        read_manifest(wrong)
    assert "line 5, key name" in refused.value.where  # the line of the file, not of the block


@pytest.mark.parametrize("content", ["{}", "\ufeff{}"])
def test_a_file_that_windows_wrote_has_its_block(tmp_path, content):
    block = "".join(f"# {line}\n" for line in GOOD.splitlines())
    source = f"# /// payoff\n{block}# ///\nx = 1\n"
    path = tmp_path / "hinge.py"
    path.write_bytes(content.format(source.replace("\n", "\r\n")).encode())
    assert read_manifest(path) == read_manifest_of(tmp_path / "linux.py", source)


def read_manifest_of(path, source):
    path.write_text(source)
    return read_manifest(path)


def test_a_file_without_a_block_is_refused(tmp_path):
    path = tmp_path / "plain.py"
    path.write_text("x = 1\n")
    assert inline_manifest("x = 1\n") is None
    with pytest.raises(PayoffError, match="no manifest"):
        read_manifest(path)


@pytest.mark.parametrize("inside", ["", "hinge-0.4.1/"])
def test_a_zip_has_it_at_the_top_or_in_its_only_folder(tmp_path, inside):
    path = tmp_path / "hinge.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{inside}plugin.toml", GOOD)
        archive.writestr(f"{inside}hinge.py", "raise SystemExit\n")
    assert read_manifest(path).name == "Hinge loss"


def test_archives_and_files_that_cannot_be_read(tmp_path):
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04 no zip")
    with pytest.raises(PayoffError, match="cannot be read"):
        read_manifest(broken)
    empty = tmp_path / "empty.zip"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("readme.txt", "")
    with pytest.raises(PayoffError, match="no manifest"):
        read_manifest(empty)
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(PayoffError, match=r"cannot be read.*No such file"):
        read_manifest(folder)
    (folder / "plugin.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(PayoffError, match="not UTF-8"):
        read_manifest(folder)
    (folder / "plugin.toml").write_bytes(b"#" * 70_000)
    with pytest.raises(PayoffError, match="larger than 64 KB"):
        read_manifest(folder)
