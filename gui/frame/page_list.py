"""The pages of the window, in the order of the rail."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One line of the rail."""

    key: str
    title: str
    icon: str
    needs_data: bool = True
    is_at_end: bool = False  # at the foot of the rail


PAGES: tuple[PageEntry, ...] = (
    PageEntry("home", "Home", "home", needs_data=False),
    PageEntry("data", "Data", "data"),
    PageEntry("models", "Models", "models"),
    PageEntry("compare", "Compare", "compare"),
    PageEntry("decide", "Decide", "decide"),
    PageEntry("uplift", "Uplift", "uplift"),
    PageEntry("explain", "Explain", "explain"),
    PageEntry("experiments", "Experiments", "experiments", needs_data=False),
    PageEntry("report", "Report", "report"),
    PageEntry("plugins", "Plugins", "plugins", needs_data=False, is_at_end=True),
)
