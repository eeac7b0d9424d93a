"""Below the curves of a finished model: how many trees it uses, what chose them and their worth."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from core.document.model import TrainedModel
from core.document.studies.models import TreeChoice
from core.document.wording import format_count
from core.presentation.labels import Labels, TreesStyle
from core.presentation.models.learning import RULE_WORDS, Learning, falling_words, worth_words
from gui.widgets import NumberField, TextLabel
from payoff.counting import counted

_FIELD = 72
_MORE = 3  # a third of the trees there are


class TreeBar(QWidget):
    """The number of trees in use as a field, what chose it as a menu, what it brings in words."""

    tree_chosen = Signal(int)
    rule_chosen = Signal(object)  # TreeChoice; None = as the training left it
    train_on_wanted = Signal(int)  # further trees

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(11, 0, 8, 6)
        row.setSpacing(8)
        self.trees = NumberField(1, whole=True, minimum=1, maximum=1, step=1)
        self.trees.setAccessibleName("Trees used")
        self.trees.setFixedWidth(_FIELD)
        self.trees.setProperty("small", True)
        self.trees.value_changed.connect(lambda value: self.tree_chosen.emit(round(value)))
        self.rule = QPushButton("")
        self.rule.setProperty("small", "true")
        self.menu = QMenu(self.rule)
        self.menu.setToolTipsVisible(True)
        self.rule.setMenu(self.menu)
        self.words = TextLabel("", "quiet", wraps=True)
        self._additional = 1
        self.more = QPushButton("")
        self.more.setProperty("small", "true")
        self.more.clicked.connect(lambda: self.train_on_wanted.emit(self._additional))
        label = TextLabel("Trees used")
        label.setBuddy(self.trees)
        for widget in (label, self.trees, self.rule):
            row.addWidget(widget)
        row.addWidget(self.words, 1)
        row.addWidget(self.more)
        self.hide()

    def show_learning(
        self,
        learning: Learning | None,
        trained: TrainedModel | None,
        choices: tuple[TreeChoice, ...],
        labels: Labels,
    ) -> None:
        """Show a finished model; None hides the bar."""
        is_shown = learning is not None and trained is not None and not learning.is_running
        self.setVisible(is_shown)
        if not is_shown or learning is None or trained is None:
            return
        self.trees.set_range(1, learning.done)
        self.trees.set_value(learning.used)
        mark = TreesStyle.of(trained).mark or "all trees"
        self.rule.setText(mark if trained.tree_rule is not None else "as trained")
        self.rule.setAccessibleName(f"Number of trees chosen: {self.rule.text()}")
        self._fill_menu(trained, choices)
        self.show_tree(learning, labels)
        self._additional = max(1, learning.done // _MORE)
        self.more.setText(f"Train on by {counted(self._additional, 'tree')}")
        self.more.setVisible(bool(learning.falling()) and not trained.program)

    def show_tree(self, learning: Learning, labels: Labels, tree: int = 0) -> None:
        """Say what a number of trees brings: the one in use, or one that is dragged to."""
        worth = worth_words(learning, labels, tree)
        if not worth and learning.no_profit:
            worth = f"There is no {labels.amount} to show: {learning.no_profit}"
        parts = (worth, "" if tree else falling_words(learning))
        self.words.setText(" ".join(part for part in parts if part))

    def _fill_menu(self, trained: TrainedModel, choices: tuple[TreeChoice, ...]) -> None:
        self.menu.clear()
        own = trained.as_it_ended.trees_used or trained.trees
        action = self.menu.addAction(f"As trained: {format_count(own)}")
        action.triggered.connect(self._chooser(None))
        for choice in choices:
            words = format_count(choice.trees) if choice.trees else "none"
            action = self.menu.addAction(f"{RULE_WORDS[choice.rule]}: {words}")
            action.setEnabled(choice.trees > 0)
            action.setToolTip(choice.why_not)
            action.triggered.connect(self._chooser(choice))

    def _chooser(self, choice: TreeChoice | None) -> Callable[[], None]:
        return lambda: self.rule_chosen.emit(choice)
