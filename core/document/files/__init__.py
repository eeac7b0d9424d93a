"""Documents and models on disk: the project file, autosave, the shelf, export folders."""
