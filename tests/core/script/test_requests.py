"""Functions of many arguments look and refuse like any other function."""

import inspect
import pickle
import re
import typing
from collections.abc import Sequence

import pytest

import payoff

FUNCTIONS = ("boost", "decide", "evaluate", "uplift")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_explained_in_the_docstring(name):
    function = getattr(payoff, name)
    taken = inspect.signature(function).parameters
    explained = function.__doc__.split("Returns\n")[0]
    headings = [line for line in explained.splitlines() if re.match(r"    \w", line)]
    named = {word for line in headings for word in re.findall(r"\w+", line.split(" :")[0])}
    assert set(taken) - named == set()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_only_the_data_go_by_place(name):
    first, *others = inspect.signature(getattr(payoff, name)).parameters.values()
    assert (first.name, first.kind) == ("data", first.POSITIONAL_OR_KEYWORD)
    assert {item.kind for item in others} == {inspect.Parameter.KEYWORD_ONLY}
    with pytest.raises(TypeError, match=rf"^{name}\(\) too many positional arguments"):
        getattr(payoff, name)({}, {})


def test_annotations_can_be_resolved():
    hints = typing.get_type_hints(payoff.decide)
    assert hints["outputs"] == Sequence[str]
    assert hints["return"].__name__ == "Decisions"
    assert "request" not in hints


def test_wrong_arguments_are_refused_in_the_name_of_the_function():
    with pytest.raises(TypeError, match=r"^decide\(\) missing a required .*'matrix'"):
        payoff.decide({"a": [1.0]})
    with pytest.raises(TypeError, match=r"^decide\(\) got an unexpected .*'matrixx'"):
        payoff.decide({"a": [1.0]}, matrix={}, matrixx={})


def test_the_function_travels_to_another_process():
    assert pickle.loads(pickle.dumps(payoff.boost)) is payoff.boost
