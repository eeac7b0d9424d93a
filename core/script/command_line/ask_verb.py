"""``payoff ask``: what can be asked of a project, and the answers."""

from __future__ import annotations

import argparse
import sys

from core.script.asking import answer_as_tables, ask_in_words, plain_answer, questions_of
from core.script.command_line.answering import Json
from core.script.command_line.arguments import given_fields
from core.script.command_line.telling import tell
from core.script.projects import open_project
from payoff.errors import PayoffError


def ask_verb(parsed: argparse.Namespace) -> Json:
    """List the questions, or answer one of a project."""
    project = None if parsed.project is None else open_project(parsed.project)
    if parsed.question is None:
        return {"questions": questions_of(None if project is None else project.document)}
    if project is None:
        raise PayoffError(
            "No project is named.", remedy=f"payoff ask {parsed.question} --project FILE ..."
        )
    answer = ask_in_words(project, parsed.question, given_fields(parsed))
    if parsed.table:
        for name, table in answer_as_tables(answer):
            print(f"\n{name}" if name else parsed.question, file=sys.stderr)
            print(table.to_string(max_rows=40), file=sys.stderr)
    for warning in getattr(answer, "warnings", ()):
        tell(warning)
    return {"question": parsed.question, "answer": plain_answer(answer)}
