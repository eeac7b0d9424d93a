"""Every command prints as a call, and the call makes the same command: whatever the texts are."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import types
from dataclasses import MISSING, dataclass, is_dataclass
from enum import Enum
from typing import Any, Union, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import core.document
from core.document.commands import Command
from core.document.scripts.form import (
    WIDTH,
    built,
    call_fields,
    call_of,
    described_fields,
    hints_of,
    method_name,
    text_of,
)
from core.document.scripts.kinds import COMMANDS, RECORDS
from payoff.errors import PayoffError

HOSTILE = (
    "'\"",
    '"""',
    "two\nlines",
    "\\",
    "\\'",
    "'); __import__('os').system('x') #",
    "#",
    "{x}",
    "\u2028\x85\x00",
    "",
)
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=8))
NUMBERS = st.floats(allow_nan=False)


def values(expected: Any) -> st.SearchStrategy[Any]:
    """Values of a field by its type."""
    origin = get_origin(expected)
    if origin in (Union, types.UnionType):
        return st.one_of(*(values(choice) for choice in get_args(expected)))
    if origin is tuple:
        parts = get_args(expected)
        if len(parts) == 2 and parts[1] is Ellipsis:
            return st.lists(values(parts[0]), max_size=3).map(tuple)
        return st.tuples(*(values(part) for part in parts))
    if is_dataclass(expected):
        return records(expected)
    if isinstance(expected, type) and issubclass(expected, Enum):
        return st.sampled_from(list(expected))
    plain = {str: TEXTS, float: NUMBERS, int: st.integers(), bool: st.booleans()}
    return st.none() if expected is types.NoneType else plain[expected]


def records(kind: Any) -> st.SearchStrategy[Any]:
    """Records with whatever a person could say; fields that the program fills in are blank."""
    hints = hints_of(kind)
    given_ = {}
    for item in described_fields(kind):
        usual = item.default if item.default is not MISSING else None
        usual = item.default_factory() if item.default_factory is not MISSING else usual
        described = values(hints[item.name])
        given_[item.name] = (
            described if item.default is MISSING else st.one_of(st.just(usual), described)
        )
    return st.builds(kind, **given_)


class Recorder:
    """Stands for a project in an evaluated call: makes the command of each method."""

    def __getattr__(self, name: str) -> Any:
        kind = next(entry for entry in COMMANDS if method_name(entry) == name)
        first = call_fields(kind)[0][0].name

        def call(*args: Any, **given_: Any) -> Any:
            return built(kind, dict(zip((first,), args, strict=False)) | given_)

        return call


def evaluated(text: str) -> Any:
    """What a printed call makes, where nothing but records and the project is known."""
    known = {"project": Recorder(), "float": float, "__builtins__": {}, **RECORDS}
    return eval(text, known)


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_every_command_prints_and_is_read_back(kind: type[Command]) -> None:
    @given(records(kind))
    @settings(max_examples=25, deadline=None)
    def holds(command: Command) -> None:
        assert evaluated(command.to_script()) == command

    holds()


def test_every_command_of_the_program_is_known() -> None:
    found = set()
    for entry in pkgutil.walk_packages(core.document.__path__, "core.document."):
        module = importlib.import_module(entry.name)
        found |= {
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, Command) and value is not Command
        }
    assert found == set(COMMANDS)


def test_names_of_calls_and_of_their_arguments_are_unique() -> None:
    names = [method_name(kind) for kind in COMMANDS]
    assert sorted(names) == sorted(set(names))
    for kind in COMMANDS:
        arguments = [item.name for item, _ in call_fields(kind)]
        assert len(arguments) == len(set(arguments)), kind


@given(st.sampled_from(COMMANDS).flatmap(records))
@settings(max_examples=80, deadline=None)
def test_a_call_is_one_expression_of_calls_and_constants(command: Command) -> None:
    tree = ast.parse(command.to_script(), mode="eval")
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert names <= {"project", "float", *RECORDS}
    assert names - {"project", "float"} == set(call_of(command).records)
    attributes = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    assert attributes == [method_name(type(command))]


def test_long_calls_are_broken_into_lines_that_fit() -> None:
    kind = next(entry for entry in COMMANDS if method_name(entry) == "set_roles")
    columns = tuple(f"column_{number}" for number in range(60))
    text = built(kind, {"role": "input", "columns": columns}).to_script()
    assert max(map(len, text.splitlines())) <= WIDTH
    assert len(text.splitlines()) < 15


@pytest.mark.parametrize(
    ("method", "given_", "words"),
    [
        ("set_priors", {"priors": {"yes": "often"}}, "priors"),
        ("set_priors", {"prior": {}}, "has no argument 'prior'"),
        ("set_priors", {}, "needs the argument 'priors'"),
        ("set_rows_used", {"rows_used": "some"}, "one of train, validation"),
        ("set_split", {"shares": [0.5, 0.5]}, "3 values"),
        ("set_costs", {"costs": [{"amout": 1.0}]}, "has no argument 'amout'"),
        ("set_costs", {"costs": [object()]}, "no plain form"),
    ],
)
def test_what_does_not_fit_a_call_is_refused_in_words(
    method: str, given_: dict[str, Any], words: str
) -> None:
    with pytest.raises(PayoffError, match=words):
        getattr(Recorder(), method)(**given_)


def test_lists_dicts_and_words_stand_for_tuples_records_and_choices() -> None:
    made = Recorder().add_scenario(
        name="High", settings=[{"number": {"kind": "parameter", "name": "price"}, "value": 3}]
    )
    assert made.scenario.settings[0].value == 3.0
    assert made.to_script() == (
        "project.add_scenario(\n"
        "    'High',\n"
        "    settings=[NumberSetting(number=NumberRef(kind='parameter', name='price'), value=3.0)],"
        "\n)"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """A question, as any record can be one."""

    most_actions: float | None = None
    name: str = ""


def test_any_record_prints_as_a_question() -> None:
    text = text_of(Capacity(most_actions=500.0), "payoff.questions.").text
    assert text == "payoff.questions.Capacity(most_actions=500.0)"
