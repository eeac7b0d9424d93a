"""The real program on a screen of its own, used with keys and mouse alone."""
