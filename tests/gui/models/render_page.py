"""Pictures of pages Models and Explain from made-up results, to lay beside those of the aim.

Run: python -m tests.gui.models.render_page FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from core.questions.explain import Explain, OneCase
from gui.session import JobQueue
from gui.session.session import Session
from gui.shell.main_window import MainWindow
from gui.theme import apply_theme
from tests.helpers.answers.models import (
    curves_at,
    document_with_inputs,
    explained,
    offered,
    one_case,
    summary_of,
)
from tests.helpers.answers.synthetic import make_evaluation
from tests.helpers.fake_engine import FakeEngine

SIZES = ((1440, 900), (1280, 720))


def answer_all(application: QApplication, engine: FakeEngine) -> None:
    """Answer what has been asked, as often as something new is asked."""
    seen: set[int] = set()
    for _ in range(20):
        application.processEvents()
        for requested in [a for a in engine.asked if a.job not in seen]:
            if requested.kind == "models.distributions":
                engine.answer(requested.job, offered())
            elif requested.kind == "explain.one_case":
                question = requested.arguments.question
                assert isinstance(question, OneCase)
                engine.answer(requested.job, one_case(question.row))
            elif requested.kind == "explain.model":
                arguments = requested.arguments.question
                assert isinstance(arguments, Explain)
                result = explained(
                    arguments.model,
                    arguments.columns,
                    arguments.pairs,
                    arguments.shuffles,
                    arguments.together,
                )
                engine.answer(requested.job, result)
            seen.add(requested.job)


def render(folder: Path) -> list[Path]:
    """Write both pages in both themes and sizes; returns the files."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    engine = FakeEngine()
    session = Session(JobQueue(engine.listen))
    window = MainWindow(session)
    document = document_with_inputs()
    session.project.take_document(document)
    session.project.summary = summary_of(document)
    session.results.evaluation = make_evaluation()
    window.show()
    window.show_page("models")
    answer_all(application, engine)
    page = window.pages["models"]
    page.presenter.begin()
    pictures = [
        ("models-new", "models"),
        ("models-inputs", "models"),
        ("models-settings", "models"),
        ("models", "models"),
        ("explain", "explain"),
        ("explain-case", "explain"),
    ]
    files = []
    for stem, key in pictures:
        window.show_page(key)
        if stem in ("models-inputs", "models-settings"):
            page.show_step(stem.removeprefix("models-"))
        if stem == "models":
            page.show_step("distribution")
            page.presenter.train()
            job = engine.last("train").job
            engine.progress(job, 0.43, "tree 1,290 of 3,000", curves_at("gbm 2"))
        if stem == "explain-case":
            window.pages["explain"].show_case_of(11)
        answer_all(application, engine)
        for name in ("light", "dark"):
            apply_theme(application, name)
            for width, height in SIZES:
                window.resize(width, height)
                for _ in range(4):
                    application.processEvents()
                path = folder / f"{stem}-{name}-{width}.png"
                window.grab().save(str(path))
                files.append(path)
    window.close_for_good()
    return files


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for file in render(target):
        print(file)
