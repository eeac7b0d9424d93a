"""The window asks the engine by ``Request`` alone."""

from __future__ import annotations

import ast
from pathlib import Path

import gui
from tests.helpers.sources import nodes, text_of

GUI = Path(gui.__file__).parent
QUEUE = {"submit", "drop", "stop"}  # what the queue of jobs is told to do with one of them
ITS_OWN = (
    "session/request.py",
    "session/job_list.py",
    "session/job_queue.py",
    "shell/jobs_strip.py",
)


def calls_of_the_queue(source: str) -> list[int]:
    """Lines that have a queue of jobs do something: ``anything.jobs.submit(...)``, ``queue.drop``.

    ``submit`` is the queue's whatever the object is called.
    """
    lines = []
    for node in nodes(source):
        if not isinstance(node, ast.Attribute) or node.attr not in QUEUE:
            continue
        name = ast.unparse(node.value).rpartition(".")[2].lower()
        if node.attr == "submit" or name.strip("_") in ("jobs", "queue"):
            lines.append(node.lineno)
    return lines


def test_nothing_in_the_window_but_request_calls_the_queue():
    found = [
        f"{path.relative_to(GUI).as_posix()}:{line}"
        for path in sorted(GUI.rglob("*.py"))
        if path.relative_to(GUI).as_posix() not in ITS_OWN
        for line in calls_of_the_queue(path.read_text(encoding="utf-8"))
    ]
    assert not found, "ask by gui.session.request.Request: " + ", ".join(found)


def test_the_calls_are_seen():
    source = (
        "self.workspace.jobs.drop(job)\njobs.submit('x', None)\nself._jobs.stop(1)\nsound.stop()"
    )
    assert calls_of_the_queue(source) == [1, 2, 3]
    assert calls_of_the_queue((GUI / "session" / "request.py").read_text(encoding="utf-8"))


LASTING = {
    "pages/uplift/saving.py": "a file of decisions is written whatever page is shown",
    "pages/decide/dialogs/export_matrix.py": "the file is written after the dialog has closed",
    "pages/decide/dialogs/export_rule.py": "the folder is written after the dialog has closed",
    "pages/decide/dialogs/apply_rule.py": "the file is written where the dialog has closed",
}
"""Files that put a question which no place owns, and why."""


def owners_of_requests(source: str) -> list[str]:
    """Who owns each request that a source makes, as it is written: "self", "session"."""
    return [
        ast.get_source_segment(source, node).replace("\n", "").partition("(")[2].partition(",")[0]
        for node in nodes(source)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "Request"
    ]


def test_a_request_belongs_to_the_object_that_makes_it():
    """So tests/gui/test_places_that_ask.py, which looks for "Request(self", finds every place."""
    found = {}
    for path in sorted(GUI.rglob("*.py")):
        owners = owners_of_requests(path.read_text(encoding="utf-8"))
        if set(owners) - {"self"}:
            found[path.relative_to(GUI).as_posix()] = sorted(set(owners) - {"self"})
    assert found == {name: ["session"] for name in LASTING}


def test_no_request_goes_by_another_name():
    renamed = [
        path.name
        for path in GUI.rglob("*.py")
        for node in nodes(text_of(path))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.name == "Request" and name.asname
    ]
    assert renamed == []
