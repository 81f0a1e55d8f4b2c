"""Usage of model calls, in tokens, and a ledger of it by agent and round."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Annotated

from pydantic import Field

Count = Annotated[int, Field(ge=0)]
"""Calls, or tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one or more model calls, as the endpoint counted them.

    `cached_tokens` are prompt tokens that the endpoint served from its cache, `cache_write_tokens` are prompt tokens that it
    wrote into its cache and bills as such, `reasoning_tokens` are completion tokens that were spent on hidden reasoning:
    each is part of the prompt or of the completion, not beside it.
    """

    calls: Count = 0
    prompt_tokens: Count = 0
    cached_tokens: Count = 0
    completion_tokens: Count = 0
    reasoning_tokens: Count = 0
    cache_write_tokens: Count = 0

    def __add__(self, other: "Usage") -> "Usage":
        return total((self, other))

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Usage of one agent's calls in one round."""

    agent: str
    round: int
    usage: Usage


class Ledger:
    """Adds up usage by agent and round, in the order in which they first spent."""

    def __init__(self) -> None:
        self._spent: dict[tuple[str, int], Usage] = {}

    def __repr__(self) -> str:
        return f"<Ledger {self.total.calls} calls, {self.total.tokens} tokens>"

    def add(self, agent: str, round_: int, usage: Usage) -> None:
        """Book a call's usage."""
        key = agent, round_
        self._spent[key] = self._spent[key] + usage if key in self._spent else usage

    def entries(self) -> tuple[Spent, ...]:
        """Usage that was booked, one entry an agent and round."""
        return tuple(
            [Spent(agent=agent, round=at, usage=usage) for (agent, at), usage in self._spent.items()]
        )

    @property
    def total(self) -> Usage:
        """Sum of all usage."""
        return total(self._spent.values())


def total(usages: Iterable[Usage]) -> Usage:
    """The sum of usages; nothing spent for none."""
    every = list(usages)
    return Usage(**{one.name: sum(getattr(usage, one.name) for usage in every) for one in fields(Usage)})
