"""Page Explain: what a trained model uses, and how its prediction depends on it."""
