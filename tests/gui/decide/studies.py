"""Shared by tests of studies."""

from __future__ import annotations

from gui.pages.decide.studies.study import Study
from tests.helpers.answers import decide as answers
from tests.helpers.harness import DecideHarness


def opened(harness: DecideHarness, kind: type[Study]) -> Study:
    """Bring a tab to the front."""
    harness.engine.answers.update(
        {
            "decide.capacity": answers.capacity,
            "decide.cases": answers.cases,
            "decide.case_page": answers.cases,
            "decide.case_cloud": answers.no_cloud,
            "decide.swap": answers.swap,
            "decide.gap": answers.gap,
        }
    )
    tabs = harness.page.tables.tabs
    study = next(tabs.widget(i) for i in range(tabs.count()) if type(tabs.widget(i)) is kind)
    tabs.setCurrentWidget(study)
    assert isinstance(study, Study)
    return study
