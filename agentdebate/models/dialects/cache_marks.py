"""Content of Messages in blocks, with the marks up to which Anthropic's cache keeps a prompt."""

from collections.abc import Sequence
from typing import Any

from agentdebate.models.base import ChatMessage
from agentdebate.models.prompt_caching import PromptCaching, pieces

MOST_MARKS = 4
"""Marks that a request may have."""
LOOKED_BACK = 19
"""Blocks before a mark among which the endpoint looks for one that it has kept."""
_MARK = {"cache_control": {"type": "ephemeral"}}

Content = str | list[dict[str, Any]]


def marked(
    system: str, turns: Sequence[ChatMessage], talk: Sequence[str], caching: PromptCaching
) -> tuple[Content, list[Content]]:
    """What the system says and what the turns say, with a mark at the end of the brief and of what was heard.

    What was heard stands in a block for each message, since a prompt is found in the cache up to the end of a block only. A
    chat has its talk in turns of its own: all but its last question is what was heard. There is no mark where the prompt up to
    it is too short for the cache.
    """
    size = _size(system)
    brief: Content = [{"type": "text", "text": system, **_MARK}] if caching.may_take(size) else system
    contents: list[Content] = [one.content for one in turns]
    place, blocks = _heard(turns, talk)
    ends = _marked_ends(len(blocks), MOST_MARKS - (brief is not system))
    before = size + sum(_size(one.content) for one in turns[:place])
    for number, block in enumerate(blocks):
        before += _size(block["text"])
        if number in ends and caching.may_take(before):
            block.update(_MARK)
    if any("cache_control" in block for block in blocks):
        rest = turns[place].content[sum(len(block["text"]) for block in blocks) :]
        contents[place] = [*blocks, *([{"type": "text", "text": rest}] if rest.strip() else [])]
    return brief, contents


def _heard(turns: Sequence[ChatMessage], talk: Sequence[str]) -> tuple[int, list[dict[str, Any]]]:
    """The turn that what was heard ends in, and the blocks of it that were heard."""
    for place, one in enumerate(turns):
        if one.role == "user" and (heard := pieces(one.content, talk)[:-1]):
            return place, [{"type": "text", "text": text} for text in heard]
    if len(turns) > 1:
        return len(turns) - 1, [{"type": "text", "text": turns[-1].content}]
    return 0, []


def _marked_ends(blocks: int, most: int) -> set[int]:
    """The blocks that are marked: the last one, and earlier ones so that the marks look back over all that they can."""
    return {end for end in (blocks - 1 - LOOKED_BACK * step for step in range(most)) if end >= 0}


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
