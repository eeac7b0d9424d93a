"""Built-in readers."""
