"""Decisions of another program beside ours, and why they differ."""
