"""Numbers of a problem that move: break-even, the winner map and what-if."""
