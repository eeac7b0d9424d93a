"""Every kind of job is declared once, and what is declared of it is there."""

import ast
import inspect
from collections import Counter
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import core.engine
from core.document.model import Document
from core.engine.kinds import (
    DECLARED,
    EVERY_FAMILY,
    JobKind,
    every_kind,
    find_kind,
    resolve,
    standard_handlers,
)
from core.questions.lanes import Lane
from core.questions.question import questions
from payoff.manifest import FAMILIES


def test_every_kind_is_declared_once_and_has_a_handler():
    keys = [kind.key for kind in every_kind()]
    assert Counter(keys).most_common(1)[0][1] == 1
    assert set(standard_handlers()) == set(keys)
    assert all(find_kind(kind.key) == kind for kind in every_kind())


def test_a_question_is_a_kind_that_says_its_lane_itself():
    for key, question in questions().items():
        assert find_kind(key).lane is question.facts.lane
        assert bool(find_kind(key).result) is question.facts.is_stored
        assert callable(resolve(question.facts.work))
        assert not question.facts.inputs or callable(resolve(question.facts.inputs))


@pytest.mark.parametrize("kind", every_kind(), ids=lambda kind: kind.key)
def test_a_kind_leads_to_a_function_that_takes_arguments_and_context(kind):
    taken = inspect.signature(resolve(kind.place)).parameters
    assert list(taken)[-1] == "context"
    assert len(taken) == 2


@pytest.mark.parametrize("kind", every_kind(), ids=lambda kind: kind.key)
def test_what_is_said_of_a_kind_is_there(kind):
    assert kind.reads is None or kind.reads.names <= {field.name for field in fields(Document)}
    assert set(kind.lists) <= {*FAMILIES, EVERY_FAMILY}
    assert not kind.is_fresh or kind.result
    assert not kind.changes_plugins or kind.writes
    if kind.result:
        record = resolve(kind.result)
        assert is_dataclass(record)
        homes = ("results", "data.results", "training_results", "studies.models")
        assert record.__module__ in [f"core.document.{name}" for name in homes]


@pytest.mark.parametrize("kind", DECLARED, ids=lambda kind: kind.key)
def test_a_kind_that_is_handed_a_document_says_what_it_reads_of_it(kind):
    handler = resolve(kind.place)
    described = next(iter(inspect.signature(handler).parameters.values())).annotation
    taken = handler.__globals__[described]
    holds_document = "document" in {item.name for item in fields(taken)}
    assert (kind.reads is not None) == holds_document


def test_an_unknown_kind_is_a_long_job_that_is_not_kept():
    assert find_kind("handler of a test") == JobKind(key="", place="", lane=Lane.LONG)


def test_no_table_of_kinds_stands_beside_the_declaration():
    known = {kind.key for kind in every_kind()}
    found = []
    engine = Path(core.engine.__file__).parent
    root = engine.parents[1]
    for path in (*engine.rglob("*.py"), *(root / "gui" / "session").rglob("*.py")):
        if path == engine / "kinds.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict | ast.Set):
                keys = node.keys if isinstance(node, ast.Dict) else node.elts
                named = [key.value for key in keys if isinstance(key, ast.Constant)]
                if len(named) > 1 and all(name in known for name in named):
                    found.append(f"{path.relative_to(root)}: {named}")
    assert found == []


def test_arguments_reach_the_function(monkeypatch):
    from core.engine.jobs import data

    monkeypatch.setattr(data, "preview_file", lambda arguments, context: (arguments, context))
    assert standard_handlers()["preview"]("a file", "a context") == ("a file", "a context")
