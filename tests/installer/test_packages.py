"""The packages for Linux: the same folder gives the same bytes, whenever it was made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

INSTALLER = Path(__file__).resolve().parents[2] / "installer"


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "path", [str(INSTALLER / "linux"), *sys.path])
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    import packages

    return packages


def lay_out(folder: Path, age: int) -> tuple[Path, Path, Path]:
    """A program, icons and a place for packages; the files are so old."""
    program, icons, out = folder / "payoff", folder / "icons", folder / "out"
    for place, text in {
        program / "payoff": "stands for the program",
        program / "_internal/payoff/version.py": '__version__ = "0.1.0"\n',
        program / "_internal/lib.so": "stands for a library",
        **{icons / f"payoff-{size}.png": "an icon" for size in (48, 128, 256)},
    }.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
        os.utime(place, (age, age))
    (program / "payoff").chmod(0o755)
    out.mkdir()
    return program, icons, out


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb")
def test_a_deb_is_the_same_twice_and_as_old_as_the_builder_says(packages, tmp_path: Path) -> None:
    made = [
        packages.make_deb(*lay_out(tmp_path / name, age), level=0)
        for name, age in (("one", 1_600_000_000), ("two", 1_650_000_000))
    ]
    assert made[0].read_bytes() == made[1].read_bytes()
    listed = subprocess.run(
        ["dpkg-deb", "--contents", str(made[0])],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TZ": "UTC"},
    ).stdout
    lines = listed.splitlines()
    assert all("2023-11-14 22:13" in line for line in lines), listed
    assert any("./usr/bin/payoff -> ../lib/payoff/payoff" in line for line in lines)


def test_a_tarball_is_the_same_twice(packages, tmp_path: Path) -> None:
    made = [
        packages.make_tarball(*lay_out(tmp_path / name, age))
        for name, age in (("one", 1_600_000_000), ("two", 1_650_000_000))
    ]
    assert made[0].read_bytes() == made[1].read_bytes()


def test_a_package_that_is_too_large_ends_the_build(packages, tmp_path: Path, capsys) -> None:
    package = tmp_path / "payoff_0.1.0_amd64.deb"
    package.write_bytes(b"x" * 1001)
    packages.say_size(package, 1001)
    assert capsys.readouterr().out == "payoff_0.1.0_amd64.deb: 1,001 bytes\n"
    with pytest.raises(SystemExit, match="at most 1,000 bytes"):
        packages.say_size(package, 1000)
