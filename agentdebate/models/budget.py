"""The name by which users' code makes a budget; nothing inside the package imports from it."""

from agentdebate.models.limits.budget import Budget

__all__ = ["Budget"]
