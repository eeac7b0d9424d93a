"""Shared by tests of compare."""

from __future__ import annotations


def rows_of(dialog):
    return dialog.panel.tables[0].figures.content.texts()
