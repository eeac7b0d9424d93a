"""Opening a file: which reader, what is refused first, a preview, the whole table."""
