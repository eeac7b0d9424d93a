"""The pages of the window, in the order of the rail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PageId(StrEnum):
    """The pages of the window; what goes from page to page names one of them."""

    HOME = "home"
    DATA = "data"
    MODELS = "models"
    COMPARE = "compare"
    DECIDE = "decide"
    UPLIFT = "uplift"
    EXPLAIN = "explain"
    EXPERIMENTS = "experiments"
    REPORT = "report"
    PLUGINS = "plugins"


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One line of the rail."""

    key: PageId
    title: str
    icon: str
    needs_data: bool = True
    is_at_end: bool = False  # at the foot of the rail


PAGES: tuple[PageEntry, ...] = (
    PageEntry(PageId.HOME, "Home", "home", needs_data=False),
    PageEntry(PageId.DATA, "Data", "data"),
    PageEntry(PageId.MODELS, "Models", "models"),
    PageEntry(PageId.COMPARE, "Compare", "compare"),
    PageEntry(PageId.DECIDE, "Decide", "decide"),
    PageEntry(PageId.UPLIFT, "Uplift", "uplift"),
    PageEntry(PageId.EXPLAIN, "Explain", "explain"),
    PageEntry(PageId.EXPERIMENTS, "Experiments", "experiments", needs_data=False),
    PageEntry(PageId.REPORT, "Report", "report"),
    PageEntry(PageId.PLUGINS, "Plugins", "plugins", needs_data=False, is_at_end=True),
)
