"""Page Home: open, continue, recent projects, samples."""
