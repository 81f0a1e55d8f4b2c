"""Where a store is unless something else is said."""

USUAL_STORE = "agentdebate.db"
"""The store in the current folder."""
