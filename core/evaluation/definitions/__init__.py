"""Figures as other tools define them, beside those of Payoff, with the cause of each gap."""
