"""Card "What each decision earns": template, worded parameters, matrix, what counts as acting."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QToolButton,
    QWidget,
)

from core.document.commands import Command, SetTarget
from core.document.data.results import TableSummary
from core.document.decisions.commands import (
    AddDecision,
    AddKnot,
    EditCell,
    MoveKnot,
    RemoveDecision,
    RemoveKnot,
    RenameDecision,
    SetActing,
    SetMatrix,
    SetMatrixKind,
    SetParameter,
    WeighByInversePriors,
    choose_template,
    is_interval,
    knot_name,
)
from core.document.decisions.formulas import ResolvedCells, plain, without_amount
from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.numbers import AddParameter, RemoveParameter, SetFormula
from core.document.model import Document
from core.document.results import DecisionResult
from core.presentation.labels import capitalised
from gui.pages.decide.matrix.amount_line import AmountLine
from gui.pages.decide.matrix.flow import FlowBox
from gui.pages.decide.matrix.matrix_view import MatrixView
from gui.pages.decide.matrix.parameter import ParameterField
from gui.pages.decide.matrix.parameter_offer import ParameterOffer, ask_parameter
from gui.pages.decide.matrix.template_choice import TemplateChoice
from gui.theme import icon
from gui.widgets import Card, HelpText, TextLabel, after_typing, keeping_focus
from gui.widgets.fields.choice_box import ChoiceBox
from payoff.errors import PayoffError
from payoff.facts import MatrixFacts


class EarnsCard(Card):
    """The matrix and everything that names or shapes it. Says commands, holds no truth."""

    command_requested = Signal(object)
    editing_finished = Signal()
    dialog_requested = Signal(str)  # key of a dialog: "import_matrix"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "What each decision earns",
            help_text=HelpText(
                title="The decision matrix",
                text=(
                    "One row per outcome, one column per decision: what a decision brings when the "
                    "outcome turns out so. Each case gets the decision with the highest expected "
                    "profit, or the lowest expected loss. Where the outcome is a number, rows are "
                    "some of its values; between and beyond them amounts run in straight lines. "
                    "A cell may also follow named parameters: type =margin - letter. Where each "
                    "case has an amount of its own (a loan, a basket), choose its column below and "
                    "type =0.08*amount."
                ),
                formula="A(i, d) = Σₜ Q(t, d) · P(t | i)",
                reference="SAS Enterprise Miner, Decisions",
            ),
            parent=parent,
        )
        self._document = Document()
        self._parameters: dict[str, ParameterField] = {}
        self._shares: tuple[float, ...] = ()
        self._columns: tuple[str, ...] = ()
        self._shape: object = None  # what the fields of the parameters were built for
        self.kind = TemplateChoice()
        self.add_header_widget(self.kind)
        self.worded = FlowBox()
        self.body.addWidget(self.worded)
        self.matrix = MatrixView()
        self.body.addWidget(self.matrix)
        self.body.addWidget(self._make_buttons())
        self.amount = AmountLine()
        self.body.addWidget(self.amount)
        self.problem = TextLabel("", "error", wraps=True)
        self.problem.hide()
        self.body.addWidget(self.problem)
        self.name_button = ParameterOffer()
        self.body.addWidget(self.name_button)
        self._connect()

    def _make_buttons(self) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.add_button = QToolButton()
        self.add_button.setIcon(icon("plus"))
        self.add_button.setText("Decision")
        self.add_button.setToolTip("Add a decision")
        self.add_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.row_button = QToolButton()
        self.row_button.setIcon(icon("plus"))
        self.row_button.setText("Row")
        self.row_button.setToolTip("Add a value of the outcome where the line may bend")
        self.row_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.row_button.hide()
        self.more_button = QToolButton()
        self.more_button.setIcon(icon("more"))
        self.more_button.setToolTip("Copy, paste, rename and remove")
        self.more_button.setAccessibleName("More for the matrix")
        self.acting = ChoiceBox()
        self.acting.setProperty("small", True)
        self.acting.setAccessibleName("The decision that counts as acting")
        self.acting.setToolTip(
            "Depth runs by the expected advantage of this decision, best cases first"
        )
        self.acting.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.acting.setMinimumContentsLength(9)
        words = TextLabel("acting is", "note")
        words.setBuddy(self.acting)
        row.addWidget(self.add_button)
        row.addWidget(self.row_button)
        row.addWidget(self.more_button)
        row.addStretch(1)
        row.addWidget(words)
        row.addWidget(self.acting)
        return line

    def _connect(self) -> None:
        self.amount.command_requested.connect(self._request)
        self.amount.editing_finished.connect(self.editing_finished)
        self.amount.refused.connect(self.show_problem)
        model = self.matrix.matrix_model
        model.cell_edited.connect(self._on_cell)
        model.formula_edited.connect(self._on_formula)
        model.label_edited.connect(self._on_label)
        model.knot_moved.connect(self._on_knot)
        self.name_button.parameter_given.connect(self._add_parameter)
        self.name_button.formula_wanted.connect(
            lambda wanted: self._on_formula(wanted.level, wanted.decision, wanted.text)
        )
        model.entry_refused.connect(self.show_problem)
        self.matrix.block_pasted.connect(self._on_pasted)
        self.matrix.paste_refused.connect(self.show_problem)
        self.matrix.rename_entered.connect(
            lambda old, new: self._request(RenameDecision(decision=old, name=new))
        )
        self.matrix.remove_requested.connect(self.remove_decision)
        self.matrix.acting_chosen.connect(self._on_acting)
        self.matrix.do_nothing_chosen.connect(self._on_nothing)
        self.matrix.editing_finished.connect(self.editing_finished)
        self.kind.plain_chosen.connect(self._on_kind)
        self.kind.template_chosen.connect(self._on_template)
        self.acting.activated.connect(lambda _i: self._on_acting(self.acting.currentData()))
        self.add_button.clicked.connect(self.add_decision)
        self.row_button.clicked.connect(self.add_row)
        self.more_button.clicked.connect(self._open_more)

    # ------------------------------------------------------------ showing

    def show_document(
        self,
        document: Document,
        result: DecisionResult | None,
        templates: tuple[MatrixFacts, ...],
        summary: TableSummary | None = None,
        *,
        cells_are_fresh: bool = True,
        shares_are_fresh: bool = True,
    ) -> None:
        """Show the matrix of a document; the summary knows which columns hold numbers.

        ``cells_are_fresh``, ``shares_are_fresh``: whether the result was worked out from this
        matrix, and from these rows and shares.
        """
        self.amount.show_document(document, summary)
        self._columns = self.amount.choices(document, summary)
        if document.matrix != self._document.matrix:  # not where only a result has come
            self._forget_problem()
        is_loss = document.matrix is not None and document.matrix.kind is MatrixKind.LOSS
        assert self.header is not None
        self.header.set_title("What each decision costs" if is_loss else "What each decision earns")
        self._document = document
        self._shares = _real_shares(document, result) if shares_are_fresh else ()
        self.matrix.matrix_model.show_matrix(document, result, is_fresh=cells_are_fresh)
        self.row_button.setVisible(is_interval(document))
        self.kind.show_templates(document, templates)
        self._show_parameters()
        self._show_acting()

    def show_problem(self, problem: PayoffError | str) -> None:
        """Say below the matrix what was refused."""
        self.problem.setText(str(problem))
        self.problem.show()

    def _show_parameters(self) -> None:
        matrix, info = self._document.matrix, self.kind.template()
        names = tuple(name for name, _value in matrix.parameters) if matrix else ()
        shape = (names, matrix is not None and bool(matrix.cells), info)
        if shape != self._shape:
            if after_typing(self.worded, self._show_parameters):
                return
            self._shape = shape
            with keeping_focus(self.worded):
                self._build_parameters(names, info)
        for name, value in matrix.parameters if matrix else ():
            self._parameters[name].set_value(value)
        self.worded.setVisible(bool(names))

    def _build_parameters(self, names: tuple[str, ...], info: MatrixFacts | None) -> None:
        self._parameters = {}
        known = {entry.name: entry for entry in info.parameters} if info else {}
        matrix = self._document.matrix
        is_own = matrix is not None and bool(matrix.cells)  # the user's own may be negative
        for place, name in enumerate(names):
            detail = known.get(name)
            text = name.replace("_", " ") if detail is None else detail.words
            shown = text if place or is_own else capitalised(text)
            field = ParameterField(
                name,
                shown,
                0.0,
                detail=detail,
                minimum=-math.inf if is_own else 0.0,
            )
            field.value_changed.connect(self._on_parameter)
            field.editing_finished.connect(self.editing_finished)
            self._parameters[name] = field
        self.worded.set_widgets(list(self._parameters.values()))

    def parameter(self, name: str) -> ParameterField:
        """The field of a worded parameter."""
        return self._parameters[name]

    def _show_acting(self) -> None:
        matrix = self._document.matrix
        self.acting.blockSignals(True)
        self.acting.clear()
        for decision in matrix.decisions if matrix else ():
            self.acting.addItem(decision, decision)
        self.acting.setCurrentIndex(self.acting.findData(matrix.acting) if matrix else -1)
        self.acting.blockSignals(False)
        self.acting.setEnabled(matrix is not None)

    # ------------------------------------------------------------ what the user does

    def _remover(self, name: str) -> Callable[[], None]:
        return lambda: self._request(RemoveParameter(name=name))

    def _request(self, command: Command) -> None:
        self._forget_problem()
        self.command_requested.emit(command)

    def _resolved(self) -> ResolvedCells:
        return self.matrix.matrix_model.resolved()

    def _on_cell(self, level: str, decision: str, value: float) -> None:
        self._request(
            EditCell(level=level, decision=decision, value=value, resolved=self._resolved())
        )

    def _on_formula(self, level: str, decision: str, text: str) -> None:
        command = SetFormula(level=level, decision=decision, text=text, resolved=self._resolved())
        try:
            command.apply(self._document)
        except PayoffError as refusal:
            self.show_problem(refusal)
            self.name_button.offer(command, self._document.matrix)
            return
        self._request(command)
        self.editing_finished.emit()

    def ask_for_parameter(self) -> None:
        """Ask for the name and value of a parameter that cells may follow."""
        ask_parameter(self, self._add_parameter)

    def _add_parameter(self, name: str, value: float) -> None:
        self._request(AddParameter(name=name, value=value))
        self.editing_finished.emit()

    def _forget_problem(self) -> None:
        self.problem.hide()
        self.name_button.forget()

    def _on_label(self, level: str, word: str) -> None:
        target = self._document.target
        if target is None or not word or word == target.label(level):
            return
        labels = tuple(word if entry == level else target.label(entry) for entry in target.levels)
        self._request(SetTarget(target=replace(target, labels=labels)))

    def _on_knot(self, knot: str, value: float) -> None:
        self._request(MoveKnot(knot=knot, value=value, resolved=self._resolved()))

    def add_row(self) -> None:
        """Add a row of a number between the last two, or beyond a single one."""
        matrix = self._document.matrix
        if matrix is None:
            return
        knots = sorted(float(name) for name in matrix.levels)
        value = (knots[-2] + knots[-1]) / 2 if len(knots) > 1 else knots[0] + 1.0
        self._request(AddKnot(value=float(f"{value:.6g}"), resolved=self._resolved()))
        changed = self._document.matrix
        name = knot_name(float(f"{value:.6g}"))
        if changed is not None and name in changed.levels:
            self.matrix.edit_row(changed.levels.index(name))

    def remove_row(self, knot: str) -> None:
        """Take a row of a number out."""
        self._request(RemoveKnot(knot=knot, resolved=self._resolved()))

    def _on_parameter(self, name: str, value: float) -> None:
        self._request(SetParameter(name=name, value=value))

    def _on_pasted(self, row: int, column: int, block: tuple[tuple[float, ...], ...]) -> None:
        matrix = self._document.matrix
        cells = [list(entries) for entries in self._resolved()]
        if matrix is None or not cells:
            return
        for i, line in enumerate(block):
            cells[row + i][column : column + len(line)] = line
            for decision in matrix.decisions[column : column + len(line)]:
                matrix = without_amount(matrix, matrix.levels[row + i], decision)
        changed = plain(matrix, tuple(tuple(entries) for entries in cells))
        self._request(SetMatrix(matrix=changed))
        self.editing_finished.emit()

    def _on_kind(self, kind: MatrixKind) -> None:
        self._request(SetMatrixKind(kind=kind, resolved=self._resolved()))

    def _on_template(self, info: MatrixFacts) -> None:
        matrix = self._document.matrix
        if matrix is not None:
            self._request(choose_template(info, matrix.levels, self._columns, matrix))

    def _on_acting(self, decision: str) -> None:
        matrix = self._document.matrix
        if matrix is None or decision == matrix.acting:
            return
        nothing = None if matrix.do_nothing == decision else matrix.do_nothing
        self._request(SetActing(acting=decision, do_nothing=nothing))

    def _on_nothing(self, decision: str | None) -> None:
        matrix = self._document.matrix
        if matrix is None or decision == matrix.do_nothing:
            return
        acting = matrix.acting
        if decision == acting:
            others = [name for name in matrix.decisions if name != decision]
            if not others:
                self.show_problem("The only decision cannot be the one that does nothing.")
                return
            acting = others[0]
        self._request(SetActing(acting=acting, do_nothing=decision))

    def add_decision(self) -> None:
        """Add a decision and open the field for its name."""
        matrix = self._document.matrix
        if matrix is None:
            return
        number = len(matrix.decisions) + 1
        while (name := f"Decision {number:d}") in matrix.decisions:
            number += 1
        self._request(AddDecision(decision=name, resolved=self._resolved()))
        self.matrix.rename(name)

    def remove_decision(self, decision: str) -> None:
        """Take a decision out."""
        self._request(RemoveDecision(decision=decision, resolved=self._resolved()))

    def _open_more(self) -> None:
        self.more_menu().popup(self.more_button.mapToGlobal(self.more_button.rect().bottomLeft()))

    def more_menu(self) -> QMenu:
        """Everything that can be done with the matrix and the current decision."""
        decision = self.matrix.current_decision()
        menu = QMenu(self) if decision is None else self.matrix.decision_menu(decision)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        knot = self.matrix.matrix_model.knot_at(self.matrix.currentIndex().row())
        if knot is not None:
            remove = menu.addAction(f"Remove the row at {knot}", lambda: self.remove_row(knot))
            remove.setEnabled(self.matrix.matrix_model.rowCount() > 1)
        menu.addSeparator()
        menu.addAction("&Copy the matrix", self.matrix.copy_all)
        menu.addAction("&Paste numbers", self.matrix.paste)
        menu.addSeparator()
        menu.addAction("&Import matrix…", lambda: self.dialog_requested.emit("import_matrix"))
        menu.addAction(
            "&Export matrix…", lambda: self.dialog_requested.emit("export_matrix")
        ).setEnabled(bool(self._resolved()))
        menu.addAction("&Weigh classes by inverse priors", self.weigh_by_inverse_priors).setEnabled(
            bool(self._shares)
        )
        self._add_parameter_actions(menu)
        return menu

    def weigh_by_inverse_priors(self) -> None:
        """Put the diagonal of inverse shares in the place of the matrix."""
        self._request(WeighByInversePriors(shares=self._shares))

    def _add_parameter_actions(self, menu: QMenu) -> None:
        """Named parameters, which formulas such as =margin - letter may use."""
        matrix = self._document.matrix
        if matrix is None or not matrix.cells:
            return
        menu.addSeparator()
        menu.addAction("&Add a parameter…", self.ask_for_parameter)
        for name, _value in matrix.parameters:
            menu.addAction(
                f"Remove the parameter “{name}”",
                self._remover(name),
            )


def _real_shares(document: Document, result: DecisionResult | None) -> tuple[float, ...]:
    """Shares of the classes in real life: the priors, else as in the data; empty = not known."""
    matrix = document.matrix
    if matrix is None or result is None or result.levels != matrix.levels:
        return ()
    weights = [float(weight) for weight in result.class_weight]
    whole = sum(weights)
    return tuple(weight / whole for weight in weights) if all(w > 0 for w in weights) else ()
