"""Dialogs. None of them blocks the engine or hides a job."""
