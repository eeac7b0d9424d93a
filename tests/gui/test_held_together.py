"""Lines of labels end between words, never within a figure."""

from __future__ import annotations

import pytest

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
