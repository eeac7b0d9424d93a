"""The settings of the chosen model, at the right; a change makes a new model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.document.model import Document, TrainedModel
from gui.pages.models.draft import (
    FOLDS,
    JUDGED_FOLDS,
    JUDGED_NOTHING,
    JUDGED_VALIDATION,
    judged_on,
    with_judge,
)
from gui.parts import Card, HelpText, NumberField, Rule, TextLabel
from gui.parts.dialog_buttons import entries_stand
from gui.parts.scrolled import scrolled
from gui.theme import current_theme
from payoff.counting import counted

_FIELD = 104


class ModelInspector(Card):
    """Holds a draft: fields change it, the button trains it."""

    draft_changed = Signal(object)  # TrainedModel
    train_wanted = Signal()
    train_on_wanted = Signal(int)  # further trees for the model in view
    reset_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "Settings",
            help_text=HelpText(
                title="Boosted trees",
                text=(
                    "Many small trees are added up, each one correcting what the trees before it "
                    "still get wrong. Small steps and more trees usually predict better; the "
                    "cases that judge the training say when it is enough."
                ),
                formula="F(x) = F₀ + λ Σ treeₜ(x)",
                reference="Friedman 2001, Greedy function approximation",
            ),
            margin=0,
            parent=parent,
        )
        self.setFixedWidth(current_theme().sizes.inspector)
        self._draft: TrainedModel | None = None
        self._document = Document()
        self._numbers: tuple[str, ...] = ()
        self._is_filling = False
        self._build()

    # ------------------------------------------------------------ building

    def _build(self) -> None:
        assert self.header is not None
        self.header.setContentsMargins(12, 12, 8, 0)
        self.reset = QPushButton("Reset")
        self.reset.setProperty("kind", "link")
        self.reset.setToolTip("Back to the settings a new model starts with")
        self.reset.clicked.connect(self.reset_wanted)
        self.add_header_widget(self.reset)
        self.body.setSpacing(4)
        self.state = TextLabel("", "note", wraps=True)
        self.state.setContentsMargins(12, 0, 12, 0)
        self.body.addWidget(self.state)
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        self._column = QVBoxLayout(holder)
        self._column.setContentsMargins(12, 4, 12, 8)
        self._column.setSpacing(6)
        self._add_growing()
        self._add_stopping()
        self._add_limits()
        self._column.addStretch(1)
        self.body.addWidget(scrolled(holder), 1)
        self._add_foot()

    def _add_growing(self) -> None:
        self.trees = self._number("Trees, at most", "n_trees", 1, 100_000, step=100)
        self.splits = self._number("Splits per tree", "interaction_depth", 1, 256)
        self.splits_note = self._note("")
        self.rate = self._number("Learning rate", "shrinkage", 0.0001, 1.0, decimals=3, step=0.01)
        self._note("Small steps: slower, usually better.")
        self.leaf = self._number("Smallest leaf", "min_cases_in_node", 1, 1_000_000, step=5)
        self.bag = self._number(
            "Share drawn per tree", "bag_fraction", 0.01, 1.0, decimals=0, factor=100.0
        )

    def _add_stopping(self) -> None:
        self._section("When to stop")
        self.judge = QComboBox()
        for key, words in (
            (JUDGED_VALIDATION, "Validation"),
            (JUDGED_FOLDS, "Folds"),
            (JUDGED_NOTHING, "Nothing"),
        ):
            self.judge.addItem(words, key)
        self.judge.activated.connect(self._on_judge)
        self._row("Judged on", self.judge)
        self.watch = QComboBox()
        self.watch.addItem("Loss", "deviance")
        self.watch.activated.connect(
            lambda _place: self._change(watch=str(self.watch.currentData()))
        )
        self._row("Watch", self.watch)
        self.patience = self._number("Patience, trees", "patience", 0, 100_000, step=10)
        self.patience_note = self._note("")

    def _add_limits(self) -> None:
        self._section("Limits and weights")
        self.direction = QPushButton("")
        self.direction_menu = QMenu(self.direction)
        self.direction_menu.aboutToShow.connect(self._make_directions)
        self.direction.setMenu(self.direction_menu)
        self.direction.setToolTip(
            "For each number: may the prediction rise and fall with it, or go one way only?"
        )
        self._row("One way only in", self.direction)
        self.direction_note = self._note("")
        self.weight = QComboBox()
        self.weight.setMinimumContentsLength(6)
        self.weight.activated.connect(lambda _place: self._change(weight=self.weight.currentData()))
        self._row("Weights", self.weight)
        self.seed = self._number("Seed", "seed", 0, 2**53)

    def _add_foot(self) -> None:
        foot = QWidget()
        column = QVBoxLayout(foot)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        self.facts = TextLabel("", "note", wraps=True)
        self.train = QPushButton("Train")
        self.train.clicked.connect(self._want_training)
        column.addWidget(self.facts)
        column.addWidget(self.train)
        column.addWidget(self._make_train_on())
        self.body.addWidget(Rule())
        self.body.addWidget(foot)

    def _make_train_on(self) -> QWidget:
        self.train_on = QWidget()
        row = QHBoxLayout(self.train_on)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.further = NumberField(100, whole=True, minimum=1, maximum=100_000, step=50)
        self.further.setAccessibleName("Further trees")
        self.further.setFixedWidth(72)
        self.train_on_button = QPushButton("Train on")
        self.train_on_button.setToolTip(
            "Grow further trees on this model, exactly as if it had been asked for them at once"
        )
        self.train_on_button.clicked.connect(self._want_more)
        row.addWidget(self.train_on_button, 1)
        row.addWidget(TextLabel("by"))
        row.addWidget(self.further)
        row.addWidget(TextLabel("trees"))
        self.train_on.hide()
        return self.train_on

    def _want_training(self) -> None:
        if entries_stand(self.window()):
            self.train_wanted.emit()

    def _want_more(self) -> None:
        if entries_stand(self.window()):
            self.train_on_wanted.emit(round(self.further.value()))

    def _section(self, words: str) -> None:
        self._column.addSpacing(4)
        self._column.addWidget(Rule())
        self._column.addSpacing(2)
        self._column.addWidget(TextLabel(words, "strong"))

    def _note(self, words: str) -> TextLabel:
        label = TextLabel(words, "note", wraps=True)
        label.setVisible(bool(words))
        self._column.addWidget(label)
        return label

    def _row(self, caption: str, widget: QWidget) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        label = TextLabel(caption)
        label.setBuddy(widget)
        widget.setAccessibleName(caption)
        widget.setFixedWidth(_FIELD if isinstance(widget, NumberField) else 128)
        widget.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row.addWidget(label, 1)
        row.addWidget(widget)
        self._column.addLayout(row)

    def _number(
        self,
        caption: str,
        name: str,
        least: float,
        most: float,
        *,
        decimals: int = 0,
        factor: float = 1.0,
        step: float = 1.0,
    ) -> NumberField:
        is_whole = decimals == 0 and factor == 1.0
        field = NumberField(
            least,
            decimals=decimals,
            whole=is_whole,
            minimum=least,
            maximum=most,
            factor=factor,
            step=step,
            unit="%" if factor == 100.0 else "",
        )

        def take(value: float) -> None:
            self._change(**{name: round(value) if is_whole else value})

        field.value_changed.connect(take)
        self._row(caption, field)
        return field

    # ------------------------------------------------------------ showing

    def show_draft(
        self,
        draft: TrainedModel | None,
        document: Document,
        numbers: tuple[str, ...],
        *,
        title: str,
        state: str,
        button: str,
    ) -> None:
        """Show settings: ``state`` says whose they are, ``button`` what training them makes.

        ``numbers`` are the columns that can have a direction.
        """
        self._draft, self._document, self._numbers = draft, document, numbers
        assert self.header is not None
        self.header.set_title(title)
        self.state.setText(state)
        self.train.setText(button)
        self.setEnabled(draft is not None)
        if draft is not None:
            self._fill(draft)

    def show_train_on(self, trained: TrainedModel | None) -> None:
        """Offer further trees for a finished model; None: there is none in view."""
        self.train_on.setVisible(trained is not None)

    def show_ready(self, reason: str, facts: str) -> None:
        """Say why training cannot begin (empty: it can), and what it would take."""
        self.train.setEnabled(not reason)
        self.train.setToolTip(reason)
        self.facts.setText(reason or facts)
        self.facts.setVisible(bool(reason or facts))

    def show_watches(self, watches: tuple[tuple[str, str], ...]) -> None:
        """Show the figures that can say when to stop; without any, those that always can."""
        entries = watches or (("deviance", "Loss"),)
        shown = [self.watch.itemData(place) for place in range(self.watch.count())]
        if shown == [key for key, _ in entries]:
            return
        self.watch.clear()
        for key, words in entries:
            self.watch.addItem(words.capitalize() if words.islower() else words, key)
        if self._draft is not None:
            self.watch.setCurrentIndex(max(0, self.watch.findData(self._draft.watch)))

    def _fill(self, draft: TrainedModel) -> None:
        self._is_filling = True
        for field, value in (
            (self.trees, draft.n_trees),
            (self.splits, draft.interaction_depth),
            (self.rate, draft.shrinkage),
            (self.leaf, draft.min_cases_in_node),
            (self.bag, draft.bag_fraction),
            (self.patience, draft.patience),
            (self.seed, draft.seed),
        ):
            if field.value() != value:
                field.set_value(float(value))
        self._say_splits(draft)
        folds = self.judge.findData(JUDGED_FOLDS)
        self.judge.setItemText(folds, counted(draft.cv_folds or FOLDS, "fold"))
        self.judge.setCurrentIndex(self.judge.findData(judged_on(draft)))
        is_judged = judged_on(draft) == JUDGED_VALIDATION
        self.watch.setCurrentIndex(max(0, self.watch.findData(draft.watch)))
        self.watch.setEnabled(is_judged)
        self.patience.setEnabled(is_judged)
        self.patience_note.setText(self._patience_words(draft))
        self.patience_note.show()
        self._fill_directions(draft)
        self._fill_weights(draft)
        self._is_filling = False

    def _say_splits(self, draft: TrainedModel) -> None:
        many = draft.interaction_depth
        words = "Each input acts by itself."
        if many > 1:
            words = f"Up to {counted(many, 'input')} can act together."
        self.splits_note.setText(words)
        self.splits_note.show()

    def _patience_words(self, draft: TrainedModel) -> str:
        judge = judged_on(draft)
        if judge == JUDGED_FOLDS:
            return "Every row is scored by trees that did not see it; the folds choose how many."
        if judge == JUDGED_NOTHING:
            return "All trees are kept; nothing warns of learning by heart."
        if draft.patience == 0:
            return "All trees are grown; the best number of them is used."
        return f"No gain for {counted(draft.patience, 'tree')} ends the training."

    def _fill_directions(self, draft: TrainedModel) -> None:
        signs = dict(draft.monotone)
        rising = [column for column in draft.features if signs.get(column, 0) > 0]
        falling = [column for column in draft.features if signs.get(column, 0) < 0]
        many = len(rising) + len(falling)
        self.direction.setText(counted(many, "input") if many else "no input")
        self.direction.setEnabled(any(column in self._numbers for column in draft.features))
        parts = [("Rising: %s.", rising), ("Falling: %s.", falling)]
        note = " ".join(head % ", ".join(names) for head, names in parts if names)
        self.direction_note.setText(note)
        self.direction_note.setVisible(bool(note))

    def _make_directions(self) -> None:
        """Fill the menu as it opens: a line per number that is an input."""
        for menu in self.direction_menu.findChildren(QMenu):
            menu.deleteLater()
        self.direction_menu.clear()
        draft = self._draft
        signs = dict(draft.monotone) if draft is not None else {}
        for column in draft.features if draft is not None else ():
            if column in self._numbers:
                self._add_direction(column, signs.get(column, 0))

    def _add_direction(self, column: str, sign: int) -> None:
        """One input with its three choices; the mark in front says which is taken."""
        mark = {1: "↗  ", -1: "↘  "}.get(sign, "")
        menu = self.direction_menu.addMenu(mark + column.replace("&", "&&"))
        group = QActionGroup(menu)
        for value, words in (
            (0, "Either way"),
            (1, "Only rising"),
            (-1, "Only falling"),
        ):
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(value == sign)
            group.addAction(action)
            action.triggered.connect(self._turner(column, value))

    def _turner(self, column: str, sign: int) -> Callable[[bool], None]:
        def take(_is_on: bool) -> None:
            if self._draft is not None:
                others = tuple(entry for entry in self._draft.monotone if entry[0] != column)
                self._change(monotone=(*others, (column, sign)) if sign else others)

        return take

    def _fill_weights(self, draft: TrainedModel) -> None:
        self.weight.clear()
        self.weight.addItem("All alike", None)
        names = [draft.weight] if draft.weight else []
        document = self._document
        for entry in document.roles:
            if entry.role.value == "weight" and entry.column not in names:
                names.append(entry.column)
        for name in names:
            self.weight.addItem(name, name)
        self.weight.setCurrentIndex(max(0, self.weight.findData(draft.weight)))

    # ------------------------------------------------------------ changing

    def _on_judge(self, _place: int) -> None:
        if self._draft is not None:
            judge = str(self.judge.currentData())
            self._take(with_judge(self._draft, judge, self._document))

    def _change(self, **values: Any) -> None:
        if self._draft is not None and not self._is_filling:
            self._take(replace(self._draft, **values))

    def _take(self, draft: TrainedModel) -> None:
        if draft != self._draft:
            self._draft = draft
            self._fill(draft)
            self.draft_changed.emit(draft)
