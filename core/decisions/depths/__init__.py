"""Cases in order, best first: what acting on the best n % brings."""
