"""The log, crash notes and what the program knows of its own health."""

from core.diagnostics.crash_book import NAME as CRASH_BOOK_NAME
from core.diagnostics.crash_book import CrashBook, PluginCrash
from core.diagnostics.details import details_text, program_details
from core.diagnostics.log import crash_notes_of_ended_runs, describe_exception, start_log

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
