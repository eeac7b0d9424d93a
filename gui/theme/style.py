"""The style sheet, made from a theme: plain flat controls, one-pixel lines, visible focus.

Widgets ask for a look by a dynamic property: ``textRole`` (note, quiet, section, title, number,
gain, loss, error), ``kind`` on buttons (primary, plain, link, danger), ``card`` on frames.
"""

from __future__ import annotations

from string import Template

from core.presentation.theme import Theme
from gui.theme.fonts import points, strong_family
from gui.theme.icons import ICON_FOLDER

_SURFACES = ("window", "card", "border")
_TEXTS = ("text", "quiet", "accent", "accent_hover", "gain", "loss", "error", "on_accent")
_OF_CONTROLS = ("control_border", "selection", "hover", "pressed", "track", "disabled")
_COLOURS = (*_SURFACES, *_TEXTS, *_OF_CONTROLS)

_BASE = """
QWidget { color: $text; }
QMainWindow, QDialog, QWidget[surface="window"] { background: $window; }
QWidget[surface="card"] { background: $card; }
QToolTip { background: $card; color: $text; border: 1px solid $border; padding: 4px 6px;
  qproperty-textFormat: PlainText; }
QMessageBox QLabel, QInputDialog QLabel { qproperty-textFormat: PlainText; }
QLabel { background: transparent; }
QLabel[textRole="note"] { color: $quiet; font-size: $note; }
QLabel[textRole="plainNote"] { color: $text; font-size: $note; }
QLabel[textRole="quiet"] { color: $quiet; }
QLabel[textRole="strong"] { font-family: "$strong"; font-weight: 600; }
QLabel[textRole="section"] { font-size: $section; font-family: "$strong"; font-weight: 600; }
QLabel[textRole="lead"] { font-size: $section; }
QLabel[textRole="title"] { font-size: $title; font-family: "$strong"; font-weight: 600; }
QLabel[textRole="number"] { font-size: $number; font-family: "$strong"; font-weight: 600; }
QLabel[textRole="quietNumber"] { color: $quiet; font-size: $number; font-family: "$strong"; }
QLabel[textRole="gain"] { color: $gain; font-family: "$strong"; font-weight: 600; }
QLabel[textRole="loss"] { color: $loss; font-family: "$strong"; font-weight: 600; }
QLabel[textRole="error"] { color: $error; }
QFrame[card="true"] { background: $card; border: 1px solid $border; border-radius: 6px; }
QFrame[rule="horizontal"] { background: $border; border: none; max-height: 1px; min-height: 1px; }
QFrame[rule="vertical"] { background: $border; border: none; max-width: 1px; min-width: 1px; }
"""

_BARS = """
QMenuBar { background: $window; border: none; border-bottom: 1px solid $border; padding: 0 8px; }
QMenuBar::item { background: transparent; padding: 4px 8px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $selection; border-radius: 4px; }
QMenu { background: $card; border: 1px solid $border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 8px; border-radius: 4px; min-height: 16px; }
QMenu::item:selected { background: $selection; color: $text; }
QMenu::item:disabled { color: $disabled; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: $border; margin: 4px 8px; }
QFrame[row="true"] { background: transparent; border: none; border-bottom: 1px solid $border; }
QFrame[row="true"]:hover { background: $hover; }
QFrame[row="true"][chosen="true"] { background: $selection; }
QFrame[row="true"]:focus { border: 1px solid $accent; }
QFrame[card="true"][edge="error"] { border-left: 3px solid $error; }
QFrame[card="true"][edge="loss"] { border-left: 3px solid $loss; }
QFrame[dropzone="true"] { background: transparent; border: 1px dashed $control_border;
  border-radius: 6px; }
QFrame[band="true"] { background: $hover; border: none; border-bottom: 1px solid $border; }
QFrame#toolbar { background: $card; border: none; border-bottom: 1px solid $border; }
QFrame#rail { background: $card; border: none; border-right: 1px solid $border; }
QFrame#jobsStrip { background: $card; border: none; border-top: 1px solid $border; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 4px;
  padding: 3px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $pressed; }
QToolButton:focus { border-color: $accent; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; }
"""

