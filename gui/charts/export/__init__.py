"""Charts on paper and as numbers."""
