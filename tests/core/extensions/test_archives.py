"""A zipped plugin is looked at before anything is written."""

import stat
import zipfile
from random import Random

import pytest

from core.extensions import check_plugin_files
from core.extensions.installing import unpack
from payoff import PayoffError
from tests.helpers.factories.plugins import manifest, metric_code


def archive_with(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("plugin.toml", manifest())
        for member, content in members:
            archive.writestr(member, content)
    return path


def link(name):
    member = zipfile.ZipInfo(name)
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member


UNSAFE = {
    "leads out": [("../evil.py", "")],
    "out of the folder": [("/etc/evil.py", "")],
    "backslash": [("a\\b.py", "")],
    "colon": [("C:evil.py", "")],
    "link or a device": [(link("own.py"), "/etc/passwd")],
    "same name": [("own.py", ""), ("OWN.py", "")],
    "is a device": [("con.py", "")],
    "archive in an archive": [("more.zip", "")],
    "grows more than": [("zeros.bin", b"\0" * (5 << 20))],
}


@pytest.mark.parametrize("words", UNSAFE)
def test_an_unsafe_archive_is_refused_and_nothing_is_written(tmp_path, words):
    path = archive_with(tmp_path / "bad.zip", UNSAFE[words])
    with pytest.raises(PayoffError, match="not safe") as refused:
        unpack(path, tmp_path / "unpacked" / "bad")
    assert words in refused.value.why
    assert not (tmp_path / "unpacked").exists()


def test_a_large_member_that_grows_as_tables_do_is_let_through(tmp_path):
    table = Random(4).randbytes(1 << 20).hex()
    path = archive_with(tmp_path / "good.zip", [("table.csv", table)])
    folder = unpack(path, tmp_path / "unpacked")
    assert (folder / "table.csv").read_text() == table


def test_too_many_members(tmp_path):
    path = archive_with(tmp_path / "many.zip", [(f"d/{i}.txt", "") for i in range(10_001)])
    with pytest.raises(PayoffError) as refused:
        unpack(path, tmp_path / "unpacked")
    assert "10,002 members" in refused.value.why


def test_a_good_archive_is_unpacked_once_and_checked(tmp_path):
    path = archive_with(tmp_path / "good.zip", [("own.py", metric_code())])
    folder = unpack(path, tmp_path / "unpacked" / "good")
    assert sorted(place.name for place in folder.iterdir()) == ["own.py", "plugin.toml"]
    (folder / "own.py").write_text("# kept\n")
    assert unpack(path, tmp_path / "unpacked" / "good") == folder
    assert (folder / "own.py").read_text() == "# kept\n"
    assert [place.name for place in (tmp_path / "unpacked").iterdir()] == ["good"]
    assert check_plugin_files(path).passed
