"""Every kind of job leads to a function that takes its arguments and a context."""

import inspect
from importlib import import_module

import pytest

from core.engine.jobs import HANDLERS, PLACES


def test_every_kind_has_a_handler():
    assert HANDLERS.keys() == PLACES.keys()


@pytest.mark.parametrize("kind", PLACES)
def test_a_kind_leads_to_a_function_that_takes_arguments_and_context(kind):
    module, function = PLACES[kind]
    handler = getattr(import_module(f"core.engine.jobs.{module}"), function)
    taken = inspect.signature(handler).parameters
    assert list(taken)[-1] == "context"
    assert len(taken) == 2


def test_arguments_reach_the_function(monkeypatch):
    from core.engine.jobs.data import tables

    monkeypatch.setattr(tables, "preview_file", lambda arguments, context: (arguments, context))
    assert HANDLERS["preview"]("a file", "a context") == ("a file", "a context")
