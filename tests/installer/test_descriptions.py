"""What describes the packages of the three systems is read here as their tools would read it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
INSTALLER = ROOT / "installer"


class _Analysis:
    """Stands for PyInstaller's analysis: it finds nothing but what it was given."""

    def __init__(self, scripts: list[str], **given: Any) -> None:
        self.scripts, self.given = scripts, given
        self.binaries = [("PySide6/libQt6Quick.so.6", "", "BINARY"), ("a.so", "", "BINARY")]
        self.datas, self.pure = [(place, source, "DATA") for source, place in given["datas"]], []


def run_spec(monkeypatch: pytest.MonkeyPatch, system: str) -> dict[str, list[dict[str, Any]]]:
    """Run payoff.spec as on a system; what was made, with the named arguments of each."""
    made: dict[str, list[dict[str, Any]]] = {"EXE": [], "COLLECT": [], "BUNDLE": [], "Analysis": []}

    def recorder(kind: str) -> Any:
        return lambda *given, **named: made[kind].append(named) or given

    def analyse(*given: Any, **named: Any) -> _Analysis:
        made["Analysis"].append(named)
        return _Analysis(*given, **named)

    hooks = ModuleType("PyInstaller.utils.hooks")
    vars(hooks)["collect_submodules"] = lambda package, filter=None: [package]
    vars(hooks)["copy_metadata"] = lambda name: []
    monkeypatch.setitem(sys.modules, "PyInstaller", ModuleType("PyInstaller"))
    monkeypatch.setitem(sys.modules, "PyInstaller.utils", ModuleType("PyInstaller.utils"))
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    monkeypatch.setattr(sys, "path", [str(INSTALLER / "freeze"), *sys.path])
    import contents

    monkeypatch.setattr(contents, "library_modules", lambda: ["json"])
    monkeypatch.setattr(sys, "platform", system)
    scope = {kind: recorder(kind) for kind in ("EXE", "COLLECT", "BUNDLE")}
    scope |= {"SPECPATH": str(INSTALLER), "Analysis": analyse, "PYZ": lambda pure: pure}
    spec = INSTALLER / "payoff.spec"
    exec(compile(spec.read_text("utf-8"), str(spec), "exec"), scope)
    return made


@pytest.mark.parametrize(
    ("system", "programs", "bundles"),
    [("linux", 1, 0), ("win32", 2, 0), ("darwin", 1, 1)],
)
def test_the_spec_makes_each_system_s_programs(
    monkeypatch: pytest.MonkeyPatch, system: str, programs: int, bundles: int
) -> None:
    made = run_spec(monkeypatch, system)
    assert [len(made[kind]) for kind in ("EXE", "COLLECT", "BUNDLE")] == [programs, 1, bundles]
    assert ("icon" in made["EXE"][0]) == (system != "linux")
    # Kernels and plugins stay files: numba stamps them by their content.
    modes = made["Analysis"][0]["module_collection_mode"]
    assert modes == dict.fromkeys(("payoff", "core", "gui", "plugins"), "py")
    if system == "win32":
        assert [one["console"] for one in made["EXE"]] == [False, True]
    for bundle in made["BUNDLE"]:
        kinds = bundle["info_plist"]["CFBundleDocumentTypes"]
        assert [kind["CFBundleTypeExtensions"] for kind in kinds] == [["payoff"], ["payoff-plugin"]]


def test_scripts_of_the_installer_are_well_formed() -> None:
    scripts = sorted(INSTALLER.rglob("*.sh"))
    assert len(scripts) >= 8
    for script in scripts:
        subprocess.run(["sh", "-n", str(script)], check=True)


@pytest.mark.skipif(shutil.which("makensis") is None, reason="makensis is not installed")
def test_the_setup_script_of_windows_compiles_without_a_warning(tmp_path: Path) -> None:
    program = tmp_path / "payoff"
    (program / "_internal").mkdir(parents=True)
    for name in ("payoff.exe", "payoff-console.exe", "_internal/library.dll"):
        (program / name).write_bytes(b"stands for the frozen program")
    icon = tmp_path / "payoff.ico"
    icon.write_bytes(_icon())
    setup = tmp_path / "payoff-0.1.0-setup.exe"
    settings = {"VERSION": "0.1.0", "PROGRAM": program, "ICON": icon, "OUT": setup}
    words = [f"-D{name}={value}" for name, value in settings.items()]
    script = INSTALLER / "windows" / "payoff.nsi"
    done = subprocess.run(
        ["makensis", "-V2", "-WX", *words, str(script)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert setup.read_bytes()[:2] == b"MZ"


def _icon() -> bytes:
    """An icon of 16 x 16 points, 32 bits each."""
    size, mask = 16 * 16 * 4, 16 * 4
    words = [40, 16, 32]
    image = b"".join(word.to_bytes(4, "little") for word in words)
    image += (1).to_bytes(2, "little") + (32).to_bytes(2, "little") + bytes(24)
    image += b"\xff" * size + bytes(mask)
    head = bytes([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0])
    return head + len(image).to_bytes(4, "little") + (22).to_bytes(4, "little") + image
