"""What the command palette finds: actions, questions, columns of the data, recent projects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtGui import QAction, QKeySequence

from gui.shell.commands import ACTIONS, Frame
from gui.shell.commands.palette import PaletteEntry
from gui.shell.page_list import PAGES
from gui.theme import icon


def palette_entries(frame: Frame, actions: Mapping[str, QAction]) -> list[PaletteEntry]:
    """Everything that can be done, asked or gone to now; what cannot be done says why."""
    session = frame.session
    data, store = session.project.document.data, session.settings
    columns = data.columns if data is not None else ()
    projects = store.settings.recent if store is not None else ()
    return [
        *_actions(frame, actions),
        *_questions(frame),
        *(
            PaletteEntry(name, "column", partial(frame.show_column, name), icon("columns"))
            for name in columns
        ),
        *(
            PaletteEntry(
                recent.name, "project", partial(frame.open_recent, recent.path), icon("project")
            )
            for recent in projects
        ),
    ]


def _actions(frame: Frame, actions: Mapping[str, QAction]) -> list[PaletteEntry]:
    entries = []
    for spec in ACTIONS:
        if spec.key == "palette":
            continue
        action = actions[spec.key]
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        reason = spec.why_not(frame.session)
        entries.append(
            PaletteEntry(
                action.text(), keys, action.trigger, action.icon(), reason, words=spec.menu
            )
        )
    return entries


def _questions(frame: Frame) -> list[PaletteEntry]:
    """Every question there is, by its title and by what it says of itself."""
    from core.questions.question import (  # late: so many records are not made at the start
        first_line,
        questions,
    )
    from gui.shell.commands.question_places import place_of

    icons = {entry.key: icon(entry.icon) for entry in PAGES}
    entries = []
    for key, record in questions().items():
        place = place_of(record)
        refusal = record.why_not(frame.session.project.document)
        entries.append(
            PaletteEntry(
                text=record.facts.title,
                note=f"asked on {place.title}",
                run=partial(place.open, frame),
                icon=icons[place.page],
                reason="" if refusal is None else str(refusal),
                words=f"{key.replace('.', ' ')} {first_line(record)}",
            )
        )
    return entries
