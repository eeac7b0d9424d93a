"""The verbs of plugin authors: ``new-plugin``, ``pack-plugin`` and ``check-plugin``.

They open no data and run no engine, and so load neither: an author runs them again and again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from core.document.files.codec import to_plain
from core.document.files.guarded import note_read
from core.extensions.authoring import new_plugin, pack_plugin
from core.script.command_line.answering import Json, answered, tell
from payoff.testing.meanings import sheet_lines


def run_author_verb(parsed: argparse.Namespace) -> int:
    """Run one of them; the exit code is that of ``answered``."""
    return answered(lambda: AUTHOR_VERBS[parsed.verb](parsed), parsed)


def new_plugin_verb(parsed: argparse.Namespace) -> Json:
    """``payoff new-plugin KIND NAME [--into FOLDER] [--id ID] [--author NAME]``."""
    folder = new_plugin(
        parsed.kind, parsed.name, Path(parsed.into), plugin_id=parsed.id, author=parsed.author
    )
    tell(f"wrote {folder}")
    tell(f"check it:  payoff check-plugin {folder}")
    tell(f"test it:   python -m pytest {folder}")
    tell(f"pack it:   payoff pack-plugin {folder}")
    files = sorted(str(place.relative_to(folder)) for place in folder.rglob("*") if place.is_file())
    return {"folder": str(folder), "files": files}


def pack_plugin_verb(parsed: argparse.Namespace) -> Json:
    """``payoff pack-plugin FOLDER ... [--out FILE]``."""
    out = Path(parsed.out) if parsed.out else None
    from core.engine.plugin_check import check_apart

    packed = pack_plugin([Path(folder) for folder in parsed.folders], out, check=check_apart)
    tell(f"wrote {packed}")
    return {"file": str(packed), "size_bytes": packed.stat().st_size}


def check_plugin_verb(parsed: argparse.Namespace) -> Json:
    """``payoff check-plugin PATH``: the sheet in words on stderr, as JSON on stdout.

    The plugin runs in a process of its own, with the limits that it has in the program.
    """
    from core.engine.plugin_check import check_apart  # the other verbs need no process

    for place in Path(parsed.path).rglob("*"):
        note_read(place)
    sheet = check_apart(parsed.path)
    for line in sheet_lines(sheet):
        tell(line)
    return {
        "subject": sheet.subject,
        "passed": sheet.passed,
        "checks": [to_plain(entry) for entry in sheet],
    }


AUTHOR_VERBS: dict[str, Callable[[argparse.Namespace], Json]] = {
    "check-plugin": check_plugin_verb,
    "new-plugin": new_plugin_verb,
    "pack-plugin": pack_plugin_verb,
}
