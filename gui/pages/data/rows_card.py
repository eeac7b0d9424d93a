"""Which rows every number comes from, and where their use is taken from."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.document.commands import SetRowsUsed, SetSplit
from core.document.data.commands import SetMissingOutcomes, SetSharedIds
from core.document.data.model import MissingOutcomes, RowUse, SharedIds
from core.document.data.results import TableSummary
from core.document.model import Document, Role, SplitSpec
from core.document.views import MODELS
from core.document.wording import format_count
from gui.pages.data.words import USE_WORDS
from gui.session.session import Session
from gui.widgets import (
    Card,
    HelpText,
    NumberField,
    TextLabel,
    after_typing,
    clear_layout,
    keeping_focus,
)
from gui.widgets.fields.choice_box import ChoiceBox

EVERY_ROW = "\0all"
BY_LOT = "\0lot"
IN_ORDER = "\0order"
MOST_VALUES = 6
ALL_JUDGED = (0.0, 0.0, 1.0)  # of train, validation, test: as files that came with scores have it
CHOOSABLE = (RowUse.VALIDATION, RowUse.TEST, RowUse.TRAIN, RowUse.ALL)
MEANINGS = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST, RowUse.TO_DECIDE)


class RowsCard(Card):
    """Rows used, the column or the draw that says so, and the note with the counts."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        content = HelpText(
            title="Use of rows",
            text=(
                "Rows that trained or chose a model flatter it. Judge it on rows it has not seen: "
                "validation rows to choose, test rows for the final word."
            ),
        )
        super().__init__("Which rows count", help_text=content, parent=parent)
        self._session = session
        self._use = ChoiceBox()
        self._use.setAccessibleName("Rows used for every number")
        for use in CHOOSABLE:
            self._use.addItem(USE_WORDS[use], use)
        self._use.activated.connect(
            lambda _place: session.project.execute(
                SetRowsUsed(rows_used=RowUse(self._use.currentData()))
            )
        )
        self._source = ChoiceBox()
        self._source.setAccessibleName("Where the use of rows comes from")
        self._source.activated.connect(self._on_source)
        self._shared = self._make_shared()
        self._gaps = self._make_gaps()
        self.body.addLayout(self._make_choices())
        self._details = QVBoxLayout()
        self._details.setSpacing(6)
        self.body.addLayout(self._details)
        self._shared_caption = TextLabel("Ids also in training")
        self._shared_caption.setBuddy(self._shared)
        self._gaps_caption = TextLabel("Without an outcome")
        self._gaps_caption.setBuddy(self._gaps)
        for caption, combo in (
            (self._shared_caption, self._shared),
            (self._gaps_caption, self._gaps),
        ):
            below = QHBoxLayout()
            below.setSpacing(12)
            below.addWidget(caption)
            below.addWidget(combo, 1)
            self.body.addLayout(below)
        self.note = TextLabel("", "note", wraps=True)
        self.body.addWidget(self.note)
        self._shown: tuple[SplitSpec, TableSummary | None] | None = None
        session.project.document_changed.connect(self.refresh)
        session.results.decisions_changed.connect(self._show_note)
        session.results.evaluation_changed.connect(self._show_note)

    def _make_shared(self) -> QComboBox:
        """What is done with evaluated rows that share their id with a training row."""
        shared = ChoiceBox()
        shared.setAccessibleName("Rows whose id is in training rows too")
        for meaning, caption in (
            (SharedIds.REFUSE, "Give no numbers until I say"),
            (SharedIds.LEAVE_OUT, "Leave these rows out"),
            (SharedIds.COUNT, "Count them all the same"),
        ):
            shared.addItem(caption, meaning)
        shared.activated.connect(
            lambda _place: self._session.project.execute(
                SetSharedIds(shared_ids=SharedIds(shared.currentData()))
            )
        )
        return shared

    def _make_gaps(self) -> QComboBox:
        """What is done with rows that should have an outcome and have none."""
        gaps = ChoiceBox()
        gaps.setAccessibleName("Rows without an outcome")
        gaps.addItem("Give no numbers until I say", MissingOutcomes.ASK)
        gaps.addItem("Leave these rows out", MissingOutcomes.LEAVE_OUT)
        gaps.activated.connect(
            lambda _place: self._session.project.execute(
                SetMissingOutcomes(missing_outcomes=MissingOutcomes(gaps.currentData()))
            )
        )
        return gaps

    def _make_choices(self) -> QGridLayout:
        """The captioned choices at the top."""
        top = QGridLayout()
        top.setHorizontalSpacing(12)
        top.setVerticalSpacing(8)
        top.setColumnStretch(1, 1)
        for row, (label, widget) in enumerate(
            (
                (TextLabel("Numbers from"), self._use),
                (TextLabel("Use given by"), self._source),
            )
        ):
            label.setBuddy(widget)
            top.addWidget(label, row, 0)
            top.addWidget(widget, row, 1)
        return top

    # ------------------------------------------------------------ showing

    def refresh(self, *_ignored: object) -> None:
        """Show the document as it is now."""
        document, summary = self._session.project.document, self._session.project.summary
        self._use.setCurrentIndex(self._use.findData(document.rows_used))
        self._shared.setCurrentIndex(self._shared.findData(document.shared_ids))
        has_id = document.column_of(Role.ID) is not None
        self._shared_caption.setVisible(has_id)
        self._shared.setVisible(has_id)
        self._gaps.setCurrentIndex(self._gaps.findData(document.missing_outcomes))
        outcome = document.target.column if document.target is not None else ""
        columns = summary.columns if summary is not None else ()
        has_gaps = any(column.name == outcome and column.missing for column in columns)
        self._gaps_caption.setVisible(has_gaps)
        self._gaps.setVisible(has_gaps)
        is_other = self._shown != (document.split, summary)
        if is_other and not after_typing(self, self.refresh):
            self._shown = (document.split, summary)
            self._show_source(document, summary)
            with keeping_focus(self):
                self._show_details(document, summary)
        self._show_note()

    def _show_source(self, document: Document, summary: TableSummary | None) -> None:
        self._source.clear()
        self._source.addItem("All rows", EVERY_ROW)
        self._source.addItem("Drawn by lot", BY_LOT)
        self._source.addItem("As the rows stand in the file", IN_ORDER)
        for column in summary.columns if summary is not None else ():
            is_fit = 2 <= column.distinct <= MOST_VALUES and column.levels
            if is_fit or column.name == document.split.column:
                self._source.addItem(f"Column {column.name}", column.name)
        self._source.setCurrentIndex(self._source.findData(source_of(document.split)))

    def _show_details(self, document: Document, summary: TableSummary | None) -> None:
        clear_layout(self._details)
        split = document.split
        if source_of(split) == EVERY_ROW:
            return
        if split.column is None:
            self._show_shares(split)
        elif summary is not None:
            self._show_meaning(split, summary)

    def _show_shares(self, split: SplitSpec) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        captions = ("Train", "Validation", "Test")
        for place, caption in enumerate(captions):
            field = NumberField(
                split.shares[place], decimals=0, minimum=0, maximum=1, unit="%", factor=100
            )
            field.setAccessibleName(f"Share of {caption} rows")
            # Another number only: a field that is passed by must not give its share out anew.
            field.value_changed.connect(lambda value, place=place: self._take_share(place, value))
            row.addLayout(_captioned(caption, field))
        if not split.in_order:
            row.addLayout(_captioned("Seed", self._seed_field(split)))
        self._details.addLayout(row)
        if split.together is not None and not split.in_order:
            words = f"Rows of one {split.together} are drawn together."
            self._details.addWidget(TextLabel(words, "note", wraps=True))

    def _seed_field(self, split: SplitSpec) -> NumberField:
        seed = NumberField(float(split.seed), whole=True, minimum=0, maximum=2**31 - 1)
        seed.setAccessibleName("Seed of the draw")
        seed.value_changed.connect(
            lambda value: self._take(
                replace(self._session.project.document.split, seed=round(value))
            )
        )
        return seed

    def _show_meaning(self, split: SplitSpec, summary: TableSummary) -> None:
        column = next((c for c in summary.columns if c.name == split.column), None)
        if column is None:
            return
        meaning = dict(split.meaning)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(2, 1)
        for row, (value, count) in enumerate(column.levels[:MOST_VALUES]):
            combo = ChoiceBox()
            combo.setAccessibleName(f"Use of rows with {value}")
            for use in MEANINGS:
                combo.addItem(USE_WORDS[use], use)
            combo.setCurrentIndex(combo.findData(meaning.get(value)))
            combo.setPlaceholderText("Not used")
            combo.activated.connect(
                lambda _place, value=value, combo=combo: self._take_meaning(
                    value, RowUse(combo.currentData())
                )
            )
            grid.addWidget(TextLabel(value, "strong"), row, 0)
            grid.addWidget(TextLabel(format_count(count), "quiet"), row, 1)
            grid.addWidget(combo, row, 2)
        self._details.addLayout(grid)

    def _show_note(self, *_ignored: object) -> None:
        results, rows = self._session.results, None
        if results.decisions is not None:
            rows, of = results.decisions.rows, results.decided
        elif results.evaluation is not None:
            rows, of = results.evaluation.rows, results.evaluated
        document = self._session.project.document
        if rows is None or (of is not None and MODELS.of(of) != MODELS.of(document)):
            self.note.setText("Every number will name the rows it comes from.")
            return
        text = f"Every number comes from {rows.text}."
        for reason, count in rows.dropped:
            text += " " + f"Left out: {format_count(count)} ({reason})."
        self.note.setText(text)

    # ------------------------------------------------------------ answering

    def _take(self, split: SplitSpec) -> None:
        if split != self._session.project.document.split:
            self._session.project.execute(SetSplit(split=split))

    def _on_source(self, _place: int) -> None:
        chosen = self._source.currentData()
        split = self._session.project.document.split
        before = source_of(split)
        if chosen == before:
            return
        column = None if chosen in (EVERY_ROW, BY_LOT, IN_ORDER) else str(chosen)
        shares = split.shares
        if chosen == EVERY_ROW:
            shares = ALL_JUDGED
        elif shares == ALL_JUDGED:  # no draw at all: the usual one
            shares = SplitSpec().shares
        meaning = split.meaning if column == split.column else self._guess(column)
        self._take(
            replace(
                split,
                column=column,
                meaning=meaning,
                shares=shares,
                in_order=chosen == IN_ORDER,
            )
        )

    def _guess(self, column: str | None) -> tuple[tuple[str, RowUse], ...]:
        """Values in the order of their number of rows: train, validation, test."""
        summary = self._session.project.summary
        found = [c for c in summary.columns if c.name == column] if summary is not None else []
        values = [value for value, _count in found[0].levels[:MOST_VALUES]] if found else []
        by_name = {use.value: use for use in MEANINGS} | {"valid": RowUse.VALIDATION}
        uses = (RowUse.VALIDATION, RowUse.TEST, RowUse.TRAIN)
        return tuple(
            (value, by_name.get(value.strip().lower()) or uses[min(place, 2)])
            for place, value in enumerate(values)
        )

    def _take_meaning(self, value: str, use: RowUse) -> None:
        split = self._session.project.document.split
        meaning = dict(split.meaning) | {value: use}
        self._take(replace(split, meaning=tuple(meaning.items())))

    def _take_share(self, place: int, value: float) -> None:
        """The other shares keep their proportion and fill up to 100 %."""
        split = self._session.project.document.split
        shares = shared_out(split.shares, place, value)
        self._take(replace(split, shares=shares))


def source_of(split: SplitSpec) -> str:
    """Where the use of rows comes from, as the list has it."""
    if split.column is not None:
        return split.column
    if split.in_order:
        return IN_ORDER
    return EVERY_ROW if split.shares == ALL_JUDGED else BY_LOT


def shared_out(
    shares: tuple[float, float, float], place: int, value: float
) -> tuple[float, float, float]:
    """Three shares with one changed; the others keep their proportion and all add up to 1."""
    others = [index for index in range(3) if index != place]
    rest = sum(shares[index] for index in others)
    changed = list(shares)
    changed[place] = min(1.0, max(0.0, value))
    for index in others:
        weight = shares[index] / rest if rest > 0 else float(index == others[-1])
        changed[index] = round((1.0 - changed[place]) * weight, 6)
    changed[others[-1]] = 1.0 - changed[place] - changed[others[0]]
    return changed[0], changed[1], max(0.0, changed[2])


def _captioned(caption: str, widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(2)
    label = TextLabel(caption, "note")
    label.setBuddy(widget)
    column.addWidget(label)
    column.addWidget(widget)
    return column
