"""What the scripts of the installer say to the program are words that it knows."""

from __future__ import annotations

import re
from pathlib import Path

from core.script.command_line.arguments import (
    AUTHOR_VERBS,
    CLUSTER_VERBS,
    VERBS,
    verb_parser,
)
from core.script.command_line.program import window_parser

INSTALLER = Path(__file__).resolve().parents[2] / "installer"


def test_samples_that_scripts_name_are_there():
    texts = [path.read_text("utf-8") for path in sorted(INSTALLER.rglob("*.sh"))]
    run = {
        name for text in texts for name in re.findall(r"(?:main\.py|program) sample ([\w-]+)", text)
    }
    shown = {name for text in texts for name in re.findall(r"--sample ([\w-]+)", text)}
    assert run
    assert shown
    for name in run:
        assert verb_parser().parse_args(["sample", name, "--report", "out"]).name == name
    for name in shown:
        assert window_parser().parse_args(["--sample", name]).sample == name


def test_the_manual_page_names_every_verb_and_no_other():
    page = (INSTALLER / "linux" / "payoff.1").read_text("utf-8")
    named = page.partition(".SH VERBS\n")[2].partition(".B payoff\n")[0]
    assert set(re.findall(r"[a-z][a-z-]+", named)) == {*VERBS, *AUTHOR_VERBS, *CLUSTER_VERBS}