_CONTROLS = """
QPushButton { background: $card; border: 1px solid $control_border; border-radius: 4px;
  padding: 0 12px; min-height: 26px; max-height: 26px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $pressed; }
QPushButton:focus { border: 2px solid $accent; padding: 0 11px; min-height: 24px;
  max-height: 24px; }
QPushButton:disabled { color: $disabled; border-color: $border; background: $card; }
QPushButton[kind="primary"] { background: $accent; color: $on_accent; border: 1px solid $accent;
  font-family: "$strong"; font-weight: 600; }
QPushButton[kind="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; padding: 0 11px; }
QPushButton[kind="primary"]:disabled { background: $track; color: $disabled; border-color: $track; }
QPushButton[kind="danger"] { color: $error; border-color: $error; }
QPushButton[kind="link"] { background: transparent; border: 1px solid transparent; color: $accent;
  padding: 0 3px; min-height: 22px; max-height: 22px; }
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:focus { border: 1px solid $accent; padding: 0 3px; }
QPushButton[kind="link"]:disabled { color: $disabled; }
QPushButton[kind="link"][tone="quiet"] { color: $quiet; }
QPushButton[small="true"] { min-height: 22px; max-height: 22px; padding: 0 10px; }
QPushButton[small="true"]:focus { min-height: 20px; max-height: 20px; padding: 0 9px; }
QPushButton[segment="first"] { border-top-right-radius: 0; border-bottom-right-radius: 0; }
QPushButton[segment="middle"] { border-radius: 0; border-left: none; }
QPushButton[segment="last"] { border-top-left-radius: 0; border-bottom-left-radius: 0;
  border-left: none; }
QPushButton[segment]:checked { background: $selection; font-family: "$strong";
  font-weight: 600; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QTextEdit { background: $card;
  border: 1px solid $control_border; border-radius: 4px; selection-background-color: $selection;
  selection-color: $text; }
QLineEdit, QSpinBox, QDoubleSpinBox { min-height: 26px; max-height: 26px; padding: 0 7px; }
QSpinBox::up-button, QSpinBox::down-button { width: 0; border: none; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QPlainTextEdit:focus,
QTextEdit:focus { border: 2px solid $accent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus { min-height: 24px; max-height: 24px;
  padding: 0 6px; }
QLineEdit:disabled, QComboBox:disabled { color: $disabled; border-color: $border; }
QLineEdit[small="true"] { min-height: 22px; max-height: 22px; }
QLineEdit[small="true"]:focus { min-height: 20px; max-height: 20px; }
QLineEdit[invalid="true"] { border: 2px solid $error; min-height: 24px; max-height: 24px;
  padding: 0 6px; }
QComboBox { min-height: 26px; max-height: 26px; padding: 0 8px; }
QComboBox:focus, QComboBox:on { border: 2px solid $accent; min-height: 24px; max-height: 24px;
  padding: 0 7px; }
QComboBox QLineEdit, QComboBox QLineEdit:focus { background: transparent; border: none; padding: 0;
  min-height: 0; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url("$chevron"); width: 16px; height: 16px; }
QComboBox QAbstractItemView { background: $card; border: 1px solid $border; padding: 4px;
  outline: none; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0 6px; border-radius: 4px; }
QComboBox QAbstractItemView::item:selected { background: $selection; color: $text; }
QComboBox[small="true"] { min-height: 22px; max-height: 22px; }
QComboBox[small="true"]:focus { min-height: 20px; max-height: 20px; }
QCheckBox, QRadioButton { background: transparent; spacing: 8px; }
QCheckBox:focus, QRadioButton:focus { color: $accent; }
QCheckBox::indicator, QListWidget::indicator { width: 14px; height: 14px;
  border: 1px solid $control_border; border-radius: 3px; background: $card; }
QCheckBox::indicator:checked, QListWidget::indicator:checked { background: $accent;
  border-color: $accent; image: url("$check"); }
QCheckBox::indicator:disabled { border-color: $border; }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $control_border;
  border-radius: 8px; background: $card; }
QRadioButton::indicator:checked { border: 5px solid $accent; width: 6px; height: 6px; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: $accent; }
QProgressBar { background: $track; border: none; border-radius: 3px; min-height: 6px;
  max-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QSlider::groove:horizontal { height: 4px; background: $track; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; margin: -5px 0; border-radius: 7px; background: $accent; }
QSlider::handle:horizontal:focus { border: 2px solid $text; width: 10px; }
"""

_VIEWS = """
QAbstractItemView { background: $card; border: none; outline: none; gridline-color: $border;
  selection-background-color: $selection; selection-color: $text;
  alternate-background-color: $window; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QTableView::item { padding: 0 4px; border: none; border-bottom: 1px solid $border; }
QTableView::item:selected { background: $selection; color: $text; }
QTableView::item:focus { border: 1px solid $accent; }
QDialog QListWidget, QDialog QTableView { border: 1px solid $border; border-radius: 4px; }
QDialog ResultTable, QDialog QFrame[card="true"] QListWidget,
QDialog QFrame[card="true"] QTableView { border: none; }
QListWidget::item { min-height: 24px; border-radius: 4px; }
QListWidget::item:selected { background: $selection; color: $text; }
QListView::item:focus { border: 1px solid $accent; }
QHeaderView { background: $card; border: none; font-size: $note; }
QHeaderView::section { background: $card; color: $quiet; border: none;
  border-bottom: 1px solid $border; padding: 4px 7px; font-size: $note; }
QHeaderView::section:vertical { padding-right: 8px; }
QTableCornerButton::section { background: $card; border: none; }
QScrollArea { background: transparent; border: none; }
QScrollArea:focus { border: 1px solid $accent; border-radius: 4px; }
QScrollArea[framed="true"] { border: 1px solid $border; border-radius: 4px; }
QScrollArea > QWidget > QWidget[scrolled="true"] { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $track; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: $control_border; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }
QTabWidget::pane { border: none; border-top: 1px solid $border; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: $quiet; padding: 6px 12px; margin-right: 4px;
  border: none; border-bottom: 3px solid transparent; }
QTabBar[tight="true"]::tab { padding: 6px 4px; margin-right: 1px; }
QTabBar::tab:selected { color: $text; font-family: "$strong"; font-weight: 600;
  border-bottom: 3px solid $accent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { color: $accent; }
QSplitter::handle { background: transparent; }
QSplitter::handle:horizontal { width: 12px; }
QSplitter::handle:vertical { height: 12px; }
QGroupBox { border: 1px solid $border; border-radius: 6px; margin-top: 10px; padding-top: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 8px; padding: 0 4px; }
"""


def style_sheet(theme: Theme) -> str:
    """The whole style sheet in a theme's colours."""
    sizes = theme.sizes
    values = {role: getattr(theme, role) for role in _COLOURS}
    for role in ("note", "body", "section", "title", "number"):
        values[role] = f"{points(getattr(sizes, role)):.3f}pt"
    shade = "dark" if theme.is_dark else "light"
    values["strong"] = strong_family()
    values["chevron"] = (ICON_FOLDER / "style" / f"chevron-{shade}.svg").as_posix()
    values["check"] = (ICON_FOLDER / "style" / f"check-{shade}.svg").as_posix()
    return Template(_BASE + _BARS + _CONTROLS + _VIEWS).substitute(values)
