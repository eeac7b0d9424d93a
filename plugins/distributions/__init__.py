"""Built-in loss distributions."""
