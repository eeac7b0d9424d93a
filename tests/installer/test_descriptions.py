"""What describes the packages of the three systems is read here as their tools would read it."""

from __future__ import annotations

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
    vars(hooks)["collect_data_files"] = lambda name, includes=None: []
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
    [("linux", 1, 0), ("darwin", 1, 1)],
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
    for bundle in made["BUNDLE"]:
        kinds = bundle["info_plist"]["CFBundleDocumentTypes"]
        assert [kind["CFBundleTypeExtensions"] for kind in kinds] == [["payoff"], ["payoff-plugin"]]


def test_scripts_of_the_installer_are_well_formed() -> None:
    scripts = sorted(INSTALLER.rglob("*.sh"))
    assert len(scripts) >= 8
    for script in scripts:
        subprocess.run(["sh", "-n", str(script)], check=True)
