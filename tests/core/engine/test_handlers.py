"""Every kind of job is declared once, and what is declared of it is there."""

import ast
import inspect
from collections import Counter
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import core.engine
from core.document.model import Document
from core.engine.handlers import HANDLERS
from core.engine.kinds import DECLARED, EVERY_FAMILY, KINDS, JobKind, find_kind, resolve
from core.engine.messages import Lane
from payoff.manifest import FAMILIES


def test_every_kind_is_declared_once_and_has_a_handler():
    assert Counter(kind.key for kind in DECLARED) == Counter(list(KINDS))
    assert HANDLERS.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", DECLARED, ids=lambda kind: kind.key)
def test_a_kind_leads_to_a_function_that_takes_arguments_and_context(kind):
    taken = inspect.signature(resolve(kind.place)).parameters
    assert list(taken)[-1] == "context"
    assert len(taken) == 2


@pytest.mark.parametrize("kind", DECLARED, ids=lambda kind: kind.key)
def test_what_is_said_of_a_kind_is_there(kind):
    assert set(kind.ignores) <= {field.name for field in fields(Document)}
    assert set(kind.lists) <= {*FAMILIES, EVERY_FAMILY}
    assert not kind.is_fresh or kind.result
    assert not kind.changes_plugins or kind.writes
    if kind.result:
        record = resolve(kind.result)
        assert is_dataclass(record)
        homes = ("results", "data.results", "training_results")
        assert record.__module__ in [f"core.document.{name}" for name in homes]


def test_an_unknown_kind_is_a_long_job_that_is_not_kept():
    assert find_kind("handler of a test") == JobKind(key="", place="", lane=Lane.LONG)


def test_no_table_of_kinds_stands_beside_the_declaration():
    found = []
    engine = Path(core.engine.__file__).parent
    root = engine.parents[1]
    for path in (*engine.rglob("*.py"), *(root / "gui" / "jobs").rglob("*.py")):
        if path == engine / "kinds.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict | ast.Set):
                keys = node.keys if isinstance(node, ast.Dict) else node.elts
                named = [key.value for key in keys if isinstance(key, ast.Constant)]
                if len(named) > 1 and all(name in KINDS for name in named):
                    found.append(f"{path.relative_to(root)}: {named}")
    assert found == []


def test_arguments_reach_the_function(monkeypatch):
    from core.engine.jobs.data import tables

    monkeypatch.setattr(tables, "preview_file", lambda arguments, context: (arguments, context))
    assert HANDLERS["preview"]("a file", "a context") == ("a file", "a context")
