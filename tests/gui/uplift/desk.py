"""Page Uplift, a fake engine that is answered by hand, and the real one that knows the answers."""

from __future__ import annotations

from dataclasses import replace

from core.document.plugin_results import PluginsResult
from core.engine.messages import Ask
from core.questions.uplift import Uplift
from gui.pages.uplift.widget import UpliftPage


class Harness:
    """The page, the fake engine, and the real one that knows the answers."""

    def __init__(self, session, engine, qtbot, real, document, summary) -> None:
        self.session, self.engine, self.qtbot, self.real = session, engine, qtbot, real
        session.project.take_document(document)
        session.project.summary = summary
        losses = (("binary", "bernoulli"), ("regression", "gaussian"))
        session.plugins.known = PluginsResult(
            plugins=(), metrics=(), templates=(), usual_losses=losses
        )
        self.page = UpliftPage(session)
        qtbot.addWidget(self.page)
        self.page.resize(1360, 830)
        self.page.show()
        qtbot.waitExposed(self.page)
        self.page.on_shown()

    def answer(self) -> None:
        seen = len(self.engine.of_kind("uplift.page"))
        self.qtbot.waitUntil(lambda: len(self.engine.of_kind("uplift.page")) >= max(1, seen))
        requested = self.engine.last("uplift.page")
        assert isinstance(requested.arguments.question, Uplift)
        arguments = Ask.of(requested.arguments.document, Uplift(draws=32))
        with self.qtbot.waitSignal(self.session.jobs.job_ended, timeout=30_000):
            self.engine.answer(requested.job, self.real.run("uplift.page", arguments))

    def next_answer(self, seen: int) -> None:
        self.qtbot.waitUntil(lambda: len(self.engine.of_kind("uplift.page")) > seen)
        self.answer()


def ask_tab(harness, tab, kind):
    """Look at a tab and answer what it asks from the real engine."""
    harness.page.variants.show_tab(tab)
    harness.qtbot.waitUntil(lambda: bool(harness.engine.of_kind(kind)))
    requested = harness.engine.last(kind)
    arguments = requested.arguments
    if kind == "uplift.metrics":
        arguments = replace(arguments, question=replace(arguments.question, draws=32))
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=30_000):
        harness.engine.answer(requested.job, harness.real.run(kind, arguments))
    return harness.page.variants.tables[tab].model()
