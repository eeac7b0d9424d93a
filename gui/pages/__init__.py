"""The pages of the window. Each is built when it is first shown.

A page is ``gui.pages.<name>.<Name>Page(workspace)``, a :class:`gui.pages.page.Page`. The rail lists
``PAGES``; a later page is one more line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.pages.page import Page
    from gui.workspace import Workspace


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One line of the rail."""

    key: str
    title: str
    icon: str
    build: Callable[[Workspace], Page]
    needs_data: bool = True
    is_at_end: bool = False  # at the foot of the rail


def _home(workspace: Workspace) -> Page:
    from gui.pages.home import HomePage

    return HomePage(workspace)


def _data(workspace: Workspace) -> Page:
    from gui.pages.data import DataPage

    return DataPage(workspace)


def _models(workspace: Workspace) -> Page:
    from gui.pages.models import ModelsPage

    return ModelsPage(workspace)


def _compare(workspace: Workspace) -> Page:
    from gui.pages.compare import ComparePage

    return ComparePage(workspace)


def _decide(workspace: Workspace) -> Page:
    from gui.pages.decide import DecidePage

    return DecidePage(workspace)


def _uplift(workspace: Workspace) -> Page:
    from gui.pages.uplift import UpliftPage

    return UpliftPage(workspace)


def _explain(workspace: Workspace) -> Page:
    from gui.pages.explain import ExplainPage

    return ExplainPage(workspace)


def _experiments(workspace: Workspace) -> Page:
    from gui.pages.experiments import ExperimentsPage

    return ExperimentsPage(workspace)


def _report(workspace: Workspace) -> Page:
    from gui.pages.report import ReportPage

    return ReportPage(workspace)


def _plugins(workspace: Workspace) -> Page:
    from gui.pages.plugins import PluginsPage

    return PluginsPage(workspace)


PAGES: tuple[PageEntry, ...] = (
    PageEntry("home", "Home", "home", _home, needs_data=False),
    PageEntry("data", "Data", "data", _data),
    PageEntry("models", "Models", "models", _models),
    PageEntry("compare", "Compare", "compare", _compare),
    PageEntry("decide", "Decide", "decide", _decide),
    PageEntry("uplift", "Uplift", "uplift", _uplift),
    PageEntry("explain", "Explain", "explain", _explain),
    PageEntry(
        "experiments",
        "Experiments",
        "experiments",
        _experiments,
        needs_data=False,
    ),
    PageEntry("report", "Report", "report", _report),
    PageEntry(
        "plugins",
        "Plugins",
        "plugins",
        _plugins,
        needs_data=False,
        is_at_end=True,
    ),
)
