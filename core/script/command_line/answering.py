"""How every verb ends: JSON to stdout or a file, refusals on stderr, an exit code."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.diagnostics import describe_exception
from core.script.command_line.telling import tell, write_file
from payoff.errors import PayoffError

Json = dict[str, Any]


def answered(verb: Callable[[], Json], path: str | None) -> int:
    """Run a verb and write its answer to a file, or to stdout.

    Returns 0; 2 for a refusal, 1 for a fault of ours, both said on stderr; 3 where what was to be
    compared differs, or a check failed.
    """
    try:
        answer = verb()
        _write_json(answer, path)
    except PayoffError as refusal:
        tell(str(refusal))
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


def _write_json(answer: Json, path: str | None) -> None:
    text = json_text(answer)
    if path is None:
        _print(text)
        return
    write_file(Path(path), (text + "\n").encode("utf-8"))


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
