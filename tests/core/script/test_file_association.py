"""A double click on a plugin's file opens the installed program, on every system."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.script.command_line.program import window_parser

INSTALLER = Path(__file__).parents[3] / "installer"


@pytest.mark.parametrize("ending", ["payoff", "payoff-plugin"])
def test_the_installed_program_opens_files_of_its_own(ending):
    kinds = ElementTree.parse(INSTALLER / "linux" / "payoff-mime.xml").getroot()
    kind = next(
        one.get("type") for one in kinds for glob in one if glob.get("pattern") == f"*.{ending}"
    )
    desktop = (INSTALLER / "linux" / "payoff.desktop").read_text("utf-8")
    assert kind in desktop
    assert "Exec=payoff %f" in desktop
    windows = (INSTALLER / "windows" / "payoff.nsi").read_text("utf-8")
    assert f'!insertmacro Associate "{ending}"' in windows
    assert f'!insertmacro Dissociate "{ending}"' in windows
    assert f', "{ending}", "' in (INSTALLER / "payoff.spec").read_text("utf-8")


def test_the_file_is_the_first_word_of_the_command():
    assert window_parser().parse_args(["own.payoff-plugin"]).file == "own.payoff-plugin"
