"""The window asks the engine by ``Request`` alone."""

from __future__ import annotations

import ast
from pathlib import Path

import gui

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
    for node in ast.walk(ast.parse(source)):
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
