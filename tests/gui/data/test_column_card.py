"""The card of the chosen column on page Data."""

from __future__ import annotations

from core.document.data.results import ColumnSummary
from gui.pages.data.column_card import ColumnCard
from gui.widgets import ElidedLabel, TextLabel


def test_what_a_column_means_in_words_stands_there_whole(qtbot):
    words = "Number of months since the customer's oldest account was opened, as of the offer"
    card = ColumnCard()
    qtbot.addWidget(card)
    card.resize(820, 208)
    card.show_summary(
        ColumnSummary(name="CLAGE", kind="number", rows=9, missing=0, distinct=9, label=words), ""
    )
    card.show()
    qtbot.waitExposed(card)
    assert words not in [label.text() for label in card.findChildren(ElidedLabel)]
    (label,) = [one for one in card.findChildren(TextLabel) if one.text() == words]
    assert label.accessibleName() == "In words"
    assert label.height() >= label.heightForWidth(label.width())
    assert label.heightForWidth(label.width()) > label.fontMetrics().height()  # two lines at least


def test_a_long_name_leaves_the_bars_their_room(qtbot):
    """It pushed them to the edge of the page, and was cut where its card ended."""
    card = ColumnCard()
    qtbot.addWidget(card)
    card.resize(780, 208)
    facts = {"kind": "number", "rows": 9, "missing": 0, "distinct": 9}
    card.show_summary(ColumnSummary(name="age", **facts), "input")
    card.show()
    qtbot.waitExposed(card)
    width = card.bars.width()
    name = "gradient_boosted_trees_for_retail_customers_2024_final_prob"
    card.show_summary(ColumnSummary(name=name, **facts), name.replace("_", " "))
    qtbot.wait(20)
    assert card.title.full_text() == name
    assert "…" in card.title.text()
    assert card.bars.width() >= 0.9 * width
