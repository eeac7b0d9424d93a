"""Small widgets that every page shares: cards, chips, fields, bars, notices.

All of them read ``gui.theme.current_theme()`` when they paint and follow a switch of theme.
"""

from gui.widgets.cards import Card, Rule, SectionTitle, clear_layout
from gui.widgets.empty_state import EmptyState
from gui.widgets.fields.chips import Chip, ChipState
from gui.widgets.fields.entries import parse_entry, read_entry
from gui.widgets.fields.number_field import NumberField, format_entry
from gui.widgets.fields.segments import Segments
from gui.widgets.fields.text_field import (
    EntryBox,
    NotesField,
    TextField,
    after_typing,
    finish_typing,
    keeping_focus,
)
from gui.widgets.figures.estimate_bar import EstimateBar
from gui.widgets.figures.mini_curve import MiniCurve
from gui.widgets.figures.ranked_bars import RankedBar, RankedBars, ranked
from gui.widgets.figures.series import dash_pen, series_icon
from gui.widgets.help_button import HelpButton, HelpText, Popover
from gui.widgets.labels import (
    ElidedLabel,
    IconLabel,
    MoneyLabel,
    RichLabel,
    TextLabel,
    set_text_role,
    strong,
)
from gui.widgets.notice import Notice
from gui.widgets.tables.weighted_table import WeightedTable

__all__ = [
    "Card",
    "Chip",
    "ChipState",
    "ElidedLabel",
    "EmptyState",
    "EntryBox",
    "EstimateBar",
    "HelpButton",
    "HelpText",
    "IconLabel",
    "MiniCurve",
    "MoneyLabel",
    "NotesField",
    "Notice",
    "NumberField",
    "Popover",
    "RankedBar",
    "RankedBars",
    "RichLabel",
    "Rule",
    "SectionTitle",
    "Segments",
    "TextField",
    "TextLabel",
    "WeightedTable",
    "after_typing",
    "clear_layout",
    "dash_pen",
    "finish_typing",
    "format_entry",
    "keeping_focus",
    "parse_entry",
    "ranked",
    "read_entry",
    "series_icon",
    "set_text_role",
    "strong",
]
