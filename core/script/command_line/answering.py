"""How every verb ends: JSON to stdout or a file, refusals on stderr, an exit code.

What verbs share: lines and progress on stderr.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.diagnostics import describe_exception
from core.document.data.model import ReaderSettings
from core.document.files.guarded import (
    check_targets,
    make_folder,
    piece_of_work,
    write_file,
)
from payoff.errors import PayoffError

_FLAGS: ContextVar[Mapping[str, tuple[str, str]]] = ContextVar(
    "flags", default=MappingProxyType({})
)
_ARGUMENT = re.compile(
    r"(?:(?<=[ (])|\A)(?P<name>[a-z]\w+)="
    r"(?P<value>\{[^{}]*\}|\[[^\[\]]*\]|'[^']*'|\.\.\.|\w+(?:\.\w+)*|(?=[ ,.)]|\Z))"
)
_FLAG_BEFORE = re.compile(r"--[a-z-]+ \Z")
_READING = frozenset(["sheet", *(item.name for item in fields(ReaderSettings))])


def tell(text: str) -> None:
    """Say a line on stderr."""
    print(f"payoff: {_in_flags(text)}", file=sys.stderr, flush=True)


def _in_flags(text: str) -> str:
    """A text that names arguments as a function has them ("seconds="), as options of the verb."""
    return _ARGUMENT.sub(_as_option, text)


def _as_option(found: re.Match[str]) -> str:
    flags, name, value = _FLAGS.get(), found["name"], found["value"]
    is_behind_flag = _FLAG_BEFORE.search(found.string, 0, found.start()) is not None
    if name in _READING and name not in flags and "read" in flags and not is_behind_flag:
        return f"--read {found[0]}"
    if name not in flags or is_behind_flag:
        return found[0]
    flag, form = flags[name]
    if value[:1] in ("{", "[", "."):
        value = form
    return flag if value in ("", "True") else f"{flag} {value.strip(chr(39))}"


def _refusal_in_flags(refusal: PayoffError) -> PayoffError:
    """A refusal in words of the verb; what it names of a file stays as it is."""
    where = _in_flags(refusal.where) if _ARGUMENT.match(refusal.where) else refusal.where
    parts = {"why": _in_flags(refusal.why), "remedy": _in_flags(refusal.remedy)}
    return PayoffError(_in_flags(refusal.what), where=where, **parts)


def _answer_in_flags(answer: Any) -> Any:
    """What an answer says in words, its warnings and notes, in words of the verb."""
    if isinstance(answer, list):
        return [_answer_in_flags(entry) for entry in answer]
    if not isinstance(answer, dict):
        return answer
    told = {}
    for key, value in answer.items():
        words = value if isinstance(value, list) else [value]
        if key in _SAID and all(isinstance(word, str) for word in words):
            told[key] = _in_flags(value) if isinstance(value, str) else list(map(_in_flags, words))
        else:
            told[key] = _answer_in_flags(value)
    return told


PROGRAM_FOLDER = Path(__file__).resolve().parents[3]
"""Where the words of ``program_command`` are said: of a checkout it is found there."""


def program_command() -> list[str]:
    """The words that start this program in a process of its own."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, "-m", "payoff"]


class Progress:
    """Says a job's stage on stderr, a line per stage at most every half second."""

    def __init__(self) -> None:
        self._last_stage = ""
        self._last_time = 0.0

    def __call__(self, fraction: float | None, stage: str, partial: object = None) -> None:
        del partial
        now = time.monotonic()
        if stage == self._last_stage or now - self._last_time < 0.5:
            return
        self._last_stage, self._last_time = stage, now
        tell(stage if fraction is None else f"{stage} ({100 * fraction:.0f} %)")


Json = dict[str, Any]


_SAID = ("warnings", "notes", "note")
_OUTPUTS = ("out", "json", "journal", "report", "into")
"""The options that say where something is written; what the others name goes in."""


def answered(verb: Callable[[], Json | str], parsed: argparse.Namespace) -> int:
    """Run a verb and write its answer to a file, or to stdout; a text as it is, all else as JSON.

    A file that went in is never written over: what the options show of that is refused before the
    work begins.

    Returns 0; 2 for a refusal, 1 for a fault of ours, both said on stderr; 3 where what was to be
    compared differs, or a check failed.
    """
    spoken = _FLAGS.set(getattr(parsed, "flags", {}))
    try:
        with piece_of_work(_named_files(parsed)):
            return _answered(verb, parsed)
    finally:
        _FLAGS.reset(spoken)


def _answered(verb: Callable[[], Json | str], parsed: argparse.Namespace) -> int:
    try:
        _check_outputs(parsed)
        answer = verb()
        if isinstance(answer, str):
            _print(answer.removesuffix("\n"))
            return 0
        _write_json(_answer_in_flags(answer), parsed.json)
    except PayoffError as refusal:
        print(f"payoff: {_refusal_in_flags(refusal)}", file=sys.stderr, flush=True)
        return 2
    except BrokenPipeError:
        _let_go_of_output()
        return 0  # whoever read our output has seen enough
    except OSError as error:
        tell(str(describe_exception(error)))
        return 2
    except Exception as error:
        tell(str(describe_exception(error)))
        return 1
    return 3 if answer.get("agrees", answer.get("passed")) is False else 0


def _named_files(parsed: argparse.Namespace) -> list[str]:
    """The files that options name, as they stand or behind NAME=."""
    found = []
    for name, given in vars(parsed).items():
        if name not in _OUTPUTS:
            words = given if isinstance(given, list) else [given]
            texts = [word for word in words if isinstance(word, str)]
            found += [part for text in texts for part in (text, text.partition("=")[2]) if part]
    return found


def _check_outputs(parsed: argparse.Namespace) -> None:
    named = {name: getattr(parsed, name, None) for name in ("out", "json", "journal")}
    places: dict[Path, str] = {}
    for name, path in named.items():
        if not isinstance(path, str):
            continue
        check_targets([path] if Path(path).is_file() else [])
        before = places.setdefault(Path(path).resolve(), name)
        if before != name:
            raise PayoffError(
                f"--{before} and --{name} name the same file.",
                where=path,
                remedy="Choose two file names.",
            )


def _write_json(answer: Json, path: str | None) -> None:
    text = json_text(answer)
    if path is None:
        _print(text)
        return
    make_folder(Path(path).parent)
    write_file(path, (text + "\n").encode("utf-8"), what="The answer")


def _print(text: str) -> None:
    """Write to stdout; a full disk is noticed here, not while the program ends."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        _let_go_of_output()
        raise PayoffError(
            "The answer could not be written.",
            where="standard output",
            why=f"The system says: {error.strerror or error}.",
            remedy="Make room on the disk, or name another file.",
        ) from error


def _let_go_of_output() -> None:
    """Keep Python from writing once more, as the program ends, what could not be written."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def json_text(answer: Json) -> str:
    """JSON as every standard reader takes it: without NaN and infinity."""
    return json.dumps(_finite(answer), ensure_ascii=False, indent=1)


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity: undefined is null, infinite a word."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "infinity" if value > 0 else "-infinity"
    if isinstance(value, dict):
        return {str(key): _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return value
