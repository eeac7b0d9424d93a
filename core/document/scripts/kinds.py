"""Every kind of command and the records that commands take, found in the modules that hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType

from core.document import commands
from core.document.commands import Command
from core.document.compare import commands as compare
from core.document.data import commands as data
from core.document.decisions import commands as decisions
from core.document.decisions import model_commands, numbers
from core.document.report import commands as report
from core.document.scripts.form import hints_of, records_within, said_fields, spread_field
from core.document.uplift import commands as uplift

MODULES: tuple[ModuleType, ...] = (
    commands,
    model_commands,
    data,
    decisions,
    numbers,
    compare,
    uplift,
    report,
)
"""The modules that hold commands."""


def _kinds() -> Iterator[type[Command]]:
    for module in MODULES:
        for value in vars(module).values():
            is_kind = isinstance(value, type) and issubclass(value, Command)
            if is_kind and value.__module__ == module.__name__ and value is not Command:
                yield value


COMMANDS: tuple[type[Command], ...] = tuple(_kinds())
"""Every kind of command."""


def _records() -> Mapping[str, type]:
    """Name -> record, of all that a person gives to a call; those a call takes apart are none."""
    found: dict[str, type] = {}
    for kind in COMMANDS:
        spread = spread_field(kind)
        for item in said_fields(kind):
            expected = hints_of(kind)[item.name]
            for record in records_within(expected):
                if item is not spread or record is not expected:
                    found[record.__name__] = record
    return dict(sorted(found.items()))


RECORDS: Mapping[str, type] = _records()
"""The records that calls of a project take: ``payoff.records``."""
