"""The pages of the window. Each is imported and built when it is first shown.

A page is ``gui.pages.<name>.<Name>Page(workspace)``, a :class:`gui.pages.page.Page`. A later page
is one more builder here and one more line of ``gui.frame.page_list.PAGES``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.frame.page_list import PageId

if TYPE_CHECKING:
    from gui.pages.page import Page
    from gui.workspace import Workspace


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


_BUILDERS: dict[PageId, Callable[[Workspace], Page]] = {
    PageId.HOME: _home,
    PageId.DATA: _data,
    PageId.MODELS: _models,
    PageId.COMPARE: _compare,
    PageId.DECIDE: _decide,
    PageId.UPLIFT: _uplift,
    PageId.EXPLAIN: _explain,
    PageId.EXPERIMENTS: _experiments,
    PageId.REPORT: _report,
    PageId.PLUGINS: _plugins,
}


def build_page(key: PageId, workspace: Workspace) -> Page:
    """Import and build the page of a key of ``PAGES``."""
    return _BUILDERS[key](workspace)
