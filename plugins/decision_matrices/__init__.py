"""Built-in decision matrices."""
