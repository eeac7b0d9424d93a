"""Steps of the trial that look at Windows itself, run there by the build's own Python.

``python.exe trial_steps.py STEP ARGUMENTS``: a step that finds something wrong ends with 1.
"""

from __future__ import annotations

import os
import subprocess
import sys
import winreg
from pathlib import Path

CLASSES = r"Software\Classes"
REMOVAL = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\Payoff"
MENU = Path(os.environ["APPDATA"]) / "Microsoft/Windows/Start Menu/Programs/Payoff.lnk"


def install(setup: str, folder: str) -> None:
    """Install silently; NSIS wants the folder last and without quotes."""
    subprocess.run(f'"{setup}" /S /D={folder}', check=True, timeout=1800)
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    print(f"{len(files):,} files, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB")
    print(f"longest path below the folder: {max(len(str(p)) - len(folder) for p in files)} signs")
    registered(folder)


def refused(setup: str, folder: str) -> None:
    """Install over a program that runs: it says so and changes nothing."""
    done = subprocess.run(f'"{setup}" /S /D={folder}', check=False, timeout=600)
    require(done.returncode == 3, f"the setup ended with {done.returncode} while Payoff ran")
    print("the setup does not touch a program that runs: exit code 3")


def registered(folder: str) -> None:
    """Menu, kinds of file, entry for removal."""
    require(MENU.is_file(), "the Start menu has no entry")
    for ending in ("payoff", "payoff-plugin"):
        command = opens(ending)
        require(command == f'"{folder}\\payoff.exe" "%1"', f".{ending} is opened by {command}")
    described = {
        name: value(REMOVAL, name) for name in ("DisplayName", "DisplayVersion", "Publisher")
    }
    print("menu, .payoff, .payoff-plugin; removal:", described)


def opens(ending: str) -> str:
    """What a double click runs."""
    kind = value(rf"{CLASSES}\.{ending}", "")
    return value(rf"{CLASSES}\{kind}\shell\open\command", "")


def double_click(path: str) -> None:
    """Open a file as the desktop does.

    Wine's HKEY_CLASSES_ROOT is the machine's part of the registry alone; Windows' is the user's
    part over it. What the setup wrote is therefore written into the machine's part too.
    """
    for ending in ("payoff", "payoff-plugin"):
        kind = value(rf"{CLASSES}\.{ending}", "")
        winreg.SetValue(winreg.HKEY_LOCAL_MACHINE, rf"{CLASSES}\.{ending}", winreg.REG_SZ, kind)
        place = rf"{CLASSES}\{kind}\shell\open\command"
        winreg.SetValue(winreg.HKEY_LOCAL_MACHINE, place, winreg.REG_SZ, opens(ending))
    os.startfile(path)


def remove(folder: str) -> None:
    """Remove silently, as the list of programs does it, and look at what is left."""
    command = value(REMOVAL, "QuietUninstallString")
    subprocess.run(f"{command} _?={folder}", check=True, timeout=600)
    left = [str(path) for path in Path(folder).rglob("*") if path.is_file()]
    require(left in ([], [rf"{folder}\uninstall.exe"]), f"left in the folder: {left[:5]}")
    require(not MENU.exists(), "the Start menu still has it")
    for key in (REMOVAL, rf"{CLASSES}\.payoff", rf"{CLASSES}\Payoff.Project", r"Software\Payoff"):
        require(not exists(key), f"{key} is still there")
    print("nothing of the program: files, menu, kinds of file, entry for removal")


def value(key: str, name: str) -> str:
    """A value of the user's part of the registry."""
    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
        return str(winreg.QueryValueEx(opened, name)[0])


def exists(key: str) -> bool:
    """Whether the user's part of the registry has a key."""
    try:
        winreg.OpenKey(winreg.HKEY_CURRENT_USER, key).Close()
    except FileNotFoundError:
        return False
    return True


def require(condition: bool, words: str) -> None:
    """End the trial where something is not as it should be."""
    if not condition:
        raise SystemExit(words)


STEPS = {
    "install": install,
    "refused": refused,
    "registered": registered,
    "double-click": double_click,
    "remove": remove,
}

if __name__ == "__main__":
    STEPS[sys.argv[1]](*sys.argv[2:])
