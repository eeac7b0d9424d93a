"""The log, crash notes and what the program knows of its own health."""

from core.diagnostics.log import NAME as CRASH_BOOK_NAME
from core.diagnostics.log import (
    CrashBook,
    PluginCrash,
    crash_notes_of_ended_runs,
    describe_exception,
    details_text,
    program_details,
    start_log,
)

__all__ = [
    "CRASH_BOOK_NAME",
    "CrashBook",
    "PluginCrash",
    "crash_notes_of_ended_runs",
    "describe_exception",
    "details_text",
    "program_details",
    "start_log",
]
