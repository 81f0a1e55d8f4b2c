"""Limits on calls: the limits of an endpoint (limit.py brings them together), and the budget of a run."""
