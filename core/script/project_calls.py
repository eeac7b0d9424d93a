"""What a project's scripts call: a method for every command, and the engine's part of some of them.

A method has the name, the arguments and the help of its command (``core.document.scripts.form``).
Commands that hold what the engine works out - a table, trees, fitted chances - are given here what
a person says, and are completed before they change the document.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.document.commands import AddTrainedModel, Command, OpenData
from core.document.data.model import DataRef, FileRef
from core.document.data.opening import with_recipe
from core.document.data.results import TableSummary
from core.document.decisions.model_commands import SetChances, SetTrees
from core.document.model import ChancesSpec, Document, TrainedModel, TreeRule
from core.document.scripts.form import built, call_fields, method_name, signature_of
from core.document.scripts.kinds import COMMANDS
from core.document.studies.data import MakeTableArguments
from core.document.training_results import TrainResult
from core.engine.messages import LoadArguments, TrainArguments
from core.questions.compare import FitChances
from core.questions.explain import TreeNumbers
from core.script.session import engine
from payoff.errors import PayoffError

Method = Callable[..., Document]


def completed(command: Command, document: Callable[[], Document]) -> Command:
    """A command with what the engine works out for it; as it is where that is there.

    The number of trees that a rule chooses is always worked out: what is said of it must hold.

    ``document`` gives the project's document with its data found.

    Raises
    ------
    PayoffError
        If the file cannot be read, the model not trained, or chances not fitted.
    """
    if isinstance(command, OpenData) and not command.data.content_hash:
        return replace(command, data=made_table(command.data).data)
    if isinstance(command, AddTrainedModel) and not command.model.model_hash:
        return replace(command, model=_trained(command.model, document()))
    if isinstance(command, SetChances) and command.chances and not command.chances.maps:
        return replace(command, chances=_fitted(command.model, command.chances, document()))
    if isinstance(command, SetTrees) and command.rule is not TreeRule.HAND:
        return replace(command, trees=_chosen_trees(command, document()))
    return command


def _chosen_trees(command: SetTrees, document: Document) -> int:
    """The number of trees that a rule chooses."""
    found = engine().ask(document, TreeNumbers(model=command.model))
    choice = next(entry for entry in found.choices if entry.rule is command.rule)
    if choice.why_not:
        raise PayoffError(
            f"The rule '{command.rule.value}' chooses no number of trees of '{command.model}'.",
            why=choice.why_not,
            remedy="Give the number by hand: project.set_trees(model, trees=...).",
        )
    return choice.trees


def made_table(asked: DataRef) -> TableSummary:
    """The table of a file as it is to be read, with what is made of it."""
    recipe = asked.recipe
    summary = _load(asked.path, asked)
    if recipe.is_empty:
        return summary
    recipe = replace(
        recipe,
        rows=tuple(replace(entry, file=_known(entry.file)) for entry in recipe.rows),
        joins=tuple(replace(entry, file=_known(entry.file)) for entry in recipe.joins),
    )
    arguments = MakeTableArguments(data=with_recipe(summary.data, recipe))
    together: TableSummary = engine().run("make_table", arguments)
    return together


def _load(path: str, asked: DataRef | FileRef) -> TableSummary:
    summary: TableSummary = engine().run("load", LoadArguments(path=path, reader=asked.reader))
    return summary


def _known(file: FileRef) -> FileRef:
    """A further file with what tells it by its content."""
    data = _load(file.path, file).data
    return FileRef(
        path=data.path,
        content_hash=data.content_hash,
        size_bytes=data.size_bytes,
        reader=data.reader,
    )


def _trained(settings: TrainedModel, document: Document) -> TrainedModel:
    arguments = TrainArguments(document=document, settings=settings)
    result: TrainResult = engine().run("train", arguments)
    return result.model


def _fitted(model: str, asked: ChancesSpec, document: Document) -> ChancesSpec:
    question = FitChances(
        model=model, folds=asked.folds, seed=asked.seed, bands=asked.bands, rows=asked.rows
    )
    result = engine().ask(document, question)
    specs = [option.spec for option in result.options if option.spec is not None]
    fitted = next(spec for spec in specs if spec.method is asked.method)
    if fitted.is_reversed is not asked.is_reversed:
        raise PayoffError(
            f"The scores of '{model}' run the other way.",
            why="Their column's role says whether a high score makes the event less likely.",
            remedy="Say it there: project.set_role(column, role='score', is_reversed=...).",
        )
    return fitted


# ---------------------------------------------------------------- methods


def method_of(kind: type[Command]) -> Method:
    """The method of a project that runs a kind of command."""
    name = method_name(kind)
    known = call_fields(kind)
    first = known[0][0].name

    def method(project: Any, *args: Any, **given: Any) -> Document:
        if len(args) > 1 or (args and first in given):
            raise PayoffError(
                f"{name}() takes one argument without a name: {first}.",
                remedy=f"help({name}) says what it takes.",
            )
        command = built(kind, dict(zip((first,), args, strict=False)) | given, name)
        changed: Document = project.apply(command)
        return changed

    method.__name__ = name
    method.__qualname__ = f"Project.{name}"
    method.__doc__ = inspect.getdoc(kind)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    shown = signature_of(kind, is_method=True)
    arguments = [own, *shown.parameters.values()]
    method.__signature__ = shown.replace(parameters=arguments)  # type: ignore[attr-defined]
    return method


METHODS: dict[str, Method] = {method_name(kind): method_of(kind) for kind in COMMANDS}
"""The methods that every project has, by name."""
