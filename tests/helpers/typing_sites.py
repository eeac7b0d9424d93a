"""Every place in the window where a field to type into is made, found by reading the code."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from gui.widgets import NotesField, TextField
from gui.widgets.fields.form import FormRow

GUI = Path(__file__).resolve().parents[2] / "gui"
FORM = "widgets/fields/form.py"
ROOTS = {"TextField", "NotesField", "EntryBox"}
Site = tuple[str, int, int]  # file, first and last line of the call


def modules(names: Iterable[str]) -> Iterator[tuple[str, ast.Module]]:
    """The modules of the window that mention any of some names, by their path inside it."""
    mentioned = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    for path in sorted(GUI.rglob("*.py")):
        text = path.read_text("utf-8")
        if mentioned.search(text):
            yield path.relative_to(GUI).as_posix(), ast.parse(text)


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def field_classes() -> set[str]:
    """Names of the shared fields and of every class built on one."""
    known, more = set(ROOTS), set(ROOTS)
    while more:
        found = {
            node.name
            for _name, module in modules(more)
            for node in ast.walk(module)
            if isinstance(node, ast.ClassDef)
            and known & {getattr(base, "id", "") for base in node.bases}
        }
        more = found - known
        known |= more
    return known


def typing_sites() -> set[Site]:
    """Where a field is made; a list makes its own, and those of forms come as they are made."""
    classes = field_classes()
    return {
        (name, node.lineno, node.end_lineno or node.lineno)
        for name, module in modules(classes)
        if name not in ("widgets/fields/text_field.py", FORM)
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and called(node) in classes
    }


def _site_in_form(frame: FrameType | None) -> Site | None:
    """A field of a form is known by its name, and by the question whose form it is."""
    while frame is not None:
        here = frame.f_locals
        if isinstance(here.get("self"), FormRow) and "field" in here:
            draft = getattr(here["form"], "draft", None)
            key = draft.record.facts.key if draft is not None else ""
            return (f"{FORM}: {key} {here['field'].name}", 0, 0)
        frame = frame.f_back
    return None


def _site_of(frame: FrameType | None, sites: set[Site]) -> Site | None:
    in_form = _site_in_form(frame)
    if in_form is not None:
        sites.add(in_form)
        return in_form
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(GUI):
            name = path.relative_to(GUI).as_posix()
            for site in sites:
                if site[0] == name and site[1] <= frame.f_lineno <= site[2]:
                    return site
        frame = frame.f_back
    return None


@contextmanager
def marked_fields() -> Iterator[set[Site]]:
    """While fields are made they remember where, as ``made_at``; gives all there are."""
    sites = typing_sites()
    text, notes = TextField.__init__, NotesField.__init__

    def make_text(self: TextField, *args: object, **given: object) -> None:
        text(self, *args, **given)
        self.made_at = _site_of(sys._getframe(1), sites)

    def make_notes(self: NotesField, *args: object, **given: object) -> None:
        notes(self, *args, **given)
        self.made_at = _site_of(sys._getframe(1), sites)

    TextField.__init__, NotesField.__init__ = make_text, make_notes
    try:
        yield sites
    finally:
        TextField.__init__ = text
        del NotesField.__init__
