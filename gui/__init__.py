"""The window."""

from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1]
"""The folder of the program; no other file of the window counts folders up: files move."""
