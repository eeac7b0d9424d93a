"""Values of expressions over columns: derived columns and row filters."""
