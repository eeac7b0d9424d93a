"""Decision matrices in files: read, fitted to an outcome, doubted and written."""
