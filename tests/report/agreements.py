"""Numbers of agreement, made up."""

from typing import Any

from agentdebate.meta.agreement import Agreement


def agreement(
    judge: str = "mine", aspect: str = "coherence", value: float | None = 0.5, **more: Any
) -> Agreement:
    """A number, with usual counts."""
    usual: dict[str, Any] = {
        "statistic": "spearman",
        "level": "pooled",
        "low": None if value is None else value - 0.1,
        "high": None if value is None else value + 0.1,
        "n": 300,
        "groups": 1,
    }
    return Agreement(judge=judge, aspect=aspect, value=value, **{**usual, **more})
