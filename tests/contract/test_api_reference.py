"""The reference is up to date, and nothing public is without words."""

from __future__ import annotations

import argparse
import ast
import runpy
from pathlib import Path

import pytest

import payoff
from core.script.command_line.arguments import VERBS, verb_parser
from payoff.hooks import HOOKS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "api.md").read_text("utf-8")


def test_the_reference_is_up_to_date():
    made = runpy.run_path(str(ROOT / "docs" / "make_api.py"))["reference"]()
    assert made == TEXT, "run: python docs/make_api.py"


def test_every_hook_name_and_function_is_there():
    names = [*HOOKS.values(), *payoff.__all__, *payoff.SCRIPT_FUNCTIONS]
    assert [name for name in names if f"### `{name}`" not in TEXT] == []


def verbs():
    parser = verb_parser()
    (found,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return found.choices


def test_every_command_is_there():
    assert set(verbs()) == set(VERBS)
    assert [verb for verb in VERBS if f"### `payoff {verb}`" not in TEXT] == []


@pytest.mark.parametrize("verb", ["check-plugin", "new-plugin", "pack-plugin", "plugins"])
def test_every_option_for_plugins_is_explained(verb):
    actions = [action for action in verbs()[verb]._actions if action.dest != "help"]
    assert [action.dest for action in actions if not (action.help or "").strip()] == []
    guide = (ROOT / "docs" / "plugin-guide.md").read_text("utf-8")
    assert f"payoff {verb}" in guide
    for option in ("--safe-mode", "--only-plugins", "--trace-hooks"):
        assert f"`{option}" in guide


def test_every_public_function_of_payoff_has_a_docstring():
    without = [
        f"{path.name}:{node.lineno} {node.name}"
        for path in sorted((ROOT / "payoff").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and ast.get_docstring(node) is None
    ]
    assert without == []
