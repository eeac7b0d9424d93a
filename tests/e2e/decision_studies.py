"""Shared by tests of decision studies."""

from __future__ import annotations

from gui.pages.decide.studies.study import Study
from tests.helpers.program import Program


def opened(program: Program, kind: type[Study]) -> Study:
    tabs = program.window.pages["decide"].tables.tabs
    study = next(tabs.widget(i) for i in range(tabs.count()) if type(tabs.widget(i)) is kind)
    tabs.setCurrentWidget(study)
    return study
