"""The report of the window: what pages offer for it, what is kept of it, how it is written."""
