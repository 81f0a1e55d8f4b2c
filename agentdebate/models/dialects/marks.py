"""Marks in prompts: up to where an endpoint is told to write them into its cache."""

from collections.abc import Sequence
from typing import Any

from agentdebate.models.base import ChatMessage, ModelRequest
from agentdebate.models.dialects.dialect import turns
from agentdebate.models.prompt_cache import PromptCaching, pieces

Content = str | list[dict[str, Any]]


def marked(request: ModelRequest, caching: PromptCaching | None) -> tuple[Content, list[tuple[str, Content]]]:
    """Split the system's words from the turns, each with its role, with a mark at the end of the brief and of what was heard.

    What was heard stands in a block for each message, since a prompt is found in the cache up to the end of a block only. A
    chat has its talk in turns of its own: all but its last question is what was heard. There is no mark where the prompt up to
    it is too short for the cache.
    """
    system, said = turns(request.messages)
    contents: list[Content] = [one.content for one in said]
    mark = (caching and caching.mark) or {}
    brief: Content = [{**_text(system), **mark}] if caching and mark and caching.takes(system) else system
    place, blocks = _heard(said, request.talk)
    heard = "".join([system, *(one.content for one in said[:place]), *(one["text"] for one in blocks)])
    if caching and mark and blocks and caching.takes(heard):
        blocks[-1].update(mark)
        rest = said[place].content[sum(len(block["text"]) for block in blocks) :]
        contents[place] = [*blocks, *([_text(rest)] if rest.strip() else [])]
    return brief, [(one.role, content) for one, content in zip(said, contents, strict=True)]


def written(request: ModelRequest, caching: PromptCaching | None) -> list[str] | None:
    """Texts of a prompt that may be written into the cache: those up to the last mark; None where the endpoint marks it by itself, as far
    as is known.
    """
    if caching is None or not caching.mark:
        return None
    brief, said = marked(request, caching)
    contents = (brief, *(content for _, content in said))
    blocks = [block for one in contents for block in ([_text(one)] if isinstance(one, str) else one)]
    last = max((end for end, block in enumerate(blocks, 1) if caching.mark.keys() & block.keys()), default=0)
    return [block["text"] for block in blocks[:last]]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _heard(said: Sequence[ChatMessage], talk: Sequence[str]) -> tuple[int, list[dict[str, Any]]]:
    """The turn that what was heard ends in, and the blocks of it that were heard."""
    for place, one in enumerate(said):
        if one.role == "user" and (heard := pieces(one.content, talk)[:-1]):
            return place, [_text(text) for text in heard]
    return (len(said) - 1, [_text(said[-1].content)]) if len(said) > 1 else (0, [])
