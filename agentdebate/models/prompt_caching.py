"""What an endpoint's cache of prompts takes, and where the prompts of a debate are the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.models.base import Model, ModelRequest
from agentdebate.models.wrapper import innermost

_BYTES = 4
"""Bytes of UTF-8 that are taken for a token where nothing counts them."""
_LEAST_BYTES = 2
"""Bytes that a token has at the least, on average."""


@dataclass(frozen=True, slots=True)
class PromptCaching:
    """What the cache of an endpoint takes: prompts whose beginning it has had before are cheaper."""

    floor: int
    """Tokens that a beginning has to have; a shorter one is not kept."""
    lifetime: float = 300.0
    """Seconds for which it is kept at the least."""
    parted_by_schema: bool = False
    """Whether replies are better asked for in words: requests with different schemas, or with none, find nothing of each other,
    and what each of them writes costs extra.
    """

    def takes(self, text: str) -> bool:
        """Whether a beginning is probably long enough."""
        return len(text.encode("utf-8", "replace")) >= self.floor * _BYTES

    def may_take(self, size: int) -> bool:
        """Whether a beginning of so many bytes can be long enough."""
        return size >= self.floor * _LEAST_BYTES


def prompt_caching_of(model: Model) -> PromptCaching | None:
    """What the model inside all wrappers says of its endpoint's cache (`prompt_caching`); None where it says nothing, or has none."""
    inner = innermost(model)
    found: PromptCaching | None = getattr(inner, "prompt_caching", None)
    return found


def brief_of(request: ModelRequest) -> str:
    """What all agents of a debate are shown first: what stands in the system's messages."""
    return "\n\n".join(one.content for one in request.messages if one.role == "system")


def pieces(content: str, talk: Sequence[str]) -> list[str]:
    """A message's text in pieces that end where something that was heard ends, and the rest; together they are the text."""
    found, start = list[str](), 0
    for said in talk:
        place = content.find(said, start)
        if place < 0:
            break
        end = place + len(said)
        found.append(content[start:end])
        start = end
    return [*found, content[start:]]
