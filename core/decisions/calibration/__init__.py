"""Scores that become chances, whether chances come true, and scores that only rank."""
