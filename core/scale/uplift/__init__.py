"""Uplift of more cases than memory holds: how rows become cases, their rankings, draws."""
