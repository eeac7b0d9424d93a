"""Where the inputs of questions are made and their answers worked out: below the engine."""

from __future__ import annotations

from importlib import import_module

import pytest

from core.questions.question import questions

PLACES = sorted(
    {
        (key, place)
        for key, record in questions().items()
        for place in (record.facts.inputs, record.facts.work)
        if place
    }
)


@pytest.mark.parametrize(("key", "place"), PLACES)
def test_every_place_is_a_function(key, place):
    module, _, name = place.partition(":")
    assert callable(getattr(import_module(module), name)), key


def test_no_question_is_answered_in_the_engine():
    there = [(key, place) for key, place in PLACES if place.startswith("core.engine")]
    assert not there
