"""Times in words: just now, 2 min ago, yesterday, 16:40."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime


def _words(text: str) -> str:
    return QCoreApplication.translate("Moments", text)


def saved_words(saved_at: datetime, now: datetime) -> str:
    """When the project was saved, for the toolbar."""
    minutes = int((now - saved_at).total_seconds() // 60)
    if minutes < 1:
        return _words("saved just now")
    if minutes < 60:
        return _words("saved %s min ago") % minutes
    return _words("saved %s") % moment_words(saved_at, now)


def moment_words(moment: datetime, now: datetime) -> str:
    """A past moment: today, 16:40; yesterday, 16:40; 18 Nov, 09:12; 18 Nov 2024."""
    local, today = moment.astimezone(), now.astimezone().date()
    clock = QLocale().toString(QTime(local.hour, local.minute), "HH:mm")
    day = QDate(local.year, local.month, local.day)
    if local.date() == today:
        return _words("today, %s") % clock
    if local.date() == today - timedelta(days=1):
        return _words("yesterday, %s") % clock
    if local.year == today.year:
        return f"{QLocale().toString(day, 'd MMM')}, {clock}"
    return QLocale().toString(day, "d MMM yyyy")
