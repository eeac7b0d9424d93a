"""What stands on the report: its blocks, their order and words, and when they are stale."""
