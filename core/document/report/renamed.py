"""What has got another name from one document to the next: by a command, undone or done again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.document.commands import Command, RenameModel
from core.document.decisions.commands import RenameDecision
from core.document.decisions.numbers import RenameScenario
from core.document.model import Document


class Renaming(NamedTuple):
    """A name that became another; ``field`` is what records call the field that holds it."""

    field: str
    former: str
    name: str


def renamed_between(before: Document, after: Document) -> Renaming | None:
    """Return what differs between two documents by its name alone; None where it is anything else.

    It is found by giving the name again, so nothing else can differ.
    """
    for found, command in _candidates(before, after):
        if command.apply(before) == after:
            return found
    return None


def _candidates(before: Document, after: Document) -> Iterator[tuple[Renaming, Command]]:
    """Every kind of name of which one, and one only, differs."""
    for field, (names_of, command) in _NAMES.items():
        old, new = names_of(before), names_of(after)
        if len(old) == len(new):
            changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
            if len(changed) == 1:
                found = Renaming(field, *changed[0])
                yield found, command(found.former, found.name)


def _models(document: Document) -> tuple[str, ...]:
    return tuple(entry.name for entry in document.models)


def _decisions(document: Document) -> tuple[str, ...]:
    return document.matrix.decisions if document.matrix is not None else ()


def _scenarios(document: Document) -> tuple[str, ...]:
    return tuple(entry.name for entry in document.scenarios)


_NAMES: dict[str, tuple[Callable[[Document], tuple[str, ...]], Callable[[str, str], Command]]] = {
    "model": (_models, lambda former, name: RenameModel(model=former, name=name)),
    "decision": (_decisions, lambda former, name: RenameDecision(decision=former, name=name)),
    "scenario": (_scenarios, lambda former, name: RenameScenario(scenario=former, name=name)),
}
