"""``payoff.decide``: what it is asked, its checks, what it returns, studies, matrices in files."""
