"""Data that are read in pieces: from a document to what ``core.scale`` runs over them."""
