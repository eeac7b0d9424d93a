"""Pictures of every place of the real program, in light and dark, at several sizes.

    python -m tests.e2e.screenshots FOLDER [--samples loans trial] [--places "decide*" "dialog/*"]

Places are pages, their tabs and studies, and dialogs (``tests/e2e/places.py``), named by
patterns. Starts the window with its engine (offscreen unless a display is given), opens a sample
(without ``--samples`` a mailing with much on Home), waits until everything is computed, and saves
``[<sample>/]<place>-<theme>-<width>x<height>.png``; a dialog has its own size and one picture of
each theme. With ``--audit`` what is cut or scrolls sideways is printed as well. For 200 % set
QT_SCALE_FACTOR=2.
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
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from gui.shell.page_list import PageId

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

    from gui.app.application import WindowRun

THEMES = ("light", "dark")
SIZES = ("1440x900", "1280x720")
MAILING = ""  # the made-up sample; others are the bundled ones
PATIENCE = 280.0
SLOWER = float(os.environ.get("PAYOFF_SLOWER", "1"))  # how much slower than usual a machine is
KERNELS = Path(__file__).resolve().parents[2] / "build" / "kernel-cache"  # the suite's


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.screenshots")
    parser.add_argument("folder")
    parser.add_argument("--samples", nargs="+", default=(MAILING,))
    parser.add_argument("--places", nargs="+", default=("*",))
    parser.add_argument("--themes", nargs="+", default=THEMES, choices=THEMES)
    parser.add_argument("--sizes", nargs="+", default=SIZES)
    parser.add_argument("--audit", action="store_true")
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


def settle(app: QApplication, run: WindowRun, seconds: float = 1.0) -> None:
    """Wait until no job has been open for some time: the pauses before slow jobs are over."""
    quiet = 0.0
    before = time.monotonic()

    def is_quiet() -> bool:
        nonlocal quiet, before
        now = time.monotonic()
        quiet = quiet + now - before if run.session.results.is_settled else 0.0
        before = now
        return quiet > seconds

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


def fill_report(app: QApplication, run: WindowRun, sample: str) -> None:
    """Put on the report what a reader would want of the sample."""
    if sample == MAILING:
        _report_on_mailing(app, run)
        return
    for page in (PageId.COMPARE, PageId.DECIDE, PageId.UPLIFT):
        run.window.show_page(page)
        settle(app, run)
        run.session.report.put_page(page)
    run.window.notice.dismiss()


def _report_on_mailing(app: QApplication, run: WindowRun) -> None:
    from core.document.report.commands import WriteOnReport

    session = run.session
    for page in (PageId.COMPARE, PageId.DECIDE):
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
    from gui.shell.geometry import InsideScreen

    home = Path(tempfile.mkdtemp(prefix="payoff-pictures-"))
    os.environ["PAYOFF_HOME"] = str(home)
    os.environ.setdefault("PAYOFF_CACHE_DIR", str(KERNELS))
    app = make_application(["payoff"])
    InsideScreen(app)
    run = WindowRun(app, Namespace(file=None, sample=None, theme="light", safe_mode=False))
    run.window.show()
    written: list[Path] = []
    try:
        for sample in arguments.samples:
            open_sample(app, run, sample, home)
            fill_report(app, run, sample)
            folder = Path(arguments.folder) / sample
            folder.mkdir(parents=True, exist_ok=True)
            written += _pictures(app, run, arguments, folder)
        return written
    finally:
        run.window.close_for_good()
        shutil.rmtree(home, ignore_errors=True)


def open_sample(app: QApplication, run: WindowRun, sample: str, home: Path) -> None:
    """Open a sample by its key and wait for its results."""
    from gui.session.samples import sample_path

    run.session.project.history.mark_saved()
    if sample == MAILING:
        run.session.files.open_project(str(make_sample(home / "Marketing")))
    else:
        path = sample_path(sample)
        if path is None or not run.session.files.open_sample(path):
            raise SystemExit(f"no sample {sample!r}")
    if not wait(app, lambda: run.session.project.summary is not None):
        raise TimeoutError("the sample was not loaded")
    settle(app, run)
    if sample == MAILING:
        fill_recent(app, run, home / "Marketing")


def _pictures(
    app: QApplication, run: WindowRun, arguments: argparse.Namespace, folder: Path
) -> list[Path]:
    from tests.e2e.places import places

    written = []
    for place in places(run.window):
        if any(fnmatch(place.name, pattern) for pattern in arguments.places):
            shown = place.show()
            settle(app, run)
            written += _of_place(app, run, arguments, shown, folder / place.name.replace("/", "-"))
            place.leave()
            if shown is not run.window:
                shown.close()
    return written


def _of_place(
    app: QApplication, run: WindowRun, arguments: argparse.Namespace, shown: QWidget, name: Path
) -> list[Path]:
    """The pictures of one place; those that keep their size are taken once in each theme."""
    from gui.theme import apply_theme

    written = []
    sizes = arguments.sizes if shown is run.window else ("",)
    for theme in arguments.themes:
        apply_theme(app, theme)
        for size in sizes:
            if size:
                width, height = (int(part) for part in size.split("x"))
                run.window.resize(width, height)
                wait(app, lambda w=width: run.window.width() == w, 3.0)  # the desktop decides
            settle(app, run, 0.2)
            words = "-".join(part for part in (name.name, theme, size) if part)
            target = name.with_name(f"{words}.png")
            shown.grab().save(str(target))
            written.append(target)
            if arguments.audit:
                tell_findings(shown, words)
    return written


def tell_findings(shown: QWidget, words: str) -> None:
    """Print what a designer would wince at."""
    from tests.helpers import layout_audit

    for check in layout_audit.CHART_LABELS:
        for line in dict.fromkeys(check(shown)):
            print(f"{words}: {check.__name__}: {line}", flush=True)


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
