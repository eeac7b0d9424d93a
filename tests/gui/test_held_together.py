"""Lines of labels end between words, never within a figure."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextLayout

from gui.theme import text_font
from gui.widgets.labels import RichLabel, TextLabel, held_together

SPACE = "\u00a0"


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("resamples (p = 0.006)", "resamples (p~=~0.006)"),
        ("ahead (p < 0.002)", "ahead (p~<~0.002)"),
        ("ahead (p &lt; 0.002)", "ahead (p~&lt;~0.002)"),
        ("stable (PSI = 0.08), H = 0.12", "stable (PSI~=~0.08), H~=~0.12"),
        ("“bought” is worth, €", "“bought” is worth,~€"),
        ("costs €\u00a01.60, € and more", "costs €\u00a01.60, € and more"),
        ("age = 37, basket_mean = 29.86", "age~=~37, basket_mean~=~29.86"),
        ("where region = North", "where region~=~North"),
        ("few > many", "few > many"),
        ("age >= 30", "age >= 30"),
    ],
)
def test_a_figure_stays_in_one_line(text, held):
    assert held_together(text) == held.replace("~", SPACE)


def test_labels_of_several_lines_hold_their_figures_together(qtbot):
    for kind in (TextLabel, RichLabel):
        label = kind("(p = 0.5)", wraps=True)
        qtbot.addWidget(label)
        assert label.text() == f"(p{SPACE}={SPACE}0.5)"
        label.setText("(p = 0.25)")
        assert label.text() == f"(p{SPACE}={SPACE}0.25)"


@pytest.mark.parametrize("name", ["لم يسدد", "שולם", "late"])
def test_a_name_that_is_read_from_the_right_does_not_turn_its_sentence_round(qapp, name):
    """10.9 % would stand where 9.7 % does."""
    text = f"“{name}” 10.9 % as predicted; here 9.7 %."
    held = held_together(text)
    assert (held == text) is (name == "late")
    line = QTextLayout(held, text_font())
    line.beginLayout()
    line.createLine()
    line.endLayout()
    words = ("10.9", "as", "here", "9.7")
    places = [line.lineAt(0).cursorToX(held.index(word))[0] for word in words]
    assert places == sorted(places)
