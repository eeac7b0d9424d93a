"""Limits of third parties' plugins: what they may do, print and replace."""
