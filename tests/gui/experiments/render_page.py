"""Pictures of page Experiments in every state: choosing, running, done, comparing.

Results are real runs of small experiments. Run: python -m tests.gui.experiments.render_page FOLDER
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QApplication

from core.document.experiments.results import (
    ExperimentResult,
    RunTable,
)
from core.document.experiments.spec import ExperimentSpec
from core.document.model import Document
from core.engine.local import LocalEngine
from core.experiments.experiment import summarise_runs
from core.presentation.experiments.views import EFFECT, GRANTED, RUNS, SUMMARY
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.questions.experiments import CheckExperiment, ExperimentParts, RunExperiment
from gui.pages.experiments.results import VIOLIN
from gui.pages.experiments.widget import ExperimentsPage
from gui.session import JobQueue
from gui.session.session import Session
from gui.theme import apply_theme
from tests.helpers.fake_engine import FakeEngine

SIZES = ((1440, 900), (1280, 720))
FRAME = (72, 98)  # the rail; menu, toolbar and jobs strip
SPEC = ExperimentSpec(protocol="aki_alert", synthetic_rows=1500, systems=8, splits=5)
NOISY = replace(SPEC, system="linear_noise", system_parameters=(("sharpness", 2.0),))
STOCKS = ExperimentSpec(
    protocol="stock_timing", synthetic_rows=60, systems=6, system="trading", learners=("linear",)
)


def part_of(result: ExperimentResult, share: float) -> ExperimentResult:
    """The experiment as it stood when a share of its runs was done."""
    runs = result.runs
    kept = np.arange(runs.count) % 10 < 10 * share
    columns = {
        name: getattr(runs, name)[kept]
        if isinstance(getattr(runs, name), np.ndarray)
        else getattr(runs, name)
        for name in RunTable.__dataclass_fields__
    }
    some = RunTable(**columns)
    return replace(
        result,
        runs=some,
        groups=summarise_runs(some),
        done=some.count,
        seconds_left=312.0,
        seconds=95.0,
    )


class Painter:
    """A page, a real engine in this process, and the pictures taken so far."""

    def __init__(self, application: QApplication, folder: Path) -> None:
        self.application, self.folder = application, folder
        self.engine = LocalEngine()
        self.results: dict[ExperimentSpec, ExperimentResult] = {}
        self.files: list[Path] = []

    def result(self, spec: ExperimentSpec) -> ExperimentResult:
        """The runs of an experiment, worked out once."""
        if spec not in self.results:
            self.results[spec] = self.engine.ask(Document(experiment=spec), RunExperiment())
        return self.results[spec]

    def page(self, spec: ExperimentSpec) -> ExperimentsPage:
        """The page with an experiment chosen, its rows read and its lists filled."""
        page = ExperimentsPage(Session(JobQueue(FakeEngine().listen)))
        page.setProperty("surface", "window")
        page.setAutoFillBackground(True)
        page.presenter.take(spec)
        choices = self.engine.ask(Document(experiment=spec), ExperimentParts())
        page.presenter._choices[spec.protocol] = choices
        page.presenter.refresh()
        page.presenter._timer.stop()
        facts = self.engine.ask(Document(experiment=spec), CheckExperiment())
        page.parts.show_facts(show(CheckExperiment(), facts, Labels()))
        return page

    def take(self, page: ExperimentsPage, name: str) -> None:
        """Paint the page in both sizes."""
        for width, height in SIZES:
            page.resize(width - FRAME[0], height - FRAME[1])
            page.show()
            for _ in range(3):
                self.application.processEvents()
            path = self.folder / f"{name}-{width}.png"
            page.grab().save(str(path))
            self.files.append(path)

    def show(self, page: ExperimentsPage, spec: ExperimentSpec) -> None:
        """Put the whole runs on the page."""
        page.presenter._take_result(self.result(spec))
        page.presenter.changed.emit()


def render(folder: Path) -> list[Path]:
    """Write the page in every state, both themes and sizes; returns the files."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    painter = Painter(application, folder)
    for theme in ("light", "dark"):
        apply_theme(application, theme)
        page = painter.page(NOISY)
        painter.take(page, f"choosing-{theme}")
        page.presenter.run()
        page.presenter._hold(part_of(painter.result(NOISY), 0.4))
        page.presenter.changed.emit()
        painter.take(page, f"running-{theme}")
        page.presenter._run.cancel()
        painter.show(page, NOISY)
        for table in (SUMMARY, RUNS, GRANTED):
            page.results.show_table(table)
            painter.take(page, f"done-{table}-{theme}")
        page.results.show_table(SUMMARY)
        page.results.picture.choose(VIOLIN)
        page.results.error_kind.choose(EFFECT)
        page.presenter.changed.emit()
        painter.take(page, f"violins-{theme}")
        page.results.error_kind.choose("evaluation")
        page.results.picture.choose("histogram")
        page.presenter.compare_with(painter.result(replace(NOISY, system_parameters=())))
        painter.take(page, f"comparing-{theme}")
        page.close()
        stocks = painter.page(STOCKS)
        painter.show(stocks, STOCKS)
        painter.take(stocks, f"stocks-{theme}")
        stocks.close()
    return painter.files


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for file in render(target):
        print(file)
