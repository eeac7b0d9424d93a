"""The settings of the chosen model, at the right; a change makes a new model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.model import Document, TrainedModel
from gui.pages.models.next_model.draft import with_judge
from gui.pages.models.next_model.setting_fields import (
    growing_fields,
    level_field,
    stopping_fields,
    weight_fields,
)
from gui.shell.message_area import UNCOVERED
from gui.theme import current_theme
from gui.widgets import Card, HelpText, NumberField, Rule, TextLabel
from gui.widgets.dialog import entries_stand
from gui.widgets.fields.form import Form
from gui.widgets.scrolled import scrolled
from payoff.counting import counted

_FIELD, _CHOICE = 104, 128


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
        self._watches: tuple[tuple[str, str], ...] = ()
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
        self.growing = self._add_form()
        self._section("When to stop")
        self.stopping = self._add_form()
        self._section("Limits and weights")
        self._add_directions()
        self.weighing = self._add_form()
        self._column.addStretch(1)
        self.body.addWidget(scrolled(holder), 1)
        self._add_foot()

    def _add_form(self) -> Form:
        form = Form(width=_FIELD, choice_width=_CHOICE)
        form.changed.connect(self._show_message)
        self._column.addWidget(form)
        return form

    def _add_directions(self) -> None:
        self.direction = QPushButton("")
        self.direction_menu = QMenu(self.direction)
        self.direction_menu.aboutToShow.connect(self._make_directions)
        self.direction.setMenu(self.direction_menu)
        self.direction.setToolTip(
            "For each number: may the prediction rise and fall with it, or go one way only?"
        )
        self.direction.setAccessibleName("One way only in")
        self.direction.setFixedWidth(_CHOICE)
        label = TextLabel("One way only in")
        label.setBuddy(self.direction)
        row = QHBoxLayout()
        row.addWidget(label, 1)
        row.addWidget(self.direction)
        self.direction_note = TextLabel("", "note", wraps=True)
        self._column.addLayout(row)
        self._column.addWidget(self.direction_note)

    def _add_foot(self) -> None:
        foot = QWidget()
        column = QVBoxLayout(foot)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        self.facts = TextLabel("", "note", wraps=True)
        self.train = QPushButton("Train")
        self.train.clicked.connect(self._want_training)
        self.train.setProperty(UNCOVERED, True)
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
        self.train_on_button.setProperty(UNCOVERED, True)
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

    def editor(self, name: str) -> QWidget:
        """The widget of a setting by its name in ``TrainedModel``, or "judge"."""
        forms = (self.growing, self.stopping, self.weighing)
        return next(form for form in forms if name in form.rows).rows[name].widget

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
        self._watches = watches
        if self._draft is not None:
            self._fill(self._draft)

    def _fill(self, draft: TrainedModel) -> None:
        self.growing.show_fields(growing_fields(draft))
        self.stopping.show_fields(stopping_fields(draft, self._watches))
        has_categories = any(column not in self._numbers for column in draft.features)
        levels = level_field(draft, has_categories=has_categories)
        self.weighing.show_fields((levels, *weight_fields(draft, self._document)))
        self._fill_directions(draft)

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

    # ------------------------------------------------------------ changing

    def _show_message(self, name: str, value: Any) -> None:
        if name == "judge" and self._draft is not None:
            self._take(with_judge(self._draft, str(value), self._document))
        else:
            self._change(**{name: value})

    def _change(self, **values: Any) -> None:
        if self._draft is not None:
            self._take(replace(self._draft, **values))

    def _take(self, draft: TrainedModel) -> None:
        if draft != self._draft:
            self._draft = draft
            self._fill(draft)
            self.draft_changed.emit(draft)
