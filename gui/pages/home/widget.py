"""Page Home: open a file or a sample, go on with a recent project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.files.project import Headline, read_project
from core.settings import RecentProject
from gui.pages.home.cards import ContinueCard, OpenCard, SampleCard, row_of
from gui.pages.home.recent_model import DATA, PIN, RecentModel
from gui.pages.page import Page
from gui.session.samples import Sample, bundled_samples, page_of, sample_path
from gui.session.session import Session
from gui.shell.page_list import PageId
from gui.theme import current_theme
from gui.widgets import Card, IconLabel, SectionTitle, TextLabel, WeightedTable
from gui.widgets.card_column import CardColumn, scrolling
from payoff.errors import PayoffError

SHOWN_RECENT = 6
IN_A_ROW = 3  # sample cards
# pin, project, where, last opened, best model, profit, interval, data: least pixels and weight
COLUMN_WIDTHS = (
    (28, 0),
    (120, 4),
    (110, 7),
    (116, 1),
    (84, 2),
    (132, 1),
    (126, 2),
    (136, 4),
)


class HomePage(Page):
    """Where to begin: a file, a project, the last one, or a sample."""

    open_data_wanted = Signal()
    open_project_wanted = Signal()
    path_wanted = Signal(str)
    find_wanted = Signal(str)  # the project whose file, or whose data, is not where it was

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Home", parent)
        self.setAccessibleName("Home")
        question = "What is this model worth, and what should we do with each case?"
        self.header.add_left(TextLabel(question, "quiet"))
        self.header.add_right(IconLabel("lock", "quiet", 14))
        offline = "Works offline. Nothing leaves this computer."
        self.header.add_right(TextLabel(offline, "note"))
        self._build()
        session.files.project_changed.connect(self.refresh)
        session.results.decisions_changed.connect(self._show_result)
        session.project.document_changed.connect(self._show_result)
        self.refresh()

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        gap = current_theme().sizes.gap
        content = CardColumn(gives_way=True)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(gap)
        column.addLayout(self._opening(gap))
        column.addWidget(self._recent_card())
        column.addLayout(self._samples(gap), 1)
        column.addStretch(0)
        self.body.addWidget(scrolling(content))

    def _opening(self, gap: int) -> QVBoxLayout:
        self.open_data = OpenCard(
            "data",
            "Open data",
            (
                "Scores from any tool with the outcome, or a table to train on: CSV, Excel, SAS, "
                "SPSS, Stata, Parquet."
            ),
            "Open data…",
            "Ctrl+O, or drop a file",
            primary=True,
        )
        self.open_data.pressed.connect(self.open_data_wanted)
        self.open_project = OpenCard(
            "folder-open",
            "Open project",
            "Data, models, decisions and report in one .payoff file.",
            "Open project…",
            "Ctrl+Shift+O",
            primary=False,
        )
        self.open_project.pressed.connect(self.open_project_wanted)
        self.continue_card = ContinueCard()
        self.continue_card.pressed.connect(self._on_recent_wanted)
        self.continue_card.shown_wanted.connect(self._on_continue)
        holder = QVBoxLayout()
        holder.addLayout(
            row_of([(self.open_data, 2), (self.open_project, 2), (self.continue_card, 3)], gap)
        )
        return holder

    def _recent_card(self) -> Card:
        card = Card("Recent")
        self.clear = QPushButton("Clear list")
        self.clear.setProperty("kind", "link")
        self.clear.setToolTip("Pinned projects stay. No file is touched.")
        self.clear.clicked.connect(self._on_clear)
        card.add_header_widget(self.clear)
        self.recent = RecentModel(self)
        self.table = WeightedTable(COLUMN_WIDTHS)
        self.table.setModel(self.recent)
        self.table.setAccessibleName("Recent projects")
        self.table.setMouseTracking(True)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setWordWrap(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(current_theme().sizes.row)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.clicked.connect(self._on_clicked)
        self.table.activated.connect(self._on_activated)
        card.body.addWidget(self.table)
        self.no_recent = TextLabel(
            "No projects yet. Open data above, or begin with a sample below.",
            "quiet",
        )
        card.body.addWidget(self.no_recent)
        return card

    def _samples(self, gap: int) -> QVBoxLayout:
        holder = QVBoxLayout()
        holder.setSpacing(8)
        samples = bundled_samples()
        self.sample_cards: dict[str, SampleCard] = {}
        if not samples:
            holder.addStretch(1)
            return holder
        note = "ready to explore, nothing to set up"
        holder.addWidget(SectionTitle("Samples", note))
        self.samples = QGridLayout()
        self.samples.setSpacing(gap)
        shown = [sample for sample in samples if not sample.is_lesson]
        for place, sample in enumerate(shown):
            card = SampleCard(sample, _headline(str(sample.path)))
            card.pressed.connect(self._on_sample)
            self.sample_cards[sample.key] = card
            self.samples.addWidget(card, place // IN_A_ROW, place % IN_A_ROW)
        for column in range(IN_A_ROW):
            self.samples.setColumnStretch(column, 1)
        holder.addLayout(self.samples, 1)
        lessons = [sample for sample in samples if sample.is_lesson]
        if lessons:
            holder.addLayout(self._lessons(lessons))
        holder.addStretch(0)
        return holder

    def _lessons(self, samples: list[Sample]) -> QHBoxLayout:
        """Links to the samples in which a usual figure prefers the wrong model."""
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(TextLabel("Where uplift misleads:", "quiet"))
        for sample in samples:
            link = QPushButton(sample.title)
            link.setProperty("kind", "link")
            link.setToolTip(sample.text)
            link.clicked.connect(lambda _on=False, key=sample.key: self._on_sample(key))
            row.addWidget(link)
        row.addStretch(1)
        return row

    # ------------------------------------------------------------ showing

    def on_shown(self) -> None:
        self.refresh()
        QTimer.singleShot(0, self, self.find_files)

    def refresh(self) -> None:
        """Show the recent list as it is now."""
        entries = self._entries()[:SHOWN_RECENT]
        self.recent.show(entries)
        self._show_project(entries)
        self.table.setVisible(bool(entries))
        self.clear.setVisible(bool(entries))
        self.no_recent.setVisible(not entries)
        sizes = current_theme().sizes
        self.table.setFixedHeight(sizes.row * (len(entries) + 1) + 4)

    def _on_recent_wanted(self, path: str) -> None:
        """Open a project, or look for it where its file has gone."""
        (self.path_wanted if Path(path).is_file() else self.find_wanted).emit(path)

    def _show_project(self, entries: tuple[RecentProject, ...]) -> None:
        """Show the project that is open and what it earns; else the one that was open last."""
        session = self.session
        document = session.project.document
        self.continue_card.setVisible(document.data is not None or bool(entries))
        if document.data is None:
            if entries:
                self.continue_card.show_project(max(entries, key=lambda entry: entry.opened_at))
            return
        described = self._opening_words() if session.results.decisions_are_fresh else ""
        self.continue_card.show_open(document, session.files.headline(), described)

    def _opening_words(self) -> str:
        """What the file holds and earns, as page Decide says it until somebody changes the matrix.

        Imported where there are totals: the window paints before numpy is there.
        """
        from core.presentation.opening import opening_words

        session, summary = self.session, self.session.project.summary
        left_out = (summary.left_out, summary.totals) if summary is not None else (0, 0)
        described = opening_words(session.project.document, session.results.decisions, *left_out)
        return described.partition("\n")[0]

    def _show_result(self, _result: object) -> None:
        """Totals have come in, or are gone; a page behind others is renewed when it is shown."""
        if self.isVisible():
            self._show_project(self._entries()[:SHOWN_RECENT])

    def _on_continue(self) -> None:
        self.session.page_requested.emit(PageId.DECIDE)

    def find_files(self) -> None:
        """Say of which projects the file or its data is not where it was."""
        trouble = {}
        for entry in self._entries()[:SHOWN_RECENT]:
            words = self._trouble_of(entry)
            if words:
                trouble[entry.path] = words
        self.recent.show_trouble(trouble)
        for row in range(self.recent.rowCount()):
            place = self.recent.index(row, DATA)
            button: Any = self._find_button(row)  # None takes it away, which Qt's types do not say
            self.table.setIndexWidget(place, button)

    def _find_button(self, row: int) -> QWidget | None:
        """The button in a row whose project or data file is not where it was."""
        trouble = self.recent.trouble(row)
        if not trouble:
            return None
        entry = self.recent.entry(row)
        holder = QWidget()
        layout = QHBoxLayout(holder)
        layout.setContentsMargins(0, 0, 4, 0)
        layout.addStretch(1)
        button = QPushButton("Find…")
        button.setProperty("kind", "link")
        button.setAccessibleName(f"Find the file of {entry.name}")
        button.setToolTip(trouble)
        button.clicked.connect(lambda: self.find_wanted.emit(entry.path))
        layout.addWidget(button)
        return holder

    def _trouble_of(self, entry: RecentProject) -> str:
        if not Path(entry.path).is_file():
            return "project file moved"
        try:
            data = read_project(entry.path).document.data
        except PayoffError:
            return "cannot be opened"
        if data is None:
            return ""
        folder = Path(entry.path).parent
        paths = (data.path, *(file.path for file in data.recipe.files))
        found = all(Path(p).is_file() or (folder / Path(p).name).is_file() for p in paths)
        return "" if found else "data file moved"

    def _entries(self) -> tuple[RecentProject, ...]:
        store = self.session.settings
        return store.settings.recent if store is not None else ()

    # ------------------------------------------------------------ answering

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == PIN:
            self._toggle_pin(self.recent.entry(index.row()))
        else:
            self._on_activated(index)

    def _on_activated(self, index: QModelIndex) -> None:
        self._on_recent_wanted(self.recent.entry(index.row()).path)

    def _toggle_pin(self, entry: RecentProject) -> None:
        store = self.session.settings
        if store is None:
            return
        changed = tuple(
            replace(e, is_pinned=not e.is_pinned) if e.path == entry.path else e
            for e in store.settings.recent
        )
        ordered = tuple(sorted(changed, key=lambda e: not e.is_pinned))
        store.change(replace(store.settings, recent=ordered))
        self.refresh()

    def _on_clear(self) -> None:
        store = self.session.settings
        if store is not None:
            kept = tuple(entry for entry in store.settings.recent if entry.is_pinned)
            store.change(replace(store.settings, recent=kept))
        self.refresh()

    def _on_sample(self, key: str) -> None:
        path = sample_path(key)

        def show() -> None:
            if path is not None and self.session.files.open_sample(path):
                self.session.page_requested.emit(page_of(key))

        self.session.files.when_saved(show)


def _headline(path: str) -> Headline:
    try:
        return read_project(path).headline
    except PayoffError:
        return Headline()
