"""How a file is read: the import dialog."""
