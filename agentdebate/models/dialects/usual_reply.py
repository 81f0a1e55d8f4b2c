"""The reply that nearly every endpoint sends, read in one pass. What is odd about a reply in any way is for wire.py to read."""

from functools import lru_cache
from typing import Any

from pydantic_core import from_json

from agentdebate.models.base import Completion
from agentdebate.models.dialects.loose import LARGEST_COUNT, MARK
from agentdebate.models.dialects.problems import tidy
from agentdebate.models.dialects.wire import FINISH
from agentdebate.models.reply_size import SURE
from agentdebate.usage import Usage

_NOTHING: dict[str, Any] = {}


def usual_completion(
    body: bytes, *, structured: bool, model: str, latency: float, request_id: str | None
) -> Completion | None:
    """The completion in a body that holds one text; None where the body is not the usual one.

    It is what ChatReply reads in the same body.
    """
    try:
        reply = from_json(body)
        (choice,) = reply["choices"]
        text, finish = choice["message"]["content"], FINISH[choice["finish_reason"]]
        refusal, named = choice["message"].get("refusal"), reply["model"]
        usage = _usage(reply["usage"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    usual = type(text) is str and text and text[0] != MARK and type(named) is str and type(choice) is dict
    if not usual or refusal is not None or finish == "filter" or usage is None or len(text) > SURE:
        return None
    given = reply.get("id")
    return Completion(
        text=text,
        model=_name(named) or model,
        usage=usage,
        finish=finish,
        structured=structured,
        latency=latency,
        request_id=request_id or (tidy(given) or None if type(given) is str else None),
    )


@lru_cache(maxsize=64)
def _name(named: str) -> str:
    """A model's name in one line: most replies have the same."""
    return tidy(named)


def _usage(said: dict[str, Any]) -> Usage | None:
    """What a reply says of its cost; None where it says that in an odd way."""
    details = said.get("prompt_tokens_details") or _NOTHING
    counts = (
        said["prompt_tokens"],
        details.get("cached_tokens", 0),
        details.get("cache_write_tokens", 0),
        said["completion_tokens"],
        (said.get("completion_tokens_details") or _NOTHING).get("reasoning_tokens", 0),
    )
    for count in counts:
        if type(count) is not int or not 0 <= count <= LARGEST_COUNT:
            return None
    prompt, cached, written, completion, reasoning = counts
    return Usage(
        calls=1,
        prompt_tokens=prompt,
        cached_tokens=cached,
        cache_write_tokens=written,
        completion_tokens=completion,
        reasoning_tokens=reasoning,
    )
