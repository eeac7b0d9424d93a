"""What models are trained on, and the scores of those that were trained here."""
