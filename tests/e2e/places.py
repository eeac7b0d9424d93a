"""Every place of the window that can be looked at: pages, their tabs, studies and dialogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.shell.main_window import MainWindow

COMPARE_DIALOGS = (
    "choose_charts",
    "choose_model",
    "detect_difference",
    "compare_rows",
    "by_group",
    "survival",
    "compare_populations",
    "bound_losses",
    "compare_definitions",
)
UPLIFT_TABS = ("definitions", "metrics", "slices", "arms", "order")


@dataclass(frozen=True, slots=True)
class Place:
    """One thing to look at: ``show`` brings it to the front and returns the window it is in."""

    name: str
    show: Callable[[], QWidget]
    leave: Callable[[], object] = bool  # what is to be undone before the next place


def places(window: MainWindow) -> Iterator[Place]:
    """The places of the project that is open; pages first, in the order of the rail."""
    from gui.shell.page_list import PAGES, PageId

    has_data = window.session.project.document.data is not None
    additional: dict[PageId, Callable[[MainWindow], Iterator[Place]]] = {
        PageId.DATA: _of_data,
        PageId.MODELS: _of_models,
        PageId.COMPARE: _of_compare,
        PageId.DECIDE: _of_decide,
        PageId.UPLIFT: _of_uplift,
        PageId.EXPLAIN: _of_explain,
        PageId.EXPERIMENTS: _of_experiments,
        PageId.PLUGINS: _of_plugins,
    }
    for entry in PAGES:
        if entry.needs_data and not has_data:
            continue
        yield Place(str(entry.key), partial(_page, window, entry.key))
        if entry.key in additional:
            yield from additional[entry.key](window)
    yield from _dialogs(window, has_data)


def _page(window: MainWindow, key: Any, act: Callable[[Any], object] | None = None) -> QWidget:
    """Bring a page to the front, and do something there; what that opens is looked at."""
    window.show_page(key)
    opened = act(window.pages[key]) if act is not None else None
    return window if opened is None else opened


def _first_chart(page: Any) -> Any:
    """The first chart of a page that is drawn."""
    from gui.charts.card import ChartCard

    cards = [card for card in page.findChildren(ChartCard) if card.isVisible()]
    return next(card for card in cards if card.view.spec is not None)


def _of_data(window: MainWindow) -> Iterator[Place]:
    from gui.shell.page_list import PageId

    data = window.session.project.document.data
    assert data is not None
    columns = data.columns
    for place in sorted({0, len(columns) // 2, len(columns) - 1}):
        yield Place(f"data/column-{place}", partial(_column, window, columns[place]))
    yield Place(
        "data/import",
        partial(_page, window, PageId.DATA, lambda _p: window.files.import_file(data.path)),
    )


def _column(window: MainWindow, name: str) -> QWidget:
    window.show_column(name)
    return window


def _of_models(window: MainWindow) -> Iterator[Place]:
    from gui.pages.models.steps import STEPS
    from gui.shell.page_list import PageId

    for step in STEPS:
        act = partial(_call, "show_step", step)
        yield Place(f"models/{step}", partial(_page, window, PageId.MODELS, act))


def _call(name: str, argument: object, page: Any) -> None:
    getattr(page, name)(argument)


def _of_compare(window: MainWindow) -> Iterator[Place]:
    from gui.shell.page_list import PageId

    show = partial(_page, window, PageId.COMPARE)
    for study in COMPARE_DIALOGS:
        act = partial(lambda key, page: getattr(page.studies, key)(), study)
        yield Place(f"compare/{study}", partial(show, act))
    yield Place("compare/metrics", partial(show, lambda page: page.open_metrics()))
    yield Place("compare/chart-table", partial(show, lambda page: _first_chart(page).open_table()))
    yield Place("compare/export", partial(show, lambda page: _first_chart(page).open_export()))
    yield Place("compare/large", partial(show, _toggle_large), partial(show, _toggle_large))


def _toggle_large(page: Any) -> None:
    grid = page.grid
    grid.toggle_large(grid.large or _first_chart(grid))


def _of_decide(window: MainWindow) -> Iterator[Place]:
    from gui.shell.page_list import PageId

    show = partial(_page, window, PageId.DECIDE)
    yield Place("decide/rankings", partial(show, lambda page: page.show_part("decide.rankings")))
    window.build_page(PageId.DECIDE)
    page: Any = window.pages[PageId.DECIDE]
    tabs = page.tables.tabs
    for place in range(tabs.count()):
        words = tabs.tabText(place).lower().replace(" ", "-")
        act = partial(lambda at, page: page.tables.tabs.setCurrentIndex(at), place)
        yield Place(f"decide/{words}", partial(show, act))
        if place > 0 and tabs.tabText(place) != "Totals":
            full = partial(_full_view, place)
            yield Place(f"decide/{words}-full", partial(show, full), partial(show, _leave_full))


def _full_view(place: int, page: Any) -> None:
    page.tables.tabs.setCurrentIndex(place)
    page.tables.full_button.setChecked(True)


def _leave_full(page: Any) -> None:
    page.tables.leave_full_view()
    page.tables.tabs.setCurrentIndex(0)


def _of_uplift(window: MainWindow) -> Iterator[Place]:
    from gui.shell.page_list import PageId

    for tab in UPLIFT_TABS:
        act = partial(_call, "show_part", tab)
        yield Place(f"uplift/{tab}", partial(_page, window, PageId.UPLIFT, act))
    for name in ("next_test", "variance", "truth"):
        yield Place(f"uplift/{name}", partial(_uplift_dialog, window, name))


def _uplift_dialog(window: MainWindow, name: str) -> QWidget:
    from gui.shell.page_list import PageId

    window.show_page(PageId.UPLIFT)
    page: Any = window.pages[PageId.UPLIFT]
    if name == "truth":
        page.show_truth()
    else:
        page.show_part(name)
    attribute = "study" if name == "variance" else name
    return getattr(page, attribute, None) or window


def _of_explain(window: MainWindow) -> Iterator[Place]:
    from gui.pages.explain.widget import CASE, MODEL
    from gui.shell.page_list import PageId

    for view in (CASE, MODEL):
        act = partial(_call, "choose_view", view)
        yield Place(f"explain/{view}", partial(_page, window, PageId.EXPLAIN, act))


def _of_experiments(window: MainWindow) -> Iterator[Place]:
    from core.document.experiments.results import CHOOSING, SHRINKAGE
    from gui.shell.page_list import PageId

    for study in (SHRINKAGE, CHOOSING):
        act = partial(lambda key, page: page.open_study(key), study)
        yield Place(f"experiments/{study}", partial(_page, window, PageId.EXPERIMENTS, act))


def _of_plugins(window: MainWindow) -> Iterator[Place]:
    from gui.pages.plugins.words import FAMILIES
    from gui.shell.page_list import PageId

    for family in FAMILIES:
        yield Place(
            f"plugins/{family}",
            partial(_page, window, PageId.PLUGINS, partial(_choose_family, family)),
        )


def _choose_family(family: str, page: Any) -> None:
    page.family.choose(family)
    page.family.chosen.emit(family)


def _dialogs(window: MainWindow, has_data: bool) -> Iterator[Place]:
    from gui.shell.dialogs.by_key import data_dialogs, early_dialogs, open_dialog

    for key in (*early_dialogs(), *(data_dialogs() if has_data else ())):
        yield Place(f"dialog/{key}", partial(open_dialog, key, window.session, window))
    yield Place("dialog/palette", window.open_palette)
    for menu in window.menuBar().actions():
        words = menu.text().replace("&", "").lower()
        yield Place(f"menu/{words}", partial(_open_menu, window, menu))


def _open_menu(window: MainWindow, action: Any) -> QWidget:
    bar = window.menuBar()
    menu = action.menu()
    menu.popup(bar.mapToGlobal(bar.actionGeometry(action).bottomLeft()))
    return menu
