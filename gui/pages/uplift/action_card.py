"""What to do: prices and the limit, the best depth and what it brings, and who wins when.

Radcliffe's six criteria, one of them read at the cursor.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from core.document.studies.uplift import UpliftResult
from core.document.uplift.model import UpliftSpec
from core.presentation.view import Action, View
from core.questions.fields import FieldKind, FormField
from gui.charts.view_widget import ViewWidget
from gui.widgets import Card, HelpText
from gui.widgets.fields.form import Form, FormLayout
from gui.widgets.tables.figure_table import ResultTable


class CriteriaCard(Card):
    """The table of the criteria, a column per model, the best in bold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "Six criteria",
            "best in bold",
            help_text=HelpText(
                title="Radcliffe's six criteria",
                text=(
                    "An uplift model is good where its area is above chance on rows it has not "
                    "seen, uplift falls from tenth to tenth, the curve has a high peak, much is "
                    "gained at the cut-off, training rows and these rows agree, and predictions "
                    "are spread widely."
                ),
                reference="Radcliffe and Surry 2011",
            ),
            parent=parent,
        )
        self.table = ResultTable("Six criteria", wraps=True, scrolls=True)
        self.body.addWidget(self.table, 1)

    def show_view(self, view: View) -> None:
        """Show the criteria of every model."""
        self.table.show_content(view.tables[0])


FIELD = 74  # pixels of a number
LEAST_CHART = 180
MEND = "mend"


class ActionCard(Card):
    """The right column of page Uplift."""

    price_set = Signal(str, float)  # value, contact or redemption, and the amount
    editing_finished = Signal()
    limit_set = Signal(object)  # int | None
    mending_wanted = Signal()
    refused = Signal(object)  # PayoffError: a copy or an export failed

    def __init__(self, prices: QWidget, parent: QWidget | None = None) -> None:
        """``prices`` says where they come from, and lets it be changed."""
        super().__init__(
            "What to do",
            help_text=HelpText(
                title="Net gain",
                text=(
                    "What treating the best n % earns: extra units of the outcome times their "
                    "worth, less contacts, less what every treated case with the outcome costs, "
                    "also those who would have come anyway. The best depth is chosen on these "
                    "rows, so their own gain there flatters. Shown large is the cross-fitted one: "
                    "each half is treated to the depth that the other half chose."
                ),
                formula="value × extra − contact × treated − redemption × outcomes of the treated",
            ),
            parent=parent,
        )
        self.form = Form(FormLayout.ABOVE, width=FIELD)
        self.form.changed.connect(self._take)
        self.form.committed.connect(self.editing_finished)
        self.body.addWidget(self.form)
        self.body.addWidget(prices, 0, Qt.AlignmentFlag.AlignLeft)
        self.panel = ViewWidget("above", is_framed=False)
        self.panel.refused.connect(self.refused)
        self.panel.acted.connect(lambda _action: self.mending_wanted.emit())
        self.panel.pointed.connect(lambda price: self.price_set.emit("contact", price))
        self.panel.released.connect(self.editing_finished)
        self.body.addWidget(self.panel, 1)

    def heightForWidth(self, width: int) -> int:
        """The least: the chart gives way before the column scrolls."""
        return self.body.totalMinimumHeightForWidth(width)  # its border is around the layout

    def _take(self, name: str, value: object) -> None:
        if name == "most_cases":
            self.limit_set.emit(value)
        else:
            self.price_set.emit(name, value)

    def show_prices(self, spec: UpliftSpec, currency: str, worth: str) -> None:
        """Show the project's prices in its words."""
        self.form.show_fields(price_fields(spec, currency, worth))

    def show_gain(self, view: View, mend: str) -> None:
        """Show the gain of a ranking, and the step that would make it valid, in words."""
        steps = (Action(name=MEND, label=mend, value=0.0),) if mend else ()
        self.panel.show_view(replace(view, actions=steps))
        for chart in self.panel.charts:
            chart.setMinimumHeight(LEAST_CHART)


def with_prices(spec: UpliftSpec, result: UpliftResult) -> UpliftSpec:
    """The experiment with the prices that hold: the matrix's, where it is followed."""
    if not spec.follows_matrix:
        return spec
    value, contact, redemption = result.price_used
    return replace(spec, value=value, contact=contact, redemption=redemption)


def price_fields(spec: UpliftSpec, currency: str, worth: str) -> tuple[FormField, ...]:
    """Return the fields of an experiment's prices and of how many can be treated.

    ``worth``: the words above what one of the outcome is worth.
    """
    described = "From the decision matrix; a price written here stands on its own again"
    help_text = described if spec.follows_matrix else ""
    paid = "Paid for each treated case with the outcome, those who come anyway too"

    def price(name: str, label: str, spoken: str, words: str = "") -> FormField:
        return FormField(
            name=name,
            label=f"{label}, {currency}",
            spoken=spoken,
            value=getattr(spec, name),
            step=0.05,
            help=help_text or words,
        )

    return (
        price("value", worth, "One is worth"),
        price("contact", "Contact", "A contact costs"),
        price("redemption", "Redeemed", "Per buyer treated", paid),
        FormField(
            name="most_cases",
            label="At most",
            spoken="Most cases that can be treated",
            kind=FieldKind.WHOLE,
            value=spec.most_cases,
            lowest=1,
            step=100.0,
            empty="no limit",
        ),
    )
