"""A process that asks a question of parts and is killed when so many tasks have left something.

``python -m tests.core.scale.killed_run KIND FOLDER SESSION TASKS``
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import tests.conftest  # noqa: F401 - kernels lie where the tests keep them
from core.document.data.model import RowUse
from core.document.model import Document
from core.document.uplift.model import UpliftSpec
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from core.questions.question import Question
from core.questions.uplift import Uplift
from core.scale import kept
from tests.core.scale.projects import loaded, project

QUESTIONS: dict[str, Question[Any]] = {
    "compare": CompareModels(resamples=32),
    "decide": Totals(),
    "uplift": Uplift(draws=0),
}

READ = {"compare": "first_read", "decide": "decide_piece", "uplift": "read_uplift"}
"""The function that reads the rows."""


def asked(folder: Path, session: Path) -> tuple[LocalEngine, Document]:
    """An engine of a session, and the project of a folder."""
    engine = LocalEngine(EngineOptions(safe_mode=True, store_folder=str(session)))
    spec = UpliftSpec(treatment="arm", treated="1", control="0")
    document = replace(project(loaded(engine, folder)), rows_used=RowUse.ALL, uplift=spec)
    return engine, document


def main(kind: str, folder: str, session: str, tasks: str) -> None:
    """Ask, and be killed."""
    engine, document = asked(Path(folder), Path(session))
    kept.WORTH_KEEPING = 0.0
    done, run = 0, kept.run_and_keep

    def run_some(keeping: Any) -> Any:
        nonlocal done
        if done == int(tasks):
            os.kill(os.getpid(), signal.SIGKILL)
        found = run(keeping)
        done += keeping.function.__name__ == READ[kind]
        return found

    kept.run_and_keep = run_some
    engine.ask(document, QUESTIONS[kind])


if __name__ == "__main__":
    main(*sys.argv[1:])
