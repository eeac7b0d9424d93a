"""Writes docs/api.md from the docstrings of ``payoff`` and the options of the command line.

``python docs/make_api.py`` writes the file; a test says when it is no longer up to date.
"""

from __future__ import annotations

import argparse
import enum
import inspect
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


import payoff  # noqa: E402  the checkout's own modules, wherever this is started
from core.document.scripts.form import signature_of  # noqa: E402  as above
from core.questions.question import question_fields, questions  # noqa: E402  as above
from core.script.command_line.arguments import VERBS, verb_parser  # noqa: E402  as above
from core.script.command_line.program import window_parser  # noqa: E402  as above
from core.script.projects import Project  # noqa: E402  as above
from payoff import hooks, numeric, records, testing  # noqa: E402  as above

HEAD = """\
# Reference

Made from the docstrings by `python docs/make_api.py`; what things are for and how they go
together is in the [plugin guide](plugin-guide.md) and the [user guide](user-guide.md).
"""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def reference() -> str:
    """The whole reference as Markdown."""
    sections = {
        "Hooks of plugins": {name: getattr(hooks, name) for name in hooks.HOOKS.values()},
        "What plugins import": {name: getattr(payoff, name) for name in payoff.__all__},
        "Helpers for kernels: `payoff.numeric`": _kernels_of(numeric),
        "The conformance kit: `payoff.testing`": {
            name: getattr(testing, name) for name in testing.__all__
        },
        "Functions for scripts": {name: getattr(payoff, name) for name in payoff.SCRIPT_FUNCTIONS},
    }
    parts = [HEAD]
    for title, entries in sections.items():
        parts.append(f"## {title}\n")
        parts += [_entry(name, value) for name, value in sorted(entries.items())]
    parts += [*_project(), *_questions(), *_records()]
    return "\n".join([*parts, _commands()])


def _project() -> list[str]:
    """What ``open_project`` and ``new_project`` return: its own methods and those of commands."""
    methods = {
        f"project.{name}": value
        for name, value in vars(Project).items()
        if inspect.isfunction(value) and not name.startswith("_")
    }
    head = ["## A project\n", (inspect.getdoc(Project) or "") + "\n"]
    return head + [_entry(name, value) for name, value in sorted(methods.items())]


def _questions() -> list[str]:
    """Every question, from its record: the call, what it needs, and how the verb asks it."""
    parts = ["## Questions: `payoff.questions`\n", (inspect.getdoc(payoff.questions) or "") + "\n"]
    for key, record in questions().items():
        facts = record.facts
        needs = ", ".join(need.word for need in facts.needs)
        head, _, rest = (inspect.getdoc(record) or "").partition("\n\n")
        lines = [f"### `{record.__name__}`", "", f"{facts.title}. {' '.join(head.split())}", ""]
        call = inspect.signature(record).replace(return_annotation=inspect.Signature.empty)
        lines += ["```python", _call(record.__name__, call), "```", ""]
        lines += ["```text", rest.rstrip(), "```", ""] if rest.strip() else []
        lines += [f"- `{name}`: {words.words()}" for name, _, _, words in question_fields(record)]
        lines += ["", f"Needs {needs}. Answer: `{facts.answer.__name__}`. `payoff ask {key}`", ""]
        parts.append("\n".join(lines))
    return parts


def _records() -> list[str]:
    """The records that a project's methods take."""
    parts = ["## Records: `payoff.records`\n", (inspect.getdoc(records) or "") + "\n"]
    for name in dir(records):
        kind = getattr(records, name)
        head, _, rest = (inspect.getdoc(kind) or "").partition("\n\n")
        lines = [f"### `{name}`", "", " ".join(head.split()), "", "```python"]
        lines += [_call(name, signature_of(kind)), "```", ""]
        lines += ["```text", rest.rstrip(), "```", ""] if rest.strip() else []
        parts.append("\n".join(lines))
    return parts


def _kernels_of(module: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if payoff.is_kernel(value)}


def _entry(name: str, value: Any) -> str:
    """One name: its signature and its docstring, or its value."""
    if not (inspect.isfunction(value) or inspect.isclass(value)):
        shown = repr(value) if isinstance(value, str | tuple | int | float) else ""
        return f"### `{name}`\n\n{f'`{shown}`' if shown else 'A name for annotations.'}\n"
    lines = [f"### `{name}`", ""]
    if inspect.isclass(value) and issubclass(value, enum.Enum):
        words = ", ".join(f'`"{item.value}"`' for item in value)
        return "\n".join([*lines, inspect.getdoc(value) or "", "", f"One of {words}.", ""])
    head, _, rest = (inspect.getdoc(value) or "").partition("\n\n")
    lines += [" ".join(head.split()), "", "```python", _signature(name, value), "```", ""]
    if rest.strip():
        lines += ["```text", rest.rstrip(), "```", ""]
    return "\n".join(lines)


def _signature(name: str, value: Any) -> str:
    """The call, one argument a line where it is long; without addresses in memory."""
    return _call(name, inspect.signature(value))


def _call(name: str, signature: inspect.Signature) -> str:
    arguments = list(signature.parameters.values())
    if arguments and arguments[0].name == "self":
        signature = signature.replace(parameters=arguments[1:])
    signature = _plain_annotations(signature)
    plain = _ADDRESS.sub("", f"{name}{signature}")
    if len(plain) <= 100:
        return plain
    inner = ",\n    ".join(_ADDRESS.sub("", str(item)) for item in signature.parameters.values())
    return f"{name}(\n    {inner},\n)"


class _Text(str):
    """An annotation that prints as it is written."""

    def __repr__(self) -> str:
        return str(self)


def _plain_annotations(signature: inspect.Signature) -> inspect.Signature:
    """The signature without the quotes of annotations that are kept as text."""

    def plain(annotation: Any) -> Any:
        return _Text(annotation) if isinstance(annotation, str) else annotation

    parameters = [
        item.replace(annotation=plain(item.annotation)) for item in signature.parameters.values()
    ]
    return signature.replace(
        parameters=parameters, return_annotation=plain(signature.return_annotation)
    )


def _commands() -> str:
    """The command line: the window, then every verb, with all options."""
    parts = ["## The command line\n", _command("payoff [FILE]", window_parser())]
    parser = verb_parser()
    (verbs,) = (
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    helps = {choice.dest: choice.help or "" for choice in verbs._choices_actions}
    for verb in VERBS:
        if verbs.choices[verb].prepare is not None:
            verbs.choices[verb].prepare(verbs.choices[verb], [])
        parts.append(_command(f"payoff {verb}", verbs.choices[verb], helps.get(verb, "")))
    return "\n".join(parts)


def _command(title: str, parser: argparse.ArgumentParser, words: str = "") -> str:
    lines = [f"### `{title}`", ""]
    described = words or parser.description or ""
    lines += [
        described[:1].upper() + described[1:] + ("" if described.endswith(("?", ".")) else "."),
        "",
    ]
    lines += ["| argument | means |", "|---|---|"]
    for action in parser._actions:
        if action.dest == "help":
            continue
        name = ", ".join(action.option_strings) or action.metavar or action.dest
        choices = f" ({', '.join(map(str, action.choices))})" if action.choices else ""
        meant = (action.help or "").replace("|", "\\|") + choices
        lines.append(f"| `{name}` | {meant.strip()} |")
    if parser.epilog and words:
        lines += ["", parser.epilog]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    (ROOT / "docs" / "api.md").write_text(reference(), encoding="utf-8")
