"""Times in words: just now, 2 min ago, yesterday, 16:40."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QDate, QLocale, QTime


def saved_words(saved_at: datetime, now: datetime) -> str:
    """When the project was saved, for the toolbar."""
    minutes = int((now - saved_at).total_seconds() // 60)
    if minutes < 1:
        return "saved just now"
    if minutes < 60:
        return f"saved {minutes} min ago"
    return f"saved {moment_words(saved_at, now)}"


def moment_words(moment: datetime, now: datetime) -> str:
    """A past moment: today, 16:40; yesterday, 16:40; 18 Nov, 09:12; 18 Nov 2024."""
    local, today = moment.astimezone(), now.astimezone().date()
    clock = QLocale().toString(QTime(local.hour, local.minute), "HH:mm")
    day = QDate(local.year, local.month, local.day)
    if local.date() == today:
        return f"today, {clock}"
    if local.date() == today - timedelta(days=1):
        return f"yesterday, {clock}"
    if local.year == today.year:
        return f"{QLocale().toString(day, 'd MMM')}, {clock}"
    return QLocale().toString(day, "d MMM yyyy")
