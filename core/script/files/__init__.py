"""``payoff.read``, ``join`` and ``write_table``: files as tables and back."""
