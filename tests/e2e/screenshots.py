"""Pictures of every page of the real program on the sample, in light and dark, at two sizes.

    python -m tests.e2e.screenshots FOLDER [--pages home data compare decide] [--sizes 1440x900]

``decide:N`` is page Decide with its tab number N in front (from 0), ``decide:all`` every tab.

Starts the window with its engine (offscreen unless a display is given), opens the sample, waits
until everything is computed, and saves ``<page>-<theme>-<width>x<height>.png``.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from gui.app.application import WindowRun

PAGES = ("home", "data", "models", "compare", "decide:all")
THEMES = ("light", "dark")
SIZES = ("1440x900", "1280x720")
PATIENCE = 280.0
SLOWER = float(os.environ.get("PAYOFF_SLOWER", "1"))  # how much slower than usual a machine is
KERNELS = Path(__file__).resolve().parents[2] / "build" / "kernel-cache"  # the suite's


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.screenshots")
    parser.add_argument("folder")
    parser.add_argument("--pages", nargs="+", default=PAGES)
    parser.add_argument("--themes", nargs="+", default=THEMES, choices=THEMES)
    parser.add_argument("--sizes", nargs="+", default=SIZES)
    return parser.parse_args(arguments)


def wait(app: QApplication, is_reached: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Let the program run until something is so; False if it takes too long."""
    from PySide6.QtCore import QEventLoop

    end = time.monotonic() + seconds * SLOWER
    while not is_reached():
        if time.monotonic() > end:
            return False
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        time.sleep(0.01)
    return True


def settle(app: QApplication, run: WindowRun) -> None:
    """Wait until no job is open and the pauses before slow jobs are over."""
    quiet = 0.0
    before = time.monotonic()

    def is_quiet() -> bool:
        nonlocal quiet, before
        now = time.monotonic()
        quiet = quiet + now - before if run.session.results.is_settled else 0.0
        before = now
        return quiet > 1.0

    if not wait(app, is_quiet):
        raise TimeoutError("the jobs did not end")


def make_sample(folder: Path) -> Path:
    """The sample project, in a folder of its own."""
    from core.data.samples import sample_document, write_sample
    from core.document.files.project import Headline, save_project

    data = write_sample(str(folder))
    return save_project(folder / "Spring mailing.payoff", sample_document(data), Headline())


def fill_recent(app: QApplication, run: WindowRun, folder: Path) -> None:
    """Save the project under a few names at other costs, so that Home has a list to show."""
    from core.document.commands import DescribeProject, MoveCursor
    from core.document.decisions.commands import SetParameter

    session = run.session
    for name, cost in (("Voucher test", 1.9), ("Autumn letters", 2.4), ("Spring mailing", 1.6)):
        matrix = session.project.document.matrix
        known = dict(matrix.parameters) if matrix is not None else {}
        parameter = next((key for key in known if "cost" in key), None)
        if parameter is not None:
            session.project.execute(SetParameter(name=parameter, value=cost))
        session.project.execute(DescribeProject(name=name))
        session.project.execute(MoveCursor(depth=None))
        settle(app, run)
        session.files.save_project(str(folder / f"{name}.payoff"))


def fill_report(app: QApplication, run: WindowRun) -> None:
    """Put on the report what a reader would want of the sample."""
    from core.document.report.commands import WriteOnReport

    session = run.session
    for page in ("compare", "decide"):
        run.window.show_page(page)
        settle(app, run)
    kinds = ("decide/total", "decide/profit", "metrics", "roc", "gains", "decide/totals")
    for kind in kinds:
        session.report.put(kind)
    note = "Mail the best eighth. Beyond it each letter costs more than it brings."
    session.project.execute(
        WriteOnReport(kind="decide/profit", caption="How many letters pay?", note=note)
    )


def take(arguments: argparse.Namespace) -> list[Path]:
    """Start the program, take the pictures, end it."""
    from gui.app.application import WindowRun, make_application

    folder = Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(prefix="payoff-pictures-"))
    os.environ["PAYOFF_HOME"] = str(home)
    os.environ.setdefault("PAYOFF_CACHE_DIR", str(KERNELS))
    app = make_application(["payoff"])
    run = WindowRun(app, Namespace(file=None, sample=None, theme="light", safe_mode=False))
    run.window.show()
    try:
        project = make_sample(home / "Marketing")
        run.session.files.open_project(str(project))
        if not wait(app, lambda: run.session.project.summary is not None):
            raise TimeoutError("the sample was not loaded")
        settle(app, run)
        fill_recent(app, run, home / "Marketing")
        return _pictures(app, run, arguments, folder)
    finally:
        run.window.close_for_good()
        shutil.rmtree(home, ignore_errors=True)


def _pictures(
    app: QApplication, run: WindowRun, arguments: argparse.Namespace, folder: Path
) -> list[Path]:
    from gui.theme import apply_theme

    written = []
    window = run.window
    if "report" in arguments.pages:
        fill_report(app, run)
    for theme in arguments.themes:
        apply_theme(app, theme)
        for size in arguments.sizes:
            width, height = (int(part) for part in size.split("x"))
            window.resize(width, height)
            for page, tab in _views(run, arguments.pages):
                window.show_page(page)
                if tab is not None:
                    window.pages[page].tables.tabs.setCurrentIndex(tab)
                settle(app, run)
                name = page if tab is None else f"{page}-{tab}"
                target = folder / f"{name}-{theme}-{size}.png"
                window.grab().save(str(target))
                written.append(target)
    return written


def _views(run: WindowRun, pages: Sequence[str]) -> list[tuple[str, int | None]]:
    """Pages with the tab in front, where one is asked for."""
    views: list[tuple[str, int | None]] = []
    for entry in pages:
        page, _, tab = entry.partition(":")
        if tab == "all":
            run.window.show_page(page)
            count = run.window.pages[page].tables.tabs.count()
            views += [(page, place) for place in range(count)]
        else:
            views.append((page, int(tab) if tab else None))
    return views


def main() -> int:
    """Take the pictures and print their names."""
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for path in take(parse(sys.argv[1:])):
        print(path)
    return 0


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
