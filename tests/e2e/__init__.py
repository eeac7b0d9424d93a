"""The real program, as a user meets it."""
