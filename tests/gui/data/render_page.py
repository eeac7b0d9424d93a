"""Pictures of page Data and its dialogs on real files, in both themes and sizes.

Run: python -m tests.gui.data.render_page FOLDER
"""

from __future__ import annotations

import csv
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QWidget

from core.document.data.model import ReaderSettings
from core.engine.local import LocalEngine
from core.settings import SettingsStore
from gui.pages.data.dialogs.add_columns import AddColumnsDialog
from gui.pages.data.dialogs.add_rows import AddRowsDialog
from gui.pages.data.dialogs.derive_column import DeriveColumnDialog
from gui.pages.data.dialogs.overlap import OverlapDialog
from gui.pages.data.reading.import_dialog import ImportDialog
from gui.pages.data.widget import DataPage
from gui.session import JobQueue
from gui.session.session import Session
from gui.theme import apply_theme
from payoff.errors import PayoffError
from tests.helpers.fake_engine import FakeEngine

SIZES = ((1440, 900), (1280, 720))
FRAME = (72, 98)  # the rail; menu, toolbar and jobs strip


class RealAnswers(FakeEngine):
    """Answers everything it was asked from the real engine, when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.real = LocalEngine()
        self.answered = 0

    def answer_all(self) -> None:
        """Answer what is open, and what that brings."""
        while self.answered < len(self.asked):
            entry = self.asked[self.answered]
            self.answered += 1
            try:
                self.answer(entry.job, self.real.run(entry.kind, entry.arguments))
            except PayoffError as refusal:
                self.fail(entry.job, refusal)


def write_files(folder: Path) -> tuple[Path, Path, Path]:
    """Scores, outcomes under other spellings of the id, and rows of another quarter."""
    draw = np.random.default_rng(20261)
    count = 3_000
    probability = draw.beta(1.5, 6.0, count).round(4)
    head = ("customer_id", "region", "age", "since", "income", "use", "p_gbm", "p_logit")
    use = draw.choice(["train", "validation", "test"], count)
    rows = [
        (
            f"{n:05d}",
            draw.choice(["North", "South", "East"]),
            int(draw.integers(18, 90)),
            f"2024-{1 + n % 12:02d}-{1 + n % 28:02d}",
            "" if n % 9 == 0 else f"{draw.gamma(3, 900):.2f}",
            use[n],
            probability[n],
            round(min(0.99, probability[n] * 1.2), 4),
        )
        for n in range(count)
    ]
    scores, outcomes, more = (folder / f"{n}.csv" for n in ("scores", "outcomes", "quarter_test"))
    write(scores, head, rows)
    answers = [
        (int(row[0]), int(draw.random() < row[6]), round(float(draw.gamma(2, 20)), 2))
        for row in rows[: count - 40]
    ]
    write(outcomes, ("id", "responded", "amount"), answers)
    write(more, head[:-1], [row[:-1] for row in rows[:50]])
    return scores, outcomes, more


def write(path: Path, head: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    """A semicolon file with decimal points."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter=";")
        out.writerow(head)
        out.writerows(rows)


def write_doubtful(folder: Path) -> Path:
    """A file whose decimal sign and order of dates have to be asked about."""
    path = folder / "doubtful.csv"
    rows = [f"{n};1.{n:03d};0{1 + n % 9}/0{1 + n % 7}/2024" for n in range(100, 180)]
    path.write_text("\n".join(["case;amount;due", *rows]), "utf-8")
    return path


def write_repeated(folder: Path) -> Path:
    """A file in which three columns have one name."""
    path = folder / "repeated.csv"
    rows = [f"K{n},{n % 2},0.{n},0.{n + 9},0.{n + 5}" for n in range(10, 70)]
    path.write_text("\n".join(["case,y,score,score,score", *rows]), "utf-8")
    return path


def write_pasted(folder: Path) -> Path:
    """Cells of a worksheet, as pasting keeps them."""
    path = folder / "pasted 2024-05-01.tsv"
    rows = [f"K{n}\t{n % 2}\t{0.01 * n:.2f}" for n in range(60)]
    path.write_text("\n".join(["case\ty\tp_gbm", *rows]), "utf-8")
    return path


def run(engine: RealAnswers, seconds: float = 0.7) -> None:
    """Let timers and answers come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        engine.answer_all()
        QCoreApplication.processEvents()


def dialogs_of(
    space: Session, engine: RealAnswers, page: DataPage, files: tuple[Path, Path, Path]
) -> list[tuple[str, QWidget]]:
    """Every dialog of the page, filled as a person would."""
    scores, outcomes, more = files
    settings = ImportDialog(space, str(scores), ReaderSettings(), page)
    doubtful = ImportDialog(space, str(write_doubtful(scores.parent)), ReaderSettings(), page)
    pasted = ImportDialog(space, str(write_pasted(scores.parent)), ReaderSettings(), page)
    repeated = ImportDialog(space, str(write_repeated(scores.parent)), ReaderSettings(), page)
    columns = AddColumnsDialog(space, page)
    columns.file.take(str(outcomes))
    rows = AddRowsDialog(space, page)
    rows.read(str(more))
    derived = DeriveColumnDialog(space, page)
    derived.name.setText("age_band")
    derived.text.setText("bands(age, 30, 45, 60)")
    made = [
        ("import", settings),
        ("import-asked", doubtful),
        ("import-repeated", repeated),
        ("paste", pasted),
        ("join", columns),
        ("rows", rows),
        ("derive", derived),
        ("overlap", OverlapDialog(space, page)),
    ]
    for _name, dialog in made:
        dialog.show()
    run(engine, 1.5)
    columns.case.isVisible()
    return made


def render(folder: Path) -> list[Path]:
    """Write every picture; returns the files."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    written = []
    with tempfile.TemporaryDirectory() as name:
        files = write_files(Path(name))
        engine = RealAnswers()
        queue = JobQueue(engine.listen)
        space = Session(queue, SettingsStore(Path(name) / "settings.json"))
        space.files.open_data(str(files[0]))
        run(engine)
        page = DataPage(space)
        page.setProperty("surface", "window")
        page.setAutoFillBackground(True)
        page.show()
        run(engine)
        page.look.filter.setText('age >= 30 and region = "North"')
        page.look.take()
        run(engine)
        dialogs = dialogs_of(space, engine, page, files)
        for theme in ("light", "dark"):
            apply_theme(application, theme)
            for width, height in SIZES:
                page.resize(width - FRAME[0], height - FRAME[1])
                page.table.horizontalScrollBar().setValue(200)
                run(engine)
                written.append(folder / f"data-{theme}-{width}.png")
                page.grab().save(str(written[-1]))
            for kind, dialog in dialogs:
                for size, words in (
                    (dialog.size(), ""),
                    (dialog.minimumSizeHint().expandedTo(dialog.minimumSize()), "-small"),
                ):
                    usual = dialog.size()
                    dialog.resize(size)
                    run(engine, 0.2)
                    written.append(folder / f"{kind}-{theme}{words}.png")
                    dialog.grab().save(str(written[-1]))
                    dialog.resize(usual)
        for _kind, dialog in dialogs:
            dialog.close()
        page.close()
        queue.close()
    return written


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for file in render(target):
        print(file)
