"""Colours carry enough contrast, follow a switch live, and every icon that is named is there."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QFont, QIcon, QImage, QPainter
from PySide6.QtWidgets import QLabel, QPushButton

from gui.shell.commands import ACTIONS
from gui.shell.page_list import PAGES
from gui.theme import (
    DARK,
    LIGHT,
    SERIES_DASHES,
    Theme,
    apply_theme,
    current_theme,
    fonts,
    icon,
    manager,
    series_dash,
    style,
    text_font,
    theme_choice,
    theme_notifier,
)
from gui.theme.icons import icon_names, icon_pixmap
from gui.theme.style import style_sheet

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour: str) -> float:
    """WCAG 2 relative luminance."""

    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    shade = QColor(colour)
    return (
        0.2126 * linear(shade.redF())
        + 0.7152 * linear(shade.greenF())
        + 0.0722 * linear(shade.blueF())
    )


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)


@THEMES
@pytest.mark.parametrize("role", ["text", "quiet", "accent", "gain", "loss", "error"])
@pytest.mark.parametrize("background", ["card", "window"])
def test_text_has_contrast_of_4_5(theme: Theme, role: str, background: str):
    assert contrast(getattr(theme, role), getattr(theme, background)) >= 4.5


@THEMES
@pytest.mark.parametrize(
    ("role", "background"),
    [
        ("on_accent", "accent"),
        ("on_accent", "accent_hover"),
        ("text", "selection"),
        ("text", "hover"),
        ("text", "pressed"),
    ],
)
def test_text_on_tints_has_contrast_of_4_5(theme: Theme, role: str, background: str):
    assert contrast(getattr(theme, role), getattr(theme, background)) >= 4.5


@THEMES
def test_lines_and_control_borders_have_contrast_of_3(theme: Theme):
    assert contrast(theme.control_border, theme.card) >= 3.0
    assert contrast(theme.baseline, theme.card) >= 3.0
    assert contrast(theme.accent, theme.card) >= 3.0
    for colour in theme.series:
        assert contrast(colour, theme.card) >= 3.0, colour


@THEMES
def test_series_differ_in_colour_and_in_dash(theme: Theme):
    assert len(set(theme.series)) == len(theme.series) == len(SERIES_DASHES)
    assert len(set(SERIES_DASHES)) == len(SERIES_DASHES)
    assert theme.series_colour(len(theme.series)) == theme.series[0]
    assert series_dash(0) == ()


@THEMES
def test_every_colour_is_written_out(theme: Theme):
    for item in fields(theme):
        value = getattr(theme, item.name)
        if isinstance(value, str) and item.name != "name":
            assert re.fullmatch(r"#[0-9A-F]{6}", value), item.name


@THEMES
def test_style_sheet_names_no_colour_of_its_own(theme: Theme, qapp):
    sheet = style_sheet(theme)
    known = {str(getattr(theme, f.name)).upper() for f in fields(theme)}
    assert "$" not in sheet
    assert {colour.upper() for colour in re.findall(r"#[0-9A-Fa-f]{6}", sheet)} <= known


def test_the_sheet_is_whole_where_the_programs_folder_has_spaces(qapp, qtbot, monkeypatch):
    """A path that was not in quotes ended the sheet at its first space."""
    monkeypatch.setattr(style, "ICON_FOLDER", Path("C:/Users/Erna Müller (2)/it's/icons"))
    label = QLabel()
    qtbot.addWidget(label)
    label.setStyleSheet(style.style_sheet(LIGHT) + "QLabel { min-width: 321px; }")
    label.ensurePolished()
    assert label.minimumWidth() == 321


def test_switch_is_live_and_told(qapp, qtbot):
    with qtbot.waitSignal(theme_notifier().theme_changed, timeout=1000) as reported:
        apply_theme(qapp, "dark")
    assert reported.args == [DARK]
    assert current_theme() is DARK
    assert theme_choice() == "dark"
    assert qapp.palette().window().color() == QColor(DARK.window)
    apply_theme(qapp, "light")
    assert qapp.palette().window().color() == QColor(LIGHT.window)


def test_a_theme_in_use_styles_no_widget_anew(qapp, qtbot):
    """Styling every widget of a window takes seconds; the style below the sheet stays, too."""
    apply_theme(qapp, "dark")
    style, reported = qapp.style(), []
    theme_notifier().theme_changed.connect(reported.append)
    try:
        assert apply_theme(qapp, "dark") is DARK
        assert reported == []
        apply_theme(qapp, "light")
        assert reported == [LIGHT]
        assert qapp.style() is style
    finally:
        theme_notifier().theme_changed.disconnect(reported.append)


def test_the_first_sheet_names_the_semi_bold_of_our_own_font(qapp, monkeypatch):
    """Made before the font was set, every heading was in what the system has where nobody chose."""
    font = QFont(qapp.font())
    font.setFamily("A family of ours")
    monkeypatch.setattr(manager, "application_font", lambda: font)
    try:
        apply_theme(qapp, "light")
        assert 'font-family: "A family of ours"' in qapp.styleSheet()
        assert qapp.font().family() == "A family of ours"
    finally:
        monkeypatch.undo()
        apply_theme(qapp, "light")
    assert "A family of ours" not in qapp.styleSheet()


def test_system_follows_the_desktop(qapp, qtbot):
    from PySide6.QtCore import Qt

    apply_theme(qapp, "system")
    hints = qapp.styleHints()
    before = current_theme()
    wanted = Qt.ColorScheme.Light if before.is_dark else Qt.ColorScheme.Dark
    hints.colorSchemeChanged.emit(wanted)  # the offscreen desktop cannot change by itself
    assert current_theme().is_dark == (hints.colorScheme() == Qt.ColorScheme.Dark)
    assert theme_choice() == "system"


def test_unknown_theme_is_refused(qapp):
    with pytest.raises(ValueError, match="purple"):
        apply_theme(qapp, "purple")


def test_every_named_icon_is_there(qapp):
    named = {spec.icon for spec in ACTIONS if spec.icon} | {page.icon for page in PAGES}
    assert named <= set(icon_names())
    with pytest.raises(KeyError):
        icon("nothing like this")


@pytest.mark.parametrize("name", icon_names())
def test_icons_take_the_colour_they_are_given(name: str, qapp):
    picture = icon_pixmap(name, "#FF0000", 48).toImage()
    solid = [
        picture.pixelColor(x, y)
        for x in range(48)
        for y in range(48)
        if picture.pixelColor(x, y).alpha() == 255
    ]
    assert solid
    if name != "payoff":  # the program's own sign keeps its colours
        assert all(colour.green() < 10 and colour.blue() < 10 for colour in solid)


def test_themed_icon_follows_the_switch(qapp):
    sign = icon("home", "text")
    light = sign.pixmap(QSize(24, 24)).toImage()
    apply_theme(qapp, "dark")
    assert sign.pixmap(QSize(24, 24)).toImage() != light


@pytest.mark.parametrize(
    ("family", "installed", "strong"),
    [
        ("Segoe UI", ["Segoe UI", "Segoe UI Semibold"], "Segoe UI Semibold"),  # Windows'
        ("Inter", ["Inter", "Inter SemiBold"], "Inter SemiBold"),
        ("Tahoma", ["Tahoma", "Segoe UI Semibold"], "Tahoma"),
    ],
)
def test_the_semi_bold_of_the_systems_font_is_found(qapp, monkeypatch, family, installed, strong):
    monkeypatch.setattr(fonts, "QFontDatabase", SimpleNamespace(families=lambda: installed))
    assert fonts._strong_family.__wrapped__(family) == strong


def test_figures_are_tabular_and_sizes_follow_the_roles(qapp):
    from PySide6.QtGui import QFontMetricsF

    metrics = QFontMetricsF(text_font("body"))
    assert len({round(metrics.horizontalAdvance(digit), 2) for digit in "0123456789"}) == 1
    sizes = [text_font(role).pointSizeF() for role in ("note", "body", "section", "title")]
    assert sizes == sorted(sizes)
    assert text_font("number").pointSizeF() > sizes[-1]


@pytest.mark.parametrize(("dots", "wanted"), [(120.0, 12.0), (None, 15.0)])
def test_sizes_in_points_follow_the_screen_and_its_absence(monkeypatch, dots, wanted):
    screen = None if dots is None else SimpleNamespace(logicalDotsPerInchY=lambda: dots)
    monkeypatch.setattr(fonts, "QGuiApplication", SimpleNamespace(primaryScreen=lambda: screen))
    assert fonts.points(20) == wanted


def test_an_icon_stands_in_the_middle_of_a_wide_place(qapp):
    picture = QImage(40, 10, QImage.Format.Format_ARGB32)
    picture.fill(0)
    painter = QPainter(picture)
    icon("check").paint(painter, QRect(0, 0, 40, 10))
    painter.end()
    inked = [x for x in range(40) if any(picture.pixelColor(x, y).alpha() for y in range(10))]
    assert inked
    assert 15 <= inked[0] <= inked[-1] < 25


def test_a_wide_font_is_condensed_and_an_ordinary_one_left_alone(qapp):
    from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

    from gui.theme.fonts import stretch_of

    words = "What each decision earns or costs 0123456789"
    widths = {}
    for family in filter(QFontDatabase.isSmoothlyScalable, QFontDatabase.families()):
        font = QFont(family)
        font.setPixelSize(100)
        font.setWeight(QFont.Weight.DemiBold)
        plain = QFontMetricsF(font).horizontalAdvance(words)
        font.setStretch(stretch_of(family))
        widths[family] = (plain, QFontMetricsF(font).horizontalAdvance(words))
    assert widths
    for family, (plain, fitted) in widths.items():
        assert fitted <= plain
        if stretch_of(family) != 80:
            assert fitted < 54 * len(words), family
        if plain < 48 * len(words):
            assert fitted == plain, family


@pytest.fixture
def only_new_objects_are_collected() -> Iterator[None]:
    """What stood before is not walked by each collection of a test that makes many."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("only_new_objects_are_collected")
def test_a_copy_of_an_icon_that_qt_changes_still_draws(qapp):
    """Qt clones what draws an icon as soon as a copy differs; the clone must outlive Python."""
    drawn = icon("warning", "loss")
    before = drawn.pixmap(16).toImage()
    for _ in range(20):
        copy = QIcon(drawn)
        copy.setIsMask(True)
        gc.collect()
        assert copy.pixmap(16).toImage() == before
    assert drawn.pixmap(16).toImage() == before


@pytest.mark.usefixtures("only_new_objects_are_collected")
def test_a_button_that_is_given_other_icons_ends_no_engine_of_an_icon(qtbot):
    button = QPushButton("more")
    qtbot.addWidget(button)
    engine = weakref.ref(icon("warning", "loss"))
    for _ in range(3):
        button.setIcon(icon("warning", "loss"))
        button.setIcon(QIcon())
        gc.collect()
    assert engine() is icon("warning", "loss")
