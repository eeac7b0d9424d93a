"""The pages of the window. Each is imported and built when it is first shown.

A page is ``gui.pages.<name>.widget.<Name>Page(session)``, a :class:`gui.pages.page.Page`. A later
page is one more builder here and one more line of ``gui.shell.page_list.PAGES``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.shell.page_list import PageId

if TYPE_CHECKING:
    from gui.pages.page import Page
    from gui.session.session import Session


def _home(session: Session) -> Page:
    from gui.pages.home.widget import HomePage

    return HomePage(session)


def _data(session: Session) -> Page:
    from gui.pages.data.widget import DataPage

    return DataPage(session)


def _models(session: Session) -> Page:
    from gui.pages.models.widget import ModelsPage

    return ModelsPage(session)


def _compare(session: Session) -> Page:
    from gui.pages.compare.widget import ComparePage

    return ComparePage(session)


def _decide(session: Session) -> Page:
    from gui.pages.decide.widget import DecidePage

    return DecidePage(session)


def _uplift(session: Session) -> Page:
    from gui.pages.uplift.widget import UpliftPage

    return UpliftPage(session)


def _explain(session: Session) -> Page:
    from gui.pages.explain.widget import ExplainPage

    return ExplainPage(session)


def _experiments(session: Session) -> Page:
    from gui.pages.experiments.widget import ExperimentsPage

    return ExperimentsPage(session)


def _report(session: Session) -> Page:
    from gui.pages.report.widget import ReportPage

    return ReportPage(session)


def _plugins(session: Session) -> Page:
    from gui.pages.plugins.widget import PluginsPage

    return PluginsPage(session)


_BUILDERS: dict[PageId, Callable[[Session], Page]] = {
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


def build_page(key: PageId, session: Session) -> Page:
    """Import and build the page of a key of ``PAGES``."""
    return _BUILDERS[key](session)
