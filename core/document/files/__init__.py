"""Documents and models on disk: the project file, autosave, the shelf, hand-over folders."""
